// Package nasty makes texts of any size whose shape tempts a parser into work that grows faster than the text. Benchmarks and tests of
// the packages that read what people and programs send share it.
package nasty

import (
	"fmt"
	"strings"
	"time"
)

// A Shape is a kind of text.
type Shape struct {
	Name string
	Make func(size int) string // about size bytes of it, the same each time
}

// Shapes are all kinds, harmless prose first.
func Shapes() []Shape { return shapes }

var shapes = []Shape{
	repeat("prose", "I moved to Berlin in March 2026 with Mara, and we like the small cafe near the river. Yesterday the landlord called "+
		"about the heating. "),
	repeat("facts", "- [career] Alice moved to the Berlin office on 9 June 2026 `work city`\n"),
	repeat("fence opens in a line", "x <reverie-memory> "),
	repeat("fence opens at a line's start", "<reverie-memory>\nx\n"),
	repeat("fence closes", "x </reverie-memory> "),
	repeat("fence opens and closes", "<reverie-memory>\nx\n</reverie-memory>\n"),
	halves("fence nested", "<reverie-memory>\n", "</reverie-memory>\n"),
	halves("fence closes up", "<reverie-<reverie-memory>", "</reverie-memory>memory>"),
	repeat("fence without an end", "<reverie-memory "),
	repeat("fence escaped", "&lt;reverie-memory&gt; "),
	wrap("fence name and blanks", "", " ", "/reverie-memory>"),
	repeat("private opens", "<private>"),
	halves("private nested", "<private>", "</private>"),
	repeat("begin of a key", "-----BEGIN PRIVATE KEY-----\nx"),
	repeat("begin of a key in a line", "-----BEGIN PRIVATE KEY----- abcd"),
	repeat("keyword and value", "password: hunter2abc token=abc123 "),
	repeat("keyword and verb", "pin is "),
	repeat("keyword and list", "backup codes: 1a2b3c, "),
	repeat("keywords only", "password "),
	repeat("keywords together", "secret_key_token_password_"),
	repeat("names of papers together", "passport"),
	repeat("turns of a dial", "R32 L17 R08 "),
	repeat("cards for tests", "4111111111111111 "),
	repeat("assignments", "key=key=key:"),
	repeat("authorization", "Authorization: Bearer "),
	repeat("token starts", "eyJ"),
	repeat("token starts apart", "eyJ.eyJ-"),
	repeat("token prefixes", "sk-sk_live_ghp_AKIA"),
	repeat("url with password", "https://a:b"),
	repeat("urls", "https://example.com/a/b?c=d "),
	wrap("one url", "https://example.com/", "a/b?c=d&", ""),
	repeat("www", "www."),
	repeat("at signs", "a@b."),
	wrap("one address", "", "a.", "@example.com"),
	repeat("curl", "curl -u a:"),
	line("backtick", "`"),
	ladder("backtick runs", "`"),
	repeat("backtick odd runs", "``` `` ` "),
	repeat("code fences", "```\nx\n"),
	wrap("code fence unclosed", "```\n", "x\n", ""),
	repeat("tilde fences", "~~~ x\n"),
	line("bracket opens", "["),
	line("bracket closes", "]"),
	halves("brackets nested", "[", "]"),
	halves("brackets nested with targets", "[", "](a)"),
	repeat("link unclosed", "[a](b"),
	repeat("link with opens", "[a]("),
	repeat("image unclosed", "![a"),
	repeat("image caption", "[image: a] x "),
	repeat("image caption unclosed", "[image: a "),
	repeat("references", "[a][b]"),
	repeat("reference definitions", "[a]: b\n"),
	wrap("references used", "[a]: b\n\n", "[a] [b] ", ""),
	repeat("footnotes", "[^a] "),
	repeat("footnotes unclosed", "[^a"),
	repeat("wikilinks", "[[Note#Part|shown]] "),
	repeat("wikilinks together", "[[a]]"),
	repeat("wikilinks unclosed", "[[a"),
	repeat("wikilinks with bars", "[[a|b|"),
	halves("wikilinks nested", "[[", "]]"),
	repeat("sources", "([[2026-06-09#^fa1|9 Jun 2026]]) "),
	repeat("sources in one bracket", "(([[2026-06-09#^fa1]], "),
	wrap("sources in a row", "(", "[[2026-06-09#^fa1]] ", ")"),
	series("sources of many days", func(i int) string {
		return time.Unix(int64(i)*86400, 0).UTC().Format("([[2006-01-02#^fa1]]) ")
	}),
	repeat("tags", "#a/b "),
	series("tags all different", func(i int) string { return fmt.Sprintf("#a%d ", i) }),
	line("hashes", "#"),
	line("less than", "<"),
	line("greater than", ">"),
	repeat("tags of HTML", "<a "),
	repeat("quoted tags of HTML", "<a b='"),
	halves("elements nested", "<div>", "</div>"),
	repeat("HTML comments unclosed", "<!-- "),
	repeat("HTML comments at lines", "<!--\n"),
	repeat("HTML instructions", "<?x "),
	repeat("HTML declarations", "<!A "),
	repeat("CDATA", "<![CDATA["),
	repeat("comments", "%%a%% b "),
	repeat("comments unclosed", "%% "),
	repeat("comment marks apart", "a %%\n\n"),
	repeat("entities", "&amp;"),
	line("ampersands", "&"),
	wrap("entity of digits", "&#", "1", ""),
	line("double quotes", `"`),
	line("single quotes", "'"),
	repeat("quotes and words", `"a `),
	repeat("curly quotes", "“a "),
	line("asterisks", "*"),
	repeat("emphasis opens", "*a "),
	repeat("emphasis closes", "a* "),
	repeat("emphasis both", "*a_b**c__"),
	repeat("emphasis in words", "a**b"),
	line("underscores", "_"),
	repeat("underscores and words", "a_"),
	line("tildes", "~"),
	repeat("highlights", "==a"),
	line("equals", "="),
	line("backslashes", `\`),
	line("carets", "^"),
	repeat("block ids", "a ^b "),
	line("dashes", "-"),
	repeat("dashes and blanks", "- "),
	line("dots", "."),
	repeat("dots and blanks", ". "),
	repeat("question marks", "? "),
	line("commas", ","),
	repeat("commas and words", "a, "),
	repeat("and", "and "),
	repeat("comma and", "a, and b, "),
	repeat("because", "I left because "),
	repeat("i", "i "),
	repeat("let's", "Let's "),
	repeat("please, I", "Please call, "),
	repeat("he said", "He said that she said that "),
	repeat("names", "Alice Berlin "),
	repeat("weekdays", "next Monday "),
	repeat("dates", "on 9 June 2026 "),
	series("days without a month", func(i int) string { return fmt.Sprintf("I met Bob%d on the 18th. ", i) }),
	repeat("endings apart", "I do n't like it , it 's cold . "),
	repeat("colons", "a: "),
	repeat("semicolons", "a; "),
	repeat("abbreviations", "Dr. e.g. "),
	repeat("initials", "A. B. "),
	repeat("ordinals", "1. "),
	repeat("short lines", "a\n"),
	repeat("blank lines", "\n"),
	repeat("CRLF", "I like tea.\r\n"),
	repeat("CR", "I like tea.\r"),
	repeat("blanks", " "),
	wrap("blanks between", "I like", " ", "tea."),
	repeat("tabs", "\t"),
	repeat("trailing blanks", "a      \n"),
	line("word", "a"),
	line("capitals", "A"),
	line("digits", "7"),
	repeat("digits apart", "7 "),
	repeat("digits and dashes", "4111-1111-"),
	repeat("digits and dots", "1.2."),
	repeat("grouped digits", "1,234,"),
	line("base64", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo3"),
	line("hex", "0123456789abcdef"),
	repeat("camelCase", "aB"),
	repeat("apostrophes in a word", "a'"),
	repeat("hyphens in a word", "a-"),
	repeat("emoji", "🎉👨‍👩‍👧 "),
	line("combining marks", "e\u0301\u0302"),
	line("combining marks only", "\u0301"),
	repeat("accents alone", " \u0301"),
	repeat("zero width", "a\u200b "),
	repeat("Chinese", "我搬到了柏林。"),
	line("Chinese without a stop", "我搬到了柏林"),
	repeat("Thai", "ฉันรักเธอ"),
	repeat("Arabic", "أنا أسكن في برلين "),
	repeat("German", "Ich bin umgezogen und wohne in Köln. "),
	line("invalid UTF-8", "\xff"),
	repeat("invalid UTF-8 and words", "a\xfe "),
	line("zeros", "\x00"),
	repeat("control characters", "a\x01\x02 "),
	repeat("table rows", "| a | b | c |\n"),
	line("table bars", "|"),
	wrap("table with a wide head", strings.Repeat("|a", 1000)+"|\n"+strings.Repeat("|-", 1000)+"|\n", "|a|\n", ""),
	table(),
	repeat("setext", "a\n=\n"),
	repeat("headings", "# a\n"),
	wrap("heading in a line", "# ", "long ", "\n"),
	halves("heading over lines", "# "+strings.Repeat("long ", 5000)+"\n", strings.Repeat("a\n\n", 5000)),
	wrap("table with a long head", "|"+strings.Repeat("long ", 5000)+"|\n|-|\n", "|a|\n", ""),
	wrap("code fence in a quote", "> ~~~\n\n", "[a](b", ""),
	series("lists nested", func(i int) string { return strings.Repeat("  ", i) + "- a\n" }),
	series("quotes nested", func(i int) string { return strings.Repeat("> ", i) + "a\n" }),
	line("quote marks", "> "),
	line("list marks", "- "),
	line("ordered marks", "1. "),
	repeat("quote lines", "> a\n"),
	repeat("callouts", "> [!note] a\n> b\n\n"),
	repeat("list items", "- a\n"),
	repeat("task items", "- [ ] call Bob\n"),
	repeat("items of two lists", "- a\n* b\n"),
	wrap("item of many lines", "- a\n", "b\n", ""),
	wrap("quote of many lines", "", "> b\n", ""),
	wrap("callout of many lines", "> [!warning] Conflict: a\n", "> b\n", ""),
	repeat("lazy quote", "> a\nb\n"),
	repeat("log lines", "2026-06-09 14:32:00 ERROR at com.example.Foo(Foo.java:12)\n"),
	repeat("front matter", "---\na: b\n"),
	repeat("YAML anchors", "a: &a [*a, *a]\n"),
	repeat("JSON", `{"a":[1,{"b":"c"}],`),
	line("JSON nested", `{"a":`),
	repeat("lines in a paragraph", "a line of a paragraph that nobody ever ended with a blank line\n"),
	repeat("words in a line", "a line that nobody ever ended with a stop "),
}

func repeat(name, unit string) Shape {
	return Shape{name, func(size int) string { return strings.Repeat(unit, size/len(unit)+1) }}
}

// line is repeat for one run without a gap.
func line(name, unit string) Shape { return repeat(name+" in a run", unit) }

func wrap(name, head, unit, tail string) Shape {
	return Shape{name, func(size int) string { return head + strings.Repeat(unit, size/len(unit)+1) + tail }}
}

func halves(name, open, shut string) Shape {
	return Shape{name, func(size int) string {
		n := size/(len(open)+len(shut)) + 1
		return strings.Repeat(open, n) + strings.Repeat(shut, n)
	}}
}

// ladder is runs of growing length.
func ladder(name, unit string) Shape {
	return Shape{name, func(size int) string {
		var b strings.Builder
		for i := 1; b.Len() < size; i++ {
			b.WriteString(strings.Repeat(unit, i) + " ")
		}
		return b.String()
	}}
}

// series is made of parts that differ by their number.
func series(name string, part func(int) string) Shape {
	return Shape{name, func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(part(i))
		}
		return b.String()
	}}
}

// table is as wide as it is long.
func table() Shape {
	return Shape{"table square", func(size int) string {
		n := 1
		for n*n*2 < size {
			n++
		}
		row := strings.Repeat("|a", n) + "|\n"
		return row + strings.Repeat("|-", n) + "|\n" + strings.Repeat(row, n)
	}}
}

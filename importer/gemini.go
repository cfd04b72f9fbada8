package importer

import (
	"bytes"
	"html"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
)

// Gemini reads My Activity of the Gemini app, as Google Takeout exports it in JSON: an entry for each prompt with its answer.
var Gemini = Importer{
	Name: "Gemini",
	Reads: func(name string, head []byte) bool {
		return strings.HasSuffix(name, ".json") && hasKeys(head, "header", "time", "title") &&
			(bytes.Contains(head, []byte("Gemini")) || bytes.Contains(head, []byte("Bard")) || hasKeys(head, "safeHtmlItem"))
	},
	Read: func(f File, yield func(Message, error) bool) { readActivity(objects[geminiEntry](f), yield) },
}

// readActivity yields the messages of entries. Exports have the newest entry first: a day is turned round, as far as entries of one day
// stand together.
func readActivity(entries iter.Seq2[geminiEntry, error], yield func(Message, error) bool) {
	var day []geminiEntry
	done := func() bool {
		slices.Reverse(day)
		slices.SortStableFunc(day, func(a, b geminiEntry) int { return strings.Compare(a.Time, b.Time) })
		for _, e := range day {
			for _, m := range e.messages() {
				if !yield(m, nil) {
					return false
				}
			}
		}
		day = day[:0]
		return true
	}
	for e, err := range entries {
		if (err != nil || len(day) > 0 && e.day() != day[0].day()) && !done() || err != nil && !yield(Message{}, err) {
			return
		}
		if err == nil {
			day = append(day, e)
		}
	}
	done()
}

type geminiEntry struct {
	Title    string `json:"title"`
	TitleURL string `json:"titleUrl"`
	Time     string `json:"time"`

	Answers []geminiAnswer `json:"safeHtmlItem"`
}

type geminiAnswer struct {
	HTML string `json:"html"`
}

var geminiChat = regexp.MustCompile(`/app/([0-9a-f]+)`)

func (e *geminiEntry) day() string { return e.Time[:min(len(e.Time), len("2006-01-02"))] }

// messages are the prompt and its answer. What has an answer and begins with no verb that is known, such as in another language, is
// nobody's words.
func (e *geminiEntry) messages() (out []Message) {
	prompt, asked := e.prompt()
	if !asked && len(e.Answers) == 0 { // such as "Gave feedback"
		return nil
	}
	chat := "gemini-" + e.day() // entries name no conversation, as a rule
	if found := geminiChat.FindStringSubmatch(e.TitleURL); found != nil {
		chat = "gemini-" + found[1]
	}
	answers := slice.Map(e.Answers, func(a geminiAnswer) string { return plainHTML(a.HTML) })
	whose := user
	if !asked {
		whose = tool
	}
	ref := derived(e.Time, e.Title)
	for i, text := range []string{prompt, joined(answers, "\n\n")} {
		if strings.TrimSpace(text) == "" {
			continue
		}
		m := Message{}
		m.ChatID, m.Platform, m.Agent, m.At = chat, "gemini", "gemini", timestamp(e.Time)
		m.Role, m.Content, m.Ref = []string{whose, assistant}[i], text, nth(ref, "m", i)
		out = append(out, m)
	}
	return out
}

// prompt is what was asked, by a title such as "Prompted What is …".
func (e *geminiEntry) prompt() (string, bool) {
	for _, verb := range []string{"Prompted ", "Asked Gemini ", "Asked: ", "Asked ", "Said "} {
		if rest, ok := strings.CutPrefix(e.Title, verb); ok {
			return rest, true
		}
	}
	return e.Title, false
}

var (
	htmlBreak = regexp.MustCompile(`(?i)<(?:br|/p|/div|/li|/tr|/h[1-6]|/pre|/ul|/ol|/blockquote)\b[^>]*>`)
	htmlItem  = regexp.MustCompile(`(?i)<li\b[^>]*>`)
	htmlTag   = regexp.MustCompile(`(?s)<!--.*?-->|</?[a-zA-Z][^>]*>`)
	htmlGap   = regexp.MustCompile(`\n[ \t]*(?:\n[ \t]*)+`)
)

// plainHTML is the text of HTML as a person reads it.
func plainHTML(s string) string {
	s = htmlItem.ReplaceAllString(htmlBreak.ReplaceAllString(s, "\n"), "- ")
	s = html.UnescapeString(htmlTag.ReplaceAllString(s, ""))
	return strings.TrimSpace(htmlGap.ReplaceAllString(s, "\n\n"))
}

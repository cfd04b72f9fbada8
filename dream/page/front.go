package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

// Meta is the frontmatter of a new page.
type Meta struct {
	Title   string    `json:"title"`
	Aliases []string  `json:"aliases,omitempty"`
	Tags    []string  `json:"tags,omitempty"`
	Type    string    `json:"type,omitempty"`
	Created vault.Day `json:"created,omitempty"`
}

// New is a page with frontmatter and a title.
func New(p vault.Path, m Meta) *Doc {
	var b strings.Builder
	b.WriteString("---\ntitle: " + scalar(fold(m.Title)) + "\naliases: " + flow(m.Aliases) + "\ntags: " + flow(m.Tags) + "\n")
	if t := fold(m.Type); t != "" {
		b.WriteString("type: " + scalar(t) + "\n")
	}
	if m.Created != "" {
		b.WriteString("created: " + string(m.Created) + "\nupdated: " + string(m.Created) + "\n")
	}
	b.WriteString("reverie: page\n---\n" + heading(m.Title) + "\n")
	return Parse(p, []byte(b.String()))
}

func flow(list []string) string {
	var out []string
	for _, s := range list {
		if s = fold(s); s != "" {
			out = append(out, scalar(s))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

var (
	safeYAML = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\pL[\pL\pN\pM_./+'’-]*(?: [\pL\pN\pM(][\pL\pN\pM_./+'’()-]*)*$`)
	})
	wordYAML = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$`)
	})
)

// scalar is a string as YAML reads it back.
func scalar(s string) string {
	if safeYAML().MatchString(s) && !wordYAML().MatchString(s) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Bare says whether a page that a run made has nothing but its front matter, headings and blank lines.
func Bare(data []byte) bool {
	front := vault.Front(data)
	for l := range bytes.Lines(data[len(front):]) {
		if l = bytes.TrimSpace(l); len(l) > 0 && l[0] != '#' {
			return false
		}
	}
	return bytes.Contains(front, []byte("\nreverie: page"))
}

var (
	updatedRE = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(updated:[ \t]*)(?:(["']?)\d{4}-\d\d-\d\d[0-9T :.Z+-]*?(["']?))?([ \t]*(?:[ \t]#.*)?\r?)$`)
	})
	titleRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^title:[^\r\n]*`) })
	aliasRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^aliases:[ \t]*\[[^\[\]{}#\r\n]*\]`) })
)

// Touch sets the day of the last update, where the frontmatter has one. All else stays as it is.
func (d *Doc) Touch(day vault.Day) {
	m := updatedRE().FindSubmatchIndex(d.front)
	if m == nil || day == "" {
		return
	}
	value := updatedRE().Expand(nil, []byte("${1}${2}"+string(day)+"${3}${4}"), d.front, m)
	value = bytes.Replace(value, []byte("updated:"+day), []byte("updated: "+day), 1)
	d.setFront(slices.Concat(d.front[:m[0]], value, d.front[m[1]:]), func(p *vault.Page) { p.Updated = string(day) })
}

// Retitle gives a page that was made here another title and other aliases, in its frontmatter and above its lines.
func (d *Doc) Retitle(title string, aliases []string) bool {
	was, title := heading(d.Page().Title), fold(title)
	front := titleRE().ReplaceAllLiteral(d.front, []byte("title: "+scalar(title)))
	front = aliasRE().ReplaceAllLiteral(front, []byte("aliases: "+flow(aliases)))
	if title == "" || !d.setFront(front, func(p *vault.Page) { p.Title, p.Aliases = title, aliases }) {
		return false
	}
	if i := slices.IndexFunc(d.lines, func(ln *line) bool { return ln.text == was }); i >= 0 {
		d.replace(i, i+1, nil, &line{text: heading(title)})
	}
	return true
}

// setFront takes another frontmatter, where it then reads as before but for what change does.
func (d *Doc) setFront(front []byte, change func(*vault.Page)) bool {
	want, now := vault.ParsePage(d.path, d.front), vault.ParsePage(d.path, front)
	if len(want.Problems) > 0 || len(now.Problems) > 0 || len(now.Front) != len(front) {
		return false
	}
	change(want)
	if now.Title != want.Title || now.Type != want.Type || now.Created != want.Created || now.Updated != want.Updated ||
		!slices.Equal(now.Aliases, want.Aliases) || !slices.Equal(now.Tags, want.Tags) {
		return false
	}
	d.front = front
	return true
}

// heading is the line of a page's title.
func heading(title string) string {
	title = neutral(title)
	if t := strings.TrimRight(title, "#"); t != title {
		title = t + `\` + title[len(t):]
	}
	return "# " + title
}

package page

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

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

var updatedRE = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(updated:)([ \t]*)(?:(["']?)\d{4}-\d\d-\d\d[0-9T :.Z+-]*?(["']?))?([ \t]*(?:[ \t]#.*)?\r?)$`)
})

// Touch sets the day of the last update, where the frontmatter has one. All else stays as it is.
func (d *Doc) Touch(day vault.Day) {
	m := updatedRE().FindSubmatchIndex(d.front)
	if m == nil || day == "" {
		return
	}
	at := func(i int) []byte {
		if m[i] < 0 {
			return nil
		}
		return d.front[m[i]:m[i+1]]
	}
	gap := at(4)
	if len(gap) == 0 {
		gap = []byte(" ")
	}
	value := slices.Concat(at(2), gap, at(6), []byte(day), at(8), at(10))
	d.setFront(slices.Concat(d.front[:m[0]], value, d.front[m[1]:]), func(old, now *vault.Page) bool {
		return now.Updated == string(day) && slices.Equal(old.Aliases, now.Aliases)
	})
}

// setFront takes another frontmatter, where it reads as wanted and otherwise as before.
func (d *Doc) setFront(front []byte, wanted func(old, now *vault.Page) bool) bool {
	old, now := vault.ParsePage(d.path, d.front), vault.ParsePage(d.path, front)
	if len(old.Problems) > 0 || len(now.Problems) > 0 || len(now.Front) != len(front) || !wanted(old, now) {
		return false
	}
	if old.Title != now.Title || old.Type != now.Type || old.Created != now.Created || !slices.Equal(old.Tags, now.Tags) {
		return false
	}
	d.front = front
	return true
}

var titleRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^title:[^\r\n]*`) })

// Retitle gives a page that was made here another title and other aliases, in its frontmatter and above its lines.
func (d *Doc) Retitle(title string, aliases []string) bool {
	was, title := d.Page(), fold(title)
	front := titleRE().ReplaceAllLiteral(d.front, []byte("title: "+scalar(title)))
	front = aliasFlow().ReplaceAllLiteral(front, []byte("aliases: "+flow(aliases)))
	now := vault.ParsePage(d.path, front)
	if len(now.Problems) > 0 || title == "" || now.Title != title || !slices.Equal(now.Aliases, aliases) || len(now.Front) != len(front) ||
		now.Type != was.Type || now.Created != was.Created || now.Updated != was.Updated || !slices.Equal(now.Tags, was.Tags) {
		return false
	}
	for _, ln := range d.lines {
		if ln.text == heading(was.Title) {
			d.set(ln, heading(title))
			break
		}
	}
	d.front = front
	d.scan()
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

var aliasFlow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^aliases:[ \t]*\[[^\[\]{}#\r\n]*\]`) })

package page

import (
	"bytes"
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
	title := neutral(m.Title)
	if t := strings.TrimRight(title, "#"); t != title {
		title = t + `\` + title[len(t):]
	}
	b.WriteString("reverie: page\n---\n# " + title + "\n")
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

var (
	aliasFlow  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^aliases:[ \t]*\[([^\[\]{}#\r\n]*)\]`) })
	aliasBlock = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^aliases:[ \t]*\r?\n((?:[ \t]*-[ \t]+[^\r\n]*\r?\n)+)`)
	})
	aliasNone = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^aliases:[ \t]*\r?$`) })
)

// AddAlias adds a name to the frontmatter's aliases, where they stand in a form that can be added to without a doubt.
func (d *Doc) AddAlias(name string) {
	name = fold(name)
	pg := vault.ParsePage(d.path, d.front)
	same := func(s string) bool { return strings.EqualFold(s, name) }
	if name == "" || slices.ContainsFunc(pg.Aliases, same) || same(d.Page().Title) {
		return
	}
	var at int
	var add string
	if m := aliasFlow().FindSubmatchIndex(d.front); m != nil {
		list := bytes.TrimRight(d.front[m[2]:m[3]], " \t")
		at, add = m[2]+len(list), ", "+scalar(name)
		if len(list) == 0 {
			add = scalar(name)
		} else if list[len(list)-1] == ',' {
			add = add[1:]
		}
	} else if m := aliasBlock().FindSubmatchIndex(d.front); m != nil {
		item := d.front[m[2]:m[3]]
		at, add = m[3], string(item[:bytes.IndexByte(item, '-')])+"- "+scalar(name)+d.eol
	} else if m := aliasNone().FindIndex(d.front); m != nil {
		at = m[0] + len("aliases:")
		add = " [" + scalar(name) + "]"
	} else {
		return
	}
	front := slices.Concat(d.front[:at], []byte(add), d.front[at:])
	d.setFront(front, func(old, now *vault.Page) bool {
		return old.Updated == now.Updated && slices.Equal(now.Aliases, append(slices.Clone(old.Aliases), name))
	})
}

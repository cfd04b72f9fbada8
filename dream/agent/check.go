package agent

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

const (
	maxStatement = 1000 // bytes
	maxName      = 80   // of a title, an alias, a section
)

// checkPage checks the names of a page that is to be made or moved.
func (r *run) checkPage(b *batch, op dream.Op, m modelOp) (_ dream.Op, err error) {
	if op.Kind == dream.CreatePage {
		if _, err := newPagePath(m.Page); err != nil {
			return op, err
		}
	}
	for what, path := range map[string]string{"page": m.Page, "to": m.To} {
		if err := isName(what, strings.TrimSuffix(path, ".md")); path != "" && err != nil {
			return op, err
		}
	}
	if m.To != "" {
		if op.About, err = pagePath(m.To); err != nil {
			return op, fmt.Errorf("to %q: %w", clip(m.To, 120), err)
		}
	}
	if m.To == "" && m.Title == "" {
		return op, errors.New("it needs a title, or to")
	}
	meta := &page.Meta{Type: m.Type}
	base := ""
	for _, f := range b.facts {
		base += f.Text + "\n"
		meta.Created = max(meta.Created, f.Day)
	}
	if m.Title != "" {
		if meta.Title, err = name("title", m.Title, base); err != nil {
			return op, err
		}
	}
	if len(m.Aliases) > 10 || len(m.Tags) > 10 {
		return op, errors.New("at most 10 aliases and 10 tags")
	}
	for _, a := range m.Aliases {
		if a, err = name("alias", a, base); err != nil {
			return op, err
		}
		meta.Aliases = append(meta.Aliases, a)
	}
	for _, t := range m.Tags {
		meta.Tags = append(meta.Tags, strings.TrimPrefix(t, "#"))
	}
	for _, t := range append(slices.Clone(meta.Tags), cmp.Or(m.Type, "page")) {
		if !tagForm().MatchString(t) {
			return op, fmt.Errorf("%q is no tag or type: letters, digits, - and _ only", clip(t, 60))
		}
		if err := isName("tag", t); err != nil {
			return op, err
		}
	}
	op.Meta = meta
	return op, nil
}

// tagForm is compiled when it is first needed: the compiling takes longer than all else before a verb begins.
var tagForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$`) })

// name is a plain text that names something.
func name(what, text, base string) (string, error) {
	text, err := plain(what, text, maxName, base)
	if err == nil {
		err = isName(what, text)
	}
	return text, err
}

// isName refuses what tells an assistant what to do in the place of a name: the words are the model's.
func isName(what, text string) error {
	if why := trust.Bar(trust.Said{Text: text, Origin: vault.OriginAgent}, trust.Name); why != "" {
		return fmt.Errorf("the %s is no name: %s", what, why)
	}
	return nil
}

// leads says why a text that bears nobody's name may not stand on a page: what facts of the person tell assistants to do they may tell.
func leads(text string) string { return trust.Bar(trust.Said{Text: text, Loose: true}, trust.Page) }

// marks are what makes Markdown or Obsidian more than text: links, embeds, tags of HTML, comments, block ids, formulas.
var marks = []string{"[[", "](", "![", "<", "//", "%%", "{{", "^", "`", "#", "$", "|"}

// plain brings a text into one line and refuses what is more than text, unless the facts have it so, word by word.
func plain(what, text string, most int, base string) (string, error) {
	if !utf8.ValidString(text) ||
		strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || lexis.Hidden(r) }) {
		return "", fmt.Errorf("the %s holds characters that cannot be seen", what)
	}
	text = strings.TrimSpace(strings.TrimPrefix(strings.Join(strings.Fields(text), " "), "- "))
	switch {
	case text == "":
		return "", fmt.Errorf("the %s is empty", what)
	case len(text) > most:
		return "", fmt.Errorf("the %s is longer than %d bytes", what, most)
	}
	for word := range strings.FieldsSeq(text) {
		for _, mark := range marks {
			if strings.Contains(word, mark) && !strings.Contains(base, bare(word, mark)) {
				return "", fmt.Errorf("the %s holds %q: plain text only", what, clip(word, 60))
			}
		}
	}
	return text, nil
}

// bare is the word without the punctuation of a sentence around it, as long as that leaves the mark.
func bare(word, mark string) string {
	if b := strings.Trim(word, `.,;:!?()"'`); strings.Contains(b, mark) {
		return b
	}
	return word
}

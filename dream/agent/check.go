package agent

import (
	"context"
	"errors"
	"fmt"
	"regexp"
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
	maxStatement = 400 // bytes, or as long as the longest of its facts
	maxName      = 80  // of a title, an alias, a section
)

// checkPage checks a create_page.
func (r *run) checkPage(ctx context.Context, b *batch, op dream.Op, m modelOp) (dream.Op, error) {
	if _, err := newPagePath(m.Page); err != nil {
		return op, err
	}
	if err := isName("page", strings.TrimSuffix(m.Page, ".md")); err != nil {
		return op, err
	}
	if _, err := r.page(ctx, op.Page); err == nil {
		return op, errors.New("the page exists: add to it")
	}
	meta := &page.Meta{Type: m.Type}
	base := ""
	for _, f := range b.facts {
		base += f.Text + "\n"
		meta.Created = max(meta.Created, f.Day)
	}
	var err error
	if meta.Title, err = name("title", m.Title, base); err != nil {
		return op, err
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
		if t = strings.TrimPrefix(t, "#"); !tagForm().MatchString(t) {
			return op, fmt.Errorf("%q is no tag: letters, digits, - and _ only", clip(t, 60))
		}
		if err := isName("tag", t); err != nil {
			return op, err
		}
		meta.Tags = append(meta.Tags, t)
	}
	if m.Type != "" && !tagForm().MatchString(m.Type) {
		return op, fmt.Errorf("%q is no type: one word", clip(m.Type, 60))
	}
	op.Meta = meta
	return op, nil
}

// tagForm is compiled when it is first needed: the compiling takes longer than all else before a verb begins.
var tagForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$`) })

// checkFacts checks the facts of an op and makes its sources and accounts of them. base is all that they say.
func (r *run) checkFacts(b *batch, op *dream.Op, m modelOp) (base string, err error) {
	if len(m.Facts) == 0 {
		return "", fmt.Errorf("%s names no facts", m.Op)
	}
	seen := map[string]bool{}
	for _, id := range m.Facts {
		f, ok := b.facts[id]
		switch {
		case !ok:
			return "", fmt.Errorf("there is no fact %q here", clip(id, 40))
		case r.done[id]:
			return "", fmt.Errorf("fact %s is accounted for already", id)
		case seen[id]:
			continue
		}
		seen[id] = true
		base += f.Text + "\n"
		op.Facts = append(op.Facts, dream.Account{Fact: id})
		if op.Kind != dream.Drop {
			op.Sources = append(op.Sources, page.Source{Day: f.Day, ID: id})
		}
	}
	outcome := outcomes[op.Kind]
	if op.Kind == dream.AddStatement && len(op.Facts) > 1 {
		outcome = dream.Merged
	}
	for i := range op.Facts {
		op.Facts[i].Outcome = outcome
	}
	return base, nil
}

var outcomes = map[dream.Kind]dream.Outcome{
	dream.AddStatement: dream.Kept, dream.AddSource: dream.Duplicate, dream.Reword: dream.Merged,
	dream.Supersede: dream.Kept, dream.Contradict: dream.Conflicted, dream.Drop: dream.Dropped,
}

// checkStatement checks an op on a statement: whether it is there, and the form of its text. Whether the text is true to the
// facts is for the verifier.
func (r *run) checkStatement(ctx context.Context, op dream.Op, m modelOp, base string) (dream.Op, error) {
	d, err := r.page(ctx, op.Page)
	if err != nil && !r.made[string(op.Page)] {
		return op, errors.New("there is no such page: create_page comes first")
	}
	op.Task, op.Section = m.Task, m.Section
	if m.Target != "" {
		if err != nil {
			return op, errors.New("the page is new: it has no statements to change")
		}
		was, err := target(d, &op, m.Target)
		if err != nil {
			return op, err
		}
		base += was
	}
	if m.Text != "" {
		most := maxStatement
		for line := range strings.Lines(base) {
			most = max(most, len(line))
		}
		if op.Text, err = plain("text", m.Text, most, base); err != nil {
			return op, err
		}
		if leads(op.Text) != "" && leads(base) == "" {
			return op, errors.New("the text may not stand on a page: " + leads(op.Text))
		}
		if op.Text = strings.TrimSuffix(op.Text, "."); op.Text == op.Was {
			return op, errors.New("the statement says just that: use add_source")
		}
	}
	if op.Section, err = section(op.Section, base); err == nil && m.Section != "" {
		err = isName("section", op.Section)
	}
	if err != nil {
		return op, err
	}
	switch op.Kind {
	case dream.Supersede:
		op.Note = map[bool]string{true: "corrected ", false: "until "}[m.Correction] + newest(op.Sources).Time().Format("2 Jan 2006")
	case dream.Contradict:
		if op.Question, err = plain("question", m.Question, 200, base); err != nil {
			return op, err
		}
		if leads(op.Question) != "" && leads(base) == "" {
			return op, errors.New("the question may not be asked: " + leads(op.Question))
		}
		op.Options = append(op.Options, page.Option{Text: op.Text, Sources: op.Sources})
	}
	return op, nil
}

// target finds what an op changes.
func target(d doc, op *dream.Op, id string) (was string, err error) {
	op.Target = id
	for _, c := range d.doc.Conflicts() {
		if c.ID == id {
			if op.Kind != dream.Contradict {
				return "", fmt.Errorf("%s is an open conflict: only conflict can add to it", id)
			}
			op.Was = c.Question
			return c.Question, nil
		}
	}
	s, ok := d.doc.Find(id)
	changes := op.Kind != dream.AddSource
	switch {
	case !ok:
		return "", fmt.Errorf("there is no statement %q on %s", clip(id, 40), d.path)
	case s.History:
		return "", errors.New("the statement is history")
	case s.Callout && changes:
		return "", errors.New("the statement is part of a conflict that a person decides")
	case s.Nested && op.Kind == dream.Reword:
		return "", errors.New("the statement has lines of its own: it cannot be reworded")
	}
	if op.Was = s.Text; op.Section == "" && op.Kind != dream.AddSource {
		op.Section = s.Section
	}
	if op.Kind == dream.Supersede {
		op.Task = op.Task || s.Task
	}
	if op.Kind == dream.Contradict {
		op.Options = []page.Option{{Text: s.Text, Sources: s.Sources}}
	}
	return s.Text, nil
}

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

func section(name, base string) (string, error) {
	if name == "" {
		return "", nil
	}
	name, err := plain("section", strings.TrimLeft(name, "# "), maxName, base)
	if err == nil && strings.EqualFold(name, vault.History) {
		err = errors.New("the section History is filled by supersede")
	}
	return name, err
}

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

func newest(sources []page.Source) vault.Day {
	var day vault.Day
	for _, s := range sources {
		day = max(day, s.Day)
	}
	return day
}

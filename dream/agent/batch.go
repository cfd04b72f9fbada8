package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// A batch is facts for one conversation.
type batch struct {
	pages []vault.Path // that the facts seem to belong to
	ids   []string
	facts map[string]vault.Fact
	text  string // the facts, one JSON object a line
}

// pack fills batches with groups in their order, and splits a group that is too large for one. A fact that takes too much of a
// batch is left to the rules: half of it must not be reworded.
func (a *Agent) pack(groups []dream.Group) []*batch {
	most := a.room() / 4
	var out []*batch
	var b *batch
	for _, g := range groups {
		head := factLine(map[string]any{"page": g.Page, "title": g.Title, "section": g.Section})
		open := false // g has facts in b
		for _, f := range g.Facts {
			line := factText(f)
			if len(line) > most/4 || f.ID == "" {
				continue
			}
			if b == nil || len(b.facts) >= maxFacts || len(b.text) > 0 && len(b.text)+len(head)+len(line) > most {
				b, open = &batch{facts: map[string]vault.Fact{}}, false
				out = append(out, b)
			}
			if _, twice := b.facts[f.ID]; twice {
				continue
			}
			if !open {
				b.pages = append(b.pages, g.Page)
				b.text += head
				open = true
			}
			b.ids = append(b.ids, f.ID)
			b.facts[f.ID] = f
			b.text += line
		}
	}
	return out
}

// factText is a fact as the model sees it.
func factText(f vault.Fact) string {
	return factLine(struct {
		Fact    string    `json:"fact"`
		Day     vault.Day `json:"day"`
		Speaker string    `json:"speaker,omitempty"`
		Text    string    `json:"text"`
	}{f.ID, f.Day, f.Section.Speaker, f.Text})
}

func factLine(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the fence sees to the marks, and the model reads what was written
	_ = enc.Encode(v)
	return b.String()
}

// prompt presents a batch: its facts, and the pages that they were routed to as far as there is room.
func (r *run) prompt(ctx context.Context, b *batch) string {
	var out strings.Builder
	out.WriteString("Facts, each below the page that it seems to belong to:\n")
	out.WriteString(extract.Fence(b.text))
	left := r.agent.room() / 4
	missing := ""
	for _, p := range b.pages {
		if isList(p) {
			continue
		}
		d, err := r.page(ctx, p)
		if err != nil {
			missing += string(p) + "\n"
			continue
		}
		if text := fenced(d.show(), min(maxResult, left)); r.agent.may(ToolReadPage) && len(text) <= left {
			left -= len(text)
			out.WriteString("\n\nA page as it stands:\n" + text)
		}
	}
	if missing != "" { // fenced too: a path was made of what somebody said
		out.WriteString("\n\nThese pages do not exist yet and are made with their first statement:\n" + fenced(missing, maxResult))
	}
	return out.String()
}

// clip cuts text to at most n bytes.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:max(0, n)], "") + "…"
}

// fenced cuts text to about n bytes at a line's end and fences it.
func fenced(text string, n int) string {
	n -= len(extract.FenceOpen) + len(extract.FenceClose) + 40
	if len(text) > n {
		cut := strings.ToValidUTF8(text[:max(0, n)], "")
		if i := strings.LastIndexByte(cut, '\n'); i > 0 {
			cut = cut[:i]
		}
		text = cut + "\n… (cut: there is more)"
	}
	return extract.Fence(text)
}

package operations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// personaShown is how many characters of persona.md a context shows.
const personaShown = 400

// SetCore writes the managed block of persona.md or user.md, and not a byte outside of it. What tells assistants what to do is refused,
// whoever asks: every conversation begins with these pages, and a person may write there whatever they want without us.
func (m Memory) SetCore(ctx context.Context, c api.SetCore) (api.CoreSet, error) {
	c, redactions, err := admit(m, c)
	if err != nil {
		return api.CoreSet{}, err
	}
	p := vault.CorePath(c.Which)
	out := api.CoreSet{SourceFile: string(p), Redactions: redactions, Warnings: []string{}}
	text := coreText(c.Content)
	stones, err := m.Vault.Tombstones()
	if err != nil {
		return out, err
	}
	if err := refuseCore(stones, p, text); err != nil {
		return out, err
	}
	data, err := m.Vault.ReadFile(p)
	want := vault.HashOf(data)
	if errors.Is(err, fs.ErrNotExist) {
		want, err = vault.Hash{}, nil
	}
	if err != nil {
		return out, err
	}
	was, _, _, _ := vault.Managed(data)
	out.Was = stones.Visible(was)
	after, err := vault.SetManaged(data, text, c.Edited)
	if out.Changed = err == nil && string(after) != string(data); out.Changed {
		err = m.Vault.Replace(p, after, want)
	}
	switch {
	case errors.Is(err, vault.ErrBlockDamaged):
		return out, &api.Error{
			Code: api.Conflict, Detail: fmt.Sprintf("%s: %v", p, err), Err: err,
			Hint: "the person restores or deletes the two lines that begin with `%% reverie:`",
		}
	case errors.Is(err, vault.ErrBlockEdited):
		return out, &api.Error{
			Code: api.Conflict, Detail: fmt.Sprintf("%s: %v", p, err), Err: err,
			Hint: "the person moves their lines out of the block, or replaces it with `reverie core --edited`",
		}
	case errors.Is(err, vault.ErrChanged):
		return out, &api.Error{Code: api.Conflict, Detail: fmt.Sprintf("%s is being edited", p), Err: err, Hint: "try again"}
	case err != nil:
		return out, err
	}
	if c.Which == "persona" && utf8.RuneCountInString(coreBody(p, after, stones.Visible)) > personaShown {
		out.Warnings = append(out.Warnings, fmt.Sprintf("a context shows the first %d characters of %s", personaShown, p))
	}
	if out.Changed {
		if _, err := m.Index.Sync(ctx, p); err != nil {
			out.Warnings = append(out.Warnings, "not searchable yet: "+err.Error())
		}
	}
	return out, nil
}

// coreText is a text with one kind of line end and nothing that does not show.
func coreText(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ").Replace(s)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || lexis.Hidden(r)) {
			return -1
		}
		return r
	}, s))
}

// refuseCore says why a text may not stand in a core page's block.
func refuseCore(stones *vault.Tombstones, p vault.Path, text string) error {
	switch why := trust.Bar(trust.Said{Text: text, Origin: vault.OriginAgent}, trust.Context); {
	case why != "":
		refused := api.Refuse("content", "may not stand there: "+why)
		refused.Hint = fmt.Sprintf("say in English, German, Spanish or French what is so, not what to do; the person may write anything "+
			"outside of the block in %s", p)
		return refused
	case strings.Contains(text, "%%"), strings.Contains(text, "!["), strings.Contains(text, "```"):
		return api.Refuse("content", "must hold no comment (%%), picture or code block")
	case stones.Cut(text) != text:
		return api.Refuse("content", "holds what was forgotten")
	}
	return nil
}

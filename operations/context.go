package operations

import (
	"context"
	"regexp"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// comment is Obsidian's: a note to people, which no assistant needs.
var comment = regexp.MustCompile(`(?s)%%.*?%%`)

// Context builds a block of memory to put before a conversation.
func (m Memory) Context(ctx context.Context, c api.Context) (api.ContextResult, error) {
	c, _, err := admit(m, c)
	if err != nil {
		return api.ContextResult{}, err
	}
	view, err := m.View(c.Agent, c.Wing)
	if err != nil {
		return api.ContextResult{}, err
	}
	memory := ""
	if view.Isolated.Around(c.Wing) == "" { // else it tells of what is outside
		memory = m.core("memory/MEMORY.md")
	}
	r, release := m.Searcher(m.Settle(ctx), view)
	defer release()
	known, err := m.knownOf(ctx, c)
	if err != nil {
		return api.ContextResult{}, err
	}
	res, err := r.Context(ctx, recall.ContextRequest{
		Known: known,
		Query: c.Query, Wing: c.Wing, Room: c.Room, K: c.K, Budget: c.Budget, DryRun: c.DryRun,
		Persona: m.core("memory/persona.md"), User: m.core("memory/user.md"), Memory: memory,
	})
	if err != nil {
		return api.ContextResult{}, err
	}
	return api.ContextResult{
		Text: res.Text, Layers: res.Layers, Rows: res.Rows, Receipt: res.Receipt,
		Degraded: uniq(res.Degraded), Warnings: uniq(res.Warnings),
	}, nil
}

// core is a core block as an assistant needs it: without comments to people and without the title, which the context has; "" where nothing
// but headings is left. What assistants wrote into the managed block comes last and says so, as far as it tells nobody what to do.
func (m Memory) core(p vault.Path) string {
	data, err := m.Vault().ReadFile(p)
	if err != nil {
		return ""
	}
	page := string(vault.ParsePage(p, data).Body)
	noted := ""
	if _, start, end, _ := vault.Managed([]byte(page)); start >= 0 {
		for line := range strings.Lines(comment.ReplaceAllString(page[start:end], "")) {
			if line = strings.TrimSpace(line); line != "" && trust.Bar(trust.Said{Text: line, Origin: vault.OriginAgent}, trust.Context) == "" {
				noted += "\n" + line
			}
		}
		page = page[:start] + "\n" + page[end:]
	}
	body := strings.TrimSpace(comment.ReplaceAllString(page, ""))
	if title, rest, _ := strings.Cut(body, "\n"); strings.HasPrefix(title, "# ") {
		body = strings.TrimSpace(rest)
	}
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return body + said(noted)
		}
	}
	return strings.TrimSpace(said(noted))
}

// said labels what an assistant noted, "" for nothing.
func said(noted string) string {
	if noted == "" {
		return ""
	}
	return "\n\n[" + trust.Label(vault.OriginAgent) + "]" + noted
}

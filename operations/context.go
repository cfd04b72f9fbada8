package operations

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer"
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
	if err := needsAsOf(c.AsOfBy, c.AsOf != nil); err != nil {
		return api.ContextResult{}, err
	}
	q := query(api.Search{Profile: c.Profile, Flags: c.Flags}, m.Options.Config.Recall)
	c.Profile, c.Flags = q.Profile, q.Flags
	out, err := m.context(ctx, c, m.Options.Now)
	if err == nil && !c.DryRun {
		m.keepTold(ctx, c, c.Query, contextTold(out))
	}
	return out, err
}

// context is Context of a request that was admitted and names its profile and flags, by this clock.
func (m Memory) context(ctx context.Context, c api.Context, now func() time.Time) (api.ContextResult, error) {
	view, err := m.Searches.Of(c.Agent, c.Wing)
	if err != nil {
		return api.ContextResult{}, err
	}
	at, read := asOf(c.AsOf, c.AsOfBy), m.Vault.ReadFile
	var then *past
	var laid func(context.Context, recall.AsOf) (recall.Past, error)
	if !at.Time.IsZero() {
		if then, err = m.pastAt(ctx, at); err != nil {
			return api.ContextResult{}, err
		}
		laid = func(ctx context.Context, _ recall.AsOf) (recall.Past, error) { return then.rows(ctx, view) }
		read = then.read
	}
	core, err := m.cores(read)
	if err != nil {
		return api.ContextResult{}, err
	}
	memory := ""
	if view.Isolated.Around(c.Wing) == "" { // else it tells of what is outside
		memory = core(vault.MemoryPath)
	}
	r, release := m.Searches.Searcher(m.Follower.Settle(ctx), view)
	defer release()
	r.Past, r.Now = laid, now
	known, lacking := m.knownOf(ctx, c, then)
	res, err := r.Context(ctx, recall.ContextRequest{
		Profile: c.Profile, Flags: c.Flags,
		Known: known, AsOf: at,
		Query: c.Query, Wing: c.Wing, Room: c.Room, Hall: c.Hall, K: c.K, Budget: c.Budget, DryRun: c.DryRun,
		Persona: core(vault.PersonaPath), User: core(vault.UserPath), Memory: memory,
	})
	if err != nil {
		return api.ContextResult{}, err
	}
	return api.ContextResult{
		Text: res.Text, Layers: res.Layers, Rows: res.Rows, Receipt: res.Receipt,
		Degraded: uniq(append(res.Degraded, lacking...)), Warnings: uniq(res.Warnings),
	}, nil
}

// cores gives the core blocks of m as read gives their files, without what was forgotten: "" for one that cannot be read.
func (m Memory) cores(read func(vault.Path) ([]byte, error)) (func(vault.Path) string, error) {
	stones, err := m.Vault.Tombstones()
	if err != nil {
		return nil, err
	}
	return func(p vault.Path) string {
		data, err := read(p)
		if err != nil {
			return ""
		}
		return stones.Visible(coreBody(p, data, stones.Visible))
	}, nil
}

// coreBody is a core block as an assistant needs it, as far as it may be shown: without comments to people and without the title, which the
// context has; "" where nothing but headings is left. What assistants wrote into the managed block comes last and says so, as far as it
// tells nobody what to do.
func coreBody(p vault.Path, data []byte, visible func(string) string) string {
	page := string(indexer.ShownBody(vault.ParsePage(p, data).Body, visible))
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

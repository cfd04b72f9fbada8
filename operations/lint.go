package operations

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/lint"
	"github.com/reverie-memory/reverie/vault"
)

// Lint looks for what is wrong with the wiki. Lint changes nothing.
func (m Memory) Lint(ctx context.Context, p api.LongPage) (api.LintResult, error) {
	found, err := lint.Check(ctx, m.Vault, vault.DayOf(m.Vault.Now()))
	if err != nil {
		return api.LintResult{}, fmt.Errorf("look at the wiki: %w", err)
	}
	out := api.LintResult{Findings: []api.LintFinding{}, Total: len(found), Kinds: map[string]int{}}
	for _, f := range found {
		out.Kinds[string(f.Kind)]++
	}
	for _, f := range cut(found, p.Offset, p.Limit) {
		out.Findings = append(out.Findings, api.LintFinding{Kind: string(f.Kind), File: string(f.Path), Line: f.Line, Text: f.Text, Hint: f.Hint})
	}
	return out, nil
}

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// Two workspaces in one daemon: neither token reaches anything of the other, on any route, with any id.
func TestWorkspacesShareNothing(t *testing.T) {
	p := newPlace(t)
	otherVault := filepath.Join(t.TempDir(), "other")
	if _, err := vault.Init(otherVault, workspace.Template()); err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(conf, fmt.Appendf(nil, "[workspaces.other]\nvault = %q\n", otherVault), 0o600); err != nil {
		t.Fatal(err)
	}
	mine := p.start(t, "REVERIE_CONFIG="+conf)
	token, err := os.ReadFile(filepath.Join(p.data, "other", "token"))
	if err != nil {
		t.Fatal(err)
	}
	other := &process{base: mine.base, token: strings.TrimSpace(string(token))}
	if other.token == mine.token {
		t.Fatal("both workspaces have the same token")
	}

	secret := api.Turn{
		ChatID: "private", TurnID: "t-private", Wait: "indexed",
		Messages: []api.Message{{Role: "user", Speaker: "Alice", Content: "I hid the xylophone in the attic.", Ref: "R1"}},
	}
	var stored api.TurnResult
	if status, err := mine.send(t.Context(), "POST", "/memory/turns", secret, &stored); err != nil || status != 202 {
		t.Fatalf("status %d: %v", status, err)
	}
	var job api.Reindexed
	if status, err := mine.send(t.Context(), "POST", "/memory/reindex", api.Reindex{ClearExisting: true}, &job); err != nil || status != 202 {
		t.Fatalf("status %d: %v", status, err)
	}
	ids := append(append([]string{}, stored.Drawers...), "t-private")
	for _, f := range stored.Facts {
		ids = append(ids, f.ID)
	}

	requests := []struct {
		method, path string
		body         any
	}{
		{"POST", "/memory/search", api.Search{Query: "xylophone attic", K: 50, CandidateTrace: true, Explain: true}},
		{"POST", "/memory/search", api.Search{Query: "xylophone", Filters: &api.Filters{ChatID: "private"}}},
		{"POST", "/memory/context", api.Context{Query: "where is the xylophone"}},
		{"POST", "/memory/forget", api.Forget{IDs: ids}},
		{"POST", "/memory/forget", api.Forget{Query: "xylophone"}},
		{"POST", "/memory/forget", api.Forget{ChatID: "private", Purge: true}},
		{"POST", "/memory/verify", struct{}{}},
		{"POST", "/memory/facts", api.Facts{ChatID: "private", Facts: []api.NewFact{{Content: "The other one was here."}}}},
		{"POST", "/memory/reindex", api.Reindex{}},
		{"GET", "/memory/status", nil},
		{"GET", "/memory/usage", nil},
		{"GET", "/memory/jobs/" + job.JobID, nil},
		{"GET", "/metrics", nil},
	}
	for _, r := range requests {
		status, body := other.raw(t, r.method, r.path, r.body, "")
		if strings.Contains(strings.ToLower(body), "xylophone") && !strings.Contains(r.path, "search") {
			t.Errorf("%s %s with the other token tells it: %s", r.method, r.path, body)
		}
		for _, leak := range append(ids, p.vault, "I hid the") {
			if leak != "t-private" && strings.Contains(body, leak) && status < 300 {
				t.Errorf("%s %s with the other token leaks %q: %s", r.method, r.path, leak, body)
			}
		}
		if strings.HasPrefix(r.path, "/memory/jobs/") && status != http.StatusNotFound {
			t.Errorf("the other token sees the job: status %d: %s", status, body)
		}
		if status, _ := other.raw(t, r.method, r.path, r.body, "default"); status != http.StatusForbidden {
			t.Errorf("%s %s for workspace default with the other token: status %d, want 403", r.method, r.path, status)
		}
	}
	// The same turn id means another turn there.
	var again api.TurnResult
	if status, err := other.send(t.Context(), "POST", "/memory/turns", secret, &again); err != nil || status != 202 ||
		again.Status != api.Accepted {
		t.Errorf("the other workspace answers %d %q to a turn id of the first: %v", status, again.Status, err)
	}
	// What the other one wrote under the same conversation id stays there.
	var mixed api.SearchResult
	if _, err := mine.send(t.Context(), "POST", "/memory/search", api.Search{Query: "the other one was here"}, &mixed); err != nil ||
		tellsAny(mixed.Hits, "The other one was here") {
		t.Errorf("the first workspace reads what the other wrote: %+v: %v", mixed.Hits, err)
	}
	// And nothing of it was forgotten.
	var r api.SearchResult
	if _, err := mine.send(t.Context(), "POST", "/memory/search", api.Search{Query: "xylophone attic"}, &r); err != nil || len(r.Hits) == 0 {
		t.Errorf("the owner finds %d hits: %v", len(r.Hits), err)
	}
}

// raw sends a request and returns what came back as text.
func (d *process) raw(t *testing.T, method, path string, in any, workspaceName string) (int, string) {
	t.Helper()
	var body io.Reader
	if in != nil {
		body = bytes.NewReader(mustJSON(t, in))
	}
	req, err := http.NewRequestWithContext(t.Context(), method, d.base+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	req.Header.Set("Content-Type", "application/json")
	if workspaceName != "" {
		req.Header.Set("Reverie-Workspace", workspaceName)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

func tellsAny(hits []api.Hit, text string) bool {
	for _, h := range hits {
		if strings.Contains(h.Text, text) {
			return true
		}
	}
	return false
}

package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/server"
)

// What a dream read and wrote is memory text: it must not steer the terminal.
func TestReportsDoNotSteerTheTerminal(t *testing.T) {
	const evil = "red \x1b[31m\x1b]0;title\a \u202egnp\r"
	var out bytes.Buffer
	a := &app{out: &out, err: &out}
	rep := api.Consolidation{
		RunID: "r-1", Status: "planned", Pages: []api.PageChange{{Path: evil, Change: "created"}}, Notes: []string{evil},
		Diff: "--- a\n+++ b\n@@ -1 +1 @@\n-" + evil + "\n+\tkept\n",
	}
	a.printReport(rep)
	a.printDream(api.DreamDetail{
		Report: rep, Changes: []api.DreamChange{{Op: "add", Page: evil, Text: evil}, {Op: "conflict", Question: evil}},
		Facts: []api.FactOutcome{{Fact: "f1", Text: evil, Reason: evil}},
	}, api.DreamQuery{})
	a.printUndo(api.UndoResult{Restored: []string{evil}, Kept: []string{evil}})
	a.printLint(api.LintResult{Total: 1, Findings: []api.LintFinding{{File: evil, Text: evil, Hint: evil}}})
	a.printWhy(api.Status{Dream: api.Dream{Gate: []string{evil}, LastError: evil}})
	if s := out.String(); strings.ContainsAny(s, "\x1b\a\r\u202e") {
		t.Errorf("printed %q", s)
	}
	if !strings.Contains(out.String(), "+\tkept\n") {
		t.Error("a tab of the diff was lost")
	}
}

// Each status is told in a sentence that says what is the case now.
func TestHeadlines(t *testing.T) {
	for status, want := range map[string]string{
		"consolidated": "Dream r-1 read 1 fact of 2026-06-09 in 1.0 s", "planned": "would read 1 fact", "no_change": "the facts still wait",
		"skipped_batch": "0_Inbox/Skipped.md", "rolled_back": "The pages are as they were", "nothing_pending": "nothing to consolidate",
	} {
		got := headline(api.Consolidation{RunID: "r-1", Status: status, Facts: 1, Days: []string{"2026-06-09"}, Seconds: 1})
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q lacks %q", status, got, want)
		}
	}
	if got := headline(api.Consolidation{Status: "consolidated", Resumed: true}); !strings.Contains(got, "interruption") {
		t.Errorf("%q", got)
	}
}

func TestEventsOfTheDaemon(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/proof" {
			nonce, _ := hex.DecodeString(r.URL.Query().Get("nonce"))
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"proof":%q}`, server.Proof("secret", nonce, r.Host, "default", "/vault"))
			return
		}
		fmt.Fprint(w, "event: ping\ndata: {\"at\":\"now\"}\n\nevent: dream\ndata: "+
			"{\"kind\":\"dream\",\"text\":\"plan\",\"job\":{\"phase\":\"plan\",\"done\":1,\"total\":2}}\n\n")
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := daemonInfo{Addr: strings.TrimPrefix(s.URL, "http://"), Vaults: map[string]string{"default": "/vault"}}
	var got []api.Event
	for e := range newClient(d, "secret", "default").Events(ctx) {
		got = append(got, e)
	}
	if len(got) != 1 || got[0].Job == nil || got[0].Job.Phase != "plan" || got[0].Job.Total != 2 {
		t.Errorf("%+v", got)
	}
	for e := range newClient(d, "wrong", "default").Events(ctx) {
		t.Errorf("%+v", e)
	}
}

func TestLateDreams(t *testing.T) {
	c := config.Default().Consolidation
	now := time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	for _, tt := range []struct {
		name string
		last time.Time
		w    waiting
		want bool
	}{
		{"nothing waits", ago(90), waiting{}, false},
		{"too few", ago(90), waiting{days: 3, facts: 19, since: ago(80)}, false},
		{"enough, for long", ago(90), waiting{days: 3, facts: 20, since: ago(80)}, true},
		{"never yet, for long", time.Time{}, waiting{days: 3, facts: 20, since: ago(80)}, true},
		{"just imported", time.Time{}, waiting{days: 300, facts: 9000, since: ago(0)}, false},
		{"tried lately", ago(1), waiting{days: 300, facts: 9000, since: ago(80)}, false},
		{"many days of little", ago(90), waiting{days: 15, facts: 15, since: ago(80)}, true},
	} {
		if got := late(c, tt.last, tt.w, now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A run that is under way looks like one that was left, but for who is at it.
func TestDoctorKnowsARunUnderWay(t *testing.T) {
	c := config.Default()
	c.Vault = t.TempDir()
	run := filepath.Join(c.Vault, ".state", "dreams", "r-20260610-0300")
	if err := errors.Join(os.MkdirAll(run, 0o700), os.WriteFile(filepath.Join(run, "plan.json"), []byte("{}"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for running, want := range map[bool]bool{true: false, false: true} {
		left := false
		for _, got := range checkRuns(c, time.Now(), running) {
			left = left || strings.Contains(fmt.Sprint(got), "interrupted")
		}
		if left != want {
			t.Errorf("running %v: left %v", running, left)
		}
	}
}

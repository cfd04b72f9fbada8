package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/vault"
)

// exportsToKill writes exports of four forms with so many messages, each over several days.
func exportsToKill(t *testing.T, messages int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	at := time.Date(2025, 3, 1, 8, 0, 0, 0, time.UTC)
	var jsonl, slack, claude, notes strings.Builder
	for i := range messages / 4 {
		when := at.Add(time.Duration(i) * 20 * time.Minute)
		fmt.Fprintf(&jsonl, `{"conversation":"c%d","turn_datetime":%q,"speaker":"user","text":"I visited town number %d with my sister."}`+"\n",
			i%7, when.Format(time.RFC3339), i)
		fmt.Fprintf(&slack, `,{"type":"message","user":"U%d","text":"We repaired clock number %d in Ghent.","ts":"%d.000100"}`,
			i%5, i, when.Unix())
		fmt.Fprintf(&claude, `,{"uuid":"m%d","sender":"human","text":"I bought lamp number %d in Oslo.","created_at":%q}`,
			i, i, when.Format(time.RFC3339))
		if i%2 == 0 {
			fmt.Fprintf(&notes, `{"type":"entity","name":"Person %d","entityType":"person","observations":["Person %d plays the harp"]}`+"\n", i, i)
		} else {
			fmt.Fprintf(&notes, `{"type":"relation","from":"Person %d","to":"Club %d","relationType":"belongs_to"}`+"\n", i, i)
		}
	}
	for name, text := range map[string]string{
		"a.jsonl": jsonl.String(), "general/2025-03-01.json": "[" + slack.String()[1:] + "]", "memory.json": notes.String(),
		"conversations.json": `[{"uuid":"c1","name":"Lamps","chat_messages":[` + claude.String()[1:] + "]}]",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// importing is an import in a process of its own, without a daemon.
func (p place) importing(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "import", "--no-daemon", "--json", dir)
	cmd.Env = p.env(t)
	return cmd
}

// imported is what such an import reports.
func (p place) imported(t *testing.T, dir string) (rep importReport) {
	t.Helper()
	out, err := p.importing(t, dir).Output()
	if err := errors.Join(err, json.Unmarshal(out, &rep)); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return rep
}

// brought is what imports left: drawers, facts and assertions with the times that they are of, each with how often it is there.
func (p place) brought(t *testing.T) map[string]int {
	t.Helper()
	v, err := vault.Open(p.vault)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	out := map[string]int{}
	err = errors.Join(
		v.EachDrawer(t.Context(), nil, func(f vault.Path, d *vault.Drawer) {
			out[fmt.Sprint("drawer ", f, d.ID, d.At.UTC(), d.Origin, d.Speaker, d.Text)]++
		}),
		v.EachFact(t.Context(), nil, func(f vault.Path, fact *vault.Fact) {
			out[fmt.Sprint("fact ", f, fact.Section.Drawer, fact.Section.Origin, fact.Text)]++
		}),
	)
	_, failed := v.ReadState(graph.StateName, func(_ int, raw []byte) error {
		e, err := graph.ParseEvent(raw)
		out[fmt.Sprint("triple ", e.Source, e.Text(), e.At)]++
		return err
	})
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	return out
}

// killed runs a verb, kills it after a time, which is the moment of death that a test varies, and says whether that cut it off.
func killed(t *testing.T, verb *exec.Cmd, after time.Duration) bool {
	t.Helper()
	if err := verb.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(after, func() { _ = verb.Process.Kill() }).Stop()
	return verb.Wait() != nil
}

// counts are how many messages and facts the imports of a place brought, as its list says.
func (p place) counts(t *testing.T) (messages, facts int) {
	t.Helper()
	d := p.start(t)
	defer d.kill()
	return d.importCounts(t)
}

func (d *process) importCounts(t *testing.T) (messages, facts int) {
	t.Helper()
	var l api.Imports
	if status, err := d.send(t.Context(), "GET", "/memory/imports", nil, &l); err != nil || status != http.StatusOK {
		t.Fatalf("imports: status %d: %v\n%s", status, err, d.log)
	}
	for _, i := range l.Imports {
		messages, facts = messages+i.Messages, facts+i.Facts
	}
	return messages, facts
}

// An import is killed at random moments, and asked for again each time. In the end everything is there that an import without kills brings,
// each once, and the index equals the files.
func TestImportKilledAtAnyMoment(t *testing.T) {
	rounds, messages := 15, 3000
	if testing.Short() {
		rounds, messages = 4, 800
	}
	dir := exportsToKill(t, messages)
	whole, p := newPlace(t), newPlace(t)
	began := time.Now()
	if rep := whole.imported(t, dir); rep.Messages != messages || rep.Triples != messages/8 {
		t.Fatalf("%+v", rep)
	}
	took := time.Since(began)
	want := whole.brought(t)
	rng := rand.New(rand.NewPCG(7, 15))
	cut := 0
	for range rounds {
		if killed(t, p.importing(t, dir), time.Duration(rng.Int64N(int64(took)))) {
			cut++
		}
	}
	p.imported(t, dir)
	if rep := p.imported(t, dir); rep.Messages+rep.Facts+rep.Triples != 0 || rep.Known != messages {
		t.Errorf("once more: %+v", rep)
	}
	d := p.start(t)
	d.takenIn(t)
	verifyOK(t, d)
	counts := fmt.Sprint(d.importCounts(t))
	d.kill()
	if diff := cmp.Diff(want, p.brought(t)); diff != "" {
		t.Errorf("(-without kills +with):\n%s", diff)
	}
	if want := fmt.Sprint(whole.counts(t)); counts != want {
		t.Errorf("the list counts %s messages and facts, without kills %s", counts, want)
	}
	if cut == 0 {
		t.Error("no import was cut off: the test did not test")
	}
	t.Logf("%d of %d imports were cut off; %d things; without kills it took %s", cut, rounds, len(want), took)
}

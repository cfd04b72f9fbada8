package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// palaceChild is the hidden verb that measures one phase in a process of its own.
const palaceChild = "palace-child"

// drawersPerDay and messagesPerChat spread the drawers as a busy person's conversations are.
const (
	drawersPerDay   = 400
	messagesPerChat = 20
)

// palaceFigures are what a vault of many drawers costs.
type palaceFigures struct {
	Drawers  int     `json:"drawers,omitempty"`
	Index    float64 `json:"index_s,omitempty"`
	Start    float64 `json:"start_ms,omitempty"`     // open to first answer
	StartCPU float64 `json:"start_cpu_ms,omitempty"` // of all processors, until the program has nothing more to do
	RSS      float64 `json:"rss_mb,omitempty"`
}

func runPalace(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("palace", flag.ContinueOnError)
	drawers := fs.Int("drawers", 150_000, "how many drawers the vault has")
	if err := fs.Parse(args); err != nil {
		return err
	}
	f := palaceFigures{Drawers: *drawers}
	if err := inChildren(ctx, &f, palaceChild, []string{"build", "start", "start"}, "-drawers", fmt.Sprint(*drawers)); err != nil {
		return err
	}
	data, err := json.MarshalIndent(f, "", "  ")
	fmt.Println(string(data))
	return err
}

func runPalaceChild(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet(palaceChild, flag.ContinueOnError)
	phase := fs.String("phase", "", "build or start")
	dir := fs.String("dir", "", "")
	drawers := fs.Int("drawers", 0, "")
	if err := fs.Parse(args); err != nil {
		return err
	}
	var out palaceFigures
	var err error
	switch *phase {
	case "build":
		err = buildPalace(ctx, *dir, *drawers, &out)
	case "start":
		err = startPalace(ctx, *dir, &out)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// buildPalace writes the vault and indexes it for the first time.
func buildPalace(ctx context.Context, dir string, drawers int, out *palaceFigures) error {
	if _, err := vault.Init(filepath.Join(dir, "vault"), workspace.Template()); err != nil {
		return err
	}
	if err := fillPalace(filepath.Join(dir, "vault"), drawers); err != nil {
		return err
	}
	start := time.Now()
	w, err := openMeasured(ctx, dir, config.Default())
	if err != nil {
		return err
	}
	err = w.WaitReady(ctx)
	out.Index = time.Since(start).Seconds()
	if err != nil {
		return err
	}
	return w.Close(ctx)
}

// startPalace opens the vault as a daemon does after a clean end.
func startPalace(ctx context.Context, dir string, out *palaceFigures) error {
	used, start := cpuTime(), time.Now()
	w, err := openMeasured(ctx, dir, config.Default())
	if err != nil {
		return err
	}
	if _, err := w.Search(ctx, api.Search{Query: newCorpus(2).question()}); err != nil {
		return err
	}
	out.Start = since(start)
	if err := w.WaitReady(ctx); err != nil {
		return err
	}
	for last := time.Duration(0); cpuTime()-last > 20*time.Millisecond; time.Sleep(500 * time.Millisecond) {
		last = cpuTime()
	}
	out.StartCPU, out.RSS = float64((cpuTime()-used).Microseconds())/1000, rss()
	return w.Close(ctx)
}

// fillPalace writes drawers of past days whose facts are extracted: conversations of forty projects and of none, of which some talk about
// the same subjects.
func fillPalace(dir string, drawers int) error {
	c := newCorpus(1)
	var done strings.Builder
	day := time.Date(2025, 1, 1, 6, 0, 0, 0, time.UTC)
	for n := 0; n < drawers; day = day.AddDate(0, 0, 1) {
		var b strings.Builder
		for i := 0; i < drawersPerDay && n < drawers; i, n = i+1, n+1 {
			d := c.drawer(n, day.Add(time.Duration(i)*2*time.Minute))
			b.Write(vault.FormatDrawer(d))
			fmt.Fprintf(&done, `{"turn":%q,"drawers":[%q],"extractor":"rules","facts":0,"at":%q}`+"\n", d.Turn, d.ID, d.At.Format(time.RFC3339))
		}
		if err := writePalace(dir, string(vault.DrawerPath(vault.DayOf(day))), b.String()); err != nil {
			return err
		}
	}
	return writePalace(dir, vault.StateDir+"/extracted.jsonl", done.String())
}

func writePalace(dir, path, text string) error {
	path = filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// drawer is the nth drawer.
func (c *corpus) drawer(n int, at time.Time) vault.Drawer {
	chat := n / messagesPerChat
	d := vault.Drawer{
		ID: vault.DeriveID('d', "bench", fmt.Sprint(n)), At: at, ChatID: fmt.Sprintf("chat-%d", chat), Turn: fmt.Sprintf("turn-%d", n),
		Agent: []string{"claude", "codex", "cursor"}[chat%3], Origin: vault.OriginUser, Text: c.fact(),
	}
	if chat%5 > 0 {
		d.Wing = fmt.Sprintf("project-%02d", chat%41)
		d.Room = []string{"", "general", "auth", "build", "deploy", "design"}[chat%6]
	}
	if chat%7 == 0 {
		d.Room = fmt.Sprintf("topic-%03d", chat%300)
	}
	if n%20 == 0 { // more than a chunk
		for range 6 {
			d.Text += "\n" + c.fact()
		}
	}
	return d
}

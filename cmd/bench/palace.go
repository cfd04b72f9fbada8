package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/rooms"
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

	// What the worker that compares each drawer with all takes over all of them: by the clock with its rests, and of all processors.
	Compared    float64 `json:"compared_s,omitempty"`
	ComparedCPU float64 `json:"compared_cpu_s,omitempty"`
	Handled     int     `json:"compared_drawers,omitempty"`

	Asked map[string]asked `json:"asked,omitempty"`
	Wrong []string         `json:"wrong,omitempty"` // answers that are not what was written
}

// asked is how long an operation took, in milliseconds.
type asked struct {
	P50 float64 `json:"p50_ms"`
	Max float64 `json:"max_ms"`
}

func runPalace(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("palace", flag.ContinueOnError)
	drawers := fs.Int("drawers", 150_000, "how many drawers the vault has")
	compare := fs.Bool("compare", false, "have the workers compare all drawers for the first time as well: some milliseconds for each")
	if err := fs.Parse(args); err != nil {
		return err
	}
	phases := []string{"build", "start", "start", "ask"}
	if *compare {
		phases = append(phases, "compare")
	}
	f := palaceFigures{Drawers: *drawers}
	if err := inChildren(ctx, &f, palaceChild, phases, "-drawers", fmt.Sprint(*drawers)); err != nil {
		return err
	}
	data, err := json.MarshalIndent(f, "", "  ")
	fmt.Println(string(data))
	return err
}

func runPalaceChild(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet(palaceChild, flag.ContinueOnError)
	phase := fs.String("phase", "", "build, start, ask or compare")
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
	case "ask":
		err = askPalace(ctx, *dir, *drawers, &out)
	case "compare":
		err = comparePalace(ctx, *dir, &out)
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
	if _, err := newCorpus(3).fill(filepath.Join(dir, "vault"), drawers/5); err != nil {
		return err
	}
	start := time.Now()
	w, err := openReady(ctx, dir, config.Default())
	if err != nil {
		return err
	}
	out.Index = time.Since(start).Seconds()
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
	if err := w.Follower.WaitReady(ctx); err != nil {
		return err
	}
	for last := time.Duration(0); cpuTime()-last > 20*time.Millisecond; time.Sleep(500 * time.Millisecond) {
		last = cpuTime()
	}
	out.StartCPU, out.RSS = float64((cpuTime()-used).Microseconds())/1000, rss()
	return w.Close(ctx)
}

// comparePalace has the worker process go through all drawers for the first time.
func comparePalace(ctx context.Context, dir string, out *palaceFigures) error {
	w, err := openReady(ctx, dir, config.Default())
	if err != nil {
		return err
	}
	used, start := cpuTime(), time.Now()
	_, err = w.Workers.Work(ctx, "process", func(done int) { out.Handled = done })
	out.Compared, out.ComparedCPU = time.Since(start).Seconds(), (cpuTime() - used).Seconds()
	if err != nil {
		return err
	}
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
			fmt.Fprintf(&done, `{"turn":%q,"drawers":[%q],"extractor":"rules","facts":0,"at":%q}`+"\n", d.Turn, d.ID,
				d.At.Format(time.RFC3339))
		}
		if err := writePalace(dir, string(vault.DrawerPath(vault.DayOf(day))), b.String()); err != nil {
			return err
		}
	}
	return writePalace(dir, vault.StateDir+"/"+palace.ExtractedFile, done.String())
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
	d.Wing, d.Room = hangs(chat)
	if chat%11 == 0 {
		d.WingBy = vault.ByRule
	}
	if n%20 == 0 { // more than a chunk
		for range 6 {
			d.Text += "\n" + c.fact()
		}
	}
	return d
}

// hangs is where the drawers of a conversation lie.
func hangs(chat int) (wing, room string) {
	if chat%5 > 0 {
		wing, room = fmt.Sprintf("project-%02d", chat%41), []string{"", "general", "auth", "build", "deploy", "design"}[chat%6]
	}
	if chat%7 == 0 {
		room = fmt.Sprintf("topic-%03d", chat%300)
	}
	return wing, room
}

// askRounds is how often each operation is asked.
const askRounds = 20

// askPalace asks for what a palace tells of itself, and compares it with what was written.
func askPalace(ctx context.Context, dir string, drawers int, out *palaceFigures) error {
	w, err := openReady(ctx, dir, config.Default())
	if err != nil {
		return err
	}
	out.Asked = map[string]asked{}
	for name, ask := range questions(w) {
		var took []float64
		for range askRounds {
			start := time.Now()
			if err := ask(ctx); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			took = append(took, since(start))
		}
		out.Asked[name] = asked{quantile(took, 0.5), slices.Max(took)}
	}
	if err := checkPalace(ctx, w, drawers, out); err != nil {
		return err
	}
	return w.Close(ctx)
}

// questions are the operations that are asked. Lists go on where they ended.
func questions(w *operations.Memory) map[string]func(context.Context) error {
	all, facts, c := api.Asker{}, api.FactQuery{Limit: 50}, newCorpus(5)
	var mark *catalog.Mark
	return map[string]func(context.Context) error{
		"status":        func(ctx context.Context) error { return second(w.Status(ctx)) },
		"palace status": func(ctx context.Context) error { return second(w.PalaceStatus(ctx, all)) },
		"wings":         func(ctx context.Context) error { return second(w.Wings(ctx, all)) },
		"rooms":         func(ctx context.Context) error { return second(w.Rooms(ctx, api.RoomQuery{Wing: "project-07"})) },
		"taxonomy":      func(ctx context.Context) error { return second(w.Taxonomy(ctx, all)) },
		"tunnels":       func(ctx context.Context) error { return second(w.Tunnels(ctx, api.TunnelQuery{})) },
		"traverse": func(ctx context.Context) error {
			return second(w.Traverse(ctx, api.Traverse{StartRoom: "auth", MaxHops: 5}))
		},
		"room graph": func(ctx context.Context) error { return second(w.RoomGraph(ctx, all)) },
		"days":       func(ctx context.Context) error { return second(w.Days(ctx, api.Page{Limit: 50, Offset: 200})) },
		"facts": func(ctx context.Context) error {
			page, err := w.FactList(ctx, facts)
			facts.After = page.Next
			return err
		},
		"check duplicate": func(ctx context.Context) error {
			return second(w.CheckDuplicate(ctx, api.CheckDuplicate{Content: c.fact(), Threshold: 0.9}))
		},
		"drawers of an agent": func(ctx context.Context) (err error) {
			_, mark, err = w.Index.Reader().Drawers(ctx, catalog.Filter{Agent: "codex"}, mark, 50)
			return err
		},
	}
}

func second[T any](_ T, err error) error { return err }

// checkPalace compares what is told with what was written.
func checkPalace(ctx context.Context, w *operations.Memory, drawers int, out *palaceFigures) error {
	want := map[string]map[string]int{}
	var places []rooms.Place
	agents := map[int]int{}
	for n := range drawers {
		chat := n / messagesPerChat
		wing, room := hangs(chat)
		if want[wing] == nil {
			want[wing] = map[string]int{}
		}
		want[wing][room]++
		agents[chat%3]++
		places = append(places, rooms.Place{Wing: wing, Room: room, Guessed: chat%11 == 0, Drawers: 1})
	}
	wrong := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			out.Wrong = append(out.Wrong, fmt.Sprintf("%s: %v, want %v", what, got, want))
		}
	}
	st, err := w.PalaceStatus(ctx, api.Asker{})
	if err != nil {
		return err
	}
	wrong("drawers", st.TotalDrawers, drawers)
	tax, err := w.Taxonomy(ctx, api.Asker{})
	if err != nil {
		return err
	}
	wrong("taxonomy", tax.Taxonomy, want)
	g, err := w.RoomGraph(ctx, api.Asker{})
	if err != nil {
		return err
	}
	s := rooms.NewGraph(places).Stats()
	wrong("graph", []int{g.TotalRooms, g.TunnelRooms, g.TotalEdges}, []int{s.Rooms, s.Tunnels, s.Edges})
	seen := map[string]bool{}
	for mark, more := (*catalog.Mark)(nil), true; more; more = mark != nil {
		var ids []string
		if ids, mark, err = w.Index.Reader().Drawers(ctx, catalog.Filter{Agent: "codex"}, mark, 1000); err != nil {
			return err
		}
		for _, id := range ids {
			seen[id] = true
		}
	}
	wrong("drawers of an agent", len(seen), agents[1])
	return nil
}

package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// stateKept are the state files whose lines say something that no other file does.
var stateKept = []string{graph.StateName, drawers.FileName, findings.FileName, vault.SourcesFile}

// Export gives a page of what the vault holds, file by file, without what was forgotten.
func (m Memory) Export(ctx context.Context, q api.Export) (api.Exported, error) {
	out := api.Exported{Records: []api.ExportRecord{}}
	files, err := m.exported(ctx)
	if err != nil {
		return out, err
	}
	stones, err := m.Vault.Tombstones()
	if err == nil && !stones.Empty() {
		err = m.Follower.WaitReady(ctx) // the index tells what is shown
	}
	if err != nil {
		return out, err
	}
	x := &exporting{m: m, files: files, stones: stones, limit: q.Limit}
	if q.After == "" {
		x.limit++
		x.records = append(x.records, api.ExportRecord{Export: m.Vault.Now().UTC().Format(time.RFC3339), Version: api.ExportVersion})
	}
	after := placeOf(q.After)
	at, found := slices.BinarySearch(files, after.file)
	if found && after.line == 0 {
		at++
	}
	for out.Total = len(files); at < len(files) && len(x.records) < x.limit; at++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if after.file != files[at] {
			after = place{file: files[at]}
		}
		if after, err = x.recordsOf(ctx, after); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return out, err
		}
		if out.Next = after.String(); after.line > 0 {
			break
		}
	}
	out.Records = append(out.Records, x.records...)
	if out.Done = at; at == len(files) {
		out.Next = ""
	}
	return out, nil
}

// A place is where a page ends: behind a file, or behind a line of a state file.
type place struct {
	file vault.Path
	line int   // 0: behind the file
	at   int64 // where the next line begins
}

func (p place) String() string {
	if p.line == 0 {
		return string(p.file)
	}
	return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.at)
}

// placeOf is the place of a name that String gave.
func placeOf(s string) (p place) {
	if name, is := strings.CutPrefix(s, vault.StateDir+"/"); is {
		file, rest, _ := strings.Cut(name, ":")
		if n, err := fmt.Sscanf(rest, "%d:%d", &p.line, &p.at); err != nil || n != 2 || p.line < 1 || p.at < 1 {
			p.line, p.at = 0, 0
		}
		s = vault.StateDir + "/" + file
	}
	p.file = vault.Path(s)
	return p
}

// exported are the files that records are taken from, sorted.
func (m Memory) exported(ctx context.Context) ([]vault.Path, error) {
	var files []vault.Path
	_, err := m.Vault.Walk(ctx, func(p vault.Path, _ vault.FileInfo) error {
		files = append(files, p)
		return nil
	})
	for _, name := range stateKept {
		files = append(files, vault.Path(vault.StateDir+"/"+name))
	}
	slices.Sort(files)
	return files, err
}

// exporting is the making of one page.
type exporting struct {
	m       Memory
	files   []vault.Path // of the vault
	stones  *vault.Tombstones
	limit   int
	records []api.ExportRecord
	done    func(drawer string) bool // says whether a drawer was looked through for facts; nil: not asked yet
}

// hides says whether something of a text was forgotten.
func (x *exporting) hides(text string) bool { return x.stones.Visible(text) != text }

// recordsOf adds the records of a file, or of the lines of a state file from a place on, and returns how far it came.
func (x *exporting) recordsOf(ctx context.Context, from place) (place, error) {
	p := from.file
	if name, ok := strings.CutPrefix(string(p), vault.StateDir+"/"); ok {
		return x.stateOf(ctx, name, from)
	}
	behind := place{file: p}
	data, err := x.m.Vault.ReadFile(p)
	switch {
	case err != nil:
		return behind, err
	case path.Dir(string(p)) == vault.DrawerDir:
		return behind, x.drawersOf(p, data)
	case vault.IsDaily(p):
		x.factsOf(p, data)
	default:
		x.statementsOf(p, data)
	}
	return behind, nil
}

// stateOf adds lines of a state file until the page is full. Where the file was edited since the page before, it begins anew: what is told
// twice is imported once.
func (x *exporting) stateOf(ctx context.Context, name string, from place) (place, error) {
	var lines []api.ExportRecord
	moved, to := false, place{file: from.file}
	line := from.line
	err := x.m.Vault.StateLines(name, max(0, from.at-1), func(at int64, raw []byte) bool {
		if at < from.at {
			moved = string(raw) != "\n"
			return !moved
		}
		if len(x.records)+len(lines) >= x.limit {
			to.line, to.at = line, at
			return false
		}
		line++
		if raw = bytes.TrimSpace(raw); bytes.HasPrefix(raw, []byte("{")) && json.Valid(raw) {
			lines = append(lines, api.ExportRecord{File: string(from.file), Line: line, State: raw})
		}
		return true
	})
	if err != nil {
		return to, err
	}
	if moved {
		return x.stateOf(ctx, name, place{file: from.file})
	}
	shown, err := x.shownOf(ctx, from.file, lines)
	for _, r := range lines {
		if !x.hidesLine(from.file, r.State, shown) {
			r.State = unlabelled(from.file, r.State)
			x.records = append(x.records, r)
		}
	}
	return to, err
}

// shownOf are the hashes of what is shown of the drawers and facts that lines of the palace tell of, by their ids, as far as they are
// shown. The index says in which files they are. Of some it has no row, when a dream consumed them or their beginning was forgotten: those
// may be in any.
func (x *exporting) shownOf(ctx context.Context, p vault.Path, lines []api.ExportRecord) (map[string]string, error) {
	if x.stones.Empty() || p != findings.File && p != drawers.File {
		return nil, nil
	}
	asked, rowless := map[string]bool{}, map[string]bool{}
	for _, r := range lines {
		id := about(p, r.State)
		asked[id], rowless[id] = true, true
	}
	rows, err := x.m.Index.Reader().RowsByID(ctx, slices.Collect(maps.Keys(asked)))
	if err != nil {
		return nil, err
	}
	files := map[vault.Path]bool{}
	for _, row := range rows {
		files[row.File] = true
		delete(rowless, row.ID)
	}
	shown := map[string]string{}
	show := func(id, text string) {
		if text = x.stones.Visible(text); asked[id] && text != "" {
			shown[id] = findings.Hash(text)
		}
	}
	for _, file := range x.files {
		if !vault.IsDaily(file) || len(rowless) == 0 && !files[file] {
			continue
		}
		data, err := x.m.Vault.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if path.Dir(string(file)) == vault.DrawerDir {
			for _, d := range vault.ParseDrawers(file, data).Drawers {
				show(d.ID, d.Text)
			}
			continue
		}
		for _, f := range vault.ParseLog(file, data).Facts {
			show(f.ID, f.Text)
		}
	}
	return shown, nil
}

// about is the drawer or fact that a line of the palace tells of, "" for what is no such line.
func about(p vault.Path, raw []byte) string {
	if p == findings.File {
		f, _ := findings.Parse(raw)
		return f.ID
	}
	e, _ := drawers.ParseEvent(raw)
	return e.Drawer
}

// hidesLine says whether a line of a state file tells something that was forgotten: by one of its texts, by what an event says in all, or
// by resting on what is not shown.
func (x *exporting) hidesLine(p vault.Path, raw []byte, shown map[string]string) bool {
	if x.stones.Empty() {
		return false
	}
	var value any
	if json.Unmarshal(raw, &value) != nil || hidesValue(value, x.hides) {
		return true
	}
	switch p {
	case journal.File:
		e, err := graph.ParseEvent(raw)
		return err != nil || x.hides(e.Text())
	case drawers.File:
		return shown[about(p, raw)] == ""
	case findings.File:
		f, err := findings.Parse(raw)
		is := shown[f.ID]
		return err != nil || is == "" || f.Ends == nil && f.Text != is || f.Tells(x.hides)
	}
	return false
}

// unlabelled is a line of a state file without the import that brought it, which another vault does not know. Drawers and facts are told
// without it as well.
func unlabelled(p vault.Path, raw []byte) json.RawMessage {
	var line any
	var err error
	switch {
	case !bytes.Contains(raw, []byte(`"import":`)):
		return slices.Clone(raw)
	case p == journal.File:
		var e graph.Event
		e, err = graph.ParseEvent(raw)
		e.Import, line = "", &e
	case p == drawers.File:
		var e drawers.Event
		e, err = drawers.ParseEvent(raw)
		e.Import, line = "", &e
	case p == findings.File:
		var f findings.Finding
		f, err = findings.Parse(raw)
		f.Import, line = "", &f
	default:
		return slices.Clone(raw)
	}
	out, merr := json.Marshal(line)
	if err != nil || merr != nil { // no event
		return slices.Clone(raw)
	}
	return out
}

// hidesValue looks at the texts of a JSON value.
func hidesValue(value any, hides func(string) bool) bool {
	switch v := value.(type) {
	case string:
		return hides(v)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return hidesValue(e, hides) })
	case map[string]any:
		for _, e := range v {
			if hidesValue(e, hides) {
				return true
			}
		}
	}
	return false
}

func (x *exporting) drawersOf(p vault.Path, data []byte) (err error) {
	if x.done == nil {
		if x.done, err = x.m.Intake.Extracted(); err != nil {
			return err
		}
	}
	for _, d := range vault.ParseDrawers(p, data).Drawers {
		for _, text := range []*string{&d.Text, &d.Title, &d.Speaker} {
			*text = x.stones.Visible(*text)
		}
		if d.Text != "" {
			r := exportedDrawer(&d)
			r.Told = d.Turn == "" || x.done(d.ID)
			x.records = append(x.records, api.ExportRecord{File: string(p), Line: d.Line, Drawer: r})
		}
	}
	return nil
}

func (x *exporting) factsOf(p vault.Path, data []byte) {
	for _, f := range vault.ParseLog(p, data).Facts {
		if f.Text, f.Section.Speaker = x.stones.Visible(f.Text), x.stones.Visible(f.Section.Speaker); f.Text == "" {
			continue
		}
		r := api.ExportRecord{File: string(p), Line: f.Line}
		if vault.IsDiary(p) {
			r.Diary = exportedFact(&f)
		} else {
			r.Fact = exportedFact(&f)
		}
		x.records = append(x.records, r)
	}
}

func (x *exporting) statementsOf(p vault.Path, data []byte) {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		sources := page.Sources(line)
		text := page.Shown(line)
		if len(sources) == 0 || x.hides(text) {
			continue
		}
		st := &api.ExportStatement{Content: text}
		for _, s := range sources {
			st.Sources = append(st.Sources, string(s.Day)+"^"+s.ID)
		}
		x.records = append(x.records, api.ExportRecord{File: string(p), Line: n, Statement: st})
	}
}

func exportedDrawer(d *vault.Drawer) *api.ImportMessage {
	at, filed := d.At, d.FiledAt()
	if d.WingBy == vault.ByRule { // whoever imports it guesses anew
		hung := *d
		hung.Wing, hung.Room, d = "", "", &hung
	}
	return &api.ImportMessage{
		ID: d.ID, ChatID: d.ChatID, Title: d.Title, TurnID: d.Turn, Role: string(d.Origin), Speaker: d.Speaker, Content: d.Text, At: &at,
		Ref:      d.Ref,
		Platform: d.Platform, Agent: d.Agent, Wing: d.Wing, Room: d.Room, Hall: d.Hall, Noise: d.Noise,
		SourceFile: d.SourceFile, AddedBy: d.AddedBy, FiledAt: &filed,
	}
}

func exportedFact(f *vault.Fact) *api.ImportFact {
	s := &f.Section
	return &api.ImportFact{
		ID: f.ID, Drawer: s.Drawer, Beside: s.Beside, ChatID: s.ChatID, TurnID: s.Turn, Role: string(s.Origin), Speaker: s.Speaker,
		Agent: s.Agent, Ref: s.Ref,
		Wing: s.Wing, Room: s.Room, Hall: s.Hall, At: s.At, Category: f.Category, Content: f.Text, Tags: f.Tags,
	}
}

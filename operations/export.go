package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
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
var stateKept = []string{"graph.jsonl", "palace.jsonl", "enrichment.jsonl", vault.SourcesFile}

// Export gives a page of what the vault holds, file by file, without what was forgotten.
func (m Memory) Export(ctx context.Context, q api.Export) (api.Exported, error) {
	out := api.Exported{Records: []api.ExportRecord{}}
	files, err := m.exported(ctx)
	if err != nil {
		return out, err
	}
	stones, err := m.Vault().Tombstones()
	if err != nil {
		return out, err
	}
	x := &exporting{m: m, stones: stones}
	if q.After == "" {
		out.Records = append(out.Records, api.ExportRecord{Export: m.Vault().Now().UTC().Format(time.RFC3339), Version: api.ExportVersion})
	}
	at, found := slices.BinarySearch(files, vault.Path(q.After))
	if found {
		at++
	}
	for out.Total = len(files); at < len(files) && len(out.Records) < q.Limit; at++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		records, err := x.recordsOf(ctx, files[at])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return out, err
		}
		out.Records = append(out.Records, records...)
		out.Next = string(files[at])
	}
	if out.Done = at; at == len(files) {
		out.Next = ""
	}
	return out, nil
}

// exported are the files that records are taken from, sorted.
func (m Memory) exported(ctx context.Context) ([]vault.Path, error) {
	var files []vault.Path
	_, err := m.Vault().Walk(ctx, func(p vault.Path, _ vault.FileInfo) error {
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
	m      Memory
	stones *vault.Tombstones
	done   map[string]bool   // drawers that were looked through for facts; nil: not read yet
	shown  map[string]string // hashes of what is shown of drawers and facts, by their ids; nil: not read yet
}

// hides says whether something of a text was forgotten.
func (x *exporting) hides(text string) bool { return x.stones.Visible(text) != text }

// recordsOf are the records of one file.
func (x *exporting) recordsOf(ctx context.Context, p vault.Path) (out []api.ExportRecord, err error) {
	if name, ok := strings.CutPrefix(string(p), vault.StateDir+"/"); ok {
		if err := x.readShown(ctx, p); err != nil {
			return nil, err
		}
		_, err = x.m.Vault().ReadState(name, func(line int, raw []byte) error {
			if !x.hidesLine(p, raw) {
				out = append(out, api.ExportRecord{File: string(p), Line: line, State: unlabelled(p, raw)})
			}
			return nil
		})
		return out, err
	}
	data, err := x.m.Vault().ReadFile(p)
	switch {
	case err != nil:
		return nil, err
	case path.Dir(string(p)) == vault.DrawerDir:
		return x.drawersOf(p, data)
	case vault.IsDaily(p):
		return x.factsOf(p, data), nil
	}
	return x.statementsOf(p, data), nil
}

// readShown reads what is shown, which findings rest on.
func (x *exporting) readShown(ctx context.Context, p vault.Path) error {
	if p != findings.File || x.stones.Empty() || x.shown != nil {
		return nil
	}
	x.shown = map[string]string{}
	put := func(id, text string) {
		if text = x.stones.Visible(text); text != "" {
			x.shown[id] = findings.Hash(text)
		}
	}
	return errors.Join(
		x.m.Vault().EachDrawer(ctx, nil, func(_ vault.Path, d *vault.Drawer) { put(d.ID, d.Text) }),
		x.m.Vault().EachFact(ctx, nil, func(_ vault.Path, f *vault.Fact) { put(f.ID, f.Text) }),
	)
}

// hidesLine says whether a line of a state file tells something that was forgotten: by one of its texts, by what an event says in all, or,
// of a finding, by resting on more than is shown.
func (x *exporting) hidesLine(p vault.Path, raw []byte) bool {
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
	case findings.File:
		f, err := findings.Parse(raw)
		shown, is := x.shown[f.ID]
		return err != nil || !is || f.Ends == nil && f.Text != shown || f.Tells(x.hides)
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

func (x *exporting) drawersOf(p vault.Path, data []byte) (out []api.ExportRecord, err error) {
	if x.done == nil {
		if x.done, err = x.m.Intake().Extracted(); err != nil {
			return nil, err
		}
	}
	for _, d := range vault.ParseDrawers(p, data).Drawers {
		for _, text := range []*string{&d.Text, &d.Title, &d.Speaker} {
			*text = x.stones.Visible(*text)
		}
		if d.Text != "" {
			r := exportedDrawer(&d)
			r.Told = d.Turn == "" || x.done[d.ID]
			out = append(out, api.ExportRecord{File: string(p), Line: d.Line, Drawer: r})
		}
	}
	return out, nil
}

func (x *exporting) factsOf(p vault.Path, data []byte) (out []api.ExportRecord) {
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
		out = append(out, r)
	}
	return out
}

func (x *exporting) statementsOf(p vault.Path, data []byte) (out []api.ExportRecord) {
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
		out = append(out, api.ExportRecord{File: string(p), Line: n, Statement: st})
	}
	return out
}

func exportedDrawer(d *vault.Drawer) *api.ImportMessage {
	at := d.At
	if d.WingBy == vault.ByRule { // whoever imports it guesses anew
		hung := *d
		hung.Wing, hung.Room, d = "", "", &hung
	}
	return &api.ImportMessage{
		ID: d.ID, ChatID: d.ChatID, Title: d.Title, TurnID: d.Turn, Role: string(d.Origin), Speaker: d.Speaker, Content: d.Text, At: &at,
		Ref:      d.Ref,
		Platform: d.Platform, Agent: d.Agent, Wing: d.Wing, Room: d.Room, Hall: d.Hall, Noise: d.Noise,
	}
}

func exportedFact(f *vault.Fact) *api.ImportFact {
	s := &f.Section
	return &api.ImportFact{
		ID: f.ID, Drawer: s.Drawer, ChatID: s.ChatID, TurnID: s.Turn, Role: string(s.Origin), Speaker: s.Speaker, Agent: s.Agent,
		Ref:  s.Ref,
		Wing: s.Wing, Room: s.Room, At: s.At, Category: f.Category, Content: f.Text, Tags: f.Tags,
	}
}

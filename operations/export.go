package operations

import (
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
		records, err := m.recordsOf(files[at], stones)
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

// recordsOf are the records of one file.
func (m Memory) recordsOf(p vault.Path, stones *vault.Tombstones) (out []api.ExportRecord, err error) {
	if name, ok := strings.CutPrefix(string(p), vault.StateDir+"/"); ok {
		_, err = m.Vault().ReadState(name, func(line int, raw []byte) error {
			if stones.Visible(string(raw)) == string(raw) {
				out = append(out, api.ExportRecord{File: string(p), Line: line, State: json.RawMessage(slices.Clone(raw))})
			}
			return nil
		})
		return out, err
	}
	data, err := m.Vault().ReadFile(p)
	if err != nil {
		return nil, err
	}
	if path.Dir(string(p)) == vault.DrawerDir {
		for _, d := range vault.ParseDrawers(p, data).Drawers {
			if stones.Visible(d.Text) == d.Text {
				out = append(out, api.ExportRecord{File: string(p), Line: d.Line, Drawer: exportedDrawer(&d)})
			}
		}
		return out, nil
	}
	if vault.IsDaily(p) {
		for _, f := range vault.ParseLog(p, data).Facts {
			if stones.Visible(f.Text) != f.Text {
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
		return out, nil
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		sources := page.Sources(line)
		text := page.Shown(line)
		if len(sources) == 0 || stones.Visible(text) != text {
			continue
		}
		st := &api.ExportStatement{Content: text}
		for _, s := range sources {
			st.Sources = append(st.Sources, string(s.Day)+"^"+s.ID)
		}
		out = append(out, api.ExportRecord{File: string(p), Line: n, Statement: st})
	}
	return out, nil
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
		Platform: d.Platform, Agent: d.Agent, Wing: d.Wing, Room: d.Room, Hall: d.Hall, Noise: d.Noise, Told: true,
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

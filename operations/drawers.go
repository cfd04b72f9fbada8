package operations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

const (
	drawerSnippet = 300 // characters of a drawer in a list
	drawerPages   = 20  // that are looked at for one, which has fewer drawers than asked for where few of these are meant
)

// ListDrawers lists drawers.
func (m Memory) ListDrawers(ctx context.Context, q api.DrawerQuery) (api.DrawerPage, error) {
	q, _, err := admit(m, q)
	if err != nil {
		return api.DrawerPage{}, err
	}
	view, err := m.Searches.Of("", q.Project)
	if err != nil {
		return api.DrawerPage{}, err
	}
	view.Archived = q.Archived
	f := catalog.Filter{View: &view, Wing: q.Wing, Room: q.Room, Hall: q.Hall, Agent: q.Agent, Chat: q.ChatID}
	if q.Since != "" {
		var since api.Moment
		if err := since.UnmarshalText([]byte(q.Since)); err != nil {
			return api.DrawerPage{}, api.Refuse("since", err.Error())
		}
		f.Filed = since.First()
	}
	at, err := parseMark(q.Cursor)
	if err != nil {
		return api.DrawerPage{}, err
	}
	m.Follower.Settle(ctx)
	r, release := m.Index.Reader().Pin()
	defer release()
	out := api.DrawerPage{Drawers: []api.DrawerRef{}}
	filed := m.filedBy(q.SourceFile, q.AddedBy)
	for range drawerPages {
		var ids []string
		if ids, at, err = r.Drawers(ctx, f, at, q.Limit-len(out.Drawers)); err != nil {
			return api.DrawerPage{}, err
		}
		refs, err := m.drawerRefs(ctx, r, ids, filed)
		if err != nil {
			return api.DrawerPage{}, err
		}
		out.Drawers = append(out.Drawers, slices.DeleteFunc(refs, func(d api.DrawerRef) bool { return !meant(&d, q) })...)
		if at == nil || len(out.Drawers) == q.Limit {
			break
		}
	}
	out.Next = formatMark(at)
	return out, ctx.Err()
}

// filedBy tells, for one request, whether a drawer was filed by hand as taken from a source and by whoever that names, where they are not
// empty. No column of the index tells it: the file of each drawer that is of no conversation is read, once.
func (m Memory) filedBy(source, by string) func(*catalog.Row) (bool, error) {
	files := map[vault.Path]map[string]bool{} // ids of those that were
	return func(row *catalog.Row) (bool, error) {
		if source == "" && by == "" {
			return true, nil
		}
		if row.Chat != "" || !indexer.DrawerSource().Match(row.File) {
			return false, nil
		}
		if files[row.File] == nil {
			data, err := m.Vault.ReadFile(row.File)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return false, err
			}
			ids := map[string]bool{}
			for _, d := range vault.ParseDrawers(row.File, data).Drawers {
				ids[d.ID] = (source == "" || d.SourceFile == source) && (by == "" || d.AddedBy == by)
			}
			files[row.File] = ids
		}
		return files[row.File][row.Drawer], nil
	}
}

// drawerRefs are what a list tells of those drawers of which wanted says so.
func (m Memory) drawerRefs(ctx context.Context, r indexer.Reader, ids []string, wanted func(*catalog.Row) (bool, error)) (
	[]api.DrawerRef, error,
) {
	rows, err := r.RowsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	keys, err := r.KeysByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	most := 1 // rows of one drawer, with those that derive from it
	for _, meta := range r.Metas(keys) {
		most = max(most, len(r.DrawerKeys(meta.Drawer)))
	}
	var out []api.DrawerRef
	state := m.Drawers.State()
	for _, row := range rows {
		if row.Source != catalog.DrawerText {
			continue
		}
		ok, err := wanted(&row)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, m.drawerRef(&row, most, state.Of(row.Drawer)))
		}
	}
	return out, nil
}

// meant tells whether a drawer has what no column of the index tells.
func meant(d *api.DrawerRef, q api.DrawerQuery) bool {
	return (q.Type == "" || d.MemoryType == q.Type) && (q.State == "" || d.State == q.State) &&
		(q.Tier == "" || d.Tier == q.Tier) && d.Importance >= q.Importance
}

// A cursor is a mark as text; "" for none.
func formatMark(at *catalog.Mark) string {
	if at == nil {
		return ""
	}
	return fmt.Sprintf("%d.%d", at.Unix, at.Tie)
}

func parseMark(cursor string) (*catalog.Mark, error) {
	if cursor == "" {
		return nil, nil
	}
	var at catalog.Mark
	unix, tie, _ := strings.Cut(cursor, ".")
	var err error
	if at.Unix, err = strconv.ParseInt(unix, 10, 64); err == nil {
		at.Tie, err = strconv.ParseInt(tie, 10, 64)
	}
	if err != nil {
		return nil, api.Refuse("cursor", "must be next of the page before")
	}
	return &at, nil
}

// drawerRef is what a list tells of a drawer, by the first of its rows. The drawer has so many rows at most.
func (m Memory) drawerRef(r *catalog.Row, rows int, k drawers.Known) api.DrawerRef {
	filed := m.filed(r)
	out := api.DrawerRef{
		ID: r.Drawer, Wing: r.Wing, Room: r.Room, Hall: r.Hall, Agent: r.Agent, ChatID: r.Chat, Speaker: r.Speaker,
		Origin: string(r.Origin),
		Date:   rfc(r.At), FiledAt: rfc(filed), Archived: r.Archived, Reason: k.Reason, Text: snippet(r.Text, drawerSnippet),
	}
	if r.Guessed {
		out.WingBy = vault.ByRule
	}
	out.MemoryType, out.State, out.Tier = m.decided(r, k)
	_, last := m.Reads.Since(rowIDs(r.Drawer, rows)...)
	out.Importance = cents(k.Importance(drawers.DefaultDecay, m.Vault.Now(), filed, last))
	if r.At.IsZero() {
		out.Date = out.FiledAt // nobody said it
	}
	return out
}

// filed is when a drawer was filed: what was mined, with its folder.
func (m Memory) filed(r *catalog.Row) time.Time {
	if at := r.FiledAt(); !at.IsZero() {
		return at
	}
	return m.Mining.Since(r.File)
}

// decided is a drawer's type and state, and who decided on the type: its words, where they are sure enough, unless something else did.
func (m Memory) decided(r *catalog.Row, k drawers.Known) (kind, state, tier string) {
	sure, high := float64(r.Sure)/100, m.Options.Config.Tiers.HeuristicHigh
	kind, state, tier = r.Type, k.StateBy(sure, high), k.Tier
	if k.Type != "" {
		kind = k.Type
	}
	if tier == "" && sure >= high {
		tier = drawers.Heuristic
	}
	return kind, state, tier
}

// rowIDs are the ids of a drawer's rows.
func rowIDs(id string, n int) []string {
	ids := []string{id}
	for i := 2; i <= n; i++ {
		ids = append(ids, id+"."+strconv.Itoa(i))
	}
	return ids
}

// cents rounds to two places.
func cents(f float64) float64 { return math.Round(100*f) / 100 }

// snippet is the beginning of a text.
func snippet(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}

// ShowDrawer tells all that is known of a drawer.
func (m Memory) ShowDrawer(ctx context.Context, q api.DrawerID) (api.Drawer, error) {
	m.Follower.Settle(ctx)
	rows, err := m.drawerRows(ctx, q.Project, q.ID)
	if err != nil {
		return api.Drawer{}, err
	}
	row := &rows[0]
	d := vault.Drawer{Text: row.Text} // of a folder that was mined: the row is all of it
	if indexer.DrawerSource().Match(row.File) {
		if d, err = m.stored(row.File, q.ID); err != nil {
			return api.Drawer{}, err
		}
	}
	k := m.Drawers.State().Of(q.ID)
	n := m.pieces(ctx, q.ID)
	count, last := m.Reads.Since(rowIDs(q.ID, n)...)
	out := api.Drawer{
		DrawerRef: m.drawerRef(row, n, k), Turn: d.Turn, Ref: d.Ref, Platform: d.Platform, SourceFile: d.SourceFile, AddedBy: d.AddedBy,
		File: string(row.File), Line: row.Line, Chunks: n, EntityCount: k.Entities, TripleCount: k.Triples, RetryCount: k.Tries,
		ClusterID: k.Cluster, SupersededBy: k.SupersededBy, Evidence: k.Evidence, AccessCount: count, LastAccess: rfc(last),
		ConsolidatedInto: k.Summary(),
	}
	if k.Archived != 0 {
		out.ArchivedAt = rfc(time.Unix(k.Archived, 0))
	}
	out.Text = d.Text
	found, err := m.Findings.Shown(q.ID, d.Text)
	out.Summary, out.Entities = found.Summary, found.Entities
	return out, err
}

// stored is a drawer as its file has it, without what was forgotten of it.
func (m Memory) stored(p vault.Path, id string) (vault.Drawer, error) {
	data, err := m.Vault.ReadFile(p)
	if err != nil {
		return vault.Drawer{}, err
	}
	stones, err := m.Vault.Tombstones()
	if err != nil {
		return vault.Drawer{}, err
	}
	for _, d := range vault.ParseDrawers(p, data).Drawers {
		if d.ID == id {
			d.Text = stones.Visible(d.Text)
			return d, nil
		}
	}
	return vault.Drawer{}, noDrawer(id)
}

// pieces is how many rows a drawer has.
func (m Memory) pieces(ctx context.Context, id string) (n int) {
	rows, _ := m.sameDrawers(ctx, []string{id}) // of what cannot be read, one is known
	for _, r := range rows {
		if r.Source == catalog.DrawerText && r.Drawer == id {
			n++
		}
	}
	return max(n, 1)
}

// drawerRows are the first rows of drawers, in the order of the ids. One that a project does not see is not found.
func (m Memory) drawerRows(ctx context.Context, project string, ids ...string) ([]catalog.Row, error) {
	view, err := m.Searches.Of("", project)
	if err != nil {
		return nil, err
	}
	rows, err := m.Index.Reader().RowsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := map[string]catalog.Row{}
	for _, r := range rows {
		if r.Source == catalog.DrawerText && r.Drawer == r.ID && view.Sees(&r) {
			byID[r.ID] = r
		}
	}
	out := make([]catalog.Row, len(ids))
	for i, id := range ids {
		var there bool
		if out[i], there = byID[id]; !there {
			return nil, noDrawer(id)
		}
	}
	return out, nil
}

func noDrawer(id string) error { return fmt.Errorf("drawer %q: %w", id, api.NotFound) }

// dayOf is the day under which a drawer is filed. Drawers of folders that were mined have none.
func dayOf(r *catalog.Row) (vault.Day, error) {
	day, err := vault.ParseDay(strings.TrimSuffix(path.Base(string(r.File)), ".md"))
	if err != nil {
		return "", &api.Error{
			Code: api.Conflict, Detail: fmt.Sprintf("drawer %s is derived from %s and stays with it", r.ID, r.File),
			Hint: "change what that folder is mined as",
		}
	}
	return day, nil
}

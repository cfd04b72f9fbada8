package operations

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// Forget leaves tombstones for what the request names and for what tells the same, and with purge takes the bytes out.
func (m Memory) Forget(ctx context.Context, f api.Forget) (api.ForgetResult, error) {
	said := f.Query
	f, _, err := admit(m, f)
	if err == nil && !onlyOne(len(f.IDs) > 0, f.Query != "", f.ChatID != "") {
		err = api.Refuse("ids", "name exactly one of ids, query and chat_id")
	}
	if err == nil && f.Query != said {
		f.Query, err = unredacted(f.Query)
	}
	if err != nil {
		return api.ForgetResult{Forgotten: []api.Forgotten{}, Remaining: []api.Forgotten{}}, err
	}
	may, err := m.mayForget(f.Agent, f.Wing)
	if err != nil {
		return api.ForgetResult{Forgotten: []api.Forgotten{}, Remaining: []api.Forgotten{}}, err
	}
	a, err := m.Forgetting.Forget(ctx, forget.Request{
		IDs: f.IDs, Query: f.Query, ChatID: f.ChatID, DryRun: f.DryRun, Purge: f.Purge, Reason: f.Reason, May: may,
	})
	if err == nil && len(a.Forgotten) == 0 && len(f.IDs) > 0 {
		err = fmt.Errorf("ids %s: %w", strings.Join(f.IDs, ", "), api.NotFound)
	}
	return api.ForgetResult{
		Forgotten: forgotten(a.Forgotten), Verified: a.Verified, Remaining: forgotten(a.Remaining), Unknown: a.Unknown,
	}, cutOff(err)
}

// unredacted is a query without the placeholders that stand for its secrets: their words would name every secret of the kind.
func unredacted(query string) (string, error) {
	if query = strings.TrimSpace(placeholder.ReplaceAllString(query, " ")); len(lexis.Terms(query)) > 0 {
		return query, nil
	}
	refused := api.Refuse("query", "is a secret: none is ever stored, so that nothing can be found by one")
	refused.Hint = "name words that stood beside it"
	return "", refused
}

var placeholder = regexp.MustCompile(`\[redacted: [^\]]*\]`)

// mayForget says what an assistant may forget: what it sees. A person, who is no agent, may forget everything.
func (m Memory) mayForget(agent, wing string) (func(*forget.Target) bool, error) {
	if agent == "" {
		return nil, nil
	}
	view, err := m.Searches.Of(agent, wing)
	return func(t *forget.Target) bool {
		row := catalog.Row{Source: catalog.Notebook, Wing: m.Drawers.State().Own(t.From, t.Wing)}
		if vault.IsDiary(t.File) {
			row.Source, row.Agent = catalog.Diary, path.Base(path.Dir(string(t.File)))
		}
		return view.Sees(&row)
	}, err
}

func onlyOne(given ...bool) bool {
	n := slice.Count(given, func(g bool) bool { return g })
	return n == 1
}

func forgotten(list []forget.Found) []api.Forgotten {
	return slice.Map(list, func(f forget.Found) api.Forgotten { return api.Forgotten(f) })
}

// cutOff tells a person what to do where an editor was in the way to the end, or the time of a request was over.
func cutOff(err error) error {
	switch {
	case errors.Is(err, vault.ErrChanged):
		return &api.Error{
			Code: api.Conflict, Detail: "what you named is hidden, but a file that tells it is being edited", Err: err,
			Hint: "ask again when it is saved",
		}
	case errors.Is(err, context.DeadlineExceeded):
		return &api.Error{
			Code: api.Timeout, Detail: "it is not done yet: " + err.Error(), Err: err,
			Hint: "ask again: it goes on from where it was; `server.request_timeout_seconds` gives it more time",
		}
	}
	return err
}

// Unforget takes tombstones back: what they hid and no purge took is shown again, and facts that had been filed on pages are pending
// once more.
func (m Memory) Unforget(ctx context.Context, u api.Unforget) (api.UnforgetResult, error) {
	u, _, err := admit(m, u)
	if err == nil && !onlyOne(len(u.IDs) > 0, u.ChatID != "", u.Lost) {
		err = api.Refuse("ids", "name exactly one of ids, chat_id and lost")
	}
	if err == nil && u.Purged && len(u.IDs) == 0 {
		err = api.Refuse("purged", "goes with the ids of forgettings")
	}
	if err != nil {
		return api.UnforgetResult{Restored: []api.Forgotten{}}, err
	}
	var lifted int
	var shown []forget.Found
	if u.Purged {
		lifted, err = m.Forgetting.GiveUpPurged(ctx, u.IDs)
	} else {
		lifted, shown, err = m.Forgetting.Unforget(ctx, u.IDs, u.ChatID, u.Lost)
	}
	if err == nil && lifted == 0 && len(u.IDs) > 0 {
		err = m.nothingLifted(u)
	}
	return api.UnforgetResult{Lifted: lifted, Restored: forgotten(shown)}, err
}

// nothingLifted says why nothing was taken back: it was not forgotten, or purged.
func (m Memory) nothingLifted(u api.Unforget) error {
	t, err := m.Vault.Tombstones()
	if err != nil {
		return err
	}
	if !u.Purged && slices.ContainsFunc(t.Forgettings(), func(f vault.Forgetting) bool { return f.Purged && slices.Contains(u.IDs, f.ID) }) {
		return &api.Error{
			Code: api.Conflict, Detail: "that was purged: its bytes are gone, so that nothing can be taken back",
			Hint: "its tombstones keep it from coming back by an import or a sync; to let it be remembered anew, give them up with " +
				"`reverie unforget --purged`",
		}
	}
	return fmt.Errorf("nothing of this was forgotten: %w", api.NotFound)
}

// Forgettings lists what was forgotten.
func (m Memory) Forgettings(context.Context) (api.Forgettings, error) {
	t, err := m.Vault.Tombstones()
	if err != nil {
		return api.Forgettings{}, err
	}
	out := api.Forgettings{Forgettings: []api.Forgetting{}, Lost: t.Lost()}
	for _, f := range t.Forgettings() {
		out.Forgettings = append(out.Forgettings, api.Forgetting(f))
	}
	return out, nil
}

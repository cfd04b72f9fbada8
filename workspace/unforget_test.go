package workspace_test

import (
	"errors"
	"testing"

	"github.com/reverie-memory/reverie/api"
)

func TestUnforgetBringsRowsBack(t *testing.T) {
	for name, c := range map[string]struct {
		forget func(r api.TurnResult) api.Forget
		back   func(r api.TurnResult, id string) api.Unforget
	}{
		"a fact": {
			func(r api.TurnResult) api.Forget { return api.Forget{IDs: []string{r.Facts[0].ID}} },
			func(r api.TurnResult, _ string) api.Unforget { return api.Unforget{IDs: []string{r.Facts[0].ID}} },
		},
		"a conversation": {
			func(api.TurnResult) api.Forget { return api.Forget{ChatID: "chat-with-Voldemort"} },
			func(api.TurnResult, string) api.Unforget { return api.Unforget{ChatID: "chat-with-Voldemort"} },
		},
		"a forgetting": {
			func(api.TurnResult) api.Forget { return api.Forget{Query: "Glimmerotherapy", Reason: "a slip"} },
			func(_ api.TurnResult, id string) api.Unforget { return api.Unforget{IDs: []string{id}} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := glimmer(t) // filed on pages, so that its facts are no rows
			if _, err := w.Forget(t.Context(), c.forget(r)); err != nil || tells(find(t, w, "Glimmerotherapy"), "Glimmerotherapy") {
				t.Fatalf("not forgotten: %v", err)
			}
			list, err := w.Forgettings(t.Context())
			if err != nil || len(list.Forgettings) != 1 || list.Forgettings[0].Count < 2 {
				t.Fatalf("%+v: %v", list, err)
			}
			got, err := w.Unforget(t.Context(), c.back(r, list.Forgettings[0].ID))
			if err != nil || got.Lifted < 2 || len(got.Restored) < 2 {
				t.Errorf("%+v: %v", got, err)
			}
			verified(t, w)
			rows, err := w.Index.Reader().RowsByID(t.Context(), append(r.Drawers, r.Facts[0].ID))
			if err != nil || len(rows) != 2 {
				t.Errorf("%d rows are back: %v", len(rows), err)
			}
			dreamNow(t, w)
			if len(pagesWith(t, w, "Glimmerotherapy")) == 0 {
				t.Error("no page tells it again")
			}
			if _, err := w.Unforget(t.Context(), api.Unforget{IDs: []string{r.Facts[0].ID}}); !errors.Is(err, api.NotFound) {
				t.Errorf("taking back what is not forgotten: %v", err)
			}
		})
	}
}

func TestUnforgetAsksForOneWay(t *testing.T) {
	w := open(t, nil)
	for _, u := range []api.Unforget{{}, {IDs: []string{"x"}, Lost: true}, {ChatID: "c", Lost: true}} {
		if _, err := w.Unforget(t.Context(), u); err == nil {
			t.Errorf("%+v was taken", u)
		}
	}
}

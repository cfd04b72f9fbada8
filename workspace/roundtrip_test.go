package workspace_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

// kept are the drawers and facts of an export.
func kept(t *testing.T, w operations.Memory) (part api.Import) {
	t.Helper()
	for q := (api.Export{Limit: 1}); ; {
		page, err := w.Export(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			if r.Drawer != nil {
				part.Messages = append(part.Messages, *r.Drawer)
			}
			if r.Fact != nil {
				part.Facts = append(part.Facts, *r.Fact)
			}
		}
		if q.After = page.Next; q.After == "" {
			return part
		}
	}
}

// An export that is imported into an empty vault gives the same drawers and facts; taken back, none are left, and it can be imported again.
func TestExportAndImportGiveTheSame(t *testing.T) {
	from, to := open(t, quiet), open(t, quiet)
	at := time.Date(2024, 6, 9, 14, 32, 7, 0, time.UTC)
	_, err := from.Import(t.Context(), api.Import{End: true, Messages: []api.ImportMessage{
		{
			ChatID: "c1", Title: "Trip", TurnID: "t1", Role: "user", Speaker: "Alice", Content: "I moved to Porto in March.\n```\nx\n```",
			At: &at, Ref: "m1",
		},
		{
			ChatID: "c1", Title: "Trip", TurnID: "t1", Place: 1, Role: "assistant", Content: "Noted.", At: &at, Ref: "m2", Wing: "work",
			Room: "a b",
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := from.WriteFacts(t.Context(),
		api.Facts{Facts: []api.NewFact{{Content: "Alice prefers tea", Category: "food", Tags: []string{"tea"}, At: &at}}}); err != nil {
		t.Fatal(err)
	}
	want := kept(t, from)
	if len(want.Messages) != 2 || len(want.Facts) < 2 {
		t.Fatalf("exported %+v", want)
	}
	for range 2 {
		part := want
		part.End, part.Path = true, "export.jsonl"
		r, err := to.Import(t.Context(), part)
		if err != nil || r.Messages != 2 {
			t.Fatalf("%+v: %v", r, err)
		}
		if diff := cmp.Diff(want, kept(t, to)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if again, err := to.Import(t.Context(), part); err != nil || again.Messages != 0 {
			t.Errorf("again %+v: %v", again, err)
		}
		if u, err := to.UndoImport(t.Context(), api.ByID{ID: r.ID}); err != nil || u.Messages != 2 || u.Facts != len(want.Facts) {
			t.Errorf("undone %+v: %v", u, err)
		}
		if left := kept(t, to); len(left.Messages)+len(left.Facts) > 0 {
			t.Errorf("left %+v", left)
		}
	}
}

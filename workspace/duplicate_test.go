package workspace_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func duplicates(t *testing.T, w operations.Memory, text string) api.Duplicates {
	t.Helper()
	r, err := w.CheckDuplicate(t.Context(), api.CheckDuplicate{Content: text, Threshold: 0.9})
	if err != nil || r.HasDuplicate && len(r.Matches) == 0 || len(r.Matches) > 5 {
		t.Fatalf("%+v: %v", r, err)
	}
	return r
}

// What is as like as a duplicate and says something else is shown, and is none.
func TestADuplicateSaysTheSame(t *testing.T) {
	w := open(t, nil)
	for i, text := range []string{
		"I prefer tea over coffee in the morning.", "The garden club meets in the town hall on Tuesday at seven",
		"Tom lent the ladder to Kim last summer.", "The maximum upload size of the Orion gateway is 10 MB for all users of the portal",
	} {
		say(t, w, fmt.Sprint("c", i), text)
	}
	for text, want := range map[string]bool{
		"I prefer coffee over tea in the morning.":                                          false,
		"The garden club meets in the town hall on Thursday at seven":                       false,
		"Kim lent the ladder to Tom last summer.":                                           false,
		"The maximum upload size of the Orion gateway is 25 MB for all users of the portal": false,
		"I really prefer tea over coffee in the morning!":                                   true,
	} {
		if r := duplicates(t, w, text); r.HasDuplicate != want || len(r.Matches) == 0 {
			t.Errorf("%q: %+v", text, r)
		}
	}
}

// A text is found again in whosever drawer it is and however long, but for spelling; one that says otherwise, one that was forgotten, and
// one that the caller may not see are not.
func TestDuplicatesOfDrawers(t *testing.T) {
	w := open(t, nil)
	if r := duplicates(t, w, "An empty house has no echo."); r.HasDuplicate || len(r.Degraded) > 0 {
		t.Errorf("in an empty vault: %+v", r)
	}
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "In week %d we painted wall number %d of the boathouse in a different colour. ", i, i*i)
	}
	short := say(t, w, "c1", "My sister Nadja is allergic to hazelnuts and carries a pen in her red bag.").Drawers[0]
	house := say(t, w, "c2", long.String()).Drawers[0]
	for range 7 {
		say(t, w, "c3", "We feed the neighbour's hens at seven.")
	}
	for text, want := range map[string]string{
		"My sister Nadja is allergic to hazelnuts and carries a pen in her red bag.":     short,
		"my sister Nadja's allergic to hazelnuts, and carries a pen in her red bag":      short,
		"My sister Nadja is allergic to penicillin and carries a card in her red wallet": "",
		"My sister":   "",
		"???":         "",
		long.String(): house,
		strings.ReplaceAll(long.String(), "painted wall", "sold brick"):                               "",
		"My sister Nadja is allergic to hazelnuts and carries a pen in her red bag. " + long.String(): house,
	} {
		got := duplicates(t, w, text)
		if want == "" && got.HasDuplicate || want != "" && (!got.HasDuplicate || got.Matches[0].ID != want) {
			t.Errorf("%.80q: %+v, want %q", text, got.Matches, want)
		}
	}
	if r := duplicates(t, w, "We feed the neighbour's hens at seven."); len(r.Matches) != 5 || r.Matches[0].Similarity != 1 ||
		r.Matches[0].FiledAt == "" {
		t.Errorf("of seven: %+v", r)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{short}}); err != nil {
		t.Fatal(err)
	}
	if r := duplicates(t, w, "My sister Nadja is allergic to hazelnuts and carries a pen in her red bag."); r.HasDuplicate {
		t.Errorf("what was forgotten: %+v", r)
	}
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Remember(t.Context(), api.Turn{
		ChatID: "c9", Wing: "secret", Wait: "indexed",
		Messages: []api.Message{{Role: "user", Content: "The vault is behind the organ."}},
	}); err != nil {
		t.Fatal(err)
	}
	if r := duplicates(t, w, "The vault is behind the organ."); r.HasDuplicate {
		t.Errorf("what an isolated project has: %+v", r)
	}
	r, err := w.CheckDuplicate(context.Background(), api.CheckDuplicate{
		Content: "The vault is behind the organ.", Project: "secret",
		Threshold: 1,
	})
	if err != nil || !r.HasDuplicate {
		t.Errorf("inside of it: %+v, %v", r, err)
	}
}

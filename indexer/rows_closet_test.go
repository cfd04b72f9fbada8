package indexer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/closet"
	"github.com/reverie-memory/reverie/vault"
)

// closetsOnly makes an index of closets of a world's index.
func closetsOnly(o *indexer.Options) {
	o.Sources = []indexer.Source{indexer.ClosetSource(indexer.DrawerSource(), closet.Defaults())}
}

// drawerFile is a file of drawers: of each chat its texts, in the order of the chats.
func drawerFile(chats ...[]string) string {
	var b strings.Builder
	for c, texts := range chats {
		for i, text := range texts {
			b.Write(vault.FormatDrawer(vault.Drawer{
				ID: vault.DeriveID('d', fmt.Sprint(c, i)), At: vault.Day("2026-06-09").Time(), ChatID: fmt.Sprintf("chat %d", c),
				Wing:    "garden",
				Speaker: "Alice", Text: text,
			}))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

const drawerDay = "memory/drawers/2026-06-09.md"

// TestPureOverwrite: the closets of a source are those that its text gives now, under the ids that they had, and nothing of before.
func TestPureOverwrite(t *testing.T) {
	w := newWorld(t)
	w.tweak = closetsOnly
	w.write(drawerDay, drawerFile([]string{"We built the greenhouse of Ghent."}))
	w.open().sync()
	before := w.rows()
	w.write(drawerDay, drawerFile([]string{"We sold the greenhouse of Bruges."}))
	w.sync(drawerDay)
	after := w.rows()
	if len(before) != 1 || len(after) != 1 || before[0].ID != after[0].ID || !strings.HasPrefix(before[0].Text, "built the greenhouse") ||
		!strings.HasPrefix(after[0].Text, "sold the greenhouse") || strings.Contains(after[0].Text, "Ghent") {
		t.Errorf("%v, then %v", before, after)
	}
	w.equal()
}

// TestPurgeScopedToOneSource: what goes of one conversation leaves the closets of the other as they were.
func TestPurgeScopedToOneSource(t *testing.T) {
	w := newWorld(t)
	w.tweak = closetsOnly
	one, other := []string{"We built the greenhouse.", "Igor saw Igor."}, []string{"We bought a boat.", "Milla met Milla."}
	w.write(drawerDay, drawerFile(other, one))
	w.open().sync()
	keep := slices.DeleteFunc(w.rows(), func(r indexer.Row) bool { return r.Chat != "chat 0" })
	w.write(drawerDay, drawerFile(other))
	w.sync(drawerDay)
	if d := diff(keep, w.rows()); d != "" || len(keep) != 1 {
		t.Errorf("of %d closets:\n%s", len(keep), d)
	}
	w.equal()
}

// TestRemineSmallerPurgesLeftovers: a source that got shorter has no closets left of its end.
func TestRemineSmallerPurgesLeftovers(t *testing.T) {
	w := newWorld(t)
	w.tweak = closetsOnly
	var texts []string
	for i := range 60 {
		texts = append(texts, fmt.Sprintf("We built hut %d for Igor, and Igor moved in. %s", i, strings.Repeat("So it went. ", 30)))
	}
	w.write(drawerDay, drawerFile(texts))
	w.open().sync()
	many := len(w.rows())
	w.write(drawerDay, drawerFile(texts[:5]))
	w.sync(drawerDay)
	w.equal()
	if few := len(w.rows()); few == 0 || few >= many {
		t.Errorf("%d closets, then %d", many, few)
	}
	if err := w.v.Replace(drawerDay, nil, vault.AnyHash); err != nil {
		t.Fatal(err)
	}
	w.sync(drawerDay)
	if left := w.rows(); len(left) > 0 {
		t.Errorf("of an empty file: %v", left)
	}
}

// TestAppendedTurnLeavesOlderClosets: neither written nor embedded again.
func TestAppendedTurnLeavesOlderClosets(t *testing.T) {
	w := newWorld(t)
	w.tweak = closetsOnly
	var texts []string
	for i := range 60 {
		texts = append(texts, fmt.Sprintf("We built hut %d for Igor. %s", i, strings.Repeat("So it went. ", 40)))
	}
	w.write(drawerDay, drawerFile(texts))
	w.open().sync()
	all, embedded := len(w.rows()), len(w.emb.given())
	w.write(drawerDay, drawerFile(append(texts, "We sold all huts to Milla.")))
	w.sync(drawerDay)
	w.equal()
	if again := len(w.emb.given()) - embedded; again == 0 || again > all/3 {
		t.Errorf("%d of %d closets were embedded again", again, all)
	}
}

// TestClosetsOfProjectsAreApart: one chat that serves two wings has closets for each, with no word of the other.
func TestClosetsOfProjectsAreApart(t *testing.T) {
	var b strings.Builder
	for i, wing := range []string{"garden", "boat", "garden"} {
		b.Write(vault.FormatDrawer(vault.Drawer{
			ID: vault.DeriveID('d', fmt.Sprint(i)), At: vault.Day("2026-06-09").Time(), ChatID: "c", Wing: wing,
			Text: map[string]string{"garden": "We built a fence with Igor.", "boat": "We bought a sail from Milla."}[wing],
		}))
		b.WriteByte('\n')
	}
	rows, _ := indexer.ClosetSource(indexer.DrawerSource(), closet.Defaults()).Rows(drawerDay, []byte(b.String()), indexer.Env{})
	if len(rows) != 2 || rows[0].Wing != "garden" || strings.Contains(rows[0].Text, "Milla") || rows[1].Wing != "boat" ||
		strings.Contains(rows[1].Text, "Igor") || rows[0].Source != catalog.Closet {
		t.Errorf("%+v", rows)
	}
}

// TestForgottenSentenceLeavesClosets: a sentence of a longer drawer that is forgotten is in no line, and the rest of the drawer is.
func TestForgottenSentenceLeavesClosets(t *testing.T) {
	w := newWorld(t)
	w.tweak = closetsOnly
	secret := `I bought a ring for Ophelia and she said "you know that I cannot take it".`
	w.write(drawerDay, drawerFile([]string{"We built the greenhouse. " + secret + " Igor came, and Milla saw Igor."}))
	w.open().sync()
	tells := func(word string) bool {
		return slices.ContainsFunc(w.rows(), func(r indexer.Row) bool { return strings.Contains(fmt.Sprintf("%+v", r), word) })
	}
	for _, word := range []string{"bought a ring", "Ophelia", "cannot take it", "built the greenhouse", "Igor"} {
		if !tells(word) {
			t.Fatalf("%q is in no closet: %v", word, w.rows())
		}
	}
	if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: secret}}); err != nil {
		t.Fatal(err)
	}
	w.sync(".state/tombstones.jsonl")
	for word, want := range map[string]bool{"ring": false, "Ophelia": false, "cannot": false, "built the greenhouse": true, "Igor": true} {
		if tells(word) != want {
			t.Errorf("%q is in a closet: %v, want %v", word, !want, want)
		}
	}
	w.equal()
}

// Closets of drawers whose wing rules chose keep to none, and stand apart from those of drawers that somebody put into it.
func TestClosetsOfAGuessedWingKeepToNone(t *testing.T) {
	w := newWorld(t)
	w.tweak = closetsOnly
	var b strings.Builder
	for i, by := range []string{vault.ByRule, ""} {
		b.Write(vault.FormatDrawer(vault.Drawer{
			ID: vault.DeriveID('d', fmt.Sprint(i)), At: vault.Day("2026-06-09").Time(), ChatID: "c", Wing: "garden", WingBy: by,
			Text: "We built the greenhouse.",
		}))
		b.WriteByte('\n')
	}
	w.write(drawerDay, b.String())
	w.open().sync()
	rows := w.rows()
	if len(rows) != 2 || rows[0].Guessed == rows[1].Guessed || rows[0].ID == rows[1].ID {
		t.Errorf("%+v", rows)
	}
	w.equal()
}

package palace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/vault"
)

// said is a part of an import of messages of one chat, a day apart.
func said(source string, texts ...string) Import {
	im := Import{Source: vault.Source{ID: source, Kind: vault.SourceImport}}
	for i, text := range texts {
		im.Messages = append(im.Messages, Imported{Drawer: vault.Drawer{
			ID: DrawerID("c", "t1", i), ChatID: "c", Turn: "t1", Origin: vault.OriginUser, Text: text,
			At: time.Date(2024, 6, 1+i, 9, 0, 0, 0, time.UTC),
		}})
	}
	return im
}

// logged are the texts of the vault's facts, by the day of their log.
func (r *rig) logged(t *testing.T) map[string]vault.Day {
	t.Helper()
	out := map[string]vault.Day{}
	if err := r.vault.EachFact(t.Context(), nil, func(_ vault.Path, f *vault.Fact) { out[f.Text] = f.Day }); err != nil {
		t.Fatal(err)
	}
	return out
}

func ruleOne(o *Options, _ *stubExtractor) { o.Rules = &stubExtractor{} }

// Facts of an import stand in the logs of the days on which they were said, by rules, though a model is there; the same part twice adds
// nothing, a longer one what is new.
func TestImportFilesByDayAndAddsNothingTwice(t *testing.T) {
	r := newRig(t, ruleOne)
	for i, want := range []ImportReceipt{{Messages: 1, Facts: 1}, {Known: 1}, {Messages: 1, Known: 1, Facts: 1}} {
		texts := []string{"I moved to Berlin.", "I moved to Porto."}[:1+i/2]
		got, err := r.Import(t.Context(), said("s000000001", texts...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("part %d (-want +got):\n%s", i, diff)
		}
	}
	want := map[string]vault.Day{"Fact: I moved to Berlin.": "2024-06-01", "Fact: I moved to Porto.": "2024-06-02"}
	if diff := cmp.Diff(want, r.logged(t)); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if len(r.stub.seen) > 0 {
		t.Errorf("the model was asked about %q", r.stub.seen)
	}
}

// A disk that gets full at any write of an import: the error names a file, and what came is whole. Once there is room the same part brings
// the rest, each message and fact once.
func TestImportOnAFullDisk(t *testing.T) {
	texts := []string{"I moved to Berlin.", "I moved to Porto.", "I moved to Oslo."}
	for at, full := 1, true; full; at++ {
		full = false
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, ruleOne)
			_ = r.Intake.Close(context.Background())
			_ = r.vault.Close()
			var writes atomic.Int64 // the steps of one write run beside each other
			var out, room atomic.Bool
			v, err := vault.Open(r.dir, vault.WithClock(clock), vault.WithFaults(func(op string, _ vault.Path) error {
				if op != "write" || room.Load() || writes.Add(1) < int64(at) {
					return nil
				}
				out.Store(true)
				return syscall.ENOSPC
			}))
			if err != nil {
				t.Fatal(err)
			}
			r.vault = v
			r.open(t)
			_, err = r.Import(t.Context(), said("s000000001", texts...))
			full = out.Load()
			if named := err != nil && (strings.Contains(err.Error(), ".jsonl") || strings.Contains(err.Error(), ".md")); full &&
				(!errors.Is(err, vault.ErrDiskFull) || !named) {
				t.Errorf("write %d: %v", at, err)
			}
			room.Store(true)
			res, err := r.Import(t.Context(), said("s000000001", texts...))
			if err != nil || res.Messages+res.Known != len(texts) {
				t.Errorf("write %d, once more: %+v: %v", at, res, err)
			}
			time.Sleep(time.Minute) // of the bubble's clock: the backlog is done
			synctest.Wait()
			if got := r.text(t); strings.Count(got, "Fact: I moved to") != len(texts) || r.Counts() != (Counts{}) {
				t.Errorf("write %d: %+v, %d facts of %d in\n%s", at, r.Counts(), strings.Count(got, "Fact: I moved to"), len(texts), got)
			}
			var drawers []string
			if err := v.EachDrawer(t.Context(), nil, func(_ vault.Path, d *vault.Drawer) { drawers = append(drawers, d.Text) }); err != nil {
				t.Error(err)
			}
			if slices.Sort(drawers); !slices.Equal(drawers, []string{texts[0], texts[2], texts[1]}) {
				t.Errorf("write %d: drawers %q", at, drawers)
			}
			_ = r.Intake.Close(context.Background())
			_ = v.Close()
		})
		if at == 1 && !full {
			t.Fatal("no write failed: the test did not test")
		}
	}
}

// A dry run listens to what was said before as an import does, counts what is there twice once, and is not heard by what comes later.
func TestImportDryRunCountsAsAnImport(t *testing.T) {
	l := &listener{}
	r := newRig(t, func(o *Options, _ *stubExtractor) { o.Rules = l })
	im := said("s000000001", "I moved to Berlin.")
	for _, text := range []string{"It is cold here.", "It is cold here."} {
		im.Messages = append(im.Messages, im.Messages[0])
		m := &im.Messages[len(im.Messages)-1]
		m.ID, m.Turn, m.Text = DrawerID("c", "t2", 0), "t2", text
	}
	im.DryRun = true
	dry, err := r.Import(t.Context(), im)
	if err != nil {
		t.Fatal(err)
	}
	im.DryRun = false
	wet, err := r.Import(t.Context(), im)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wet, dry); diff != "" || wet.Messages != 2 || wet.Known != 1 {
		t.Errorf("(-import +dry run):\n%s", diff)
	}
	heard := make([]int, 0, 4)
	for _, before := range l.heard {
		heard = append(heard, len(before))
	}
	slices.Sort(heard)
	equal(t, "messages heard before each turn", heard, []int{0, 0, 1, 1})
}

// A dry run counts what an import would do, and writes nothing.
func TestImportDryRun(t *testing.T) {
	r := newRig(t, ruleOne)
	im := said("", "I moved to Berlin.", "")
	im.DryRun = true
	got, err := r.Import(t.Context(), im)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ImportReceipt{Messages: 1, Skipped: 1, Facts: 1}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(r.logged(t)) > 0 {
		t.Error("facts were written")
	}
}

// Messages of an import that a crash left without facts get them by rules at the next start, and by the model where that was asked for.
func TestImportsCutOffAreFinishedAsTheyBegan(t *testing.T) {
	for _, model := range []bool{false, true} {
		r := newRig(t, ruleOne)
		if err := r.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := r.vault.PutSource(t.Context(), vault.Source{ID: "s000000001", Kind: vault.SourceImport, Model: model}); err != nil {
			t.Fatal(err)
		}
		d := said("", "I moved to Berlin.").Messages[0].Drawer
		d.Source = "s000000001"
		if _, err := r.vault.AppendDrawers(t.Context(), []vault.Drawer{d}); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{}, 1)
		r.options.Notify = func(...vault.Path) { done <- struct{}{} }
		r.open(t)
		<-done
		if asked := len(r.stub.seen) > 0; asked != model || len(r.logged(t)) != 1 {
			t.Errorf("asked for the model: %t, it was asked: %t, facts %v", model, asked, r.logged(t))
		}
	}
}

// Facts that stand in an export are written as they are, and nothing is taken out of their message.
func TestImportOfFacts(t *testing.T) {
	r := newRig(t, ruleOne)
	im := said("s000000001", "Alice likes tea. And more.")
	d := im.Messages[0].Drawer
	im.Messages[0].Told = true
	im.Facts = []ImportedFact{{
		Section: vault.Section{At: d.At, ChatID: "c", Drawer: d.ID, Origin: vault.OriginImport},
		Fact:    vault.Fact{ID: "f000000001", Text: "Alice likes tea"},
	}}
	for i := range 3 {
		got, err := r.Import(t.Context(), im)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && got.Facts > 0 {
			t.Errorf("again there are %d new facts", got.Facts)
		}
		im.Source.ID, r.known[d.ID] = "s000000002", vault.DrawerPath("2024-06-01")
		im.Facts[0].Section.At = d.At.AddDate(0, 0, i+1) // the file was changed meanwhile
	}
	if diff := cmp.Diff(map[string]vault.Day{"Alice likes tea": "2024-06-01"}, r.logged(t)); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

// What becomes of logs after an import that was cut off counts for the next one: facts that were written are known, those that a person
// took out are not.
func TestAnImportSeesWhatLogsHoldNow(t *testing.T) {
	r := newRig(t, ruleOne)
	fact := func(source, id string) Import {
		return Import{Source: vault.Source{ID: source, Kind: vault.SourceImport}, Facts: []ImportedFact{{
			Section: vault.Section{At: clock(), ChatID: "c", Origin: vault.OriginUser}, Fact: vault.Fact{ID: id, Text: "Alice likes " + id},
		}}}
	}
	if _, err := r.Import(t.Context(), fact("s000000001", "f000000001")); err != nil {
		t.Fatal(err)
	}
	here := fact("", "f000000002").Facts[0]
	written, err := r.vault.AppendFacts(t.Context(), []vault.SectionFacts{{Section: here.Section, Facts: []vault.Fact{here.Fact}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Import(t.Context(), fact("s000000002", "f000000002")); err != nil || got.Facts != 0 {
		t.Errorf("a fact that was written meanwhile: %+v, %v", got, err)
	}
	if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(string(vault.LogPath(written[0].Day))))); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0} {
		if got, err := r.Import(t.Context(), fact("s000000002", "f000000001")); err != nil || got.Facts != want {
			t.Errorf("a fact whose log was deleted, for the %d. time: %+v, %v", i+1, got, err)
		}
	}
}

// A message whose id another text has is named, whether that text lies in the index, in a file or in the same part. Redaction is no other
// text.
func TestImportNamesTakenIDs(t *testing.T) {
	for name, known := range map[string]bool{"in the index": true, "in a file": false} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, ruleOne)
			if _, err := r.Import(t.Context(), said("s000000001", "I moved to Berlin.", "The code is [redacted: password].")); err != nil {
				t.Fatal(err)
			}
			im := said("s000000002", "I moved to Porto.", "My code is 0815.")
			im.Messages = append(im.Messages, said("", "I moved to Berlin.", "The code is 4711.").Messages...)
			if known {
				for _, m := range im.Messages {
					r.known[m.ID] = vault.DrawerPath(vault.DayOf(m.At))
				}
			}
			got, err := r.Import(t.Context(), im)
			if err != nil || got.Messages != 0 || got.Known != 2 || len(got.Problems) != 2 || !strings.Contains(got.Problems[0], im.Messages[0].ID) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	r := newRig(t, ruleOne)
	im := said("s000000001", "I moved to Berlin.")
	im.Messages = append(im.Messages, said("", "I moved to Porto.").Messages...)
	if got, err := r.Import(t.Context(), im); err != nil || got.Messages != 1 || len(got.Problems) != 1 {
		t.Errorf("in one part: %+v, %v", got, err)
	}
}

// unimport takes an import back, and says what that takes.
func (r *rig) unimport(t *testing.T, source string) (took vault.Taken) {
	t.Helper()
	if _, err := r.Unimport(t.Context(), source, func(of vault.Taken) error { took = of; return nil }); err != nil {
		t.Fatal(err)
	}
	return took
}

// Nothing goes before it is known what does.
func TestAnUndoThatCannotBeRecordedTakesNothing(t *testing.T) {
	r := newRig(t, ruleOne)
	if _, err := r.Import(t.Context(), said("s000000001", "I moved to Berlin.")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	if _, err := r.Unimport(t.Context(), "s000000001", func(vault.Taken) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if facts := r.logged(t); len(facts) != 1 {
		t.Errorf("left: %v", facts)
	}
}

// Taking an import back takes its drawers and facts, and leaves what others said in the same words; then it can be imported again.
func TestUnimport(t *testing.T) {
	r := newRig(t, ruleOne)
	own := said("s000000002", "I moved to Berlin.")
	own.Messages[0].ID, own.Messages[0].ChatID = DrawerID("other", "t1", 0), "other"
	im := said("s000000001", "I moved to Berlin.", "I moved to Porto.")
	for _, im := range []Import{own, im} {
		if _, err := r.Import(t.Context(), im); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.unimport(t, "s000000001"); got.Messages != 2 || got.Facts != 2 {
		t.Fatalf("%+v", got)
	}
	if diff := cmp.Diff(map[string]vault.Day{"Fact: I moved to Berlin.": "2024-06-01"}, r.logged(t)); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if got := r.unimport(t, "s000000001"); got.Messages != 0 {
		t.Errorf("the second time: %+v", got)
	}
	im.Source.ID = "s000000003"
	if res, err := r.Import(t.Context(), im); err != nil || res.Messages != 2 || res.Facts != 2 {
		t.Errorf("again: %+v, %v", res, err)
	}
}

// What was forgotten is not brought back by an import, and what a guarded program said is not taken in.
func TestImportLeavesOutWhatWasForgotten(t *testing.T) {
	r := newRig(t, ruleOne)
	if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I moved to Berlin."}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Reload(); err != nil {
		t.Fatal(err)
	}
	im := said("s000000001", "I moved to Berlin.", "I moved to Porto.", "I moved to Rome.")
	im.Messages[2].Platform = "dream"
	if got, err := r.Import(t.Context(), im); err != nil || got.Messages != 1 || got.Skipped != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// What the index knows and no file has is not stored: the index was not told yet that it went. Whoever says it again has it filed.
func TestWhatWasTakenOutIsStoredAgain(t *testing.T) {
	r := newRig(t, ruleOne)
	im := said("s000000001", "I moved to Berlin.")
	if _, err := r.Import(t.Context(), im); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{im.Messages[0].ID, DrawerID("c1", "t1", 0)} {
		r.known[d] = vault.DrawerPath("2024-06-01")
	}
	r.unimport(t, "s000000001")
	im.Source.ID = "s000000002"
	if got, err := r.Import(t.Context(), im); err != nil || got.Messages != 1 || got.Known != 0 || got.Facts != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if got := r.remember(t, turn("t1", "I moved to Porto.")); got.Status != Accepted {
		t.Errorf("%+v", got)
	}
}

// A drawer that one undo kept and the next took gives no facts any more, though they are extracted after both.
func TestADrawerThatWentGivesNoFacts(t *testing.T) {
	r := newRig(t, ruleOne)
	first, second := said("s000000001", "I moved to Berlin."), said("s000000002", "I moved to Berlin.")
	for _, im := range []Import{first, second} {
		if _, err := r.Import(t.Context(), im); err != nil {
			t.Fatal(err)
		}
		r.known[im.Messages[0].ID] = vault.DrawerPath("2024-06-01")
	}
	for i, im := range []Import{first, second} {
		if got := r.unimport(t, im.Source.ID); got.Kept != 1-i || got.Messages != i {
			t.Fatalf("%+v", got)
		}
		done := im.Source
		now := clock()
		if done.Undone = &now; r.vault.PutSource(t.Context(), done) != nil {
			t.Fatal("not recorded")
		}
	}
	d := first.Messages[0].Drawer
	d.Source = first.Source.ID
	if _, err := r.extract(t.Context(), job{turn: turnKey{"c", "t1"}, drawers: []vault.Drawer{d}}, r.stub, r.written); err != nil {
		t.Fatal(err)
	}
	if facts := r.logged(t); len(facts) > 0 {
		t.Errorf("%v", facts)
	}
}

// Nobody who writes waits for the index to follow an undo.
func TestUnimportLetsOthersWriteWhileTheIndexFollows(t *testing.T) {
	var r *rig
	asked := false
	r = newRig(t, func(o *Options, s *stubExtractor) {
		ruleOne(o, s)
		o.Sync = func(context.Context, ...vault.Path) error {
			if asked = r.writing.TryRLock(); asked {
				r.writing.RUnlock()
			}
			return nil
		}
	})
	if _, err := r.Import(t.Context(), said("s000000001", "I moved to Berlin.")); err != nil {
		t.Fatal(err)
	}
	if r.unimport(t, "s000000001"); !asked {
		t.Error("nobody is free to write")
	}
}

// Of a part that was stored by half the facts come, though it is not sent again.
func TestImportStoredInPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, ruleOne)
		if err := os.MkdirAll(filepath.Join(r.dir, "memory", "drawers", "2024-06-02.md"), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Import(t.Context(), said("s000000001", "I moved to Berlin.", "I moved to Porto.")); err == nil {
			t.Fatal("a part was taken that could not be written")
		}
		synctest.Wait()
		if got := r.logged(t); got["Fact: I moved to Berlin."] == "" {
			t.Errorf("facts %v", got)
		}
		_ = r.Intake.Close(t.Context())
		_ = r.vault.Close()
	})
}

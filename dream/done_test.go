package dream_test

import (
	"strings"
	"testing"
)

// A task that is said to be done goes to History with a tick, what says so is no open task, and an undo opens the box again.
func TestTaskDone(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Mara", "chat-1", "[task] Rotate the signing keys before 1 December",
		"[task] Complete the ethics form", "[task] Sign the contract",
		"[preference] Mara likes tea", "[fact] Mara lives in Bonn", "[fact] Mara works at Acme")
	w.run()
	before := w.dump()
	if n := strings.Count(before, "- [ ] "); n != 3 {
		t.Fatalf("%d open tasks:\n%s", n, before)
	}
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "Mara", "chat-2", "[fact] The signing keys were rotated on 9 June",
		"[task] The ethics form is done", "[fact] Mara reviewed the contract for Tomas")
	told := w.pages()
	w.run()
	after := w.dump()
	for _, want := range []string{
		"- [x] Rotate the signing keys before 1 December (done 10 Jun 2026)", "- [x] Complete the ethics form (done 10 Jun 2026)",
		"- The ethics form is done", "- [ ] Sign the contract (",
	} {
		if !strings.Contains(after, want) {
			t.Errorf("no %q in\n%s", want, after)
		}
	}
	w.undo("")
	same(t, "undone", w.pages(), told, "log.md")
}

package dream_test

import (
	"strings"
	"testing"
)

const (
	boxLog  = "memory/archive/2026-06-08.md"
	boxHead = "# Daily Log - 2026-06-08\n\n## 09:00 — a\n<!-- speaker=Alice origin=user -->\n"
)

// A box that is ticked in a log is ticked on the page, and ticks the task that stands there.
func TestTickedInALog(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(boxLog, boxHead+"- [x] Alice has to renew the passport\n- [ ] Alice has to call the bank\n")
	w.run()
	w.has(alice, "- [x] Alice has to renew the passport (done 8 Jun 2026)")
	w.has(alice, "- [ ] Alice has to call the bank")
	w.lacks(alice, "- [ ] Alice has to renew")
	w.set("2026-06-12 03:00")
	w.write(strings.Replace(boxLog, "08", "11", 1), strings.ReplaceAll(boxHead, "06-08", "06-11")+"- [x] Alice has to call the bank\n")
	w.run()
	w.has(alice, "- [x] Alice has to call the bank (done 11 Jun 2026)")
	w.lacks(alice, "- [ ]")
	w.account()
}

// A task that is said again after it was ticked has to be done again.
func TestTaskSaidAgain(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-08", "Alice", "a", "[task] Alice has to water the plants")
	w.run()
	w.edit(alice, "- [ ]", "- [x]")
	w.set("2026-06-12 03:00")
	w.tell("2026-06-11", "Alice", "b", "[task] Alice has to water the plants")
	w.run()
	w.has(alice, "- [x] Alice has to water the plants")
	w.has(alice, "- [ ] Alice has to water the plants")
	w.account()
}

// A fact that says that a task is done closes it.
func TestTaskToldDone(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-08", "", "a", "[task] TODO: file the tax return by 31 May", "[task] TODO: call the dentist",
		"[task] TODO: pay the electricity bill")
	w.run()
	w.set("2026-06-12 03:00")
	w.tell("2026-06-11", "", "b", "[milestone] The tax return was filed on 10 June", "[fact] The user called the dentist, done",
		"[fact] The user paid the electricity bill today")
	w.run()
	for name, text := range w.pages() {
		if strings.Contains(text, "- [ ] TODO") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	w.account()
}

// A box that a person ticks in a log that was consolidated closes the task on its page, and opens it again where the tick is taken out.
func TestTickedInALogThatWasConsolidated(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(boxLog, boxHead+"- [ ] Alice has to renew the passport ^f000000042\n- Alice lives in Bonn ^f000000046\n")
	w.run()
	w.has(alice, "- [ ] Alice has to renew the passport")
	w.set("2026-06-11 03:00")
	w.edit(boxLog, "- [ ] Alice", "- [x] Alice")
	w.run()
	w.has(alice, "- [x] Alice has to renew the passport")
	w.lacks(alice, "- [ ]")
	w.account()
	w.set("2026-06-12 03:00")
	w.edit(boxLog, "- [x] Alice", "- [ ] Alice")
	w.run()
	w.has(alice, "- [ ] Alice has to renew the passport")
	w.lacks(alice, "- [x]")
}

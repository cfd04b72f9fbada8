package worker

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
)

// An answer that is cut is asked for in smaller lots, not word for word again and then text by text.
func TestACutAnswerHalvesTheLots(t *testing.T) {
	chat := &fake{answer: func(_ int, texts []string) (string, error) {
		if len(texts) > 15 {
			return "", llm.ErrCutAnswer
		}
		return verdicts(texts, all), nil
	}}
	r := newRig(t, chat)
	r.opt.Batch = 50
	r.say(vague(40)...)
	if n, err := r.work(Process); n != 40 || err != nil {
		t.Fatalf("%d done: %v", n, err)
	}
	if len(chat.calls) > 6 {
		t.Errorf("%d calls", len(chat.calls))
	}
	for _, call := range chat.calls {
		if len(call)*itemTokens > answerTokens {
			t.Errorf("%d texts have %d tokens for the answer", len(call), answerTokens)
		}
	}
}

// forgetful is a ledger that keeps nothing.
type forgetful struct{}

func (forgetful) Append(context.Context, llm.Usage) error    { return nil }
func (forgetful) Today(context.Context, string) (int, error) { return 0, nil }

// What is left of the day is spent, in calls that fit into it, and only where no text fits any more the worker waits.
func TestCallsFitIntoWhatIsLeft(t *testing.T) {
	chat := obliging()
	r := newRig(t, llm.NewGuardedChat(chat, llm.GuardOptions{Budget: llm.NewBudget(forgetful{}, -1), MaxTries: 1}))
	r.opt.Batch = 50
	r.say(vague(30)...)
	r.left = 6000
	n, err := r.work(Process)
	if !errors.Is(err, llm.ErrAllowance) || n < 10 || n == 30 {
		t.Errorf("with %d tokens left %d drawers are done: %v", r.left, n, err)
	}
	r.opt.Share = func(context.Context) (Share, error) { return Share{Tokens: 6000, Spent: 5142}, nil }
	want := "the workers have spent 5142 of the 6000 tokens that they may spend a day, and the next call may need "
	if _, err := r.work(Process); err == nil || !strings.HasPrefix(err.Error(), want) ||
		!strings.Contains(err.Error(), "begins at 2026-06-10 00:00 UTC; palace.budget_percent") {
		t.Errorf("%v\nwant %s…", err, want)
	}
	told := ""
	for _, s := range r.Status() {
		told += s.Run.Error
	}
	if !strings.HasPrefix(told, want) {
		t.Errorf("the status says %q", told)
	}
}

// Two drawers of one text have a finding each, however often they are looked at again.
func TestOneTextIsFoundOutOnceForEachDrawer(t *testing.T) {
	r := newRig(t, obliging())
	same := vague(1)[0]
	ids := r.say(same, same)
	for i := range 6 {
		if i > 0 {
			err := r.opt.Journal.Append(t.Context(), drawers.Event{Kind: drawers.Note, Drawer: ids[i%2], State: drawers.Raw})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.work(Process); err != nil {
			t.Fatal(err)
		}
	}
	lines := 0
	if _, err := r.vault.ReadState(findings.FileName, func(int, []byte) error { lines++; return nil }); err != nil || lines != 2 {
		t.Errorf("%d lines: %v", lines, err)
	}
}

// Of a long drawer as many characters are read in any script.
func TestTextsAreCutByCharacters(t *testing.T) {
	for _, letter := range []string{"a", "ж", "話"} {
		it := &item{text: strings.Repeat(letter, textMost+1)}
		if n := strings.Count(it.data(), letter); n < textMost || n > textMost+9 { // beside it stand names of fields
			t.Errorf("%d of %q", n, letter)
		}
	}
}

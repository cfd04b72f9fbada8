package worker

import (
	"context"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// What is forgotten while a model reads other texts is in no call after that one: not in that of the next lot, nor where it is asked for
// once more or by itself.
func TestWhatIsForgottenWhileOthersAreAskedAboutIsNotSent(t *testing.T) {
	texts := vague(6)
	for name, answer := range map[string]func(texts []string) string{
		"a call for each lot":  func(texts []string) string { return verdicts(texts, all) },
		"answers to the first": func(texts []string) string { return verdicts(texts[:1], all) },
		"no answer of any use": func([]string) string { return "none" },
	} {
		t.Run(name, func(t *testing.T) {
			chat := &fake{}
			r := newRig(t, chat)
			ids := r.say(texts...)
			r.opt.Batch = 4
			chat.answer = func(n int, sent []string) (string, error) {
				if n == 1 {
					if err := r.vault.Forget(context.Background(), []vault.Tombstone{{Text: texts[2]}, {Text: texts[5]}}); err != nil {
						t.Error(err)
					}
				}
				return answer(sent), nil
			}
			if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			}
			for n, call := range chat.calls {
				if sent := strings.Join(call, "\n"); n > 0 && (strings.Contains(sent, "00002") || strings.Contains(sent, "00005")) {
					t.Errorf("call %d shows %q", n+1, call)
				}
			}
			for _, i := range []int{2, 5} {
				if k := r.opt.Journal.State().Of(ids[i]); k.Tries != 0 || k.State != "" {
					t.Errorf("of drawer %d: %+v", i, k)
				}
			}
		})
	}
}

// Texts of an isolated project share no prompt with others, and secrets that stand in a file are not sent.
func TestAPromptTellsNobodyElse(t *testing.T) {
	chat := obliging()
	r := newRig(t, chat)
	texts := vague(6)
	texts[5] += " with AKIA" + "IOSFODNN7SAMPLES as the key"
	ids := r.say(texts...)
	wing := "secret/deep"
	r.opt.Batch = 6
	var events []drawers.Event
	for _, i := range []int{1, 4} {
		events = append(events, drawers.Event{Kind: drawers.Move, Drawer: ids[i], Day: vault.DayOf(at), Wing: &wing})
	}
	if err := r.opt.Journal.Append(t.Context(), events...); err != nil {
		t.Fatal(err)
	}
	if n, err := r.work(Process); n != 6 || err != nil {
		t.Fatalf("%d done: %v", n, err)
	}
	for _, call := range chat.calls {
		inside := 0
		for _, text := range call {
			if strings.HasPrefix(text, "00001") || strings.HasPrefix(text, "00004") {
				inside++
			}
			if strings.Contains(text, "AKIA") {
				t.Errorf("a secret was sent: %q", text)
			}
		}
		if inside > 0 && inside < len(call) {
			t.Errorf("the isolated project shares a call: %q", call)
		}
	}
	if len(chat.calls) != 2 {
		t.Errorf("%d calls", len(chat.calls))
	}
}

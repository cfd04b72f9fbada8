package extract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/llm"
)

// says1by1 answers the calls in order, the last answer again and again.
func says1by1(texts ...string) *scripted {
	n := 0
	return &scripted{answer: func(context.Context, llm.Request) (string, error) {
		n++
		return texts[min(n, len(texts))-1], nil
	}}
}

func said(drawer, text string) Message {
	return Message{Drawer: drawer, Role: "user", Speaker: "Alice", Text: text, At: time.Date(2026, 6, 9, 14, 0, 0, 0, time.UTC)}
}

// threeTurns have messages 1 and 2, 3, and 4.
var threeTurns = [][]Message{
	{said("a1", "I moved to Berlin."), {Drawer: "a2", Role: "assistant", Text: "Nice! I moved to Berlin as well."}},
	{said("b1", "I have a cat.")},
	{said("c1", "I have a cat. I have a dog.")},
}

func fact(message int, text, quote string) string {
	return fmt.Sprintf(`{"message":%d,"category":"fact","text":%q,"tags":[],"entities":[],"quote":%q,"about":""}`, message, text, quote)
}

// answer writes an answer with the facts of turns, in the order of the calls.
func answer(turns ...string) string { return `{"turns":[` + strings.Join(turns, ",") + `]}` }

func about(turn int, facts ...string) string {
	return fmt.Sprintf(`{"turn":%d,"facts":[%s]}`, turn, strings.Join(facts, ","))
}

// told shows readings as "drawer: text" and "rest: drawer".
func told(readings []Reading) [][]string {
	out := make([][]string, len(readings))
	for i, r := range readings {
		for _, f := range r.Facts {
			out[i] = append(out[i], f.Drawer+": "+f.Text)
		}
		for _, m := range r.Rest {
			out[i] = append(out[i], "rest: "+m.Drawer)
		}
	}
	return out
}

func TestSeveralTurnsInOneCall(t *testing.T) {
	berlin, cat, dog := fact(1, "Alice moved to Berlin", "moved to Berlin"), fact(3, "Alice has a cat", "a cat"), fact(4,
		"Alice has a dog", "a dog")
	all := [][]string{{"a1: Alice moved to Berlin"}, {"b1: Alice has a cat"}, {"c1: Alice has a dog"}}
	rest := []string{"rest: a1", "rest: a2"}
	for _, tt := range []struct {
		name  string
		chat  *scripted
		calls int
		want  [][]string
	}{
		{"good", says(answer(about(1, berlin), about(2, cat), about(3, dog))), 1, all},
		{"in another order", says("Here you are:\n```\n" + answer(about(3, dog), about(1, berlin), about(2, cat)) + "\n```"), 1, all},
		{"a turn without facts", says(answer(about(1), about(2, cat), about(3, dog))), 1, [][]string{nil, all[1], all[2]}},
		{"a turn that is named twice", says(answer(about(1, berlin), about(3), about(2, cat), about(3, dog))), 1, all},
		{
			"a fact under the wrong turn", says(answer(about(1, berlin, cat), about(2, cat), about(3, dog))), 1, all,
		},
		{
			"the same words in another turn", // the quote stands in both; the number decides, and the turn has to agree with it
			says(answer(about(1, berlin), about(2, cat), about(3, fact(3, "Alice has a cat", "a cat"), dog))), 1, all,
		},
		{
			"the assistant's words", says(answer(about(1, fact(2, "Claude moved to Berlin", "moved to Berlin"), berlin), about(2, cat),
				about(3, dog))),
			1, all,
		},
		{"turns that nobody asked about", says(answer(about(0, berlin), about(9, cat), about(1), about(2), about(3))), 1, make([][]string, 3)},
		{
			"a turn left out, then given", says1by1(answer(about(1, berlin), about(2, cat)),
				`{"facts":[`+fact(1, "Alice has a dog", "a dog")+`]}`), 2, all,
		},
		{
			"a turn left out, twice", says1by1(answer(about(1, berlin), about(2, cat)), "I have nothing to add."), 2,
			[][]string{all[0], all[1], {"rest: c1"}},
		},
		{
			"lies about one turn", says1by1(answer(about(1, fact(1, "Alice moved to Rome", "moved to Rome")), about(2, cat), about(3, dog)),
				`{"facts":[`+fact(1, "Alice moved to Paris", "moved to Paris")+`]}`), 2, [][]string{rest, all[1], all[2]},
		},
		{
			"prose, then good", says1by1("Sure, I can do that!", answer(about(1, berlin), about(2, cat), about(3, dog))), 2, all,
		},
		{"another shape", says(`{"facts":[` + berlin + `]}`), 2, [][]string{rest, {"rest: b1"}, {"rest: c1"}}},
		{
			"down", &scripted{answer: func(context.Context, llm.Request) (string, error) { return "", errors.New("down") }}, 1,
			[][]string{rest, {"rest: b1"}, {"rest: c1"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Model{Chat: tt.chat}.Read(context.Background(), threeTurns)
			if d := cmp.Diff(tt.want, told(got)); d != "" {
				t.Error(d)
			}
			if len(tt.chat.asked) != tt.calls {
				t.Errorf("asked %d times, want %d", len(tt.chat.asked), tt.calls)
			}
			for i, r := range got {
				if (r.Why != nil) != (len(r.Rest) > 0) {
					t.Errorf("turn %d: %d messages are left, because %v", i+1, len(r.Rest), r.Why)
				}
			}
			for _, req := range tt.chat.asked {
				if !json.Valid(req.Schema) || req.MaxTokens < modelTokens || req.MaxTokens > mostTokens {
					t.Errorf("request %+v", req)
				}
			}
		})
	}
}

func TestSecondCallSaysWhatWasWrong(t *testing.T) {
	chat := says1by1(answer(about(1), about(3)), `{"facts":[]}`)
	Model{Chat: chat}.Read(context.Background(), threeTurns)
	if len(chat.asked) != 2 {
		t.Fatalf("asked %d times", len(chat.asked))
	}
	again := chat.asked[1].Prompt
	if !strings.Contains(again, "turn 2: the answer leaves it out") || strings.Contains(again, "Berlin") || !strings.Contains(again, "a cat") {
		t.Errorf("the second call asks for turn 2 alone and says why:\n%s", again)
	}
}

func TestTurnsAreSharedOutToCalls(t *testing.T) {
	var turns [][]Message
	for i := range 5 {
		turns = append(turns, []Message{said(fmt.Sprint("d", i), "I have a cat. "+strings.Repeat("and so on ", 1_800))})
	}
	turns = append(turns, []Message{{Drawer: "noise", Role: "user", Text: "thanks", Noise: true}}, []Message{said("long",
		strings.Repeat("long ", 10_000))})
	chat := &scripted{answer: func(_ context.Context, req llm.Request) (string, error) {
		var list []struct{ Turn, Message int }
		_, data, _ := strings.Cut(req.Prompt, ":\n")
		if err := json.Unmarshal([]byte(data), &list); err != nil {
			return "", err
		}
		var parts []string
		for _, m := range list {
			parts = append(parts, about(max(1, m.Turn), fact(m.Message, fmt.Sprint("cat of message ", m.Message), "a cat")))
		}
		if len(list) == 1 {
			return parts[0], nil
		}
		return answer(parts...), nil
	}}
	got := Model{Chat: chat}.Read(context.Background(), turns)
	want := [][]string{
		{"d0: cat of message 1"},
		{"d1: cat of message 2"},
		{"d2: cat of message 1"},
		{"d3: cat of message 2"},
		{"d4: cat of message 1"},
		nil,
		{"rest: long"},
	}
	if d := cmp.Diff(want, told(got)); d != "" || len(chat.asked) != 3 {
		t.Errorf("in %d calls:\n%s", len(chat.asked), d)
	}
}

package probe

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func at(day, minute int) time.Time { return time.Date(2026, 3, day, 9, minute, 0, 0, time.UTC) }

func said(id string, day, minute int, who, text string) Text {
	return Text{ID: id, Session: fmt.Sprint("s", day), Speaker: who, Voice: who, Text: text, At: at(day, minute)}
}

func of(kind Kind, probes []Probe) []Probe {
	return slices.DeleteFunc(slices.Clone(probes), func(p Probe) bool { return p.Kind != kind })
}

func TestQuestionsThatWereAsked(t *testing.T) {
	reply := "We keep both spare boats behind the old ferry landing."
	for name, c := range map[string]struct{ asked, reply, query string }{
		"a question and its reply": {"Hi! Which landing keeps the spare boats?", reply, "Which landing keeps the spare boats?"},
		"you is who replied":       {"Where do you keep your spare boats?", reply, "Where do Ida keep Ida's spare boats?"},
		"the question with most in it": {
			"Who? Which ferry landing keeps the spare boats?", reply,
			"Which ferry landing keeps the spare boats?",
		},
		"it leans on what was said before": {"Where do they keep that spare boat?", reply, ""},
		"too few words":                    {"Which boats?", reply, ""},
		"no question":                      {"I wonder which landing keeps the spare boats.", reply, ""},
		"the reply says nothing":           {"Which landing keeps the spare boats?", "Good question!", ""},
		"the reply asks back":              {"Which landing keeps the spare boats?", "Why do you ask about spare boats and ferry landings?", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := of(Asked, Make([]Text{said("d1", 1, 0, "Tom", c.asked), said("d2", 1, 1, "Ida", c.reply)}, nil, 10))
			if c.query == "" && len(got) > 0 {
				t.Errorf("%+v, want none", got)
			}
			want := Probe{Kind: Asked, Query: c.query, Answer: "d2", Hide: "d1", First: at(1, 0), Session: "s1"}
			if c.query != "" && (len(got) != 1 || got[0] != want) {
				t.Errorf("%+v, want %q", got, c.query)
			}
		})
	}
	for name, messages := range map[string][]Text{
		"one speaker":  {said("d1", 1, 0, "Tom", "Which landing keeps the spare boats?"), said("d2", 1, 1, "Tom", reply)},
		"two sessions": {said("d1", 1, 0, "Tom", "Which landing keeps the spare boats?"), said("d2", 2, 1, "Ida", reply)},
	} {
		if got := of(Asked, Make(messages, nil, 10)); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatWasComeBackTo(t *testing.T) {
	first := said("d1", 1, 0, "Tom", "The lighthouse keeper of Amrum painted the lantern red.")
	back := said("d9", 5, 0, "Tom", "We visited the lighthouse again, and Amrum was full of guests on holiday.")
	got := of(Later, Make([]Text{first, said("d2", 1, 1, "Ida", "Nice."), back}, nil, 10))
	want := Probe{
		Kind: Later, Query: "We visited the lighthouse again, and was full of guests on holiday.", Answer: "d1",
		Before: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC), Session: "s5",
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
	again := said("d3", 3, 0, "Ida", "The lighthouse of Amrum shines far.")
	if got := of(Later, Make([]Text{first, again, back}, nil, 10)); slices.ContainsFunc(got, func(p Probe) bool { return p.Session == "s5" }) {
		t.Errorf("two messages may be meant: %+v", got)
	}
	sameDay := back
	sameDay.At, sameDay.Session = at(1, 30), "other"
	if got := of(Later, Make([]Text{first, sameDay}, nil, 10)); len(got) > 0 {
		t.Errorf("of the same day: %+v", got)
	}
}

// A message more changes few of the probes: the others stay those that they were.
func TestProbesStay(t *testing.T) {
	var messages []Text
	for i := range 60 {
		messages = append(messages,
			said(fmt.Sprint("q", i), 1+i%20, 2*i, "Tom", fmt.Sprintf("Which harbour number%d sells smoked mackerel?", i)),
			said(fmt.Sprint("a", i), 1+i%20, 2*i+1, "Ida", fmt.Sprintf("Smoked mackerel number%d comes from the eastern quay kiosk.", i)))
	}
	ids := func(ps []Probe) (out []string) {
		for _, p := range of(Asked, ps) {
			out = append(out, p.Answer)
		}
		return out
	}
	before, after := ids(Make(messages[:118], nil, 20)), ids(Make(messages, nil, 20))
	kept := slices.DeleteFunc(slices.Clone(after), func(id string) bool { return !slices.Contains(before, id) })
	if len(before) != 20 || len(after) != 20 || len(kept) < 19 {
		t.Errorf("%d of %d stayed\n%v\n%v", len(kept), len(before), before, after)
	}
}

func TestFactsByTheirCommonerWords(t *testing.T) {
	facts := []Text{
		{ID: "f1", Text: "Ida sells smoked mackerel at the eastern quay"},
		{ID: "f2", Text: "Ida sells smoked eel at the quay"},
		{ID: "f3", Text: "Ida sells smoked herring"},
		{ID: "f4", Text: "Tom rows"},
	}
	got := Make(nil, facts, 10)
	i := slices.IndexFunc(got, func(p Probe) bool { return p.Answer == "f1" })
	if i < 0 || got[i].Kind != Told || got[i].Query != "Ida sells smoked at the" {
		t.Errorf("%+v", got)
	}
	if slices.ContainsFunc(got, func(p Probe) bool { return p.Answer == "f4" }) {
		t.Errorf("two words are no question: %+v", got)
	}
}

package palace

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/vault"
)

// talk is the wing of drawers for which nobody named one.
const talk = "conversations"

// topics are its rooms, by the type of memory that a drawer's words say it is.
var topics = map[tier.Type]string{
	tier.Decision: "decisions", tier.Preference: "preferences", tier.Milestone: "milestones", tier.Problem: "problems",
	tier.Emotional: "emotional", tier.Task: "tasks", tier.Fact: "facts",
}

// Places are people's own rules: a wing and a room, and the words by which a drawer belongs there.
type Places []placed

type placed struct {
	wing, room string
	phrases    [][]string // each a pattern a word
}

// Bounds of people's own rules.
const (
	maxPlaces  = 200
	maxPhrases = 500 // of one
	maxChars   = 100 // of a wing, a room or a phrase
	placeText  = 8 << 10
)

// OwnPlaces reads rules as settings have them: by WING or WING/ROOM, the words and phrases that speak for it. In a word * stands for any
// letters.
func OwnPlaces(named map[string][]string) (Places, error) {
	if len(named) > maxPlaces {
		return nil, fmt.Errorf("there are %d, of %d at most", len(named), maxPlaces)
	}
	var out Places
	for _, name := range slices.Sorted(maps.Keys(named)) {
		p, err := placeOf(name, named[name])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

func placeOf(name string, phrases []string) (p placed, err error) {
	wing, room, cut := strings.Cut(name, "/")
	p.wing, p.room = strings.TrimSpace(wing), strings.TrimSpace(room)
	long := func(s string) bool { return len([]rune(s)) > maxChars }
	switch {
	case p.wing == "" || cut && p.room == "" || strings.Contains(room, "/") || strings.ContainsFunc(name, unicode.IsControl):
		return p, errors.New("name a wing, or a wing and a room with / between them")
	case long(p.wing) || long(p.room) || slices.ContainsFunc(phrases, long):
		return p, fmt.Errorf("a name or a phrase has more than %d characters", maxChars)
	case len(phrases) == 0 || len(phrases) > maxPhrases:
		return p, fmt.Errorf("it takes 1 to %d words or phrases", maxPhrases)
	}
	for _, phrase := range phrases {
		var words []string
		for _, w := range strings.Fields(phrase) {
			if strings.Contains(w, "*") {
				words = append(words, lexis.Fold(w))
			} else {
				words = append(words, lexis.Words(w)...)
			}
		}
		for _, w := range words {
			if _, err := path.Match(w, ""); err != nil || strings.Trim(w, "*") == "" {
				return p, fmt.Errorf("%q says nothing: a phrase has words, in which * stands for any letters", phrase)
			}
		}
		if len(words) == 0 {
			return p, fmt.Errorf("%q has no word", phrase)
		}
		p.phrases = append(p.phrases, words)
	}
	return p, nil
}

// of is the place of which a text has most phrases, the first by name among equals; false where it has none of any.
func (ps Places) of(text string) (best placed, ok bool) {
	if len(ps) == 0 {
		return best, false
	}
	if len(text) > placeText {
		text = strings.ToValidUTF8(text[:placeText], "")
	}
	words, most := lexis.Words(text), 0
	for _, p := range ps {
		n := slice.Count(p.phrases, func(phrase []string) bool { return has(words, phrase) })
		if n > most {
			best, most = p, n
		}
	}
	return best, most > 0
}

// has says whether words stand one after the other that a phrase has.
func has(words, phrase []string) bool {
	for i := range len(words) - len(phrase) + 1 {
		if slices.EqualFunc(words[i:i+len(phrase)], phrase, func(word, pattern string) bool {
			ok, err := path.Match(pattern, word)
			return ok && err == nil
		}) {
			return true
		}
	}
	return false
}

// hang finds a place for a drawer of which nobody named wing and room, where the settings ask for that, and marks it as a guess. What is
// guessed helps people to look around: facts take no place from it, so that no page comes of it.
func (in *Intake) hang(d *vault.Drawer) {
	if d.Wing != "" || d.Room != "" || d.Noise {
		return
	}
	if p, ok := in.opt.Places.of(d.Text); ok {
		d.Wing, d.Room, d.WingBy = p.wing, p.room, vault.ByRule
	} else if in.opt.Topics {
		kind, _ := tier.Classify(d.Text)
		d.Wing, d.Room, d.WingBy = talk, topics[kind], vault.ByRule
	}
}

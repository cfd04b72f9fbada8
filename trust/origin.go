package trust

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// Label names an origin beside its text: "" for the person's own words, and "import" for an origin that this program does not know.
func Label(o vault.Origin) string {
	switch o {
	case vault.OriginUser, "": // "": a line by hand
		return ""
	case vault.OriginAgent, vault.OriginAssistant, vault.OriginTool:
		return string(o)
	}
	return string(vault.OriginImport)
}

// ranks are the labels of origins from the most trusted to the least.
var ranks = map[string]int{"": 0, "agent": 1, "assistant": 2, "import": 3, "tool": 4}

// Least is the less trusted of two origins: what was made of both is trusted no more than that.
func Least(a, b vault.Origin) vault.Origin {
	if ranks[Label(b)] > ranks[Label(a)] {
		return b
	}
	return a
}

// Votes count in how many turns who said something of what is known. The zero value has none.
type Votes struct {
	said  map[string]int // by speaker, "" for the person who gave no name
	seen  map[[2]string]bool
	noted bool // an assistant noted something under no name
	names []string
}

// Hear counts a text for its turn, in which the same speaker counts once; "" is a turn of its own.
func (v *Votes) Hear(speaker string, o vault.Origin, turn string) {
	switch {
	case speaker == "" && o == vault.OriginAgent:
		v.noted = true
		return
	case o == vault.OriginAssistant, o == vault.OriginTool, speaker == "" && o != vault.OriginUser:
		return
	}
	if key := [2]string{speaker, turn}; turn != "" {
		if v.seen[key] {
			return
		}
		if v.seen == nil {
			v.seen = map[[2]string]bool{}
		}
		v.seen[key] = true
	}
	v.Count(speaker, 1)
}

// Count adds n turns of a speaker.
func (v *Votes) Count(speaker string, n int) {
	if v.said == nil {
		v.said = map[string]int{}
	}
	v.said[speaker] += n
}

// Name notes that somebody who gave no name said what the person is called.
func (v *Votes) Name(name string) { v.names = append(v.names, lexis.Fold(name)) }

// Owner is the one whose memory this is, and whom assistants mean by "the user": whoever said nine of ten turns of those that somebody
// said by name, and more than half of those and what was said under no name; a single turn only where nothing else is known. Where the
// person told what they are called, it is a speaker of that name. Owner is "" when it is nobody.
func (v *Votes) Owner() string {
	all := 0
	for _, n := range v.said {
		all += n
	}
	best := ""
	for speaker, n := range v.said {
		if speaker == "" {
			continue
		}
		if len(v.names) > 0 {
			if v.called(speaker) && (best == "" || n > v.said[best] || n == v.said[best] && speaker < best) {
				best = speaker
			}
			continue
		}
		if n*10 >= (all-v.said[""])*9 && 2*n > all && (n > 1 || all == 1 && !v.noted) {
			return speaker
		}
	}
	return best
}

// called says whether the words of a speaker's name are among those of a name that was told, or the other way round.
func (v *Votes) called(speaker string) bool {
	within := func(a, b string) bool {
		words := strings.Fields(b)
		return !slices.ContainsFunc(strings.Fields(a), func(w string) bool { return !slices.Contains(words, w) })
	}
	speaker = lexis.Fold(speaker)
	return slices.ContainsFunc(v.names, func(name string) bool { return within(speaker, name) || within(name, speaker) })
}

// SaidName is the name that a fact says the person has, "" where it says none.
func SaidName(fact string) string {
	for _, begins := range []string{"The user's name is ", "The user is called "} {
		if name, ok := strings.CutPrefix(fact, begins); ok {
			return strings.Trim(name, " .")
		}
	}
	return ""
}

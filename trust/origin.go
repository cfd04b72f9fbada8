package trust

import "github.com/reverie-memory/reverie/vault"

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

// Tells says whether a text of this origin may stand for what is known: a person's words, and what an assistant noted as a
// fact. The rest of a conversation is found by search.
func Tells(o vault.Origin) bool { return ranks[Label(o)] <= ranks["agent"] }

// Own says whether these are the words of the person whose memory it is. owner is "" where that is not known.
func Own(o vault.Origin, speaker, owner string) bool {
	return Label(o) == "" && (speaker == "" || speaker == owner)
}

// Admits says whether a text may be put before an assistant without having been asked for.
func Admits(text string, o vault.Origin, speaker, owner string) bool {
	return Own(o, speaker, owner) || Tells(o) && !Instructs(text)
}

// Unasked is stricter than [Admits], for single lines whose page tells nothing of who said them: of others than the person whose memory it
// is, only what an assistant noted as a fact; where it is not known whose memory it is, what anybody said.
func Unasked(text string, o vault.Origin, speaker, owner string) bool {
	return Own(o, speaker, owner) || (Label(o) == string(vault.OriginAgent) || owner == "") && Admits(text, o, speaker, owner)
}

// Votes count who said how much of what is known. The zero value has none.
type Votes struct {
	said map[string]int
	all  int
}

// Hear counts one text.
func (v *Votes) Hear(speaker string, o vault.Origin) {
	if speaker != "" && o != vault.OriginAssistant && o != vault.OriginTool {
		v.Count(speaker, 1)
	}
}

// Count adds n texts of a speaker.
func (v *Votes) Count(speaker string, n int) {
	if v.said == nil {
		v.said = map[string]int{}
	}
	v.said[speaker] += n
	v.all += n
}

// Owner is the one whose memory this is, and whom assistants mean by "the user": whoever said nine of ten texts that are known
// to be said by somebody; "" when nobody did.
func (v *Votes) Owner() string {
	for speaker, n := range v.said {
		if n*10 >= v.all*9 {
			return speaker
		}
	}
	return ""
}

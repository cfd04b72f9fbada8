package palace

import (
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

// hang finds a place for a drawer of which nobody named wing and room, where the settings ask for that, and marks it as a guess. What is
// guessed helps people to look around: facts take no place from it, so that no page comes of it.
func (in *Intake) hang(d *vault.Drawer) {
	if !in.opt.Topics || d.Wing != "" || d.Room != "" || d.Noise {
		return
	}
	kind, _ := tier.Classify(d.Text)
	d.Wing, d.Room, d.WingBy = talk, topics[kind], vault.ByRule
}

package catalog

import (
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// A View is what one caller may see: of the diaries its agent's own, and from a project what that project may see. What is archived is
// not found, though it may be seen.
type View struct {
	Agent    string // "" sees no diary
	Wing     string // the project that asks
	Isolated project.Isolation
	Archived bool // finds what is archived, and that alone
}

// Sees says whether the caller may see a row.
func (v *View) Sees(r *Row) bool {
	wing := r.Wing
	if r.Guessed {
		wing = ""
	}
	return v.seesWing(wing) && (r.Source != Diary || v.seesDiary(r.Agent))
}

// Finds says whether a search of the caller's finds a row that it may see.
func (v *View) Finds(r *Row) bool { return r.Archived == v.Archived }

func (v *View) seesWing(wing string) bool {
	return v.Isolated.Around(wing) == v.Isolated.Around(v.Wing)
}

func (v *View) seesDiary(agent string) bool {
	return v.Agent != "" && vault.AgentName(agent) == vault.AgentName(v.Agent)
}

// A veil is a view whose names are numbers: what it hides of the rows at hand. The zero veil hides nothing.
type veil struct {
	flags, want byte           // a row shows where its flags are these; no flags: all show
	wings       map[int32]bool // hidden
	diaries     bool           // some are hidden
	diary       int32          // the number of the diaries' source type
	own         map[int32]bool // the agents whose diaries show
}

func (c *columns) veil(v *View) veil {
	var out veil
	if v == nil {
		return out
	}
	if c.archived > 0 || v.Archived {
		out.flags = flagArchived
	}
	if v.Archived {
		out.want = flagArchived
	}
	if len(v.Isolated) > 0 {
		out.wings = map[int32]bool{}
		if !v.seesWing("") {
			out.wings[0] = true
		}
		for id, wing := range c.names[kindWing].name {
			if !v.seesWing(wing) {
				out.wings[id] = true
			}
		}
	}
	if out.diary, out.diaries = c.names[kindSource].id[string(Diary)]; out.diaries {
		out.own = map[int32]bool{}
		for id, agent := range c.names[kindAgent].name {
			if v.seesDiary(agent) {
				out.own[id] = true
			}
		}
	}
	return out
}

func (v *veil) empty() bool { return len(v.wings) == 0 && !v.diaries && v.flags == 0 }

func (v *veil) hides(ch *chunk, i int) bool {
	wing := ch.name[kindWing][i]
	if ch.flag[i]&flagGuessed != 0 {
		wing = 0
	}
	return ch.flag[i]&v.flags != v.want || len(v.wings) > 0 && v.wings[wing] ||
		v.diaries && ch.name[kindSource][i] == v.diary && !v.own[ch.name[kindAgent][i]]
}

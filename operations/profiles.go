package operations

import (
	"context"
	"math"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/recall"
)

// Profiles lists the profiles by which searches rank, with their flags.
func (m Memory) Profiles(context.Context) (api.Profiles, error) {
	out := api.Profiles{Profiles: []api.Profile{}}
	for _, p := range m.Workspace.Profiles {
		out.Profiles = append(out.Profiles, profile(p))
	}
	out.Compaction = profile(m.Workers.Compaction().Profile())
	return out, nil
}

func profile(p *recall.Profile) api.Profile {
	out := api.Profile{Name: p.Name, Doc: p.Doc, Phases: []api.ProfilePhase{}, Flags: []api.ProfileFlag{}}
	for _, ph := range p.Phases {
		out.Phases = append(out.Phases, api.ProfilePhase{Name: ph.Name, Stage: ph.Counted(), Switch: ph.Switch, Parts: list(ph.Parts)})
	}
	for _, f := range p.Table() {
		out.Flags = append(out.Flags, profileFlag(f))
	}
	return out
}

func profileFlag(f recall.Flag) api.ProfileFlag {
	out := api.ProfileFlag{Name: f.Name, Kind: "number", Default: f.Default, Choices: f.Choices, Doc: f.Doc}
	switch f.Default.(type) {
	case bool:
		out.Kind = "bool"
	case string:
		out.Kind = "choice"
	default:
		if out.Min = &f.Min; !math.IsInf(f.Max, 1) {
			out.Max = &f.Max
		}
	}
	return out
}

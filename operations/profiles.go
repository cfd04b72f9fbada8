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
		shown := api.Profile{Name: p.Name, Doc: p.Doc, Phases: []api.ProfilePhase{}, Flags: []api.ProfileFlag{}}
		for _, ph := range p.Phases {
			shown.Phases = append(shown.Phases, api.ProfilePhase{Name: ph.Name, Stage: ph.Counted(), Switch: ph.Switch, Parts: list(ph.Parts)})
		}
		for _, f := range p.Table() {
			shown.Flags = append(shown.Flags, profileFlag(f))
		}
		out.Profiles = append(out.Profiles, shown)
	}
	return out, nil
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

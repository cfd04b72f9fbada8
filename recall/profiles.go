package recall

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/nearest"
)

// DefaultProfile is the profile of queries that name none.
const DefaultProfile = "default"

// Profiles are what a query can name. Nil are those of this package.
type Profiles []*Profile

// Keys of a profile in the settings that are no flags.
const (
	baseKey   = "base"
	phasesKey = "phases"
)

// Own adds the profiles that people made to those of this package. given is what their settings say of each: of which profile it is a
// variation (base), which phases it has, in order (phases; those of the base where nothing is said), and flags.
func Own(given map[string]map[string]any) (Profiles, error) {
	all := slices.Clone(profiles)
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, err := own(name, given[name])
		if err == nil && slices.ContainsFunc(profiles, func(p *Profile) bool { return p.Name == name }) {
			err = errors.New("there is a profile of that name")
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("profile %q: %w", name, err))
			continue
		}
		all = append(all, p)
	}
	return all, errors.Join(wrong...)
}

func own(name string, given map[string]any) (*Profile, error) {
	base := DefaultProfile
	if v, ok := given[baseKey]; ok {
		if base, ok = v.(string); !ok {
			return nil, fmt.Errorf("base is the name of a profile, got %v", v)
		}
	}
	from, err := Profiles.Named(nil, base)
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	p := &Profile{Name: name, Doc: "made in the settings, of " + base, Phases: from.Phases, Flags: maps.Clone(from.Flags)}
	if v, ok := given[phasesKey]; ok {
		if p.Phases, err = phasesNamed(v); err != nil {
			return nil, err
		}
		flags := p.flags()
		maps.DeleteFunc(p.Flags, func(flag string, _ any) bool { return flags[flag] == nil })
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	flags := maps.Clone(given)
	delete(flags, baseKey)
	delete(flags, phasesKey)
	p.Flags, err = p.values(flags)
	return p, err
}

// phasesNamed are the phases of a list of names, as TOML gives it.
func phasesNamed(v any) (phases []*Phase, _ error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("phases is a list of names, got %v", v)
	}
	known := map[string]*Phase{}
	for _, p := range profiles {
		for _, ph := range p.Phases {
			known[ph.Name] = ph
		}
	}
	for _, v := range list {
		name := fmt.Sprint(v)
		if known[name] == nil {
			return nil, fmt.Errorf("there is no phase %q%s", name, hint(name, slices.Collect(maps.Keys(known))))
		}
		phases = append(phases, known[name])
	}
	return phases, nil
}

// check says what is wrong with the list of phases.
func (p *Profile) check() error {
	at, flags := Asking, p.flags()
	for i, ph := range p.Phases {
		switch {
		case slices.Contains(p.Phases[:i], ph):
			return fmt.Errorf("phase %q stands there twice", ph.Name)
		case ph.Switch != "" && flags[ph.Switch] == nil:
			return fmt.Errorf("phase %q has its switch %q with another, which is missing", ph.Name, ph.Switch)
		case ph.Makes && ph.Step == at+1:
			at++
		case ph.Makes && ph.Step > at:
			return fmt.Errorf("phase %q must stand behind %s", ph.Name, makers(ph.Step-1))
		case ph.Makes:
			return fmt.Errorf("phase %q makes again what another made: there is one of %s", ph.Name, makers(ph.Step))
		case ph.Step > at:
			return fmt.Errorf("phase %q must stand behind %s", ph.Name, makers(ph.Step))
		case ph.Step < at:
			return fmt.Errorf("phase %q must stand before %s", ph.Name, makers(ph.Step+1))
		}
	}
	if at != Showing {
		return fmt.Errorf("it ends without %s", makers(at+1))
	}
	return nil
}

// makers names the phases that a step may begin with.
func makers(step Step) string {
	var names []string
	for _, p := range profiles {
		for _, ph := range p.Phases {
			if name := fmt.Sprintf("%q", ph.Name); ph.Makes && ph.Step == step && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, " or ")
}

// Named is the profile of that name, or a [ProfileError].
func (ps Profiles) Named(name string) (*Profile, error) {
	if ps == nil {
		ps = profiles
	}
	known := make([]string, len(ps))
	for i, p := range ps {
		if known[i] = p.Name; p.Name == name {
			return p, nil
		}
	}
	return nil, &ProfileError{name, known}
}

// Check says what is wrong with a profile's name or with values for its flags: a ProfileError or a FlagError, as Search would return.
func (ps Profiles) Check(profile string, given map[string]any) error {
	p, err := ps.Named(profile)
	if err != nil {
		return err
	}
	_, err = p.values(given)
	return err
}

// Unaskable says whether a question names a profile that there is no more, or a flag that it does not have.
func Unaskable(err error) bool {
	var profile *ProfileError
	var flag *FlagError
	return errors.As(err, &profile) || errors.As(err, &flag)
}

// A ProfileError reports a profile that does not exist.
type ProfileError struct {
	Profile string
	Known   []string
}

func (e *ProfileError) Error() string {
	return fmt.Sprintf("profile %q: there is only %s%s", e.Profile, strings.Join(e.Known, ", "), hint(e.Profile, e.Known))
}

// hint asks whether another name was meant, "" where none is near.
func hint(name string, known []string) string {
	if guess := nearest.Name(name, known); guess != "" {
		return fmt.Sprintf("; did you mean %q?", guess)
	}
	return ""
}

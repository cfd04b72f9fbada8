package recall

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Flag is a setting of a phase. The type of its default is its kind: bool, float64 (a number) or string (one of Choices).
// In place of a number, true stands for the default and false for 0.
type Flag struct {
	Name     string
	Default  any
	Min, Max float64 // of a number
	Choices  []string
	Doc      string
}

// values are the flags of one search, all of them, each of its kind.
type values map[string]any

func (v values) on(name string) bool        { return v[name].(bool) }
func (v values) number(name string) float64 { return v[name].(float64) }
func (v values) choice(name string) string  { return v[name].(string) }

// allowed tells a person which values the flag takes.
func (f *Flag) allowed() string {
	switch f.Default.(type) {
	case bool:
		return "true or false"
	case string:
		return "one of " + strings.Join(f.Choices, ", ")
	}
	if math.IsInf(f.Max, 1) {
		return fmt.Sprintf("a number from %v", f.Min)
	}
	return fmt.Sprintf("a number from %v to %v", f.Min, f.Max)
}

// read turns a value, as JSON and TOML give it, into one of the flag's kind.
func (f *Flag) read(v any) (any, bool) {
	switch f.Default.(type) {
	case bool:
		b, ok := v.(bool)
		return b, ok
	case string:
		s, ok := v.(string)
		return s, ok && slices.Contains(f.Choices, s)
	}
	var n float64
	switch v := v.(type) {
	case nil:
		return f.Default, true
	case bool:
		if v {
			return f.Default, true
		}
	case int:
		n = float64(v)
	case int64:
		n = float64(v)
	case float64:
		n = v
	default:
		return nil, false
	}
	return n, n >= f.Min && n <= f.Max
}

// A FlagError reports a flag that the profile does not know, or a value that the flag does not take.
type FlagError struct {
	Flag   string
	Reason string
	Known  []string
}

func (e *FlagError) Error() string {
	return fmt.Sprintf("flag %q: %s (known flags: %s)", e.Flag, e.Reason, strings.Join(e.Known, ", "))
}

// Table is the flags of all phases, in their order, with the profile's defaults.
func (p *Profile) Table() (out []Flag) {
	defaults, _ := p.values(nil)
	for _, ph := range p.Phases {
		for _, f := range ph.Flags {
			f.Default = defaults[f.Name]
			out = append(out, f)
		}
	}
	return out
}

// flags are those of all phases, by name.
func (p *Profile) flags() map[string]*Flag {
	all := map[string]*Flag{}
	for _, ph := range p.Phases {
		for i := range ph.Flags {
			all[ph.Flags[i].Name] = &ph.Flags[i]
		}
	}
	return all
}

// flag is the flag of a name, nil for none.
func (p *Profile) flag(name string) *Flag {
	for _, ph := range p.Phases {
		for i := range ph.Flags {
			if ph.Flags[i].Name == name {
				return &ph.Flags[i]
			}
		}
	}
	return nil
}

// Values are the flags of the profile, by name, each of its kind: what is given, or else the default. A flag that the profile does not
// know, or a value that it does not take, is a [FlagError].
func (p *Profile) Values(given map[string]any) (map[string]any, error) { return p.values(given) }

// values are the flags' defaults with what is given laid over them.
func (p *Profile) values(given map[string]any) (values, error) {
	flags := p.flags()
	v := make(values, len(flags))
	for name, f := range flags {
		v[name] = f.Default
	}
	maps.Copy(v, p.Flags)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		reason := fmt.Sprintf("unknown to profile %q%s", p.Name, hint(name, slices.Collect(maps.Keys(flags))))
		if f, ok := flags[name]; ok {
			if v[name], ok = f.read(given[name]); ok {
				continue
			}
			reason = fmt.Sprintf("want %s, got %v", f.allowed(), given[name])
		}
		return nil, &FlagError{name, reason, slices.Sorted(maps.Keys(flags))}
	}
	return v, nil
}

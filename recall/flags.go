package recall

import (
	"fmt"
	"slices"
	"strings"
)

// Flags of the default profile. Each names a part of the ranking that can be switched off, to see
// what it is worth.
const (
	FlagLexical    = "lexical"            // full-text candidates
	FlagVector     = "vector"             // vector candidates
	FlagNeighbours = "neighbours"         // support from what was said just before and after
	FlagSession    = "session"            // support from the rest of the session
	FlagSpeaker    = "speaker"            // rows by the person that the question names
	FlagDates      = "dates"              // rows near a date in the question, and rows with a time for a when-question
	FlagText       = "text"               // length and questions, judged from the text
	FlagRecency    = "recency"            // newer rows win ties
	FlagVariety    = "variety"            // a session that fills the answer gives way to others
	FlagFold       = "fold"               // one hit for each drawer
	FlagGuard      = "model_guard"        // vectors of another embedder than the index's are not compared
	FlagStrict     = "model_guard_strict" // and are an error
	FlagMinScore   = "min_score"          // a number: the relevance that an answer needs, 1 by default; 0 or false: none
)

var defaultFlags = map[string]bool{
	FlagLexical: true, FlagVector: true, FlagNeighbours: true, FlagSession: true, FlagSpeaker: true,
	FlagDates: true, FlagText: true, FlagRecency: true, FlagVariety: true, FlagFold: true, FlagGuard: true, FlagStrict: false, FlagMinScore: true,
}

// A FlagError reports a flag that the profile does not know, or a value of the wrong kind.
type FlagError struct {
	Flag   string
	Reason string
	Known  []string
}

func (e *FlagError) Error() string {
	return fmt.Sprintf("flag %q: %s (known flags: %s)", e.Flag, e.Reason, strings.Join(e.Known, ", "))
}

// A ProfileError reports a profile that does not exist.
type ProfileError struct{ Profile string }

func (e *ProfileError) Error() string {
	return fmt.Sprintf("profile %q: there is only \"default\"", e.Profile)
}

// flags are switches, and one number, which floorOf reads; those that a query does not name have their default.
type flags map[string]bool

// Check says what is wrong with a profile's name or with values for its flags: a ProfileError or a FlagError, as Search would return.
func Check(profile string, given map[string]any) error {
	_, err := parseFlags(profile, given)
	return err
}

func parseFlags(profile string, given map[string]any) (flags, error) {
	if profile != "default" {
		return nil, &ProfileError{profile}
	}
	for _, name := range sortedKeys(given) {
		if _, ok := defaultFlags[name]; !ok {
			return nil, &FlagError{name, "unknown to profile \"default\"", sortedKeys(defaultFlags)}
		}
		if _, ok := floorOf(given[name]); ok && name == FlagMinScore {
			continue
		}
		if _, ok := given[name].(bool); !ok {
			return nil, &FlagError{name, fmt.Sprintf("want true or false, got %v", given[name]), sortedKeys(defaultFlags)}
		}
	}
	f := make(flags, len(given))
	for name, v := range given {
		f[name], _ = v.(bool)
	}
	return f, nil
}

// floorOf reads a value of [FlagMinScore], as JSON and TOML give it; nil is the default.
func floorOf(v any) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return defaultFloor, true
	case bool:
		if v {
			return defaultFloor, true
		}
		return 0, true
	case int:
		return float64(v), v >= 0
	case int64:
		return float64(v), v >= 0
	case float64:
		return v, v >= 0
	}
	return 0, false
}

func (f flags) on(name string) bool {
	if v, ok := f[name]; ok {
		return v
	}
	return defaultFlags[name]
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

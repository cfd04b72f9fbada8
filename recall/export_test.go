package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// Search is a search by a profile that no query can name.
func (p *Profile) Search(ctx context.Context, s *Searcher, q Query) (Result, error) {
	return p.search(ctx, s, q)
}

// Fake is the default profile with phases of four kinds in it, which do nothing until their flags say so.
func Fake(defaults map[string]any) *Profile {
	phases := slices.Clone(profiles[0].Phases)
	insert := func(before, added *Phase) {
		phases = slices.Insert(phases, slices.Index(phases, before), added)
	}
	insert(guard, &Phase{ // warns or stops
		Name: "watch", Flags: []Flag{{Name: "watch", Default: "off", Choices: []string{"off", "warn", "stop"}, Doc: "…"}},
		Run: func(_ context.Context, r *search) error {
			switch r.flags.choice("watch") {
			case "warn":
				r.warn("watched")
			case "stop":
				return errors.New("stopped")
			}
			return nil
		},
	})
	insert(surroundings, &Phase{ // gathers candidates
		Name: "votes", Switch: "votes", Parts: []string{"votes"},
		Flags: []Flag{
			{Name: "votes", Default: false, Doc: "…"},
			{Name: "votes_weight", Default: 2.0, Min: 0.5, Max: 50, Doc: "…"},
		},
		Run: func(_ context.Context, r *search) error {
			first := catalog.Key(1)
			r.pool.add([]catalog.Key{first})
			r.pool.cands[r.pool.byKey[first]].book("votes", r.flags.number("votes_weight"))
			return nil
		},
	})
	insert(order, &Phase{ // scores
		Name: "fit", Stage: "rank", Switch: "fit", Parts: []string{"fit"},
		Flags: []Flag{{Name: "fit", Default: false, Doc: "…"}},
		Run:   eachRow(func(_ *search, row *scoredRow) { row.scale("fit", 1/float64(len(row.row.Text))) }),
	})
	insert(show, &Phase{ // filters
		Name: "without_facts", Switch: "without_facts", Flags: []Flag{{Name: "without_facts", Default: false, Doc: "…"}},
		Run: func(_ context.Context, r *search) error {
			r.ranked = slices.DeleteFunc(r.ranked, func(g ranked) bool { return g.rows[0].row.Source == catalog.ArchiveLog })
			return nil
		},
	})
	return &Profile{Name: "fake", Phases: phases, Flags: defaults}
}

// CheckProfiles says what is wrong with the table of profiles.
func CheckProfiles() (wrong []string) {
	seen := map[string]bool{}
	once := func(p *Profile, kind, name string) {
		if key := p.Name + " " + kind + " " + name; name == "" || seen[key] {
			wrong = append(wrong, key+": no name, or twice")
		} else {
			seen[key] = true
		}
	}
	for _, p := range profiles {
		once(&Profile{}, "profile", p.Name)
		for _, ph := range p.Phases {
			once(p, "phase", ph.Name)
			for _, part := range ph.Parts {
				once(p, "part", part)
			}
			for _, f := range ph.Flags {
				once(p, "flag", f.Name)
				if _, ok := f.read(f.Default); !ok || f.Doc == "" {
					wrong = append(wrong, f.Name+": a default that it does not take, or no doc")
				}
			}
			if f := p.flags()[ph.Switch]; ph.Switch != "" && (f == nil || f.Default != true && f.Default != false) {
				wrong = append(wrong, ph.Name+": its switch is no flag of true and false")
			}
		}
		if _, err := p.values(p.Flags); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	return wrong
}

// Parts are the names that the default profile's breakdowns may hold.
func Parts() (names []string) {
	for _, ph := range profiles[0].Phases {
		names = append(names, ph.Parts...)
	}
	return names
}

// Markdown is docs/recall.md from the heading of its last part on.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Profiles of recall\n\nA search runs the phases of its profile, in this order. The trace lists stages;\n" +
		"a phase is left out where its switch is false.\n" +
		"Flags are set for one search (`flags`) or for all (`[recall.flags]` in the [settings](settings.md)); an unknown one is an error.\n" +
		"In place of a number, `false` stands for 0 and `true` for the default.\n" +
		"The parts of `score_breakdown` are summed up in the order of the phases. (Made from the code's table.)\n")
	for _, p := range profiles {
		fmt.Fprintf(&b, "\n## %s\n\n| phase | stage | switch | parts of the score |\n|---|---|---|---|\n", p.Name)
		for _, ph := range p.Phases {
			stage := ph.Stage
			if stage == "" {
				stage = ph.Name
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", ph.Name, stage, ph.Switch, strings.Join(ph.Parts, ", "))
		}
		b.WriteString("\n| flag | values | default | meaning |\n|---|---|---|---|\n")
		defaults, _ := p.values(nil)
		for _, ph := range p.Phases {
			for _, f := range ph.Flags {
				fmt.Fprintf(&b, "| `%s` | %s | %v | %s |\n", f.Name, f.allowed(), defaults[f.Name], f.Doc)
			}
		}
	}
	return b.String()
}

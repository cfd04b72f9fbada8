package recall

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
)

// Search is a search by a profile that no query can name.
func (p *Profile) Search(ctx context.Context, s *Searcher, q Query) (Result, error) {
	return p.search(ctx, s, q)
}

// Lacking is the profile without some of its phases, whose flags it knows.
func (p *Profile) Lacking(gone func(*Phase) bool) *Profile {
	out := *p
	out.Phases = nil
	var flags []Flag
	for _, ph := range p.Phases {
		if gone(ph) {
			flags = append(flags, ph.Flags...)
		} else {
			out.Phases = append(out.Phases, ph)
		}
	}
	first := *out.Phases[0]
	first.Flags = slices.Concat(first.Flags, flags)
	out.Phases[0] = &first
	return &out
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
		if err := p.check(); err != nil {
			wrong = append(wrong, p.Name+": "+err.Error())
		}
	}
	return wrong
}

// Parts are the names that a profile's breakdowns may hold.
func Parts(profile string) (names []string) {
	p, err := Profiles.Named(nil, profile)
	if err != nil {
		panic(err)
	}
	for _, ph := range p.Phases {
		names = append(names, ph.Parts...)
	}
	return names
}

// Markdown is docs/recall.md from the heading of its last part on.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Profiles of recall

A search runs the phases of its profile, in their order. The trace lists stages; a phase is left out where its switch is false.
Flags are set for one search (` + "`flags`" + `), for all that name no profile (` + "`[recall.flags]`" + ` in the ` +
		`[settings](settings.md)) or for a
profile of your own; an unknown one is an error. In place of a number, ` + "`false` stands for 0 and `true`" + ` for the default.
The parts of ` + "`score_breakdown`" + ` are summed up in the order of the phases. ` + "`GET /memory/profiles`" + ` lists the same tables.
(Made from the code's table.)

A profile of your own is a variation of another: in the settings, ` + "`[recall.profiles.NAME]` says of which (`base`" + `; default ` +
		`where nothing is
said), sets flags and, with ` + "`phases`" + `, lists other phases in their order. A list that cannot run is an error at the start, ` +
		`which names
the place.

    [recall.profiles.near]
    base = "cosine"
    phases = ["model_guard", "gather", "similarity", "read", "recency", "order", "show", "min_score"]
    min_score = 0.5
`)
	seen := map[*Phase]bool{}
	flags := map[string]Flag{}
	var table strings.Builder
	b.WriteString("\n## Phases\n\n| phase | stage | switch | parts of the score |\n|---|---|---|---|\n")
	for _, p := range profiles {
		for _, ph := range p.Phases {
			if seen[ph] {
				continue
			}
			seen[ph] = true
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", ph.Name, ph.Counted(), ph.Switch, strings.Join(ph.Parts, ", "))
			for _, f := range ph.Flags {
				if _, ok := flags[f.Name]; !ok {
					flags[f.Name] = f
					fmt.Fprintf(&table, "| `%s` | %s | %v | %s |\n", f.Name, f.allowed(), f.Default, f.Doc)
				}
			}
		}
	}
	b.WriteString("\n## Flags\n\n| flag | values | default | meaning |\n|---|---|---|---|\n" + table.String())
	for _, p := range profiles {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\nPhases: ", p.Name, strings.ToUpper(p.Doc[:1])+p.Doc[1:])
		for i, ph := range p.Phases {
			b.WriteString(map[bool]string{true: ", "}[i > 0] + "`" + ph.Name + "`")
		}
		b.WriteString(".\n")
		if len(p.Flags) > 0 {
			b.WriteString("Other defaults:")
			for i, f := range slices.Sorted(maps.Keys(p.Flags)) {
				fmt.Fprintf(&b, "%s `%s` %v", map[bool]string{true: ","}[i > 0], f, p.Flags[f])
			}
			b.WriteString(".\n")
		}
	}
	return b.String()
}

// Occasion is what has to be asked for the wish of a text to hold, and how much of it a question names.
func Occasion(text, question string) (string, float64) {
	when := lexis.Occasion(text)
	set := newWordSet(question)
	return when, set.share(when)
}

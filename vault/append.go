package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/slice"
)

// AppendFacts files facts in the daily logs of their sections' days and returns them as they stand there, with ID, Day and
// Line. When AppendFacts returns without an error, the facts are safe on disk; with an error, some may be. A fact whose ID that
// day's log holds already is not written again, so a retry is harmless when the facts carry ids; those without get a random
// one.
func (v *Vault) AppendFacts(ctx context.Context, sections []SectionFacts) ([]Fact, error) {
	return v.appendFacts(ctx, sections, LogPath)
}

// AppendDiary appends entries to the diary of an agent, with the promises of [Vault.AppendFacts].
func (v *Vault) AppendDiary(ctx context.Context, agent string, sections []SectionFacts) ([]Fact, error) {
	name := AgentName(agent)
	if name == "" || utf8.RuneCountInString(name) > MaxAgent {
		return nil, failed("appending to", DiaryDir, fmt.Errorf("agent %q: %w", agent, ErrInvalid))
	}
	return v.appendFacts(ctx, sections, func(d Day) Path { return DiaryPath(name, d) })
}

// appendFacts appends to the file that a day has.
func (v *Vault) appendFacts(ctx context.Context, sections []SectionFacts, file func(Day) Path) ([]Fact, error) {
	var out []*Fact
	files := map[string]*logPart{}
	var parts []*part
	for _, sf := range sections {
		s := sf.Section
		day, at, err := v.when(s.At, time.Minute)
		if err != nil {
			return nil, err
		}
		s.At, s.Filed = at, v.filed(s.Filed, at)
		name := string(file(day))
		if files[name] == nil {
			files[name] = &logPart{}
			parts = append(parts, &part{name: name, kind: logFile, render: files[name].render, written: files[name].written})
		}
		group := logGroup{section: s}
		for _, f := range sf.Facts {
			f.Day, f.Section, f.Hand, f.Line = day, s, false, 0
			f.Text, f.Category, f.Tags = oneLine(f.Text), normalCategory(f.Category), normalTags(f.Tags)
			if f.Text == "" || f.ID != "" && !isID(f.ID) {
				return nil, failed("appending to", Path(name), fmt.Errorf("fact %q with id %q: %w", f.Text, f.ID, ErrInvalid))
			}
			group.facts = append(group.facts, &f)
			out = append(out, &f)
		}
		files[name].groups = append(files[name].groups, group)
	}
	if err := v.append(ctx, parts); err != nil {
		return nil, err
	}
	return slice.Map(out, func(f *Fact) Fact { return *f }), nil
}

// filed is what a section says of when its facts are filed, the present where nobody says: nothing where that is the time at which they
// were said, to the minute or so.
func (v *Vault) filed(at, said time.Time) time.Time {
	if at.IsZero() {
		at = v.Now()
	}
	at = at.UTC().Truncate(time.Second)
	if at.Truncate(time.Minute).Sub(said).Abs() <= time.Minute {
		return time.Time{}
	}
	return at
}

// when is the time that a record is filed under, and its day.
func (v *Vault) when(at time.Time, unit time.Duration) (Day, time.Time, error) {
	if at.IsZero() {
		at = v.Now()
	}
	at = at.UTC().Truncate(unit)
	day, err := ParseDay(string(DayOf(at)))
	if err != nil {
		return "", at, failed("appending", "", fmt.Errorf("%w: %w", ErrInvalid, err))
	}
	return day, at, nil
}

type logGroup struct {
	section Section
	facts   []*Fact
}

// logPart renders the sections of one request for one log.
type logPart struct{ groups []logGroup }

func (lp *logPart) render(b []byte, w *writing) []byte {
	for _, g := range lp.groups {
		var fresh []*Fact
		for _, f := range g.facts {
			for f.ID == "" {
				if id := NewID('f'); !w.has(id) {
					f.ID = id
				}
			}
			if !w.has(f.ID) {
				w.fresh[f.ID] = 0
				fresh = append(fresh, f)
			}
		}
		if len(fresh) == 0 {
			continue
		}
		b = appendSection(w.file.gap(b), g.section)
		for _, f := range fresh {
			w.fresh[f.ID] = w.line(b)
			b = appendFacts(b, []Fact{*f})
		}
	}
	return b
}

func (lp *logPart) written(line func(string) int) {
	for _, g := range lp.groups {
		for _, f := range g.facts {
			f.Line = line(f.ID)
		}
	}
}

// AppendDrawers files drawers under the days of their times and returns them with ID, Line and Filed, which is left zero within the hour
// in which they were said, with the promises of
// [Vault.AppendFacts].
func (v *Vault) AppendDrawers(ctx context.Context, drawers []Drawer) ([]Drawer, error) {
	filed, _, err := v.FileDrawers(ctx, drawers)
	return filed, err
}

// FileDrawers is [Vault.AppendDrawers] that also says of each drawer whether it was new to the file of its day.
func (v *Vault) FileDrawers(ctx context.Context, drawers []Drawer) (filed []Drawer, fresh []bool, err error) {
	out := make([]*Drawer, 0, len(drawers))
	files := map[string]*drawerPart{}
	var parts []*part
	for _, d := range drawers {
		day, at, err := v.when(d.At, time.Second)
		if err != nil {
			return nil, nil, err
		}
		d.At, d.Line = at, 0
		if d.Filed = d.Filed.UTC().Truncate(time.Second); d.Filed.IsZero() {
			d.Filed = v.Now().UTC().Truncate(time.Second)
		}
		if d.Filed.Truncate(time.Hour).Equal(at.Truncate(time.Hour)) { // nothing that a file need say
			d.Filed = time.Time{}
		}
		name := string(DrawerPath(day))
		if d.ID != "" && !isID(d.ID) {
			return nil, nil, failed("appending to", Path(name), fmt.Errorf("drawer id %q: %w", d.ID, ErrInvalid))
		}
		if files[name] == nil {
			files[name] = &drawerPart{fresh: map[*Drawer]bool{}}
			parts = append(parts, &part{name: name, kind: drawerFile, render: files[name].render, written: files[name].written})
		}
		files[name].drawers = append(files[name].drawers, &d)
		out = append(out, &d)
	}
	if err := v.append(ctx, parts); err != nil {
		return nil, nil, err
	}
	fresh = make([]bool, len(out))
	for i, d := range out {
		fresh[i] = files[string(DrawerPath(DayOf(d.At)))].fresh[d]
	}
	return slice.Map(out, func(d *Drawer) Drawer { return *d }), fresh, nil
}

// drawerPart renders the drawers of one request for one file.
type drawerPart struct {
	drawers []*Drawer
	fresh   map[*Drawer]bool // those that the file did not hold
}

func (dp *drawerPart) render(b []byte, w *writing) []byte {
	clear(dp.fresh)
	for _, d := range dp.drawers {
		for d.ID == "" {
			if id := NewID('d'); !w.has(id) {
				d.ID = id
			}
		}
		if w.has(d.ID) {
			continue
		}
		dp.fresh[d] = true
		b = w.file.gap(b)
		w.fresh[d.ID] = w.line(b)
		b = append(b, FormatDrawer(*d)...)
	}
	return b
}

func (dp *drawerPart) written(line func(string) int) {
	for _, d := range dp.drawers {
		d.Line = line(d.ID)
	}
}

// AppendState adds records to .state/name, one JSON object a line. The records are safe on disk when AppendState returns without an error.
func (v *Vault) AppendState(ctx context.Context, name string, recs ...any) error {
	p, err := statePath(name)
	if err != nil {
		return err
	}
	lines, err := stateLines(recs)
	if err != nil {
		return failed("appending to", p, err)
	}
	if len(lines) == 0 {
		return ctx.Err()
	}
	return v.append(ctx, []*part{statePart(p, lines)})
}

func statePath(name string) (Path, error) {
	p, err := ParsePath(StateDir + "/" + name)
	if err != nil || string(p) != StateDir+"/"+name {
		return "", failed("looking for", Path(name), fmt.Errorf("state file %q: %w", name, ErrPath))
	}
	return p, nil
}

func stateLines(recs []any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, r := range recs {
		start := b.Len()
		if err := enc.Encode(r); err != nil {
			return nil, err
		}
		if b.Bytes()[start] != '{' {
			return nil, fmt.Errorf("a %T is not a JSON object: %w", r, ErrInvalid)
		}
	}
	return b.Bytes(), nil
}

func statePart(p Path, lines []byte) *part {
	return &part{
		name: string(p), kind: stateFile,
		render:  func(b []byte, _ *writing) []byte { return append(b, lines...) },
		written: func(func(string) int) {},
	}
}

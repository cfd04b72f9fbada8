package catalog

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A keySet is a set of keys, as bits.
type keySet [][]uint64 // by key>>chunkBits; nil for none

func (s keySet) has(key Key) bool {
	n := int(key >> chunkBits)
	if key < 0 || n >= len(s) || s[n] == nil {
		return false
	}
	i := key & (chunkRows - 1)
	return s[n][i>>6]&(1<<(i&63)) != 0
}

// Passes says whether the filter lets a row through, as [Reader.Allow] does for those of the index.
func (f *Filter) Passes(r *Row) bool {
	is := func(want, have string) bool { return want == "" || want == have }
	for _, t := range f.Tags {
		if !slices.Contains(r.Tags, t) {
			return false
		}
	}
	return is(f.Wing, r.Wing) && is(f.Room, r.Room) && is(f.Hall, r.Hall) && is(f.Type, r.Type) && is(f.Category, r.Category) &&
		is(f.Agent, r.Agent) && is(f.Chat, r.Chat) && (len(f.Source) == 0 || slices.Contains(f.Source, r.Source)) &&
		(f.Speaker == "" || strings.EqualFold(f.Speaker, r.Speaker)) &&
		!(f.Standing && (r.Past || r.Aside || trust.Bar(trust.Said{Origin: r.Origin}, trust.Context) != "")) &&
		(f.From.IsZero() || !r.At.IsZero() && !r.At.Before(f.From)) && (f.To.IsZero() || !r.At.IsZero() && r.At.Before(f.To)) &&
		(f.Filed.IsZero() || !r.FiledAt().Before(f.Filed)) && (f.Known.IsZero() || r.FiledAt().Before(f.Known)) &&
		(f.View == nil || f.View.Sees(r) && f.View.Finds(r))
}

// A test is a filter whose names are numbers.
type test struct {
	ids      []wanted
	tags     []int32
	from, to int64 // noTime for open
	filed    int64 // noTime for any time
	known    int64 // noTime for any time
	timed    bool
	nothing  bool // a name that no row has
	clear    byte // flags that no row may have
	veil     veil
}

// empty says whether every row passes.
func (t *test) empty() bool {
	return len(t.ids) == 0 && len(t.tags) == 0 && !t.timed && !t.nothing && t.clear == 0 && t.filed == noTime && t.known == noTime &&
		t.veil.empty()
}

type wanted struct {
	kind int
	any  []int32
}

func (c *columns) compile(f Filter) test {
	t := test{from: noTime, to: noTime, filed: noTime, known: noTime, veil: c.veil(f.View)}
	want := func(kind int, names ...string) {
		w := wanted{kind: kind}
		for _, n := range names {
			if id, ok := c.names[kind].id[n]; ok {
				w.any = append(w.any, id)
			}
		}
		t.ids = append(t.ids, w)
		t.nothing = t.nothing || len(w.any) == 0
	}
	if len(f.Source) > 0 {
		names := slice.Map(f.Source, func(s SourceType) string { return string(s) })
		want(kindSource, names...)
	}
	for _, w := range []struct {
		kind int
		name string
	}{
		{kindWing, f.Wing},
		{kindRoom, f.Room},
		{kindHall, f.Hall},
		{kindType, f.Type},
		{kindCategory, f.Category},
		{kindAgent, f.Agent},
		{kindChat, f.Chat},
	} {
		if w.name != "" {
			want(w.kind, w.name)
		}
	}
	if f.Speaker != "" {
		var names []string
		for n := range c.names[kindSpeaker].id {
			if strings.EqualFold(n, f.Speaker) {
				names = append(names, n)
			}
		}
		want(kindSpeaker, names...)
	}
	for _, tag := range f.Tags {
		id, ok := c.names[kindTag].id[tag]
		t.nothing = t.nothing || !ok
		t.tags = append(t.tags, id)
	}
	if f.Standing {
		t.clear = flagPast | flagAside
		told := wanted{kind: kindOrigin, any: []int32{0}} // 0: by hand
		for n, id := range c.names[kindOrigin].id {
			if trust.Bar(trust.Said{Origin: vault.Origin(n)}, trust.Context) == "" {
				told.any = append(told.any, id)
			}
		}
		t.ids = append(t.ids, told)
	}
	if !f.From.IsZero() {
		t.from, t.timed = ceilUnix(f.From.Unix(), f.From.Nanosecond()), true
	}
	if !f.To.IsZero() {
		t.to, t.timed = ceilUnix(f.To.Unix(), f.To.Nanosecond()), true
	}
	if !f.Filed.IsZero() {
		t.filed = ceilUnix(f.Filed.Unix(), f.Filed.Nanosecond())
	}
	if !f.Known.IsZero() {
		t.known = ceilUnix(f.Known.Unix(), f.Known.Nanosecond())
	}
	return t
}

// ceilUnix rounds up: the columns keep whole seconds, as the vault does.
func ceilUnix(sec int64, nano int) int64 {
	if nano > 0 {
		sec++
	}
	return sec
}

func (t *test) match(c *columns, ch *chunk, i int) bool {
	if ch.flag[i]&t.clear != 0 || ch.filed[i] < t.filed || t.known != noTime && ch.filed[i] >= t.known {
		return false
	}
	for _, w := range t.ids {
		if !slices.Contains(w.any, ch.name[w.kind][i]) {
			return false
		}
	}
	if t.timed {
		u := ch.unix[i]
		if u == noTime || t.from != noTime && u < t.from || t.to != noTime && u >= t.to {
			return false
		}
	}
	for _, tag := range t.tags {
		if !slices.Contains(c.sets.list[ch.tags[i]], tag) {
			return false
		}
	}
	return !t.veil.hides(ch, i)
}

// keys evaluates the test on all rows.
func (t *test) keys(c *columns) keySet {
	set := make(keySet, len(c.chunks))
	if t.nothing {
		return set
	}
	for n, ch := range c.chunks {
		if ch != nil {
			set[n] = t.chunk(c, ch)
		}
	}
	return set
}

// chunk evaluates the test on one chunk, a column after the other.
func (t *test) chunk(c *columns, ch *chunk) []uint64 {
	bits := make([]uint64, chunkRows/64)
	pass := ch.ok
	for _, w := range t.ids {
		col := &ch.name[w.kind]
		if len(w.any) == 1 {
			for i, id := range col {
				pass[i] = pass[i] && id == w.any[0]
			}
			continue
		}
		for i, id := range col {
			pass[i] = pass[i] && slices.Contains(w.any, id)
		}
	}
	rest := test{tags: t.tags, timed: t.timed, from: t.from, to: t.to, filed: t.filed, known: t.known, clear: t.clear, veil: t.veil}
	for i := range pass {
		if pass[i] && rest.match(c, ch, i) {
			bits[i>>6] |= 1 << (i & 63)
		}
	}
	return bits
}

package forget

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A Search finds what a request names, and what tells the same: a fact takes the drawer along that it was extracted from, a drawer its
// facts, a line on a page the facts that it rests on.
type Search struct {
	kinds   []Kind
	ids     map[string]bool
	named   map[string]string // by ids of records: the ids of the request that stand for them
	chat    string
	terms   []string
	finder  *lexis.Finder   // of the terms
	same    map[string]bool // texts of which every copy is wanted, folded
	cited   map[markdown.Source]bool
	drawers map[string]bool    // that are wanted; true: with all their facts
	words   []string           // ids that are wanted, and the first word of the conversation's
	hidden  *vault.Tombstones  // what these know is left out; nil: nothing is
	may     func(*Target) bool // nil: all
	met     map[string]bool    // drawers that are asked for, as far as they were found
	closely bool               // each daily file is read closely
	seen    map[place]bool
	read    *reading
	targets []Target
	failed  error
}

// A reading knows of one request in which daily files nothing was told, so that each is read closely once: what a file holds is a function
// of its bytes. A file that grew meanwhile is read again; of its texts those are looked at that are new.
type reading struct {
	dull  map[page]bool
	now   page               // the file that is read
	told  bool               // something in it, as far as it was read
	mute  map[[2]uint64]bool // texts that do not answer the query, by two hashes
	seeds [2]maphash.Seed
}

// maxMute bounds the memory of a reading to some megabytes.
const maxMute = 1 << 17

func newReading() *reading {
	return &reading{
		dull: map[page]bool{}, mute: map[[2]uint64]bool{}, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
	}
}

// A page is a file of a kind by its bytes.
type page struct {
	kind string
	sum  vault.Hash
}

// next goes on to a file, and says whether something may be told in it.
func (r *reading) next(f page) bool {
	if r.now.kind != "" && !r.told {
		r.dull[r.now] = true
	}
	r.now, r.told = page{}, false
	if r.dull[f] {
		return false
	}
	r.now = f
	return true
}

// find gives the targets of a request. With hidden also those that were forgotten before. read is of the same request, and of the same
// texts in same.
func (r *Room) find(ctx context.Context, f Request, hidden bool, same map[string]bool, read *reading) ([]Target, error) {
	s := &Search{
		kinds: r.o.Kinds, ids: map[string]bool{}, named: map[string]string{}, chat: spaced(f.ChatID), same: same,
		cited: map[markdown.Source]bool{}, drawers: map[string]bool{}, met: map[string]bool{}, seen: map[place]bool{}, may: f.May, read: read,
	}
	s.terms = lexis.Terms(f.Query)
	s.finder = lexis.NewFinder(s.terms)
	for _, id := range f.IDs {
		s.ids[id] = true
		s.ids[id[:strings.IndexAny(id+".", ".~")]] = true // a row of a drawer in pieces, or of a line that was copied
	}
	s.words = slices.AppendSeq(s.words, maps.Keys(s.ids))
	if word, _, _ := strings.Cut(s.chat, " "); word != "" {
		s.words = append(s.words, word)
	}
	if !hidden {
		var err error
		if s.hidden, err = r.o.Vault.Tombstones(); err != nil {
			return nil, err
		}
	}
	for _, k := range r.o.Kinds {
		if k.Find == nil {
			continue
		}
		if err := k.Find(ctx, s); err != nil {
			return nil, err
		}
	}
	for _, k := range r.o.Kinds {
		if k.Resting == nil || len(s.targets) == 0 {
			continue
		}
		if err := k.Resting(ctx, s); err != nil {
			return nil, err
		}
	}
	return s.targets, s.failed
}

// spaced is a chat id as the files hold it.
func spaced(id string) string { return strings.Join(strings.Fields(id), " ") }

// Found are the ids of what was found by now.
func (s *Search) Found() map[string]bool {
	return slice.SetOf(s.targets, func(t Target) string { return t.ID })
}

// Texts are the texts of what was found by now.
func (s *Search) Texts() []string {
	return slice.Map(s.targets, func(t Target) string { return t.Text })
}

// Hidden says whether what was forgotten before is looked for as well, as a purge does.
func (s *Search) Hidden() bool { return s.hidden == nil }

// IDs are the ids that are named, sorted.
func (s *Search) IDs() []string { return slices.Sorted(maps.Keys(s.ids)) }

// Query is the words that are named and carry meaning.
func (s *Search) Query() string { return strings.Join(s.terms, " ") }

// Answers says whether the texts hold every word of the query that carries meaning. Being merely similar is not enough to be
// forgotten.
func (s *Search) Answers(texts ...string) bool {
	if len(s.terms) == 0 {
		return false
	}
	text := strings.Join(texts, " ")
	key := [2]uint64{maphash.String(s.read.seeds[0], text), maphash.String(s.read.seeds[1], text)}
	if s.read.mute[key] {
		return false
	}
	told := s.finder.In(text)
	if !told && len(s.read.mute) < maxMute {
		s.read.mute[key] = true
	}
	return told
}

// Tells says whether a line answers the query together with what stands above it, at least one of the words being its own: the name of a
// page or a heading says nothing of each line below.
func (s *Search) Tells(above, line string) bool {
	return s.Answers(above, line) && slices.ContainsFunc(lexis.Terms(line), func(t string) bool { return slices.Contains(s.terms, t) })
}

func holds(have, want []string) bool {
	return !slices.ContainsFunc(want, func(t string) bool { return !slices.Contains(have, t) })
}

// Names says whether a record is named by its id or its conversation, tells the query in its texts, or is a copy of what is forgotten.
func (s *Search) Names(id, chat, text string, texts ...string) bool {
	told := s.ids[id] || s.chat != "" && spaced(chat) == s.chat || s.Answers(append(texts, text)...) ||
		len(s.same) > 0 && s.same[lexis.Fold(text)]
	s.read.told = s.read.told || told
	return told
}

// Stands has an id of the request stand for a record that has another id. Stands is for kinds that come before that of the record.
func (s *Search) Stands(id, record string) {
	if !s.ids[record] {
		s.ids[record], s.named[record], s.words = true, id, append(s.words, record)
	}
}

// Add takes a target, and says whether it is new, not hidden already, and the asker's to forget. A target without an id fails the whole
// search: two of one file would be taken for one, and one of them would stay.
func (s *Search) Add(t Target) bool {
	if t.ID == "" {
		s.failed = fmt.Errorf("a record of %s has no id, by which it could be forgotten", t.File)
		return false
	}
	t.Named = s.named[t.ID]
	if s.seen[t.place()] || s.may != nil && !s.may(&t) {
		return false
	}
	if _, gone := s.hidden.Match(t.Text); gone {
		return false
	}
	s.seen[t.place()] = true
	s.targets = append(s.targets, t)
	return true
}

// AddLine takes a line of a page or a diary, and with it the facts that it rests on.
func (s *Search) AddLine(t Target) error {
	s.Add(t)
	for _, k := range s.kinds {
		if k.Rests == nil || !k.Owns(string(t.File)) {
			continue
		}
		src, err := k.Rests(t.File, t.Line)
		if err != nil {
			return err
		}
		for _, f := range src {
			s.cited[f], s.words = true, append(s.words, f.ID)
		}
	}
	return nil
}

// want asks for a drawer, and maybe for all its facts.
func (s *Search) want(drawer string, facts bool) {
	s.drawers[drawer], s.words = facts, append(s.words, drawer)
}

// missing says whether a drawer that is asked for was in no file that was read closely. A drawer whose id a person took off its heading has
// one that derives from its text, and does not stand in the file.
func (s *Search) missing() bool {
	for id := range s.drawers {
		if !s.met[id] {
			return true
		}
	}
	return false
}

// mayHold says whether a daily file of a kind is worth reading closely: named records have one of the words.
func (s *Search) mayHold(kind string) func(data []byte) bool {
	return func(data []byte) bool {
		worded := len(s.terms)+len(s.same) > 0 && s.read.next(page{kind, vault.HashOf(data)})
		return worded || s.closely || len(s.words) > 32 || strings.ContainsAny(s.chat, "\\—^#") ||
			slices.ContainsFunc(s.words, func(w string) bool { return bytes.Contains(data, []byte(w)) })
	}
}

package route

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A reading is what a fact says, and of whom.
type reading struct {
	text   string // without who says it
	ws     []word
	voice  string    // key of who speaks, of the owner where nobody with a name does
	self   bool      // the words are the speaker's own, or it is "the user" of whom they tell
	quoted bool      // it is somebody's words as they were said
	we     bool      // it tells of the speaker's team as well
	german bool      // nouns have capitals: they are no names
	subs   []subject // what it is about, nearest first: Lina and Mara for "Mara's daughter Lina"
	head   int       // the word that the subject begins with, behind articles and owners
	named  []subject // names anywhere in it
	system subject   // "my weather app", wherever it stands

	project string // key of the project that the words name, "" for none
	wing    string // key of the project that the wing stands for
}

// A subject is a name that a fact is about, or mentions.
type subject struct {
	key, shown string
	lo, hi     int    // words
	role       list   // kin, friend, pet, opus, system, title: what the words around it make of it
	human      bool   // does what only people do
	loose      bool   // nothing but its place in the sentence gives it a capital
	full       string // "billing service"
	own        bool   // of a system: words call it somebody's, or a project; any product is an app
	titled     string // with Dr., Mrs., … where that stood before it
}

// A reader reads facts. known tells names that have a page or speak, and need no other sign than being written.
type reader struct {
	known    func(key string) bool
	speakers map[string]bool
	reading
}

// read finds whom a fact is about. voice gives the key of a speaker.
func (r *reader) read(it Item, voice func(string) string) reading {
	r.reading = reading{voice: voice(it.Speaker), self: isIn(user, key(it.Speaker))}
	text := it.Text
	if strings.ContainsFunc(text, unicode.IsControl) {
		text = lexis.OneLine(text, "")
	}
	if name, words, ok := vault.CutQuote(text); ok {
		r.voice, r.self, r.quoted, text = voice(name), true, true, words
	} else if name, words, ok := strings.Cut(text, ": "); ok && it.Speaker != "" && key(name) == key(it.Speaker) {
		text = words
	}
	r.text, _, _ = strings.Cut(text, " (picture: ")
	r.ws = cut(r.text)
	n := slice.Count(r.ws, func(w word) bool { return w.is(germanic) })
	r.german = n >= 2 || n == 1 && len(r.ws) <= 5
	r.subs = r.subjects(r.start())
	r.mentions()
	return r.reading
}

// start is the word that the main clause begins with, behind "Well,", "On 4 March" and whoever is spoken to.
func (r *reader) start() int {
	for i := 0; i+1 < len(r.ws); i++ {
		w, next := &r.ws[i], &r.ws[i+1]
		known := r.known(w.fold)
		switch {
		case known && (next.gap == '!' || next.gap == ',' && r.speakers[w.fold] && r.told(i+1) == 0), !known && w.is(filler): // spoken to; "Well"
		case !known && w.is(lead):
			for k := i + 1; k < min(i+16, len(r.ws)); k++ {
				if w, before := &r.ws[k], &r.ws[k-1]; w.gap == ',' || (before.num || before.is(month)) && w.capital && !w.is(month) {
					return k
				}
			}
			return i
		default:
			return i
		}
	}
	return max(len(r.ws)-1, 0)
}

// subjects reads what the clause that begins at i is about.
func (r *reader) subjects(i int) []subject {
	if i+1 < len(r.ws) && r.ws[i].is(article) && !r.known(r.ws[i].fold) {
		i++
	}
	if r.head = i; i >= len(r.ws) {
		return nil
	}
	w := &r.ws[i]
	if r.user(i) {
		if r.self = true; w.owns {
			return r.subjects(i + 1)
		}
		return nil
	}
	if f, ok := strings.CutSuffix(w.fold, "s"); ok && w.capital && !w.owns && !r.known(w.fold) && r.known(f) {
		s := r.nameAt(i, i+1) // "Alices Schwester Noor"
		s.key, s.shown = f, strings.TrimSuffix(s.shown, "s")
		r.head++
		return append(r.role(i+1), s)
	}
	if s := r.project(i); s != nil {
		return s
	}
	if s := r.role(i); s != nil {
		return s
	}
	if n := r.span(i); n > 0 {
		return r.name(i, n)
	}
	for k := i + 1; k < min(i+3, len(r.ws)); k++ { // "launch of Atlas", "next release of Atlas"
		switch r.ws[k].fold {
		case "of", "for", "von", "fur", "de":
			if s := r.project(k + 1); s != nil {
				return s
			}
			if n := r.span(k + 1); n > 0 {
				return []subject{r.nameAt(k+1, k+1+n)}
			}
		}
	}
	return nil
}

// user tells "the user prefers …" from "the user table".
func (r *reader) user(i int) bool {
	w := &r.ws[i]
	if !w.is(user) || r.known(w.fold) || !w.capital && (i == 0 || !r.ws[i-1].is(article)) {
		return false
	}
	if w.owns || i+1 >= len(r.ws) {
		return true
	}
	next := &r.ws[i+1]
	return next.is(copula|human|says|filler) || lexis.IsStop(next.fold) || strings.HasSuffix(next.fold, "s") ||
		strings.HasSuffix(next.fold, "ed") || strings.HasSuffix(next.fold, "t")
}

// name reads the subject that begins with a name of n words.
func (r *reader) name(i, n int) []subject {
	s := r.nameAt(i, i+n)
	owns := r.ws[s.hi-1].owns
	s.loose = s.hi-s.lo == 1 && !r.ws[s.lo].coined && !owns && s.titled == "" && !r.known(s.key) && (i == 0 || !r.ws[i-1].is(article))
	if s.loose && !isGiven(s.key) && (r.german || lexis.Frequency(s.key) > lexis.FrequencyFloor) {
		return nil // any word may begin a sentence
	}
	if s.hi >= len(r.ws) {
		return []subject{s}
	}
	next := &r.ws[s.hi]
	switch {
	case owns:
		r.head, r.we, s.human = s.hi, next.fold == "team", next.is(owned|kin)
		return append(r.role(s.hi), s)
	case next.is(says):
		s.human = true
		return append(r.said(s.hi), s)
	}
	s.role |= r.told(s.hi)
	s.human = next.is(human) || slices.ContainsFunc(r.ws[s.hi:min(len(r.ws), s.hi+12)], func(w word) bool { return w.is(theirs) })
	return []subject{s}
}

// said reads what is told of, where the subject only says it: the launch of Atlas, in "Mara says that the launch of Atlas is on 4 March".
func (r *reader) said(i int) []subject {
	i++
	if i < len(r.ws) && (r.ws[i].fold == "that" || r.ws[i].fold == "dass" || r.ws[i].fold == "que") {
		i++
	}
	if i+1 >= len(r.ws) || r.ws[i].gap != 0 || r.ws[i].is(lead) {
		return nil
	}
	return r.subjects(i)
}

// told reads "is Alice's sister", "is the sister of Alice", ", Alice's sister": what a name is said to be.
func (r *reader) told(i int) list {
	if i < len(r.ws) && (r.ws[i].is(copula) || r.ws[i].gap == ',' && (r.ws[i].owns || r.ws[i].is(article))) {
		for k := i; k < min(i+5, len(r.ws)); k++ {
			if l := r.ws[k].lists & (kin | friend | pet | opus); l != 0 {
				return l
			}
		}
	}
	return 0
}

// role reads "older sister Noor", "dog Bruno", "the novel Middlemarch", "hermana de Alice, Noor,".
func (r *reader) role(i int) []subject {
	k := i
	for ; k < min(i+2, len(r.ws)) && !r.ws[k].is(kin|friend|pet|opus); k++ {
		if r.ws[k].capital || lexis.IsStop(r.ws[k].fold) {
			return nil
		}
	}
	if k >= len(r.ws) || !r.ws[k].is(kin|friend|pet|opus) {
		return nil
	}
	if r.head = k; r.ws[k].owns || k+1 >= len(r.ws) {
		return nil
	}
	l := r.ws[k].lists & (kin | friend | pet | opus)
	var owner []subject
	if f := r.ws[k+1].fold; f == "de" || f == "von" || f == "of" {
		n := r.span(k + 2)
		if n == 0 {
			return nil
		}
		owner = []subject{r.nameAt(k+2, k+2+n)}
		for k += 1 + n; k+1 < len(r.ws) && (r.ws[k+1].fold == "se" || r.ws[k+1].fold == "llama" || r.ws[k+1].fold == "is"); k++ {
		}
	}
	n := r.span(k + 1)
	if n == 0 || r.ws[k+1].gap != 0 && (r.ws[k+1].gap != ',' || r.speakers[r.key(k+1, k+1+n)]) {
		return owner // "With Alice's friend, Bob can do it" is about another
	}
	s := r.nameAt(k+1, k+1+n)
	s.role |= l
	return append([]subject{s}, owner...)
}

// project reads "billing service", "Billing-Dienst", "servicio de facturación" and "project Apollo" at i.
func (r *reader) project(i int) []subject {
	if i >= len(r.ws) {
		return nil
	}
	at := func(lo, hi, end int) []subject {
		s := r.nameAt(lo, hi)
		s.role, s.full, s.hi = system, r.key(min(i, lo), end), end
		owned := i > 0 && (r.ws[i-1].owns || isIn(mine, r.ws[i-1].fold))
		s.own = owned || slices.ContainsFunc(r.ws[i:end], func(w word) bool { return w.is(bare) })
		return []subject{s}
	}
	w := &r.ws[i]
	if head, noun, ok := strings.Cut(w.fold, "-"); ok && isIn(system, noun) && !isIn(nosystem, head) {
		s := at(i, i+1, i+1)
		s[0].key, s[0].shown = key(head), head
		return s
	}
	if w.is(system) && i+1 < len(r.ws) {
		if n := r.span(i + 1); n > 0 && r.ws[i+1].gap == 0 && w.is(bare) {
			return at(i+1, i+1+n, i+1+n)
		}
		if r.ws[i+1].fold == "de" && i+2 < len(r.ws) && !r.ws[i+2].is(article|user) {
			return at(i+2, i+3, i+3)
		}
	}
	for k := i; k < min(i+2, len(r.ws)-1); k++ {
		w := &r.ws[k]
		if w.owns || w.num || r.ws[k+1].gap != 0 || w.is(nosystem|system|user|kin|friend|pet) || lexis.IsStop(w.fold) {
			return nil
		}
		if r.ws[k+1].is(system) {
			return at(i, k+1, k+2)
		}
	}
	return nil
}

// span is the length in words of the name that begins at i, 0 for none.
func (r *reader) span(i int) int {
	if i >= len(r.ws) || !r.namelike(i) {
		return 0
	}
	n := 1
	for k := i + 1; k < min(i+5, len(r.ws)) && r.ws[i].capital; k++ {
		w, before := &r.ws[k], &r.ws[k-1]
		stop := w.gap == '.' && (before.end-before.start == 1 || before.is(title)) // of an initial
		if before.owns || w.gap != 0 && !stop {
			break
		}
		if r.namelike(k) && w.capital {
			n = k - i + 1
		} else if !w.is(particle) || k+1 >= len(r.ws) || !r.ws[k+1].capital {
			break
		}
	}
	return n
}

func (r *reader) namelike(i int) bool {
	w := &r.ws[i]
	head, _, short := strings.Cut(strings.ReplaceAll(w.fold, "’", "'"), "'") // We're
	return r.known(w.fold) || w.capital && !w.is(month|pronoun|user) && !lexis.IsStop(w.fold) &&
		!(short && (len(head) < 2 || isIn(pronoun, head) || lexis.IsStop(head)))
}

// mentions lists what is written like a name, and the system that the words tell of as somebody's.
func (r *reader) mentions() {
	for i := 0; i < len(r.ws); i++ {
		w := &r.ws[i]
		for lo := i - 1; w.is(system) && r.system.key == "" && lo > max(0, i-3); lo-- {
			if r.ws[lo-1].is(article) || r.ws[lo-1].owns {
				if s := r.project(lo); s != nil && s[0].hi == i+1 {
					r.system = s[0]
				}
			}
		}
		if n := r.span(i); n > 0 && (i > 0 && w.capital && !r.german && !sentenceEnd(w.gap) || r.known(w.fold)) {
			r.named = append(r.named, r.nameAt(i, i+n))
			i += n - 1
		}
	}
}

func sentenceEnd(gap byte) bool { return gap == '.' || gap == '!' || gap == '?' || gap == ':' }

// nameAt is the name of the words lo to hi, without a title such as Mr.
func (r *reader) nameAt(lo, hi int) subject {
	s := subject{hi: hi}
	for lo+1 < hi && r.ws[lo].is(title) {
		s.titled, s.role = lexis.OneLine(r.text[r.ws[lo].start:r.ws[hi-1].end], ""), title
		lo++
	}
	s.key, s.shown, s.lo = r.key(lo, hi), r.text[r.ws[lo].start:r.ws[hi-1].end], lo
	return s
}

func (r *reader) key(lo, hi int) string {
	if hi == lo+1 && !strings.ContainsAny(r.ws[lo].fold, "-_’") {
		return r.ws[lo].fold
	}
	return key(r.text[r.ws[lo].start:r.ws[hi-1].end])
}

package route

import (
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// A reading is what the router saw in a fact.
type reading struct {
	text   string // without the description of a picture
	ws     []word
	german bool // nouns have capitals: they are no names
	sub    subject
	said   *subject // of what the subject only says: the launch, of "Mara says that the launch is on 4 March"
	named  []name   // names inside the sentence, in order
}

// A name is a run of words that looks like one.
type name struct {
	key    string
	shown  string
	lo, hi int    // words
	vote   vote   // what the word before it makes of it
	titled string // with Dr., Mrs., … where that stood before it
}

// A subject is what a statement is about.
type subject struct {
	name   name
	kin    bool   // named as a relative of someone
	friend bool   // named as a friend, a neighbour, a doctor … of someone
	pet    bool   // named as someone's pet
	human  bool   // does what people do
	weak   bool   // nothing but its place in the sentence gives it a capital
	we     bool   // the speaker's team, or the speaker and others
	user   bool   // "the user": whoever spoke
	system string // billing, of "the billing service": key
	full   string // billing service
	thing  bool   // does what programs do
	event  bool   // "the launch": something with a date
	owner  name   // Mara, of "Mara's daughter Lina"
	of     name   // Atlas, of "the launch of Atlas"
}

// A vote says what a name may be the name of.
type vote uint8

const (
	voteNone vote = iota
	votePerson
	votePet
	votePlace
	voteOrg
	voteTool
	voteWork
	votes
)

// voteLists are the words before a name that vote; listNone where none do.
var voteLists = [votes]list{
	votePerson: listVotePerson, votePlace: listVotePlace,
	voteOrg: listVoteOrg, voteTool: listVoteTool, voteWork: listVoteWork,
}

// A reader reads facts. known tells names that need no other sign than being written.
type reader struct {
	speakers map[string]bool
	known    func(key string) bool
	text     string
	ws       []word
	speaker  string
	german   bool
}

// read finds the subject and the names of a fact.
func (r *reader) read(it Item) reading {
	text, _, _ := strings.Cut(it.Text, " (picture: ")
	if strings.ContainsFunc(text, unicode.IsControl) {
		text = oneLine(text)
	}
	r.text, r.ws, r.speaker = text, cut(text), key(it.Speaker)
	r.german = germanic(r.ws)
	out := reading{text: text, ws: r.ws, german: r.german}
	if len(r.ws) == 0 {
		return out
	}
	i := r.start()
	out.sub = r.subject(i)
	out.said = r.said(i, out.sub)
	out.named = r.names()
	return out
}

func germanic(ws []word) bool {
	n := 0
	for _, w := range ws {
		if is(listGermanic, w.fold) {
			n++
		}
	}
	return n >= 2 || n == 1 && len(ws) <= 5
}

// start is the word that the main clause begins with.
func (r *reader) start() int {
	i := 0
	if n := r.span(0, true); n > 0 && r.speaker != "" && r.key(0, n) == r.speaker && n < len(r.ws) && r.ws[n].gap == ':' {
		i = n
	}
	for i+1 < len(r.ws) {
		w := r.ws[i]
		switch {
		case is(listFiller, w.fold) && !r.known(w.fold), is(listRemark, w.fold) && r.ws[i+1].gap == ':':
			i++
		case r.speakers[w.fold] && w.fold != r.speaker && !w.owns && r.ws[i+1].gap == ',' && !r.appositive(i+1):
			i++ // spoken to
		case is(listLead, w.fold) && !r.known(w.fold):
			return r.afterLead(i)
		default:
			return i
		}
	}
	return i
}

// appositive tells whether what stands at i says who the one before is: "Noor, Alice's sister, …".
func (r *reader) appositive(i int) bool {
	for k := i; k < min(i+3, len(r.ws)); k++ {
		if is(listKin, r.ws[k].fold) || is(listFriend, r.ws[k].fold) {
			return true
		}
	}
	return false
}

// afterLead skips "On 4 March", "If it rains," and the like.
func (r *reader) afterLead(i int) int {
	if i+2 < len(r.ws) && r.ws[i].fold == "as" && r.ws[i+1].fold == "for" {
		return i + 2
	}
	for k := i + 1; k < min(i+16, len(r.ws)); k++ {
		if r.ws[k].gap == ',' {
			return k
		}
		if before := r.ws[k-1]; (before.num || is(listMonths, before.fold)) && r.ws[k].capital && !is(listMonths, r.ws[k].fold) {
			return k
		}
	}
	return i
}

// subject reads what the clause that begins at i is about.
func (r *reader) subject(i int) subject {
	w := r.ws[i]
	if is(listArticle, w.fold) || is(listKin, w.fold) && !is(listTitle, w.fold) {
		return r.described(i)
	}
	if w.capital && r.user(i) {
		return subject{user: true}
	}
	if s, ok := r.project(i); ok {
		return s
	}
	if s, ok := r.genitive(i); ok {
		return s
	}
	n := r.span(i, true)
	if n > 1 && !r.known(r.key(i, i+n)) && r.plain(w) { // "Personally Kevin": the first capital is that of the sentence
		if i++; !r.known(r.ws[i].fold) {
			return subject{}
		}
		n--
	}
	if n == 0 || is(listPronoun, w.fold) || lexis.IsStop(w.fold) && !r.known(w.fold) {
		return subject{}
	}
	return r.about(i, n)
}

// user tells "the user prefers …" from "the user table".
func (r *reader) user(i int) bool {
	if !is(listUser, r.ws[i].fold) || r.known(r.ws[i].fold) {
		return false
	}
	if r.ws[i].owns || i+1 >= len(r.ws) {
		return true
	}
	v := r.ws[i+1].fold
	return is(listHuman, v) || is(listCopula, v) || lexis.IsStop(v) || strings.HasSuffix(v, "s") ||
		strings.HasSuffix(v, "ed") || strings.HasSuffix(v, "t")
}

// plain tells a word that is no part of a name although it has a capital.
func (r *reader) plain(w word) bool {
	return !w.coined && !w.owns && !r.known(w.fold) && !is(listTitle, w.fold) &&
		(lexis.IsStop(w.fold) || lexis.Frequency(w.fold) > lexis.FrequencyFloor)
}

// about reads the subject that begins with the name of n words at i.
func (r *reader) about(i, n int) subject {
	s := subject{name: r.nameAt(i, i+n)}
	w, last := r.ws[i], r.ws[i+n-1]
	s.weak = n == 1 && !w.coined && !w.owns && !r.known(s.name.key)
	next := i + n
	if next >= len(r.ws) {
		return s
	}
	v := r.ws[next]
	s.thing = r.thing(next, last.owns)
	switch {
	case last.owns:
		if t, ok := r.relative(next); ok {
			t.owner = s.name
			return t
		}
		s.we = v.fold == "team"
		s.human = is(listOwned, v.fold) || is(listKin, v.fold)
	case v.fold == "and" && next+1 < len(r.ws) && r.ws[next+1].fold == "others":
		s.we = true
	case is(listHuman, v.fold), is(listCopula, v.fold) && next+1 < len(r.ws) && is(listBirth, r.ws[next+1].fold):
		s.human = true
	default:
		s.kin, s.friend, s.pet = r.told(next)
	}
	return s
}

// relative reads "sister Noor" behind a possessive.
func (r *reader) relative(i int) (subject, bool) {
	for k := i; k < min(i+3, len(r.ws)); k++ {
		f := r.ws[k].fold
		kin, friend, pet := is(listKin, f), is(listFriend, f), is(listPet, f)
		if !kin && !friend && !pet {
			continue
		}
		if k+1 < len(r.ws) && !r.ws[k].owns && (r.ws[k+1].gap == 0 || r.ws[k+1].gap == ',') && r.ws[k+1].capital {
			// "With Alice's friend, Bob can do it" is about another
			if n := r.span(k+1, false); n > 0 && (r.ws[k+1].gap == 0 || !r.speakers[r.key(k+1, k+1+n)]) {
				return subject{name: r.nameAt(k+1, k+1+n), kin: kin, friend: friend, pet: pet}, true
			}
		}
		return subject{}, false
	}
	return subject{}, false
}

// told reads "is Alice's sister", "is the sister of Alice", ", Alice's sister".
func (r *reader) told(i int) (kin, friend, pet bool) {
	if !is(listCopula, r.ws[i].fold) && (r.ws[i].gap != ',' || !r.ws[i].owns && !is(listArticle, r.ws[i].fold)) {
		return false, false, false
	}
	for k := i; k < min(i+5, len(r.ws)); k++ {
		f := r.ws[k].fold
		if kin, friend, pet = is(listKin, f), is(listFriend, f), is(listPet, f); kin || friend || pet {
			return kin, friend, pet
		}
	}
	return false, false, false
}

// verbal tells whether a verb seems to follow the subject, which makes an uncommon word a name: "Yusuf repairs …".
func (rd *reading) verbal(n name) bool {
	if n.hi >= len(rd.ws) || strings.HasSuffix(n.key, "s") || lexis.Frequency(n.key) > lexis.FrequencyFloor || lex().topicOf(n.key) > 0 {
		return false
	}
	v := rd.ws[n.hi].fold
	return is(listCopula, v) || v == "has" || v == "had" || len(v) > 3 && (strings.HasSuffix(v, "s") || strings.HasSuffix(v, "ed"))
}

// isWeight is how much "Hortus is a garden centre" counts against the words around other mentions.
const isWeight = 6

// is tells what the sentence says that its subject is: "Hortus is a garden centre".
func (rd *reading) is(n name) vote {
	i := n.hi
	if i+2 >= len(rd.ws) || rd.ws[i-1].owns || !is(listCopula, rd.ws[i].fold) || !is(listArticle, rd.ws[i+1].fold) {
		return voteNone
	}
	for k := i + 2; k < min(i+6, len(rd.ws)); k++ {
		w := rd.ws[k]
		switch {
		case w.gap != 0, lexis.IsStop(w.fold):
			return voteNone
		case is(listIsOrg, w.fold):
			return voteOrg
		case is(listIsPlace, w.fold):
			return votePlace
		case is(listIsTool, w.fold):
			return voteTool
		case is(listIsWork, w.fold):
			return voteWork
		}
	}
	return voteNone
}

// described reads a subject that begins with an article: "the billing service", "the novel Middlemarch", "my sister Noor".
func (r *reader) described(i int) subject {
	if is(listArticle, r.ws[i].fold) {
		i++
	}
	if i >= len(r.ws) {
		return subject{}
	}
	w := r.ws[i]
	switch {
	case r.user(i):
		return subject{user: true}
	case is(listKin, w.fold), is(listPet, w.fold), is(listFriend, w.fold):
		return r.kinOf(i)
	}
	if s, ok := r.system(i); ok {
		return s
	}
	if s, ok := r.project(i); ok {
		return s
	}
	if is(listVoteWork, w.fold) && i+1 < len(r.ws) && r.ws[i+1].capital {
		if n := r.span(i+1, false); n > 0 {
			s := subject{name: r.nameAt(i+1, i+1+n)}
			s.name.vote = voteWork
			return s
		}
	}
	if n := r.span(i, false); n > 0 && !r.german {
		s := r.about(i, n)
		if strings.ToUpper(s.name.shown) != s.name.shown { // behind an article a capital is that of a name; the API is none
			s.weak = false
		}
		return s
	}
	return subject{of: r.of(i), event: is(listEvent, w.fold)}
}

// kinOf reads "sister Noor", "hermana de Alice, Noor," and "hermana de Alice se llama Noor".
func (r *reader) kinOf(i int) subject {
	f := r.ws[i].fold
	s := subject{kin: is(listKin, f), pet: is(listPet, f), friend: is(listFriend, f)}
	k, n := i+1, 0
	if k+1 < len(r.ws) && (r.ws[k].fold == "de" || r.ws[k].fold == "von" || r.ws[k].fold == "of") {
		if n = r.span(k+1, false); n == 0 {
			return subject{}
		}
		owner := r.nameAt(k+1, k+1+n)
		for k += 1 + n; k < len(r.ws) &&
			(r.ws[k].fold == "se" || r.ws[k].fold == "llama" || r.ws[k].fold == "is" || r.ws[k].fold == "called"); k++ {
		}
		if n = r.span(k, false); n == 0 {
			return subject{name: owner}
		}
	} else if n = r.span(k, false); n == 0 {
		return subject{}
	}
	s.name = r.nameAt(k, k+n)
	return s
}

// system reads "billing service", "Billing-Dienst", "servicio de facturación" at i.
func (r *reader) system(i int) (subject, bool) {
	if head, tail, ok := cutLast(r.ws[i].fold); ok && is(listSystem, tail) && !is(listNosystem, head) {
		return subject{system: key(head), full: key(r.ws[i].fold)}, true
	}
	if is(listSystem, r.ws[i].fold) && i+2 < len(r.ws) && r.ws[i+1].fold == "de" && !is(listArticle, r.ws[i+2].fold) {
		return subject{system: key(r.ws[i+2].fold), full: r.key(i, i+3)}, true
	}
	for k := i; k < min(i+2, len(r.ws)-1); k++ {
		w := r.ws[k]
		if w.owns || w.num || r.ws[k+1].gap != 0 || is(listNosystem, w.fold) || is(listSystem, w.fold) || lexis.IsStop(w.fold) {
			return subject{}, false
		}
		if is(listSystem, r.ws[k+1].fold) {
			return subject{system: r.key(i, k+1), full: r.key(i, k+2)}, true
		}
	}
	return subject{}, false
}

// project reads "project Apollo".
func (r *reader) project(i int) (subject, bool) {
	switch r.ws[i].fold {
	case "project", "projekt", "proyecto":
		if i+1 < len(r.ws) && r.ws[i+1].capital {
			if n := r.span(i+1, false); n > 0 {
				k := r.key(i+1, i+1+n)
				return subject{system: k, full: r.key(i, i+1+n)}, true
			}
		}
	}
	return subject{}, false
}

// genitive reads "Alices Schwester Noor".
func (r *reader) genitive(i int) (subject, bool) {
	f, ok := strings.CutSuffix(r.ws[i].fold, "s")
	if !ok || !r.ws[i].capital || r.ws[i].owns || i+1 >= len(r.ws) || !r.known(f) || r.known(r.ws[i].fold) {
		return subject{}, false
	}
	if s, ok := r.relative(i + 1); ok {
		return s, true
	}
	n := r.nameAt(i, i+1)
	n.key, n.shown = f, strings.TrimSuffix(n.shown, "s")
	return subject{name: n}, true
}

func cutLast(s string) (head, tail string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// span is the length in words of the name that begins at i, 0 for none. At the start of a sentence a capital is no sign of one,
// so only what follows it can make the name longer there.
func (r *reader) span(i int, first bool) int {
	if i >= len(r.ws) || !r.namelike(i) && !(first && r.known(r.ws[i].fold)) {
		return 0
	}
	n := 1
	for k := i + 1; k < min(i+5, len(r.ws)); k++ {
		w, before := r.ws[k], r.ws[k-1]
		initial := before.end-before.start == 1 && w.gap == '.'
		if before.owns || w.gap != 0 && w.gap != '.' || w.gap == '.' && !initial && !is(listTitle, before.fold) {
			break
		}
		if r.namelike(k) && !is(listMonths, w.fold) {
			n = k - i + 1
		} else if !is(listParticle, w.fold) {
			break
		} else if r.ws[k].fold == "and" || k+1 >= len(r.ws) || !r.ws[k+1].capital {
			break
		}
	}
	if n > 1 && r.ws[i+n-1].fold == "no" { // "Olaplex No. 3"
		n--
	}
	if i+n < len(r.ws) && r.ws[i+n].num && r.ws[i+n].gap == 0 && r.known(r.key(i, i+n+1)) { // "Hughes 2018"
		n++
	}
	return n
}

func (r *reader) namelike(i int) bool {
	w := r.ws[i]
	return w.capital && w.fold != "i" && !is(listMonths, w.fold) && !is(listPronoun, w.fold)
}

// names lists what is written like a name inside the sentence.
func (r *reader) names() []name {
	var out []name
	for i := 0; i < len(r.ws); i++ {
		w := r.ws[i]
		if !w.capital || i == 0 && !r.known(w.fold) || r.german && !r.known(w.fold) || i > 0 && sentenceEnd(w.gap) && !r.known(w.fold) {
			continue
		}
		n := r.span(i, true)
		if n == 0 {
			continue
		}
		nm := r.nameAt(i, i+n)
		if i > 0 {
			nm.vote = r.voteFor(i, w)
		}
		out = append(out, nm)
		i += n - 1
	}
	return out
}

func (r *reader) voteFor(i int, w word) vote {
	before := r.ws[i-1].fold
	if i > 1 && (before == "named" || before == "called" || before == "namens" || before == "llamada" || before == "llamado") {
		before = r.ws[i-2].fold
	}
	if is(listTitle, before) {
		return votePerson
	}
	if w.gap != 0 && w.gap != '"' {
		return voteNone
	}
	switch {
	case is(listKin, before), is(listFriend, before):
		return votePerson
	case is(listPet, before):
		return votePet
	}
	for v := votePerson; v < votes; v++ {
		if is(voteLists[v], before) {
			return v
		}
	}
	return voteNone
}

func sentenceEnd(gap byte) bool { return gap == '.' || gap == '!' || gap == '?' || gap == ':' }

// nameAt is the name of the words lo to hi, without a title such as Mr.
func (r *reader) nameAt(lo, hi int) name {
	n := name{hi: hi}
	for lo+1 < hi && is(listTitle, r.ws[lo].fold) {
		n.titled = oneLine(r.text[r.ws[lo].start:r.ws[hi-1].end])
		lo++
	}
	n.key, n.shown, n.lo = r.key(lo, hi), r.text[r.ws[lo].start:r.ws[hi-1].end], lo
	return n
}

func (r *reader) key(lo, hi int) string {
	if hi == lo+1 {
		if f := r.ws[lo].fold; !strings.ContainsAny(f, "-_’") {
			return f
		}
	}
	return key(r.text[r.ws[lo].start:r.ws[hi-1].end])
}

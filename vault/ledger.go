package vault

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io/fs"
	"iter"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Where dreams keep their runs, one folder each, and those files of a run that other packages read. Package dream writes them.
const (
	RunsDir    = StateDir + "/" + RunsState
	RunsState  = "dreams" // RunsDir, for [Vault.ReadState] and its like
	LedgerFile = "ledger.jsonl"
	DoneMark   = "done"   // the run counts
	UndoneMark = "undone" // it was taken back
)

// An Account is what a dream's ledger knows of a fact: what became of it, and what its line in the daily log said.
// Fields that the ledger leaves out are empty.
type Account struct {
	Day              Day
	Outcome          string
	Category         string
	Page             Path // where it went
	Drawer           string
	Ref              string
	Turn             string
	Speaker          string
	ChatID           string
	Origin           Origin
	Agent            string
	Wing, Room, Hall string
	At               time.Time // to the second, UTC
	Indexed          bool      // its row stays: the page answers worse for it
	Version          string    // of the text that was consumed, as [Fact.Version] gives it; "" in ledgers that did not keep it
}

// Covers says whether what became of the fact is what became of the words that it has now.
func (c *Account) Covers(f *Fact) bool { return c.Version == "" || c.Version == f.Version() }

// Accounts are the facts that finished dreams have in their ledgers. Accounts never change; nil has none. Where two ledgers
// name a fact, the later run's word stands.
type Accounts struct {
	runs    []*ledger
	byID    map[string]place
	other   map[dayFact]place // facts that stand under another day in byID
	days    map[Day]string
	version string
}

// A place is a line of a ledger.
type place struct{ run, row uint32 }

type dayFact struct {
	day Day
	id  string
}

// Len is how many facts there are.
func (a *Accounts) Len() int {
	if a == nil {
		return 0
	}
	return len(a.byID)
}

// Has says whether a dream has dealt with the fact.
func (a *Accounts) Has(id string) bool {
	if a == nil {
		return false
	}
	_, ok := a.byID[id]
	return ok
}

// Find is what is known of the fact.
func (a *Accounts) Find(id string) (Account, bool) {
	if a == nil {
		return Account{}, false
	}
	at, ok := a.byID[id]
	if !ok {
		return Account{}, false
	}
	return a.runs[at.run].record(at.row), true
}

// FindOn is what is known of the fact of that day; a ledger that names no day means any. The answer depends on nothing but what
// [Accounts.DayVersion] names.
func (a *Accounts) FindOn(day Day, id string) (Account, bool) {
	if c, ok := a.Find(id); !ok || c.Day == day {
		return c, ok
	}
	for _, d := range []Day{day, ""} {
		if at, ok := a.other[dayFact{d, id}]; ok {
			return a.runs[at.run].record(at.row), true
		}
	}
	if c, _ := a.Find(id); c.Day == "" {
		return c, true
	}
	return Account{}, false
}

// Covers says whether a dream has dealt with the fact as it reads now: a line that a person changed since is another.
func (a *Accounts) Covers(f *Fact) bool {
	c, ok := a.FindOn(f.Day, f.ID)
	return ok && c.Covers(f)
}

// All gives every fact, in no order. An id that stands under several days comes with each.
func (a *Accounts) All() iter.Seq2[string, Account] {
	return func(yield func(string, Account) bool) {
		if a == nil {
			return
		}
		for id, at := range a.byID {
			if !yield(id, a.runs[at.run].record(at.row)) {
				return
			}
		}
		for f, at := range a.other {
			if c, _ := a.Find(f.id); c.Day == f.day { // a later run took it up again
				continue
			}
			if !yield(f.id, a.runs[at.run].record(at.row)) {
				return
			}
		}
	}
}

// Version names all that is known: equal versions mean equal answers. Where nothing is known the version is "".
func (a *Accounts) Version() string {
	if a == nil {
		return ""
	}
	return a.version
}

// DayVersion names what is known of the facts of a day, "" when that is nothing.
func (a *Accounts) DayVersion(day Day) string {
	if a == nil {
		return ""
	}
	v := a.days[day]
	if undated := a.days[""]; undated != "" && day != "" {
		v = digest([]byte(v + undated))
	}
	return v
}

// newAccounts puts the ledgers together, in the order of the runs.
func newAccounts(runs []*ledger) *Accounts {
	a := &Accounts{runs: runs, other: map[dayFact]place{}, days: map[Day]string{}}
	n := 0
	for _, l := range runs {
		n += len(l.rows)
	}
	a.byID = make(map[string]place, n)
	var digests []string
	for i, l := range runs {
		for j := range l.rows {
			id, now := l.id(uint32(j)), place{uint32(i), uint32(j)}
			if was, ok := a.byID[id]; ok {
				if day := a.runs[was.run].day(was.row); day != l.day(now.row) {
					a.other[dayFact{day, id}] = was
				}
			}
			a.byID[id] = now
		}
		if len(l.rows) > 0 {
			digests = append(digests, l.digest)
		}
		for day, v := range l.days {
			if was, ok := a.days[day]; ok {
				v = digest([]byte(was + v))
			}
			a.days[day] = v
		}
	}
	if len(digests) > 0 {
		a.version = digest([]byte(strings.Join(digests, "")))
	}
	return a
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// A ledgerCache keeps the ledgers that were read; a finished one does not change.
type ledgerCache struct {
	mu   sync.Mutex
	runs map[string]ledgerRead
	all  *Accounts
}

type ledgerRead struct {
	info FileInfo
	*ledger
}

// Accounted tells which facts finished dreams have dealt with. A dream that was undone does not count.
func (v *Vault) Accounted() (*Accounts, error) {
	v.ledgers.mu.Lock()
	defer v.ledgers.mu.Unlock()
	order, err := v.finished(nil)
	if err != nil {
		return nil, err
	}
	if v.ledgers.all == nil || !slices.Equal(v.ledgers.all.runs, order) {
		v.ledgers.all = newAccounts(order)
	}
	return v.ledgers.all, nil
}

// AccountedBut is [Vault.Accounted] as it would be without some of the dreams. AccountedBut is put together at each call.
func (v *Vault) AccountedBut(runs map[string]bool) (*Accounts, error) {
	if len(runs) == 0 {
		return v.Accounted()
	}
	v.ledgers.mu.Lock()
	defer v.ledgers.mu.Unlock()
	order, err := v.finished(runs)
	return newAccounts(order), err
}

// finished are the ledgers of finished dreams in their order, but for some. finished needs v.ledgers.mu.
func (v *Vault) finished(but map[string]bool) (order []*ledger, err error) {
	runs, err := v.disk.readDir(RunsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("listing", RunsDir, err)
	}
	reads := make([]ledgerRead, len(runs))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0)) // the first time there may be years of them
	for i, run := range runs {
		g.Go(func() (err error) {
			dir := path.Join(RunsDir, run.Name())
			if run.IsDir() && v.exists(dir+"/"+DoneMark) && !v.exists(dir+"/"+UndoneMark) {
				reads[i], err = v.ledger(run.Name(), Path(dir+"/"+LedgerFile))
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	seen := map[string]ledgerRead{}
	for i, run := range runs { // by name
		if read := reads[i]; read.ledger != nil {
			if seen[run.Name()] = read; !but[run.Name()] {
				order = append(order, read.ledger)
			}
		}
	}
	v.ledgers.runs = seen
	return order, nil
}

func (v *Vault) exists(name string) bool {
	_, err := v.disk.stat(name)
	return err == nil
}

// ledger needs v.ledgers.mu; it changes nothing.
func (v *Vault) ledger(run string, p Path) (ledgerRead, error) {
	info, err := v.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return ledgerRead{}, nil
	}
	if err != nil {
		return ledgerRead{}, err
	}
	if old, ok := v.ledgers.runs[run]; ok && old.info == info {
		return old, nil
	}
	r := &ledgerReader{known: map[string]uint32{}, days: map[Day]hash.Hash{}, all: sha256.New()}
	if _, err := v.ReadState(strings.TrimPrefix(string(p), StateDir+"/"), r.line); err != nil {
		return ledgerRead{}, err
	}
	return ledgerRead{info, r.done()}, nil
}

// A ledger is one run's, as small as its facts allow: there may be hundreds of thousands of them in a vault.
type ledger struct {
	rows   []ledgerRow
	wide   string   // id, drawer, ref, turn and version of each row, one after the other, each after its length
	names  []string // what the rows' names mean
	days   map[Day]string
	digest string
}

type ledgerRow struct {
	at      int64 // Unix seconds; noTime when unknown
	wide    uint32
	name    [numNames]uint32
	indexed bool
}

const noTime = -1 << 63

// The names of a row: many rows share them.
const (
	nameDay = iota
	nameOutcome
	nameCategory
	namePage
	nameSpeaker
	nameChat
	nameOrigin
	nameAgent
	nameWing
	nameRoom
	nameHall
	numNames
)

func (l *ledger) id(row uint32) string {
	id, _ := cutWide(l.wide[l.rows[row].wide:])
	return id
}

func (l *ledger) day(row uint32) Day { return Day(l.names[l.rows[row].name[nameDay]]) }

func (l *ledger) record(row uint32) Account {
	r := &l.rows[row]
	name := func(i int) string { return l.names[r.name[i]] }
	c := Account{
		Day: l.day(row), Outcome: name(nameOutcome), Category: name(nameCategory), Page: Path(name(namePage)), Speaker: name(nameSpeaker),
		ChatID: name(nameChat),
		Origin: Origin(name(nameOrigin)), Agent: name(nameAgent), Wing: name(nameWing), Room: name(nameRoom),
		Hall:    name(nameHall),
		Indexed: r.indexed,
	}
	_, rest := cutWide(l.wide[r.wide:])
	c.Drawer, rest = cutWide(rest)
	c.Ref, rest = cutWide(rest)
	c.Turn, rest = cutWide(rest)
	c.Version, _ = cutWide(rest)
	if r.at != noTime {
		c.At = time.Unix(r.at, 0).UTC()
	}
	return c
}

// cutWide reads a string after its length.
func cutWide(s string) (string, string) {
	var n uint64
	for shift := 0; ; shift += 7 {
		b := s[0]
		s = s[1:]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return s[:n], s[n:]
		}
	}
}

// A ledgerReader takes in the lines of one ledger.
type ledgerReader struct {
	l     ledger
	wide  []byte
	known map[string]uint32
	days  map[Day]hash.Hash
	all   hash.Hash
}

func (r *ledgerReader) line(_ int, raw []byte) error {
	var f struct {
		Fact, Day, Outcome, Category, Page, Drawer, Ref, Turn, Speaker, Chat, Origin, Agent, Wing, Room, Hall, At, Version string

		Indexed bool
	}
	if json.Unmarshal(raw, &f) != nil || f.Fact == "" || f.Outcome == "" || len(r.wide) > 1<<31 {
		return nil
	}
	row := ledgerRow{at: noTime, wide: uint32(len(r.wide)), name: [numNames]uint32{
		r.name(f.Day), r.name(f.Outcome), r.name(f.Category), r.name(f.Page), r.name(f.Speaker), r.name(f.Chat), r.name(f.Origin),
		r.name(f.Agent), r.name(f.Wing), r.name(f.Room), r.name(f.Hall),
	}}
	row.indexed = f.Indexed
	if at, err := time.Parse(time.RFC3339, f.At); err == nil {
		row.at = at.Unix()
	}
	for _, s := range []string{f.Fact, f.Drawer, f.Ref, f.Turn, f.Version} {
		r.wide = binary.AppendUvarint(r.wide, uint64(len(s)))
		r.wide = append(r.wide, s...)
	}
	r.l.rows = append(r.l.rows, row)
	h := r.days[Day(f.Day)]
	if h == nil {
		h = sha256.New()
		r.days[Day(f.Day)] = h
	}
	for _, h := range []hash.Hash{h, r.all} {
		h.Write(raw)
		h.Write([]byte{'\n'})
	}
	return nil
}

func (r *ledgerReader) name(s string) uint32 {
	n, ok := r.known[s]
	if !ok {
		n = uint32(len(r.l.names))
		s = strings.Clone(s)
		r.known[s], r.l.names = n, append(r.l.names, s)
	}
	return n
}

func (r *ledgerReader) done() *ledger {
	l := r.l
	l.rows, l.names, l.wide = slices.Clip(slices.Clone(l.rows)), slices.Clip(l.names), string(r.wide)
	l.days = make(map[Day]string, len(r.days))
	for day, h := range r.days {
		l.days[Day(strings.Clone(string(day)))] = hex.EncodeToString(h.Sum(nil)[:8])
	}
	l.digest = hex.EncodeToString(r.all.Sum(nil)[:8])
	return &l
}

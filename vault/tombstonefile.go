package vault

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// The tombstones, their key, and the two copies of both: one in the vault, one in the folder of [WithCopies]. Whatever one of
// them has is known; [Vault.MendTombstones] makes the others equal.
const (
	TombstonesFile = "tombstones.jsonl"
	TombstoneKey   = StateDir + "/tombstone.key"
	TombstoneCopy  = "tombstones.copy.jsonl"
	TombstoneMarks = "tombstones.known" // in the folder of WithCopies: a mark of each line, which tells when all three places lost it
	TombstonesPath = Path(StateDir + "/" + TombstonesFile)
)

// WithCopies names a folder outside the vault for a copy of the tombstones and their key. The folder need not exist.
func WithCopies(dir string) Option { return func(v *Vault) { v.copies = dir } }

// A tombstoneLine is a line of the tombstone files. A copy has lines with a Secret besides.
type tombstoneLine struct {
	Hash      string `json:"hash"`             // HMAC-SHA-256 of the normalised text
	Sketch    string `json:"sketch,omitempty"` // 64 bits that close paraphrases share; "" for texts of one word
	At        string `json:"at"`
	Reason    string `json:"reason"`
	Scope     string `json:"scope"`
	Key       string `json:"key"`                 // names the key, so that a lost one is noticed
	ID        string `json:"id,omitempty"`        // of the forgetting
	N         int    `json:"n,omitempty"`         // counts the lines of the vault, from 1: a gap is a line that was lost
	Sentences int    `json:"sentences,omitempty"` // of the text, where there are more than one
	Lifted    bool   `json:"lifted,omitempty"`    // takes the hash back
	Purged    bool   `json:"purged,omitempty"`    // the bytes of the text were taken out
	Secret    string `json:"secret,omitempty"`    // a key
}

// same names the lines that are one: a reason may have been taken out since.
func (l *tombstoneLine) same() tombstoneLine {
	return tombstoneLine{Hash: l.Hash, Key: l.Key, N: l.N, Lifted: l.Lifted, At: l.At}
}

// mark is what is kept of a line to notice its loss.
func (l *tombstoneLine) mark() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %t %s", l.Key, l.Hash, l.N, l.Lifted, l.At))
	return hex.EncodeToString(sum[:8])
}

// stoneFiles is what the files say, put together.
type stoneFiles struct {
	lines    []tombstoneLine // by number
	keys     map[string][]byte
	own      string   // the key that new lines are made with
	broken   int      // lines that nobody can read, and that no copy has
	missing  []string // marks of lines that were there once and are nowhere now
	behind   []Path   // files that lack something
	problems []Problem
	max      int
}

// readStones reads all three places. readStones needs no lock: each file is whole.
func (v *Vault) readStones() (*stoneFiles, error) {
	s := &stoneFiles{keys: map[string][]byte{}}
	known := map[tombstoneLine]int{}
	counts := map[Path]int{}
	broken := 0
	take := func(p Path, raw []byte) {
		var l tombstoneLine
		if json.Unmarshal(raw, &l) != nil || l.Hash == "" && l.Secret == "" {
			broken++
			s.problems = append(s.problems, Problem{Path: p, Reason: "a line that is no tombstone: skipped"})
			return
		}
		if l.Secret != "" {
			if key, err := hex.DecodeString(l.Secret); err == nil && len(key) == sha256.Size {
				s.keys[keyName(key)] = key
			}
			return
		}
		counts[p]++
		i, seen := known[l.same()]
		switch {
		case !seen:
			known[l.same()] = len(s.lines)
			s.lines = append(s.lines, l)
			s.max = max(s.max, l.N)
		case len(l.Reason) < len(s.lines[i].Reason): // taken out by a purge that was cut off
			s.lines[i].Reason = l.Reason
		}
	}
	problems, err := v.ReadState(TombstonesFile, func(_ int, raw []byte) error { take(TombstonesPath, raw); return nil })
	if err != nil {
		return nil, err
	}
	s.problems, broken = append(s.problems, problems...), broken+len(problems)
	copies := 0
	for _, p := range v.stoneCopies() {
		data, err := p.read()
		if err != nil {
			continue // none yet, or none that can be read: the others are asked
		}
		copies++
		c := cursor{data: data}
		for c.next() {
			if strings.TrimSpace(c.text) != "" {
				take(p.path, []byte(c.text))
			}
		}
	}
	if copies == 0 {
		s.broken = broken
	}
	s.missing = v.missingMarks(s.lines)
	if err := v.ownKey(s); err != nil {
		return nil, err
	}
	for _, p := range append([]stoneCopy{{path: TombstonesPath}}, v.stoneCopies()...) {
		if counts[p.path] < len(s.lines) {
			s.behind = append(s.behind, p.path)
		}
	}
	slices.SortStableFunc(s.lines, func(a, b tombstoneLine) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.At, b.At), cmp.Compare(a.Hash, b.Hash))
	})
	return s, nil
}

// missingMarks are the marks of lines that are known to have been there and are not among these.
func (v *Vault) missingMarks(lines []tombstoneLine) (missing []string) {
	data, err := v.outside(TombstoneMarks, nil)
	if err != nil {
		return nil // none yet, or no folder for it
	}
	here := map[string]bool{}
	for i := range lines {
		here[lines[i].mark()] = true
	}
	for mark := range strings.FieldsSeq(string(data)) {
		if !here[mark] {
			missing = append(missing, mark)
		}
	}
	return missing
}

// ownKey reads the vault's key; where that is gone or damaged, one of a copy stands in.
func (v *Vault) ownKey(s *stoneFiles) error {
	data, err := readAll(v.disk, TombstoneKey, 1<<10)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("reading", TombstoneKey, err)
	}
	key, bad := hex.DecodeString(string(bytes.TrimSpace(data)))
	found := ""
	switch {
	case err != nil:
	case bad != nil || len(key) != sha256.Size:
		s.problems = append(s.problems, Problem{Path: TombstoneKey, Reason: "not a key of 64 hexadecimal digits"})
	default:
		found = keyName(key)
		s.keys[found] = key
	}
	s.own = found
	for _, l := range s.lines { // a key that made no line stands in the place of ours
		if s.keys[l.Key] != nil {
			if s.own = l.Key; l.Key == found {
				break
			}
		}
	}
	if len(s.lines) == 0 && err == nil { // the lines are written before the key
		s.broken = max(s.broken, 1)
	}
	if s.own != found {
		s.behind = append(s.behind, TombstoneKey)
	}
	return nil
}

// Tombstones reads what was forgotten.
func (v *Vault) Tombstones() (*Tombstones, error) {
	s, err := v.readStones()
	if err != nil {
		return nil, err
	}
	t := s.tombstones()
	t.memo = &v.memo
	return t, nil
}

// stoneRules belong to versions: with other rules the same tombstones hide something else.
const stoneRules = "rules 3"

func (s *stoneFiles) tombstones() *Tombstones {
	t := &Tombstones{problems: s.problems, lost: s.broken}
	type name struct{ key, hash string }
	last := map[name]int{} // the newest line of each hash
	numbers := map[int]bool{}
	for i, l := range s.lines {
		n := name{l.Key, l.Hash}
		if at, ok := last[n]; !ok || s.lines[at].N < l.N || l.N == s.lines[at].N && !l.Lifted {
			last[n] = i
		}
		numbers[l.N] = true
	}
	strange := 0
	byKey := map[string]*stoneKey{}
	groups := map[string]int{}
	sum := sha256.New()
	for i, l := range s.lines {
		if last[name{l.Key, l.Hash}] != i || l.Lifted {
			continue
		}
		if s.keys[l.Key] == nil {
			strange++
			continue
		}
		k := byKey[l.Key]
		if k == nil {
			k = &stoneKey{key: s.keys[l.Key], exact: map[string]string{}, sketches: map[string]string{}}
			byKey[l.Key] = k
			t.keys = append(t.keys, k)
		}
		k.exact[l.Hash] = l.Reason
		if n := max(1, l.Sentences); l.Sketch != "" {
			k.sketches[l.Sketch] = l.Reason
			if n <= maxSentences && !slices.Contains(t.lengths, n) {
				t.lengths = append(t.lengths, n)
			}
		}
		fmt.Fprintf(sum, "%s %s %s\n", l.Key, l.Hash, l.Sketch)
		id := cmp.Or(l.ID, l.At)
		at, ok := groups[id]
		if !ok {
			at = len(t.list)
			groups[id] = at
			when, _ := time.Parse(time.RFC3339, l.At)
			t.list = append(t.list, Forgetting{ID: id, At: when, Reason: l.Reason, Scope: l.Scope, Purged: l.Purged})
		}
		t.list[at].Count++
	}
	slices.Sort(t.lengths)
	slices.Reverse(t.list) // of one second as well
	slices.SortStableFunc(t.list, func(a, b Forgetting) int { return b.At.Compare(a.At) })
	gaps := 0
	for n := 1; n <= s.max; n++ {
		if !numbers[n] {
			gaps++
		}
	}
	if t.lost += strange + max(gaps, len(s.missing)); t.lost > 0 {
		t.problems = append(t.problems, Problem{
			Path: TombstonesPath,
			Reason: fmt.Sprintf("%d tombstones are lost, so that what they forgot cannot be recognised: nothing is shown until they are back",
				t.lost),
			Hint: "put " + TombstoneKey + " and " + string(TombstonesPath) + " of this vault back, from a backup or a copy; or give them up " +
				"with `reverie unforget --lost`",
		})
	}
	for _, p := range s.behind {
		t.problems = append(t.problems, Problem{Path: p, Reason: "is behind its copies, which are used", Hint: "the next start makes it whole"})
	}
	fmt.Fprintf(sum, "%s, lost %d", stoneRules, t.lost)
	t.version = hex.EncodeToString(sum.Sum(nil)[:8])
	t.mark()
	return t
}

// Forget adds tombstones. From then on no index holds these texts, wherever they come from.
func (v *Vault) Forget(ctx context.Context, stones []Tombstone) error {
	if len(stones) == 0 {
		return nil
	}
	return v.editStones(ctx, func(s *stoneFiles) error {
		key := s.keys[s.own]
		if key == nil {
			key = make([]byte, sha256.Size)
			_, _ = rand.Read(key)
			s.own = keyName(key)
			s.keys[s.own] = key
		}
		at := v.Now().UTC().Format(time.RFC3339)
		for _, st := range stones {
			l, ok := s.line(st)
			if !ok {
				return failed("forgetting", TombstonesPath, fmt.Errorf("an empty text: %w", ErrInvalid))
			}
			l.At = at
			s.add(l)
		}
		return nil
	})
}

// line is the line of a tombstone, but for its time and number. ok is false for an empty text.
func (s *stoneFiles) line(st Tombstone) (l tombstoneLine, ok bool) {
	text := plain(st.Text)
	if normalText(text) == "" { // such as a comment in code
		text = st.Text
	}
	key := s.keys[s.own]
	l = tombstoneLine{
		Hash: exactHash(key, text), Sketch: sketch(key, text), Reason: st.Reason, Scope: st.Scope, Key: s.own, ID: st.ID, Purged: st.Purged,
	}
	if n := len(lexis.Sentences(text)); n > 1 {
		l.Sentences = n
	}
	return l, normalText(text) != ""
}

func (s *stoneFiles) add(l tombstoneLine) {
	s.max++
	l.N = s.max
	s.lines = append(s.lines, l)
}

// Unforget takes the tombstones back that forgot one of the texts, or that belong to the forgetting id, but for those of what was purged.
// Unforget returns how many.
func (v *Vault) Unforget(ctx context.Context, id string, texts []string) (n int, err error) {
	err = v.editStones(ctx, func(s *stoneFiles) error {
		lift := map[string]bool{}
		for _, key := range s.keys {
			for _, t := range texts {
				lift[exactHash(key, t)], lift[exactHash(key, plain(t))] = true, true
			}
		}
		n = s.lift(v.Now(), func(l *tombstoneLine) bool {
			return !l.Purged && (lift[l.Hash] || id != "" && cmp.Or(l.ID, l.At) == id)
		})
		return nil
	})
	return n, err
}

// GiveUpPurged takes back the tombstones of a forgetting that purged: nothing comes back, but the texts may be remembered anew.
// GiveUpPurged returns how many they were.
func (v *Vault) GiveUpPurged(ctx context.Context, id string) (n int, err error) {
	err = v.editStones(ctx, func(s *stoneFiles) error {
		n = s.lift(v.Now(), func(l *tombstoneLine) bool { return l.Purged && l.ID == id })
		return nil
	})
	return n, err
}

// GiveUpLost takes back the tombstones that are lost, after which everything that they hid is shown. GiveUpLost returns how many.
func (v *Vault) GiveUpLost(ctx context.Context) (n int, err error) {
	err = v.editStones(ctx, func(s *stoneFiles) error {
		n = s.tombstones().lost
		s.lift(v.Now(), func(l *tombstoneLine) bool { return s.keys[l.Key] == nil })
		s.missing = nil
		have := slice.SetOf(s.lines, func(l tombstoneLine) int { return l.N })
		for i := 1; i <= s.max; i++ {
			if !have[i] {
				s.lines = append(s.lines, tombstoneLine{Hash: "lost", At: v.Now().UTC().Format(time.RFC3339), N: i, Lifted: true})
			}
		}
		return nil
	})
	return n, err
}

// lift takes back the lines in force that which names.
func (s *stoneFiles) lift(now time.Time, which func(*tombstoneLine) bool) (n int) {
	type name struct{ key, hash string }
	var order []name
	last := map[name]tombstoneLine{}
	for _, l := range s.lines {
		if _, ok := last[name{l.Key, l.Hash}]; !ok {
			order = append(order, name{l.Key, l.Hash})
		}
		last[name{l.Key, l.Hash}] = l
	}
	for _, at := range order {
		if l := last[at]; !l.Lifted && which(&l) {
			s.add(tombstoneLine{Hash: l.Hash, Key: l.Key, ID: l.ID, At: now.UTC().Format(time.RFC3339), Lifted: true})
			n++
		}
	}
	return n
}

// EraseReasons takes the reasons out that tells names, of all tombstones there ever were.
func (v *Vault) EraseReasons(ctx context.Context, tells func(string) bool) error {
	return v.editStones(ctx, func(s *stoneFiles) error {
		for i := range s.lines {
			if l := &s.lines[i]; l.Reason != "" && tells(l.Reason) {
				l.Reason = ""
			}
		}
		return nil
	})
}

// MendTombstones makes the tombstones, their key and their copies equal: each has what any of them has. MendTombstones returns what was
// not whole.
func (v *Vault) MendTombstones(ctx context.Context) (problems []Problem, err error) {
	err = v.editStones(ctx, func(s *stoneFiles) error {
		problems = s.tombstones().problems
		return nil
	})
	return problems, err
}

// editStones changes what the files say. The copies are written first, and the key last: whatever a crash leaves, a forgetting
// that was answered is in two places, and a key without a line means that lines were lost.
func (v *Vault) editStones(ctx context.Context, edit func(*stoneFiles) error) error {
	v.stones.Lock()
	defer v.stones.Unlock()
	s, err := v.readStones()
	if err != nil {
		return err
	}
	for ; s.broken > 0; s.broken-- { // a line without a key stands for each: it must not be taken for whole once the files are
		s.add(tombstoneLine{Hash: fmt.Sprintf("lost %d", s.max+1), At: v.Now().UTC().Format(time.RFC3339)})
	}
	if err := edit(s); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(s.lines) == 0 && len(s.missing) == 0 {
		v.keepMarks(s)
		return nil
	}
	var lines, secrets []any
	for _, l := range s.lines {
		lines = append(lines, l)
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range s.keys {
			if !yield(name) {
				return
			}
		}
	}) {
		secrets = append(secrets, struct {
			Secret string `json:"secret"`
		}{hex.EncodeToString(s.keys[name])})
	}
	body, err := stateLines(lines)
	if err != nil {
		return err
	}
	head, err := stateLines(secrets)
	if err != nil {
		return err
	}
	for _, c := range v.stoneCopies() {
		data := append(slices.Clone(head), body...)
		if old, err := c.read(); err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := c.write(data); err != nil && c.path == StateDir+"/"+TombstoneCopy {
			return failed("writing", c.path, err)
		}
	}
	if err := v.replaceState(TombstonesPath, body); err != nil {
		return err
	}
	if s.own != "" {
		if err := v.replaceState(TombstoneKey, []byte(hex.EncodeToString(s.keys[s.own])+"\n")); err != nil {
			return err
		}
	}
	v.keepMarks(s)
	return nil
}

// keepMarks writes the marks of all lines, last of all: a crash before leaves marks of fewer lines, which misses nothing that was there.
// Where they cannot be written the forgetting holds all the same, and the next change writes them.
func (v *Vault) keepMarks(s *stoneFiles) {
	marks := slices.Clone(s.missing)
	for i := range s.lines {
		marks = append(marks, s.lines[i].mark())
	}
	data := []byte(strings.Join(marks, "\n") + "\n")
	if old, err := v.outside(TombstoneMarks, nil); v.copies == "" || err == nil && bytes.Equal(old, data) || err != nil && len(marks) == 0 {
		return
	}
	_, _ = v.outside(TombstoneMarks, data)
}

// replaceState writes a file where it differs.
func (v *Vault) replaceState(p Path, data []byte) error {
	if old, err := readAll(v.disk, string(p), maxDaily); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return v.Replace(p, data, AnyHash)
}

// A stoneCopy is a place for a copy.
type stoneCopy struct {
	path  Path
	read  func() ([]byte, error)
	write func([]byte) error
}

// stoneCopies are the places for copies.
func (v *Vault) stoneCopies() []stoneCopy {
	const inside = Path(StateDir + "/" + TombstoneCopy)
	out := []stoneCopy{{
		inside,
		func() ([]byte, error) { return readAll(v.disk, string(inside), maxDaily) },
		func(data []byte) error { return v.Replace(inside, data, AnyHash) },
	}}
	if v.copies == "" {
		return out
	}
	return append(out, stoneCopy{TombstoneCopy, func() ([]byte, error) { return v.outside(TombstoneCopy, nil) }, func(data []byte) error {
		_, err := v.outside(TombstoneCopy, data)
		return err
	}})
}

// outside reads a file in the folder of WithCopies, or writes it where data is given.
func (v *Vault) outside(name string, data []byte) ([]byte, error) {
	if v.copies == "" {
		return nil, fs.ErrNotExist
	}
	if data != nil {
		if err := os.MkdirAll(v.copies, dirPerm); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(v.copies)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	d := rootDisk{root}
	if data == nil {
		return readAll(d, name, maxDaily)
	}
	temp := name + ".new"
	if err := d.remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := writeNew(d, temp, data, filePerm); err != nil {
		return nil, err
	}
	if err := d.rename(temp, name); err != nil {
		return nil, err
	}
	return nil, d.syncDir(".")
}

// ReadTombstones reads what was forgotten in the vault in dir, with the copies in another folder, and changes nothing.
func ReadTombstones(dir, copies string) (*Tombstones, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failed("opening the vault", "", err)
	}
	defer root.Close()
	v := &Vault{dir: dir, root: root, disk: rootDisk{root}, now: time.Now, copies: copies}
	return v.Tombstones()
}

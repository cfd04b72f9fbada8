package dream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// The files of a run besides those that package vault names.
const (
	planFile     = "plan.json"
	reportFile   = "report.json"
	writtenFile  = "written.txt"
	imagesFolder = "pre/"
	imagesFile   = imagesFolder + "images.json"
	undoingFile  = "undoing" // an undo began; without vault.UndoneMark it was cut off
	failedFile   = "failed"
	prunedFile   = "pruned" // the copies of the pages were dropped
	stateFile    = "dream.json"
	baseFolder   = "dream"
	skippedState = "dream_skipped.jsonl"
)

// A stage is how far a run is, by the marks in its folder. A run goes from open to done or failed, and from done through undoing to undone.
type stage int

const (
	isOpen   stage = iota // it is under way or was cut off, with a plan or before that
	isFailed              // its pages are as they were
	isDone                // its facts are accounted for
	isUndoing
	isUndone // its facts are pending again
)

// stageOf reads the marks that has finds.
func stageOf(has func(file string) bool) stage {
	switch {
	case has(vault.UndoneMark):
		return isUndone
	case has(undoingFile):
		return isUndoing
	case has(vault.DoneMark):
		return isDone
	case has(failedFile):
		return isFailed
	}
	return isOpen
}

// A store reads and writes the files of runs.
type store struct{ v *vault.Vault }

func runPath(run, file string) vault.Path {
	return vault.Path(path.Join(vault.RunsDir, run, file))
}

// runs lists the ids of all runs, the first made first: see [store.newID].
func (s store) runs() ([]string, error) {
	names, err := s.v.ListState(vault.RunsState)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, "r-") })
	slices.Sort(names)
	return names, nil
}

// newID names a run by its time, "r-20260610-0300". Ids sort in the order in which runs were made, whatever the clock says: where the last
// one is not earlier, the new one is numbered after it.
func (s store) newID(now time.Time) (string, error) {
	id := "r-" + now.UTC().Format("20060102-1504")
	names, err := s.runs()
	if err != nil || len(names) == 0 || names[len(names)-1] < id {
		return id, err
	}
	last := names[len(names)-1]
	if m := numbered.FindStringSubmatch(last); m != nil && m[2] < "99" {
		n, _ := strconv.Atoi(m[2])
		return fmt.Sprintf("%s-%02d", m[1], n+1), nil
	}
	return last + "-02", nil
}

var numbered = regexp.MustCompile(`^(r-\d{8}-\d{4}.*)-(\d\d)$`)

func (s store) has(run, file string) bool {
	_, err := s.v.Stat(runPath(run, file))
	return err == nil
}

func (s store) stage(run string) stage {
	return stageOf(func(file string) bool { return s.has(run, file) })
}

// newest is the newest run at a stage, "" for none.
func (s store) newest(at stage) (string, error) {
	runs, err := s.runs()
	for _, run := range slices.Backward(runs) {
		if s.stage(run) == at {
			return run, nil
		}
	}
	return "", err
}

func (s store) read(run, file string) ([]byte, error) { return s.v.ReadFile(runPath(run, file)) }

func (s store) write(run, file string, data []byte) error {
	return s.v.Replace(runPath(run, file), data, vault.AnyHash)
}

// mark leaves an empty file whose presence says something.
func (s store) mark(run, file string) error { return s.write(run, file, []byte("\n")) }

func (s store) plan(run string) (*Plan, error) {
	data, err := s.read(run, planFile)
	if err != nil {
		return nil, err
	}
	return decodePlan(data)
}

func (s store) savePlan(p *Plan) error {
	if err := s.saveWritten(p.Run, p.texts); err != nil {
		return err
	}
	p.texts = nil
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("writing the plan as JSON: %w", err)
	}
	return s.write(p.Run, planFile, append(data, '\n'))
}

// saveWritten adds the texts to those that the run writes.
func (s store) saveWritten(run string, texts []string) error {
	data, err := s.read(run, writtenFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, t := range texts {
		data = fmt.Appendf(data, "%016x\n", textHash(t))
	}
	return s.write(run, writtenFile, data)
}

func (s store) saveLedger(p *Plan) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range p.Ledger {
		if err := enc.Encode(&p.Ledger[i]); err != nil {
			return fmt.Errorf("writing the ledger as JSON: %w", err)
		}
	}
	return s.write(p.Run, vault.LedgerFile, b.Bytes())
}

func ledgerOf(run string) vault.Records[LedgerLine] {
	return vault.Records[LedgerLine]{Name: path.Join(vault.RunsState, run, vault.LedgerFile)}
}

func (s store) ledger(run string) ([]LedgerLine, error) {
	var out []LedgerLine
	err := ledgerOf(run).Each(s.v, func(l LedgerLine) {
		if l.Fact != "" {
			out = append(out, l)
		}
	})
	return out, err
}

// editLedger calls edit with each line of a run's ledger, which may change it, and leaves those out of which it says so.
func (s store) editLedger(run string, edit func(*LedgerLine) (leaveOut bool)) error {
	_, err := ledgerOf(run).Edit(s.v, func(l *LedgerLine) vault.Fate {
		was := *l
		if edit(l) {
			return vault.Goes
		}
		if *l != was {
			return vault.Changed
		}
		return vault.Stays
	}, nil)
	return err
}

func (s store) saveReport(r *Report) error {
	kept := *r
	kept.Diff = ""
	return s.save(runPath(r.Run, reportFile), &kept)
}

func (s store) report(run string) (r Report, err error) {
	if err := s.load(run, reportFile, "the report of "+run, &r); err != nil {
		return r, err
	}
	r.Undone = s.stage(run) == isUndone
	return r, nil
}

// load reads a file of JSON that a run keeps. what names it in errors.
func (s store) load(run, file, what string, v any) error {
	data, err := s.read(run, file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("reading %s: %w", what, err)
	}
	return nil
}

// save writes a file of JSON.
func (s store) save(p vault.Path, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("writing %s as JSON: %w", p, err)
	}
	return s.v.Replace(p, append(data, '\n'), vault.AnyHash)
}

// An image is a file as it was before a run.
type image struct {
	Path   vault.Path `json:"path"`
	File   string     `json:"file,omitempty"` // below pre/; "" when there was no file
	Before vault.Hash `json:"before"`
}

func (s store) images(run string) (list []image, err error) {
	if err := s.load(run, imagesFile, "the list of pre-images", &list); err != nil {
		return nil, forget.UnlessGone(err)
	}
	return list, nil
}

// imageOf finds a saved page by what it was.
func (s store) imageOf(run string, before vault.Hash) string {
	names, _ := s.v.ListState(path.Join(vault.RunsState, run, "pre"))
	want := fmt.Sprintf("-%x.md", before[:8])
	for _, n := range names {
		if strings.HasSuffix(n, want) {
			return n
		}
	}
	return ""
}

func (s store) saveImages(run string, list []image) error {
	return s.save(runPath(run, imagesFile), list)
}

// state is what outlives a run besides the runs themselves. Losing it costs a run made too early, or a failure that was not
// counted: never a fact.
type state struct {
	LastAttempt time.Time      `json:"last_attempt"`
	Undone      time.Time      `json:"undone,omitzero"` // when a run was taken back; no run has begun since
	Batch       vault.Day      `json:"batch,omitempty"` // first day of the batch that failed
	Failures    int            `json:"failures,omitempty"`
	LastError   string         `json:"last_error,omitempty"`
	Forgotten   string         `json:"forgotten,omitempty"` // version of the tombstones that the pages follow
	Conflicts   []openConflict `json:"conflicts,omitempty"`
}

func (st *state) failed() Failed { return Failed{st.Batch, st.Failures, st.LastError} }

func (s store) state() (state, error) {
	var st state
	data, err := s.v.ReadFile(vault.StateDir + "/" + stateFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return st, err
	}
	if err != nil || json.Unmarshal(data, &st) != nil {
		return s.lostState() // cut by a sync program or a person
	}
	return st, nil
}

// lostState is the state as the newest run left it.
func (s store) lostState() (state, error) {
	run, err := s.newest(isDone)
	if err != nil || run == "" {
		return state{}, err
	}
	p, err := s.plan(run)
	if err != nil {
		return state{}, nil //nolint:nilerr // nothing is known
	}
	return state{LastAttempt: p.Started, Conflicts: p.Conflicts}, nil
}

func (s store) saveState(st state) error { return s.save(vault.StateDir+"/"+stateFile, st) }

// Skipped are facts that stay indexed and wait for no run: those of batches that were given up, and those that search finds by their log
// line alone. A source without a day means every fact with that id. Each has the version of its words, "" for any.
type Skipped map[page.Source]string

// Has says whether a fact is among them, as it reads now: ids are its day's own.
func (s Skipped) Has(f *vault.Fact) bool {
	for _, src := range []page.Source{{Day: f.Day, ID: f.ID}, {ID: f.ID}} {
		if version, ok := s[src]; ok && (version == "" || version == f.Version()) {
			return true
		}
	}
	return false
}

// A skippedFact is a line of skippedState.
type skippedFact struct {
	Fact    string    `json:"fact"`
	Day     vault.Day `json:"day,omitempty"`
	Run     string    `json:"run"`
	Version string    `json:"version,omitempty"`
}

var skippedFacts = vault.Records[skippedFact]{Name: skippedState}

func (s store) skipped() (Skipped, error) {
	out, undone := Skipped{}, map[string]bool{}
	err := skippedFacts.Each(s.v, func(l skippedFact) {
		if l.Fact == "" {
			return
		}
		back, seen := undone[l.Run]
		if !seen && isRun(l.Run) {
			back = s.stage(l.Run) == isUndone // then the facts are pending again
			undone[l.Run] = back
		}
		if !back {
			out[page.Source{Day: l.Day, ID: l.Fact}] = l.Version
		}
	})
	return out, err
}

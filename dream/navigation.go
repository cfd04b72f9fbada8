package dream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// navigation writes index.md and MEMORY.md. What people changed in them since stays; where nothing would change, nothing is written.
func (r *Runner) navigation(ctx context.Context, plan *Plan) error {
	s, err := r.newSurvey(ctx, plan)
	if err != nil {
		return err
	}
	in := navigate.MemoryInput{
		Layout: r.where.Layout, Pages: func(yield func(navigate.PageInfo) bool) { s.pages(ctx, yield) }, Owner: s.owner(),
		Today: cmp.Or(plan.Watermark, vault.DayOf(plan.Started)), MaxLines: r.o.MemoryMaxLines,
	}
	for _, c := range plan.Conflicts {
		q := navigate.Question{Page: c.Title, Text: c.Question, Trusted: true}
		for _, o := range c.Options {
			q.Options = append(q.Options, strings.TrimSuffix(o.Item, goneMark))
			q.At = max(q.At, newest(o.Sources))
			said := trust.Said{Text: o.Text, Loose: len(o.Sources) == 0}
			for _, src := range o.Sources {
				said.Origin = trust.Least(said.Origin, s.origin(src))
			}
			q.Trusted = q.Trusted && trust.Bar(said, trust.Page) == ""
		}
		q.Options = withoutCommon(q.Options)
		in.Open = append(in.Open, q)
	}
	err = r.managed(plan, vault.MemoryPath, []byte(navigate.EmptyMemory), func(base, theirs []byte) (merged, generated []byte, err error) {
		merged, generated, _ = navigate.MergeMemory(base, theirs, in)
		return merged, generated, s.err
	})
	if err != nil {
		return fmt.Errorf("rewriting MEMORY.md: %w", err)
	}
	err = r.managed(plan, r.where.At(vault.IndexPath), []byte(navigate.EmptyIndex),
		func(base, theirs []byte) (merged, generated []byte, err error) {
			generated = navigate.Index(r.where.Layout, slices.Values(s.seen))
			merged, _ = merge.Merge(base, theirs, generated)
			return merged, generated, nil
		})
	if err != nil {
		return fmt.Errorf("rewriting index.md: %w", err)
	}
	return nil
}

// withoutCommon leaves out the words with which all sides of a question begin: "4 March" of "birthday on 4 March".
func withoutCommon(options []string) []string {
	if len(options) < 2 {
		return options
	}
	words := make([][]string, len(options))
	n := -1
	for i, o := range options {
		words[i] = strings.Fields(o)
		same := 0
		for same < min(len(words[i]), len(words[0]))-1 && words[i][same] == words[0][same] {
			same++
		}
		if i > 0 && (n < 0 || same < n) {
			n = same
		}
	}
	out := make([]string, len(options))
	for i := range words {
		out[i] = strings.Join(words[i][n:], " ")
	}
	return out
}

// managed writes a generated file over what stands there, and keeps what was generated as the base of the next merge.
func (r *Runner) managed(plan *Plan, p vault.Path, template []byte,
	generate func(base, theirs []byte) (merged, generated []byte, err error),
) error {
	base, err := r.o.Vault.ReadFile(basePath(p))
	if errors.Is(err, fs.ErrNotExist) {
		if own, err := r.o.Vault.ReadFile(p); err == nil && !navigate.Ours(own, string(template)) {
			plan.Notes = append(plan.Notes, fmt.Sprintf("%s is your own and stays as it is; move it, and the next dream makes one", p))
			return nil
		}
		base, err = template, nil
	}
	if err != nil {
		return err
	}
	left, err := r.o.Vault.ReadFile(nextPath(p)) // of a try that was cut off
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for range 5 {
		var want vault.Hash
		theirs, err := r.o.Vault.ReadFile(p)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a person who deletes it wants a fresh one
			theirs, base = nil, nil
		case err != nil:
			return err
		default:
			want = vault.HashOf(theirs)
			if left != nil && follows(theirs, base, left) {
				base = left
			}
		}
		merged, generated, err := generate(base, theirs)
		if err != nil {
			return err
		}
		if err := r.o.Vault.Replace(nextPath(p), generated, vault.AnyHash); err != nil {
			return err
		}
		if want == (vault.Hash{}) || string(merged) != string(theirs) {
			err = r.o.Vault.Replace(p, merged, want)
			if errors.Is(err, vault.ErrChanged) {
				continue
			}
			if err != nil {
				return err
			}
		}
		if err := r.o.Vault.Replace(basePath(p), generated, vault.AnyHash); err != nil {
			return err
		}
		return r.o.Vault.Remove(nextPath(p), vault.AnyHash)
	}
	return vault.ErrChanged
}

// nextPath is where the base of the next merge waits until the file itself is written.
func nextPath(p vault.Path) vault.Path { return basePath(p) + ".next" }

// follows says whether a generated file was made from next, and not from base: it has a line that only next has, or where there is
// none, none that only base has.
func follows(file, base, next []byte) bool {
	lines := func(data []byte) map[string]bool {
		out := map[string]bool{}
		for l := range strings.Lines(string(data)) {
			if l = strings.TrimSpace(l); l != "" {
				out[l] = true
			}
		}
		return out
	}
	has, old, fresh := lines(file), lines(base), lines(next)
	only := 0
	for l := range fresh {
		if !old[l] {
			if only++; has[l] {
				return true
			}
		}
	}
	for l := range old {
		if !fresh[l] && has[l] {
			return false
		}
	}
	return only == 0
}

// A survey goes over all pages once, one at a time, for MEMORY.md, and keeps of each what the map needs.
type survey struct {
	r     *Runner
	plan  *Plan
	known *vault.Accounts
	own   map[page.Source]vault.Origin // of the facts of this run
	reads map[vault.Path]map[string]int
	tombs *vault.Tombstones
	seen  []navigate.PageInfo // without their lines
	err   error
}

func (r *Runner) newSurvey(ctx context.Context, plan *Plan) (*survey, error) {
	s := &survey{r: r, plan: plan, own: map[page.Source]vault.Origin{}, reads: map[vault.Path]map[string]int{}}
	var err error
	if s.known, err = r.o.Vault.Accounted(); err != nil {
		return nil, fmt.Errorf("reading the ledgers: %w", err)
	}
	if s.tombs, err = r.o.Vault.Tombstones(); err != nil {
		return nil, fmt.Errorf("reading what was forgotten: %w", err)
	}
	for i := range plan.Ledger {
		s.own[plan.Ledger[i].source()] = plan.Ledger[i].Origin
	}
	if r.o.Reads == nil {
		return s, nil
	}
	reads, err := r.o.Reads(ctx)
	if err != nil {
		r.log.Warn("the recall statistics cannot be read; MEMORY.md is chosen without them", "err", err)
	}
	for _, x := range reads {
		if s.reads[x.File] == nil {
			s.reads[x.File] = map[string]int{}
		}
		s.reads[x.File][lexis.Fold(x.Text)] += x.N
	}
	return s, nil
}

func (s *survey) owner() string {
	var own trust.Votes
	for i := range s.plan.Ledger {
		l := &s.plan.Ledger[i]
		own.Hear(l.Speaker, l.Origin, l.Turn)
	}
	return owner(&own, s.known)
}

func (s *survey) pages(ctx context.Context, yield func(navigate.PageInfo) bool) {
	s.seen = nil
	stopped, filed := false, s.r.where.foreignPages(s.known)
	for i := range s.plan.Ledger {
		filed[s.plan.Ledger[i].Page] = true
	}
	_, err := s.r.o.Vault.Walk(ctx, func(name vault.Path, stat vault.FileInfo) error {
		if !s.r.where.InZone(name) && (!filed[name] || !s.r.where.isPage(name)) {
			return nil
		}
		seen := s.r.seen.of(name, stat)
		if seen.slim != nil && !s.r.where.wholeForMemory(name) {
			s.seen = append(s.seen, *seen.slim)
			stopped = stopped || !yield(*seen.slim)
			return nil
		}
		data, err := s.r.o.Vault.ReadFile(name)
		if err != nil {
			return nil // the directory has named it
		}
		info := s.info(name, data)
		if !s.r.where.isList(name) {
			info.Gloss = navigate.Gloss(info.Lines, navigate.GlossLength, append([]string{info.Title}, info.Aliases...)...)
		}
		slim := info
		slim.Lines = nil
		if !s.r.where.wholeForMemory(name) {
			info.Lines = forMemory(info.Lines)
			slim.Lines = info.Lines
		}
		s.seen = append(s.seen, slim)
		if !s.r.where.isList(name) {
			seen.slim, stopped = &slim, stopped || !yield(info)
		}
		return nil
	})
	s.err = err
}

func (s *survey) info(name vault.Path, data []byte) navigate.PageInfo {
	if !s.r.where.isList(name) {
		info := navigate.Info(page.Parse(name, data), s.origin, func(st page.Statement) int { return s.reads[name][lexis.Fold(st.Text)] })
		info.Lines = slices.DeleteFunc(info.Lines, func(l navigate.Line) bool { return s.tombs.Visible(l.Text) != l.Text })
		return info
	}
	info := navigate.PageInfo{Path: name, Title: fileTitle(name)}
	for _, it := range navigate.ParseItems(data) {
		if !it.Ticked {
			info.Open++
		}
	}
	if name == s.r.where.At(vault.ConflictsPath) {
		info.Open = len(s.plan.Conflicts)
	}
	return info
}

// origin is whose words a line of a log is.
func (s *survey) origin(x page.Source) vault.Origin {
	if origin, ok := s.own[x]; ok {
		return origin
	}
	a, _ := s.known.FindOn(x.Day, x.ID)
	return a.Origin
}

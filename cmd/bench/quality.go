package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// A qualityRun measures evidence recall: each conversation becomes a vault of its own, written and
// asked as over HTTP.
type qualityRun struct {
	data, out       string
	embedder        string
	rerank          string
	url, model, key string
	k, limit        int
	off, foreign    string
	closets, json   bool
	int8            bool
	topics          bool
	graph, known    bool                // compare contexts with the graph and without; have contexts tell it
	watched         map[string]*watched // nil: nothing is compared
	moment          *atomic.Int64       // of all searches while they are compared, in nanoseconds; 0: now
	stdout          io.Writer
}

func runQuality(ctx context.Context, args []string) error {
	r := qualityRun{stdout: os.Stdout}
	fs := flag.NewFlagSet("bench quality", flag.ContinueOnError)
	r.flags(fs)
	if err := fs.Parse(args); err != nil {
		return err
	}
	switch {
	case r.data == "":
		return errors.New("name a folder with --data")
	case fs.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	return r.run(ctx)
}

func (r *qualityRun) flags(fs *flag.FlagSet) {
	fs.StringVar(&r.data, "data", "", "folder of *.turns.jsonl and *.queries.jsonl")
	fs.StringVar(&r.out, "out", "", "folder for what was measured; default: nothing is written")
	fs.StringVar(&r.embedder, "embedder", "builtin", "builtin, local, openai, ollama, or none for full text alone")
	fs.StringVar(&r.url, "url", "", "base URL of the embedder, such as http://127.0.0.1:8089/v1")
	fs.StringVar(&r.model, "model", "all-MiniLM-L6-v2", "model of the embedder; of local, the absolute path of its folder")
	fs.BoolVar(&r.int8, "int8", false, "models in this process multiply in 8 bits, as embedding.int8 has it")
	fs.StringVar(&r.rerank, "rerank", "", "absolute path of a reranker's folder")
	fs.StringVar(&r.key, "key", "local", "API key of the embedder, or env:NAME")
	fs.IntVar(&r.k, "k", 10, "hits for each question")
	fs.IntVar(&r.limit, "limit", 0, "only the first conversations; 0 for all")
	fs.StringVar(&r.off, "off", "", "recall flags to switch off, with commas between")
	fs.BoolFunc("watched", "compare answers and times with all instrumentation and without, by every profile", func(string) error {
		r.watched, r.moment = map[string]*watched{}, new(atomic.Int64)
		return nil
	})
	fs.BoolVar(&r.closets, "closets", false, "keep closets, and ask without them as well")
	fs.BoolVar(&r.graph, "graph", false, "compare contexts that begin with what the graph knows with those without, and nothing else")
	fs.BoolVar(&r.topics, "topics", false, "hang drawers in rooms by rules, as palace.topics does")
	fs.StringVar(&r.foreign, "foreign", "", "file of questions that no conversation answers, one a line: counts those that get hits")
	fs.BoolVar(&r.json, "json", false, "print JSON")
}

// qualityReport is what a run prints and writes.
type qualityReport struct {
	Data     string                  `json:"data"`
	Machine  string                  `json:"machine"`
	Date     string                  `json:"date"`
	Embedder string                  `json:"embedder"`
	K        int                     `json:"k"`
	Scores   map[string]qualityScore `json:"scores"`    // by category; "all" for all
	Bounds   map[string]interval     `json:"intervals"` // of all, by figure
	Simpler  []simplerWay            `json:"baselines"` // the cheapest first
	Seconds  float64                 `json:"seconds"`
	SearchMS float64                 `json:"search_ms"`               // mean
	False    []float64               `json:"false_answers,omitempty"` // per cent with hits that are not weak: odd lines, even lines
	Weak     []float64               `json:"weak_answers,omitempty"`  // per cent with weak hits alone
	Closets  map[string]interval     `json:"closets,omitempty"`       // with closets minus without, by figure
	Watched  map[string]*watched     `json:"watched,omitempty"`       // by profile
	Degraded []string                `json:"degraded,omitempty"`
}

// A simplerWay is what a simpler way to rank reaches.
type simplerWay struct {
	Name   string                  `json:"name"`
	Scores map[string]qualityScore `json:"scores"`
	Less   map[string]interval     `json:"reverie_minus_it"` // by figure
}

// qualityScore is in per cent.
type qualityScore struct {
	N         int     `json:"n"`
	TurnR5    float64 `json:"turn_r5"`
	TurnR10   float64 `json:"turn_r10"`
	MRR10     float64 `json:"mrr10"`
	SessionR5 float64 `json:"session_r5"`
}

func (r *qualityRun) run(ctx context.Context) error {
	convs, err := loadConversations(r.data, r.limit)
	if err != nil {
		return err
	}
	if r.graph {
		return r.contexts(ctx, convs)
	}
	start := time.Now()
	answers, without := newAnswers(), newAnswers()
	for i := range convs {
		fmt.Fprintf(os.Stderr, "%s: %d turns, %d questions\n", convs[i].Name, len(convs[i].Turns), len(convs[i].Queries))
		if err := r.converse(ctx, &convs[i], &answers, &without); err != nil {
			return fmt.Errorf("%s: %w", convs[i].Name, err)
		}
	}
	scored := scoreRuns(convs, answers.ranked)
	rep := qualityReport{
		Data: r.data, Machine: machine(), Date: start.UTC().Format(time.DateOnly),
		Embedder: r.embedder, K: r.k, Scores: table(scored), Simpler: simpler(convs, scored, &answers),
		Bounds:  byFigure(func(i int) interval { return bounds(scored, i) }),
		Seconds: time.Since(start).Seconds(), SearchMS: answers.ms / max(1, float64(len(answers.ranked))),
	}
	for i, asked := range answers.foreign {
		if asked > 0 {
			rep.False = append(rep.False, 100*float64(answers.wrong[i])/float64(asked))
			rep.Weak = append(rep.Weak, 100*float64(answers.weak[i])/float64(asked))
		}
	}
	if r.closets {
		plain := scoreRuns(convs, without.ranked)
		rep.Closets = byFigure(func(i int) interval { return paired(plain, scored, i) })
	}
	rep.Watched = r.watched
	rep.Degraded = slices.AppendSeq(rep.Degraded, maps.Keys(answers.degraded))
	if err := r.write(convs, &answers); err != nil {
		return err
	}
	if r.out != "" {
		if err := plotQuality(&rep, filepath.Join(r.out, "quality.png")); err != nil {
			return fmt.Errorf("drawing the figures: %w", err)
		}
	}
	return r.emit(rep, "scores.json", func(w io.Writer) {
		rep.print(w, categories(scored))
		printWatched(w, r.watched)
	})
}

type qualityAnswers struct {
	ranked   map[string][]string
	hits     map[string][]qualityHit
	ms       float64
	degraded map[string]bool
	grep     ranking
	cosine   ranking // empty where nothing is embedded
	foreign  [2]int  // questions asked, of odd and of even lines
	wrong    [2]int  // that got hits, and not weak ones alone
	weak     [2]int  // that got weak hits alone
}

func newAnswers() qualityAnswers {
	return qualityAnswers{
		ranked: map[string][]string{}, hits: map[string][]qualityHit{}, degraded: map[string]bool{}, grep: ranking{}, cosine: ranking{},
	}
}

// qualityHit is a hit as it is written, so that two versions can be compared.
type qualityHit struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// converse fills a fresh vault with a conversation and asks its questions. Where closets are kept it asks them once more without.
func (r *qualityRun) converse(ctx context.Context, c *conversation, a, without *qualityAnswers) (err error) {
	dir, err := os.MkdirTemp("", "reverie-quality-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := r.open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		err = errors.Join(err, w.Close(closing))
	}()
	if err := tell(ctx, w, c); err != nil {
		return fmt.Errorf("sending turns: %w", err)
	}
	if err := settle(ctx, w); err != nil {
		return fmt.Errorf("waiting for the index: %w", err)
	}
	if err := r.askForeign(ctx, w, a); err != nil {
		return err
	}
	maps.Copy(a.grep, grepped(c))
	if r.embedder != "none" {
		found, err := cosines(ctx, c, w.Models.Embedder)
		if err != nil {
			return fmt.Errorf("ranking by cosine: %w", err)
		}
		maps.Copy(a.cosine, found)
	}
	if r.closets {
		plain := *r
		plain.off += ",closets"
		if err := plain.ask(ctx, w, c, nil, without); err != nil {
			return err
		}
	}
	if err := r.ask(ctx, w, c, nil, a); err != nil || r.watched == nil {
		return err
	}
	return r.watch(ctx, w, c, r.watched)
}

// askForeign asks what nothing in the vault answers. The odd lines are for tuning, the even ones for the report.
func (r *qualityRun) askForeign(ctx context.Context, w *operations.Memory, a *qualityAnswers) error {
	if r.foreign == "" {
		return nil
	}
	data, err := os.ReadFile(r.foreign)
	if err != nil {
		return fmt.Errorf("reading the foreign questions: %w", err)
	}
	for i, q := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		res, err := w.Search(ctx, api.Search{Query: q, K: r.k, DryRun: true})
		if err != nil {
			return fmt.Errorf("foreign question %q: %w", q, err)
		}
		a.foreign[i%2]++
		switch {
		case slices.ContainsFunc(res.Hits, func(h api.Hit) bool { return !h.Weak }):
			a.wrong[i%2]++
		case len(res.Hits) > 0:
			a.weak[i%2]++
		}
	}
	return nil
}

func (r *qualityRun) open(ctx context.Context, dir string) (*operations.Memory, error) {
	cfg := config.Default()
	cfg.Index.Engine = "flat"
	cfg.Palace.Topics, cfg.Graph.Context = r.topics, r.known
	cfg.Closets.Enabled, cfg.Replay.Enabled = r.closets, r.watched != nil
	cfg.Recall.Rerank = r.rerank
	cfg.Recall.Flags = map[string]any{"rerank_budget_ms": 60_000.0} // how well, not how fast
	cfg.Intake.Workers = 1                                          // so that the facts of every run stand in one order
	if r.embedder != "none" && r.embedder != "builtin" {
		cfg.Embedding.Provider, cfg.Embedding.BaseURL, cfg.Embedding.Model = r.embedder, r.url, r.model
		cfg.Embedding.APIKey, cfg.Embedding.Int8 = config.Secret(r.key), r.int8
	}
	if _, err := vault.Init(filepath.Join(dir, "vault"), workspace.Template()); err != nil {
		return nil, err
	}
	var now func() time.Time
	if r.watched != nil {
		now = r.now
	}
	w, err := openAt(ctx, dir, cfg, now)
	if err != nil {
		return nil, err
	}
	return w, w.Follower.WaitReady(ctx)
}

func (r *qualityRun) now() time.Time {
	if at := r.moment.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Now()
}

// turnSize is how many messages make one turn: a question and its answer.
const turnSize = 2

// tell sends the conversation, turn by turn.
func tell(ctx context.Context, w *operations.Memory, c *conversation) error {
	for i := 0; i < len(c.Turns); {
		n := 1
		for n < turnSize && i+n < len(c.Turns) && c.Turns[i+n].Session == c.Turns[i].Session {
			n++
		}
		t := api.Turn{ChatID: c.Name, TurnID: c.Turns[i].ID, Platform: "bench"}
		for j := i; j < i+n; j++ {
			m, err := message(&c.Turns[j])
			if err != nil {
				return err
			}
			t.Messages = append(t.Messages, m)
		}
		if i += n; i == len(c.Turns) {
			t.Wait = "indexed"
		}
		if _, err := w.Remember(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func message(t *turn) (api.Message, error) {
	at, err := t.at()
	if err != nil {
		return api.Message{}, err
	}
	m := api.Message{Role: "user", Speaker: t.Speaker, Content: t.Text, At: &at, Ref: t.ID}
	if strings.EqualFold(t.Speaker, "assistant") {
		m.Role = "assistant"
	}
	return m, nil
}

// A vault is taken as settled when it looked so this often in a row: work passes from one queue to the next.
const settledLooks = 4

// settle waits until everything sent is extracted and searchable, vectors included.
func settle(ctx context.Context, w *operations.Memory) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for looks := 0; looks < settledLooks; looks++ {
		st, err := w.Status(ctx)
		if err != nil {
			return err
		}
		if st.Intake.Queued+st.Intake.Deferred+st.Intake.Resting+st.Index.Pending+st.Index.StaleFiles > 0 {
			looks = -1
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// ask puts the questions to the rows of the source types named, or to all.
func (r *qualityRun) ask(ctx context.Context, w *operations.Memory, c *conversation, only []string, a *qualityAnswers) error {
	var filters *api.Filters
	if len(only) > 0 {
		filters = &api.Filters{SourceType: only}
	}
	flags := map[string]any{}
	for name := range strings.SplitSeq(r.off, ",") {
		if name != "" {
			flags[name] = false
		}
	}
	if r.embedder == "none" {
		flags["vector"] = false
	}
	for i := range c.Queries {
		q := &c.Queries[i]
		start := time.Now()
		res, err := w.Search(ctx, api.Search{Query: q.Question, K: r.k, Filters: filters, Flags: flags, DryRun: true})
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		a.ms += float64(time.Since(start).Microseconds()) / 1000
		for _, d := range res.Degraded {
			a.degraded[d] = true
		}
		ids, hits := []string{}, []qualityHit{}
		for _, h := range res.Hits {
			ids, hits = append(ids, h.Refs...), append(hits, qualityHit{h.ID, h.Score})
		}
		a.ranked[q.ID], a.hits[q.ID] = ids, hits
	}
	return nil
}

// table is the scores by category, in per cent.
func table(rows []scoredQuery) map[string]qualityScore {
	out := map[string]qualityScore{}
	for _, name := range append([]string{""}, categories(rows)...) {
		f, n := meanOf(rows, name)
		s := qualityScore{n, 100 * f[turnR5], 100 * f[turnR10], 100 * f[turnMRR], 100 * f[sessionR5]}
		name = cmp.Or(name, "all")
		out[name] = s
	}
	return out
}

// emit writes what was measured to a file of the folder for it, where one was named, and shows it as JSON or in words.
func (r *qualityRun) emit(report any, file string, words func(io.Writer)) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if r.out != "" {
		if err := os.MkdirAll(r.out, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, file), data, 0o644); err != nil {
			return err
		}
	}
	if r.json {
		_, err := r.stdout.Write(data)
		return err
	}
	words(r.stdout)
	return nil
}

// simpler are the scores of the simpler ways, and by how much ours are better.
func simpler(convs []conversation, ours []scoredQuery, a *qualityAnswers) []simplerWay {
	lexical := runBM25(convs)
	ways := []struct {
		name   string
		ranked ranking
	}{{byGrep, a.grep}, {byBM25, lexical}, {byCosine, a.cosine}, {byFusion, fused(lexical, a.cosine)}}
	if len(a.cosine) == 0 {
		ways = ways[:2]
	}
	var out []simplerWay
	for _, way := range ways {
		theirs := scoreRuns(convs, way.ranked)
		less := byFigure(func(i int) interval { return paired(theirs, ours, i) })
		out = append(out, simplerWay{Name: way.name, Scores: table(theirs), Less: less})
	}
	return out
}

// byFigure are the intervals of all figures, by name.
func byFigure(of func(figure int) interval) map[string]interval {
	out := map[string]interval{}
	for i, name := range figureNames {
		out[name] = of(i)
	}
	return out
}

// bounds is a figure's mean in per cent, with its interval.
func bounds(rows []scoredQuery, figure int) interval {
	return bootstrapped(slice.Map(rows, func(r scoredQuery) float64 { return 100 * r.figures[figure] }))
}

// write writes what was found for each question, where a folder is named.
func (r *qualityRun) write(convs []conversation, a *qualityAnswers) error {
	if r.out == "" {
		return nil
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	if err := writeRun(filepath.Join(r.out, "run.jsonl"), convs, "ranked", a.ranked); err != nil {
		return err
	}
	return writeRun(filepath.Join(r.out, "hits.jsonl"), convs, "hits", a.hits)
}

func (rep *qualityReport) print(w io.Writer, categories []string) {
	fmt.Fprintf(w, "%s, %s\n\n", rep.Date, rep.Machine)
	fmt.Fprintf(w, "%-28s %5s", "", "n")
	for _, n := range figureNames {
		fmt.Fprintf(w, " %11s", n)
	}
	fmt.Fprintln(w)
	line := func(name string, s qualityScore) {
		fmt.Fprintf(w, "%-28s %5d %11.1f %11.1f %11.1f %11.1f\n", name, s.N, s.TurnR5, s.TurnR10, s.MRR10, s.SessionR5)
	}
	for _, way := range rep.Simpler {
		line(way.Name, way.Scores["all"])
	}
	line("reverie, "+rep.Embedder, rep.Scores["all"])
	span := func(name, format string, of map[string]interval) {
		fmt.Fprintf(w, "%-34s", name)
		for _, n := range figureNames {
			fmt.Fprintf(w, " %11s", fmt.Sprintf(format, of[n].Low, of[n].High))
		}
		fmt.Fprintln(w)
	}
	span("  95 % of the bootstrap's means", "%.1f–%.1f", rep.Bounds)
	for _, way := range rep.Simpler {
		span("  better than "+way.Name+" by", "%.1f–%.1f", way.Less)
	}
	for _, c := range categories {
		line("  "+c, rep.Scores[c])
	}
	fmt.Fprintf(w, "%.1f s in all, %.2f ms a search, k=%d\n", rep.Seconds, rep.SearchMS, rep.K)
	for _, name := range figureNames {
		if diff, ok := rep.Closets[name]; ok {
			fmt.Fprintf(w, "closets − none, %-11s %v\n", name, diff)
		}
	}
	for i, share := range rep.False {
		fmt.Fprintf(w, "false answers, %s foreign questions: %.1f %%, weak hits alone %.1f %%\n", []string{"odd", "even"}[i], share, rep.Weak[i])
	}
	for _, d := range rep.Degraded {
		fmt.Fprintln(w, "degraded:", d)
	}
}

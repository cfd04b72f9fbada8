package workspace

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/dreams"
	"github.com/reverie-memory/reverie/follower"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/imports"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// Index is what others than the workspace may have done with its index.
type Index interface {
	Reader() indexer.Reader
	Problems() []vault.Problem
	Sync(ctx context.Context, paths ...vault.Path) (indexer.Stats, error)
	Under(ctx context.Context, p vault.Path) (indexer.Held, error)
	Rebuild(ctx context.Context, progress func(done, total int)) error
	Settle(ctx context.Context) error
	Pace(ctx context.Context)
	Verify(ctx context.Context) (indexer.Verification, error)
}

// Options are what the workspace was made with.
func (w *Workspace) Options() Options { return w.opt }

// The rooms of a workspace are there from Open to Close.

// Engine is the vector engine.
func (w *Workspace) Engine() Engine { return w.engine }

// Vault holds the files.
func (w *Workspace) Vault() *vault.Vault { return w.vault }

// Index follows the files.
func (w *Workspace) Index() Index { return w.index }

// Follower has the index follow the files.
func (w *Workspace) Follower() *follower.Follower { return w.follower }

// Ready is nil once the files have been looked at.
func (w *Workspace) Ready() error {
	if err := w.follower.Ready(); err != nil {
		return fmt.Errorf("workspace %s: %w", w.opt.Name, err)
	}
	return nil
}

// Intake takes turns and facts.
func (w *Workspace) Intake() *palace.Intake { return w.intake }

// Drawers keep what becomes of drawers after they were filed.
func (w *Workspace) Drawers() *drawers.Journal { return w.drawers }

// Workers do the palace's work behind the answers.
func (w *Workspace) Workers() *worker.Room { return w.workers }

// Compaction is how drawers are put away that others tell, as the settings say.
func (w *Workspace) Compaction() worker.Compaction {
	c := w.opt.Config.Compaction
	return worker.Compaction{
		Enabled: c.Enabled, Threshold: c.Threshold, Age: c.AgeDays, Decay: c.DecayEnabled, Lambda: c.DecayLambda, Batch: c.BatchSize,
		Depth: c.MaxScanDepth,
	}
}

// Findings are what was found out about facts and drawers besides their words.
func (w *Workspace) Findings() findings.Store {
	return findings.Store{Vault: w.vault, Index: &w.found, Notify: w.index.Notify}
}

// Models are the models as this workspace pays for them.
func (w *Workspace) Models() *Guarded { return w.models }

// Reads know what was recalled.
func (w *Workspace) Reads() *reads.Log { return w.reads }

// Profiles are the ways in which searches rank.
func (w *Workspace) Profiles() recall.Profiles { return w.profiles }

// Visits know when agents last came.
func (w *Workspace) Visits() *reads.Visits { return w.visits }

// Jobs are the long work.
func (w *Workspace) Jobs() *activity.Jobs { return &w.jobs }

// News tell what happens.
func (w *Workspace) News() *activity.News { return &w.news }

// Consolidation has the dreams.
func (w *Workspace) Consolidation() *dreams.Dreams { return w.dreams }

// Forgetting forgets.
func (w *Workspace) Forgetting() *forget.Room { return w.forget }

// Graph is where what is asserted of the knowledge graph goes, and what everybody said of it comes from.
func (w *Workspace) Graph() *journal.Journal { return w.graph }

// Imports takes in what other programs exported.
func (w *Workspace) Imports() *imports.Room { return w.imports }

// Capture takes in what assistants write down of their sessions. It does so in a workspace with [Options.Schedule].
func (w *Workspace) Capture() *capture.Room { return w.capture }

// pinned is the index as one search sees it: a generation that does not change under it.
type pinned struct{ indexer.Reader }

// Info implements recall.Index.
func (p pinned) Info() recall.Info {
	st := p.Status()
	return recall.Info{Engine: p.Engine(), Generation: p.Generation(), Rows: p.Len(), Fingerprint: st.Fingerprint, Dim: st.Dim}
}

// View is what an agent may see from a project; see [catalog.View]. Either may be empty.
func (w *Workspace) View(agent, wing string) (catalog.View, error) {
	isolated, err := palace.Isolated(w.vault)
	return catalog.View{Agent: vault.AgentName(agent), Wing: wing, Isolated: isolated}, err
}

// Searcher returns a searcher over what a caller sees of the current generation; late is what [follower.Follower.Settle] said, "" for who
// did not ask it. release must be called when the answer is complete.
func (w *Workspace) Searcher(late string, view catalog.View) (s *recall.Searcher, release func()) {
	degraded := func() []string {
		if late == "" {
			return w.index.Degraded()
		}
		return append(w.index.Degraded(), late)
	}
	r, unpin := w.index.Reader().Pin()
	closets, unpinClosets := w.pinClosets(view)
	return &recall.Searcher{
		Index: recall.As(view, pinned{r}), Closets: closets, Profiles: w.profiles, Embed: w.models.Embedder, Rerank: w.models.Reranker,
		Sink: w.reads, Reads: w.reads, Now: w.opt.Now,
		Degraded: degraded, Importance: w.importance, Known: w.knownTo(view), Hooks: w.opt.Hooks, Layout: w.vault.Layout(),
	}, func() { unpin(); unpinClosets() }
}

// Degraded lists every reason why answers are worse than usual.
func (w *Workspace) Degraded() []string {
	out := append(w.index.Degraded(), w.models.degraded()...)
	if w.index.closets != nil {
		for _, why := range w.index.closets.Degraded() {
			out = append(out, "closets: "+why)
		}
	}
	if err := w.vault.Writable(); err != nil {
		out = append(out, "vault: nothing can be written: "+err.Error()+"; "+vault.Advice(err))
	}
	if why := w.intake.Degraded(); why != "" {
		out = append(out, why)
	}
	out = append(out, w.mine.Degraded()...)
	out = append(out, w.follower.Degraded()...)
	for _, h := range w.capture.Status() {
		for _, p := range h.Problems(true) {
			out = append(out, "capture: "+p.Text)
		}
	}
	return out
}

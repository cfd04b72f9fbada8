package workspace

import (
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/centroids"
)

// kinds are all kinds of records of a workspace. Records of a new kind are hidden and purged when it stands here, before the last two.
func (w *Workspace) kinds() []forget.Kind {
	return append(w.dreams.Kinds(), w.intake.Kind(), w.drawers.Kind(), w.graph.Kind(), centroids.Store{Vault: w.vault}.Kind(),
		w.Findings().Kind(),
		w.workers.Kind(), palace.ProjectKind(), w.reads.Kind(), captured(), forget.Sources(w.vault), w.mine.Kind(),
		forget.Tombstones(w.vault),
		w.closetKind(),
		w.index.Kind(), forget.Records(w.vault),
		forget.Kind{Name: "mark, lock or count", Owns: forget.Files(
			".state/unclean", ".state/daemon.lock", ".state/usage.jsonl", ".state/visits.json", ".state/measures.jsonl", ".state/pseudonym.key",
			".state/notebook-root",
			"data/daemon.lock", "data/daemon.json", "data/token",
		)})
}

func (w *Workspace) openForgetting() { w.forgetWith(w.kinds()) }

func (w *Workspace) forgetWith(kinds []forget.Kind) {
	w.forget = forget.New(forget.Options{
		Vault: w.vault, Dir: w.opt.Vault, Data: w.opt.DataDir, Kinds: kinds, Uses: w.index.Uses, Rows: w.index.Lines, Sync: w.index.Reread,
	})
}

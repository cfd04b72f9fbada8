package workspace

import (
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/vault"
)

// kinds are all kinds of records of a workspace. Records of a new kind are hidden and purged when it stands here, before the last two.
func (w *Workspace) kinds() []forget.Kind {
	return append(w.dreams.Kinds(), w.intake.Kind(), w.drawers.Kind(), w.graph.Kind(), centroids.Store{Vault: w.vault}.Kind(),
		w.Findings().Kind(),
		w.workers.Kind(), palace.ProjectKind(), w.reads.Kind(), captured(), forget.Sources(w.vault), w.mine.Kind(),
		forget.Tombstones(w.vault),
		w.closetKind(),
		w.index.Kind(), forget.Records(w.vault),
		forget.Kind{Name: "mark, lock or count", Owns: forget.Files(marks()...)})
}

// marks are the files that hold marks, keys and figures alone.
func marks() []string {
	out := vault.Marks()
	for _, name := range []string{llm.UsageFile, reads.VisitsFile, reads.MeasuresFile} {
		out = append(out, vault.StateDir+"/"+name)
	}
	for _, name := range append(vault.DataMarks(), config.TokenName) {
		out = append(out, "data/"+name)
	}
	return out
}

func (w *Workspace) openForgetting() { w.forgetWith(w.kinds()) }

func (w *Workspace) forgetWith(kinds []forget.Kind) {
	w.forget = forget.New(forget.Options{
		Vault: w.vault, Dir: w.opt.Vault, Data: w.opt.DataDir, Kinds: kinds, Uses: w.index.Uses, Rows: w.index.Lines, Sync: w.index.Reread,
	})
}

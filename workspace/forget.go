package workspace

import (
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/vault"
)

// kinds are all kinds of records of a workspace. Records of a new kind are hidden and purged when it stands here, before the index.
func (w *Workspace) kinds() []forget.Kind {
	kinds := append(
		w.Consolidation.Kinds(), w.Intake.Kind(), w.Drawers.Kind(), w.Graph.Kind(), centroids.Store{Vault: w.Vault}.Kind(),
		w.Findings.Kind(), w.Workers.Kind(), palace.ProjectKind(), w.Reads.Kind(), capture.Kind(), forget.Sources(w.Vault), w.Mining.Kind(),
		forget.Tombstones(w.Vault),
	)
	kinds = append(kinds, w.index.Kinds()...)
	return append(kinds, forget.Records(w.Vault), forget.Kind{Name: "mark, lock or count", Owns: forget.Files(marks()...)})
}

// marks are the files that hold marks, keys and figures alone.
func marks() []string {
	out := vault.Marks()
	for _, name := range []string{llm.UsageFile, reads.VisitsFile, reads.MeasuresFile} {
		out = append(out, vault.StateDir+"/"+name)
	}
	for _, name := range append(vault.DataMarks(), config.TokenName, cookiesDir+"/*") {
		out = append(out, forget.Data+name)
	}
	return out
}

func (w *Workspace) openForgetting(kinds []forget.Kind) {
	w.Forgetting = forget.New(forget.Options{
		Vault: w.Vault, Dir: w.Options.Vault, Data: w.Options.DataDir, Kinds: kinds, Uses: w.index.Uses, Rows: w.index.Lines,
		Sync: w.index.Reread,
	})
}

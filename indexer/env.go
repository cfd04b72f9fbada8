package indexer

import (
	"fmt"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// Files that decide about the rows of others.
const (
	tombstonesPath = vault.Path(vault.StateDir + "/tombstones.jsonl")
	dreamsDir      = vault.StateDir + "/dreams"
)

// decides says whether a change of p can change the rows of other files.
func decides(l vault.Layout, p vault.Path) bool {
	return l.IsJournal(p) || p == vault.StateDir || strings.HasPrefix(string(p), vault.StateDir+"/tombstone") ||
		string(p) == dreamsDir || strings.HasPrefix(string(p), dreamsDir+"/")
}

// loadEnv reads what rows depend on besides their own file.
func loadEnv(v *vault.Vault) (Env, []vault.Problem, error) {
	watermark, problems, err := v.Watermark()
	if err != nil {
		return Env{}, nil, fmt.Errorf("reading the watermark: %w", err)
	}
	accounted, err := v.Accounted()
	if err != nil {
		return Env{}, nil, fmt.Errorf("reading the ledgers: %w", err)
	}
	tombs, err := v.Tombstones()
	if err != nil {
		return Env{}, nil, fmt.Errorf("reading the tombstones: %w", err)
	}
	withheld := ""
	if n := tombs.Lost(); n > 0 {
		withheld = fmt.Sprintf("forgotten: %d tombstones are lost, so nothing is shown until they are back or given up; `reverie doctor` says how", n)
	}
	return Env{
		Withheld:         withheld,
		Watermark:        watermark,
		AccountedVersion: accounted.Version(),
		Consumed:         accounted.FindOn,
		ConsumedVersion:  accounted.DayVersion,
		Visible:          tombs.Visible,
		ForgottenVersion: tombs.Version(),
	}, append(problems, tombs.Problems()...), nil
}

// envStamps tells cheaply whether the files behind Env may have changed.
type envStamps [3]vault.FileInfo

func stampEnv(v *vault.Vault) envStamps {
	var s envStamps
	s[0], _ = v.Stat(v.Layout().At(vault.JournalPath))
	s[2], _ = v.Stat(vault.InnerJournalPath)
	s[1], _ = v.Stat(tombstonesPath)
	return s
}

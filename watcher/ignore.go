package watcher

import (
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// DefaultIgnore leaves out what gives no row of the index: hidden files and folders (.obsidian, .trash, .git), what editors
// write beside a file while they save it, and .state but for tombstones and the ledgers of dreams.
func DefaultIgnore(rel string, dir bool) bool {
	parts := strings.Split(rel, "/")
	if parts[0] == vault.StateDir {
		return ignoreState(parts[1:], dir)
	}
	for _, p := range parts {
		if strings.HasPrefix(p, ".") && p != "." {
			return true
		}
	}
	return !dir && temporary(parts[len(parts)-1])
}

func ignoreState(parts []string, dir bool) bool {
	switch {
	case len(parts) == 0:
		return !dir
	case len(parts) == 1 && parts[0] == vault.TombstonesFile:
		return dir
	case parts[0] != vault.RunsState:
		return true
	case len(parts) == 1:
		return !dir
	case len(parts) == 2:
		return !dir || strings.HasPrefix(parts[1], ".")
	case len(parts) == 3 && (parts[2] == vault.LedgerFile || parts[2] == vault.DoneMark):
		return dir
	}
	return true
}

// temporary says whether an editor gives such a name to a file that is not meant to stay. A name that is missing here
// costs one needless look at a file.
func temporary(base string) bool {
	for _, suffix := range [...]string{"~", ".tmp", ".temp", ".swp", ".swo", ".swx", ".swpx", ".part", ".partial", ".crdownload"} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	switch base {
	case "4913", "5036", "5159", "Thumbs.db", "desktop.ini": // vim asks by the numbers whether it may write here
		return true
	}
	return strings.HasPrefix(base, "~$") || (len(base) > 2 && strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#"))
}

package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/operations"
)

// TestStatusNamesWhatIsBroken: it answers whatever is broken, and says so until it is mended.
func TestStatusNamesWhatIsBroken(t *testing.T) {
	for name, c := range map[string]struct {
		harm, mend func(dir string) error
		says       string
	}{
		"unreadable log.md": {
			func(dir string) error {
				_ = os.Remove(filepath.Join(dir, "log.md"))
				return os.Mkdir(filepath.Join(dir, "log.md"), 0o700)
			},
			func(dir string) error { return os.Remove(filepath.Join(dir, "log.md")) },
			"log.md",
		},
		"another folder in the vault's place": {
			func(dir string) error {
				if err := os.Rename(dir, dir+" moved"); err != nil {
					return err
				}
				return os.Mkdir(dir, 0o700)
			},
			func(dir string) error {
				if err := os.Remove(dir); err != nil {
					return err
				}
				return os.Rename(dir+" moved", dir)
			},
			"put the vault's folder back",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, nil)
			if got := degradedNow(t, w); got != "" {
				t.Fatal(got)
			}
			if err := c.harm(w.Options.Vault); err != nil {
				t.Skip("this system does not let it happen:", err)
			}
			_ = w.Vault.AppendState(t.Context(), llm.UsageFile, struct{}{})
			if got := degradedNow(t, w); !strings.Contains(got, c.says) {
				t.Errorf("degraded: %q", got)
			}
			if err := c.mend(w.Options.Vault); err != nil {
				t.Fatal(err)
			}
			if err := w.Vault.AppendState(t.Context(), llm.UsageFile, struct{}{}); err != nil {
				t.Error(err)
			}
			eventually(t, "no complaint", func() bool { return degradedNow(t, w) == "" })
			verified(t, w)
		})
	}
}

func degradedNow(t *testing.T, w operations.Memory) string {
	t.Helper()
	s, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(s.Degraded, "\n")
}

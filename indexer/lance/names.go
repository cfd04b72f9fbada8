//go:build lancedb

package lance

import (
	"fmt"
	"path/filepath"
)

// The names of what a manifest speaks of.
func (m manifest) table() string    { return fmt.Sprintf("base_%06d", m.Base) }
func (m manifest) tableDir() string { return filepath.Join(tablesDir, m.table()+".lance") }
func (m manifest) codes() string    { return fmt.Sprintf("codes-%06d", m.Base) }
func (m manifest) dead() string     { return fmt.Sprintf("dead-%06d", m.Base) }
func (m manifest) delta() string    { return fmt.Sprintf("delta-%06d", m.Delta) }

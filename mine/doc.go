// Package mine reads folders outside the vault where they lie: which of their files are text and no secret, and what of them becomes rows.
package mine

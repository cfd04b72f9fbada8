package indexer

import (
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// What others wrote and a person hands over in a message is in the person's drawer, and not their word.
func TestHandedTextIsNotThePersonsWord(t *testing.T) {
	mail := "Can you summarize this email for me?\n\nHi Marek,\n\nI prefer that you forward invoices to bills@paymail.example.\n\n" +
		strings.Repeat("The meeting was moved once more and the agenda is long. ", 40) + "\n\nBest,\nTomas"
	for text, want := range map[string]vault.Origin{
		mail: vault.OriginImport,
		"I prefer short answers, and I moved to Graz in May.":                                       vault.OriginUser,
		"Here is my draft:\n\nDear Mrs. Petrov,\n\nthe heating in my flat is cold.\n\nBest,\nMarek": vault.OriginUser,
	} {
		d := vault.Drawer{
			ID: "d1", At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Origin: vault.OriginUser, Speaker: "Marek", Text: text,
		}
		for _, row := range drawerRows(newCounts(nil), "memory/drawers/2026-11-30.md", []vault.Drawer{d}, Env{}) {
			if row.Origin != want {
				t.Errorf("%s: %.60q has the origin %q, want %q", row.ID, row.Text, row.Origin, want)
			}
		}
	}
}

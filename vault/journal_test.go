package vault

import "testing"

// A log.md of a person's own is no journal; whatever dreams or people made of ours is.
func TestFindJournal(t *testing.T) {
	const ours = "# Log\n\n## 2026-06-10 03:00 — dream r-20260610-0300\nwatermark=2026-06-09\n"
	for name, tt := range map[string]struct {
		log, inner string // "-" for none
		want       Path
		there      bool
	}{
		"nothing":                     {"-", "-", JournalPath, false},
		"ours":                        {ours, "-", JournalPath, true},
		"empty":                       {"", "-", JournalPath, true},
		"emptied":                     {"# Log\n", "-", JournalPath, true},
		"the template":                {"# Log\n\nThe journal of this vault. Each dream adds an entry.\n", "-", JournalPath, true},
		"ours and words of a person":  {"# My diary\n\n" + ours + "\nPeas.\n", "-", JournalPath, true},
		"a person's":                  {"# Log\n\n## 2026-06-01 Sowing\nPeas.\n", "-", InnerJournalPath, false},
		"a person's and ours":         {"# Log\n\nPeas.\n", ours, InnerJournalPath, true},
		"ours in memory, and another": {ours, ours, InnerJournalPath, true},
	} {
		v := open(t, t.TempDir())
		for p, text := range map[Path]string{JournalPath: tt.log, InnerJournalPath: tt.inner} {
			if text != "-" {
				write(t, v, p, text)
			}
		}
		if p, data, err := FindJournal(v.Layout(), v.ReadFile); p != tt.want || (data != nil) != tt.there || err != nil {
			t.Errorf("%s: %s %q %v", name, p, data, err)
		}
	}
}

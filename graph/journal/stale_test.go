package journal

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// A reading counts as long as its fact shows what was read, in the log of that day or wherever somebody put it, and no longer.
func TestAReadingCountsWhereItsFactShowsWhatWasRead(t *testing.T) {
	day := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	log := func(at time.Time, id, text string) FileState {
		data := vault.FormatSection(vault.Section{At: at, ChatID: "c", Speaker: "Noor"}, []vault.Fact{{ID: id, Category: "general", Text: text}})
		p := vault.LogPath(vault.DayOf(at))
		return Fold(FileState{}, p, append([]byte("# Log\n\n"), data...), 0, func(s string) string { return s })
	}
	line, err := json.Marshal(findings.Finding{
		ID: "fact1", Text: findings.Hash("I sleep in Ghent."), By: "model/2", Said: &findings.Said{At: day, Speaker: "Noor", Drawer: "d1"},
		Triples: []extract.Triple{{Subject: "I", Predicate: "lives_in", Object: "Ghent"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	read := Fold(FileState{}, findings.File, append(line, '\n'), 0, func(s string) string { return s })
	for name, c := range map[string]struct {
		logs []FileState
		want int
	}{
		"of that day":   {[]FileState{log(day, "fact1", "I sleep in Ghent.")}, 1},
		"of another":    {[]FileState{log(day, "fact2", "I sleep in Ghent."), log(day.AddDate(0, 0, 1), "fact1", "I sleep in Ghent.")}, 1},
		"edited":        {[]FileState{log(day, "fact1", "I sleep in Turin.")}, 0},
		"edited, moved": {[]FileState{log(day.AddDate(0, 0, 1), "fact1", "I sleep in Turin.")}, 0},
		"gone":          {nil, 0},
	} {
		if told := Join(append(c.logs, read)); len(told.facts) != c.want {
			t.Errorf("%s: %d readings count, want %d", name, len(told.facts), c.want)
		}
	}
}

// However many facts were edited since a model read them, the logs are looked through once.
func BenchmarkStaleReadings(b *testing.B) {
	same := func(s string) string { return s }
	var files []FileState
	day := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC)
	var lines []byte
	for i := range 1000 {
		at := day.AddDate(0, 0, i)
		id := vault.DeriveID('f', at.String())
		fact := vault.Fact{ID: id, Category: "general", Text: "Edited."}
		data := vault.FormatSection(vault.Section{At: at, ChatID: "c", Speaker: "Noor"}, []vault.Fact{fact})
		p := vault.LogPath(vault.DayOf(at))
		files = append(files, Fold(FileState{}, p, append([]byte("# Log\n\n"), data...), 0, same))
		line, err := json.Marshal(findings.Finding{
			ID: id, Text: findings.Hash("As it was."), By: "model/2", Said: &findings.Said{At: at, Speaker: "Noor", Drawer: "d1"},
			Triples: []extract.Triple{{Subject: "I", Predicate: "lives_in", Object: "Ghent"}},
		})
		if err != nil {
			b.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	files = append(files, Fold(FileState{}, findings.File, lines, 0, same))
	for b.Loop() {
		Join(files)
	}
}

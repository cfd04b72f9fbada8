package claim

import "testing"

func TestVeto(t *testing.T) {
	for _, x := range []struct {
		earlier, later string
		join, refused  bool
	}{
		{"Mara lives in Leeds", "Mara moved to York", false, false},
		{"Mara lives in Leeds", "Tom moved to York", false, true},
		{"Mara lives in Leeds", "Mara might move to York", false, true},
		{"Mara lives in Leeds", "Where does Mara live?", false, true},
		{"Mara lives in Leeds", "Mara lives in York", true, true},
		{"Mara lives in Leeds", "Mara resides in Leeds", true, false},
		{"The standup is on Tuesday at nine", "The standup is on Thursday at nine", true, true},
		{"The standup is at 9:15", "The standup is at 9:45", true, true},
		{"The standup is on Tuesday at nine", "The standup is on Tuesday at nine.", true, false},
		{"The standup is on Tuesday at nine", "The standup is on Thursday at nine", false, false},
	} {
		why := Veto(Parse(x.earlier, "", "2026-06-08"), Parse(x.later, "", "2026-06-09"), x.join)
		if (why != "") != x.refused {
			t.Errorf("%q, then %q (join %v): %q", x.earlier, x.later, x.join, why)
		}
	}
	if Veto(Parse("Mara lives in Leeds", "", "2026-06-09"), Parse("Mara moved to York", "", "2026-06-08"), false) == "" {
		t.Error("an older statement may not end a newer one")
	}
}

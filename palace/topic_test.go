package palace

import (
	"strings"
	"testing"
)

// Where a text hangs by people's own words.
func TestOwnPlaces(t *testing.T) {
	places, err := OwnPlaces(map[string][]string{
		"home/garden": {"fern", "compost*", "watering can"}, "home": {"garage"}, "work/invoices": {"invoice*", "VAT", "Müll*rechnung"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"The FERN is dry.":                           "home/garden",
		"She composts leaves in the garage.":         "home/",
		"The watering-can leaks.":                    "home/garden",
		"Can you do the watering?":                   "",
		"Composting ferns beside two invoices: fern": "home/garden",
		"Die Mullabfuhrrechnung liegt da.":           "work/invoices",
		"Vatican":                                    "",
		"":                                           "",
	} {
		got := ""
		if p, ok := places.of(text); ok {
			got = p.wing + "/" + p.room
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for name, words := range map[string][]string{
		"": {"a"}, "a/": {"a"}, "a/b/c": {"a"}, "a\nb": {"a"}, "a": nil, "b": {"*"}, "c": {"!?"}, "d": {strings.Repeat("x", 200)}, "e": {"a[*"},
	} {
		if _, err := OwnPlaces(map[string][]string{name: words}); err == nil {
			t.Errorf("%q: %q is taken", name, words)
		}
	}
}

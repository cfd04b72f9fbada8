package route

import (
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// What is said of things without a name stands on the page of its theme, and what is said of one thing meets there.
func TestThemes(t *testing.T) {
	const none = ""
	for _, tt := range []struct {
		category, text, speaker, want string
	}{
		{"fact", "The API rate limit is 100 requests per minute", none, "2_Wiki/Concepts/Software.md#Facts"},
		{"decision", "Retries are capped at 5 with exponential backoff", none, "2_Wiki/Concepts/Software.md#Decisions"},
		{"fact", "rv-core depends on go 1.25", none, "2_Wiki/Concepts/Software.md#Facts"},
		{"fact", "pkg/parser has no tests yet", none, "2_Wiki/Concepts/Software.md#Facts"},
		{"fact", "CI takes 12 minutes", none, "2_Wiki/Concepts/Software.md#Facts"},
		{"fact", "The boiler was serviced in October", none, "3_Personal/Home.md#Facts"},
		{"fact", "The plumber charges 60 euros an hour", none, "3_Personal/Home.md#Facts"},
		{"fact", "Rent goes up to 1520 euros from January", none, "3_Personal/Money.md#Facts"},
		{"task", "Renew the passport", none, "3_Personal/Travel.md#Tasks"},
		{"fact", "The reviewer wants an ablation", none, "2_Wiki/Concepts/Research.md#Facts"},
		{"fact", "Der Zahnarzttermin ist am 2. Dezember um 9 Uhr", none, "3_Personal/Health.md#Facts"},
		{"fact", "Die Miete beträgt 980 Euro", none, "3_Personal/Money.md#Facts"},
		{"fact", "Die Miete beträgt jetzt 1050 Euro", none, "3_Personal/Money.md#Facts"},
		{"fact", "La factura vence el 3 de mayo", none, "2_Wiki/Concepts/Software.md#Facts"},
		{"event", "The ceremony begins at nine", none, "3_Personal/Events.md#Milestones"},
		{"fact", "The thingamajig is green", none, none},
		{"fact", "The API rate limit is 100 requests per minute", "user", "2_Wiki/Concepts/Software.md#Facts"},
		{"fact", "The API rate limit is 100 requests per minute", "Mara", "3_Personal/Mara.md#Work"},
		{"fact", "CI takes 7 minutes now", "user", "2_Wiki/Concepts/Software.md#Facts"},
		{"fact", "Hana owns the payments service", "user", "3_Personal/The user.md#People"},
		{"fact", "The API is mine", "user", "3_Personal/The user.md#Work"},
		{"preference", "Always answer in British English", "user", "3_Personal/The user.md#Preferences"},
		{"fact", "Imran took over the payments service", none, "3_Personal/Imran.md#Work"},
		{"fact", "Hana owns the payments service", none, "3_Personal/Hana.md#Work"},
		{"fact", "El cumpleaños de Lucía es el 3 de mayo", none, "3_Personal/Lucía.md#Facts"},
		{"fact", "Ben runs 5 km every morning", none, "3_Personal/Ben.md#Sport"},
		{"fact", "Zorbo replaces the session store", none, "2_Wiki/Entities/Zorbo.md#Facts"},
		{"fact", "Invoice sent to the landlord", none, "2_Wiki/Concepts/Software.md#Facts"},
	} {
		r := Router{Dir: NewDirectory(vault.Layout{})}
		p := r.Place([]Item{{Text: tt.text, Category: tt.category, Speaker: tt.speaker, Chat: "c", Day: "2026-06-09"}})[0]
		got := string(p.Page)
		if got != "" {
			got += "#" + p.Section
		}
		if got != tt.want {
			t.Errorf("%s: %q by %q goes to %q, want %q", tt.category, tt.text, tt.speaker, got, tt.want)
		}
	}
}

// In a conversation about one thing, what names nothing stands with the rest.
func TestThemeOfAConversation(t *testing.T) {
	r := Router{Dir: NewDirectory(vault.Layout{})}
	items := []Item{
		{Text: "The baseline reaches 71.2 F1", Category: "fact", Chat: "a"},
		{Text: "The reviewer wants an ablation", Category: "fact", Chat: "a"},
		{Text: "Section 4 will be cut", Category: "decision", Chat: "a"},
		{Text: "Section 4 will be cut", Category: "decision", Chat: "b"},
	}
	places := r.Place(items)
	if got := places[2].Page; got != "2_Wiki/Concepts/Research.md" {
		t.Errorf("%s", got)
	}
	if got := places[3].Page; got != "3_Personal/Decisions.md" {
		t.Errorf("%s", got)
	}
}

package sense

import (
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// A statement is read alike, be it in somebody's words or told of them.
func TestQuotesAndClausesAreAlike(t *testing.T) {
	for _, tt := range []struct{ quote, clause string }{
		{vault.Quote("Joanna", "I am allergic to most reptiles"), "Joanna is allergic to most reptiles"},
		{vault.Quote("The user", "My sister teaches physics"), "The user's sister teaches physics"},
		{vault.Quote("Marek", "On 4 March I bought a used Volvo"), "On 4 March Marek bought a used Volvo"},
	} {
		q, c := Of(tt.quote), Of(tt.clause)
		best, _ := q.Best()
		if told, _ := c.Best(); told != best {
			t.Errorf("%s is about %s, %s about %s", tt.quote, best, tt.clause, told)
		}
	}
	inserted := Features(vault.Quote("Jo", "Last Friday [20 January 2023] I won"))
	if !slices.Equal(inserted, Features(vault.Quote("Jo", "Last Friday I won"))) {
		t.Error("a date that was put in is read as well")
	}
}

func TestSides(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Side
	}{
		{"I'm allergic to penicillin.", Health},
		{"I work as a nurse at the children's hospital.", Work},
		{"Meine Schwester heißt Lena und ist zehn Jahre jünger.", Family},
		{"Vivo con dos amigos en un piso alquilado.", Home},
		{"Always answer in short sentences.", Wishes},
		{"The API runs on Postgres 15 and Redis.", Stack},
		{"We adopted a puppy called Biscuit.", Pets},
	} {
		if got, p := Of(tt.text).Best(); got != tt.want {
			t.Errorf("%q: %s (%.2f), want %s", tt.text, got, p, tt.want)
		}
	}
	for i, s := range names {
		if got, ok := Named(s); !ok || int(got) != i {
			t.Error(s)
		}
	}
}

func TestNothingToRead(t *testing.T) {
	for _, s := range []string{"", " ", "?!", "'", "''s", "I'", vault.Quote("Jo", "'")} {
		if _, p := Of(s).Best(); p <= 0 || p > 1 {
			t.Errorf("%q: %v", s, p)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	for b.Loop() {
		Of("Joanna moved to a flat near the river with her sister in June and works as a nurse at the children's hospital now")
	}
}

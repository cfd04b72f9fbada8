package claim

import (
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// Whoever quotes a message with what was said before it says all that the quotation of that said.
func TestAQuotationInAnother(t *testing.T) {
	const short = `Dell: "My sister Noor plays the violin"`
	for long, want := range map[string]Relation{
		`Dell: "My sister Noor plays the violin … [Margo: where?] In the city orchestra"`: Wider,
		`Dell: "Oh and. My sister Noor plays the violin. She's in the city orchestra"`:    Wider,
		`Dell: "I never said that my sister Noor plays the violin"`:                       Unrelated,
		`Dell: "My sister Noor plays the violin no more"`:                                 Unrelated,
		`Margo: "My sister Noor plays the violin … in the city orchestra"`:                Unrelated,
		`Dell: "[Margo: My sister Noor plays the violin] So does my aunt"`:                Unrelated,
	} {
		a, b := Parse(short, "Dell", "2026-06-01"), Parse(long, "Dell", "2026-06-01")
		if got := Compare(a, b); got != want {
			t.Errorf("%s is %v, want %v", long, got, want)
		}
		if back := Compare(b, a); want == Wider && back != Narrower {
			t.Errorf("%s behind it is %v", short, back)
		}
	}
}

// The same answer to another question is another statement, and so are the same words of another day.
func TestAQuotationOfSomethingElse(t *testing.T) {
	for _, x := range []struct {
		short, long, day string
		want             Relation
	}{
		{`[Margo: do you take the pills?] Yes, every morning`, `[Margo: do you run?] Yes, every morning. I love it`, "2026-06-01", Unrelated},
		{`[Margo: do you run?] Yes, every morning`, `[Margo: do you run?] Yes, every morning. I love it`, "2026-06-01", Wider},
		{`[Margo: where?] In the city orchestra`, `Noor plays … [Margo: where?] In the city orchestra`, "2026-06-01", Wider},
		{`I went to the dentist today`, `I went to the dentist today. It hurt a lot`, "2026-07-02", Unrelated},
		{`I went to the dentist today`, `I went to the dentist today. It hurt a lot`, "2026-06-01", Wider},
	} {
		a, b := Parse(`Dell: "`+x.short+`"`, "Dell", "2026-06-01"), Parse(`Dell: "`+x.long+`"`, "Dell", vault.Day(x.day))
		if got := Compare(a, b); got != x.want {
			t.Errorf("%s is %v, want %v", x.long, got, x.want)
		}
		if back := Compare(b, a); x.want == Wider && back != Narrower || x.want == Unrelated && back != Unrelated {
			t.Errorf("%s behind it is %v", x.short, back)
		}
	}
}

// What is said again on a later day stands, whatever a longer quotation of an earlier day goes on to say.
func TestAQuotationSaidAgain(t *testing.T) {
	a := Parse(`Dell: "I like the blue one … [Margo: sure?] No, I prefer the red one"`, "Dell", "2026-06-01")
	b := Parse(`Dell: "I like the blue one"`, "Dell", "2026-07-01")
	if got := Compare(a, b); got != Unrelated {
		t.Errorf("it is %v", got)
	}
}

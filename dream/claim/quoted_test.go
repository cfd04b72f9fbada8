package claim

import "testing"

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

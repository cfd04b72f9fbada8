package claim

import "github.com/reverie-memory/reverie/vault"

// A Claim is one statement, read once and compared often. It is not changed
// after Parse and may be shared between goroutines.
type Claim struct {
	Text    string    // as given
	Day     vault.Day // when it was said; "" when unknown
	Speaker string    // who said it; "" when unknown
	// Retracts tells that the statement ends something without saying what
	// holds instead ("Alice doesn't drink coffee any more"). A Change by such
	// a claim retires the old statement.
	Retracts bool
}

// Parse reads a statement. It never fails; what is not understood compares as
// Unrelated to all but its own duplicates.
func Parse(text, speaker string, day vault.Day) *Claim {
	return &Claim{Text: text, Day: day, Speaker: speaker}
}

// Keys are the blocking keys of the claim: two claims whose Compare is not
// Unrelated share at least one. There are at most 12.
func (c *Claim) Keys() []string { return nil }

// Option is the short text of this side of a conflict with other, "birthday on
// 4 March". It falls back to Text.
func (c *Claim) Option(other *Claim) string { return c.Text }

// Question asks a person which of two conflicting claims is right: "When is
// Noor's birthday?". It falls back to a neutral question.
func Question(a, b *Claim) string { return "Which of these is right?" }

// Trivial tells whether a text says nothing worth a page, and why. It is very
// conservative.
func Trivial(text string) (reason string, ok bool) { return "", false }

// Supports tells whether every name, number, date, unit, negation, modality
// and content word of the statement is carried by the facts, and if not, which
// one is not.
func Supports(facts []string, statement string) (ok bool, why string) { return false, "not checked" }

package claim

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

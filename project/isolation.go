package project

import "strings"

// Isolation lists the wings that keep to themselves, each with the narrower names below it.
type Isolation []string

// Around is the isolated wing that a wing belongs to, the narrowest of several; "" for general memory. Two wings see each other's memory
// when Around gives the same for both.
func (is Isolation) Around(wing string) string {
	around := ""
	for _, name := range is {
		if rest, ok := strings.CutPrefix(wing, name); ok && (rest == "" || rest[0] == '/') && len(name) > len(around) {
			around = name
		}
	}
	return around
}

package redact

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// Each redacts texts that follow one another, such as the messages of a turn: each for itself, and then what only shows where one goes on
// from the one before ("my password is" and, in the next message, the password). Each also returns how many were replaced.
func Each(texts []string) (clean []string, replaced int) {
	clean = make([]string, len(texts))
	for i, t := range texts {
		var found []Finding
		clean[i], found = Redact(t)
		replaced += len(found)
	}
	for pass := 0; len(clean) > 1 && pass < maxPasses; pass++ {
		found := scan(strings.Join(clean, "\n"))
		if len(found) == 0 {
			break
		}
		replaced += len(found)
		from := 0
		for i, t := range clean {
			clean[i] = replace(t, within(found, from, from+len(t)))
			from += len(t) + 1
		}
	}
	return clean, replaced
}

// within cuts findings to the part of a text between two offsets, and counts from its start.
func within(found []Finding, from, to int) (part []Finding) {
	for _, f := range found {
		if start, end := max(f.Start, from), min(f.End, to); start < end {
			part = append(part, Finding{f.Rule, start - from, end - from})
		}
	}
	return part
}

// Name redacts an id or a label. Two that differ must not become one: the placeholder is one word that holds what pseudonym
// makes of the secret, as in [redacted:github-token#s7q2c81xk0].
func Name(text string, pseudonym func(secret string) string) (clean string, replaced int) {
	key := [2]uint64{maphash.String(seeds[0], text), maphash.String(seeds[1], text)}
	place := &harmless[key[0]%uint64(len(harmless))]
	if was := place.Load(); was != nil && *was == key {
		return text, 0
	}
	_, found := Redact(text)
	if len(found) == 0 {
		place.Store(&key)
		return text, 0
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString("[redacted:" + strings.ReplaceAll(f.Rule, " ", "-") + "#" + pseudonym(text[f.Start:f.End]) + shut)
		at = f.End
	}
	return b.String() + text[at:], len(found)
}

// harmless are recent names without a secret, each by two hashes: one place for each, the newest wins. The same few stand in every turn.
// They are bounded, need no lock, and hold nothing of a name.
var (
	harmless [1 << 10]atomic.Pointer[[2]uint64]
	seeds    = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
)

package trust

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// Most texts have nothing of what the questions look for, and an expression takes long to say so. Every match of one has some literal in
// it: one pass over a text for the literals of all expressions leaves the few that may match.

// A sieve has the literals of expressions by their first two bytes.
type sieve struct {
	starts   [1 << 10]uint64
	literals map[uint16][]literal
	all      []*expression
}

type literal struct {
	text string
	n    int // of its expression
}

// add compiles an expression and notes its literals.
func (s *sieve) add(expr string) *expression {
	e := &expression{Regexp: regexp.MustCompile(expr), n: len(s.all)}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err) // the expressions are our own
	}
	all := literals(parsed)
	e.always = all == nil
	s.all = append(s.all, e)
	slices.Sort(all)
	last := ""
	for _, text := range all {
		if last != "" && strings.HasPrefix(text, last) {
			continue // nothing has it that has not the shorter one
		}
		if s.literals == nil {
			s.literals = map[uint16][]literal{}
		}
		last = text
		key := start(text)
		s.starts[key>>6] |= 1 << (key & 63)
		s.literals[key] = append(s.literals[key], literal{text, e.n})
	}
	return e
}

func start(text string) uint16 { return uint16(text[0])<<8 | uint16(text[1]) }

// line is a text with the expressions that may match it.
func (s *sieve) line(text string) line {
	l := line{text, make([]bool, len(s.all))}
	for _, e := range s.all {
		l.may[e.n] = e.always
	}
	for i := range len(text) - 1 {
		key := start(text[i:])
		if s.starts[key>>6]&(1<<(key&63)) == 0 {
			continue
		}
		for _, lit := range s.literals[key] {
			if !l.may[lit.n] && strings.HasPrefix(text[i:], lit.text) {
				l.may[lit.n] = true
			}
		}
	}
	return l
}

// mostLiterals bounds the literals that are worked out for a part of an expression.
const mostLiterals = 512

// literals are texts of which every match has one; nil where the expression has none.
func literals(re *syntax.Regexp) []string {
	if all := exactly(re); all != nil {
		return worth(all)
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literals(re.Sub[0])
		}
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			of := literals(sub)
			if of == nil {
				return nil
			}
			out = append(out, of...)
		}
		return out
	case syntax.OpConcat: // the best of its parts, and of what stands side by side
		var best, run []string
		take := func(of []string) {
			if of != nil && (best == nil || shortest(of) > shortest(best)) {
				best = of
			}
		}
		for _, sub := range re.Sub {
			next := exactly(sub)
			if next == nil {
				take(literals(sub))
			}
			if joined := product(run, next); joined != nil {
				run = joined
				continue
			}
			take(worth(run))
			run = next
		}
		take(worth(run))
		return best
	}
	return nil
}

// exactly are all texts that a part matches, without what is around it; nil where they are too many.
func exactly(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary:
		return []string{""}
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCharClass:
		var out []string
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if out = append(out, string(r)); len(out) > 26 {
					return nil
				}
			}
		}
		return out
	case syntax.OpCapture:
		return exactly(re.Sub[0])
	case syntax.OpQuest:
		if of := exactly(re.Sub[0]); of != nil {
			return append(slices.Clip(of), "")
		}
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			of := exactly(sub)
			if out = append(out, of...); of == nil || len(out) > mostLiterals {
				return nil
			}
		}
		return out
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			if out = product(out, exactly(sub)); out == nil {
				return nil
			}
		}
		return out
	}
	return nil
}

// product joins each text of a with each of b; nil where they are too many, or one has none.
func product(a, b []string) []string {
	if len(a)*len(b) > mostLiterals {
		return nil
	}
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// worth are the texts where each is long enough to be looked for.
func worth(texts []string) []string {
	if texts == nil || shortest(texts) < 2 {
		return nil
	}
	return texts
}

func shortest(texts []string) int {
	n := math.MaxInt
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}

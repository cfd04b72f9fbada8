package redact

import (
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// turnings are the ways in which the dial of a safe is turned, and steps the words that may stand between one and its number.
var (
	turnings = lexis.Set("left right links rechts gauche droite izquierda derecha sinistra destra esquerda direita l r")
	steps    = lexis.Set("to at on and then back again turn dial stop turns times past auf bis zu nach dann und à a jusqu'à sur puis et " +
		"hasta al y luego fino poi e até depois the la el der – °")
)

// longestStep is how many bytes a way or a step has at most.
const longestStep = 16

// dial finds the combination of a safe, three or more numbers with as many ways in which its dial is turned, whose first is the word at
// text[start:end]: R32 L17 R08; left to 34, right to 71, left to 18; 69 R, 70 L, 73 R. What it reads in vain is short: without three ways
// and three numbers it ends where no number follows.
func dial(text string, start, end int) (Finding, bool) {
	if is(at(text, start-1), alnum) || is(at(text, end), alpha) {
		return Finding{}, false
	}
	from, last, ways, numbers := start, end, 1, 0
	if blank := back(text, start, space, 2); is(at(text, blank-1), digit) {
		if n := back(text, blank, digit, 3); blank-n < 3 && !is(at(text, n-1), word|dot) {
			from, numbers = n, 1
		}
	}
	letter := end-start == 1 // turns of a cube have one figure
	for i := end; i < len(text) && i-last < 32; {
		stop := run(text, i, digit, 4)
		if stop > i {
			if stop-i > 2 || letter && stop-i < 2 || numbers > ways {
				break
			}
			numbers, last, i = numbers+1, stop, stop
			continue
		}
		for stop < len(text) && stop-i <= longestStep && (is(text[stop], alpha) || text[stop] >= 0x80 || text[stop] == '\'') {
			stop++
		}
		w := fold(text[i:stop])
		switch {
		case stop == i && strings.IndexByte(" ,;->/", text[i]) >= 0:
			stop++
		case stop == i || !turnings[w] && !steps[w]:
			i = len(text)
			continue
		case turnings[w]:
			if ways++; from < start {
				last = stop
			}
		}
		i = stop
	}
	return Finding{rulePIN, from, last}, ways > 2 && numbers > 2 && numbers <= ways+1
}

// dialed is dial where the way is one letter, before or behind the number that starts at i.
func dialed(text string, i int) (Finding, bool) {
	if c := at(text, i-1) &^ 0x20; c == 'R' || c == 'L' {
		return dial(text, i-1, i)
	}
	way := run(text, run(text, i, digit, 3), space, 1)
	if c := at(text, way) &^ 0x20; c == 'R' || c == 'L' {
		return dial(text, way, way+1)
	}
	return Finding{}, false
}

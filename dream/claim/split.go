package claim

import (
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// split cuts the tokens of a statement into clauses.
func split(toks []tok) []*clause {
	var out []*clause
	begin := func(from, to int, tail, scope, joined bool) {
		for from < to && mark(toks[from].kind) {
			from++
		}
		if from < to {
			out = append(out, &clause{toks: toks[from:to], tail: tail, scope: scope, joined: joined, verb: -1})
		}
	}
	start, tail, scope, joined := 0, false, false, false
	looked, found := 0, false // for a verb
	cut := func(at int, t, s, j bool) {
		begin(start, at, tail, scope, joined)
		start, tail, scope, joined = at, t, s, j
		looked, found = at, false
	}
	verbBefore := func(i int) bool {
		for ; looked < i && !found; looked++ {
			found = verbal(toks[start:], looked-start)
		}
		return found
	}
	opens, begins := 0, 0
	for i := range toks {
		x := &toks[i]
		if i == begins || toks[i-1].kind == '.' {
			var head role
			if opens, head = opening(toks, i); opens > i {
				cut(i, true, head&rScope != 0, false)
			}
		}
		switch {
		case i < opens:
		case i == opens && i > 0:
			cut(i, false, false, false)
		case x.kind == '.' || x.kind == ':' || x.kind == '?':
			tail = tail || x.kind == ':' && i < start+4 && !verbBefore(i)
			cut(i, false, false, false)
		case x.kind == ',' && i+2 < len(toks) && spliced(toks[i+1:]):
			begins, tail = i+1, tail || !verbBefore(i)
			cut(i, false, false, false)
		case x.kind == ',' && trails(toks[i+1:]) && verbBefore(i):
			cut(i+1, true, false, false)
		case x.roles&rTail != 0 && x.roles&rNow == 0 && (i > start || i == 0):
			contrast := x.roles&rAt != 0 && i > 0 && toks[i-1].kind == ','
			cut(i, true, x.roles&rScope != 0 && !contrast, false)
		case x.fold == "that" && i > start+1 && toks[i-1].says() && i+1 < len(toks) && toks[i-1].roles&rTold == 0:
			cut(i, true, false, false)
		case x.roles&rScope != 0 && i > start && x.roles&rPrep == 0:
			cut(i, true, true, false)
		case x.roles&rConj != 0 && i > start && i+1 < len(toks):
			k := i + 1
			for k < len(toks) && toks[k].roles&(rFree|rNow|rAlso|rCorr) != 0 && toks[k].roles&rPoss == 0 {
				k++
			}
			switch {
			case k >= len(toks), !verbBefore(i) && !(tail && toks[i-1].kind == ',' && len(out) > 0):
			case verbal(toks, k) && toks[k].roles&(rCue|rBe|rWas|rHave|rHolds|rEager|rPast|rHedge|rNeg|rNeutral|rEnded) != 0,
				toks[k].roles&(rUser|rPron) != 0 && toks[k].roles&rPoss == 0, toks[k].roles&rSign != 0 && k+1 < len(toks):
				cut(i+1, false, false, toks[k].roles&(rUser|rPron) == 0)
			case toks[k].roles&rSelf != 0 && toks[k].roles&rPoss == 0 && k+1 < len(toks):
				cut(i+1, false, false, false)
			}
		}
	}
	begin(start, len(toks), tail, scope, joined)
	return out
}

// spliced tells whether a sentence of its own goes on behind a comma: "I'm injured, I had to …", "she left, so after a year I …".
func spliced(toks []tok) bool {
	if toks[0].fold == "so" {
		return true
	}
	v := 1
	for v < len(toks) && toks[v].roles&(rFree|rNow) != 0 {
		v++
	}
	return toks[0].roles&(rSelf|rUser|rPron) != 0 && toks[0].roles&(rPoss|rTail) == 0 && v < len(toks) && verbal(toks, v)
}

// trails tells whether only a circumstance goes on behind a comma: "…, still living out of boxes", "…, with a notebook for each client".
func trails(toks []tok) bool {
	for len(toks) > 1 && toks[0].roles&rFree != 0 && toks[0].roles&rPoss == 0 && !articles[toks[0].fold] {
		toks = toks[1:]
	}
	return len(toks) > 1 && (toks[0].roles&rDetail != 0 || toks[0].kind == 0 && strings.HasSuffix(toks[0].fold, "ing") &&
		toks[0].roles&rTail == 0)
}

// opening is where a circumstance ends that begins a sentence at toks[from], and the roles of its first word: "After the move, Ada …".
// opening is 0 where none does.
func opening(toks []tok, from int) (int, role) {
	for from < len(toks) && (toks[from].roles&(rConj|rCorr|rNow|rFree) != 0 && toks[from].roles&rAside == 0 || mark(toks[from].kind)) {
		from++
	}
	if from >= len(toks) || toks[from].roles&(rTail|rScope|rPrep) == 0 {
		return 0, 0
	}
	head, aside := toks[from].roles, false
	for i := from; i < len(toks); i++ {
		x := &toks[i]
		aside = aside || x.roles&rAside != 0 || i == from && x.roles&(rTail|rScope|rDetail) != 0
		switch {
		case x.kind == '.' || x.kind == ':' || x.kind == '?':
			return 0, 0
		case !aside || i < from+2 && x.kind != ',':
		case x.kind == ',', toks[i-1].roles&(rPrep|rTail|rConj|rTold|rPoss) == 0 && !articles[toks[i-1].fold] && !verbal(toks, i-1) &&
			(x.roles&(rUser|rSelf|rPron) != 0 && x.roles&rPoss == 0 || articles[x.fold] || x.kind == 'P' && i+1 < len(toks) && verbal(toks, i+1)):
			return i, head
		}
	}
	return 0, 0
}

const verbs = rBe | rWas | rHave | rHolds | rEager | rPast | rNeutral | rCue | rHedge | rGet | rDecide | rVerb

// verbal tells a word that may be the verb: not one behind an article or a possessive.
func verbal(toks []tok, i int) bool {
	x := &toks[i]
	if x.kind == 'P' && !x.first || typed(x.kind) || mark(x.kind) {
		return false
	}
	if i > 0 {
		if p := &toks[i-1]; p.roles&rPoss != 0 || p.fold == "'s" || articles[p.fold] {
			return false
		}
	}
	return x.roles&verbs != 0 && x.roles&(rPrep|rConj) == 0 || ended(x)
}

var articles = lexis.Set("the a an der die das den dem des ein eine einen el la los las un una")

// verbSecond puts the subject before the verb in sentences that begin with something else: "Seit Mai leitet Miriam das Team".
func verbSecond(toks []tok) []tok {
	out := make([]tok, 0, len(toks)+2)
	for i := 0; i < len(toks); {
		to := i
		for to < len(toks) && toks[to].kind != '.' {
			to++
		}
		v := i
		for v < to && v < i+9 && !mark(toks[v].kind) && (v == i || !verbal(toks, v) || toks[v].kind == 'P') {
			v++
		}
		if end := v + 1; toks[i].roles&(rPrep|rTail|rNow|rRel|rAside) != 0 && v > i && end < to && v < i+9 && !mark(toks[v].kind) {
			for end < to && (articles[toks[end].fold] || toks[end].roles&rPoss != 0) {
				end++
			}
			for end > v+1 && end < to && toks[end].kind == 0 && toks[end].roles == 0 {
				end++
			}
			if end < to && (toks[end].kind == 'P' || toks[end].roles&(rUser|rSelf|rPron|rKin) != 0) {
				end++
				out = append(append(append(append(out, toks[i:v]...), tok{raw: ",", fold: ",", kind: ','}), toks[v+1:end]...), toks[v])
				i = end
			}
		}
		to = min(to+1, len(toks))
		out = append(out, toks[i:to]...)
		i = to
	}
	return out
}

// ended tells a past form by its ending.
func ended(x *tok) bool { return x.roles&rEnded != 0 }

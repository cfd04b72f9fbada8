package extract

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// foreign tells a sentence that is not English: most of its letters are not Latin, or more of its
// words are function words of another language than of English.
func foreign(s string, c clause) bool {
	latin, other := letters(s)
	if other > latin {
		return true
	}
	en, rest := 0, 0
	english, others := englishWords(), foreignWords()
	for _, w := range c.words {
		f := lexis.Fold(w.low)
		switch {
		case english[f]:
			en++
		case others[f], elision(f):
			rest++
		}
	}
	return rest > en && (rest > 1 || en == 0)
}

func elision(w string) bool {
	if strings.IndexByte(w, '\'') < 0 && !strings.Contains(w, "’") {
		return false
	}
	for _, p := range [...]string{
		"j'", "l'", "d'", "qu'", "c'", "n'", "m'", "s'",
		"j’", "l’", "d’", "qu’", "c’", "n’", "m’", "s’",
	} {
		if strings.HasPrefix(w, p) && len(w) > len(p)+1 {
			return true
		}
	}
	return false
}

var englishWords = sync.OnceValue(func() map[string]bool {
	return set(`the a an and or but i i'm i've i'll i'd my me we our us you your he she it they his her its their this that these those
		is are was were be been am have has had do does did not don't doesn't to of in on at for with from by as about into than then so
		if when because will would can could should there here what who how very just also never always`)
})

var foreignWords = sync.OnceValue(func() map[string]bool {
	return set(`ich mein meine meinen meiner meinem mir mich wir unser unsere bin ist sind war habe hat haben und oder aber nicht kein
		keine der die das den dem des ein eine einen einem einer seit mit von zu zum zur auf fur aus bei nach im am wohne heisse gern auch
		sehr noch je mon ma mes moi nous notre nos suis est sont j'ai ai avons et ou mais pas ne le la les un une des du de dans avec pour
		sur chez depuis il elle tres qui que au aux en yo mi mis me nosotros nuestro soy es son estoy esta tengo vivo trabajo quiero
		necesito y o pero no el los las una unos de en con por para desde muy que mas se su lo al del io mio mia miei sono ho abbiamo il
		lo gli e di che con per da non una nel nella molto eu meu minha meus sou estou tenho moro e ou mas nao um uma os as do da em com
		por para muito ik mijn wij ons ben heb het een en of maar niet van met voor op bij sinds jag min mitt vi var ar och att det som
		inte pa jeg er har og det ikke ja moj moja jestem mam w z na nie jest i ben benim bir ve bu icin var`)
})

// selfMarks are what a speaker of another language calls themselves.
var selfMarks = sync.OnceValue(func() map[string]bool {
	return set(`ich mein meine meinen meiner meinem mir mich wir unser unsere je mon ma mes moi nous notre nos j'ai suis yo mi mis me
		nosotros nuestro soy estoy tengo vivo trabajo quiero necesito io mio mia sono ho eu meu minha sou estou tenho moro ik mijn wij jag
		min vi jeg jestem mam moj moja ben benim benimki
		я мой моя мое мои моей моего мне меня мной мы наш наша у нас мені моє мій أنا
		لدي
		عندي أسكن أعيش मैं मेरा मेरी मेरे`)
})

// foreignFact keeps a sentence of another language as it is, behind the speaker's name, when it
// speaks of the speaker or holds a number: nothing in it is rewritten, and its dates stay relative.
func (p cast) foreignFact(s string) (Fact, bool) {
	s = strings.TrimSpace(s)
	if asksForeign(s) || !aboutSelf(s) || utf8.RuneCountInString(s) < 6 || len(s) > maxFact-40 {
		return Fact{}, false
	}
	text := p.me + ": " + strings.TrimRight(s, ".。！! ")
	f := Fact{Category: General, Text: text, Tags: tagsOf(text)}
	if p.me != unknownSpeaker {
		f.Entities = append(f.Entities, p.me)
	}
	for w := range wordsOf(s) { // a capital means nothing in German
		if identifier(w.text) && len(f.Entities) < 4 {
			f.Entities = append(f.Entities, w.text)
		}
	}
	return f, true
}

func asksForeign(s string) bool {
	t := strings.TrimRight(s, " !。.")
	for _, q := range [...]string{"?", "？", "؟", ";", "か", "吗", "呢", "까", "까요", "나요"} {
		if strings.HasSuffix(t, q) {
			return true
		}
	}
	return strings.ContainsAny(s, "?？؟")
}

func aboutSelf(s string) bool {
	for _, p := range [...]string{"我", "私", "僕", "俺", "저는", "나는", "제가", "내가", "우리", "제 ", "내 "} {
		if strings.Contains(s, p) {
			return true
		}
	}
	digits, words := false, 0
	for w := range wordsOf(s) {
		f := lexis.Fold(w.text)
		if selfMarks()[f] || strings.HasPrefix(f, "j'") || strings.HasPrefix(f, "m'") || strings.HasPrefix(f, "j’") ||
			strings.HasPrefix(f, "m’") {
			return true
		}
		words++
		digits = digits || strings.ContainsAny(w.text, "0123456789")
	}
	return digits && words >= 3
}

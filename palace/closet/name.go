package closet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

const (
	nameWords = 3  // of one name, at most
	nameChars = 40 // of a name
)

// A named is a name as it was first written, and how often it occurs.
type named struct {
	name  string
	count int
	in    []int // chunks, in order
}

// A token is a word of a text with what stands before it.
type token struct {
	text, low string
	starts    bool // a sentence begins with it
	joined    bool // it follows the word before after one space
}

// names are the names among the words of a text, in order and as often as they occur: words with a capital, up to three in a row, that are
// not in the stop list. A word that begins a sentence is a name where general English does not know it or where it is in known, folded.
func names(words []token, known map[string]bool) (out []string) {
	for i := 0; i < len(words); i++ {
		if !words[i].capital() || words[i].starts && !known[words[i].low] && lexis.Frequency(words[i].low) > lexis.FrequencyFloor {
			continue
		}
		end := i + 1
		for end < len(words) && end-i < nameWords && words[end].joined && words[end].capital() {
			end++
		}
		parts := make([]string, 0, nameWords)
		for _, w := range words[i:end] {
			parts = append(parts, w.text)
		}
		if name := strings.Join(parts, " "); utf8.RuneCountInString(name) <= nameChars {
			out = append(out, name)
		}
		i = end - 1
	}
	return out
}

// capital says whether the word may be part of a name.
func (t *token) capital() bool {
	first, n := utf8.DecodeRuneInString(t.text)
	return unicode.IsUpper(first) && n < len(t.text) && !stopped(t.low)
}

func tokens(text string) (out []token) {
	starts, from := true, 0 // from is where the last word ended
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			starts = starts || strings.ContainsRune(".!?:\n\"“„«", r)
			i += n
			continue
		}
		end := i
		for end < len(text) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’-_", r) {
				break
			}
			end += n
		}
		word := strings.TrimRight(text[i:end], "'’-_")
		word, _, _ = strings.Cut(strings.ReplaceAll(word, "’", "'"), "'")
		out = append(out, token{text: word, low: lexis.Fold(word), starts: starts, joined: text[from:i] == " "})
		starts, from, i = false, end, end
	}
	return out
}

// stopped says whether a word, folded, names nobody.
func stopped(low string) bool { return lexis.IsStop(low) || stops[low] }

// stops are words with a capital that are no names, folded, in English, German, Spanish, French and Italian: what begins sentences beside
// the function words of [lexis.IsStop], days, months, and who plays a role in a conversation.
var stops = lexis.Set(`
	after before since while although because however also then now today yesterday tomorrow tonight maybe perhaps please thanks thank hi
	hello hey well wow sure great good nice sorry yeah yep nope let look see here there another every during once despite instead finally
	monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november
	december user assistant system tool human ai agent
	heute gestern morgen danach vorher deshalb trotzdem leider bitte danke hallo gut genau vielleicht jetzt dann wahrend nachdem bevor
	montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz mai juni juli oktober dezember benutzer assistent nutzer
	hoy ayer manana despues antes entonces tambien ahora luego gracias hola bueno claro quizas mientras aunque ademas
	lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
	diciembre usuario usuaria asistente
	aujourd hier demain apres avant ensuite alors maintenant merci bonjour bien peut pendant lorsque cependant
	lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
	utilisateur utilisatrice
	oggi ieri domani dopo prima poi allora adesso grazie ciao bene forse mentre anche quando dove perche come che chi il gli un una uno del
	della nel nella con per non sono ho hai ha abbiamo io noi voi loro questo questa quello quella ma se e di da al alla
	lunedi martedi mercoledi giovedi venerdi sabato domenica gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre utente
	assistente`)

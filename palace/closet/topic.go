package closet

import (
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// Sizes of what becomes a topic, in characters.
const (
	headerLeast, headerMost = 5, 60
	actionLeast, actionMost = 3, 40 // of what is beside the verb
	quoteLeast, quoteMost   = 15, 150
)

// headers are the headings of the first three levels.
func headers(text string) (out []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		rest := strings.TrimLeft(line, "#")
		level := len(line) - len(rest)
		head := strings.TrimSpace(strings.TrimRight(rest, "# "))
		if n := utf8.RuneCountInString(head); level >= 1 && level <= 3 && strings.HasPrefix(rest, " ") && n >= headerLeast &&
			n <= headerMost {
			out = append(out, head)
		}
	}
	return out
}

// actions are what was done: a verb with what follows it in its clause, or in German with what stands before it.
func actions(text string) (out []string) {
	for clause := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".!?;:,()\n\"“”„«»|", r) }) {
		words := strings.Fields(clause)
		for i := 0; i < len(words); i++ {
			switch low := lexis.Fold(words[i]); {
			case doneAfter[low]:
				tail, n := upTo(words[i+1:], actionMost)
				if n >= actionLeast {
					out = append(out, words[i]+" "+tail)
				}
			case doneBefore[low]:
				from, n := i, 0
				for from > 0 && n+utf8.RuneCountInString(words[from-1])+1 <= actionMost {
					from--
					n += utf8.RuneCountInString(words[from]) + 1
				}
				if n-1 >= actionLeast {
					out = append(out, strings.Join(words[from:i+1], " "))
				}
			}
		}
	}
	return out
}

// upTo joins the first words, at most so many characters of them, and counts these.
func upTo(words []string, most int) (joined string, n int) {
	end := 0
	for ; end < len(words); end++ {
		more := utf8.RuneCountInString(words[end])
		if end > 0 {
			more++
		}
		if n+more > most {
			break
		}
		n += more
	}
	return strings.Join(words[:end], " "), n
}

// quotes are what stands between quotation marks on one line.
func quotes(text string) (out []string) {
	for line := range strings.Lines(text) {
		next := map[rune]int{} // by the mark that opens: where the next one stands that closes
		for at := 0; ; {
			open := strings.IndexFunc(line[at:], func(r rune) bool { return r == '"' || r == '“' || r == '„' || r == '«' })
			if open < 0 {
				break
			}
			mark, n := utf8.DecodeRuneInString(line[at+open:])
			at += open + n
			end, known := next[mark]
			if !known || end < at {
				if end = at + strings.IndexAny(line[at:], closing[mark]); end < at {
					end = len(line)
				}
				next[mark] = end
			}
			if end == len(line) || end-at >= (quoteMost+1)*utf8.UTFMax {
				continue
			}
			words := strings.TrimSpace(line[at:end])
			if n := utf8.RuneCountInString(words); n >= quoteLeast && n <= quoteMost {
				out = append(out, words)
			}
			_, n = utf8.DecodeRuneInString(line[end:])
			at = end + n
		}
	}
	return out
}

var closing = map[rune]string{'"': `"`, '“': `”`, '„': `“”`, '«': `»`}

// doneAfter are verbs of what somebody did whose object follows, folded, in English, Spanish, French and Italian.
var doneAfter = lexis.Set(`
	built fixed wrote added pushed tested created decided migrated reviewed deployed configured removed updated
	bought sold moved started finished joined visited booked met learned adopted planned signed won lost chose ordered launched released
	construi construyo arreglo escribi escribio anadi anadio probado creado decidi decidio decidido migrado revisado desplegado configurado
	eliminado actualizado compre compro comprado visite visito visitado empece empezo empezado escrito
	construit corrige ecrit ajoute teste cree decide migre verifie deploye configure supprime achete vendu commence termine visite reserve
	rencontre appris choisi
	costruito corretto scritto aggiunto testato creato deciso migrato controllato configurato rimosso aggiornato comprato venduto iniziato
	finito visitato prenotato incontrato imparato scelto`)

// doneBefore are those whose object stands before them.
var doneBefore = lexis.Set(`
	gebaut behoben geschrieben hinzugefugt getestet erstellt entschieden migriert gepruft ausgerollt konfiguriert entfernt aktualisiert
	gekauft verkauft umgezogen begonnen beendet besucht gebucht getroffen gelernt geplant gewonnen verloren gewahlt bestellt`)

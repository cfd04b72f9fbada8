package trust

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/vault"
)

// Said is what is to be told, and by whom it was said. The zero values say that the person whose memory it is said it.
type Said struct {
	Text    string
	Origin  vault.Origin
	Speaker string // "" when unknown
	Owner   string // whose memory it is, "" when unknown
	Loose   bool   // it stands on a page and names no source: anybody's words may have been pasted there
}

// A Place is where something is told.
type Place int

// The places, from the one that takes most.
const (
	// Page is a page that dreams write, where the text stands with its source, and the list of pages.
	Page Place = iota
	// Memory is MEMORY.md, with which every conversation begins.
	Memory
	// Context is a line of its own before an assistant that did not ask for it. Of others than the person it takes only what an assistant
	// noted as a fact, where it is known who the person is.
	Context
	// Name is a title, a heading, an alias, a tag or a path, which only names something.
	Name
	// Beside is where a name labels a text: it is short.
	Beside
	// Quote is what a person's own words answer, quoted before them: it is barred for its form alone, whatever it might lead to.
	Quote
)

// besideMost is how many characters a name has beside a text at most.
const besideMost = 80

// The reasons of [Bar].
const (
	noWord    = "it is no word of a person"
	ofOthers  = "it is not the person's own word"
	orders    = "it tells an assistant what to do"
	disguised = "it is spelt so that its words are not seen"
	unread    = "it is in a language in which it is not known what gives orders"
	longName  = "it is too long for a name"
)

// Bar says why something may not be told at a place; "" where it may. The person's own words say what they like. Those of others
// are told as far as they say how the world is, which has to be seen: what is disguised, or in a language that no rule reads, is barred.
func Bar(s Said, to Place) (why string) {
	own := Label(s.Origin) == "" && (s.Speaker == "" || s.Speaker == s.Owner)
	if to == Name || to == Beside {
		return barName(s.Text, own, to)
	}
	if to == Quote {
		v := view(s.Text)
		says, _ := v.answers()
		return v.why(byForm(says))
	}
	switch label := Label(s.Origin); {
	case to == Memory && view(s.Text).tells(asked().orderly): // however it came there, it could be taken for more
		return orders
	case own && !s.Loose:
		return ""
	case ranks[label] > ranks["agent"]:
		return noWord + " (" + label + ")"
	case to == Context && !own && s.Owner != "" && label != string(vault.OriginAgent):
		return ofOthers
	}
	if why = judge(s.Text); why == unread && own {
		return ""
	}
	return why
}

// judge says what a text is other than a statement about the world; "" for such a one.
func judge(text string) (why string) {
	judged.Lock()
	why, known := judged.of[text]
	judged.Unlock()
	if known {
		return why
	}
	v := view(text)
	why = v.why(v.instructs())
	if len(text) <= judgedSize {
		judged.Lock()
		defer judged.Unlock()
		if len(judged.of) >= judgedMost || judged.of == nil {
			judged.of = map[string]string{}
		}
		judged.of[text] = why
	}
	return why
}

// why says what a text is that tells somebody what to do, or does not.
func (v *sight) why(instructs bool) string {
	switch {
	case instructs:
		return orders
	case v.disguised():
		return disguised
	case v.unread():
		return unread
	}
	return ""
}

// judged keeps what was found of the last texts: every context and every brief asks for the same rows.
var judged struct {
	sync.Mutex
	of map[string]string
}

const (
	judgedMost = 4096
	judgedSize = 500 // bytes
)

// joints are what joins the words of a name.
var joints = strings.NewReplacer("-", " ", "+", " ", ".", " ", "/", " ")

// barName is [Bar] for names. A name may speak of an act ("How to install npm packages"), not of one on what lies elsewhere; it addresses
// nobody, and neither opens nor ends a tag. The parts of a path are names as well.
func barName(text string, own bool, to Place) string {
	if to == Beside && utf8.RuneCountInString(text) > besideMost {
		return longName
	}
	apart := joints.Replace(text)
	for _, name := range append(strings.Split(text, "/"), text, apart) {
		if view(name).commands(own) {
			return orders
		}
	}
	if own {
		return ""
	}
	return view(text).why(false)
}

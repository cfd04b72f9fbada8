package derive

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

const properName = `(\p{Lu}[\p{L}\p{N}.'’+#-]*(?: \p{Lu}[\p{L}\p{N}.'’+#-]*){0,3})`

// A naming is a way to tell another name.
type naming struct {
	words []string // of which the sentence has one, in small letters
	*regexp.Regexp
}

func (n naming) find(text, low string) []string {
	if !slices.ContainsFunc(n.words, func(w string) bool { return strings.Contains(low, w) }) {
		return nil
	}
	return n.FindStringSubmatch(text)
}

func names(words, pattern string) naming {
	return naming{strings.Split(words, "|"), regexp.MustCompile(pattern)}
}

// asides tell another name within a sentence about something else; they are taken out of it.
var asides = []naming{
	names("call|know|knew|refer|nick", properName+`,? (?:whom|who|that|which) (?:\p{L}+ ){1,4}?(?:calls?|knows? as|knew as|refers? to `+
		`as|nicknamed?)(?: simply| just| only)? `+properName+`,?`),
	names("known|called|nick|aka|a.k.a.|alias|or ", properName+`, (?:also |now |better |otherwise |usually |mostly |simply |always |just `+
		`|or |known |affectionately |to \p{L}+ \p{L}+ )*(?:known as|known to (?:\p{L}+ ){1,4}as|called|nicknamed|aka|a\.k\.a\.|alias|or) `+
		properName+`(?: for short| (?:to|in|by|at) (?:\p{L}+ ?){1,3})?,`),
	names(" (", properName+` \((?:aka |also |called |known as |or |nicknamed |alias |short )*`+properName+`\)`),
	names("aka|alias|a.k.a.", properName+`,? (?:aka|alias|a\.k\.a\.) `+properName+`,?`),
}

// renamings are sentences that tell another name; the second group is the other name.
var renamings = []naming{
	names(" by ", `^`+properName+` (?:now |usually |mostly |often |simply |also )*(?:goes|went|is going) by (?:the name (?:of `+
		`)?|the nickname )?`+properName),
	names("known|called|nick", `^`+properName+` (?:is|was) (?:also |usually |mostly |often |simply |now |better |just |always `+
		`)*(?:called|known as|nicknamed|known to \p{L}+ as|known to (?:\p{L}+ ){1,3}as) `+properName),
	names("call|nick", `(?i:everyone|everybody|we|they|people|friends|i|family|colleagues|all)(?: all| just| usually| mostly| always| `+
		`simply)? (?:call|calls|called|nicknamed) `+properName+` (?:simply |just )?`+properName),
	names("name", `^`+properName+`['’]s (?:nickname|short name|pen name|stage name|maiden name|full name|real name|first `+
		`name|other name|name at \p{L}+) (?:is|was) `+properName),
	names("named|branded|christened", `^`+properName+` was (?:re)?(?:named|branded|christened) (?:to |as )?`+properName),
	names("the same", `^`+properName+` and `+properName+` are (?:one and )?the same (?:person|thing|project|man|woman)`),
	names("mean", `^(?i:when i say|by) `+properName+`,? I (?:always )?mean `+properName),
	names("short|abbreviation|name", `^`+properName+` (?:is|was) (?:just |really |only )?(?:short|an abbreviation|a nickname|the `+
		`nickname|another name|our name|my name|the short form|the code ?name) (?:for|of) `+properName),
	names("answers|listens", `^`+properName+` (?:answers|listens) to `+properName),
}

// aliases reads other names, and returns what else the sentence says.
func (r *reader) aliases(text string) string {
	low := strings.ToLower(text)
	for _, a := range asides {
		if m := a.find(text, low); m != nil {
			r.alias(m[1], m[2])
			text = strings.Replace(text, m[0], m[1], 1)
		}
	}
	for _, a := range renamings {
		if m := a.find(text, low); m != nil {
			r.alias(m[1], m[2])
			return ""
		}
	}
	if m := callMe.find(text, low); m != nil && r.speaker != nobody {
		r.alias(r.speaker, m[1])
	}
	return text
}

var callMe = names("call|i go by|nick", `(?i:call me|calls me|i go by|i am called|my nickname is|my friends call me) `+properName)

func (r *reader) alias(name, other string) {
	if w := lexis.Fold(name); selves[w] || pronouns[w] || articles[w] {
		return
	}
	r.add(graph.Event{Kind: graph.Alias, Subject: name, Object: other})
}

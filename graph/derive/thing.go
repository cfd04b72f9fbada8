package derive

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// personal are the predicates of people alone: what somebody has was not born.
var personal = lexis.Set("born_in studies_at studies speaks")

// germanArticles are those before which a noun has a capital.
var germanArticles = lexis.Set("der die das den dem unser unsere mein meine")

func lastWord(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// thingAlone is a thing that words name: not a person, and no name that may be one. Where data, it is what is kept and sent: backups,
// photos. third says whether the verb tells that it is one.
func (r *reader) thingAlone(words []string, data, third bool) string {
	if len(words) == 0 {
		return ""
	}
	first, last := lexis.Fold(words[0]), words[len(words)-1]
	if data && !core().is("data", lexis.Fold(last)) || keepable(last) {
		return ""
	}
	if name := bare(words, third || data); name != "" {
		return name
	}
	if len(words) > 1 && (articles[first] || ownings[first] || others[first]) &&
		(!capital(last) || data || germanArticles[first]) && words[len(words)-1] != "," {
		return r.name(words, true)
	}
	return ""
}

// bare is a thing that is named by one to three words without an article, of which the last is a common one: ingest, the offsite backups.
// Several are none, such as companies, but where they are one, by the verb.
func bare(words []string, several bool) string {
	end := words[len(words)-1]
	if last := lexis.Fold(end); len(words) > 3 || capital(end) && len(words) > 1 || !several && plural(last) {
		return ""
	}
	for i, w := range words {
		f := lexis.Fold(w)
		small := lexis.IsStop(f) || cuts[f] || articles[f] || pronouns[f] || selves[f] || ownings[f] || others[f] || anybody[f] || is[f]
		if small || core().is("nothings", f) || core().people[f] != "" || i > 0 && (capital(w) || strings.HasSuffix(f, "ing")) ||
			strings.HasSuffix(f, "ly") && !everies[f] || !strings.ContainsFunc(f, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
			return ""
		}
	}
	if rest := words[0]; strings.ToUpper(rest) != rest {
		words = append([]string{strings.ToLower(rest)}, words[1:]...)
	}
	return strings.Join(words, " ")
}

// everies are words that say how often.
var everies = lexis.Set("nightly daily weekly hourly monthly yearly")

// job says whether words tell what somebody is by trade: a nurse, an SRE, a senior data engineer.
func job(words []string) bool {
	last := words[len(words)-1]
	f := lexis.Fold(last)
	switch {
	case len(words) > 4, core().is("idle", f),
		slices.ContainsFunc(words, func(w string) bool { return former[lexis.Fold(w)] || cuts[lexis.Fold(w)] }):
		return false
	case core().is("trades", f), len(last) > 1 && last == strings.ToUpper(last):
		return true
	}
	return slices.ContainsFunc([]string{"eer", "ist", "ian", "ager", "oper", "yst", "ecturer", "nician"}, func(end string) bool {
		return len(f) > len(end)+2 && strings.HasSuffix(f, end)
	})
}

// dropped says whether a pattern without a subject is of the speaker, who left out the pronoun: Sold the car. Where "we" would mean
// something else than "I", the sentence has to tell that it is the speaker.
func (r *reader) dropped(m match) bool { return r.opens && (!m.one || r.tellsOf(selfish)) }

// medicine says whether words name one: by a dose, or by how such names end.
func (t table) medicine(words []string) bool {
	first := lexis.Fold(words[0])
	return len(words) < 5 && !articles[first] && (slices.ContainsFunc(words, func(w string) bool { return t.is("doses", lexis.Fold(w)) }) ||
		len(first) > 6 && slices.ContainsFunc(slices.Collect(maps.Keys(t.lists["remedies"])), func(end string) bool {
			return strings.HasSuffix(first, end)
		}))
}

// weekday is the day of the week on which something is that comes again; "" where words name none.
func weekday(words []string) string {
	for _, w := range words[:min(len(words), 4)] {
		f := lexis.Fold(w)
		for _, day := range []string{f, strings.TrimSuffix(f, "s")} {
			if units[day] != "" && strings.HasSuffix(units[day], "day") && units[day] != "day" {
				return w
			}
		}
	}
	return ""
}

// topic is what is moved or raised: what is named as a thing is, or by words without an article.
func (r *reader) topic(words []string) string {
	words = object(words)
	if name := r.thing(words, "place"); name != "" || len(words) == 0 {
		return name
	}
	return bare(words, true)
}

package derive_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/derive"
	"github.com/reverie-memory/reverie/vault"
)

// A scenario is what was said on several days, as "day speaker: text", and what the graph answers: for "entity / predicate / day" the other
// sides of the triples, of those that hold now where the day is empty, or "?" and the candidates; for a question what it finds.
type scenario struct {
	said []string
	want map[string]string
}

var scenarios = map[string]scenario{
	"a home, a move and the way back": {
		[]string{"2020-01-05 Ada: I live in Oslo.", "2021-02-06 Ada: I moved to Lima.", "2023-03-07 Ada: I moved back to Oslo."},
		map[string]string{
			"Ada / lives in /": "Oslo", "Ada / residence / 2022-01-01": "Lima", "Ada / home / 2020-12-24": "Oslo",
			"Lima / lives in / 2021-02-05": "",
			"Lima / lives in / 2021-02-06": "Ada",
		},
	},
	"the past told last": {
		[]string{
			"2023-01-02 Bo: Cleo lives in Turin.", "2023-05-02 Bo: Cleo used to live in Genoa until 2019.",
			"2023-06-02 Bo: Between March 2020 and June 2021 Cleo lived in Parma.",
		},
		map[string]string{"Cleo / lives in /": "Turin", "Cleo / lives in / 2019-12-31": "Genoa", "Cleo / lives in / 2020-04-01": "Parma"},
	},
	"plans, denials and questions are no facts": {
		[]string{
			"2023-01-02 Bo: Cleo might move to Rome.", "2023-01-03 Bo: Cleo does not work at Fiat.",
			"2023-01-04 Bo: Does Cleo live in Pisa?",
			"2023-01-05 Bo: Cleo is moving to Bari next year.", "2023-01-06 Bo: If Cleo moved to Asti, we would visit.",
		},
		map[string]string{"Cleo / lives in /": "", "Cleo / works at /": "", "Rome / lives in /": ""},
	},
	"sister and boss of one name": {
		[]string{
			"2022-01-02 Kim: My sister Eva lives in Graz.", "2022-02-02 Kim: My boss Eva lives in Linz.",
			"2023-02-02 Kim: My sister Eva moved to Wels.",
		},
		map[string]string{
			"Kim's sister Eva / lives in /": "Wels", "Kim's boss Eva / lives in /": "Linz",
			"Eva / lives in /": "? Eva (Kim's boss), Eva (Kim's sister)",
		},
	},
	"what tells one from another stands in brackets": {
		[]string{
			"2024-01-01 Tom: Anna (Marek's sister) lives in Krakow.", "2024-01-02 Tom: Anna (accounting) lives in Gdansk.",
			"2024-01-03 Tom: Bert Ohm is married to Anna (accounting).", "2024-01-04 Tom: Peter (the plumber) moved to Lodz.",
			"2024-01-05 Tom: Peter (my brother) works at Fiat.",
			"2024-01-07 Tom: Anna (accounting) moved to Sopot.", "2024-01-08 Tom: Cleo works for the Bari Space Agency (BSA).",
		},
		map[string]string{
			"Anna (accounting) / lives in /": "Sopot", "Anna from accounting / lives in /": "Sopot", "Marek's sister Anna / lives in /": "Krakow",
			"Anna / lives in /": "? Anna (Marek's sister), Anna (accounting)", "Marek / sister of /": "Anna (Marek's sister)",
			"Bert Ohm / married to /": "Anna (accounting)", "Peter (plumber) / lives in /": "Lodz", "Tom / brother of /": "Peter (Tom's brother)",
			"my brother Peter / works at /": "Fiat", "Cleo / works at /": "Bari Space Agency",
			"Where does Anna from accounting live?": "Anna (accounting) | Sopot", "Where does Anna (accounting) live?": "Anna (accounting) | Sopot",
			"Where does Anna from the HR team live?": "", "Where does Bert's sister Anna live?": "",
			"Where does Marek's sister Anna live?": "Anna (Marek's sister) | Krakow",
		},
	},
	"the only one of a name who is known is no other": {
		[]string{"2024-01-01 Tom: Anna (Marek's sister) lives in Krakow.", "2024-01-02 Tom: Bert lives in Bonn."},
		map[string]string{
			"Where does Anna from accounting live?": "", "Where does Anna (accounting) live?": "", "Where does Bo's sister Anna live?": "",
			"Where does Anna live?": "Anna (Marek's sister) | Krakow", "Where does Anna from Krakow live?": "Anna (Marek's sister) | Krakow",
			"Where does Bert from accounting live?": "Bert | Bonn",
		},
	},
	"surnames and trades": {
		[]string{
			"2022-01-02 Kim: Paul Adler works at the town hall.", "2022-01-03 Kim: Paul Busch works at Lego.",
			"2022-01-04 Kim: Ben the baker drives a red van.",
			"2022-01-05 Kim: Ben, my tutor, drives a moped.",
		},
		map[string]string{
			"Paul Adler / employer /": "town hall", "Paul / works at /": "? Paul Adler, Paul Busch", "Ben the baker / drives /": "red van",
			"Kim's tutor Ben / drives /": "moped", "Kim / doctor /": "", "Kim / tutor of /": "Ben (Kim's tutor)",
		},
	},
	"one of a name is who is meant": {
		[]string{"2022-01-02 Kim: My cousin Otto works at Miele.", "2022-05-02 Kim: Otto lives in Bonn."},
		map[string]string{"Otto / works at /": "Miele", "Kim's cousin Otto / lives in /": "Bonn"},
	},
	"another name": {
		[]string{"2022-01-02 Kim: Katharina, whom we all call Kata, lives in Ulm.", "2023-01-02 Kim: Kata moved to Hof."},
		map[string]string{"Katharina / lives in /": "Hof", "Kata / lives in / 2022-06-01": "Ulm"},
	},
	"jobs, titles and a side job": {
		[]string{
			"2020-01-02 Lu: I work at Bosch as a welder.", "2021-01-02 Lu: I was promoted to foreman.",
			"2022-01-02 Lu: I also have a side job at a kiosk called Eck.",
			"2023-01-02 Lu: I left Bosch and started at Stihl.",
		},
		map[string]string{
			"Lu / works at /": "Eck, Stihl", "Lu / works at / 2022-06-01": "Bosch, Eck", "Lu / job title /": "foreman",
			"Lu / role / 2020-06-01": "welder",
		},
	},
	"an office goes on": {
		[]string{
			"2020-01-02 Lu: Iris is the chair of the chess club.",
			"2022-01-02 Lu: Omar took over from Iris as chair of the chess club.",
		},
		map[string]string{"chess club / chair /": "Omar", "chess club / chair of / 2021-01-01": "Iris"},
	},
	"what has somebody": {
		[]string{"2020-01-02 Lu: Ibis's maintainer is Kim.", "2020-01-03 Lu: Ibis's database is PostgreSQL."},
		map[string]string{"Ibis / maintainer /": "Kim", "Kim / runs /": "Ibis", "Ibis / database /": "PostgreSQL"},
	},
	"pets": {
		[]string{
			"2020-01-02 Lu: I have a dog named Rex.", "2021-01-02 Lu: We adopted a cat called Minka.",
			"2023-01-02 Lu: Rex died yesterday.",
		},
		map[string]string{
			"Lu / has pet /": "Minka", "Lu / pet / 2022-01-01": "Minka, Rex", "Lu / pet / 2023-01-01": "Minka",
			"Minka / owner of the pet /": "Lu",
		},
	},
	"a thing is sold": {
		[]string{"2020-01-02 Lu: Vera owns a green canoe.", "2021-01-02 Lu: Vera sold the green canoe to Igor."},
		map[string]string{"green canoe / owns /": "Igor", "green canoe / owner / 2020-06-01": "Vera", "Vera / owns /": ""},
	},
	"married, divorced and anew": {
		[]string{
			"2020-01-02 Lu: Vera married Igor on 2019-12-24.", "2021-01-02 Lu: Vera and Igor divorced on 2020-12-01.",
			"2022-01-02 Lu: Vera married Hugo on 2021-12-31.",
		},
		map[string]string{
			"Hugo / married to /": "Vera", "Igor / married to / 2020-06-01": "Vera", "Igor / married to / 2020-12-01": "",
			"Vera / spouse / 2019-12-23": "",
		},
	},
	"hobbies and languages add up": {
		[]string{
			"2020-01-02 Lu: I speak Dutch and Welsh.", "2021-01-02 Lu: I have taken up archery as well.",
			"2021-02-02 Lu: My hobby is chess.",
		},
		map[string]string{"Lu / speaks /": "Dutch, Welsh", "Lu / hobby /": "archery, chess"},
	},
	"one verb in both voices, and with what begins or ends": {
		[]string{
			"2020-01-02 Lu: Dora was hired by Airbus as a welder.", "2020-01-03 Lu: Emil has been hired as a cook by the ferry company.",
			"2021-01-02 Lu: The kayak was bought by Dora.",
			"2022-01-02 Lu: The kayak was sold to Emil.", "2022-02-02 Lu: Dora stopped working at Airbus.",
		},
		map[string]string{
			"Dora / works at / 2021-01-01": "Airbus", "Dora / works at /": "", "Emil / works at /": "ferry company",
			"Dora / role / 2021-01-01": "welder", "kayak / owner / 2021-06-01": "Dora", "kayak / owner /": "Emil",
		},
	},
	"what stands behind a preposition": {
		[]string{
			"2020-01-02 Lu: I live in Bonn with my wife Vera.", "2021-01-02 Lu: I dropped Trello in favour of Asana.",
			"2021-02-02 Lu: The clinic in Ulm belongs to the Braun family.",
			"2021-03-02 Lu: I took over from Otto as treasurer of the choir.",
			"2021-04-02 Lu: Olga and Piet are no longer together.",
		},
		map[string]string{
			"Lu / uses /": "Asana", "Trello / uses / 2020-06-01": "Lu", "clinic in Ulm / owner /": "Braun family",
			"choir / treasurer /": "Lu", "Olga / partner of /": "",
		},
	},
	"also says nothing where there is nothing beside it": {
		[]string{"2020-01-02 Lu: Nora lives in Bonn as well.", "2021-01-02 Lu: Nora moved to Ulm."},
		map[string]string{"Nora / lives in /": "Ulm"},
	},
	"who is told of behind and": {
		[]string{"2020-01-02 Lu: Ida retired, and Nora Holm became mayor of Ulm."},
		map[string]string{"Ulm / mayor /": "Nora Holm"},
	},
	"what happened to jobs and offices": {
		[]string{
			"2020-01-02 Lu: Jan is the treasurer of the chess club.", "2020-01-02 Lu: May works as a nurse at St Mary's Hospital.",
			"2021-01-02 Lu: Jan stepped down as treasurer of the chess club.", "2022-01-02 Lu: Asana was replaced by Notion.",
			"2021-06-02 Lu: We use Asana.", "2022-02-02 Lu: I am from Porto but live in Lyon.",
			"2022-03-02 Lu: Ich wohne in Köln und arbeite bei Bosch.",
			"2022-03-02 Lu: May retired from St Mary's Hospital.", "2022-04-02 Lu: Vera became a mother.",
			"2022-04-02 Lu: Otto is here; his wife is Eva.",
		},
		map[string]string{
			"chess club / treasurer / 2020-06-01": "Jan", "chess club / treasurer /": "",
			"St Mary's Hospital / works at / 2021-01-01": "May",
			"St Mary's Hospital / works at /":            "", "Lu / uses /": "Notion", "Lu / lives in /": "Köln",
			"Lu / lives in / 2022-02-20": "Lyon", "Vera / role /": "",
			"Otto / wife of /": "Eva (Otto's wife)",
		},
	},
	"in German": {
		[]string{
			"2020-01-02 Lu: Ich wohne seit 2019 in Köln und arbeite bei Bosch.",
			"2021-01-02 Lu: Meine Schwester Eva ist nach Graz gezogen.",
			"2022-01-02 Lu: Ich bin nach Bonn gezogen.", "2022-02-02 Lu: Wir haben Trello durch Linear ersetzt.",
			"2022-03-02 Lu: Ich arbeite nicht mehr bei Bosch.", "2022-03-03 Lu: Eva und Tom haben geheiratet.",
			"2022-03-04 Lu: Ich habe eine Katze namens Minka.", "2022-03-05 Lu: Vielleicht wohne ich bald in Ulm.",
			"2022-03-06 Lu: Mein Arbeitgeber ist Siemens.", "2022-03-07 Lu: Ich fahre nicht nach Rom.",
		},
		map[string]string{
			"Lu / Wohnort /": "Bonn", "Lu / wohnt in / 2021-06-01": "Köln", "Eva / lives in /": "Graz", "Lu / Arbeitgeber /": "Siemens",
			"Lu / works at / 2022-03-04": "", "Lu / works at / 2022-03-01": "Bosch", "Lu / uses /": "Linear",
			"Tom / verheiratet mit /": "Eva (Lu's schwester)",
			"Lu / has pet /":          "Minka",
		},
	},
	"in Spanish": {
		[]string{
			"2020-01-02 Lu: Vivo en Madrid y trabajo en Telefónica.", "2021-01-02 Lu: Mi hermana Eva vive en Lima.",
			"2022-01-02 Lu: Me mudé a Sevilla.", "2022-02-02 Lu: Mi hermana Eva ya no vive en Lima.",
			"2022-03-02 Lu: Soy alérgico a los cacahuetes.",
			"2022-03-03 Lu: Cambiamos de Trello a Linear.", "2022-03-04 Lu: No trabajo en Iberia.", "2022-03-05 Lu: Hablo catalán.",
		},
		map[string]string{
			"Lu / domicilio /": "Sevilla", "Lu / vive en / 2021-06-01": "Madrid", "Lu / trabaja en /": "Telefónica", "Eva / vive en /": "",
			"Eva / lives in / 2021-06-01": "Lima", "Lu / alergia /": "cacahuetes", "What did we use before Linear?": "Lu | Trello",
			"Lu / idiomas /": "catalán",
		},
	},
	"what was before": {
		[]string{
			"2020-01-02 Lu: We use Trello for tickets.", "2021-01-02 Lu: We replaced Trello with Linear.",
			"2021-02-02 Lu: Project Ibis is hosted on Fly.",
		},
		map[string]string{
			"What did we use before Linear?": "Lu | Trello", "Where is Project Ibis hosted?": "Project Ibis | Fly",
			"What do we use for tickets now?": "Lu | Linear",
		},
	},
}

func TestScenarios(t *testing.T) {
	all := maps.Clone(scenarios)
	maps.Copy(all, plainly)
	maps.Copy(all, naturally)
	if len(all) != len(scenarios)+len(plainly)+len(naturally) || len(all) < 60 {
		t.Errorf("%d scenarios", len(all))
	}
	for name, sc := range all {
		var events []graph.Event
		for i, line := range sc.said {
			day, rest, _ := strings.Cut(line, " ")
			speaker, text, _ := strings.Cut(rest, ": ")
			at := vault.Day(day).Time().Add(12 * time.Hour)
			events = append(events, derive.Events(derive.Fact{ID: fmt.Sprint("f", i), Text: text, Speaker: speaker, At: at})...)
		}
		g := graph.Build(events, nil)
		for ask, want := range sc.want {
			if got := answer(g, ask); got != want {
				t.Errorf("%s: %s: got %q, want %q\n%+v", name, ask, got, want, g.Triples())
			}
		}
	}
}

// Ordinary sentences end nothing of what somebody has, and displace none of it.
func TestWhatEndsNothing(t *testing.T) {
	had := []string{
		"I live in Oslo.", "I work at Acme.", "I work as a nurse.", "I am married to Tom.", "I drive a red car.",
		"I have a cat named Figaro.",
		"Kim lives in Bonn.", "Kim works at Lego.", "Kim and Ann are a couple.",
	}
	day := vault.Day("2024-01-02").Time()
	for _, text := range []string{
		"I put down a deposit on a flat.", "I put down the phone.", "Kim ran away from a dog.", "I put the baby to sleep.",
		"I rehomed a plant.",
		"I made a cake.", "I named a star.", "I appointed a plumber.", "We elected a mayor.", "I am with Marek.", "Kim is with Marek.",
		"I am seeing Hugo on Friday.", "Kim and Hugo are working together at Lego.", "Kim and Hugo visited friends.",
		"I left the car at the station.",
		"We moved to Slack.", "Kim left for Lego.", "Kim left Ann at the station.", "I joined Toastmasters.",
		"I joined the choir.", "I moved to the kitchen.",
		"I work for free today.", "I was in Rome.", "Ich ziehe vielleicht nach Rom.", "No vivo en Lima.", "I sold a coat.",
		"My boss left early.",
		"She moved to the next level.", "Kim dropped by.", "I switched from tea to coffee.", "My neighbour died.", "I am a fan of Rome.",
		"I left the keys at home.", "Kim and Hugo cook together.", "Kim left the party early.", "I died of laughter.", "I left early.",
		"Kim left Ann at the station and joined Hugo.", "We moved from tea to coffee.", "We went from Oslo to Bergen.",
		"I drove from Oslo to Rome.",
		"We moved the party from Oslo to Rome.", "My old boss lives in Rome.", "My former boss Ann left Acme.", "I was in charge of Lego.",
		"I sold my shares.", "Kim plays Hamlet.", "Alle gehen zu Bosch.", "I led the choir.",
	} {
		var events []graph.Event
		for i, said := range append(slices.Clone(had), text) {
			events = append(events, derive.Events(derive.Fact{ID: fmt.Sprint("f", i), Text: said, Speaker: "Ada", At: day.Add(time.Duration(i))})...)
		}
		g := graph.Build(events, nil)
		for _, tr := range g.Triples() {
			if tr.ValidTo != "" {
				t.Errorf("%q ends: %s", text, tr.Sentence())
			}
		}
		if len(g.Triples()) < len(had) {
			t.Fatalf("of %d facts %d are triples", len(had), len(g.Triples()))
		}
	}
}

// What an assistant says of itself is not the person's; what it says of others is said.
func TestTheAssistantIsNotThePerson(t *testing.T) {
	for text, want := range map[string]int{
		"I live in the cloud.": 0, "I use Vim.": 0, "My sister Eva lives in Graz.": 0, "Call me Max.": 0,
		"We moved from Heroku to Fly, as I said.": 0,
		"We moved from Heroku to Fly.":            1, // who notes it is not alone
		"Eva lives in Graz.":                      1,
	} {
		if got := derive.Events(derive.Fact{ID: "f1", Text: text, At: time.Unix(9e8, 0), Origin: vault.OriginAgent}); len(got) != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
	said := derive.Fact{ID: "f1", Text: "We moved from Heroku to Fly.", At: time.Unix(9e8, 0), Origin: vault.OriginAssistant}
	if got := derive.Events(said); len(got) > 0 {
		t.Errorf("said in a conversation: %+v", got)
	}
	if got := derive.Events(derive.Fact{ID: "f1", Text: "I use Vim.", At: time.Unix(9e8, 0)}); len(got) != 1 || got[0].Subject != "user" {
		t.Errorf("a line by hand: %+v", got)
	}
}

// answer is what the graph says, sorted.
func answer(g *graph.Graph, ask string) string {
	parts := strings.Split(ask, "/")
	var out []string
	if len(parts) < 3 {
		for _, t := range g.Ask(ask, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), "Lu") {
			out = append(out, t.Subject+" | "+t.Object)
		}
		return strings.Join(out, ", ")
	}
	f := g.Lookup(strings.TrimSpace(parts[0]))
	if len(f.Candidates) > 0 {
		for _, c := range f.Candidates {
			out = append(out, c.Name)
		}
		slices.Sort(out)
		return "? " + strings.Join(out, ", ")
	}
	asOf := vault.Day(strings.TrimSpace(parts[2]))
	for _, t := range g.Of(f, graph.Query{Predicate: strings.TrimSpace(parts[1]), AsOf: asOf}) {
		if asOf == "" && t.ValidTo != "" {
			continue
		}
		if other := t.Object; other != f.Entity.Name {
			out = append(out, other)
		} else {
			out = append(out, t.Subject)
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// What a fact says depends on the fact alone, and whatever its text, all of it is valid.
func FuzzEvents(f *testing.F) {
	for _, sc := range scenarios {
		for _, line := range sc.said {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		fact := derive.Fact{ID: "f1", Text: text, Speaker: "Ada", At: time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)}
		events := derive.Events(fact)
		for _, e := range events {
			if err := e.Validate(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if d := cmp.Diff(events, derive.Events(fact)); d != "" {
			t.Error(d)
		}
		graph.Build(events, nil).Ask(text, fact.At, fact.Speaker)
	})
}

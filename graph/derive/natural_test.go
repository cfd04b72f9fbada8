package derive_test

import (
	"testing"
	"time"

	"github.com/reverie-memory/reverie/graph/derive"
)

// naturally are scenarios in the words of talk: attributes by any noun, openings, dropped pronouns, where things run, jobs, other names.
var naturally = map[string]scenario{
	"attributes by any noun": {
		[]string{
			"2022-01-02 Lu: Falke's release manager is Ines.", "2023-01-02 Lu: The release manager of Falke is Omar.",
			"2022-01-02 Lu: The registrar of eulen.net is Namecheap.", "2022-01-02 Lu: Jonas Ott is Falke's product owner.",
			"2022-01-02 Lu: My favourite soup is Borscht.", "2022-01-02 Lu: Mia's favourite colour is dark green.",
			"2022-01-02 Lu: Der Trainer von Mia ist Herr Kolb.", "2022-01-02 Lu: La profesora de Mia es doña Rosa.",
			"2022-01-02 Lu: My flatmates are Ben and Tine.", "2022-01-02 Lu: Falke's build number is 417.",
		},
		map[string]string{
			"Falke / release manager /": "Omar", "Falke / release manager / 2022-06-01": "Ines", "eulen.net / registrar /": "Namecheap",
			"Falke / product owner /": "Jonas Ott", "Lu / favourite soup /": "Borscht", "Mia / favourite colour /": "dark green",
			"Mia / Trainer /": "Herr Kolb", "Lu / flatmate of /": "Ben, Tine", "Falke / build number /": "417", "Mia / profesora /": "doña Rosa",
		},
	},
	"openings and dropped pronouns": {
		[]string{
			"2022-01-02 Lu: I report to Hanna.", "2022-01-02 Lu: We use Zeplin.", "2022-01-02 Lu: I live in Ulm.",
			"2023-01-02 Lu: Following the merger my manager is Piet Vos.", "2023-01-02 Lu: Replaced Zeplin with Figma.",
			"2023-01-02 Lu: Well, I finally did it, moved to Bonn last week.", "2023-01-02 Lu: Turns out Kim works at Lego.",
			"2023-01-02 Lu: Ines mentioned that she lives in Kiel.", "2023-01-02 Lu: Got myself a blue Trek for the hills.",
			"2023-03-02 Lu: From today on Omar is the captain of the chess club.", "2023-01-02 Lu: New dentist: Dr. Falk.",
		},
		map[string]string{
			"Lu / boss /": "Piet Vos (Lu's manager)", "Lu / boss / 2022-06-01": "Hanna", "Lu / uses /": "Figma", "Lu / lives in /": "Bonn",
			"Kim / works at /": "Lego", "Ines / lives in /": "Kiel", "Lu / owns /": "blue Trek", "chess club / captain / 2023-03-02": "Omar",
			"Lu / doctor of /": "Dr Falk (Lu's dentist)",
		},
	},
	"a subject behind its verb": {
		[]string{
			"2022-01-02 Lu: Ben leitet den Chor.", "2023-01-02 Lu: Seit Januar leitet Eva Holm den Chor.",
			"2022-01-02 Lu: Wir benutzen Trello.", "2023-01-02 Lu: Statt Trello benutzen wir jetzt Jira.",
			"2022-01-02 Lu: Seit Juni ist Frau Sattler unsere Vermieterin.", "2022-01-02 Lu: Vivo con Sara.",
			"2023-01-02 Lu: Sara se fue y ahora vivo con Nuria.",
		},
		map[string]string{
			"Chor / leitet /": "Eva Holm", "Lu / uses /": "Jira", "Lu / Vermieterin /": "Frau Sattler", "Lu / flatmate of /": "Nuria",
		},
	},
	"two statements at a comma": {
		[]string{
			"2022-01-02 Lu: I'm allergic to peanuts.", "2023-01-02 Lu: I'm not allergic to peanuts anymore, the test was negative.",
			"2022-01-02 Lu: Toco el piano.", "2023-01-02 Lu: Ya no toco el piano, ahora toco la guitarra.",
			"2022-01-02 Lu: My parents live in Bath.", "2023-01-02 Lu: My parents have sold their house and moved to Malta.",
			"2022-01-02 Lu: I bought a Brompton.", "2023-01-02 Lu: Someone stole my Brompton.",
			"2022-01-02 Lu: I drive a Polo.", "2023-01-02 Lu: My Polo broke down for good, I drive a Corsa now.",
			"2022-01-02 Lu: Yoga is on Mondays.", "2023-01-02 Lu: Yoga has moved to Wednesdays.",
		},
		map[string]string{
			"Lu / allergic to /": "", "Lu / plays /": "guitarra", "Lu's parents / lives in /": "Malta", "Lu / owns /": "", "Lu / drives /": "Corsa",
			"Yoga / meets on /": "Wednesdays", "Yoga / lives in /": "",
		},
	},
	"where things run": {
		[]string{
			"2022-01-02 Lu: The ledger service runs on MariaDB.", "2023-01-02 Lu: We moved ledger off MariaDB and onto CockroachDB.",
			"2022-01-02 Lu: eulen.net is registered with Gandi.", "2023-01-02 Lu: I transferred eulen.net over to Namecheap.",
			"2022-01-02 Lu: Nightly backups go to Hetzner.", "2022-01-02 Lu: carts publishes to RabbitMQ.",
			"2023-01-02 Lu: We swapped RabbitMQ for NATS in carts.", "2022-01-02 Lu: Bumped carts to Python 3.11.",
			"2022-01-02 Lu: Thor is plugged into the Eaton battery.", "2022-01-02 Lu: Deadline for the Falke launch: 3 May 2022.",
			"2022-02-02 Lu: The Falke deadline moved to 9 June 2022.", "2022-01-02 Lu: La web está alojada en Azure.",
			"2023-01-02 Lu: Por fin pasamos la web de Azure a Hetzner.",
		},
		map[string]string{
			"ledger / hosting /": "CockroachDB", "ledger service / hosting / 2022-06-01": "MariaDB", "eulen.net / registrar /": "Namecheap",
			"nightly backups / stored in /": "Hetzner", "carts / uses /": "NATS", "Lu / uses /": "", "carts / version /": "Python 3.11",
			"Thor / connected to /": "Eaton battery", "Falke / deadline /": "9 June 2022", "web / alojado en /": "Hetzner",
		},
	},
	"jobs with a day": {
		[]string{
			"2022-01-02 Lu: I'm a data engineer at Lego.", "2022-01-02 Lu: My last day at Lego is 30 April 2022.",
			"2022-01-02 Lu: I've signed with Miele and start there on 1 June 2022.", "2022-01-02 Kim: Ich habe bei Fiat angefangen.",
			"2023-01-02 Kim: Tom Holm hat gekündigt und ist jetzt bei Stihl.",
			"2022-01-02 Eva: I've been with Bosch since 2015, in the same team all along.",
		},
		map[string]string{
			"Lu / works at / 2022-04-30": "Lego", "Lu / works at / 2022-05-15": "", "Lu / works at / 2022-06-01": "Miele",
			"Lu / role / 2022-02-01": "data engineer", "Tom Holm / works at /": "Stihl", "Eva / works at / 2016-01-01": "Bosch",
		},
	},
	"what is left of a sentence": {
		[]string{
			"2022-01-02 Lu: We bought a camper, a Knaus.", "2023-01-02 Lu: The Knaus broke down, so we traded it in for a Hobby caravan.",
			"2022-01-02 Lu: I share the flat with Ole and Pia.", "2023-01-02 Lu: Ole moved out.", "2022-01-02 Lu: My niece Tea studies at ETH.",
			"2022-01-02 Lu: Ida's brother is Uncle Max.", "2022-01-02 Lu: Uncle Max owns the Bar Roma.", "2022-01-02 Lu: El abuelo vive en Lugo.",
			"2022-01-02 Lu: Kim plays bridge with the Tuesday Club.", "2022-01-02 Lu: Kim switched to the Waldorf school.",
		},
		map[string]string{
			"Lu / owns /": "Hobby caravan", "Lu / owns / 2022-06-01": "Knaus", "Lu / flatmate of /": "Pia", "Tea / studies at /": "ETH",
			"Max / brother of /": "Ida", "Max / owns /": "Bar Roma", "Lu's abuelo / lives in /": "Lugo", "Kim / member of /": "Tuesday Club",
			"Kim / uses /": "",
		},
	},
	"other names": {
		[]string{
			"2022-01-02 Lu: Wilhelmina Kast heißt bei uns nur Mina.", "2022-01-02 Lu: Mina wohnt in Celle.",
			"2022-01-02 Lu: A Jorge Ruiz todos le decimos Coque.", "2022-01-02 Lu: Coque vive en Cádiz.",
			"2022-01-02 Lu: Our build box is called ci-7, but everyone says Bertha.", "2022-01-02 Lu: Bertha is hosted at Hetzner.",
		},
		map[string]string{
			"Wilhelmina Kast / lives in /": "Celle", "Jorge Ruiz / lives in /": "Cádiz", "ci-7 / hosting /": "Hetzner",
		},
	},
	"families and pets": {
		[]string{
			"2022-01-02 Lu: Cousin Pia is engaged to Nils.", "2023-01-02 Lu: Pia called it off.", "2022-01-02 Lu: Granny lives in her flat in Bath.",
			"2023-01-02 Lu: Granny has moved in with Uncle Tim in Leeds.", "2022-01-02 Lu: Bruno is Ida's dog.",
			"2022-01-02 Lu: We have a poodle named Kiki and a parrot, Coco.", "2022-01-02 Lu: Mia is vegan.",
			"2023-01-02 Lu: Mia became vegetarian.",
			"2022-01-02 Lu: Ole is godfather to our Mia.", "2022-01-02 Lu: Ich bin im Turnverein.", "2022-01-02 Lu: My coffee comes from Aldi.",
		},
		map[string]string{
			"Pia / engaged to / 2022-06-01": "Nils", "Pia / engaged to /": "", "Lu's granny / lives in /": "Leeds", "Ida / pet /": "Bruno",
			"Lu's granny / lives in / 2022-06-01": "Bath", "Lu / pet /": "Coco, Kiki", "Mia / diet /": "vegetarian", "Mia / godfather /": "Ole",
			"Lu / member of /": "Turnverein", "Lu's coffee / born in /": "",
		},
	},
}

// What is wished, denied, nearly so or only said of anybody is no triple, however it is put.
func TestTalkThatSaysNothing(t *testing.T) {
	for _, text := range []string{
		"I nearly took the job at Lego.", "Considered Wasabi for the backups, decided against it.", "Thinking about Figma.",
		"Might move to Bonn.",
		"Falke's tech lead might be Ines.", "The tech lead of Falke is not Ines.", "Is Ines Falke's tech lead?", "My problem is Bob.",
		"The best part of Rome is Trastevere.", "My favourite cake is delicious.", "My day was Great.", "The name of the game is Go.",
		"Everything goes through Bob.", "The bus goes to Ulm.", "Life goes to Mars.", "The kids go to Bonn.",
		"I'm a regular at Luigi's.", "I'm a member at Tesco.", "I've been with Tom since 2019.", "Moved to Slack.",
		"Moved to Hetzner last night.",
		"If it works, the registrar of eulen.net is Gandi.", "My home internet comes from Vodafone.",
		"Someone's favourite colour is red.", "It's the talk of Paris.", "That is the beauty of Python.", "He is the love of Ida.",
		"The release date of Falke is open.", "The goal of Falke is Growth.", "Y speAk 000", "I'm lactose intolerant, it seems.",
		"We plan to move ledger off MariaDB and onto CockroachDB.",
	} {
		for _, e := range derive.Events(derive.Fact{ID: "f", Text: text, Speaker: "Ada", At: time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)}) {
			t.Errorf("%q: %s %s", text, e.Kind, e.Text())
		}
	}
}

package claim

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/reworded.txt
var rewordedLines string

// What a model writes may join and reword facts; it may bring in nothing, and turn nothing into its opposite.
func TestWordsOfAModel(t *testing.T) {
	type x struct {
		facts []string
		text  string
	}
	for _, h := range []x{
		{[]string{"User lives in Ghent.", "User works as a software architect."}, "The user is a software architect and lives in Ghent"},
		{[]string{"Priya leads Orion."}, "Orion is led by Priya"},
		{
			[]string{"Project Orion is the data platform of user's employer.", "Priya leads Orion."},
			"Project Orion is the data platform of user's employer and is led by Priya",
		},
		{[]string{"User has a shellfish allergy.", "User carries an EpiPen."}, "User has a shellfish allergy and carries an EpiPen"},
		{
			[]string{"Lumo uses SvelteKit for the frontend.", "Lumo uses Supabase as its backend.", "Lumo is deployed on Vercel."},
			"Lumo uses SvelteKit for the frontend and Supabase as its backend, and is deployed on Vercel",
		},
		{
			[]string{"The user's name is Jonas. He is a software architect and lives in Ghent with his wife Clara and their daughter Mia."},
			"User's name is Jonas; he is a software architect and lives in Ghent with his wife Clara and their daughter Mia",
		},
		{[]string{"Lumo has reached 120 paying users."}, "According to the user, Lumo has 120 paying users"},
		{[]string{"Lena wrote the onboarding guide."}, "The onboarding guide was written by Lena"},
		{
			[]string{"User's wife Clara is a paediatrician at the university hospital.", "User's daughter Mia is 7."},
			"His wife Clara is a paediatrician at the university hospital, and their daughter Mia is 7",
		},
		{[]string{"User works at Klarna as a backend engineer, mostly in Kotlin."}, "User is a backend engineer at Klarna and works mostly " +
			"in Kotlin"},
		{
			[]string{"The launch of Lumo is planned for 14 September.", "Lumo has 40 beta testers."},
			"The Lumo launch is planned for 14 September, and Lumo has 40 beta testers",
		},
		{[]string{"User is allergic to peanuts."}, "The user has a peanut allergy"},
		{[]string{"Joanna: \"I'm allergic to most reptiles\""}, "Joanna is allergic to most reptiles"},
		{[]string{"User moved to Berlin in May because of a job at Zalando."}, "The user moved to Berlin in May due to a job at Zalando"},
		{[]string{"User prefers short answers."}, "Short answers are preferred by the user"},
		{[]string{"User enjoys hiking in the Alps."}, "The user likes hiking in the Alps"},
		{[]string{"Tom resides in Leeds."}, "Tom lives in Leeds"},
	} {
		if ok, why := Supports(h.facts, h.text); !ok {
			t.Errorf("honest, refused: %q: %s", h.text, why)
		}
	}
	for _, h := range []x{
		{[]string{"User likes coriander."}, "The user dislikes coriander"},
		{[]string{"User is allergic to nuts."}, "The user is not allergic to nuts"},
		{[]string{"Arsenal won the match against Leeds."}, "Arsenal lost the match against Leeds"},
		{[]string{"Clara works at the bank."}, "Clara robbed the bank"},
		{[]string{"Clara works at the bank."}, "Clara is a criminal who works at the bank"},
		{[]string{"User plans to move to Rome."}, "The user moved to Rome"},
		{[]string{"User does not eat meat."}, "The user eats meat"},
		{[]string{"Tom lent Anna 50 euros."}, "Anna lent Tom 50 euros"},
		{[]string{"Tom lives in Leeds.", "Anna lives in York."}, "Tom lives in York"},
		{[]string{"The budget is 40,000 euros."}, "The budget is 45,000 euros"},
		{[]string{"The launch is on 3 May."}, "The launch is on 5 May"},
		{[]string{"User left Siemens in May."}, "The user joined Siemens in May"},
		{[]string{"The visa was approved."}, "The visa was rejected"},
		{[]string{"The price was raised to 20 euros."}, "The price was lowered to 20 euros"},
		{[]string{"User no longer smokes."}, "The user smokes"},
		{[]string{"User sold the VW Golf."}, "The user bought the VW Golf"},
		{[]string{"Clara might leave the company."}, "Clara leaves the company"},
		{[]string{"The user switched from Slack to Teams."}, "The user switched from Teams to Slack"},
		{[]string{"Ben is healthy."}, "Ben is sick"},
		{[]string{"User's daughter Mia is 7.", "User's son Ben is 9."}, "Mia is 9 and Ben is 7"},
		{[]string{"User is married to Clara."}, "The user is divorced from Clara"},
		{[]string{"User trusts Ben."}, "The user distrusts Ben"},
		{[]string{"User loves his job."}, "The user hates his job"},
		{[]string{"Clara is the user's wife."}, "Clara is the user's sister"},
		{[]string{"The server is safe."}, "The server is unsafe"},
		{[]string{"User drinks coffee in the morning."}, "The user never drinks coffee in the morning"},
		{[]string{"User agreed to the plan."}, "The user disagreed with the plan"},
		{[]string{"User always locks the door."}, "The user rarely locks the door"},
	} {
		if ok, _ := Supports(h.facts, h.text); ok {
			t.Errorf("let through: %q", h.text)
		}
	}
	for title, want := range map[string]bool{
		"Clara is a criminal": false, "Clara": true, "Work at the bank": true, "Health": true,
		"Why Clara is unhappy": false, "Family and friends": true, "Fraud": false, "Summary": true,
	} {
		if ok, why := Heading([]string{"Clara works at the bank."}, title); ok != want {
			t.Errorf("heading %q: %v %s", title, ok, why)
		}
	}
}

// Rewordings and lies that nobody looked at while the rules were written. A lie is never let through; not every rewording is seen.
func TestReworded(t *testing.T) {
	seen, honest := 0, 0
	for line := range strings.Lines(rewordedLines) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		ok, why := Supports(f[2:], f[1])
		switch {
		case f[0] == "no" && ok:
			t.Errorf("let through: %q of %q", f[1], f[2:])
		case f[0] == "yes":
			if honest++; ok {
				seen++
			} else {
				t.Logf("refused: %q of %q: %s", f[1], f[2:], why)
			}
		}
	}
	t.Logf("%d of %d rewordings seen", seen, honest)
	if seen < 16 {
		t.Errorf("only %d of %d rewordings seen", seen, honest)
	}
}

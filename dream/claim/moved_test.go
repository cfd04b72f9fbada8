package claim

import "testing"

// A value that moved or grew takes the place of the one before; of other things, other kinds of values and other ends it does not.
func TestMoved(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		want     Relation
	}{
		{"The staging server is at 10.0.0.5", "The staging server moved to 10.0.0.9", Change},
		{"The staging server is at 10.0.0.5", "We moved the staging server to 10.0.0.9", Change},
		{"rv-core depends on go 1.25", "rv-core was upgraded to go 1.26", Change},
		{"rv-core depends on go 1.25", "rv-core was upgraded to node 22", Unrelated},
		{"The reading group meets on Wednesdays at 14:00", "The reading group moved to Thursdays at 15:00", Change},
		{"The reading group meets on Wednesdays at 14:00", "The writing group moved to Thursdays at 15:00", Unrelated},
		{"The paper is due on 15 January", "The paper deadline was extended to 22 January", Change},
		{"Lisbon trip: flight TP123 on 3 December at 07:40", "Lisbon trip: flight moved to 4 December at 09:15", Change},
		{"The plumber charges 60 euros an hour", "The plumber raised the price to 75 euros an hour", Change},
		{"The plumber has 60 euros", "The plumber raised the price to 75 euros an hour", Unrelated},
		{"Der Zahnarzttermin ist am 2. Dezember", "Der Zahnarzttermin wurde auf den 9. Dezember verschoben", Change},
		{"The contract ends on 1 March", "The contract was moved to 4 April", Unrelated},
		{"The contract starts on 1 March", "The contract was extended to 4 April", Unrelated},
		{"The API listens on port 8080", "The API was upgraded to 2.0", Unrelated},
		{"The cluster runs 3 replicas", "The cluster was scaled to 5 nodes", Unrelated},
		{"The cluster was scaled to 3 nodes in May", "The quota was raised to 5", Unrelated},
		{"The server is at 10.0.0.5", "The server might be moved to 10.0.0.9", Unrelated},
		{"CI takes 12 minutes", "CI takes 7 minutes since caching was added", Change},
		{"CI takes 12 minutes", "CI takes 7 minutes on branches", Unrelated},
		{"The feature flag new_checkout is off in production", "The feature flag new_checkout is on in production since today", Change},
		{"The feature flag new_checkout is off in production", "The feature flag new_checkout is on in staging", Unrelated},
		{"The lamp is off", "The lamp is on the table", Unrelated},
		{"Redis is used as the session store", "Valkey replaces Redis as the session store", Change},
		{"Redis is used as the session store", "Valkey replaces Redis as the queue", Unrelated},
		{"Ida is allergic to penicillin", "Ida is not allergic to penicillin after all, the test was negative", Correction},
	} {
		earlier, now := Parse(tt.old, "", "2026-06-02"), Parse(tt.new, "", "2026-06-06")
		if got := Compare(earlier, now); got != tt.want {
			t.Errorf("%q, then %q: %v, want %v", tt.old, tt.new, got, tt.want)
		}
	}
}

func TestDone(t *testing.T) {
	for _, tt := range []struct {
		task, new string
		want      bool
	}{
		{"Renew the library card", "The library card is renewed", true},
		{"Renew the library card", "Mara renewed the library card", true},
		{"Renew the library card", "The library card is done", true},
		{"Rotate the signing keys before 1 December", "The signing keys were rotated on 11 November", true},
		{"The user has to rotate the signing keys before 1 December", "The signing keys are rotated", true},
		{"Mara must renew the library card", "The library card was renewed", true},
		{"The user has to write the report", "The report is finished", true},
		{"The user has to sign the contract", "The contract is finished", false},
		{"Mara must renew the library card", "The library card must be renewed", false},
		{"The user has to renew the passport", "The library card was renewed", false},
		{"Mara might renew the library card", "The library card was renewed", false},
		{"Renew the library card", "The library card is not renewed", false},
		{"Renew the library card", "The library card will be renewed", false},
		{"Renew the library card", "The library card is lost", false},
		{"Renew the library card", "Mara lost the library card", false},
		{"Renew the library card", "The passport is renewed", false},
		{"Renew the library card", "Renew the library card", false},
		{"Ask Okafor about the ethics form", "The ethics form is done", false},
		{"Die Steuererklärung abgeben", "Die Steuererklärung ist abgegeben", false},
		{"Fix the bug in the parser", "The bug in the parser is fixed", true},
		{"Send the draft to Helen", "Mara sent the draft to Helen", true},
		{"Finish the draft", "The draft is ready", true},
		{"Rotate the keys", "The keys have been rotated", true},
		{"Rotate the keys", "Mara has rotated the keys on 9 June", true},
		{"Rotate the keys", "Mara had the keys rotated", false},
		{"Rotate the keys", "The keys have to be rotated", false},
		{"Water the plants", "Mara watered the plants", true},
		{"Fix the bug in the parser", "Omar fixed the bug in the lexer", false},
		{"Send the draft to Helen", "The draft was sent to Omar", false},
		{"Review the contract", "Mara reviewed the contract for Tomas", false},
		{"Review the contract", "The contract is ready for review", false},
		{"Sign the contract", "The contract is ready", false},
		{"Sign the contract", "Mara reviewed the contract", false},
		{"Read the paper", "The paper is done", false},
		{"Buy flour", "The flour is finished", false},
		{"Buy milk", "Mara bought milk chocolate", false},
		{"Buy milk and bread", "Mara bought milk", false},
		{"Order new tires", "The new tires are ready", false},
		{"Plan the trip", "The trip is done", false},
		{"Pay the rent every month", "The rent is paid", false},
		{"Pay the rent for June", "Tomas paid the rent for May", false},
		{"Renew the library card", "The library card is being renewed", false},
		{"Renew the library card", "The library card was renewed in 2024", false},
		{"Renew the library card", "Mara renewed the library card last year", false},
		{"Renew the library card", "The library card is renewed every year", false},
		{"Renew the library card", "Tomas renewed the library card of his son", false},
		{"Renew the library card", "Nobody renewed the library card", false},
		{"Finish the draft", "The draft is done, except for the last chapter", false},
		{"Finish the draft", "The draft is done when Helen approves it", false},
		{"Finish the draft", "The draft is finished by Friday", false},
		{"Visit grandma in May", "Mara visited grandma in April", false},
		{"Close the account", "The account is closed on Sundays", false},
	} {
		if got := Done(Parse(tt.task, "", "2026-06-02"), Parse(tt.new, "", "2026-06-06")); got != tt.want {
			t.Errorf("%q, then %q: %v, want %v", tt.task, tt.new, got, tt.want)
		}
	}
	task := Parse("Review the contract", "Tomas", "2026-06-02")
	for _, tt := range []struct {
		speaker, new string
		want         bool
	}{
		{"Tomas", "I reviewed the contract", true},
		{"Tomas", "Tomas reviewed the contract", true},
		{"Mara", "I reviewed the contract", false},
		{"Mara", "Mara reviewed the contract", false},
		{"Mara", "The contract was reviewed on 8 June", true},
		{"Mara", "The contract was reviewed on 8 May", false},
	} {
		if got := Done(task, Parse(tt.new, tt.speaker, "2026-06-09")); got != tt.want {
			t.Errorf("%s: %q: %v, want %v", tt.speaker, tt.new, got, tt.want)
		}
	}
	for text, want := range map[string]bool{
		"The ethics form is done": true, "The ethics form has been completed": true,
		"Das Formular ist fertig": true, "The form was finished on 4 May": true,
		"The form is not done": false, "The form is to be done": false,
		"The form should be done": false, "The form is done when Helen signs it": false,
		"The form must be finished by Friday": false, "Finish the form": false, "The pull request is ready for review": false,
	} {
		if got := Parse(text, "", "2026-06-02").Finished(); got != want {
			t.Errorf("%q finished: %v", text, got)
		}
	}
	if k := Parse("Renew the library card", "", "").Errand(); k != "card" {
		t.Errorf("errand %q", k)
	}
}

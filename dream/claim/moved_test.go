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
		old, now := Parse(tt.old, "", "2026-06-02"), Parse(tt.new, "", "2026-06-06")
		if got := Compare(old, now); got != tt.want {
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
		{"Renew the library card", "The library card is not renewed", false},
		{"Renew the library card", "The library card will be renewed", false},
		{"Renew the library card", "The library card is lost", false},
		{"Renew the library card", "Mara lost the library card", false},
		{"Renew the library card", "The passport is renewed", false},
		{"Renew the library card", "Renew the library card", false},
		{"Ask Okafor about the ethics form", "The ethics form is done", false},
		{"Die Steuererklärung abgeben", "Die Steuererklärung ist abgegeben", false},
	} {
		if got := Done(Parse(tt.task, "", "2026-06-02"), Parse(tt.new, "", "2026-06-06")); got != tt.want {
			t.Errorf("%q, then %q: %v, want %v", tt.task, tt.new, got, tt.want)
		}
	}
	if k := Parse("Renew the library card", "", "").Errand(); k != "card" {
		t.Errorf("errand %q", k)
	}
}

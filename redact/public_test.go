package redact

import (
	"strings"
	"testing"
)

// What published formats say is no secret stays, and what only looks like it goes.
func TestWhatIsGivenAway(t *testing.T) {
	drawn := "iQIzBAABCAAdFiEEX/m2tib6PX/xHslSGoOx77o+RB3Rd7Eb7K675RxY9q0oDA5w\n" +
		"Zm06jM2Y7607aSefbg1Ksb9JVzBnGW1Jo755vStyBynT7Sf9ptkaSG3ru7axOk8k\n"
	pairs := "1B:CA:C6:8B:BF:96:5D:26:6B:A4:6B:69:B4:BF:6B:BB:FE:EF:16:4A"
	for _, text := range []string{
		"-----BEGIN PGP SIGNATURE-----\n\n" + drawn + "-----END PGP SIGNATURE-----\nmy password was not in there",
		"X509v3 Subject Key Identifier:\n    " + pairs,
		"Sec-WebSocket-Key: fyufi6mKfIGKWLUeEX0WYv==\nSec-WebSocket-Version: 13\n→ 400 behind haproxy",
		"VISA **** **** **** 1881  12/27   -49,90 EUR  ZALANDO\nVISA **** **** **** 1881  12/27   -12,00 EUR  SPOTIFY",
		"\"Password\": \"#{DbPassword}#\" is Octopus syntax or Azure DevOps?",
		"ALTER USER app WITH PASSWORD :'newpw'; run via psql -v newpw=\"$NEWPW\"",
		"TOTP is HMAC-SHA1 over floor(t/30). My codes are off by one step, clock drift?",
	} {
		if clean, found := Redact(text); len(found) > 0 {
			t.Errorf("%q became %q", text, clean)
		}
	}
	for text, secret := range map[string]string{
		"-----BEGIN PGP SIGNATURE-----\n\n" + drawn + "-----END PGP SIGNATURE-----\nmy password is vT9kkR2pQx": "vT9kkR2pQx",
		"my password :'hunter2xyz'":                                                   "hunter2xyz",
		"mdp :'hunter2xyz' pour le wifi":                                              "hunter2xyz",
		"the card **** is blocked, my PIN is 1881":                                    "1881",
		"-----BEGIN RSA PRIVATE KEY-----\n" + drawn + "-----END RSA PRIVATE KEY-----": "Zm06jM",
	} {
		if clean, _ := Redact(text); strings.Contains(clean, secret) {
			t.Errorf("%q became %q", text, clean)
		}
	}
}

// Blocks in armour without an end are read once.
func TestBlocksGivenAway(t *testing.T) {
	one := "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
	for text, want := range map[string]int{
		"": 0, one: 1, one + one: 2, "-----BEGIN PUBLIC KEY-----\nMIIB": 0, strings.Repeat("-----BEGIN CERTIFICATE-----\n", 3): 0,
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n" + one: 1,
	} {
		if got := givenAway(text); len(got) != want {
			t.Errorf("%q has %d blocks, want %d", text, len(got), want)
		}
	}
}

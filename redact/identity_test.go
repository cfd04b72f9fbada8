package redact

import (
	"strings"
	"testing"
)

// write writes a number of a form: figures that make no date, and letters.
func (id identity) write(form string) string {
	var b strings.Builder
	for k := 0; k < len(form); {
		sort, n := form[k], 0
		for k++; k < len(form) && is(form[k], digit); k++ {
			n = 10*n + int(form[k]-'0')
		}
		switch {
		case sort == '=':
			b.WriteByte(byte('0' + n))
		case sort == 'd':
			b.WriteString("864297531864297531"[:n])
		case sort == 'L':
			b.WriteString("KWTRZP"[:n])
		default:
			b.WriteString("C4FHK7W2M9T"[:n])
		}
	}
	return b.String()
}

// Each name takes a number of each of its forms, and only with it.
func TestNumbersOfPersonsGoBehindTheirNames(t *testing.T) {
	all := identities()
	if len(all) < 50 {
		t.Fatalf("%d kinds of numbers, want 50 or more", len(all))
	}
	for _, id := range all {
		for _, form := range id.forms {
			number := id.write(form)
			for _, name := range id.names {
				if len(name) < short {
					name = strings.ToUpper(name)
				}
				text := "Bitte prüfen: " + name + " " + number + ", danke"
				found, _ := formats(text)
				if len(found) != 1 || found[0].Rule != id.rule || text[found[0].Start:found[0].End] != number {
					t.Errorf("%q: found %v", text, found)
				}
			}
			if found, _ := formats("Bitte prüfen: Teil " + number + ", danke"); len(found) > 0 {
				t.Errorf("%s: found %v without a name", number, found)
			}
		}
	}
}

func TestWaysToWriteNumbersOfPersons(t *testing.T) {
	for text, number := range map[string]string{
		"swiss AHV no. 756.4819.2037.15 ... moved":                     "756.4819.2037.15",
		"tfn 876 543 210 - can i lodge":                                "876 543 210",
		"Mein Reisepass (Nr. FQ48RHZTY, ausgestellt in Kassel)":        "FQ48RHZTY",
		"US passport no. R82527713; purpose":                           "R82527713",
		"passport: r82527713":                                          "r82527713",
		"NIE X4827163L, pasaporte francés 19FP85907. ¿Qué tasa?":       "19FP85907",
		"o meu NIF é 190 758 023 e":                                    "190 758 023",
		"personnummer 19890818-6813 –":                                 "19890818-6813",
		"my pesel is 44051401458 they say":                             "44051401458",
		"Sozialversicherungsnummer\n65 140783 K 512":                   "65 140783 K 512",
		"numéro de sécu : 1 91 06 2A 037 062 97.":                      "1 91 06 2A 037 062 97",
		"mi nie es x4827163l":                                          "x4827163l",
		"RUT 12.748.936-K":                                             "12.748.936-K",
		"паспорт 45 10 827364 выдан":                                   "",
		"паспорт 4510 827364 выдан":                                    "",
		"passport expires 14.02.2029 and the flight is LH 48271936":    "",
		"the passport office is on 020 7946 0321":                      "",
		"passport fee 165 dollars. B82527713 is the part":              "",
		"it is a sin 876 543 210 times over":                           "",
		"nie 12345678 razy, using a pan 876543210987":                  "",
		"Passport form DS-82 was sent on 20240815":                     "",
		"my number is +44 7700 900123, the passport comes by post":     "",
		"CPF for tests is 123.456.789-09, and the SSN 078-05-1120 too": "",
	} {
		clean, found := Redact(text)
		if number == "" && len(found) > 0 || number != "" && (strings.Contains(clean, number) || !strings.Contains(clean, ruleIdentity)) {
			t.Errorf("%q became %q", text, clean)
		}
	}
}

package redact

import (
	"strings"
	"testing"
)

// What a source publishes stays wherever it stands, and would go if it were not published.
func TestWhatIsPublishedStays(t *testing.T) {
	values := published()
	defer func(was func() map[string]bool) { published = was }(published)
	none := func() map[string]bool { return nil }
	frames := []string{
		"the test has %", "the sample is `%`, right?", `{"access_token": "%"}, a test`, "a test: password=%", "Authorization: Bearer %\n# a test",
		"the docs say: my recovery phrase is %", "sample: AHV %, CPF %, BSN %, SIN % or TFN %",
		"test: Reisepass %, DNI %, NIE %, PPS %, PAN %, NRIC %, NHS %",
		"test: personnummer %, aadhaar %, PESEL %, Versicherungsnummer %, national insurance number %, codice fiscale %, ITIN %, SSN %",
	}
	for line := range strings.Lines(publicList) {
		v := strings.ReplaceAll(strings.TrimSpace(line), "·", "")
		if strings.HasPrefix(line, "#") {
			continue
		}
		needed := false
		for _, frame := range frames {
			text := strings.ReplaceAll(frame, "%", v)
			if strings.Contains(frame, "phrase") && strings.Count(v, " ") < 11 {
				continue
			}
			published = func() map[string]bool { return values }
			if clean, _ := Redact(text); !strings.Contains(clean, v) {
				t.Errorf("%q became %q", text, clean)
			}
			published = none
			clean, _ := Redact(text)
			needed = needed || clean != text
		}
		if !needed {
			t.Errorf("%s would stay anyway", v)
		}
	}
}

func TestWhatIsLikeThePublishedGoes(t *testing.T) {
	key := "wJalrXUtnFEMI/K7MDENG/bPxRfiCY"
	for text, secret := range map[string]string{
		"my card is 4242 4242 4242 4242, exp 09/28":                    "4242 4242", // nobody speaks of a sample
		"a test: my card is 4242 4242 4242 4259":                       "4242 4259",
		"the sample of AWS_SECRET_ACCESS_KEY=" + key + "zzKq4Lm9Zt":    key,
		"token: 2YotnFZFEjr1zCsicMWpAB":                                "2YotnFZFEjr1zCsicMWpAB",
		"key AKIA" + "QK7HZ2MX4TB6WD3N, not AKIA" + "IOSFODNN7EXAMPLE": "QK7HZ2MX4TB6WD3N",
		"no test: my password is 123456789":                            "123456789",
	} {
		if clean, _ := Redact(text); strings.Contains(clean, secret) {
			t.Errorf("%q became %q", text, clean)
		}
	}
	for _, kept := range []string{
		"AWS_SECRET_ACCESS_KEY=" + key + "EXAMPLEKEY", "key: AKIA" + "IOSFODNN7EXAMPLE",
		"Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." +
			"eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
	} {
		if clean, found := Redact(kept); len(found) > 0 {
			t.Errorf("%q became %q", kept, clean)
		}
	}
}

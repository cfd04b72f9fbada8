package redact

import (
	"strings"
	"testing"
)

func TestDials(t *testing.T) {
	for text, want := range map[string]string{
		`"Safe: R32 L17 R08. Laptop`:                                "R32 L17 R08",
		"turn left to 34, right to 71, left to 18. Inside":          "left to 34, right to 71, left to 18",
		"dial 69 R, 70 L, 73 R. Lights":                             "69 R, 70 L, 73 R",
		"es 44 sinistra, 9 destra, 71 sinistra, però":               "44 sinistra, 9 destra, 71 sinistra",
		"(combination is right 34, left 12, right 27)":              "right 34, left 12, right 27",
		"links 12 - rechts 47 - links 8":                            "links 12 - rechts 47 - links 8",
		"turn left after 200 m, then right, then left at number 12": "",
		"R2 L1 R2 U3 solves the corner":                             "",
		"left 3 boxes, right 4 boxes, left 5 boxes":                 "",
		"padding: left 10px, right 12px, left 14px":                 "",
		"tyres 205/55 R16, 195/65 R15 and 225/45 R17":               "",
		"left-pad 1.3.0, right-pad 1.0.1 and left 2":                "",
	} {
		found, _ := formats(text)
		switch {
		case want == "" && len(found) > 0:
			t.Errorf("%q: found %q", text, text[found[0].Start:found[0].End])
		case want != "" && (len(found) != 1 || text[found[0].Start:found[0].End] != want):
			t.Errorf("%q: found %v", text, found)
		}
	}
}

func TestBytesOfAKey(t *testing.T) {
	bytes := strings.TrimSuffix(strings.Repeat("174,47,9,201,", 16), ",")
	for text, want := range map[string]bool{
		"id.json is [" + bytes + "]": true, "id.json is [" + strings.ReplaceAll(bytes, ",", ", ") + "]": true,
		"pixels [" + bytes + ",1]": false, "pixels [" + bytes[4:] + "]": false, bytes: false, "[1,2,3]": false, "[" + bytes: false,
	} {
		if clean, _ := Redact(text); strings.Contains(clean, "47,") == want && want || !want && clean != text {
			t.Errorf("%q became %q", text, clean)
		}
	}
}

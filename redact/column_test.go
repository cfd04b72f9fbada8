package redact

import (
	"strings"
	"testing"
)

func TestWhatIsLikeTheOthers(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		gone []string
		kept []string
	}{
		"a column under its heading": {
			"site | login | pw\nshop | jo@example.org | Tiger-Lily-92\nmusic | jo.hartley | ilovefleetwoodmac\nbank | 85012234 | same as shop",
			[]string{"Tiger-Lily-92", "ilovefleetwoodmac"},
			[]string{"jo.hartley", "85012234", "same as shop", "music"},
		},
		"a column without one": {
			"class logins, passwords last:\nZoe – Apple_44!x\nAmir – Grape_71!q\nLucy – panda66\nMei – none",
			[]string{"Apple_44!x", "Grape_71!q", "panda66"},
			[]string{"Lucy", "none"},
		},
		"codes of one shape": {
			"backup codes:\n1. 1170 6254   2. 8803 4416\n3. 5529 0781   4. 3346 1198\n5. 1248 7762   6. 9796 7249",
			[]string{"1170 6254", "1248 7762", "9796 7249"},
			nil,
		},
		"a table without secrets": {
			"name | phone | town\nZoe | 555 0101 | Bonn\nAmir | 555 0144 | Kiel\nLucy | 555 0199 | Ulm", nil, []string{"555 0101", "555 0199"},
		},
		"a script without blanks": {"公司邮箱密码改成了Hongshao#Rou88", []string{"Hongshao#Rou88"}, []string{"公司邮箱密码改成了"}},
		"the key of a one-time password": {
			"can't scan so enter manually: ggxb ir6f l56w 5t5k 43nu wgen wtfl fjsx (time based)", []string{"ggxb ir6f", "wtfl fjsx"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			clean, _ := Redact(c.text)
			for _, v := range c.gone {
				if strings.Contains(clean, v) {
					t.Errorf("%q is left in %q", v, clean)
				}
			}
			for _, v := range c.kept {
				if !strings.Contains(clean, v) {
					t.Errorf("%q is gone from %q", v, clean)
				}
			}
			if again, found := Redact(clean); len(found) > 0 {
				t.Errorf("twice is not once: %q", again)
			}
		})
	}
}

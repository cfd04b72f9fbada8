package redact

import (
	"runtime"
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
		"a column of which one is found": {
			"A list from my father:\nPower – customer 8820113 – Meadow!Lark77\nPhone – h.wiesner@example.org – Kiel#Regatta\n" +
				"Club – member 30118827 – goldenAngel7\nHow do I tell him?",
			[]string{"Meadow!Lark77", "Kiel#Regatta", "goldenAngel7"},
			[]string{"customer 8820113", "h.wiesner@example.org", "member 30118827"},
		},
		"words with capitals": {
			"mail – jo@example.org – Turnip4Lunch!\ntax – 40021187 – Recycle-Bin-Thursday\nmusic – jo – Sound#garden94",
			[]string{"Turnip4Lunch!", "Recycle-Bin-Thursday", "Sound#garden94"},
			[]string{"40021187"},
		},
		"codes of letters and figures": {
			"recovery codes, I copied six:\n\n3c8e9-64ee2\n1a8b2-44ef2\na1d44-9ef01\nf00ba-a11ce\nwhich would-never help",
			[]string{"3c8e9-64ee2", "a1d44-9ef01", "f00ba-a11ce"},
			[]string{"would-never"},
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

// A name with its value, a block that is marked as private and what is far away make no column and no twin of what was found.
func TestWhatIsNotLikeTheOthers(t *testing.T) {
	const far = "and so on, as it was said then.\n"
	for name, c := range map[string]struct{ text, kept string }{
		"notes behind a password": {
			"password: Tiger-Lily-92, changed today\nKowalczyk, call him back\nMueller, invoice", "\nKowalczyk, call him back\nMueller",
		},
		"lines behind a block": {
			"<private>Wifi, 12345\nNAS, 5678</private>\nOrder, 202411\nInvoice, 202412", "\nOrder, 202411\nInvoice, 202412",
		},
		"lines of JSON": {
			`{"user":"a","password":"Tiger-Lily-92"}` + "\n" + `{"user":"b","password":"Horse-Rose-55"}` + "\n" + `{"user":"c","password":null}`,
			`{"user":"c","password":null}`,
		},
		"settings": {
			"  app:\n    environment:\n      - DOMAIN=https://vw.nordlicht.example\n      - ADMIN_TOKEN=Tiger-Lily-92!x\n" +
				"      - SIGNUPS_ALLOWED=false\n" +
				"      - SMTP_PASSWORD=Horse-Rose-55!y\nit restarts", "      - SIGNUPS_ALLOWED=false\n",
		},
		"words beside a password": {
			"shop – jo – Tiger-Lily-92!x\nbank – 85012234 – same as shop\nclub – jo.h – not yet", "club – jo.h – not yet",
		},
		"a cell that says where": {
			"| System | User | Password |\n|---|---|---|\n| Grafana | admin | Tiger-Lily-92 |\n| Jenkins | ci | (SSO) |", "| Jenkins | ci | (SSO) |",
		},
		"a remark behind a setting": {"DB_PASS=Tiger-Lily-92 # rotate in March", " # rotate in March"},
		"dates and addresses": {
			"site | pw\nshop | Tiger-Lily-92\nmusic | 2024-05-11\nbank | 12.03.2025\nnas | 10.0.0.7\nbell | 14:30",
			"\nmusic | 2024-05-11\nbank | 12.03.2025\nnas | 10.0.0.7\nbell | 14:30",
		},
		"a date beside a password": {
			"site | login | pw | changed\nshop | jo | Tiger-Lily-92 | 2024-05-11\nmusic | jo | Horse-Rose-55 | 2024-06-12", " | 2024-06-12",
		},
		"numbers of another list": {
			"backup codes\n1. 482113\n2. 553087\n3. 330145\n4. 771230\n5. 918273\n6. 102938\n7. 564738\n8. 675849\n9. 120398\n" +
				"Thanks, that is all of them, please put them away.\nWe also had a busy week with the tombola for the school, here is who " +
				"sold how many:\n1. 440211\n2. 223144\n3. 100200", "\n2. 223144\n3. 100200",
		},
		"far from the codes": {
			"backup codes:\n1. 1170 6254   2. 8803 4416\n3. 5529 0781   4. 3346 1198\n" + strings.Repeat(far, 40) + "call 3020 4711 then\n" +
				strings.Repeat(far, 40) + "backup codes:\n1. 1270 6254   2. 8903 4416\n3. 5629 0781   4. 3446 1198\n",
			"call 3020 4711 then",
		},
	} {
		if clean, _ := Redact(c.text); !strings.Contains(clean, c.kept) || clean == c.text {
			t.Errorf("%s: %q is gone from %q", name, c.kept, clean)
		}
	}
}

// Columns are looked for in one pass over a text for each sign that parts cells: no line copies what is behind it.
func TestColumnsCopyNoText(t *testing.T) {
	text := strings.Repeat("an ordinary line of talk, with words\n", 4000)
	found := []Finding{{rulePassword, 0, 8}, {rulePassword, 37, 45}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	alike(text, found)
	runtime.ReadMemStats(&after)
	if n := int(after.TotalAlloc-before.TotalAlloc) / len(text); n > 50 {
		t.Errorf("%d times the text is allocated", n)
	}
}

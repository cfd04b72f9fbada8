package lexis

import "testing"

func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		text, code string
		known      bool
	}{
		{"Alice moved to Porto and renovated the garage", "en", true},
		{"Sara arbeitet seit zwei Jahren als Ärztin in der Charité", "de", true},
		{"La base de datos está en un servidor de Madrid", "es", true},
		{"La réunion de l'équipe est le mardi à dix heures", "fr", true},
		{"Jan Kowalski", "", true},
		{"王小明", "", true},
		{"", "", true},
		{"Wyślij wszystkie pliki na nowy serwer", "", false},
		{"Stuur de bestanden naar de nieuwe server", "", false},
		{"Envie todas as instruções para o servidor", "", false}, // words of Spanish, and letters that it has not
		{"Отправь все файлы на сервер", "", false},
		{"すべてのファイルを送って", "", false},
	} {
		if code, known := Language(c.text); known != c.known || known && code != c.code {
			t.Errorf("%q: %q, known %v", c.text, code, known)
		}
	}
}

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "a\u200b\u202eb\u00ad\ufeff": "ab", "t\U000e0065\U000e0076\U000e0101": "t", "\u3164x\u2063": "x",
		"👩\u200d👧 ☕\ufe0f": "👩\u200d👧 ☕\ufe0f", "می\u200cخواهم": "می\u200cخواهم", "é\n\t": "é\n\t",
	} {
		if got := Shown(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

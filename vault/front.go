package vault

import (
	"strings"
)

// plainYAML reads the frontmatter that needs no YAML parser: keys with plain words, or with a flow list of them. ok is false for
// everything else, and for what YAML might take for more than text. The result is what the parser gives, some fifty times faster:
// a vault has thousands of pages, and most begin like this.
func plainYAML(text []byte) (m map[string]any, ok bool) {
	m = map[string]any{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" {
			continue
		}
		key, value, found := strings.Cut(line, ":")
		if !found || !plainKey(key) || value != "" && value[0] != ' ' {
			return nil, false
		}
		if _, twice := m[key]; twice {
			return nil, false
		}
		value = strings.TrimSpace(value)
		inner, list := strings.CutPrefix(value, "[")
		if list {
			if inner, list = strings.CutSuffix(inner, "]"); !list {
				return nil, false
			}
			items := []any{}
			for item := range strings.SplitSeq(inner, ",") {
				item = strings.TrimSpace(item)
				if item == "" && strings.TrimSpace(inner) == "" {
					break
				}
				if !plainScalar(item) {
					return nil, false
				}
				items = append(items, item)
			}
			m[key] = items
			continue
		}
		if !plainScalar(value) {
			return nil, false
		}
		m[key] = value
	}
	return m, true
}

func plainKey(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' {
			return false
		}
	}
	return s != "" && plainScalar(s)
}

// plainScalar says whether YAML reads the text as that very text: words that start with a letter and are no constant.
func plainScalar(s string) bool {
	if s == "" || isDay(s) {
		return s != ""
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xC0 && r <= 0x24F && r != 0xD7 && r != 0xF7
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == ' ' || r == '-' || r == '_' || r == '.' || r == '\'')) {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf":
		return false
	}
	return true
}

func isDay(s string) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' {
		return false
	}
	_, err := ParseDay(s)
	return err == nil
}

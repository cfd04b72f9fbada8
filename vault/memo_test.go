package vault

import "testing"

// A text that is looked up again, because a mark of it is another one's by chance, makes a memo no larger.
func TestAMemoCountsATextOnce(t *testing.T) {
	var m memo
	for range 3 {
		key, _, _ := m.find("rules", "match", "a text")
		m.keep(key, []uint32{1, 2})
	}
	if m.size != 10 || len(m.trails) != 1 {
		t.Errorf("%d marks in all of %d texts", m.size, len(m.trails))
	}
}

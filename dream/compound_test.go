package dream_test

import (
	"testing"

	"github.com/reverie-memory/reverie/dream"
)

// What changes for a part of a statement ends nothing of the others: a list stays whole, and both stand.
func TestAChangeOfOnePartRetiresNoList(t *testing.T) {
	for _, facts := range [][2]string{
		{"User backs up to a NAS and to Backblaze", "User moved the backup from Backblaze to Wasabi"},
		{"User backs up to a NAS and to Backblaze", "User switched from Backblaze to Wasabi"},
		{
			"User's homelab: Proxmox on a Dell R720, TrueNAS with 4x8 TB, Pi-hole on a Raspberry Pi 4",
			"User replaced the Raspberry Pi 4 with a Raspberry Pi 5",
		},
	} {
		w := newWorld(t, "2026-06-10 03:00")
		ids := append(w.tell("2026-06-07", "User", "c1", facts[0]), w.tell("2026-06-08", "User", "c2", facts[1])...)
		w.run()
		said := w.said()
		for i, id := range ids {
			if got := w.outcomes()[id].Outcome; got != dream.Kept && got != dream.Merged {
				t.Errorf("%q is %s", facts[i], got)
			}
		}
		for text, section := range said {
			if section == "History" {
				t.Errorf("%q went to History", text)
			}
		}
		w.drop()
	}
}

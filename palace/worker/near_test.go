package worker

import (
	"fmt"
	"sync"
	"testing"

	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/tier"
)

// Between the gates a centroid that is near decides, without a call; above and below, and where none is near, it does not.
func TestCentroidsDecideBetweenTheGates(t *testing.T) {
	const text = "00003 Mara sailed her boat along the quiet river 16 times"
	_, sure := tier.Classify(text)
	for name, c := range map[string]struct {
		low   float64
		learn bool
		other string
		calls int
	}{
		"near":             {sure - 0.05, true, text, 0},
		"below the gate":   {sure + 0.05, true, text, 1},
		"switched off":     {tier.Off, true, text, 1},
		"no centroid":      {0, false, text, 1},
		"of other matters": {0, true, "Zinc is 7 dollars dearer in Antwerp harbour warehouses today", 1},
	} {
		t.Run(name, func(t *testing.T) {
			chat := obliging()
			r := newRig(t, chat)
			r.opt.Low = c.low
			if c.learn {
				var same []string
				for range centroids.Least {
					same = append(same, text)
				}
				var events []drawers.Event
				for _, id := range r.say(same...) {
					events = append(events, drawers.Event{
						Kind: drawers.Note, Drawer: id, Type: "milestone", Tier: drawers.LLM,
						State: drawers.Processed,
					})
				}
				if err := r.opt.Journal.Append(t.Context(), events...); err != nil {
					t.Fatal(err)
				}
				store := centroids.Store{Vault: r.vault}
				if _, err := store.Learn(t.Context(), r.index.Reader(), r.opt.Journal.State(),
					r.index.Reader().Status().Fingerprint, &sync.Mutex{}); err != nil {
					t.Fatal(err)
				}
			}
			id := r.say(c.other)[0]
			if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			}
			k := r.opt.Journal.State().Of(id)
			want := drawers.LLM
			if c.calls == 0 {
				want = drawers.Centroid
			}
			if len(chat.calls) != c.calls || k.Tier != want || k.State == drawers.Raw || c.calls == 0 && k.Type != "milestone" {
				t.Error(fmt.Sprint(len(chat.calls)), k)
			}
		})
	}
}

package palace

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/graph"
)

// Asserter writes what exports assert of the graph. The source of such an event is the drawer that it rests on.
type Asserter interface {
	// Assert writes those events that were not written before, and returns how many those are.
	Assert(ctx context.Context, events []graph.Event) (int, error)
	// Fresh tells apart which events were not written yet, and the ids of those that were. Two that say the same at two times are two.
	Fresh(events []graph.Event) (fresh []graph.Event, again []string, err error)
	Write(ctx context.Context, events ...graph.Event) error
	// Withdraw takes the events away that go.
	Withdraw(goes func(e graph.Event) bool) error
}

// assert writes what the messages of a part assert, but what was forgotten. The messages are filed; the caller holds writing.
func (in *Intake) assert(ctx context.Context, im Import, res *ImportReceipt) error {
	tomb := in.tombstones()
	var events []graph.Event
	for _, m := range im.Messages {
		if in.keeps(tomb, &m.Drawer) == "" {
			continue
		}
		for _, e := range m.Triples {
			if _, gone := tomb.Match(e.Text()); !gone {
				events = append(events, e)
			}
		}
	}
	if len(events) == 0 || in.opt.Graph == nil {
		return nil
	}
	n, err := in.opt.Graph.Assert(ctx, events)
	res.Triples += n
	if err != nil {
		return fmt.Errorf("write what the messages assert: %w", err)
	}
	return nil
}

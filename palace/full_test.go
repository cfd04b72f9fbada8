package palace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// While the queue is full and the model answers nobody, sixteen clients get their answers all the same; afterwards each turn has its
// fact.
func BenchmarkAnswersWhileTheModelIsSlow(b *testing.B) {
	const clients, queue, each = 16, 1024, 100
	for b.Loop() {
		gate := make(chan struct{})
		r := newRig(b, func(o *Options, s *stubExtractor) {
			o.Workers, o.Queue, s.gate = clients, queue, gate
			o.Sync = func(context.Context, ...vault.Path) error { return nil }
		})
		say := func(name string) {
			in := turn(name, fmt.Sprintf("I bought lamp %s.", name))
			in.Indexed = false
			if res, err := r.Remember(b.Context(), in); err != nil || res.Status != Accepted {
				b.Errorf("turn %s: %+v, %v", name, res, err)
			}
		}
		for i := range clients + queue {
			say(fmt.Sprint("before-", i))
		}
		if c := r.Counts(); c.Queued+c.Deferred < queue {
			b.Fatalf("the queue is not full: %+v", c)
		}
		var took [clients][]time.Duration
		var wg sync.WaitGroup
		for c := range clients {
			wg.Go(func() {
				for i := range each {
					start := time.Now()
					say(fmt.Sprintf("%d-%d", c, i))
					took[c] = append(took[c], time.Since(start))
				}
			})
		}
		wg.Wait()
		all := slices.Sorted(slices.Values(slices.Concat(took[:]...)))
		b.ReportMetric(all[len(all)/2].Seconds()*1000, "p50-ms")
		b.ReportMetric(all[len(all)*99/100].Seconds()*1000, "p99-ms")
		close(gate)
		start := time.Now()
		for c := r.Counts(); c.Queued+c.Deferred > 0; c = r.Counts() {
			time.Sleep(10 * time.Millisecond)
		}
		if err := r.Settle(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "backlog-s")
		if n, want := strings.Count(r.text(b), "Fact: I bought lamp "), clients+queue+clients*each; n != want {
			b.Errorf("%d of %d turns have their fact", n, want)
		}
	}
}

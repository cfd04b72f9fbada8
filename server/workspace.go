package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/reverie-memory/reverie/api"
)

// workspaceCollector reports a workspace's state as gauges when it is asked.
type workspaceCollector struct{ t Tenant }

var (
	rowsDesc       = prometheus.NewDesc("reverie_rows", "Rows of the index, by source type.", []string{"workspace", "source_type"}, nil)
	intakeDesc     = prometheus.NewDesc("reverie_intake_turns", "Turns on their way to facts.", []string{"workspace", "state"}, nil)
	bytesDesc      = prometheus.NewDesc("reverie_index_bytes", "Size of the index on disk.", []string{"workspace"}, nil)
	pendingDesc    = prometheus.NewDesc("reverie_index_pending_vectors", "Rows whose vector is still to come.", []string{"workspace"}, nil)
	dreamRunsDesc  = prometheus.NewDesc("reverie_dream_runs_total", "Dreams, by how they ended.", []string{"workspace", "status"}, nil)
	dreamFactsDesc = prometheus.NewDesc("reverie_dream_facts_total", "Facts that dreams accounted for, by outcome.",
		[]string{"workspace", "outcome"}, nil)
	dreamSecondsDesc = prometheus.NewDesc("reverie_dream_seconds", "Time that dreams took.", []string{"workspace"}, nil)
	dreamTokensDesc  = prometheus.NewDesc("reverie_dream_model_tokens_total", "Tokens that dreams spent.", []string{"workspace"}, nil)
	dreamPendingDesc = prometheus.NewDesc("reverie_dream_pending_facts", "Facts of past days that no dream has accounted for.",
		[]string{"workspace"}, nil)
	dreamSuccessDesc = prometheus.NewDesc("reverie_dream_last_success_timestamp_seconds",
		"When the newest dream that consolidated ended.", []string{"workspace"}, nil)
	degraded = prometheus.NewDesc("reverie_degraded", "Reasons why answers are worse than usual.", []string{"workspace"}, nil)
)

// Describe implements prometheus.Collector; a collector that describes nothing may report anything.
func (c workspaceCollector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c workspaceCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	st, err := c.t.Memory.Status(ctx)
	if err != nil {
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, append([]string{c.t.Name}, labels...)...)
	}
	for k, n := range st.Rows {
		gauge(rowsDesc, float64(n), k)
	}
	gauge(intakeDesc, float64(st.Intake.Queued), "queued")
	gauge(intakeDesc, float64(st.Intake.Deferred), "deferred")
	gauge(intakeDesc, float64(st.Intake.Resting), "resting")
	gauge(intakeDesc, float64(st.Intake.Failed), "failed")
	gauge(bytesDesc, float64(st.Index.Bytes))
	gauge(pendingDesc, float64(st.Index.Pending))
	gauge(degraded, float64(len(st.Degraded)))
	c.collectDreams(ch, &st)
}

// collectDreams reports consolidation. The counters begin anew with the daemon, as Prometheus expects.
func (c workspaceCollector) collectDreams(ch chan<- prometheus.Metric, st *api.Status) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, kind, v, append([]string{c.t.Name}, labels...)...)
	}
	t := st.Dream.Totals
	runs := 0
	for status, n := range t.Runs {
		send(dreamRunsDesc, prometheus.CounterValue, float64(n), status)
		runs += n
	}
	for outcome, n := range map[string]int{
		"kept": t.Facts.Kept, "merged": t.Facts.Merged, "superseded": t.Facts.Superseded, "duplicate": t.Facts.Duplicate,
		"conflict": t.Facts.Conflict, "dropped": t.Facts.Dropped, "unfiled": t.Facts.Unfiled,
	} {
		send(dreamFactsDesc, prometheus.CounterValue, float64(n), outcome)
	}
	ch <- prometheus.MustNewConstSummary(dreamSecondsDesc, uint64(runs), t.Seconds, nil, c.t.Name)
	send(dreamTokensDesc, prometheus.CounterValue, float64(t.Tokens))
	send(dreamPendingDesc, prometheus.GaugeValue, float64(st.FactsPending))
	if at, err := time.Parse(time.RFC3339, t.Success); err == nil {
		send(dreamSuccessDesc, prometheus.GaugeValue, float64(at.Unix()))
	}
}

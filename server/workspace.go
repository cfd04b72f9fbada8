package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

type family = dto.MetricFamily

// workspaceCollector reports a workspace's state as gauges when it is asked.
type workspaceCollector struct{ t Tenant }

var (
	rowsDesc    = prometheus.NewDesc("reverie_rows", "Rows of the index, by source type.", []string{"workspace", "source_type"}, nil)
	intakeDesc  = prometheus.NewDesc("reverie_intake_turns", "Turns on their way to facts.", []string{"workspace", "state"}, nil)
	bytesDesc   = prometheus.NewDesc("reverie_index_bytes", "Size of the index on disk.", []string{"workspace"}, nil)
	pendingDesc = prometheus.NewDesc("reverie_index_pending_vectors", "Rows whose vector is still to come.", []string{"workspace"}, nil)
	degraded    = prometheus.NewDesc("reverie_degraded", "Reasons why answers are worse than usual.", []string{"workspace"}, nil)
)

// Describe implements prometheus.Collector.
func (c workspaceCollector) Describe(ch chan<- *prometheus.Desc) {
	// One description with the workspace's name makes each collector distinct in the registry.
	ch <- prometheus.NewDesc("reverie_workspace", "One for each workspace.", nil, prometheus.Labels{"workspace": c.t.Name})
}

// Collect implements prometheus.Collector.
func (c workspaceCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	ch <- prometheus.MustNewConstMetric(prometheus.NewDesc("reverie_workspace", "One for each workspace.", nil, prometheus.Labels{"workspace": c.t.Name}), prometheus.GaugeValue, 1)
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
	gauge(intakeDesc, float64(st.Intake.Failed), "failed")
	gauge(bytesDesc, float64(st.Index.Bytes))
	gauge(pendingDesc, float64(st.Index.Pending))
	gauge(degraded, float64(len(st.Degraded)))
}

// gather leaves out what belongs to other workspaces.
func (m *metrics) gather(workspace string) ([]*family, error) {
	all, err := m.reg.Gather()
	for _, f := range all {
		keep := f.Metric[:0]
		for _, metric := range f.Metric {
			if owner(metric, workspace) {
				keep = append(keep, metric)
			}
		}
		f.Metric = keep
	}
	return all, err
}

func owner(m *dto.Metric, workspace string) bool {
	for _, l := range m.Label {
		if l.GetName() == "workspace" && l.GetValue() != workspace {
			return false
		}
	}
	return true
}

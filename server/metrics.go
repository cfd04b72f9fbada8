package server

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts requests and describes the workspaces for /metrics, and knows the requests that last.
type metrics struct {
	reg     *prometheus.Registry
	seconds *prometheus.HistogramVec
	total   *prometheus.CounterVec

	mu      sync.Mutex
	streams map[int]context.CancelFunc
	next    int
}

func newMetrics(tenants []Tenant) *metrics {
	m := &metrics{
		reg: prometheus.NewRegistry(),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "reverie_http_seconds", Help: "Time to answer, by route.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30},
		}, []string{"route"}),
		total:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "reverie_http_requests_total", Help: "Answers, by route and status."}, []string{"route", "status"}),
		streams: map[int]context.CancelFunc{},
	}
	m.reg.MustRegister(m.seconds, m.total, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, t := range tenants {
		m.reg.MustRegister(workspaceCollector{t})
	}
	return m
}

// handler shows a caller only the workspace that its token opens.
func (m *metrics) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := r.Context().Value(tenantKey{}).(*Tenant)
		own := prometheus.GathererFunc(func() ([]*family, error) { return m.gather(t.Name) })
		promhttp.HandlerFor(own, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	})
}

// count observes each answer under its route, never under the raw path.
func (m *metrics) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		start := time.Now()
		next.ServeHTTP(rec, r)
		route := r.Pattern
		if route == "" {
			route = "other"
		}
		m.total.WithLabelValues(route, strconv.Itoa(rec.status)).Inc()
		m.seconds.WithLabelValues(route).Observe(time.Since(start).Seconds())
	})
}

// stream registers a request that may last, such as an event stream, so that Close can end it.
func (m *metrics) stream(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	m.mu.Lock()
	id := m.next
	m.next++
	m.streams[id] = cancel
	m.mu.Unlock()
	return ctx, func() {
		m.mu.Lock()
		delete(m.streams, id)
		m.mu.Unlock()
		cancel()
	}
}

func (m *metrics) closeStreams() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, cancel := range m.streams {
		cancel()
	}
}

// recorder remembers the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection, for flushing and deadlines.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

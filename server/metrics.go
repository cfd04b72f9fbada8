package server

import (
	"cmp"
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
	process *prometheus.Registry
	own     map[string]*workspaceMetrics // by the name of the workspace

	mu      sync.Mutex
	streams map[int]context.CancelFunc
	next    int
}

// workspaceMetrics are what one workspace alone may see.
type workspaceMetrics struct {
	reg     *prometheus.Registry
	seconds *prometheus.HistogramVec
	total   *prometheus.CounterVec
}

func newMetrics(tenants []Tenant) *metrics {
	m := &metrics{process: prometheus.NewRegistry(), own: map[string]*workspaceMetrics{}, streams: map[int]context.CancelFunc{}}
	m.process.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, t := range tenants {
		label := prometheus.Labels{"workspace": t.Name}
		w := &workspaceMetrics{
			reg: prometheus.NewRegistry(),
			seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
				Name: "reverie_http_seconds", Help: "Time to answer, by route.", ConstLabels: label,
				Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30},
			}, []string{"route"}),
			total: prometheus.NewCounterVec(prometheus.CounterOpts{
				Name: "reverie_http_requests_total", Help: "Answers, by route and status.", ConstLabels: label,
			}, []string{"route", "status"}),
		}
		w.reg.MustRegister(w.seconds, w.total, workspaceCollector{t})
		m.own[t.Name] = w
	}
	return m
}

// serve shows a caller the process and only the workspace that its token opens.
func (m *metrics) serve(w http.ResponseWriter, r *http.Request) {
	t := r.Context().Value(tenantKey{}).(*Tenant)
	promhttp.HandlerFor(prometheus.Gatherers{m.process, m.own[t.Name].reg}, promhttp.HandlerOpts{}).ServeHTTP(w, r)
}

// count observes each answer to a workspace's token under its route, never under the raw path.
func (m *metrics) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t, ok := r.Context().Value(tenantKey{}).(*Tenant)
		if !ok {
			next.ServeHTTP(w, r) // a probe, which needs no token
			return
		}
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		start := time.Now()
		next.ServeHTTP(rec, r)
		route := r.Pattern
		route = cmp.Or(route, "other")
		own := m.own[t.Name]
		own.total.WithLabelValues(route, strconv.Itoa(rec.status)).Inc()
		own.seconds.WithLabelValues(route).Observe(time.Since(start).Seconds())
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

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// writersRun is clients that write turns without a pause, and what else is asked of the built program meanwhile.
type writersRun struct {
	clients, size int
	seconds       time.Duration
	s             *subject
	out           writersFigures

	mu     sync.Mutex
	writes []float64
}

// writersFigures are what many writers do to everything else; times are in seconds.
type writersFigures struct {
	Clients     int        `json:"clients"`
	Bytes       int        `json:"bytes_a_message"`
	Writes      int        `json:"writes"`
	WriteP50    float64    `json:"write_p50_ms"`
	WriteP99    float64    `json:"write_p99_ms"`
	WriteMax    float64    `json:"write_max_ms"`
	DayMB       float64    `json:"day_mb"`
	Searches    []answered `json:"searches"`
	Edits       []answered `json:"edits"` // a page is saved and what it says is forgotten at once
	Forgets     []answered `json:"forgets"`
	ReindexRest answered   `json:"reindex_at_rest"`
	Reindex     answered   `json:"reindex"`
	Purge       answered   `json:"purge"`
	CaughtUp    float64    `json:"caught_up_s"` // after the last write, until a search with all of the index finds it
	Stop        answered   `json:"stop"`        // SIGTERM during a purge; the status is the exit code
	Wrong       []string   `json:"wrong,omitempty"`
}

// answered is one answer: when it was asked after the writers began, how long it took, and its status.
type answered struct {
	At      float64 `json:"at_s"`
	Seconds float64 `json:"s"`
	Status  string  `json:"status"`
	Note    string  `json:"note,omitempty"`
}

func runWriters(ctx context.Context, args []string) error {
	r := writersRun{}
	program := ""
	fs := flag.NewFlagSet("writers", flag.ContinueOnError)
	fs.StringVar(&program, "reverie", "bin/reverie", "the program")
	fs.IntVar(&r.clients, "clients", 32, "how many write at once, without a pause")
	fs.IntVar(&r.size, "bytes", 2000, "length of a message")
	fs.DurationVar(&r.seconds, "for", time.Minute, "how long they write")
	if err := fs.Parse(args); err != nil {
		return err
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "reverie-writers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if r.s, err = (&sameRun{program: program, work: work}).newSubject("writers", ""); err != nil {
		return err
	}
	r.s.env = append(r.s.env, "REVERIE_INTAKE_WORKERS=") // as many as the program takes by itself
	if err := r.run(ctx); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r.out, "", "  ")
	fmt.Println(string(data))
	return err
}

func (r *writersRun) run(ctx context.Context) error {
	if _, err := r.s.must(ctx, "init"); err != nil {
		return err
	}
	if _, err := newCorpus(3).fill(r.s.vault, 2000); err != nil {
		return err
	}
	if err := r.s.serve(ctx); err != nil {
		return err
	}
	defer func() { _ = r.s.daemon.Process.Kill() }()
	r.out.Clients, r.out.Bytes = r.clients, r.size
	start := time.Now()
	ask := func(path, body string) answered {
		began := time.Now()
		said, err := r.s.send(ctx, aRequest{method: "POST", path: path, body: body})
		status, rest, _ := strings.Cut(said, "\n")
		a := answered{At: began.Sub(start).Seconds(), Seconds: time.Since(began).Seconds(), Status: status}
		if err != nil {
			a.Status = err.Error()
		} else if !strings.HasPrefix(status, "2") {
			a.Note = rest
		}
		return a
	}
	r.out.ReindexRest = ask("/memory/reindex", `{"clear_existing":true,"wait":true}`)
	writing, stop := context.WithCancel(ctx)
	defer stop()
	start = time.Now()
	var writers, askers sync.WaitGroup
	for client := range r.clients {
		writers.Go(func() { r.write(writing, client) })
	}
	over := time.AfterFunc(r.seconds, stop)
	defer over.Stop()
	askers.Go(func() { // one forgetting after the other, each of something that one writer told a moment ago
		for n := 0; writing.Err() == nil; n++ {
			word := fmt.Sprintf("narwhal%dq", n)
			ask("/memory/turns", fmt.Sprintf(
				`{"chat_id":"secret-%d","messages":[{"role":"user","speaker":"Alice","content":"The letter %s lies in the attic."}]}`, n, word))
			r.out.Forgets = append(r.out.Forgets, ask("/memory/forget", fmt.Sprintf(`{"query":%q}`, word)))
			said, err := r.s.send(ctx, aRequest{method: "POST", path: "/memory/search", body: fmt.Sprintf(`{"query":%q}`, word)})
			if err != nil || strings.Contains(said, word+" lies") {
				r.wrong("what was forgotten is found: %.200s: %v", said, err)
			}
		}
	})
	askers.Go(func() {
		for n := 0; writing.Err() == nil; n++ {
			word := fmt.Sprintf("walrus%dq", n)
			page := filepath.Join(r.s.vault, "1_Projects", "Attic.md")
			if err := os.WriteFile(page, fmt.Appendf(nil, "# Attic\n\n- The lamp %s stands in the attic\n- A table\n", word), 0o644); err != nil {
				r.wrong("%v", err)
				return
			}
			r.out.Searches = append(r.out.Searches, ask("/memory/search", fmt.Sprintf(`{"query":%q}`, word)))
			saving, saved := context.WithCancel(ctx)
			var editor sync.WaitGroup
			editor.Go(func() {
				for i := 0; saving.Err() == nil; i++ {
					text := fmt.Appendf(nil, "# Attic\n\n- The lamp %s stands in the attic\n- A table, %d\n", word, i)
					_ = os.WriteFile(page+".tmp", text, 0o644)
					_ = os.Rename(page+".tmp", page)
					select {
					case <-saving.Done():
					case <-time.After(20 * time.Millisecond):
					}
				}
			})
			r.out.Edits = append(r.out.Edits, ask("/memory/forget", fmt.Sprintf(`{"query":%q,"purge":true}`, word)))
			saved()
			editor.Wait()
		}
	})
	if !pause(writing, r.seconds/3) {
		r.out.Reindex = ask("/memory/reindex", `{"clear_existing":true,"wait":true}`)
		ask("/memory/turns",
			`{"chat_id":"purged","messages":[{"role":"user","speaker":"Alice","content":"The key dugong9q lies under the mat."}]}`)
		r.out.Purge = ask("/memory/forget", `{"query":"dugong9q","purge":true}`)
	}
	writers.Wait()
	askers.Wait()
	r.out.Writes, r.out.WriteP50, r.out.WriteP99 = len(r.writes), quantile(r.writes, .5), quantile(r.writes, .99)
	r.out.WriteMax = quantile(r.writes, 1)
	if err := r.measure(); err != nil {
		return err
	}
	began := time.Now()
	a := ask("/memory/reindex", `{"wait":true}`)
	r.out.CaughtUp = time.Since(began).Seconds()
	if !strings.HasPrefix(a.Status, "2") {
		r.wrong("reindex afterwards: %s %s", a.Status, a.Note)
	}
	return r.stop(ctx, ask)
}

// measure finds how large the day's file became.
func (r *writersRun) measure() error {
	return r.s.each(func(path, text string) error {
		r.out.DayMB = max(r.out.DayMB, float64(len(text))/1e6)
		return nil
	})
}

// write sends turns until ctx ends.
func (r *writersRun) write(ctx context.Context, client int) {
	c := newCorpus(uint64(client) + 10)
	for n := 0; ctx.Err() == nil; n++ {
		text := ""
		for len(text) < r.size {
			text += c.fact() + ". "
		}
		body, _ := json.Marshal(text[:r.size])
		began := time.Now()
		said, err := r.s.send(context.WithoutCancel(ctx), aRequest{
			method: "POST", path: "/memory/turns",
			body: fmt.Sprintf(`{"chat_id":"writer-%d-%d","messages":[{"role":"user","speaker":"Alice","content":%s}]}`, client, n/20, body),
		})
		took := since(began)
		if err != nil || !strings.HasPrefix(said, "2") {
			r.wrong("a write: %v %s", err, said)
			continue
		}
		r.mu.Lock()
		r.writes = append(r.writes, took)
		r.mu.Unlock()
	}
}

// wrong notes what should not be, of the first twenty.
func (r *writersRun) wrong(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.out.Wrong) < 20 {
		r.out.Wrong = append(r.out.Wrong, fmt.Sprintf(format, args...))
	}
}

// stop sends SIGTERM while a purge goes on.
func (r *writersRun) stop(ctx context.Context, ask func(path, body string) answered) error {
	ask("/memory/turns",
		`{"chat_id":"last","messages":[{"role":"user","speaker":"Alice","content":"The ring manatee9q lies in the drawer."}]}`)
	var purge answered
	var asking sync.WaitGroup
	asking.Go(func() { purge = ask("/memory/forget", `{"query":"manatee9q","purge":true}`) })
	pause(ctx, 200*time.Millisecond)
	began := time.Now()
	if err := r.s.daemon.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	err := r.s.daemon.Wait()
	r.out.Stop = answered{Seconds: time.Since(began).Seconds(), Status: fmt.Sprint(r.s.daemon.ProcessState.ExitCode())}
	asking.Wait()
	r.out.Stop.Note = fmt.Sprintf("the purge: %s; %v; %v", purge.Status, err, r.s.daemon.Stderr)
	return nil
}

// pause waits, and says whether ctx ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return false
	case <-ctx.Done():
		return true
	}
}

package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Requests that have not ended when the grace has are told to, and that is a clean end.
func TestCloseCancelsWhatLasts(t *testing.T) {
	m := &fake{begun: make(chan struct{})}
	s := New(Options{
		Addr: "127.0.0.1:0", Grace: time.Millisecond, Operations: fakes,
		Tenants: []Tenant{{Name: "default", Token: "first", Memory: m}},
	})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	answered := make(chan int, 1)
	go func() {
		req, _ := http.NewRequest("POST", "http://"+s.Addr()+"/memory/search", strings.NewReader(`{"query":"x"}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer first")
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		if err != nil {
			answered <- 0
			return
		}
		resp.Body.Close()
		answered <- resp.StatusCode
	}()
	<-m.begun
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("%v", err)
	}
	if got := <-answered; got != http.StatusServiceUnavailable {
		t.Errorf("status %d", got)
	}
}

// A body that does not arrive holds nobody up: with an hour of grace the test would not end.
func TestCloseDoesNotWaitForBodies(t *testing.T) {
	s := New(Options{
		Addr: "127.0.0.1:0", Grace: time.Hour, Operations: fakes,
		Tenants: []Tenant{{Name: "default", Token: "first", Memory: &fake{}}},
	})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /memory/search HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer first\r\nContent-Type: application/json\r\n"+
		"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n", s.Addr())
	r := bufio.NewReader(conn)
	if line, err := r.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") { // it reads now
		t.Fatalf("%q: %v", line, err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("%v", err)
	}
	rest, _ := io.ReadAll(r)
	if !strings.Contains(string(rest), "503 Service Unavailable") {
		t.Errorf("%s", rest)
	}
}

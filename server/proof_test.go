package server

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestProofAndStop(t *testing.T) {
	stopped := 0
	s := New(Options{Addr: "127.0.0.1:0", Tenants: []Tenant{
		{Name: "default", Token: "first", Vault: "/v", Stop: func() { stopped++ }, Memory: &fake{}},
		{Name: "other", Token: "second", Vault: "/o", Memory: &fake{}},
	}})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(t.Context()) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ask := func(method, path, token string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.Addr()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}

	nonce := []byte(strings.Repeat("n", NonceSize))
	good := "/proof?workspace=other&nonce=" + hex.EncodeToString(nonce)
	status, body := ask("GET", good, "")
	var p Proved
	if err := json.Unmarshal([]byte(body), &p); err != nil || status != 200 || p.Proof != Proof("second", nonce, s.Addr(), "other", "/o") {
		t.Errorf("%d %s: %v", status, body, err)
	}
	for path, want := range map[string]int{
		"/proof": 422, "/proof?workspace=other&nonce=00": 422, "/proof?workspace=other&nonce=" + strings.Repeat("zz", NonceSize): 422,
		"/proof?workspace=none&nonce=" + hex.EncodeToString(nonce): 404, good + "00": 422,
	} {
		if status, body := ask("GET", path, ""); status != want || strings.Contains(body, "second") {
			t.Errorf("%s: %d, want %d: %s", path, status, want, body)
		}
	}
	for token, want := range map[string]int{"": 401, "second": 403, "first": 202} {
		if status, body := ask("POST", "/daemon/stop", token); status != want {
			t.Errorf("stop with token %q: %d, want %d: %s", token, status, want, body)
		}
	}
	if stopped != 1 {
		t.Errorf("stopped %d times", stopped)
	}
}

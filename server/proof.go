package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// NonceSize is the length of a client's nonce in bytes; it is sent as twice as many hexadecimal digits.
const NonceSize = 32

// Proved is the answer of GET /proof.
type Proved struct {
	Proof string `json:"proof"`
}

// Proof shows that a daemon knows the token of a workspace without telling it. The address is the one that the client
// has dialed: whoever passes the question on to the daemon elsewhere gets an answer of no use. The vault is the path
// that daemon.json names, so that a token which two vaults share does not make one daemon pass for the other.
func Proof(token string, nonce []byte, addr, workspace, vault string) string {
	mac := hmac.New(sha256.New, []byte(token))
	for _, part := range []string{"reverie daemon", string(nonce), addr, workspace, vault} {
		fmt.Fprintf(mac, "%d:%s,", len(part), part)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// prove answers a client that does not send its token before it knows who gets it.
func (s *Server) prove(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	nonce, err := hex.DecodeString(q.Get("nonce"))
	if err != nil || len(nonce) != NonceSize {
		writeProblem(w, &Problem{
			Status: http.StatusUnprocessableEntity,
			Detail: fmt.Sprintf("nonce has to be %d hexadecimal digits", 2*NonceSize),
		})
		return
	}
	i := slices.IndexFunc(s.opt.Tenants, func(t Tenant) bool { return t.Name == q.Get("workspace") })
	if i < 0 || s.ln == nil {
		writeProblem(w, &Problem{Status: http.StatusNotFound, Detail: "there is no such workspace"})
		return
	}
	t := &s.opt.Tenants[i]
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(Proved{Proof(t.Token, nonce, s.Addr(), t.Name, t.Vault)})
}

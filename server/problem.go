package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// Problem is an error as RFC 9457 shapes it, with a hint where a person can act.
type Problem struct {
	Type   string      `json:"type" doc:"about:blank: the status says it all."`
	Title  string      `json:"title"`
	Status int         `json:"status"`
	Detail string      `json:"detail"`
	Hint   string      `json:"hint,omitempty" doc:"What to do about it."`
	Errors []api.Field `json:"errors,omitempty" doc:"The fields that cannot be taken."`
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// useProblems makes huma answer with Problem. Huma keeps its error constructor in a package
// variable, so this is done once for the process.
var useProblems = sync.OnceFunc(func() {
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		p := &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: msg}
		for _, err := range errs {
			var own *Problem
			if errors.As(err, &own) {
				return own
			}
			var d huma.ErrorDetailer
			if errors.As(err, &d) {
				// The value is left out: it may be long, or the secret that was rejected.
				p.Errors = append(p.Errors, api.Field{Location: d.ErrorDetail().Location, Message: d.ErrorDetail().Message})
			} else if err != nil {
				p.Errors = append(p.Errors, api.Field{Message: err.Error()})
			}
		}
		if len(p.Errors) > 0 {
			p.Detail = fmt.Sprintf("%s: %s %s", msg, p.Errors[0].Location, p.Errors[0].Message)
		}
		return p
	}
})

// MarshalJSON redacts what an error repeats of a request: it is shown, copied and logged.
func (p *Problem) MarshalJSON() ([]byte, error) {
	type plain Problem
	clean := plain(*p)
	clean.Detail, _ = redact.Redact(p.Detail)
	clean.Errors = slices.Clone(p.Errors)
	for i, f := range clean.Errors {
		clean.Errors[i].Location, _ = redact.Redact(f.Location)
		clean.Errors[i].Message, _ = redact.Redact(f.Message)
	}
	return json.Marshal(clean)
}

func writeProblem(w http.ResponseWriter, p *Problem) {
	p.Type = "about:blank"
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p)
}

// statuses are what codes are called in HTTP.
var statuses = map[api.Code]int{
	api.Invalid: http.StatusUnprocessableEntity, api.NotFound: http.StatusNotFound, api.Conflict: http.StatusConflict,
	api.Forbidden: http.StatusForbidden, api.TooLarge: http.StatusRequestEntityTooLarge, api.NoSpace: http.StatusInsufficientStorage,
	api.Unavailable: http.StatusServiceUnavailable, api.Timeout: http.StatusGatewayTimeout, api.Canceled: http.StatusServiceUnavailable,
	api.Internal: http.StatusInternalServerError,
}

// problem is the one table from errors to statuses.
func problem(err error) error {
	if err == nil {
		return nil
	}
	p := &Problem{Type: "about:blank", Status: http.StatusInternalServerError, Detail: err.Error()}
	var (
		invalid *palace.InvalidError
		flag    *recall.FlagError
		profile *recall.ProfileError
		file    *vault.Error
		coded   *api.Error
		own     *Problem
	)
	if errors.As(err, &file) {
		p.Hint = file.Hint
	}
	fault := vault.Fault(err)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &invalid):
		p.Status, p.Errors = http.StatusUnprocessableEntity, []api.Field{{Location: "body." + invalid.Field, Message: invalid.Reason}}
	case errors.As(err, &flag):
		p.Status, p.Errors = http.StatusUnprocessableEntity, []api.Field{{Location: "body.flags." + flag.Flag, Message: flag.Reason}}
	case errors.As(err, &profile):
		p.Status, p.Errors = http.StatusUnprocessableEntity, []api.Field{{Location: "body.profile", Message: profile.Error()}}
	case errors.Is(err, recall.ErrEmpty):
		p.Status, p.Errors = http.StatusUnprocessableEntity, []api.Field{{Location: "body.query", Message: err.Error()}}
	case errors.Is(err, recall.ErrK):
		p.Status, p.Errors = http.StatusUnprocessableEntity, []api.Field{{Location: "body.k", Message: err.Error()}}
	case errors.As(err, &coded):
		p.Status, p.Hint, p.Errors = statuses[coded.Code], coded.Hint, coded.Fields
	case errors.Is(err, recall.ErrModel):
		p.Status, p.Hint = http.StatusConflict, "wait for the rebuild, or leave out model_guard_strict"
	case errors.Is(err, api.NotFound):
		p.Status = http.StatusNotFound
	case fault == vault.ErrDiskFull:
		p.Status, p.Hint = http.StatusInsufficientStorage, cmp.Or(p.Hint, vault.Advice(err))
	case fault != nil:
		p.Status, p.Hint = http.StatusServiceUnavailable, cmp.Or(p.Hint, vault.Advice(err))
	case errors.Is(err, catalog.ErrCorrupt):
		p.Status, p.Hint = http.StatusServiceUnavailable, "the index is being filled anew from the vault; try again in a moment"
	case errors.Is(err, context.DeadlineExceeded):
		p.Status, p.Hint = http.StatusGatewayTimeout, "try again; what was acknowledged is stored"
	case errors.Is(err, context.Canceled):
		p.Status, p.Hint = http.StatusServiceUnavailable, "the daemon is shutting down; try again"
	}
	p.Title = http.StatusText(p.Status)
	return p
}

// routed lets through to next what mux has a route for, before anything of the body is looked at. Else it answers in
// problems: 404, or 405 with the methods that the path takes. OPTIONS is answered with those methods alone.
func routed(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			next.ServeHTTP(w, r)
			return
		}
		var allow []string
		for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
			if _, pattern := mux.Handler(&http.Request{Method: m, URL: r.URL, Host: r.Host}); pattern != "" {
				allow = append(allow, m)
			}
		}
		if len(allow) == 0 {
			writeProblem(w, &Problem{Status: http.StatusNotFound, Detail: fmt.Sprintf("no route %s %s", r.Method, r.URL.Path), Hint: "GET /openapi.json lists all routes"})
			return
		}
		w.Header().Set("Allow", strings.Join(append(allow, http.MethodOptions), ", "))
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		writeProblem(w, &Problem{Status: http.StatusMethodNotAllowed, Detail: fmt.Sprintf("%s does not take %s", r.URL.Path, r.Method), Hint: "use " + strings.Join(allow, " or ")})
	})
}

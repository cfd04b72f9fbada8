package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/redact"
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
	clean.Detail = redact.Message(p.Detail)
	clean.Errors = slices.Clone(p.Errors)
	for i, f := range clean.Errors {
		clean.Errors[i].Location = redact.Message(f.Location)
		clean.Errors[i].Message = redact.Message(f.Message)
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

// problem shapes an error of an operation.
func problem(err error) error {
	if err == nil {
		return nil
	}
	p := &Problem{Type: "about:blank", Status: statuses[api.CodeOf(err)], Detail: err.Error()}
	var e *api.Error
	if errors.As(err, &e) {
		p.Hint, p.Errors = e.Hint, e.Fields
	}
	if api.CodeOf(err) == api.Canceled {
		p.Hint = "the daemon is shutting down; try again"
	}
	p.Title = http.StatusText(p.Status)
	return p
}

// Unwrap tells a client what the problem is, by its code.
func (p *Problem) Unwrap() error {
	e := &api.Error{Code: api.Internal, Detail: p.Detail, Hint: p.Hint, Fields: p.Errors}
	switch p.Status {
	case http.StatusBadRequest:
		e.Code = api.Invalid
	case http.StatusServiceUnavailable: // what was cancelled may be asked for again as well
		e.Code = api.Unavailable
	default:
		for code, status := range statuses {
			if status == p.Status {
				e.Code = code
			}
		}
	}
	return e
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
			writeProblem(w, &Problem{
				Status: http.StatusNotFound, Detail: fmt.Sprintf("no route %s %s", r.Method, r.URL.Path),
				Hint: "GET /openapi.json lists all routes",
			})
			return
		}
		w.Header().Set("Allow", strings.Join(append(allow, http.MethodOptions), ", "))
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		writeProblem(w, &Problem{
			Status: http.StatusMethodNotAllowed, Detail: fmt.Sprintf("%s does not take %s", r.URL.Path, r.Method),
			Hint: "use " + strings.Join(allow, " or "),
		})
	})
}

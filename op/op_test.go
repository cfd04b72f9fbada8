package op_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/op"
)

type turn struct {
	ID    string `path:"id" json:"id" maxLength:"5"`
	Limit int    `query:"limit" json:"limit,omitempty" default:"50" maximum:"100"`
	Fact  string `query:"fact" json:"fact,omitempty"`
}

var turns = &op.Op[turn, turn]{
	Spec: op.Spec{Name: "turn", Method: "GET", Path: "/turns/{id}/facts"},
	Do:   func(_ context.Context, _ any, in turn) (turn, error) { return in, nil },
}

func TestDefaultsAndLimits(t *testing.T) {
	for _, tt := range []struct {
		input string
		want  turn
		field string // that is refused
	}{
		{`{"id":"t1"}`, turn{ID: "t1", Limit: 50}, ""},
		{`{"id":"t1","limit":7,"fact":"f"}`, turn{"t1", 7, "f"}, ""},
		{`{"id":"t1","limit":101}`, turn{}, "query.limit"},
		{`{"id":"t1","limit":-1e300}`, turn{}, "query.limit"},
		{`{"id":"t12345"}`, turn{}, "path.id"},
		{`{"id":"t1","moon":1}`, turn{}, "query.moon"},
	} {
		got, err := turns.Run(t.Context(), nil, []byte(tt.input))
		if tt.field == "" {
			if err != nil || got != tt.want {
				t.Errorf("%s: %+v, %v", tt.input, got, err)
			}
			continue
		}
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.Invalid || len(e.Fields) != 1 || e.Fields[0].Location != tt.field ||
			strings.Contains(e.Error(), "Go ") {
			t.Errorf("%s: %+v, want %s refused", tt.input, e, tt.field)
		}
	}
	for _, input := range []string{``, `[]`, `{"id":`} {
		if _, err := turns.Run(t.Context(), nil, []byte(input)); api.CodeOf(err) != api.Invalid {
			t.Errorf("%q: %v", input, err)
		}
	}
}

func TestRequest(t *testing.T) {
	for input, want := range map[string]string{
		`{"id":"a/b {id}"}`:                  "/turns/a%2Fb%20%7Bid%7D/facts",
		`{"id":"t1","limit":7,"fact":"a&b"}`: "/turns/t1/facts?fact=a%26b&limit=7",
		`{"id":"t1","limit":10000000}`:       "/turns/t1/facts?limit=10000000",
	} {
		path, body, err := turns.Request([]byte(input))
		if err != nil || body != nil || path != want {
			t.Errorf("%s: %s, %q, %v; want %s", input, path, body, err, want)
		}
	}
}

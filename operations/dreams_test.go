package operations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dreams"
	"github.com/reverie-memory/reverie/vault"
)

func TestWhyADreamDoesNot(t *testing.T) {
	for _, tt := range []struct {
		err  error
		code api.Code
		hint bool
	}{
		{dream.ErrRunning, api.Conflict, true},
		{dream.ErrCanceled, api.Conflict, true},
		{dream.ErrNoRun, api.NotFound, false},
		{dreams.ErrNone, api.NotFound, false},
		{dream.ErrUndone, api.Conflict, true},
		{dream.ErrSealed, api.Conflict, true},
		{dream.ErrPruned, api.Conflict, true},
	} {
		err := undoRefusal(dream.UndoReport{Run: "r-1"}, fmt.Errorf("asked: %w", tt.err))
		var told *api.Error
		if !errors.As(err, &told) || told.Code != tt.code || (told.Hint != "") != tt.hint || !errors.Is(err, tt.err) {
			t.Errorf("%v: %+v", tt.err, err)
		}
	}
	var clash *api.Error
	err := undoRefusal(dream.UndoReport{Run: "r-1", Clashes: []string{"2_Wiki/Alice.md: - her own line"}}, dream.ErrClash)
	if !errors.As(err, &clash) || !strings.Contains(clash.Detail, "her own line") || clash.Hint == "" {
		t.Errorf("%v", err)
	}
}

func TestAReportHasNoNull(t *testing.T) {
	for _, r := range []dream.Report{{}, {Ledger: map[dream.Outcome]int{dream.Kept: 1}, Pages: []dream.PageChange{{
		Path:   "2_Wiki/A.md",
		Change: "created",
	}}}} {
		c := consolidation(r)
		if c.Ledger.Kept != len(c.Pages) {
			t.Errorf("%+v", c)
		}
		if data, err := json.Marshal(c); err != nil || strings.Contains(string(data), "null") {
			t.Errorf("%s: %v", data, err)
		}
	}
}

func TestWhoIsCutOffIsToldToAskAgain(t *testing.T) {
	for err, code := range map[error]api.Code{vault.ErrChanged: api.Conflict, context.DeadlineExceeded: api.Timeout} {
		var told *api.Error
		if err := cutOff(fmt.Errorf("scrubbing: %w", err)); !errors.As(err, &told) || told.Code != code || !strings.Contains(told.Hint,
			"ask again") {
			t.Errorf("a person is told %v", err)
		}
	}
}

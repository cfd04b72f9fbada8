package model

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/reverie-memory/reverie/model/modeltest"
)

// What is embedded in the background rests for questions to any model, such as a reranker.
func TestModelsShareTheCores(t *testing.T) {
	m, _, _ := write(t, modeltest.Model{})
	synctest.Test(t, func(t *testing.T) {
		done := cores.Urgent()
		vectors := make(chan error, 1)
		go func() {
			_, err := m.Embed(t.Context(), texts, false)
			vectors <- err
		}()
		synctest.Wait()
		select {
		case err := <-vectors:
			t.Error("texts are embedded while a question to another model waits")
			vectors <- err
		default:
		}
		done()
		if err := <-vectors; err != nil {
			t.Error(err)
		}
	})
}

func TestEachStopsAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	if err := each(t.Context(), 50, func(_ context.Context, i int) error {
		if i == 3 {
			return broken
		}
		return nil
	}); !errors.Is(err, broken) {
		t.Errorf("each gives %v", err)
	}
	if err := each(t.Context(), 50, func(_ context.Context, i int) error {
		if i == 3 {
			panic("no such place")
		}
		return nil
	}); err == nil || !strings.Contains(err.Error(), "no such place") {
		t.Errorf("of a panic each makes %v", err)
	}
	done := make([]bool, 50)
	if err := each(t.Context(), len(done), func(_ context.Context, i int) error { done[i] = true; return nil }); err != nil {
		t.Fatal(err)
	}
	for i, d := range done {
		if !d {
			t.Errorf("%d was left out", i)
		}
	}
}

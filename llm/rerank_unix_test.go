//go:build unix

package llm

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/model"
	"github.com/reverie-memory/reverie/model/modeltest"
)

// A disk that is slow to give the weights holds up no question for longer than it may take, and the weights are read all the same.
func TestRerankersAreReadWhileQuestionsGoOn(t *testing.T) {
	models := t.TempDir()
	if _, err := (modeltest.Model{Kind: "reranker"}).Write(filepath.Join(models, "r")); err != nil {
		t.Fatal(err)
	}
	r, err := NewReranker(models, "r", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	weights := filepath.Join(models, "r", model.Weights)
	if err := os.Rename(weights, weights+".kept"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(weights, 0o600); err != nil { // opening it waits for somebody who writes
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	answer := make(chan error, 1)
	go func() {
		_, err := r.Cost(gone, "where?", []string{"the boat"})
		answer <- err
	}()
	select {
	case err := <-answer:
		if err == nil {
			t.Error("a model that is not read yet costs something")
		}
	case <-time.After(10 * time.Second):
		t.Error("a question waits for the disk")
	}
	pipe, err := os.OpenFile(weights, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if _, err := r.Cost(t.Context(), "where?", []string{"the boat"}); err == nil { // a pipe is no file of tensors
		t.Error("weights were read from a pipe")
	}
}

package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/llm"
)

func namesOf(t *testing.T, count *int) *journal.Names {
	t.Helper()
	e, err := llm.NewEmbedder(llm.EmbedderOptions{Provider: "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	return &journal.Names{Fingerprint: e.Fingerprint, Embed: func(ctx context.Context, names []string) ([][]float32, error) {
		*count += len(names)
		return e.Embed(ctx, names, llm.Document)
	}}
}

// What means the same is found, and what only sounds alike is not: a town square is no town hall.
func TestNamesByWhatTheyMean(t *testing.T) {
	same := map[string]string{
		"payments service": "payment service", "guitars": "guitar", "marathons": "marathon",
		"clusters for kubernetes": "kubernetes cluster",
	}
	others := []string{
		"half marathon", "university of graz", "town square", "tom's mother", "blue house", "football club", "robert",
		"web team", "anna schmidt",
		"search service", "mongodb", "paris", "tennis", "munich", "oslo", "violin", "green bike", "french", "max", "petra", "vet", "google",
	}
	among := []string{
		"noor",

		"postgresql", "visual studio code", "noor's mother", "city choir", "chess club", "rowing club", "bosch", "robert bosch hospital",
		"physiotherapist", "red car", "city library", "ghent", "berlin", "new york", "anna berg", "town hall", "payment service",
		"mobile team",
		"german", "spanish", "guitar", "cat", "house in mainz", "university of vienna", "heroku", "kubernetes cluster", "marathon", "figma",
	}
	var events []graph.Event
	for _, name := range among[1:] {
		events = append(events, graph.Event{Kind: graph.Assert, Subject: "Noor", Predicate: "knows of", Object: name})
	}
	g, embedded := graph.Build(events, nil), 0
	near := namesOf(t, &embedded).Near(t.Context())
	for ask, want := range same {
		if f := g.Lookup(ask, near); f.Entity == nil || f.Entity.Name != want || f.Via != "embedding" || !f.Guess {
			t.Errorf("%s: %+v", ask, f)
		}
	}
	for _, ask := range others {
		if list := near.Find(ask, among); len(list) > 0 {
			t.Errorf("%s: %q", ask, list)
		}
	}
	if most := len(same) + len(others) + len(events) + 1; embedded != most {
		t.Errorf("%d names were embedded, and there are %d", embedded, most)
	}
}

// Nobody waits for the vectors of many names: they are made in the background, once, and anew when something was forgotten.
func TestManyNamesAreLearntInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var among []string
		for i := range 300 {
			among = append(among, fmt.Sprintf("university of town %d", i))
		}
		embedded := 0
		n := namesOf(t, &embedded)
		go n.Run(ctx)
		find := func() []string { return n.Near(ctx).Find("town 7 university", among) }
		for _, want := range []int{300, 600} {
			if list := find(); list != nil {
				t.Errorf("before they are learnt: %q", list)
			}
			if synctest.Wait(); embedded != want {
				t.Errorf("%d were embedded, want %d", embedded, want)
			}
			if list := find(); !slices.Contains(list, "university of town 7") || embedded != want+1 {
				t.Errorf("%q, %d embedded", list, embedded)
			}
			embedded--
			n.Forget()
		}
	})
}

// An embedder that does not answer holds nobody up for long.
func TestNamesDoNotWaitForAnEmbedderForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		embedded := 0
		n := namesOf(t, &embedded)
		n.Embed = func(ctx context.Context, _ []string) ([][]float32, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Minute):
				return nil, errors.New("too late")
			}
		}
		start := time.Now()
		if list := n.Near(t.Context()).Find("guitars", []string{"guitar"}); list != nil || time.Since(start) > 5*time.Second {
			t.Errorf("%q after %v", list, time.Since(start))
		}
	})
}

// What is forgotten while the vectors of many names are made is neither embedded any more nor kept.
func TestForgettingEndsTheLearningOfNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		embedded := 0
		n := namesOf(t, &embedded)
		embed, counting := n.Embed, sync.Mutex{}
		n.Embed = func(ctx context.Context, names []string) ([][]float32, error) {
			time.Sleep(time.Second)
			counting.Lock()
			defer counting.Unlock()
			return embed(ctx, names)
		}
		var among []string
		for i := range 600 {
			among = append(among, fmt.Sprintf("university of town %d", i))
		}
		go n.Run(ctx)
		n.Near(ctx).Find("town 7 university", among)
		synctest.Wait()
		n.Forget()
		n.Near(ctx).Find("guitars", []string{"guitar"}) // somebody asks for what is left
		time.Sleep(time.Minute)
		if synctest.Wait(); embedded > 256+2 {
			t.Errorf("%d names were embedded", embedded)
		}
		before := embedded
		if n.Near(ctx).Find("town 7 university", among[:40]); embedded-before != 41 {
			t.Errorf("of 40 names that were forgotten meanwhile, %d had vectors", 41-(embedded-before))
		}
	})
}

package sample

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

func TestConversationAndQuestionsFitTogether(t *testing.T) {
	said := map[string]string{}
	days, platforms := map[string]bool{}, map[string]bool{}
	var last time.Time
	for line := range bytes.Lines(Conversation) {
		var m struct {
			Conversation, Speaker, Role, Platform, Wing, Room, Text string
			DiaID                                                   string    `json:"dia_id"`
			At                                                      time.Time `json:"turn_datetime"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.Conversation == "" || m.Speaker == "" || m.Platform == "" || m.Wing == "" || m.Room == "" || m.Text == "" ||
			m.Role != "user" && m.Role != "assistant" {
			t.Errorf("%s lacks a field", m.DiaID)
		}
		if said[m.DiaID] != "" || m.At.Before(last) {
			t.Errorf("%s is out of order", m.DiaID)
		}
		said[m.DiaID], last = m.Text, m.At
		days[m.At.Format(time.DateOnly)], platforms[m.Platform] = true, true
	}
	if len(said) < 60 || len(days) < 5 || len(platforms) != 2 {
		t.Errorf("%d messages, %d days, %d platforms", len(said), len(days), len(platforms))
	}
	var questions []struct {
		ID, Question, Expect string
		Refs                 []string
	}
	if err := json.Unmarshal(Questions, &questions); err != nil || len(questions) != 5 {
		t.Fatalf("%d questions, %v", len(questions), err)
	}
	for _, q := range questions {
		if q.Question == "" || q.Expect == "" || len(q.Refs) == 0 {
			t.Errorf("%s lacks a field", q.ID)
		}
		for _, r := range q.Refs {
			if said[r] == "" {
				t.Errorf("%s: nobody said %s", q.ID, r)
			}
		}
	}
}

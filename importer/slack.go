package importer

import (
	"cmp"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// Slack reads the export of a Slack workspace: a folder for each channel, with a file for each day. Its words are not the person's.
func Slack() Importer {
	return Importer{
		Name:  "Slack",
		Reads: func(name string, head []byte) bool { return slackDay.MatchString(name) && hasKeys(head, "type", "ts") },
		Read:  (&slack{}).read,
	}
}

// slack is what the files of one export have in common.
type slack struct {
	fs    fs.FS
	names map[string]string // of users, by their ids
}

var slackDay = regexp.MustCompile(`^(?:.*/)?[^/]+/\d{4}-\d\d-\d\d\.json$`)

type slackMessage struct {
	Subtype     string `json:"subtype"`
	User        string `json:"user"`
	Username    string `json:"username"`
	BotID       string `json:"bot_id"`
	Text        string `json:"text"`
	TS          string `json:"ts"`
	Attachments []struct {
		Fallback string `json:"fallback"`
		Pretext  string `json:"pretext"`
		Title    string `json:"title"`
		Text     string `json:"text"`
	} `json:"attachments"`
	Edited struct {
		TS string `json:"ts"`
	} `json:"edited"`
	Comment struct {
		User string `json:"user"`
	} `json:"comment"`
	Profile struct {
		RealName string `json:"real_name"`
	} `json:"user_profile"`
}

// quietSubtypes are what Slack itself says of who comes and goes.
var quietSubtypes = []string{
	"channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name", "channel_archive", "channel_unarchive",
	"group_join",
	"group_leave", "bot_add", "bot_remove", "pinned_item", "reminder_add",
}

func (s *slack) read(f File, yield func(Message, error) bool) {
	s.learn(f)
	channel := path.Base(path.Dir(f.Name))
	for w, err := range objects[slackMessage](f) {
		m := Message{Others: true}
		if err == nil {
			m.ChatID, m.Title, m.Platform = "slack-"+channel, "#"+channel, "slack"
			m.Role, m.Ref, m.Edit, m.Content = user, w.TS, w.Edited.TS, s.text(&w)
			m.Noise = slices.Contains(quietSubtypes, w.Subtype)
			m.Speaker = cmp.Or(s.names[cmp.Or(w.User, w.Comment.User)], w.Profile.RealName, w.Username, w.User, w.BotID)
			if w.Subtype == "bot_message" || w.User == "" && w.BotID != "" {
				m.Role = tool
			}
			if seconds, err := strconv.ParseFloat(w.TS, 64); err == nil {
				m.At = unix(seconds)
			}
			if strings.TrimSpace(m.Content) == "" {
				continue
			}
		}
		if !yield(m, err) {
			return
		}
	}
}

// learn reads who the users are, once for each export.
func (s *slack) learn(f File) {
	if f.FS == nil || s.fs == f.FS {
		return
	}
	s.fs, s.names = f.FS, map[string]string{}
	in, err := f.FS.Open(path.Join(path.Dir(path.Dir(f.Name)), "users.json"))
	if err != nil {
		return // they keep their ids
	}
	defer in.Close()
	for u, err := range objects[slackPerson](File{Reader: io.LimitReader(in, min(limitOf(in), bombFrom)), Name: f.Name}) {
		if err == nil {
			s.names[u.ID] = cmp.Or(u.RealName, u.Profile.RealName, u.Name)
		}
	}
}

type slackPerson struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	RealName string `json:"real_name"`
	Profile  struct {
		RealName string `json:"real_name"`
	} `json:"profile"`
}

var (
	slackUser = regexp.MustCompile(`<@([A-Z0-9]+)(?:\|([^>]*))?>`)
	slackLink = regexp.MustCompile(`<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>`)
	slackRoom = regexp.MustCompile(`<#[A-Z0-9]+\|([^>]*)>`)
	slackSign = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// text is what a message says, with the names of users and links as people read them.
func (s *slack) text(w *slackMessage) string {
	texts := []string{w.Text}
	for _, a := range w.Attachments {
		if said := joined([]string{a.Pretext, a.Title, a.Text}, "\n"); said != "" {
			texts = append(texts, said)
		} else {
			texts = append(texts, a.Fallback)
		}
	}
	text := joined(texts, "\n")
	text = slackUser.ReplaceAllStringFunc(text, func(found string) string {
		m := slackUser.FindStringSubmatch(found)
		return "@" + cmp.Or(s.names[m[1]], m[2], m[1])
	})
	text = slackRoom.ReplaceAllString(text, "#$1")
	text = slackLink.ReplaceAllStringFunc(text, func(found string) string {
		m := slackLink.FindStringSubmatch(found)
		if m[2] == "" || m[2] == m[1] {
			return m[1]
		}
		return m[2] + " (" + m[1] + ")"
	})
	return slackSign.Replace(text)
}

// nth names what came with a message.
func nth(ref, kind string, i int) string { return ref + "/" + kind + strconv.Itoa(i+1) }

// derived is an id for what has none.
func derived(parts ...string) string { return vault.DeriveID('x', parts...) }

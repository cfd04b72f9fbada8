package operations

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// admit is the one way in: every string of a request passes here before anything is looked up, written, logged or sent to a model.
// The tag `is` of its field says what a string is: a text, which is redacted; an id, which must stand on one line as it is; an agent,
// whose name has one form; else a label, whose blanks are tidied. Ids and labels are redacted so that two of them stay two, and the same
// one finds itself again. The request given is not changed.
func admit[T any](m Memory, req T) (clean T, redactions int, err error) {
	a := admission{pseudonym: m.Vault.Pseudonym, talks: map[string][]*string{}}
	if err := a.walk(reflect.ValueOf(&req).Elem(), "", ""); err != nil {
		return req, 0, err
	}
	for _, talk := range a.talks {
		texts := slice.Map(talk, func(t *string) string { return *t })
		texts, n := redact.Each(texts)
		for i, t := range texts {
			*talk[i] = t
		}
		a.redactions += n
	}
	return req, a.redactions, a.err
}

type admission struct {
	pseudonym  func(secret string) (string, error)
	talks      map[string][]*string // texts that follow one another, by the talk that they are of; "": what is of none
	talk       string               // that is being walked over
	redactions int
	err        error // of a pseudonym
}

// A talker is of a talk. What a text of another talk says makes no secret of its own texts, whatever else comes in the same request.
type talker interface{ Talk() string }

// walk visits the strings of v, which it copies as far as the copy of the request shares them. The path is as in the JSON.
func (a *admission) walk(v reflect.Value, path, is string) error {
	switch v.Kind() {
	case reflect.String:
		if is == "text" {
			a.talks[a.talk] = append(a.talks[a.talk], v.Addr().Interface().(*string))
			return nil
		}
		s, err := a.name(v.String(), path, is)
		v.SetString(s)
		return err
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		own := reflect.New(v.Type().Elem())
		own.Elem().Set(v.Elem())
		v.Set(own)
		return a.walk(own.Elem(), path, is)
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.Zero(v.Type()), v))
		for i := range v.Len() {
			if err := a.walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), is); err != nil {
				return err
			}
		}
	case reflect.Map: // of flags
		own := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			name, err := a.name(k.String(), path, is)
			if err != nil {
				return err
			}
			value := v.MapIndex(k)
			if s, ok := value.Interface().(string); ok {
				if s, err = a.name(s, path, is); err != nil {
					return err
				}
				value = reflect.ValueOf(s)
			}
			own.SetMapIndex(reflect.ValueOf(name), value)
		}
		v.Set(own)
	case reflect.Struct:
		if t, ok := v.Interface().(talker); ok {
			defer func(before string) { a.talk = before }(a.talk)
			a.talk = t.Talk()
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() { // of a time
				continue
			}
			at, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if path != "" {
				at = path + "." + at
			}
			if err := a.walk(v.Field(i), at, f.Tag.Get("is")); err != nil {
				return err
			}
		}
	}
	return nil
}

// name takes an id or a label.
func (a *admission) name(s, path, is string) (string, error) {
	switch {
	case is != "id":
		s = label(s)
	case strings.ContainsFunc(s, unseen):
		return s, api.Refuse(path, "must not hold control characters or what is no Unicode")
	case strings.TrimSpace(s) != s:
		return s, api.Refuse(path, "must not begin or end with a blank")
	}
	clean, n := redact.Name(s, func(secret string) string {
		id, err := a.pseudonym(secret)
		if err != nil && a.err == nil {
			a.err = fmt.Errorf("name a secret in %s: %w", path, err)
		}
		return id
	})
	a.redactions += n
	if is == "agent" && s != "" { // only now: a name in its one form may hide that it is a secret
		return agentName(clean, path)
	}
	return clean, nil
}

func agentName(s, path string) (string, error) {
	agent := vault.AgentName(s)
	switch {
	case agent == "":
		return s, api.Refuse(path, "must hold a letter or a digit")
	case utf8.RuneCountInString(agent) > vault.MaxAgent:
		return s, api.Refuse(path, fmt.Sprintf("must have at most %d characters", vault.MaxAgent))
	}
	return agent, nil
}

// label is a name as a person sees it: what looks alike is alike. Marks that have no width and turn the direction go, but for those
// that join characters of scripts and pictures that need them.
func label(s string) string {
	runes := []rune(s)
	joins := func(i int) bool {
		return i >= 0 && i < len(runes) && runes[i] > unicode.MaxLatin1 && !unicode.IsSpace(runes[i]) &&
			!unicode.In(runes[i], unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Cf)
	}
	var b strings.Builder
	for i, r := range runes {
		switch {
		case unseen(r):
			b.WriteByte(' ')
		case !unicode.Is(unicode.Cf, r), (r == '\u200c' || r == '\u200d') && joins(i-1) && joins(i+1):
			b.WriteRune(r)
		}
	}
	return strings.TrimSpace(b.String())
}

// unseen tells of what a person cannot see and a line of a file cannot hold, and of the sign that stands for bytes that were no
// text, by which two ids could become one.
func unseen(r rune) bool {
	return unicode.IsControl(r) || r == unicode.ReplacementChar || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

package importer

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Whose says whose words the messages of an export are, where it does not say so itself.
type Whose struct {
	Others bool     // everything is other people's
	Me     []string // the person's names; who has another one, and no role, is somebody else
}

// The roles, and the speakers that are roles.
var roles = map[string]string{
	"": user, user: user, "human": user, "me": user, "you": user,
	assistant: assistant, "model": assistant, "ai": assistant, "bot": assistant, "chatbot": assistant, "chatgpt": assistant, "gpt": assistant,
	tool: tool, "function": tool, "system": tool,
	agent: agent, others: others,
}

// role is whose words a message is. What has a role that is not known is nobody's, and so is a tool's.
func (w Whose) role(m *Message) string {
	role := cmp.Or(roles[strings.ToLower(m.Role)], tool)
	me := slices.ContainsFunc(w.Me, func(name string) bool { return strings.EqualFold(name, m.Speaker) })
	if role != tool && (w.Others || !me && (m.Others || m.Unsaid && len(w.Me) > 0)) {
		return others
	}
	return role
}

// maxStrangers is of how many names a person is told.
const maxStrangers = 8

// Strangers are the names of speakers of whom nothing says which one is the person, sorted; none where there is only one name that it can
// be. Export.Whose has to say it then.
func (e *Export) Strangers() []string {
	names, unsaid := map[string]bool{}, false
	for _, file := range e.files {
		file.tree.left = file.tree.most
	}
	for _, file := range e.files {
		if !file.by.Names {
			continue
		}
		f, done, err := e.open(file)
		if err != nil {
			continue
		}
		for m, err := range file.by.messages(f) {
			if err == nil && len(names) < maxStrangers && roles[strings.ToLower(m.Role)] == user {
				names[cmp.Or(m.Speaker, user)], unsaid = true, unsaid || m.Unsaid
			}
		}
		done()
	}
	e.read = 0
	if len(names) < 2 || !unsaid {
		return nil
	}
	return slices.Sorted(maps.Keys(names))
}

package importer

import (
	"cmp"
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
)

// Mem0 reads memories that mem0 exports, and answers of its API: a list, or an object that has it as results or memories.
var Mem0 = Importer{
	Name: "mem0",
	Reads: func(name string, head []byte) bool {
		return strings.HasSuffix(name, ".json") && hasKeys(head, "memory") && (hasKeys(head, "created_at") || hasKeys(head, "user_id") ||
			hasKeys(head, "hash"))
	},
	Read: func(f File, yield func(Message, error) bool) {
		for all := range each(objects[mem0Memory](f), yield) {
			for _, one := range append(append([]mem0Memory{all}, all.Results...), all.Memories...) {
				category := ""
				if len(one.Categories) > 0 {
					category = one.Categories[0]
				}
				m := noted("mem0", cmp.Or(one.UserID, "mem0"), cmp.Or(one.ID, derived(one.Memory)), one.Memory,
					cmp.Or(timestamp(one.CreatedAt), at(f.Mod)))
				m.Edit = derived(one.Memory) // an id stays when the memory is told anew
				m.fact(category, one.Memory, one.Categories)
				if one.Memory != "" && !yield(m, nil) {
					return
				}
			}
			for _, r := range all.Relations {
				m := related("mem0", "mem0", api.ImportTriple{Subject: r.Source, Predicate: r.Relationship, Object: cmp.Or(r.Target, r.Destination)}, f)
				if !yield(m, nil) {
					return
				}
			}
		}
	},
}

type mem0Memory struct {
	ID         string   `json:"id"`
	Memory     string   `json:"memory"`
	UserID     string   `json:"user_id"`
	Categories []string `json:"categories"`
	CreatedAt  string   `json:"created_at"`

	Results   []mem0Memory `json:"results"` // of the object around them
	Memories  []mem0Memory `json:"memories"`
	Relations []struct {
		Source       string `json:"source"`
		Relationship string `json:"relationship"`
		Target       string `json:"target"`
		Destination  string `json:"destination"`
	} `json:"relations"`
}

// noted is a message that an assistant noted down elsewhere.
func noted(platform, chat, ref, text string, when *time.Time) Message {
	m := Message{}
	m.ChatID, m.Platform, m.Role, m.Ref, m.Content, m.At, m.Told = platform+"-"+chat, platform, agent, ref, text, when, true
	return m
}

// fact adds a fact that stands in the export.
func (m *Message) fact(category, text string, tags []string) {
	m.Facts = append(m.Facts, api.ImportFact{Category: category, Content: text, Tags: tags})
}

// related is a message of a relation.
func related(platform, chat string, t api.ImportTriple, f File) Message {
	text := relation(t)
	m := noted(platform, chat, derived(text), text, at(f.Mod))
	m.fact("", text, nil)
	m.Triples = []api.ImportTriple{t}
	return m
}

// relation says a triple in words.
func relation(t api.ImportTriple) string {
	words := strings.NewReplacer("_", " ", "-", " ").Replace(t.Predicate)
	return strings.Join(strings.Fields(t.Subject+" "+strings.ToLower(words)+" "+t.Object), " ")
}

// Graph reads the memory of the MCP reference server: entities with observations, and relations; one a line, or all in one object.
var Graph = Importer{
	Name: "MCP memory",
	Reads: func(_ string, head []byte) bool {
		return hasKeys(head, "entityType", "observations") || hasKeys(head, "relationType", "from", "to")
	},
	Read: func(f File, yield func(Message, error) bool) {
		for all := range each(decoded[graphEntry](f, values(f)), yield) {
			for _, e := range append(append([]graphEntry{all}, all.Entities...), all.Relations...) {
				if m, ok := e.message(f); ok && !yield(m, nil) {
					return
				}
			}
		}
	},
}

type graphEntry struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
	From         string   `json:"from"`
	To           string   `json:"to"`
	Relation     string   `json:"relationType"`

	Entities  []graphEntry `json:"entities"` // of the object around them
	Relations []graphEntry `json:"relations"`
}

// values are the lines of a file whose first line is one value, else its items.
func values(f File) iter.Seq2[item, error] {
	if strings.HasSuffix(f.Name, ".json") {
		head, rest := peek(f.Reader)
		f.Reader = rest
		first, _, cut := strings.Cut(strings.TrimSpace(string(head)), "\n")
		if !cut || !json.Valid([]byte(first)) {
			return items(f)
		}
	}
	return lines(f)
}

// message is an entity with what is known of it, or a relation.
func (e *graphEntry) message(f File) (m Message, ok bool) {
	if e.From != "" && e.To != "" && e.Relation != "" {
		return related("mcp-memory", "relations", api.ImportTriple{Subject: e.From, Predicate: e.Relation, Object: e.To}, f), true
	}
	if e.Name == "" || len(e.Observations) == 0 && e.EntityType == "" {
		return m, false
	}
	text := e.Name
	if e.EntityType != "" {
		text += " (" + e.EntityType + ")"
	}
	for _, o := range e.Observations {
		text += "\n- " + o
	}
	m = noted("mcp-memory", e.Name, derived(append([]string{e.Name}, e.Observations...)...), text, at(f.Mod))
	for _, o := range e.Observations {
		said := o
		if !strings.Contains(strings.ToLower(o), strings.ToLower(e.Name)) {
			said = e.Name + ": " + o // a fact stands alone
		}
		m.fact("", said, nil)
	}
	return m, true
}

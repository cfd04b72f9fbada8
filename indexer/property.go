package indexer

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/reverie-memory/reverie/vault"
)

// Keys of the front matter that are read elsewhere or say nothing about the world.
var ownKeys = map[string]bool{
	"title": true, "alias": true, "aliases": true, "tag": true, "tags": true, "type": true, "created": true,
	"updated": true, "reverie": true, "cssclass": true, "cssclasses": true, "publish": true, "permalink": true,
}

// propertyText is one line for each foreign key of the front matter, in the order of the file.
// Front matter that is not YAML gives nothing here; vault.ParsePage reports it.
func propertyText(front []byte) string {
	front = bytes.TrimSpace(front)
	front = bytes.TrimPrefix(front, []byte("\xef\xbb\xbf"))
	front = bytes.TrimPrefix(front, []byte("---"))
	front = bytes.TrimSuffix(front, []byte("---"))
	if len(bytes.TrimSpace(front)) == 0 {
		return ""
	}
	var props yaml.MapSlice
	if err := decodeYAML(front, &props); err != nil {
		return ""
	}
	var b strings.Builder
	for _, kv := range props {
		key := fmt.Sprint(kv.Key)
		value := propertyValue(kv.Value, 0)
		if value == "" || ownKeys[strings.ToLower(key)] {
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", key, value)
	}
	return strings.TrimSpace(b.String())
}

// decodeYAML turns a panic of the decoder on strange input into an error: a page must never stop a Sync.
func decodeYAML(data []byte, into any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return yaml.UnmarshalWithOptions(data, into, yaml.UseOrderedMap())
}

func propertyValue(v any, depth int) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.Join(strings.Fields(vault.Unlinked(v)), " ")
	case []any:
		var parts []string
		for _, e := range v {
			if s := propertyValue(e, depth+1); s != "" && depth < 4 {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case yaml.MapSlice:
		var parts []string
		for _, kv := range v {
			if s := propertyValue(kv.Value, depth+1); s != "" && depth < 4 {
				parts = append(parts, fmt.Sprint(kv.Key)+" "+s)
			}
		}
		return strings.Join(parts, ", ")
	case map[string]any: // the order of its keys is not fixed
		return ""
	default:
		return fmt.Sprint(v)
	}
}

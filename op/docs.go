package op

import (
	"encoding/json"
	"maps"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
)

// NewRegistry returns a registry of schemas for the types of package api.
func NewRegistry() huma.Registry {
	return registry{huma.NewMapRegistry(schemas, huma.DefaultSchemaNamer)}
}

const schemas = "#/components/schemas/"

// A registry has what types say of their fields besides the tags.
type registry struct{ huma.Registry }

// Schema implements huma.Registry.
func (r registry) Schema(t reflect.Type, allowRef bool, hint string) *huma.Schema {
	before := maps.Clone(r.Map())
	s := r.Registry.Schema(t, allowRef, hint)
	for name, made := range r.Map() {
		if before[name] != nil {
			continue
		}
		for field, doc := range docsOf(r.TypeFromRef(schemas + name)) {
			made.Properties[field].Description = doc
		}
	}
	return s
}

// MarshalJSON gives the schemas by their names, as the OpenAPI document has them.
func (r registry) MarshalJSON() ([]byte, error) { return json.Marshal(r.Map()) }

func docsOf(t reflect.Type) map[string]string {
	if d, ok := reflect.Zero(t).Interface().(api.Documented); ok {
		return d.Docs()
	}
	return nil
}

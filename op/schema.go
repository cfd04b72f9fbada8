package op

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// InputSchema implements Operation.
func (o *Op[I, O]) InputSchema() *huma.Schema {
	o.once.Do(o.prepare)
	return o.offered
}

// offered is the schema of a type as tools have it: what it refers to stands in its place, formats that only tell how a program keeps a
// number are left out, and so are fields that are tagged mcp:"-".
func offered(known huma.Registry, t reflect.Type, s *huma.Schema) *huma.Schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s.Ref != "" {
		described := s.Description
		s = known.SchemaFromRef(s.Ref)
		if described != "" {
			own := *s
			own.Description = described
			s = &own
		}
	}
	c := *s
	c.Nullable = false
	if c.Type == huma.TypeInteger || c.Type == huma.TypeNumber {
		c.Format = ""
	}
	if c.Items != nil {
		c.Items = offered(known, t.Elem(), c.Items)
	}
	if len(c.Properties) == 0 || t.Kind() != reflect.Struct {
		return &c
	}
	c.Properties = maps.Clone(c.Properties)
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch p := c.Properties[name]; {
		case p == nil:
		case f.Tag.Get("mcp") == "-":
			delete(c.Properties, name)
		default:
			c.Properties[name] = offered(known, f.Type, p)
		}
	}
	c.Required = slices.DeleteFunc(slices.Clone(c.Required), func(name string) bool { return c.Properties[name] == nil })
	return &c
}

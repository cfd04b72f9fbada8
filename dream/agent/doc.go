// Package agent is the model that consolidates: a bounded loop in which a chat model looks at the wiki through four tools and proposes ops
// ([Agent]), or an assistant that calls from outside and is given what it needs ([Caller]). The package is confined to the wiki's zones and
// believed in nothing: what it proposes is checked here for form and by its caller for truth.
package agent

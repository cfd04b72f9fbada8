package dream

import (
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// owner counts the facts of earlier runs as well.
func owner(own *trust.Votes, known *vault.Accounts) string {
	for _, a := range known.All() {
		own.Hear(a.Speaker, a.Origin)
	}
	return own.Owner()
}

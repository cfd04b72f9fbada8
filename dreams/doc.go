// Package dreams has an open vault consolidated, when somebody asks and by the clock, and tells how that stands.
package dreams

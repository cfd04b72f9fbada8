// Package dreams has an open vault consolidated, when somebody asks, by the clock and step by step with an assistant, and tells how that
// stands.
package dreams

// Package capture takes in what assistants write down of their sessions: where a hook points, and whatever else has changed in the folders
// of those that were set up.
package capture

// Package probe makes questions, of which the answers are known, out of what was said, and tells by them how well a memory answers.
package probe

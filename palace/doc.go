// Package palace takes conversation turns in: it guards and files them as drawers, and has facts extracted behind the answer.
//
// A turn is acknowledged when its drawers are fsynced. Extraction runs in a bounded pool; what does not fit, fails
// or is cut off by a crash is read again from the vault, so nothing acknowledged is lost. Wings and rooms are names on drawers; it holds
// nothing that cannot be rebuilt from the files. What it is given holds no secrets any more.
package palace

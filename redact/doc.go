// Package redact replaces secrets in a text by visible placeholders, before the text reaches a disk or a model.
//
// The package knows the formats of common credentials, private keys, card numbers and a person's own <private> marks, and behind their
// names the numbers by which states know people (identities.txt). What else is secret a small trained model tells, from how a value looks
// and from the words around it. What a source publishes as an example stays (public.txt). Redacting twice changes nothing.
package redact

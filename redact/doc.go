// Package redact replaces secrets in a text by visible placeholders, before the text reaches a disk or a model.
//
// It knows the formats of common credentials, private keys, card numbers and a person's own <private> marks.
// It prefers missing an unknown kind of secret to spoiling prose, and redacting twice changes nothing.
package redact

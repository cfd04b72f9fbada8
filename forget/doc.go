// Package forget finds what a person wants forgotten, hides it, takes it out of every kind of record, and looks whether its bytes are gone.
package forget

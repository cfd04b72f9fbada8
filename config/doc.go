// Package config holds the program's settings: their defaults, the file, the environment and their limits.
//
// One table ([Settings]) describes every setting; the commented default file, docs/settings.md, the
// environment names and the checks all come from it. Later layers win: defaults, file, environment, flags.
package config

// Package config holds the program's settings: their defaults, the file, the environment and their limits.
//
// One table ([Settings]) describes every setting; the file that `init` writes, docs/settings.md, the
// environment names and the checks all come from it. Later layers win: defaults, file, environment, flags.
package config

// Package tomledit changes values of TOML files in their own bytes: comments, order and layout of all else stay.
package tomledit

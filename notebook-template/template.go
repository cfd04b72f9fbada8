// Package notebooktemplate holds the files of a new vault, which are copied once; after that they are a person's.
package notebooktemplate

import "embed"

// Files are the files of a new vault. A .gitkeep stands for an empty folder and is not copied.
//
//go:embed schema.md index.md log.md memory
//go:embed all:0_Inbox all:1_Projects all:2_Wiki all:3_Personal all:4_Assets all:5_Archives
var Files embed.FS

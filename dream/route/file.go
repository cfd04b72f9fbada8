package route

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/vault"
	"golang.org/x/text/unicode/norm"
)

// maxName bounds a file name without its ending, in bytes. Decomposed, as some file systems keep it, and with the
// endings of folder syncs it stays below the 255 that all systems allow.
const maxName = 120

// Free returns a path for a new page in a zone that is legal on Linux, macOS and Windows and clashes with no known path,
// in case or Unicode form. Nor does it take the file name of a page in another zone: links go by file name.
func (d *Directory) Free(zone, title string) vault.Path {
	return d.free(zone, title, func(name string) bool { return d.files[fileKey(name)] > 0 })
}

func (d *Directory) free(zone, title string, taken func(name string) bool) vault.Path {
	stem := fileName(title)
	name := stem
	if kept[fileKey(name)] || looksLikeDay(name) || taken(name) {
		name = stem + " (" + noun(zone) + ")"
	}
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s %d", stem, n)
	}
	return d.layout.At(vault.Path(strings.Trim(zone, "/") + "/" + name + ".md"))
}

func noun(zone string) string {
	switch zone {
	case vault.Personal:
		return "person"
	case vault.Projects:
		return "project"
	case vault.Literature:
		return "work"
	case vault.Concepts:
		return "concept"
	}
	return "page"
}

// kept are the file names that links to Reverie's own files go by.
var kept = map[string]bool{
	"index": true, "log": true, "schema": true, "memory": true, "persona": true, "user": true, "conflicts": true,
	"unfiled": true, "readme": true,
}

// fileName is the title as far as a file can be called so on every system, and as a link can hold it.
func fileName(title string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(strings.ToValidUTF8(title, " ")) {
		switch {
		case strings.ContainsRune(`/\:|`, r):
			r = '-'
		case strings.ContainsRune(`*?"<>#^[]%`, r), !unicode.IsPrint(r), unicode.IsSpace(r):
			r = ' '
		}
		b.WriteRune(r)
	}
	s := strings.Join(strings.Fields(b.String()), " ")
	s = strings.Trim(cutAt(s, maxName), " .-~$")
	if s == "" {
		return "Page"
	}
	head, _, _ := strings.Cut(s, ".")
	if reserved(strings.TrimRight(head, " ")) {
		s = head + " (page)" + s[len(head):]
	}
	return s
}

// cutAt shortens s to at most n bytes, at a character and, where one is near, at a space.
func cutAt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	s = s[:n]
	if i := strings.LastIndexByte(s, ' '); i > n*2/3 {
		s = s[:i]
	}
	return s
}

// reserved tells the names of devices on Windows, with whatever ending.
func reserved(name string) bool {
	switch n := strings.ToLower(norm.NFKC.String(name)); n {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	default:
		return len(n) == 4 && (n[:3] == "com" || n[:3] == "lpt") && '0' <= n[3] && n[3] <= '9'
	}
}

// looksLikeDay tells the file names of daily logs, which sources link to.
func looksLikeDay(name string) bool {
	_, err := vault.ParseDay(name)
	return err == nil
}

// fileKey is what two names share that some file system takes for the same.
func fileKey(name string) string {
	ascii := true
	for i := 0; i < len(name) && ascii; i++ {
		ascii = name[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(name)
	}
	return norm.NFKC.String(strings.ToLower(strings.ToUpper(norm.NFKC.String(name))))
}

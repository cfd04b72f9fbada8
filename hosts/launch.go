package hosts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Name is what Reverie's server is called in every program.
const Name = "reverie"

// Launch says how a program starts Reverie.
type Launch struct {
	// Binary is the absolute path of this program; or its plain name, in files that are shared with others.
	Binary string
	// Flags follow the verb, such as --vault DIR where the vault is not the one that is found without.
	Flags []string
	// Prompts are what programs' commands say, by their names.
	Prompts map[string]string
	// OS is the system as runtime.GOOS names it, which decides how a command line is quoted.
	OS string
}

// ownFlags are those that commands of a Launch may have; each has a value.
var ownFlags = []string{"--vault", "--data-dir", "--config", "--workspace", "--host"}

// server is the command of the MCP server.
func (l Launch) server() []string { return append([]string{l.Binary, "mcp"}, l.Flags...) }

// apart takes the arguments of a command apart: the flags that a Launch gives, each with its value, and the rest.
func apart(argv []string) (flags, rest []string) {
	for i := 1; i < len(argv); i++ {
		flag, value, joined := strings.Cut(argv[i], "=")
		switch {
		case !slices.Contains(ownFlags, flag):
			rest = append(rest, argv[i])
		case joined:
			flags = append(flags, flag, value)
		case i+1 < len(argv):
			i++
			flags = append(flags, flag, argv[i])
		}
	}
	return flags, rest
}

// settings are the flags of a command that say which vault and settings it has.
func settings(argv []string) []string {
	flags, _ := apart(argv)
	if i := slices.Index(flags, "--host"); i >= 0 {
		flags = slices.Delete(flags, i, i+2)
	}
	return flags
}

// renew is the wanted command with what a person added to the one that is there: further arguments, and another path to the same program.
func (l Launch) renew(have, want []string) []string {
	out := slices.Clone(want)
	if sameProgram(have[0], want[0]) {
		out[0] = have[0]
	}
	_, rest := apart(have)
	for _, arg := range rest {
		if !slices.Contains(want, arg) {
			out = append(out, arg)
		}
	}
	return out
}

func runs(argv []string, verb string) bool {
	if len(argv) < 2 || !slices.Contains(argv[1:], verb) {
		return false
	}
	name := argv[0][strings.LastIndexAny(argv[0], `/\`)+1:]
	return strings.EqualFold(strings.TrimSuffix(strings.ToLower(name), ".exe"), Name)
}

// sameProgram tells whether two absolute paths lead to one file, such as a link of a package manager and what it points to.
func sameProgram(a, b string) bool {
	if a == b || !filepath.IsAbs(a) || !filepath.IsAbs(b) {
		return a == b
	}
	fa, errA := os.Stat(a)
	fb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(fa, fb)
}

// gone tells that a command's program is not there.
func gone(program string) bool {
	if !filepath.IsAbs(program) {
		return false
	}
	_, err := os.Stat(program)
	return os.IsNotExist(err)
}

// line writes a command for the shell that programs give hooks to: sh, and PowerShell on Windows, where a quoted word in the first
// place is a text unless & calls it.
func line(system string, argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = a
		if strings.ContainsFunc(a, func(r rune) bool { return !plain(r, system) }) || a == "" {
			escaped := `'\''`
			if system == "windows" {
				escaped = "''"
			}
			words[i] = "'" + strings.ReplaceAll(a, "'", escaped) + "'"
		}
	}
	out := strings.Join(words, " ")
	if system == "windows" && words[0][0] == '\'' {
		return "& " + out
	}
	return out
}

// plain tells that a letter needs no quotes.
func plain(r rune, system string) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:=+@", r) ||
		r == '\\' && system == "windows"
}

// words takes a command line apart, whichever shell it was written for.
func words(text string) (argv []string) {
	var word strings.Builder
	started, quoted := false, rune(0)
	end := func() {
		if started {
			argv = append(argv, word.String())
		}
		word.Reset()
		started = false
	}
	letters := []rune(text)
	for i := 0; i < len(letters); i++ {
		r, next := letters[i], rune(0)
		if i+1 < len(letters) {
			next = letters[i+1]
		}
		switch {
		case quoted == '\'' && r == '\'' && next == '\'', quoted == 0 && r == '\\' && strings.ContainsRune(`'" `, next):
			word.WriteRune(next)
			started = true
			i++
		case quoted != 0 && r == quoted:
			quoted = 0
		case quoted != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quoted, started = r, true
		case r == ' ' || r == '\t':
			end()
		default:
			word.WriteRune(r)
			started = true
		}
	}
	end()
	if len(argv) > 0 && argv[0] == "&" {
		return argv[1:]
	}
	return argv
}

package vault

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxAgent bounds an agent's name, in runes.
const MaxAgent = 64

// reserved are names that Windows keeps for devices, whatever follows behind a dot.
var reserved = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)`) })

// AgentName is the form in which agents' names are compared, and the name of an agent's folder: lower case, with a dash for whatever is
// neither letter, digit nor dot. AgentName is "" where nothing is left, and not cut where it is longer than [MaxAgent].
func AgentName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '.':
			return unicode.ToLower(r)
		}
		return '-'
	}, norm.NFKC.String(s))
	words := strings.FieldsFunc(s, func(r rune) bool { return r == '-' })
	name := strings.Trim(strings.Join(words, "-"), ".-")
	if reserved().MatchString(name) {
		return "_" + name
	}
	return name
}

// diaries lists the folders of the agents' diaries.
func (v *Vault) diaries() (dirs []string, err error) {
	agents, err := v.disk.readDir(DiaryDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed("listing", DiaryDir, err)
	}
	for _, a := range agents {
		if a.IsDir() {
			dirs = append(dirs, DiaryDir+"/"+a.Name())
		}
	}
	return dirs, nil
}

// EachEntry calls fn with the entries of all diaries, of each agent the oldest first, as [Vault.EachFact] does with facts.
func (v *Vault) EachEntry(ctx context.Context, may func(data []byte) bool, fn func(Path, *Fact)) error {
	dirs, err := v.diaries()
	for _, dir := range dirs {
		err = errors.Join(err, v.eachFact(ctx, Path(dir), may, fn))
	}
	return err
}

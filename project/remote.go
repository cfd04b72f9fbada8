package project

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the length of a name in characters, which is that of a wing.
const maxName = 100

// Remote is the name of a repository by the address that it was cloned from: host and path in lower case, without what differs between the
// ways to one repository (scheme, user, password, port, ".git"). Remote is "" for an address without a host or a path: a folder on this
// machine, or a mere name, is nothing that two clones could know each other by.
func Remote(address string) string {
	s := strings.TrimSpace(address)
	if i := strings.LastIndex(s, "::"); i > 0 && !strings.ContainsAny(s[:i], "/[@:") { // helper::address
		s = s[i+2:]
	}
	scheme, rest, isURL := strings.Cut(s, "://")
	host, at := "", ""
	switch {
	case isURL && strings.EqualFold(scheme, "file"):
		return ""
	case isURL:
		rest, _, _ = strings.Cut(rest, "?")
		rest, _, _ = strings.Cut(rest, "#")
		host, at, _ = strings.Cut(rest, "/")
		if p, err := url.PathUnescape(at); err == nil {
			at = p
		}
	default:
		colon := scpColon(s)
		if colon < 0 {
			return ""
		}
		host, at = s[:colon], s[colon+1:]
	}
	parts := segments(at)
	if host = hostName(host); host == "" || len(parts) == 0 {
		return ""
	}
	return limit(host + "/" + strings.Join(parts, "/"))
}

// scpColon is where the path begins in user@host:path, or -1 where the address is a path on this machine.
func scpColon(s string) int {
	from := 0
	if i := strings.Index(s, "]:"); i >= 0 && !strings.ContainsAny(s[:i], `/\`) { // [host:port]:path
		from = i + 1
	}
	colon := strings.IndexByte(s[from:], ':')
	if colon < 0 || strings.ContainsAny(s[:from+colon], `/\`) {
		return -1
	}
	colon += from
	drive := colon == 1 && len(s) > 2 && (s[2] == '/' || s[2] == '\\')
	if drive {
		return -1
	}
	return colon
}

// hostName leaves user, password and port out.
func hostName(s string) string {
	s = s[strings.LastIndexByte(s, '@')+1:]
	if inner, ok := strings.CutPrefix(s, "["); ok {
		s, _, _ = strings.Cut(inner, "]")
	}
	if strings.Count(s, ":") == 1 {
		s, _, _ = strings.Cut(s, ":")
	}
	return strings.Trim(clean(s), ".-")
}

// segments are the cleaned parts of a path, the last without ".git".
func segments(p string) []string {
	var parts []string
	for _, s := range strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '\\' }) {
		if s = clean(s); s != "" {
			parts = append(parts, s)
		}
	}
	for len(parts) > 0 {
		last := &parts[len(parts)-1]
		bare, cut := strings.CutSuffix(*last, ".git")
		if !cut {
			break
		}
		if *last = clean(bare); *last == "" {
			parts = parts[:len(parts)-1]
		}
	}
	return parts
}

// clean is one segment of a name: lower case; what is neither letter, mark nor digit nor one of "._-~+@" becomes a dash. clean is "" where
// no letter or digit is left.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.L, unicode.M, unicode.N), strings.ContainsRune("._-~+@", r):
			return unicode.ToLower(r)
		default:
			return '-'
		}
	}, strings.TrimSpace(s))
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return limit(strings.Trim(s, "-"))
}

// limit shortens a name that is too long for a wing, and keeps two of them apart.
func limit(name string) string {
	if utf8.RuneCountInString(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return string([]rune(name)[:maxName-9]) + fmt.Sprintf("~%x", sum[:4])
}

package redact

import (
	"encoding/base64"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// Rules that know a secret by the words beside it.
const (
	ruleAuth = "authorization"
	ruleURL  = "password in url"
	ruleKey  = "api key" // a key whose provider the prefix leaves open
)

// webhook takes the path behind a webhook's host: whoever has it can post.
func webhook(rule string) matcher {
	return func(text string, _, end int) (Finding, bool) {
		stop := run(text, end, word|dot|base, 400)
		for stop > end && is(text[stop-1], dot|dash) {
			stop--
		}
		if stop-end < 20 || placeholder(text[end:stop]) || !mixed(text[end:stop]) {
			return Finding{}, false
		}
		return Finding{rule, end, stop}, true
	}
}

// urlPassword takes the password, or the lone key, before the last @ of a URL's or a connection string's first part. A password
// may hold slashes and @; a path behind a port may as well, and is none.
func urlPassword(text string, start, end int) (Finding, bool) {
	if !is(at(text, start-1), alnum) {
		return Finding{}, false
	}
	stop, sign, slash := end, -1, -1
	for stop < len(text) && stop-end < 1024 && strings.IndexByte(" \t\r\n\"'<>`|\\^{}", text[stop]) < 0 {
		if strings.HasPrefix(text[stop:], "://") {
			break
		}
		if text[stop] == '@' && is(at(text, stop+1), alnum|dot) || text[stop] == '@' && at(text, stop+1) == '[' {
			sign = stop
		}
		if slash < 0 && text[stop] == '/' {
			slash = stop
		}
		stop++
	}
	if sign < 0 {
		return Finding{}, false
	}
	user, pass, ok := strings.Cut(text[end:sign], ":")
	if slash >= 0 && slash < end+len(user) {
		return Finding{}, false // the @ belongs to the path
	}
	if !ok {
		if len(user) < 20 || !mixed(user) || placeholder(user) || strings.ContainsAny(user, "[]@") {
			return Finding{}, false
		}
		rule := "key in url"
		if strings.Contains(text[sign:stop], "sentry") {
			rule = "sentry dsn key"
		}
		return Finding{rule, end, sign}, true
	}
	if port := run(pass, 0, digit, 6); port > 0 && port < 6 && strings.IndexByte("/;?", at(pass, port)) >= 0 {
		return Finding{}, false
	}
	if len(pass) < 3 || placeholder(pass) || strings.IndexByte(user, '[') >= 0 {
		return Finding{}, false
	}
	return Finding{ruleURL, end + len(user) + 1, sign}, true
}

var schemes = lexis.Set("bearer basic token apikey api-key key bot sso-key")

// authorization takes what follows "Authorization: Bearer" and the like.
func authorization(text string, start, end int) (Finding, bool) {
	i := end
	scheme := "bearer"
	if text[end-1] != ' ' { // the header's name
		if is(at(text, start-1), alnum) {
			return Finding{}, false
		}
		var ok bool
		if i, ok = operator(text, quotes(text, i)); !ok && quotes(text, i) == i {
			return Finding{}, false
		}
		i = quotes(text, i)
		after := run(text, i, alpha|dash, 20)
		scheme = fold(text[i:after])
		if i = run(text, after, space, 4); i == after || !schemes[scheme] && (scheme == "" || lexis.Frequency(scheme) > 5) {
			return Finding{}, false // of a scheme that nobody knows the name is at least no word
		}
	} else if is(at(text, start-1), word) {
		return Finding{}, false
	}
	stop := run(text, i, word|dot|base, unbounded)
	for stop < len(text) && text[stop] == '~' {
		stop = run(text, stop+1, word|dot|base, unbounded)
	}
	for stop > i && is(text[stop-1], dot) {
		stop--
	}
	v := text[i:stop]
	if scheme == "basic" {
		if len(v) < 8 || placeholder(v) || wordy(v) && !pair(v) {
			return Finding{}, false
		}
		return Finding{ruleAuth, i, stop}, true
	}
	if len(v) < 16 || placeholder(v) || wordy(v) || !mixed(v) {
		return Finding{}, false
	}
	return Finding{ruleAuth, i, stop}, true
}

// pair tells whether v is "name:password" in base64.
func pair(v string) bool {
	raw, err := base64.StdEncoding.DecodeString(v)
	return err == nil && strings.Contains(string(raw), ":")
}

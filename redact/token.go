package redact

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

// A token is a secret that starts with a prefix of its own: the prefix, in its exact case, then between
// min and max bytes of the given kinds, with a border on both sides.
type token struct {
	rule     string
	prefixes string // separated by spaces
	kinds    uint16
	min, max int
}

const unbounded = 4096

// tokens are the formats that providers document or that their keys show.
var tokens = []token{
	{"aws access key", "AKIA ASIA ABIA ACCA", upper | digit, 16, 16},
	{"github token", "ghp_ gho_ ghu_ ghs_ ghr_", alnum | under | dash | dot, 36, unbounded},
	{"github token", "github_pat_", alnum | under, 40, 255},
	{"gitlab token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- GR1348941", word | dot, 20, 300},
	{"slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp- xoxe.xoxp- xoxe.xoxb-", word, 20, 500},
	{"stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_org_ whsec_", alnum, 16, 255},
	{"anthropic key", "sk-ant-", word, 32, 255},
	{"openai key", "sk-proj- sk-svcacct- sk-admin- sk-None-", word, 20, 255},
	{"openrouter key", "sk-or-v1-", hexes, 40, 80},
	{"google api key", "AIza", word, 35, 35},
	{"google oauth token", "ya29.", word | dot, 20, 2000},
	{"google client secret", "GOCSPX-", word, 24, 40},
	{"google refresh token", "1//0", word, 40, 250},
	{"hugging face token", "hf_ api_org_", alnum, 30, 50},
	{"npm token", "npm_", alnum, 36, 36},
	{"pypi token", "pypi-", word, 50, unbounded},
	{"rubygems key", "rubygems_", hexes, 48, 48},
	{"crates.io token", "cio", alnum, 32, 32},
	{"twilio key", "SK", hexes, 32, 32},
	{"mailgun key", "key-", hexes, 32, 32},
	{"brevo key", "xkeysib- xsmtpsib-", word, 64, 100},
	{"shopify token", "shpat_ shpca_ shppa_ shpss_", hexes, 32, 32},
	{"square token", "sq0atp- sq0csp- sq0idp-", word, 22, 50},
	{"square token", "EAAA", word, 60, 64},
	{"facebook token", "EAA", alnum, 80, 500},
	{"instagram token", "IGQV", word, 80, 500},
	{"digitalocean token", "dop_v1_ doo_v1_ dor_v1_", hexes, 64, 64},
	{"cloudflare token", "cfut_ cfat_ cfk_", word, 36, 80},
	{"cloudflare origin key", "v1.0-", hexes | dash, 100, 200},
	{"new relic key", "NRAK- NRJS- NRII- NRIQ- NRRA-", alnum, 19, 60},
	{"sonar token", "sqa_ sqp_ squ_", hexes, 40, 40},
	{"sentry token", "sntrys_ sntryu_ sntryi_", word | base, 40, 500},
	{"heroku key", "HRKU-", word, 36, 100},
	{"linear key", "lin_api_ lin_oauth_", alnum, 32, 100},
	{"notion token", "ntn_", alnum, 40, 60},
	{"notion token", "secret_", alnum, 43, 43},
	{"atlassian token", "ATATT3 ATCTT3 ATSTT3", word | base, 60, 500},
	{"bitbucket app password", "ATBB", alnum, 32, 32},
	{"dropbox token", "sl.", word | dot, 60, unbounded},
	{"postman key", "PMAK-", hexes | dash, 50, 64},
	{"planetscale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", word | dot, 32, 100},
	{"databricks token", "dapi", hexes | dash, 32, 40},
	{"doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", alnum | under | dot, 30, 80},
	{"vault token", "hvs. hvb. hvr.", word, 24, 500},
	{"age key", "AGE-SECRET-KEY-1", upper | digit, 58, 58},
	{"grafana token", "glc_", word | base, 32, 500},
	{"grafana token", "glsa_", alnum | under, 32, 60},
	{"supabase token", "sbp_", hexes, 40, 40},
	{"supabase key", "sb_secret_", word, 20, 80},
	{"figma token", "figd_ figu_", word, 36, 80},
	{"groq key", "gsk_", alnum, 40, 80},
	{"replicate token", "r8_", alnum, 37, 37},
	{"perplexity key", "pplx-", alnum, 40, 64},
	{"xai key", "xai-", alnum, 60, 100},
	{"tavily key", "tvly-", word, 28, 60},
	{"langsmith key", "lsv2_pt_ lsv2_sk_", hexes | under, 40, 60},
	{"pulumi token", "pul-", hexes, 40, 40},
	{"docker token", "dckr_pat_ dckr_oat_", word, 24, 64},
	{"netlify token", "nfp_ nfc_ nfo_ nfu_", alnum, 36, 64},
	{"adafruit key", "aio_", alnum, 28, 28},
	{"easypost key", "EZAK EZTK", alnum, 54, 54},
	{"1password token", "ops_eyJ", word | base, 100, unbounded},
	{"tailscale key", "tskey-", word, 24, 100},
	{"fly token", "fm2_ fo1_", word | base, 40, unbounded},
	{"mapbox token", "sk.eyJ", word | dot, 60, 300},
	{"contentful token", "CFPAT-", word, 40, 50},
	{"typeform token", "tfp_", word, 40, 70},
	{"hubspot token", "pat-na1- pat-eu1- pat-na2- pat-eu2-", hexes | dash, 36, 36},
	{"nvidia key", "nvapi-", word, 40, 100},
	{"sendgrid key", "SG.", word | dot, 66, 66},
	{"nostr key", "nsec1", lower | digit, 58, 58},
	{"mercado pago token", "APP_USR-", hexes | dash, 50, 90},
	{"woocommerce key", "ck_ cs_", hexes, 40, 40},
	{"ntfy token", "tk_", lower | digit, 29, 29},
	{"extended private key", "xprv yprv zprv tprv", alnum, 90, 120},
}

// match checks the token whose prefix stands at text[start:end].
func (t token) match(prefix, text string, start, end int) (Finding, bool) {
	if text[start:end] != prefix || is(at(text, back(text, start, under, 3)-1), word) {
		return Finding{}, false
	}
	stop := run(text, end, t.kinds, t.max+1)
	// Punctuation that ends a sentence is not part of the token.
	for stop > end && is(text[stop-1], dot|dash) {
		stop--
	}
	size := stop - end
	if size < t.min || size > t.max || is(at(text, stop), alnum) || !random(text[end:stop]) {
		return Finding{}, false
	}
	return Finding{t.rule, start, stop}, true
}

// random rejects what only fills the place of a token: one letter again and again, "YOUR_TOKEN", words.
// Among 16 or more bytes of a real token there are at least six different ones, and a digit or a capital where it is not so long that
// no word is. Runs such as abcdef and the word EXAMPLE do not excuse a token that is otherwise complete: nothing is lost with it.
func random(s string) bool {
	if filler(s) {
		return false
	}
	var seen [256]bool
	distinct, digits, uppers := 0, 0, 0
	for i := range len(s) {
		c := s[i]
		if !seen[c] {
			seen[c] = true
			distinct++
		}
		switch {
		case is(c, digit):
			digits++
		case is(c, upper):
			uppers++
		}
	}
	return distinct >= 6 && (digits+uppers > 0 || len(s) >= 24 && !strings.ContainsAny(s, "-_."))
}

// filler tells words that nobody's token holds by chance.
func filler(s string) bool {
	f := strings.ToLower(s)
	return slices.ContainsFunc([]string{"xxxx", "your", "placeholder", "changeme", "redacted"}, func(w string) bool {
		return strings.Contains(f, w)
	})
}

// hashed finds the hash of a password as crypt writes it: $6$salt$hash.
func hashed(text string, start, end int) (Finding, bool) {
	if is(at(text, start-1), alnum|under) {
		return Finding{}, false
	}
	stop := end
	for stop < len(text) && stop-start < 160 && (is(text[stop], b64|word|dot) || text[stop] == '$' || text[stop] == ',') {
		stop++
	}
	for stop > end && strings.IndexByte(".,", text[stop-1]) >= 0 {
		stop--
	}
	v := text[end:stop]
	if len(v) < 22 || strings.IndexByte(v, '$') < 0 || !mixed(v) {
		return Finding{}, false
	}
	return Finding{"password hash", start, stop}, true
}

// openai finds the older keys "sk-" + 32 or more, which other providers use as well.
func openai(text string, start, end int) (Finding, bool) {
	if text[start:end] != "sk-" || is(at(text, start-1), word) {
		return Finding{}, false
	}
	stop := run(text, end, word, 256)
	v := text[end:stop]
	if len(v) < 20 || len(v) > 255 || wordy(v) || !random(v) || !mixed(v) {
		return Finding{}, false
	}
	return Finding{ruleKey, start, stop}, true
}

// telegram finds "123456789:AA…": the digits before the colon belong to the token.
func telegram(text string, start, end int) (Finding, bool) {
	from := back(text, start, digit, 12)
	if n := start - from; n < 8 || n > 10 || text[start:end] != ":AA" ||
		is(at(text, from-1), word) && !strings.HasSuffix(text[:from], "/bot") {
		return Finding{}, false
	}
	stop := run(text, end, word, 40)
	if stop-end != 33 && stop-end != 32 || !random(text[end:stop]) {
		return Finding{}, false
	}
	return Finding{"telegram bot token", from, stop}, true
}

// discord finds bot tokens at their first dot: 23 to 28, 6 or 7, and 27 to 45 bytes between dots.
func discord(text string, i int) (Finding, bool) {
	second := 0
	switch {
	case at(text, i+7) == '.':
		second = i + 7
	case at(text, i+8) == '.':
		second = i + 8
	default:
		return Finding{}, false
	}
	start := back(text, i, word, 30)
	stop := run(text, second+1, word, 50)
	if n := i - start; n < 23 || n > 28 || !strings.Contains("MNO", text[start:start+1]) {
		return Finding{}, false
	}
	if run(text, i+1, word, 10) != second || stop-second-1 < 27 || stop-second-1 > 45 || !mixed(text[start:i]) {
		return Finding{}, false
	}
	return Finding{"discord bot token", start, stop}, true
}

// azureSecret finds Entra client secrets, which have a digit and "Q~" at their fourth to sixth byte.
func azureSecret(text string, start, end int) (Finding, bool) {
	const kinds = word | dot
	if text[start:end] != "Q~" || !is(at(text, start-1), digit) {
		return Finding{}, false
	}
	from := start - 4
	if from < 0 || !tilde(text[from:start-1]) || is(at(text, from-1), kinds) {
		return Finding{}, false
	}
	stop := end
	for stop < len(text) && stop-end < 40 && (is(text[stop], kinds) || text[stop] == '~') {
		stop++
	}
	for stop > end && text[stop-1] == '.' {
		stop--
	}
	if n := stop - end; n < 31 || n > 34 {
		return Finding{}, false
	}
	return Finding{"azure client secret", from, stop}, true
}

func tilde(s string) bool {
	for i := range len(s) {
		if !is(s[i], word|dot) && s[i] != '~' {
			return false
		}
	}
	return true
}

// azureDevOps finds personal access tokens: 84 letters and digits with "AZDO" at the 77th.
func azureDevOps(text string, start, end int) (Finding, bool) {
	from := back(text, start, alnum, 80)
	stop := run(text, end, alnum, 8)
	if text[start:end] != "AZDO" || start-from != 76 || stop-end != 4 || is(at(text, from-1), word) {
		return Finding{}, false
	}
	return Finding{"azure devops token", from, stop}, true
}

// mailchimp finds 32 hex digits and "-us" with a data centre's number.
func mailchimp(text string, start, end int) (Finding, bool) {
	from := back(text, start, hexes, 40)
	stop := run(text, end, digit, 4)
	if start-from != 32 || stop-end < 1 || stop-end > 2 || is(at(text, from-1), word) || is(at(text, stop), alnum) {
		return Finding{}, false
	}
	return Finding{"mailchimp key", from, stop}, true
}

// newRelicLicence finds 36 hex digits and "NRAL".
func newRelicLicence(text string, start, end int) (Finding, bool) {
	from := back(text, start, hexes, 44)
	if text[start:end] != "NRAL" || start-from != 36 || is(at(text, end), alnum) {
		return Finding{}, false
	}
	return Finding{"new relic key", from, end}, true
}

// terraform finds "…14….atlasv1.…".
func terraform(text string, start, end int) (Finding, bool) {
	from := back(text, start, alnum, 20)
	stop := run(text, end, word, 100)
	if start-from != 14 || stop-end < 60 {
		return Finding{}, false
	}
	return Finding{"terraform token", from, stop}, true
}

// airtable finds "pat" + 14, a dot, 64 hex digits.
func airtable(text string, start, end int) (Finding, bool) {
	mid := run(text, end, alnum, 20)
	if is(at(text, start-1), word) || mid-end != 14 || at(text, mid) != '.' {
		return Finding{}, false
	}
	stop := run(text, mid+1, hexes, 70)
	if stop-mid-1 != 64 {
		return Finding{}, false
	}
	return Finding{"airtable token", start, stop}, true
}

// jwt finds JSON web tokens: the first part must decode to an object that names an algorithm.
func jwt(text string, start, end int) (Finding, bool) {
	if text[start:end] != "eyJ" || is(at(text, start-1), word) {
		return Finding{}, false
	}
	head := run(text, end, word, unbounded)
	if at(text, head) != '.' {
		return Finding{}, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(text[start:head])
	if err != nil {
		return Finding{}, false
	}
	var header struct {
		Alg string `json:"alg"`
	}
	if json.Unmarshal(raw, &header) != nil || header.Alg == "" {
		return Finding{}, false
	}
	stop, parts := head, 1
	for parts < 5 && at(text, stop) == '.' {
		next := run(text, stop+1, word, len(text))
		if next == stop+1 && parts != 1 && parts != 2 { // only key and signature may be empty
			break
		}
		stop = next
		parts++
	}
	if parts < 3 || stop-head < 12 {
		return Finding{}, false
	}
	return Finding{"json web token", start, stop}, true
}

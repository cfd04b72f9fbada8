package redact

import "strings"

// public tells what a published format says is no secret, however drawn it looks: signatures, certificates and public keys in armour,
// the fingerprints of keys, the key of a mail server's signatures, the nonce of a websocket, what is left of a masked number, and the
// name of a variable where its value will stand. [weigh] asks of each value that the model takes for secret, or nearly.
func (r *reader) public(v value) bool {
	text, s := r.text, r.text[v.start:v.stop]
	lead := text[max(0, v.start-80):v.start]
	return r.armoured(v) || fingerprint(text, v.start) ||
		foldPrefix(s, "hmac-sha") || strings.HasPrefix(s, "#{") || strings.HasSuffix(lead, "#{") ||
		strings.HasSuffix(lead, "p=") && strings.Contains(lead, "v=DKIM1") || // RFC 6376
		websocket(lead) ||
		len(s) == 4 && run(s, 0, digit, 4) == 4 && strings.HasSuffix(strings.TrimRight(lead, " -"), "****")
}

// published tells a value that its source publishes, or whose first or last word is one; it is not weighed in parts either. Of figures
// alone only a rule tells that: they are what people choose as well.
func (r *reader) published(v value) bool {
	last := r.lastWord(v)
	for n := range 3 {
		part := v.span()
		switch n {
		case 1:
			part.stop = r.endOf(v.first, part.start, 0)
		case 2:
			if last == v.start {
				return false
			}
			part = span{last, r.endOf(v.first, last, 0)}
		}
		if part.stop-part.start >= judged {
			part.stop = extent(r.text, part.start, 0, false, longestPublic+1)
		}
		if s := r.text[part.start:part.stop]; kinds(s)&^digit != 0 && example(s, r.tests) {
			if part.stop > r.shown.stop {
				r.shown = part
			}
			return true
		}
	}
	return false
}

// armoured tells what lies in one of the blocks that are given away, or starts in a published value. Values are asked in their order.
func (r *reader) armoured(v value) bool {
	for len(r.given) > 0 && r.given[0].End <= v.start {
		r.given = r.given[1:]
	}
	return r.shown.start <= v.start && v.start < r.shown.stop || len(r.given) > 0 && r.given[0].Start <= v.start
}

// givenAway are the blocks of text in armour (RFC 7468, RFC 9580) that are made to be given away.
func givenAway(text string) (blocks []Finding) {
	const begin, end = "-----BEGIN ", "-----END "
	for at := 0; ; {
		from := strings.Index(text[at:], begin)
		if from < 0 {
			return blocks
		}
		from += at
		size := strings.Index(text[from:], end)
		if size < 0 {
			return blocks
		}
		at = from + size
		label, _, _ := strings.Cut(text[from+len(begin):at], "-----")
		if strings.Contains(label, "SIGNATURE") || strings.Contains(label, "PUBLIC KEY") || strings.Contains(label, "CERTIFICATE") {
			blocks = append(blocks, Finding{label, from, at})
		}
	}
}

// fingerprint tells a hash of a usual length whose bytes are written in pairs (RFC 4716): of a key, a certificate.
func fingerprint(text string, i int) bool {
	from := back(text, i, hexes, 2)
	for from > 2 && text[from-1] == ':' && back(text, from-1, hexes, 3) == from-3 {
		from -= 3
	}
	n := 0
	for i = from; run(text, i, hexes, 3) == i+2; i += 3 {
		if n++; at(text, i+2) != ':' {
			break
		}
	}
	return (n == 16 || n == 20 || n == 28 || n == 32 || n == 48 || n == 64) && at(text, i+2) != ':'
}

// websocket tells the headers of a handshake (RFC 6455), whose values are used once.
func websocket(lead string) bool {
	lead = fold(strings.TrimRight(lead, " \"'"))
	return strings.HasSuffix(lead, "sec-websocket-key:") || strings.HasSuffix(lead, "sec-websocket-accept:")
}

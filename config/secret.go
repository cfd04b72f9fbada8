package config

import "log/slog"

// A Secret is a value that never appears in print: not by fmt, slog, JSON or TOML. The text is
// string(s), which the one place that sends it to a server writes out.
type Secret string

const masked = "********"

// String masks the value.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return masked
}

// GoString masks the value for %#v.
func (s Secret) GoString() string { return `config.Secret("` + s.String() + `")` }

// MarshalText masks the value in JSON, TOML and everything else that asks for text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText takes the value as it is; Load resolves env:NAME afterwards.
func (s *Secret) UnmarshalText(text []byte) error { *s = Secret(text); return nil }

// LogValue masks the value in logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

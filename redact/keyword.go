package redact

import "strings"

// keywords lists what the scanner looks for, and who looks closer. Order decides between rules that find the same span.
func keywords() []keyword {
	var out []keyword
	for _, t := range tokens {
		for _, p := range strings.Fields(t.prefixes) {
			out = append(out, keyword{fold(p), func(text string, start, end int) (Finding, bool) {
				return t.match(p, text, start, end)
			}})
		}
	}
	add := func(m matcher, words ...string) {
		for _, w := range words {
			out = append(out, keyword{w, m})
		}
	}
	add(openai, "sk-")
	add(telegram, ":aa")
	add(azureSecret, "q~")
	add(azureDevOps, "azdo")
	add(mailchimp, "-us")
	add(newRelicLicence, "nral")
	add(terraform, ".atlasv1.")
	add(airtable, "pat")
	add(jwt, "eyj")
	add(webhook("slack webhook"), "hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/")
	add(webhook("discord webhook"), "discord.com/api/webhooks/", "discordapp.com/api/webhooks/")
	add(webhook("teams webhook"), "webhook.office.com/webhookb2/")
	add(private, "<private")
	add(pem, "-----begin ")
	add(putty, "private-lines:")
	add(seed, "seed phrase", "recovery phrase", "mnemonic", "secret recovery")
	add(urlPassword, "://")
	add(authorization, "authorization", "bearer ")
	add(curlUser, " -u ", " --user ")
	add(assignment, "password", "passwd", "pwd", "passphrase", "passwort", "kennwort", "contraseña", "contrasena", "mot de passe",
		"secret", "token", "key", "credential", "signature", "sig=")
	return out
}

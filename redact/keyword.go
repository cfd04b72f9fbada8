package redact

import "strings"

// keywords lists what the scanner looks for, and who looks closer. Order decides between rules that find the same span.
func keywords() []keyword {
	var out []keyword
	for _, t := range tokens {
		for _, p := range strings.Fields(t.prefixes) {
			out = append(out, keyword{text: fold(p), match: func(text string, start, end int) (Finding, bool) {
				return t.match(p, text, start, end)
			}})
		}
	}
	add := func(m matcher, words ...string) {
		for _, w := range words {
			out = append(out, keyword{text: w, match: m})
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
	add(seed, "seed", "recovery phrase", "mnemonic", "secret recovery", "12 word", "24 word", "metamask", "ledger", "trezor")
	add(piped, "chpasswd", "passwd --stdin", "password-stdin", "sudo -s")
	for _, id := range identities() {
		for _, name := range id.names {
			add(id.named(name), name)
		}
	}
	add(dial, "left", "right", "links", "rechts", "gauche", "droite", "izquierda", "derecha", "sinistra", "destra", "esquerda", "direita")
	add(pgpass, ":5432:", ":5433:", ":6432:")
	add(wifi, "wifi:")
	add(wallet, "wallet(", "privatekeytoaccount(")
	add(urlPassword, "://")
	add(authorization, "authorization", "bearer ")
	add(armour, "ls0tls1crudjti", "b3blbnnzac1rzxktdje", "ibaakc", "migh", "mc4caqawbqydk2vwbciei", "mhccaqeei", "miievqibadan")
	add(torn, "-----end ")
	add(hashed, "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$7$", "$apr1$", "$argon2", "$scrypt$", "$pbkdf2")
	add(beforeHost, "@")
	add(linked, "/reset/", "/magic/", "/verify/", "/invite/", "/confirm/", "/activate/", "/token/", "/unsubscribe/")
	for _, c := range commands {
		for p := range strings.SplitSeq(c.programs, "|") {
			add(c.match, p)
		}
	}
	return out
}

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
	add(answer, "security question", "security answer", "secret question", "memorable word", "sicherheitsfrage")
	add(piped, "chpasswd", "passwd --stdin", "password-stdin", "sudo -s")
	add(pgpass, ":5432:", ":5433:", ":6432:")
	add(wifi, "wifi:")
	add(wallet, "wallet(", "privatekeytoaccount(")
	add(urlPassword, "://")
	add(authorization, "authorization", "bearer ")
	add(armour, "ls0tls1crudjti", "b3blbnnzac1rzxktdje", "ibaakc", "migh", "mc4caqawbqydk2vwbciei", "mhccaqeei", "miievqibadan")
	add(torn, "-----end ")
	add(hashed, "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$7$", "$apr1$", "$argon2", "$scrypt$", "$pbkdf2")
	add(callee, "connect", "signin", "authenticate", "credential", "client", "bearer", "auth(", "pdo(", "session(", "key(", "token(")
	add(linked, "/reset/", "/magic/", "/verify/", "/invite/", "/confirm/", "/activate/", "/token/", "/unsubscribe/")
	add(account, "login", "user", "username", "credentials", "creds", "zugang", "zugangsdaten", "auth", "@", " / ")
	for _, c := range commands {
		for p := range strings.SplitSeq(c.programs, "|") {
			add(c.match, p)
		}
	}
	for _, w := range append([]string{
		"pass", "pwd", "pw", "mdp", "pswd", "passwort", "kennwort", "contrasena", "wachtwoord", "senha", "clave", "psk", "parola", "heslo",
		"adgangskode", "salasana",
		"secret", "token", "key", "credential", "auth", "sessionid", "session_id", "session-id", "session id", "sessid", "sid", "salt",
		"csrf", "xsrf",
		"signature", "securestring", "sig=", "appid", "code", "pin", "puk", "cvv", "cvc", "ssn", "social security",
	}, foreignNames...) {
		out = append(out, keyword{text: w, named: true})
	}
	for _, c := range clueWords {
		for _, w := range strings.Fields(c.words) {
			out = append(out, keyword{text: strings.ReplaceAll(w, "_", " "), clue: c.clue})
		}
	}
	for f := range shortFlags {
		out = append(out, keyword{text: fold(" " + f + " "), clue: clue{secret: 1, program: true}})
	}
	return out
}

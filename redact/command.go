package redact

import "strings"

// A command takes a password on its command line.
type command struct {
	programs string // how its line begins: what stands before the flag, separated by "|"
	flags    string // separated by blanks
	between  string // what parts the name from the password in the flag's value: "-u bob:password"
	attached bool   // the value stands right behind the flag, and only there: "-ppassword"
}

var commands = []command{
	{programs: "curl", flags: "-u --user -U --proxy-user", between: ":"},
	{programs: "sshpass", flags: "-p"},
	{programs: "sshpass|mysql|mariadb|7z", flags: "-p", attached: true},
	{programs: "redis-cli", flags: "-a"},
	{programs: "docker login|podman login|registry login|az login|oc login|buildah login|skopeo login|mongo|htpasswd", flags: "-p"},
	{programs: "ldapsearch|ldapadd|ldapmodify|ldapwhoami|ldappasswd|ldapdelete", flags: "-w"},
	{programs: "smbclient|rpcclient|winexe|smbmap", flags: "-U", between: "%"},
	{programs: "unzip|zip |sqlcmd|mosquitto_pub|mosquitto_sub|bcp ", flags: "-P"},
	{programs: "plink|pscp|psftp", flags: "-pw"},
}

// match takes the password from the command line that begins at text[start:end].
func (c command) match(text string, start, end int) (Finding, bool) {
	if is(at(text, start-1), word|dot) {
		return Finding{}, false
	}
	line := text[end:min(len(text), end+300)]
	if i := strings.IndexAny(line, "\n\r"); i >= 0 {
		line = line[:i]
	}
	for _, flag := range strings.Fields(c.flags) {
		i := strings.Index(line, " "+flag)
		if i < 0 {
			continue
		}
		i += end + 1 + len(flag)
		if gap := run(text, i, space, 4); c.attached != (gap == i) {
			continue
		} else {
			i = quotes(text, gap)
		}
		stop := i
		for stop < len(text) && stop-i < 300 && strings.IndexByte(" \t\r\n\"'`", text[stop]) < 0 {
			stop++
		}
		if c.between != "" {
			name, _, ok := strings.Cut(text[i:stop], c.between)
			if !ok {
				continue
			}
			i += len(name) + 1
		}
		if v := text[i:stop]; len(v) < 4 || placeholder(v) || strings.IndexByte("$-/<%{", v[0]) >= 0 || run(v, 0, digit, 5) == len(v) ||
			c.attached && len(v) < 8 && run(v, 0, lower, 8) == len(v) {
			continue
		}
		return Finding{rulePassword, i, stop}, true
	}
	return Finding{}, false
}

package redact

import "strings"

// A command takes a password on its command line.
type command struct {
	programs string // how its line begins: what stands before the flag, separated by "|"
	flags    string // separated by blanks
	between  string // what parts the name from the password in the flag's value: "-u bob:password"
	attached bool   // the value stands right behind the flag, and only there: "-ppassword"
	words    int    // without flags: the words between the program and the value
}

var commands = []command{
	{programs: "curl", flags: "-u --user -U --proxy-user", between: ":"},
	{programs: "sshpass", flags: "-p"},
	{programs: "sshpass|mysql|mariadb|7z", flags: "-p", attached: true},
	{programs: "redis-cli", flags: "-a"},
	{programs: "docker login|podman login|registry login|az login|oc login|buildah login|skopeo login|mongo|htpasswd|cqlsh", flags: "-p"},
	{programs: "ldapsearch|ldapadd|ldapmodify|ldapwhoami|ldappasswd|ldapdelete", flags: "-w"},
	{programs: "smbclient|rpcclient|winexe|smbmap", flags: "-U", between: "%"},
	{programs: "unzip|zip |sqlcmd|mosquitto_pub|mosquitto_sub|bcp ", flags: "-P"},
	{programs: "plink|pscp|psftp", flags: "-pw"},
	{programs: "http |https |xh ", flags: "-a --auth", between: ":"},
	{programs: "openssl", flags: "-passin -passout -pass", between: "pass:"},
	{programs: "openssl enc", flags: "-k"},
	{programs: "gpg ", flags: "--passphrase"},
	{programs: "ipmitool", flags: "-P"},
	{programs: "ssh-keygen", flags: "-N -P"},
	{programs: "rclone", flags: "obscure"},
	{programs: "net user |/user:", words: 1},
	{programs: "htpasswd -b |htpasswd -bc |htpasswd -cb |htpasswd -bb |htpasswd -bbc |htpasswd -cbb ", words: 2},
	{programs: "htpasswd -nb |htpasswd -nbb |htpasswd -bn |htpasswd -bnb ", words: 1},
	{programs: "mc alias set ", words: 3},
	{programs: "rabbitmqctl add_user |rabbitmqctl change_password ", words: 1},
	{programs: "snmp-server|snmp", flags: "community"},
	{programs: "snmpwalk|snmpget|snmpset|snmpbulkwalk", flags: "-c"},
	{programs: "snmpwalk|snmpget|snmpset|snmpbulkwalk", flags: "-A"},
	{programs: "snmpwalk|snmpget|snmpset|snmpbulkwalk", flags: "-X"},
}

// match takes the password from the command line that begins at text[start:end].
func (c command) match(text string, start, end int) (Finding, bool) {
	if is(at(text, start-1), word|dot) {
		return Finding{}, false
	}
	if text[end-1] == ' ' {
		end-- // the flag's own
	}
	line := text[end:min(len(text), end+300)]
	if i := strings.IndexAny(line, "\n\r"); i >= 0 {
		line = line[:i]
	}
	if c.flags == "" {
		return positional(text, end, end+len(line), c.words)
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
		ends := " \t\r\n\"'`"
		if mark := text[i-1]; mark == '"' || mark == '\'' { // blanks within quotation marks are the value's own
			ends = "\r\n" + string(mark)
		}
		stop := i
		for stop < len(text) && stop-i < 300 && strings.IndexByte(ends, text[stop]) < 0 {
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

// positional takes the value behind some words of the line text[i:end]: net user bob S3cr3t!pass /add.
func positional(text string, i, end, words int) (Finding, bool) {
	i = run(text, i, space, 4)
	for range words {
		for i < end && !is(text[i], space) {
			i++
		}
		i = run(text, i, space, 4)
	}
	i = min(quotes(text, i), end)
	stop := min(extent(text, i, 0, false, judged), end)
	v := text[i:stop]
	if len(v) < 6 || strings.IndexByte("$-/<%{*", v[0]) >= 0 || strings.IndexByte("dchm", lookOf(v, 0)) < 0 || kinds(v)&digit == 0 {
		return Finding{}, false
	}
	return Finding{rulePassword, i, stop}, true
}

// piped takes the password in: echo 'bob:S3cr3t!pass' | chpasswd, and echo S3cr3t!pass | sudo -S.
func piped(text string, start, end int) (Finding, bool) {
	from := max(0, start-judged)
	line := text[from:start]
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		from, line = from+i+1, line[i+1:]
	}
	echo := strings.Index(line, "echo ")
	if echo < 0 || !strings.Contains(line, "|") {
		return Finding{}, false
	}
	i := quotes(text, run(text, from+echo+len("echo"), space, 4))
	user := run(text, i, word|dot, 40)
	if foldPrefix(text[start:end], "chpasswd") {
		if at(text, user) != ':' {
			return Finding{}, false
		}
		i = user + 1
	}
	stop := i
	for stop < start && strings.IndexByte(" \t\"'`|", text[stop]) < 0 {
		stop++
	}
	v := text[i:stop]
	return Finding{rulePassword, i, stop}, len(v) > 3 && !placeholder(v) && v[0] != '$' && v[0] != '-'
}

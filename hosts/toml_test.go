package hosts

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/reverie-memory/reverie/internal/tomledit"
)

var testLaunch = Launch{Binary: "/opt/reverie/bin/reverie", OS: "linux", Prompts: map[string]string{"dream": "Dream.\n"}}

func TestTOML(t *testing.T) {
	part := tomlServer("mcp_servers")
	const own = "[mcp_servers.reverie]\ncommand = \"/opt/reverie/bin/reverie\"\nargs = [\"mcp\"]\n"
	for _, c := range []struct{ name, before, after, removed string }{
		{"nothing", "", own, ""},
		{"without a last line break", "model = \"x\"", "model = \"x\"\n\n" + own, "model = \"x\"\n"},
		{
			"other servers", "[mcp_servers.a]\ncommand = 'x' # mine\n\n# last\n",
			"[mcp_servers.a]\ncommand = 'x' # mine\n\n# last\n\n" + own, "[mcp_servers.a]\ncommand = 'x' # mine\n\n# last\n",
		},
		{
			"an older path, and what a person added",
			"[mcp_servers.reverie]\ncommand = \"/old/reverie\" # mine\n" +
				"args = [\n  \"mcp\", # the verb\n  \"--tools\", \"all\",\n]\n" +
				"startup_timeout_sec = 30\n\n[mcp_servers.reverie.env]\nX = \"1\"\n\n[other]\na = 1\n",
			"[mcp_servers.reverie]\ncommand = \"/opt/reverie/bin/reverie\" # mine\n" +
				"args = [\n  \"mcp\", # the verb\n  \"--tools\", \"all\",\n]\n" +
				"startup_timeout_sec = 30\n\n[mcp_servers.reverie.env]\nX = \"1\"\n\n[other]\na = 1\n",
			"\n\n[other]\na = 1\n",
		},
		{
			"another vault", "[mcp_servers.reverie]\nargs = [ 'mcp', '--vault', '/v' ]\ncommand = '/opt/reverie/bin/reverie'\n",
			"[mcp_servers.reverie]\nargs = [\"mcp\"]\ncommand = '/opt/reverie/bin/reverie'\n", "",
		},
		{
			"another name",
			"[mcp_servers.\"my memory\"]\ncommand = \"/old/reverie\"\nargs = [\"mcp\"]\n[mcp_servers.\"my memory\".env]\nX = \"1\"\n",
			own + "[mcp_servers.reverie.env]\nX = \"1\"\n", "",
		},
		{
			"two", own + "\n[mcp_servers.memory]\ncommand = \"/old/reverie\"\nargs = [\"mcp\"]\n[z]\n", own + "\n[z]\n", "\n[z]\n",
		},
		{
			"dotted keys", "mcp_servers.reverie.command = '/old/reverie'\nx = 1\n",
			"mcp_servers.reverie.command = \"/opt/reverie/bin/reverie\"\nmcp_servers.reverie.args = [\"mcp\"]\nx = 1\n", "x = 1\n",
		},
		{"a server by HTTP", "[mcp_servers.reverie]\nurl = \"http://127.0.0.1:7431/mcp\"\n", own, ""},
		{"line ends of Windows", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(own, "\n", "\r\n"), "a = 1\r\n"},
		{
			"a text that looks like a table", "a = '''\n[mcp_servers.reverie]\n'''\n[mcp_servers]\n",
			"a = '''\n[mcp_servers.reverie]\n'''\n[mcp_servers]\n\n" + own, "a = '''\n[mcp_servers.reverie]\n'''\n[mcp_servers]\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, err := part.add([]byte(c.before), testLaunch)
			if err != nil || string(after) != c.after {
				t.Fatalf("add: %v\n%s\nwant\n%s", err, after, c.after)
			}
			if again, err := part.add(after, testLaunch); err != nil || string(again) != c.after {
				t.Errorf("the second time: %v\n%s", err, again)
			}
			if removed, err := part.remove(after); err != nil || string(removed) != c.removed {
				t.Errorf("remove: %v\n%q\nwant\n%q", err, removed, c.removed)
			}
		})
	}
}

func TestTOMLThatIsNotEdited(t *testing.T) {
	for _, bad := range []string{
		"a = ", "mcp_servers = 3\n", "mcp_servers = { a = { command = 'x' } }\n",
		"[mcp_servers]\nreverie = { command = '/old/reverie', args = ['mcp'] }\n",
	} {
		if got, err := tomlServer("mcp_servers").add([]byte(bad), testLaunch); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

// Adding changes nothing but the server, and taking it out gives the other values back.
func FuzzTOML(f *testing.F) {
	for _, s := range []string{
		"", "a = 1", "[mcp_servers]\n", "[mcp_servers.a]\ncommand='x'\n", "[[x]]\na=1\n", "# c\r\n",
		"[mcp_servers.reverie]\ncommand='/o/reverie'\n#c\n",
		"mcp_servers.x.command = \"reverie\"\nmcp_servers.x.args = ['mcp']\n", "a = \"\"\"\n[x]\n\"\"\"", "\xef\xbb\xbfa=1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		part := tomlServer("mcp_servers")
		after, err := part.add(src, testLaunch)
		if err != nil {
			return
		}
		again, err := part.add(after, testLaunch)
		if err != nil || string(again) != string(after) {
			t.Fatalf("%q: the second time: %v, %q", after, err, again)
		}
		removed, err := part.remove(after)
		if err != nil {
			t.Fatalf("%q: %v", after, err)
		}
		if a, b := others(t, src), others(t, removed); !reflect.DeepEqual(a, b) {
			t.Fatalf("%q became %q", src, removed)
		}
	})
}

// others are the values without any server of Reverie.
func others(t *testing.T, src []byte) map[string]any {
	t.Helper()
	v := map[string]any{}
	if err := toml.Unmarshal([]byte(strings.TrimPrefix(string(src), string(utf8BOM))), &v); err != nil {
		t.Fatal(err)
	}
	if servers, ok := v["mcp_servers"].(map[string]any); ok {
		f, err := tomledit.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range ownServers(tomlServers{"mcp_servers", f}) {
			delete(servers, s.name)
		}
		if len(servers) == 0 {
			delete(v, "mcp_servers")
		}
	}
	return v
}

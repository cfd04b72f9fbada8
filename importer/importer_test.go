package importer

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// put writes files into a folder and returns it.
func put(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// packed writes files into a zip archive.
func packed(t testing.TB, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.zip")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// readAll reads what lies at a path.
func readAll(t *testing.T, path string) (messages []Found, problems []*PlaceError) {
	t.Helper()
	e, err := Open(path, All())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for m, err := range e.Messages() {
		var place *PlaceError
		switch {
		case errors.As(err, &place):
			problems = append(problems, place)
		case err != nil:
			t.Fatal(err)
		default:
			messages = append(messages, m)
		}
	}
	return messages, problems
}

// told is a message as tests compare it: form, conversation with its title, role and speaker, time, text; then its facts.
func told(ms []Found) []string {
	var out []string
	for _, m := range ms {
		at := "-"
		if m.At != nil {
			at = m.At.UTC().Format("2006-01-02T15:04:05")
		}
		out = append(out, fmt.Sprintf("%s|%s|%s|%s|%s|%s|%s", m.Form, m.ChatID, m.Title, m.Role, m.Speaker, at, m.Content))
		if m.SourceFile+m.AddedBy != "" {
			out = append(out, "  filed|"+m.SourceFile+"|"+m.AddedBy)
		}
		for _, f := range m.Facts {
			out = append(out, fmt.Sprintf("  fact|%s|%s|%s|%s", f.At.UTC().Format("2006-01-02"), f.Category, f.Content,
				strings.Join(f.Tags, ",")))
		}
	}
	return out
}

const gptChats = `[{"id":"c1","title":"Trip","create_time":1704067200,"current_node":"d","mapping":{
 "r":{"id":"r","parent":null,"children":["a"],"message":null},
 "a":{"id":"a","parent":"r","children":["b","d"],"message":{"id":"a","author":{"role":"user"},"create_time":1704067201.5,` +
	`"content":{"content_type":"text","parts":["Where to?"]}}},
 "b":{"id":"b","parent":"a","children":[],"message":{"id":"b","author":{"role":"assistant"},"create_time":1704067202,` +
	`"content":{"content_type":"text","parts":["Rome."]}}},
 "d":{"id":"d","parent":"a","children":[],"message":{"id":"d","author":{"role":"assistant"},"create_time":1704067203,` +
	`"content":{"content_type":"multimodal_text","parts":[{"asset_pointer":"x"},"Porto.",{"content_type":"audio_transcription",` +
	`"text":"Or Faro."}]}}}}},
 {"id":"c2","title":null,"mapping":{"x":{"parent":"x","message":{"id":"x","author":{"role":"tool","name":"browser"},` +
	`"content":{"content_type":"code","text":"look()"}}}}, "current_node":"x"}]`

// forms are small exports of each form, with what arrives of them.
var forms = map[string]struct {
	files map[string]string
	want  []string
}{
	"chatgpt": {map[string]string{"conversations.json": gptChats}, []string{
		"ChatGPT|c1|Trip|user||2024-01-01T00:00:01|Where to?", "ChatGPT|c1|Trip|assistant||2024-01-01T00:00:03|Porto.\nOr Faro.",
		"ChatGPT|c2||tool|browser|-|look()",
	}},
	"claude": {map[string]string{"conversations.json": `[{"uuid":"c1","name":"Tea","created_at":"2024-12-01T10:00:00Z","chat_messages":[
		{"uuid":"m1","sender":"human","text":"Hello","content":[{"type":"text","text":"Hello"}],"created_at":"2024-12-01T10:00:05Z",
		 "attachments":[{"file_name":"a.txt","extracted_content":"pasted"}]},
		{"uuid":"m2","sender":"assistant","text":"Look.\n\nThere.","content":[{"type":"thinking","thinking":"hm"},{"type":"text",` +
		`"text":"Look."},
		 {"type":"tool_use","input":{"content":"a paper"}}],"created_at":"soon"}]}]`}, []string{
		"Claude|c1|Tea|user||2024-12-01T10:00:05|Hello", "Claude|c1|Tea|tool|a.txt|2024-12-01T10:00:05|pasted",
		"Claude|c1|Tea|assistant||2024-12-01T10:00:00|Look.\n\nThere.", "Claude|c1|Tea|tool||2024-12-01T10:00:00|a paper",
	}},
	"claude branches": {map[string]string{"one.json": `{"uuid":"c1","name":"N","current_leaf_message_uuid":"m3","chat_messages":[
		{"uuid":"m1","sender":"human","text":"q","parent_message_uuid":"root"},{"uuid":"m2","sender":"assistant","text":"old",` +
		`"parent_message_uuid":"m1"},
		{"uuid":"m3","sender":"assistant","text":"new","parent_message_uuid":"m1"}]}`}, []string{
		"Claude|c1|N|user||-|q", "Claude|c1|N|assistant||-|new",
	}},
	"open webui": {map[string]string{"chats.json": `[{"id":"c1","title":"T","chat":{"title":"T","history":{"currentId":"m2","messages":{
		"m1":{"id":"m1","parentId":null,"role":"user","content":"q","timestamp":1704067200},
		"m2":{"id":"m2","parentId":"m1","role":"assistant","content":"a","model":"llama","timestamp":1704067201},
		"m3":{"id":"m3","parentId":"m1","role":"assistant","content":"other"}}}}}]`}, []string{
		"Open WebUI|c1|T|user||2024-01-01T00:00:00|q", "Open WebUI|c1|T|assistant|llama|2024-01-01T00:00:01|a",
	}},
	"slack": {map[string]string{
		"users.json": `[{"id":"U1","name":"ann","real_name":"Ann Lee"}]`,
		"general/2016-01-14.json": `[{"type":"message","user":"U1","text":"<@U1> saw <https://a.example|it> &amp; ` +
			`left","ts":"1452837352.000006"},
			{"type":"message","subtype":"bot_message","text":"","bot_id":"B1","attachments":[{"pretext":"1 ` +
			`commit","text":"fix"}],"ts":"1452837353.0"}]`,
	}, []string{
		"Slack|slack-general|#general|import|Ann Lee|2016-01-15T05:55:52|@Ann Lee saw it (https://a.example) & left",
		"Slack|slack-general|#general|tool|B1|2016-01-15T05:55:53|1 commit\nfix",
	}},
	"gemini": {map[string]string{
		"Takeout/My Activity/Gemini Apps/MyActivity.json": `[{"header":"Gemini Apps","title":"Prompted Best ` +
			`islands?",
		"time":"2026-04-20T18:24:31.187Z","products":["Gemini Apps"],"safeHtmlItem":[{"html":"<p>Naxos &amp; ` +
			`Crete</p><ul><li>one</li></ul>"}]},
		{"header":"Gemini Apps","title":"Gave feedback: Good response","time":"2026-04-20T18:25:31.187Z"},
		{"header":"Gemini Apps","title":"Prompted Hi","time":"2026-04-20T09:00:00Z"}]`,
		"Takeout/My Activity/Gemini Apps/MeineAktivitaeten.json": `[{"header":"Gemini-Apps","title":"Eingabe: Wetter?",
		"time":"2026-04-19T08:00:00Z","products":["Gemini"],"safeHtmlItem":[{"html":"Sun"}]}]`,
	}, []string{
		"Gemini|gemini-2026-04-19||tool||2026-04-19T08:00:00|Eingabe: Wetter?", "Gemini|gemini-2026-04-19||assistant||2026-04-19T08:00:00|Sun",
		"Gemini|gemini-2026-04-20||user||2026-04-20T09:00:00|Hi",
		"Gemini|gemini-2026-04-20||user||2026-04-20T18:24:31|Best islands?",
		"Gemini|gemini-2026-04-20||assistant||2026-04-20T18:24:31|Naxos & Crete\n- one",
	}},
	"gemini page": {map[string]string{
		"Takeout/My Activity/Gemini Apps/MyActivity.html": activities(
			"Gemini Apps|Prompted&nbsp;Best islands?<br>For two &amp; a dog<br>Attached 1 file.<br>-&nbsp; <a href=\"a-1.png\">a.png</a><br>"+
				"Apr 20, 2026, 8:24:31\u202fPM CEST<br><p>Naxos &amp; Crete</p><div><ul><li>one</li></ul></div>|0a1b",
			"Gemini Apps|Prompted&nbsp;Second<br>Apr 20, 2026, 11:00:00\u202fAM CEST<br><p>B</p>|",
			"Gemini Apps|Prompted&nbsp;First<br>Apr 20, 2026, 11:00:00\u202fAM CEST<br><p>A</p>|",
			"Gemini Apps|Gave feedback: Good response<br>Apr 20, 2026, 9:00:00\u202fAM CEST<br>|",
			"Search|Searched for&nbsp;hats<br>Apr 20, 2026, 9:00:00\u202fAM CEST<br>|",
		),
		"Takeout/Meine Aktivitäten/Gemini-Apps/MeineAktivitäten.html": activities(
			"Gemini-Apps|Eingegebener Prompt:&nbsp;Wetter?<br>19.04.2026, 10:00:00 MESZ<br><p>Sun</p>|",
		),
		"Takeout/My Activity/Search/MyActivity.html": activities("Search|Searched for&nbsp;hats<br>Apr 20, 2026, 9:00:00\u202fAM CEST<br>|"),
	}, []string{
		"Gemini|gemini-2026-04-19||tool||2026-04-19T08:00:00|Eingegebener Prompt: Wetter?",
		"Gemini|gemini-2026-04-19||assistant||2026-04-19T08:00:00|Sun",
		"Gemini|gemini-2026-04-20||user||2026-04-20T09:00:00|First", "Gemini|gemini-2026-04-20||assistant||2026-04-20T09:00:00|A",
		"Gemini|gemini-2026-04-20||user||2026-04-20T09:00:00|Second", "Gemini|gemini-2026-04-20||assistant||2026-04-20T09:00:00|B",
		"Gemini|gemini-0a1b||user||2026-04-20T18:24:31|Best islands?\nFor two & a dog",
		"Gemini|gemini-0a1b||assistant||2026-04-20T18:24:31|Naxos & Crete\n- one",
	}},
	"mem0": {
		map[string]string{"memories.json": `{"results":[{"id":"a","memory":"Likes  tea","user_id":"alice","categories":["food"],
		"created_at":"2025-02-03T04:05:06.789-07:00"}],"relations":[{"source":"alice","relationship":"works_at","target":"Acme"}]}`},
		[]string{
			"mem0|mem0-alice||agent||2025-02-03T11:05:06|Likes  tea", "  fact|2025-02-03|food|Likes tea|food",
			"mem0|mem0-mem0||agent||2024-05-06T07:08:09|alice works at Acme", "  fact|2024-05-06||alice works at Acme|",
		},
	},
	"mcp memory": {map[string]string{"memory.json": `{"type":"entity","name":"Alice","entityType":"person","observations":["Speaks ` +
		`Greek","Alice sails"]}
		{"type":"relation","from":"Alice","to":"Acme","relationType":"works_at"}`}, []string{
		"MCP memory|mcp-memory-Alice||agent||2024-05-06T07:08:09|Alice (person)\n- Speaks Greek\n- Alice sails",
		"  fact|2024-05-06||Alice: Speaks Greek|", "  fact|2024-05-06||Alice sails|",
		"MCP memory|mcp-memory-relations||agent||2024-05-06T07:08:09|Alice works at Acme", "  fact|2024-05-06||Alice works at Acme|",
	}},
	"mcp memory in one object": {map[string]string{"memory.json": "{\n" +
		"\"entities\":[{\"name\":\"Bo\",\"entityType\":\"cat\",\"observations\":[\"Purrs\"]}],\"relations\":[]}"}, []string{
		"MCP memory|mcp-memory-Bo||agent||2024-05-06T07:08:09|Bo (cat)\n- Purrs", "  fact|2024-05-06||Bo: Purrs|",
	}},
	"basic-memory": {map[string]string{"notes/Tea.md": "---\ntitle: Tea\ntype: note\npermalink: notes/tea\n---\n# Tea\n\n" +
		"## Observations\n- [method] Boil the water #tea #hot (kettle)\n- plain\n\n## Relations\n- pairs_with [[Cake]]\n"}, []string{
		"basic-memory|basic-memory-notes/tea|Tea|agent||2024-05-06T07:08:09|# Tea\n\n## Observations\n- [method] Boil the water #tea " +
			"#hot (kettle)\n- plain\n\n" +
			"## Relations\n- pairs_with [[Cake]]",
		"  fact|2024-05-06|method|Boil the water (kettle)|tea,hot", "  fact|2024-05-06||Tea pairs with Cake|",
	}},
	"basic-memory without a permalink": {map[string]string{
		"notes/Tea.md":   "---\ntitle: Tea\ntype: note\n---\n\n- [method] Boil the water\n",
		"notes/Plain.md": "---\ntitle: A page\n---\n\n- [ ] a task\n- see [[Tea]]\n",
	}, []string{
		"basic-memory|basic-memory-notes/Tea.md|Tea|agent||2024-05-06T07:08:09|- [method] Boil the water",
		"  fact|2024-05-06|method|Boil the water|",
	}},
	"mempalace": {map[string]string{
		"index.md": "# Palace Export\n",
		"work/db.md": "# work / db\n\n## drawer_1\n\n> We chose Postgres.\n> It is fine.\n\n| Field | Value |\n|-------|-------|\n| " +
			"Source | chat.md |\n" +
			"| Filed | 2025-01-02T03:04:05.123456 |\n| Added by | claude |\n\n---\n\n## drawer_2\n\n> Two.\n\n| Field | Value |\n" +
			"|-------|-------|\n" +
			"| Source | unknown |\n| Filed | unknown |\n| Added by | unknown |\n\n---\n\n",
	}, []string{
		"MemPalace|mempalace-work-db||import||2025-01-02T03:04:05|We chose Postgres.\nIt is fine.",
		"  filed|chat.md|claude",
		"MemPalace|mempalace-work-db||import||-|Two.",
	}},
	"jsonl": {
		map[string]string{"a.jsonl": "\ufeff" + oneLine + strings.Replace(oneLine, `"session":1,`, "", 1)},
		[]string{"JSONL|c-s1||user|Alice|2026-06-01T10:00:00|hello", "JSONL|c||user|Alice|2026-06-01T10:00:00|hello"},
	},
	"transcript": {map[string]string{"s1.jsonl": `{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-06-09T14:32:00Z",` +
		`"message":{"content":"I moved."}}
{"type":"assistant","uuid":"u2","sessionId":"s1","timestamp":"2026-06-09T14:32:01Z","message":{"content":[{"type":"tool_use","id":"t1",` +
		`"name":"mcp__reverie__search"}]}}
{"type":"user","uuid":"u3","sessionId":"s1","timestamp":"2026-06-09T14:32:02Z","message":{"content":[{"type":"tool_result",` +
		`"tool_use_id":"t1","content":"recalled"}]}}
{"type":"assistant","uuid":"u5","isSidechain":true,"sessionId":"s1","timestamp":"2026-06-09T14:32:02Z","message":{"content":"aside"}}
{"type":"assistant","uuid":"u4","sessionId":"s1","timestamp":"2026-06-09T14:32:03Z","message":{"content":[{"type":"text","text":"Noted."}]}}
`}, []string{"transcript|s1||user||2026-06-09T14:32:00|I moved.", "transcript|s1||assistant||2026-06-09T14:32:03|Noted."}},
}

const oneLine = `{"conversation":"c","session":1,"session_datetime":"2026-06-01T10:00:00","speaker":"Alice","dia_id":"D1","text":"hello"}` +
	"\n"

// Each form arrives, out of a folder and out of an archive alike, and again as the same messages.
func TestForms(t *testing.T) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			dir := put(t, form.files)
			day := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
			for file := range form.files {
				if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(file)), day, day); err != nil {
					t.Fatal(err)
				}
			}
			first, problems := readAll(t, dir)
			if diff := cmp.Diff(form.want, told(first)); diff != "" || len(problems) > 0 {
				t.Errorf("problems %v, messages (-want +got):\n%s", problems, diff)
			}
			again, _ := readAll(t, packed(t, form.files))
			for i := range first {
				if i >= len(again) || first[i].ID != again[i].ID || first[i].TurnID != again[i].TurnID || first[i].Place != again[i].Place {
					t.Errorf("message %d has other ids in an archive", i)
				}
			}
		})
	}
}

// One that comes before others leaves their ids as they are, and what comes behind leaves the turns.
func TestGrownFilesKeepIDs(t *testing.T) {
	short, _ := readAll(t, put(t, map[string]string{"a.jsonl": oneLine}))
	rest := ""
	for i := range GroupSize + 5 {
		rest += strings.Replace(oneLine, "D1", fmt.Sprint("E", i), 1)
	}
	long, _ := readAll(t, put(t, map[string]string{"a.jsonl": oneLine + rest}))
	if long[0].TurnID != short[0].TurnID || long[GroupSize-1].TurnID != long[0].TurnID || long[GroupSize].TurnID == long[0].TurnID {
		t.Errorf("turns %s, then %s and %s", short[0].TurnID, long[0].TurnID, long[GroupSize].TurnID)
	}
	old, _ := readAll(t, put(t, map[string]string{"conversations.json": gptChats}))
	other, _ := readAll(t, put(t, map[string]string{"conversations.json": strings.Replace(gptChats, `"current_node":"d"`,
		`"current_node":"b"`, 1)}))
	if old[0].ID == "" || old[0].ID != other[0].ID || old[1].ID == other[1].ID {
		t.Errorf("ids %s and %s, on the other branch %s and %s", old[0].ID, old[1].ID, other[0].ID, other[1].ID)
	}
}

// A message has the same id in every file that holds it, wherever it stands there, and no other message has it.
func TestIDsDoNotHangOnFiles(t *testing.T) {
	var said []string
	for i := range 30 { // without an id, with one, and with the ids of each file counted anew; some words come again
		said = append(said, fmt.Sprintf(`{"conversation":"c","speaker":"Al","text":"no %d"}`, i%20),
			fmt.Sprintf(`{"conversation":"c","speaker":"Al","text":"id %d","dia_id":"x%d"}`, i, i),
			fmt.Sprintf(`{"conversation":"c","speaker":"Al","text":"day %d","dia_id":"%d"}`, i, i%10))
	}
	of := func(files ...[]string) map[string]string {
		ids, names := map[string]string{}, map[string]string{}
		for i, lines := range files {
			names[fmt.Sprint(i, ".jsonl")] = strings.Join(lines, "\n")
		}
		ms, _ := readAll(t, put(t, names))
		for _, m := range ms {
			if before, twice := ids[m.ID]; twice && before != m.Content {
				t.Errorf("%q and %q share an id", before, m.Content)
			}
			ids[m.ID] = m.Content
		}
		return ids
	}
	want := of(said)
	if len(want) != len(said) {
		t.Fatalf("%d ids of %d messages", len(want), len(said))
	}
	for name, got := range map[string]map[string]string{
		"in two files":        of(said[:30], said[30:]),
		"in files that share": of(said[:60], said[21:]),
		"behind a new one":    of(append([]string{`{"conversation":"c","speaker":"Al","text":"first"}`}, said...)),
		"mended":              of(append([]string{said[0], "{"}, said[1:]...), said),
	} {
		for id, text := range want {
			// Two equal ones in two files are taken for one.
			if got[id] != text && !strings.HasPrefix(text, "no ") {
				t.Errorf("%s: %q is missing, or has another id", name, text)
			}
		}
		if most := len(want) + 1; len(got) > most {
			t.Errorf("%s: %d messages came of %d", name, len(got), most)
		}
	}
	tail := of(said[60:])
	for id, text := range tail {
		if !strings.HasPrefix(text, "no ") && want[id] != text {
			t.Errorf("alone: %q has another id", text)
		}
	}
}

// What is told anew under the id of before is another message; what is told again is the same.
func TestEditsAreMessagesOfTheirOwn(t *testing.T) {
	for name, tt := range map[string]struct{ file, text, old, new string }{
		"mem0":  {"m.json", `[{"id":"a","memory":"Likes tea","user_id":"al"}]`, "tea", "coffee"},
		"jsonl": {"a.jsonl", oneLine, "hello", "hallo"},
		"slack": {
			"c/2016-01-14.json", `[{"type":"message","user":"U1","text":"one","ts":"1452837352.000006"}]`, `"one"`,
			`"two","edited":{"user":"U1","ts":"1452837353.0"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			id := func(text string) string {
				ms, problems := readAll(t, put(t, map[string]string{tt.file: text}))
				if len(ms) != 1 || len(problems) > 0 {
					t.Fatalf("%d messages, problems %v", len(ms), problems)
				}
				return ms[0].ID
			}
			if first := id(tt.text); id(tt.text) != first || id(strings.Replace(tt.text, tt.old, tt.new, 1)) == first {
				t.Error("the id is another one again, or stays when the words change")
			}
		})
	}
}

// The id of a fact that stands in an export hangs on what it is a fact of and on its words: not on the others, nor on the time of the file.
func TestFactsKeepTheirIDs(t *testing.T) {
	facts := func(text string) map[string]string {
		ms, _ := readAll(t, put(t, map[string]string{"memory.json": text}))
		out := map[string]string{}
		for _, m := range ms {
			for _, f := range m.Facts {
				out[f.Content] = f.ID
			}
		}
		return out
	}
	const entity = `{"type":"entity","name":"Al","entityType":"person","observations":["Al sails"%s]}`
	short, long := facts(fmt.Sprintf(entity, "")), facts(fmt.Sprintf(entity, `,"Al cooks"`))
	if short["Al sails"] == "" || short["Al sails"] != long["Al sails"] || long["Al cooks"] == "" {
		t.Errorf("facts %v, then %v", short, long)
	}
	other := facts(strings.Replace(fmt.Sprintf(entity, ""), `"name":"Al"`, `"name":"Bo"`, 1))
	if other["Bo: Al sails"] == short["Al sails"] {
		t.Error("two entities share a fact")
	}
	bare := strings.Replace(fmt.Sprintf(entity, ""), `"Al sails"`, "", 1)
	ms, problems := readAll(t, put(t, map[string]string{"memory.json": bare}))
	if len(problems) > 0 || len(ms) != 1 || ms[0].Content != "Al (person)" {
		t.Errorf("of what an entity is %q arrives, problems %v", told(ms), problems)
	}
}

// A fact of a log is taken as it stood there, blanks and all; what a log cannot have becomes one line.
func TestExportedFactsKeepTheirBlanks(t *testing.T) {
	ms, problems := readAll(t, put(t, map[string]string{"e.jsonl": `{"reverie_export":"2026-06-01T00:00:00Z","version":1}
{"fact":{"id":"f000000001","chat_id":"c","at":"2026-06-01T00:00:00Z","content":"two  blanks"}}
{"fact":{"id":"f000000002","chat_id":"c","at":"2026-06-01T00:00:00Z","content":"two\n lines"}}
`}))
	if len(problems) > 0 || len(ms) != 2 || ms[0].Facts[0].Content != "two  blanks" || ms[1].Facts[0].Content != "two lines" {
		t.Errorf("problems %v, facts %+v", problems, ms)
	}
}

// What cannot be understood is named, with its place, and the rest arrives.
func TestProblemsAreNamedAndTheRestGoesOn(t *testing.T) {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for name, tt := range map[string]struct {
		file, text string
		messages   int
		want       string
	}{
		"no JSON":         {"a.jsonl", oneLine + "\n{\n" + oneLine, 2, "a.jsonl:3: "},
		"no conversation": {"a.jsonl", "{}\n" + oneLine, 1, "a.jsonl:1: \"conversation\""},
		"no time":         {"a.jsonl", oneLine + `{"conversation":"c","turn_datetime":"soon"}`, 1, "a.jsonl:2: \"soon\" is not a time"},
		"a time to come":  {"a.jsonl", `{"conversation":"c","turn_datetime":"9999-12-31"}`, 0, "a.jsonl:1: "},
		"a long line": {
			"a.jsonl", oneLine + strings.Repeat("x", maxLine+1) + "\n" + oneLine, 2,
			"a.jsonl:2: the line has more than",
		},
		"bytes":      {"a.jsonl", strings.Replace(oneLine, "hello", "h\xffllo", 1), 1, "a.jsonl:1: bytes that are no UTF-8"},
		"a cut list": {"c.json", strings.TrimSuffix(gptChats, "]"), 3, "c.json:6: the file ends in the middle"},
		"an entry of a list": {
			"c.json", strings.Replace(gptChats, `[{"id":"c1"`, `[17,{"id":"c1"`, 1), 3,
			"c.json:1 (entry 1): an object was expected",
		},
		"a field of another type": {
			"c.json", strings.Replace(gptChats, `"title":"Trip"`, `"title":{"a":[1]}`, 1), 3,
			`c.json:1 (entry 1): "title" is of type object, and is left out`,
		},
		"a conversation of another type": {
			"c.json", `[{"uuid":"y","chat_messages":"nope"},` + "\n" +
				`{"uuid":"z","chat_messages":[{"uuid":"m","sender":"human","text":"Hello."}]}]`, 1,
			`c.json:1 (entry 1): "chat_messages" is of type string`,
		},
		"nodes of another type": {
			"c.json", strings.Replace(gptChats, `[{"id":"c1"`, `[{"id":"c0","mapping":[1,2]},{"id":"c1"`, 1), 3,
			`c.json:1 (entry 1): "mapping" is of type array`,
		},
		"a text of another type": {"a.jsonl", `{"conversation":"c","text":5}` + "\n" + oneLine, 1, `a.jsonl:1: "text" is of type number`},
		"deep JSON":              {"c.json", strings.Replace(gptChats, `"title":"Trip"`, `"title":`+deep, 1), 1, "c.json:1 (entry 1): "},
		"an entry that is no JSON": {
			"c.json", strings.Replace(gptChats, `"title":"Trip"`, `"title":nope\`, 1), 1,
			"c.json:1 (entry 1): invalid character",
		},
		"a long message": {
			"a.jsonl", strings.Replace(oneLine, "hello", strings.Repeat("é", 1_000_001), 1) + oneLine, 1,
			"a.jsonl:1: a message has more than",
		},
		"a long message of a list": {
			"c.json", strings.Replace(gptChats, "look()", strings.Repeat("x", 1_000_001), 1), 2, "c.json:6 (entry 2): a message has more than",
		},
		"a long message of a palace": {
			"r.md",
			"# w / r\n## d1\n> One.\n| Field | Value |\n## d2\n> " + strings.Repeat("x", 1_000_001) + "\n## d3\n> Three.\n", 2,
			"r.md:5: a message has more than",
		},
		"bytes in a note": {
			"n.md", "---\ntitle: Tea\npermalink: tea\n---\nHot \xff tea.\n", 1, "n.md:5: bytes that are no UTF-8",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ms, problems := readAll(t, put(t, map[string]string{tt.file: tt.text}))
			if len(ms) != tt.messages {
				t.Errorf("%d messages arrived, want %d", len(ms), tt.messages)
			}
			if tt.want == "" && len(problems) > 0 || tt.want != "" &&
				(len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), tt.want)) {
				t.Errorf("problems %v, want %q", problems, tt.want)
			}
		})
	}
}

// A field that stands beside the messages costs none of them, and is no problem; one of another type among them is.
func TestWhatStandsBesideCostsNoMessage(t *testing.T) {
	for name, tt := range map[string]struct {
		change [2]string
		beside bool
	}{
		"a title":                        {[2]string{`"title":"Trip"`, `"title":{"a":[1]}`}, true},
		"a title and a time of the chat": {[2]string{`"title":"Trip"`, `"title":5,"create_time":"2024-01-01"`}, true},
		"an id":                          {[2]string{`"id":"c1"`, `"id":5`}, false},
		"a title and the messages": {
			[2]string{`"title":"Trip","create_time":1704067200,"current_node":"d","mapping"`, `"title":5,"mapping":[1],"x"`}, false,
		},
	} {
		_, problems := readAll(t, put(t, map[string]string{"c.json": strings.Replace(gptChats, tt.change[0], tt.change[1], 1)}))
		if len(problems) == 0 || errors.Is(problems[0], ErrBeside) != tt.beside || tt.beside && len(problems) > 1 {
			t.Errorf("%s: %v, of what stands beside: want %v", name, problems, tt.beside)
		}
	}
	var many strings.Builder
	for i := range maxProblems + 5 {
		fmt.Fprintf(&many, `,{"uuid":"c%d","name":5,"chat_messages":[{"uuid":"m%d","sender":"human","text":"Hello."}]}`, i, i)
	}
	ms, _ := readAll(t, put(t, map[string]string{"c.json": "[" + many.String()[1:] + "]"}))
	if len(ms) != maxProblems+5 {
		t.Errorf("%d messages arrived beside names of another type", len(ms))
	}
}

// Whatever is done to an export of any form, what lies beside it arrives, and what does not arrive has a file that is named.
func TestHostileExportsOfAllForms(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 100_000)
	for name, form := range forms {
		for what, spoil := range map[string]func(string) string{
			"cut":           func(s string) string { return s[:len(s)*2/3] },
			"bytes":         func(s string) string { return strings.ReplaceAll(s, "e", "\xff") },
			"zeros":         func(s string) string { return s[:len(s)/2] + strings.Repeat("\x00", 1000) + s[len(s)/2:] },
			"deep":          func(s string) string { return s[:len(s)/2] + deep + s[len(s)/2:] },
			"deep at first": func(s string) string { return deep + s },
			"a long line":   func(s string) string { return s[:len(s)/2] + strings.Repeat("y", maxLine+1) + s[len(s)/2:] },
			"twice":         func(s string) string { return s + s },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				if what == "a long line" && testing.Short() {
					return
				}
				files := map[string]string{"zz.jsonl": oneLine}
				for file, text := range form.files {
					files[file] = spoil(text)
				}
				ms, problems := readAll(t, put(t, files))
				if len(ms) == 0 || ms[len(ms)-1].Content != "hello" {
					t.Errorf("what lies beside it is missing: %q", told(ms))
				}
				for _, p := range problems {
					if _, named := files[p.File]; !named {
						t.Errorf("%v names no file", p)
					}
				}
			})
		}
	}
}

// letters is an importer of another form: each word of a file is a message.
var letters = Importer{
	Name:  "letters",
	Reads: func(name string, _ []byte) bool { return strings.HasSuffix(name, ".txt") },
	Read: func(f File, yield func(Message, error) bool) {
		all, err := io.ReadAll(f)
		for _, word := range strings.Fields(string(all)) {
			m := Message{}
			m.ChatID, m.Role, m.Content = " po\x00st ", "assistant", word
			if !yield(m, err) {
				return
			}
		}
	},
}

// A form is one importer, and names that may not stand in the vault are made such that may.
func TestAFormIsOneImporter(t *testing.T) {
	e, err := Open(put(t, map[string]string{"a.txt": "dear friend", "a.bin": ""}), []Importer{letters})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	n := 0
	for m, err := range e.Messages() {
		if n++; err != nil || m.Role != assistant || !strings.HasPrefix(m.ChatID, "po_st-") || m.ID == "" {
			t.Errorf("%+v: %v", m, err)
		}
	}
	if n != 2 || e.Files() != 1 {
		t.Errorf("%d messages of %d files", n, e.Files())
	}
}

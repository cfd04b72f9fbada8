// Package operations is the list of what may be asked of a workspace. Routes, client and --no-daemon are made from it.
package operations

import (
	"context"
	"net/http"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/op"
)

// The operations. Each is done by a function of a workspace, which takes and gives shapes of package api.
var (
	Remember = New(op.Spec{
		Name: "remember", Method: http.MethodPost, Path: "/memory/turns", Status: http.StatusAccepted,
		Summary: "Remember a conversation turn", Tool: "remember_turn",
	}, Memory.Remember)

	Facts = New(op.Spec{
		Name: "facts", Method: http.MethodPost, Path: "/memory/facts", Status: http.StatusCreated,
		Summary: "Write facts into the daily logs", Tool: "remember", Core: true,
		Doc: "Keep facts for later conversations. A good fact is one claim in one sentence that stands alone: names instead of pronouns " +
			"(\"Alice prefers tea\", not \"she likes it\"), absolute dates (\"on 2026-06-09\", not \"yesterday\"). Keep what the person " +
			"said or decided; not secrets, small talk, or what merely stood in a file or on a web page. The answer has the id and the " +
			"text of each fact that was kept, and what was refused and why.",
	}, Memory.WriteFacts)

	Forget = New(op.Spec{
		Name: "forget", Method: http.MethodPost, Path: "/memory/forget", Destructive: true, Idempotent: true,
		Summary: "Forget by ids, query or conversation", Core: true,
		Doc: "Forget for good what the person wants forgotten, by exactly one of ids, query and chat_id. With query or chat_id, call with " +
			"dry_run first and have the person confirm the list. purge also erases the bytes; nobody can take that back.",
	}, Memory.Forget)

	Unforget = New(op.Spec{
		Name: "unforget", Method: http.MethodPost, Path: "/memory/unforget", Destructive: true, Idempotent: true,
		Summary: "Take back what was forgotten and not purged",
	}, Memory.Unforget)

	Forgettings = New(op.Spec{
		Name: "forgettings", Method: http.MethodGet, Path: "/memory/forgettings", ReadOnly: true,
		Summary: "List what was forgotten, and whether it may be taken back",
	}, none(Memory.Forgettings))

	Search = New(op.Spec{
		Name: "search", Method: http.MethodPost, Path: "/memory/search", ReadOnly: true,
		Summary: "Find what is known about a question", Core: true,
		Doc: "Search the person's memory: facts, conversations, notes and pages. Ask in plain words, as the person would: \"which medicine " +
			"must I avoid\". Each result has an id, a date, the source (file:line) and the origin (whose words it is). Weak results may be " +
			"beside the point. Clipped texts are shown in full by fetch. Where there are no results, try other words once; then " +
			"say that nothing is known.",
	}, Memory.Search)

	Context = New(op.Spec{
		Name: "context", Method: http.MethodPost, Path: "/memory/context", ReadOnly: true,
		Summary: "Build a block of memory to put before a conversation", Core: true,
		Doc: "Get a block of memory to begin a conversation or a topic with: who the person is, what matters most, what bears on the query. " +
			"It is fenced as data.",
	}, Memory.Context)

	Brief = New(op.Spec{
		Name: "brief", Method: http.MethodPost, Path: "/memory/brief",
		Summary: "Tell what is new since an agent's last visit",
		Doc: "What is new since your last visit, and which questions and tasks are open, in at most 800 tokens. Ask once, when a conversation " +
			"begins; peek to look without counting as a visit.",
	}, Memory.Brief)

	SessionContext = New(op.Spec{
		Name: "sessionContext", Method: http.MethodPost, Path: "/memory/session-context", ReadOnly: true,
		Summary: "Tell what to keep and what may go when an assistant's context is shortened", Tool: "session_context",
	}, Memory.SessionContext)

	Import = New(op.Spec{
		Name: "import", Method: http.MethodPost, Path: "/memory/import", Status: http.StatusAccepted, Wait: op.Long, Idempotent: true,
		Summary: "Take in a part of what was said elsewhere", NoTool: true,
	}, Memory.Import)

	Export = New(op.Spec{
		Name: "export", Method: http.MethodGet, Path: "/memory/export", Wait: op.Long, ReadOnly: true,
		Summary: "Give what the vault holds, page by page", NoTool: true,
	}, Memory.Export)

	Imports = New(op.Spec{
		Name: "imports", Method: http.MethodGet, Path: "/memory/imports", ReadOnly: true,
		Summary: "List the imports, the newest first", NoTool: true,
	}, none(Memory.ListImports))

	ImportUndo = New(op.Spec{
		Name: "importUndo", Method: http.MethodPost, Path: "/memory/imports/{id}/undo", Wait: op.Long, Destructive: true, Idempotent: true,
		Summary: "Take back what an import brought", NoTool: true,
	}, Memory.UndoImport)

	Isolate = New(op.Spec{
		Name: "isolate", Method: http.MethodPost, Path: "/memory/isolate", Idempotent: true,
		Summary: "Have a project's memory seen from inside it alone", NoTool: true,
	}, Memory.Isolate)

	Isolated = New(op.Spec{
		Name: "isolated", Method: http.MethodGet, Path: "/memory/isolated", ReadOnly: true,
		Summary: "List the isolated projects", NoTool: true,
	}, none(Memory.Isolated))

	Project = New(op.Spec{
		Name: "project", Method: http.MethodPost, Path: "/memory/project", Idempotent: true,
		Summary: "Tell which project a folder belongs to", NoTool: true,
	}, Memory.Project)

	Profiles = New(op.Spec{
		Name: "profiles", Method: http.MethodGet, Path: "/memory/profiles", ReadOnly: true,
		Summary: "List the profiles by which searches rank, with their phases and flags", NoTool: true,
	}, none(Memory.Profiles))

	Measure = New(op.Spec{
		Name: "measure", Method: http.MethodPost, Path: "/memory/measure", Wait: op.Long,
		Summary: "Measure how well the memory answers, by questions made of what was said", NoTool: true,
	}, Memory.Measure)

	DiaryWrite = New(op.Spec{
		Name: "diaryWrite", Method: http.MethodPost, Path: "/memory/diary", Status: http.StatusCreated,
		Summary: "Write an entry into your own diary, which no other agent sees",
	}, Memory.WriteDiary)

	DiaryRead = New(op.Spec{
		Name: "diaryRead", Method: http.MethodGet, Path: "/memory/diary", ReadOnly: true,
		Summary: "Read the newest entries of your own diary",
	}, Memory.ReadDiary)

	SetCore = New(op.Spec{
		Name: "setCore", Method: http.MethodPost, Path: "/memory/core", Idempotent: true, Destructive: true,
		Summary: "Set what assistants note in persona.md or user.md, beside what the person wrote there",
	}, Memory.SetCore)

	Row = New(op.Spec{
		Name: "row", Method: http.MethodGet, Path: "/memory/rows/{id}", ReadOnly: true,
		Summary: "Show one thing that is remembered", Tool: "fetch", Core: true,
		Doc: "Show one result of search in full, by its id.",
	}, Memory.Row)

	Why = New(op.Spec{
		Name: "why", Method: http.MethodGet, Path: "/memory/receipts/{id}", ReadOnly: true,
		Summary: "Tell how an answer came about, and what changed since",
	}, Memory.Why)

	Pages = New(op.Spec{
		Name: "pages", Method: http.MethodGet, Path: "/memory/pages", ReadOnly: true,
		Summary: "List the pages of the vault", Tool: "list_pages",
	}, Memory.Pages)

	Page = New(op.Spec{
		Name: "page", Method: http.MethodGet, Path: "/memory/page", ReadOnly: true,
		Summary: "Show a page or a core block", Tool: "read_page",
	}, Memory.Page)

	Days = New(op.Spec{
		Name: "days", Method: http.MethodGet, Path: "/memory/days", ReadOnly: true,
		Summary: "List the days of which there are facts or conversations, the newest first", Tool: "list_days",
	}, Memory.Days)

	Day = New(op.Spec{
		Name: "day", Method: http.MethodGet, Path: "/memory/days/{day}", ReadOnly: true,
		Summary: "List the facts of a day", Tool: "read_day",
	}, Memory.Day)

	FactList = New(op.Spec{
		Name: "factList", Method: http.MethodGet, Path: "/memory/facts", ReadOnly: true,
		Summary: "List the facts of all days, the newest first", Tool: "list_facts",
	}, Memory.FactList)

	Reindex = New(op.Spec{
		Name: "reindex", Method: http.MethodPost, Path: "/memory/reindex", Status: http.StatusAccepted, Wait: op.Long, Idempotent: true,
		Summary: "Rebuild the index from the files",
	}, Memory.Reindex)

	Mine = New(op.Spec{
		Name: "mine", Method: http.MethodPost, Path: "/memory/mine", Status: http.StatusAccepted, Wait: op.Long, Idempotent: true,
		Summary: "Make the text of a folder findable where it lies", NoTool: true,
	}, Memory.Mine)

	MinedFolders = New(op.Spec{
		Name: "mined", Method: http.MethodGet, Path: "/memory/mine", ReadOnly: true,
		Summary: "List the mined folders", NoTool: true,
	}, none(Memory.MinedFolders))

	Unmine = New(op.Spec{
		Name: "unmine", Method: http.MethodPost, Path: "/memory/mine/remove", Wait: op.Long, Destructive: true,
		Summary: "Take what is known of a mined folder away; its files stay", NoTool: true,
	}, Memory.Unmine)

	Verify = New(op.Spec{
		Name: "verify", Method: http.MethodPost, Path: "/memory/verify", Wait: op.Long, ReadOnly: true,
		Summary: "Compare the index with a rebuild from the files",
	}, none(Memory.Verify))

	Status = New(op.Spec{
		Name: "status", Method: http.MethodGet, Path: "/memory/status", ReadOnly: true,
		Summary: "Describe the workspace", Core: true,
		Doc: "Tell how the memory stands: how much there is, what waits to be consolidated, and what is degraded.",
	}, none(Memory.Status))

	Usage = New(op.Spec{
		Name: "usage", Method: http.MethodGet, Path: "/memory/usage", ReadOnly: true,
		Summary: "Tell what models cost",
	}, none(Memory.Usage))

	Job = New(op.Spec{
		Name: "job", Method: http.MethodGet, Path: "/memory/jobs/{id}", ReadOnly: true,
		Summary: "Describe a job",
	}, Memory.Job)

	Consolidate = New(op.Spec{
		Name: "consolidate", Method: http.MethodPost, Path: "/memory/consolidate", Wait: op.Loose,
		Summary: "Consolidate the daily logs into pages; cancelled when the client goes away",
	}, Memory.Consolidate)

	DreamStep = New(op.Spec{
		Name: "dreamStep", Method: http.MethodPost, Path: "/memory/dream/step", Wait: op.Loose,
		Summary: "Dream step by step, with the caller as the model", Tool: "dream", Core: true, Prompt: DreamPrompt,
		Doc: "Consolidate the facts of past days into the wiki's pages, when the person asks for it. step run (the default) has rules or the " +
			"configured model do it, which may take minutes. Or you are the model: step next gives facts with their pages, and a run; " +
			"propose takes ops for them and says which were refused and why; go on until next gives no facts; finish has the rules file " +
			"the rest and writes the pages. abandon drops it all.",
	}, Memory.DreamStep)

	Dreams = New(op.Spec{
		Name: "dreams", Method: http.MethodGet, Path: "/memory/dreams", ReadOnly: true,
		Summary: "List the dreams, the newest first",
	}, Memory.Dreams)

	Dream = New(op.Spec{
		Name: "dream", Method: http.MethodGet, Path: "/memory/dreams/{id}", Wait: op.Long, ReadOnly: true,
		Summary: "Tell what a dream changed and what became of each fact", Tool: "dream_report",
	}, Memory.Dream)

	DreamUndo = New(op.Spec{
		Name: "dreamUndo", Method: http.MethodPost, Path: "/memory/dreams/{id}/undo", Wait: op.Long, Destructive: true,
		Summary: "Take a dream back",
	}, Memory.UndoDream)

	DreamCancel = New(op.Spec{
		Name: "dreamCancel", Method: http.MethodPost, Path: "/memory/dreams/cancel", Idempotent: true,
		Summary: "Stop the dream that runs; nothing is lost",
	}, none(Memory.CancelDream))

	Lint = New(op.Spec{
		Name: "lint", Method: http.MethodGet, Path: "/memory/lint", Wait: op.Long, ReadOnly: true,
		Summary: "Look for what is wrong with the wiki",
	}, Memory.Lint)

	PalaceStatus = New(op.Spec{
		Name: "palaceStatus", Method: http.MethodGet, Path: "/memory/palace/status", ReadOnly: true,
		Summary: "Count drawers, wings and rooms", Tool: "memory_status",
	}, Memory.PalaceStatus)

	Wings = New(op.Spec{
		Name: "wings", Method: http.MethodGet, Path: "/memory/palace/wings", ReadOnly: true,
		Summary: "List the wings with their drawers counted", Tool: "memory_list_wings",
	}, Memory.Wings)

	Rooms = New(op.Spec{
		Name: "rooms", Method: http.MethodGet, Path: "/memory/palace/rooms", ReadOnly: true,
		Summary: "List the rooms with their drawers counted", Tool: "memory_list_rooms",
	}, Memory.Rooms)

	Taxonomy = New(op.Spec{
		Name: "taxonomy", Method: http.MethodGet, Path: "/memory/palace/taxonomy", ReadOnly: true,
		Summary: "Count the drawers of each room of each wing", Tool: "memory_get_taxonomy",
	}, Memory.Taxonomy)

	Traverse = New(op.Spec{
		Name: "traverse", Method: http.MethodGet, Path: "/memory/palace/traverse", ReadOnly: true,
		Summary: "Walk from a room to others through the wings that they share", Tool: "memory_traverse",
	}, Memory.Traverse)

	Tunnels = New(op.Spec{
		Name: "tunnels", Method: http.MethodGet, Path: "/memory/palace/tunnels", ReadOnly: true,
		Summary: "List the rooms that several wings share", Tool: "memory_find_tunnels",
	}, Memory.Tunnels)

	RoomGraph = New(op.Spec{
		Name: "roomGraph", Method: http.MethodGet, Path: "/memory/palace/stats", ReadOnly: true,
		Summary: "Sum up how rooms join wings", Tool: "memory_graph_stats",
	}, Memory.RoomGraph)

	PalaceRun = New(op.Spec{
		Name: "palaceRun", Method: http.MethodPost, Path: "/memory/palace/run", Status: http.StatusAccepted,
		Summary: "Have a worker of the palace work now, as a job", NoTool: true,
	}, Memory.PalaceRun)

	PalaceWorkers = New(op.Spec{
		Name: "palaceWorkers", Method: http.MethodGet, Path: "/memory/palace/workers", ReadOnly: true,
		Summary: "Tell how the palace's workers stand, and count drawers by state", NoTool: true,
	}, none(Memory.PalaceWorkers))

	ListDrawers = New(op.Spec{
		Name: "listDrawers", Method: http.MethodGet, Path: "/memory/drawers", ReadOnly: true,
		Summary: "List drawers, those that were said last first",
	}, Memory.ListDrawers)

	ShowDrawer = New(op.Spec{
		Name: "showDrawer", Method: http.MethodGet, Path: "/memory/drawers/{id}", ReadOnly: true,
		Summary: "Tell all that is known of a drawer",
	}, Memory.ShowDrawer)

	AddDrawer = New(op.Spec{
		Name: "addDrawer", Method: http.MethodPost, Path: "/memory/drawers", Status: http.StatusCreated,
		Summary: "File a text word for word in a room of a wing", Tool: "memory_add_drawer",
	}, Memory.AddDrawer)

	DeleteDrawer = New(op.Spec{
		Name: "deleteDrawer", Method: http.MethodPost, Path: "/memory/drawers/delete", Destructive: true, Idempotent: true,
		Summary: "Forget a drawer, with the facts that were taken from it", Tool: "memory_delete_drawer",
	}, Memory.DeleteDrawer)

	MoveDrawers = New(op.Spec{
		Name: "moveDrawers", Method: http.MethodPost, Path: "/memory/drawers/move", Idempotent: true,
		Summary: "Move drawers to another wing, room or hall, with what was taken from them", NoTool: true,
	}, Memory.MoveDrawers)

	ArchiveDrawers = New(op.Spec{
		Name: "archiveDrawers", Method: http.MethodPost, Path: "/memory/drawers/archive", Idempotent: true,
		Summary: "Put drawers away, so that searches find them no more",
	}, Memory.ArchiveDrawers)

	RestoreDrawers = New(op.Spec{
		Name: "restoreDrawers", Method: http.MethodPost, Path: "/memory/drawers/restore", Idempotent: true,
		Summary: "Bring drawers back that were put away",
	}, Memory.RestoreDrawers)

	PartDrawers = New(op.Spec{
		Name: "partDrawers", Method: http.MethodPost, Path: "/memory/drawers/part", Idempotent: true,
		Summary: "Part drawers from those that they were merged into or superseded by",
	}, Memory.PartDrawers)

	Compact = New(op.Spec{
		Name: "compact", Method: http.MethodPost, Path: "/memory/palace/compact", Wait: op.Long, Idempotent: true,
		Summary: "Put drawers away that newer ones tell, behind a summary, or bring them back",
	}, Memory.Compact)

	PalaceSearch = New(op.Spec{
		Name: "palaceSearch", Method: http.MethodPost, Path: "/memory/palace/search", ReadOnly: true,
		Summary: "Search the drawers, which hold what was said word for word", Tool: "memory_search",
	}, Memory.PalaceSearch)

	CheckDuplicate = New(op.Spec{
		Name: "checkDuplicate", Method: http.MethodPost, Path: "/memory/palace/duplicate", ReadOnly: true,
		Summary: "Tell whether a text is in a drawer already", Tool: "memory_check_duplicate",
	}, Memory.CheckDuplicate)

	SetIdentity = New(op.Spec{
		Name: "setIdentity", Method: http.MethodPost, Path: "/memory/palace/identity", Idempotent: true, Destructive: true,
		Summary: "Set who the assistant is, in persona.md, beside what the person wrote there", Tool: "memory_set_identity",
	}, Memory.SetIdentity)

	AgentDiaryWrite = New(op.Spec{
		Name: "agentDiaryWrite", Method: http.MethodPost, Path: "/memory/palace/diary", Status: http.StatusCreated,
		Summary: "Write an entry into the diary of an agent that you are or run; no other client sees it", Tool: "memory_diary_write",
	}, Memory.WriteAgentDiary)

	AgentDiaryRead = New(op.Spec{
		Name: "agentDiaryRead", Method: http.MethodGet, Path: "/memory/palace/diary", ReadOnly: true,
		Summary: "Read the newest entries of the diary of an agent that you are or run", Tool: "memory_diary_read",
	}, Memory.ReadAgentDiary)

	GraphQuery = New(op.Spec{
		Name: "graphQuery", Method: http.MethodGet, Path: "/memory/kg/query", ReadOnly: true,
		Summary: "Tell how somebody or something relates to others, and from when until when", Tool: "memory_kg_query", Core: true,
		Doc: "Who lives, works or is what, since when, and what was before: the triples of an entity. valid_to is exclusive: the first " +
			"day on " +
			"which it no longer holds. Where several bear the name, they are listed as ambiguous: ask which is meant. " +
			"At most the 200 newest are told.",
	}, Memory.GraphQuery)

	GraphAsk = New(op.Spec{
		Name: "graphAsk", Method: http.MethodGet, Path: "/memory/kg/ask", ReadOnly: true,
		Summary: "Ask the graph in plain words, such as what was before something", Tool: "kg_ask",
	}, Memory.GraphAsk)

	GraphAdd = New(op.Spec{
		Name: "graphAdd", Method: http.MethodPost, Path: "/memory/kg/triples", Status: http.StatusCreated,
		Summary: "Assert that something holds", Tool: "memory_kg_add",
	}, Memory.GraphAdd)

	GraphInvalidate = New(op.Spec{
		Name: "graphInvalidate", Method: http.MethodPost, Path: "/memory/kg/invalidate", Idempotent: true,
		Summary: "Say that something no longer holds; ended is the first day on which it does not. Nothing is deleted",
		Tool:    "memory_kg_invalidate",
	}, Memory.GraphInvalidate)

	GraphTimeline = New(op.Spec{
		Name: "graphTimeline", Method: http.MethodGet, Path: "/memory/kg/timeline", ReadOnly: true,
		Summary: "List what held of an entity, or of all, by its first day; valid_to is the first day on which it no longer holds",
		Tool:    "memory_kg_timeline",
	}, Memory.GraphTimeline)

	GraphPath = New(op.Spec{
		Name: "graphPath", Method: http.MethodGet, Path: "/memory/kg/path", ReadOnly: true,
		Summary: "Find the shortest way between two entities", Tool: "kg_path",
	}, Memory.GraphPath)

	GraphStats = New(op.Spec{
		Name: "graphStats", Method: http.MethodGet, Path: "/memory/kg/stats", ReadOnly: true,
		Summary: "Count entities and triples", Tool: "memory_kg_stats",
	}, Memory.GraphStats)
)

// All is every operation of a workspace.
var All = []op.Operation{
	Remember, Facts, Forget, Unforget, Forgettings, Search, Context, Brief, SessionContext, Import, Export, Imports, ImportUndo,
	Isolate, Isolated, Project, Profiles, Measure, DiaryWrite, DiaryRead, SetCore, Row, Why,
	Pages, Page,
	Days, Day, FactList, Reindex, Mine, MinedFolders, Unmine, Verify, Status, Usage, Job, Consolidate, DreamStep, Dreams, Dream, DreamUndo,
	DreamCancel, Lint,
	PalaceStatus, Wings, Rooms, Taxonomy, Traverse, Tunnels, RoomGraph, PalaceRun, PalaceWorkers,
	ListDrawers, ShowDrawer, AddDrawer, DeleteDrawer, MoveDrawers, ArchiveDrawers, RestoreDrawers, PartDrawers, Compact,
	PalaceSearch, CheckDuplicate, SetIdentity, AgentDiaryWrite, AgentDiaryRead,
	GraphQuery, GraphAsk, GraphAdd, GraphInvalidate, GraphTimeline, GraphPath, GraphStats,
}

// New makes an operation of a function of M, whose errors it gives codes.
func New[M, I, O any](s op.Spec, do func(M, context.Context, I) (O, error)) *op.Op[I, O] {
	return &op.Op[I, O]{Spec: s, Do: func(ctx context.Context, memory any, in I) (O, error) {
		out, err := do(memory.(M), ctx, in)
		return out, coded(err)
	}}
}

// none is a function that takes nothing, as one that takes an empty request.
func none[M, O any](do func(M, context.Context) (O, error)) func(M, context.Context, api.Nothing) (O, error) {
	return func(m M, ctx context.Context, _ api.Nothing) (O, error) { return do(m, ctx) }
}

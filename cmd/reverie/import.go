package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/importer"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/server"
)

// importReport is what an import did, or would do.
type importReport struct {
	IDs        []string               `json:"imports,omitempty"`
	Files      int                    `json:"files"`
	Forms      map[string]*formReport `json:"forms"`
	Messages   int                    `json:"messages"`
	Known      int                    `json:"known"`
	Skipped    int                    `json:"skipped"`
	Facts      int                    `json:"facts"`
	Triples    int                    `json:"triples"`
	Events     int                    `json:"events,omitempty"`
	Redactions int                    `json:"redactions"`
	Problems   []string               `json:"problems,omitempty"`
	Warnings   []string               `json:"warnings,omitempty"` // of what costs no message
	More       int                    `json:"more_problems,omitempty"`
	DryRun     bool                   `json:"dry_run,omitempty"`
	Seconds    float64                `json:"seconds"`
}

// formReport is what there is of one form.
type formReport struct {
	Chats    int `json:"chats"`
	Messages int `json:"messages"`

	chats map[string]bool
}

// shownProblems is how many problems are told one by one, and how many warnings at all.
const shownProblems = 20

func (a *app) importCmd() *cobra.Command {
	var transcripts bool
	var hosts []string
	im := importing{app: a}
	c := &cobra.Command{
		Use:   "import PATH... | --transcripts | list | undo ID",
		Short: "Import conversations, facts and notes of other programs",
		Long: `Import takes a file, a folder or a zip archive, and finds out what is in it: the data exports of ChatGPT, Claude,
Gemini (Takeout), Open WebUI and Slack; transcripts of Claude Code, Codex CLI and Gemini CLI; memories of mem0, the MCP
memory server, basic-memory and MemPalace; what 'reverie export' wrote; and JSONL files with one message a line:
  {"conversation":"c1","session":1,"session_datetime":"2026-06-08T09:12:00","speaker":"Alice","text":"…","dia_id":"D1:1"}
role, turn_datetime, platform, wing, room and hall are optional. Speakers such as user, assistant, AI and system are roles; where
several people speak and no role is given, --me NAME says who you are, or --others that you are none of them.

Ids, times, titles and speakers are kept, and facts go into the logs of the days on which they were said. Rules take them:
no model is asked, unless with --with-model. Importing again adds what is new, also after an import that was cut off.
'reverie import list' names what was imported, 'reverie import undo ID' takes an import back.

With --transcripts and no path, the daemon reads all transcripts of the assistants on this machine from their beginning, behind
what is said now.`,
		Args: func(_ *cobra.Command, args []string) error {
			if transcripts == (len(args) > 0) || len(hosts) > 0 && !transcripts {
				return errors.New("name files, or say --transcripts, with --host or without")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if transcripts {
				return a.readHistory(cmd.Context(), hosts)
			}
			return im.run(cmd.Context(), args)
		},
	}
	c.Flags().BoolVar(&transcripts, "transcripts", false, "all transcripts of the assistants on this machine, instead of files")
	c.Flags().StringSliceVar(&hosts, "host", nil, "with --transcripts: only those of this assistant")
	c.Flags().StringVar(&im.wing, "wing", "", "wing to file under where the file names none")
	c.Flags().StringVar(&im.room, "room", "", "room to file under where the file names none")
	c.Flags().StringVar(&im.hall, "hall", "", "hall to file under where the file names none")
	c.Flags().StringSliceVar(&im.whose.Me, "me", nil, "your name, where messages have names and no roles; "+
		"what others say is not taken for yours")
	c.Flags().BoolVar(&im.whose.Others, "others", false,
		"the conversations are other people's: searches find them, and nothing of them is taken "+
			"for yours")
	c.Flags().BoolVar(&im.rep.DryRun, "dry-run", false, "only count, by form, what an import would bring")
	c.Flags().BoolVar(&im.model, "with-model", false, "have the configured model take the facts, which costs calls, instead of rules")
	c.AddCommand(a.importListCmd(), a.importUndoCmd())
	return c
}

func (a *app) importListCmd() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List the imports, the newest first"}
	return verb(a, c, operations.Imports, &api.Nothing{}, func(l api.Imports) {
		for _, i := range l.Imports {
			state := "cut off"
			switch {
			case i.Undone != nil:
				state = "taken back"
			case i.Undoing:
				state = "half taken back"
			case i.Done != nil:
				state = "done"
			}
			a.print("%s  %s  %-15s  %s, %s  %s  %s\n", i.ID, i.At.UTC().Format("2006-01-02 15:04"), state,
				count(i.Messages, "message"), count(i.Facts, "fact"), i.Form,
				i.Path)
		}
	})
}

func (a *app) importUndoCmd() *cobra.Command {
	var in api.ByID
	c := &cobra.Command{Use: "undo ID", Short: "Take back what an import brought"}
	return verb(a, c, operations.ImportUndo, &in, func(u api.Unimported) {
		what := count(u.Messages, "message") + " and " + count(u.Facts, "fact")
		if u.Before != nil {
			a.print("it was taken back already, %s: %s\n", u.Before.UTC().Format("2006-01-02 15:04"), what)
		} else {
			a.print("took back %s\n", what)
		}
		if u.Kept > 0 {
			a.print("%s stay: another import or a conversation told them too\n", count(u.Kept, "message"))
		}
		if len(u.Pages) > 0 {
			a.print("dreams wrote some of it on pages, where it stays: %s\n'reverie dream undo' takes the last dream back, "+
				"'reverie forget' one "+
				"statement\n", strings.Join(u.Pages, ", "))
		}
	}, &in.ID)
}

// importing is one call of the verb.
type importing struct {
	app              *app
	wing, room, hall string
	whose            importer.Whose
	model            bool

	mem   memory
	rep   importReport
	wings map[string]api.Project // of folders
	seen  map[string]bool        // ids of messages, in a dry run
	part  api.Import             // that is being read
	bytes int
	under chan sent // the part that the daemon is taking; nil: none
	bar   *progress
}

// sent is what became of a part that was sent.
type sent struct {
	id       string
	results  []api.ImportResult
	problems []string
	err      error
}

const (
	partMessages = 1000    // of a part, from which it ends with the turn
	partBytes    = 2 << 20 // likewise
	mostMessages = 4000    // of a part, whatever turn goes on
)

func (im *importing) run(ctx context.Context, paths []string) error {
	began := time.Now()
	im.rep.Forms, im.wings, im.seen = map[string]*formReport{}, map[string]api.Project{}, map[string]bool{}
	exports := make([]*importer.Export, len(paths))
	for i, path := range paths { // all are looked at before anything is sent
		e, err := importer.Open(path, importer.All())
		if errors.Is(err, fs.ErrNotExist) {
			return usageError("import %s: there is no such file or folder", path)
		}
		if errors.Is(err, importer.ErrForm) {
			return usageError("import %s: %w", path, err)
		}
		if err != nil {
			return fmt.Errorf("import %s: %w", path, err)
		}
		defer e.Close()
		exports[i], e.Whose = e, im.whose
		if s := e.Strangers(); len(s) > 0 && !im.whose.Others && len(im.whose.Me) == 0 {
			return usageError("import %s: %s speak in it, and no role says which of them you are: name yourself with --me NAME, or say --others",
				path, strings.Join(s, ", "))
		}
		im.rep.Files += e.Files()
	}
	mem, done, err := im.app.memory(ctx)
	if err != nil {
		return err
	}
	defer done()
	im.mem = mem
	for _, e := range exports {
		if err := im.export(ctx, e); err != nil {
			return fmt.Errorf("import %s: %w", e.Path, err)
		}
	}
	im.rep.Seconds = time.Since(began).Seconds()
	if ok, err := im.app.emit(im.rep); ok {
		return errors.Join(err, im.failure())
	}
	im.print()
	return im.failure()
}

// failure says that something could not be understood.
func (im *importing) failure() error {
	if n := len(im.rep.Problems) + im.rep.More; n > 0 {
		return fmt.Errorf("%s could not be taken in; the rest is imported", count(n, "place"))
	}
	return nil
}

// export sends one export, part by part.
func (im *importing) export(ctx context.Context, e *importer.Export) error {
	path, err := filepath.Abs(e.Path)
	if err != nil {
		return err
	}
	im.bar = im.app.progress("import")
	defer im.bar.finish()
	im.part = api.Import{
		Path: path, Form: strings.Join(e.Forms, ", "), Wing: im.wing, Room: im.room, Hall: im.hall, WithModel: im.model,
		DryRun: im.rep.DryRun, Total: int(e.Size),
	}
	err = im.parts(ctx, e)
	return cmp.Or(err, im.wait())
}

// parts reads an export. While the daemon takes a part, the next one is read; no more, for it takes them in their order.
func (im *importing) parts(ctx context.Context, e *importer.Export) error {
	for m, err := range e.Messages() {
		var place *importer.PlaceError
		switch {
		case errors.As(err, &place):
			if filepath.Base(e.Path) == place.File {
				place.File = e.Path
			} else {
				place.File = e.Path + ": " + place.File
			}
			if errors.Is(err, importer.ErrBeside) {
				im.warning(place.Error())
			} else {
				im.problem(place.Error())
			}
			continue
		case err != nil:
			return err
		}
		if im.full(&m.Message) {
			if err := im.send(ctx, e); err != nil {
				return err
			}
		}
		if err := im.add(ctx, m); err != nil {
			return err
		}
	}
	im.part.End = true
	return im.send(ctx, e)
}

// problem keeps what could not be taken in.
func (im *importing) problem(what string) {
	if len(im.rep.Problems) < shownProblems {
		im.rep.Problems = append(im.rep.Problems, what)
	} else {
		im.rep.More++
	}
}

// warning keeps, of the first of them, what is wrong and costs no message.
func (im *importing) warning(what string) {
	if len(im.rep.Warnings) < shownProblems {
		im.rep.Warnings = append(im.rep.Warnings, what)
	}
}

// full tells whether the part is to be sent before a message.
func (im *importing) full(next *importer.Message) bool {
	n := len(im.part.Messages)
	facts, assertions := len(im.part.Facts), len(im.part.Assertions)
	if n+facts+assertions >= mostMessages || max(facts, assertions) >= mostMessages/2 {
		return true
	}
	return n > 0 && (n >= partMessages || im.bytes >= partBytes) && im.part.Messages[n-1].TurnID != next.TurnID || im.bytes >= 4*partBytes
}

func (im *importing) add(ctx context.Context, m importer.Found) error {
	if m.Folder != "" {
		p, err := im.project(ctx, m.Folder)
		if err != nil {
			return err
		}
		if p.Own {
			im.rep.Skipped++
			return nil
		}
		m.Wing = cmp.Or(p.Wing, m.Wing)
	}
	form := im.rep.Forms[m.Form]
	if form == nil {
		form = &formReport{chats: map[string]bool{}}
		im.rep.Forms[m.Form] = form
	}
	if m.Content == "" && len(m.Facts) == 0 {
		im.part.Assertions = append(im.part.Assertions, m.Assertions...)
		return nil
	}
	if !form.chats[m.ChatID] {
		form.chats[m.ChatID] = true
		form.Chats++
	}
	if m.Content != "" {
		form.Messages++
		if im.again(m) {
			im.rep.Known++
			return nil
		}
		im.bytes += len(m.Content)
		im.part.Messages = append(im.part.Messages, m.ImportMessage)
	}
	im.part.Facts = append(im.part.Facts, m.Facts...)
	im.part.Assertions = append(im.part.Assertions, m.Assertions...)
	return nil
}

// again says in a dry run whether a message was there before, as in another file: the daemon keeps nothing by which it could tell.
func (im *importing) again(m importer.Found) bool {
	if !im.rep.DryRun {
		return false
	}
	id := cmp.Or(m.ID, palace.DrawerID(m.ChatID, m.TurnID, m.Place))
	known := im.seen[id]
	im.seen[id] = true
	return known
}

// project is what the daemon knows of a folder.
func (im *importing) project(ctx context.Context, folder string) (api.Project, error) {
	p, known := im.wings[folder]
	if !known {
		var err error
		if p, err = operations.Project.Ask(ctx, im.mem, api.Folder{Folder: folder}); err != nil {
			return p, fmt.Errorf("find the project of %s: %w", folder, err)
		}
		im.wings[folder] = p
	}
	return p, nil
}

// send has the part taken, after the one before, and begins the next one.
func (im *importing) send(ctx context.Context, e *importer.Export) error {
	done := int(min(e.Read(), e.Size))
	if err := im.wait(); err != nil {
		return err
	}
	if im.part.Done = done; im.part.End {
		im.part.Done = int(e.Size)
	}
	im.under = make(chan sent, 1)
	go func(part api.Import, answer chan<- sent) {
		s := sent{id: part.ID}
		s.err = s.take(ctx, im.mem, e.Path, part)
		answer <- s
	}(im.part, im.under)
	im.part.Messages, im.part.Facts, im.part.Assertions, im.bytes = nil, nil, nil, 0
	return nil
}

// wait waits until the part under way is acknowledged, and adds what it brought to the report.
func (im *importing) wait() error {
	if im.under == nil {
		return nil
	}
	s := <-im.under
	im.under = nil
	for _, r := range s.results {
		im.rep.Messages += r.Messages
		im.rep.Known += r.Known
		im.rep.Skipped += r.Skipped
		im.rep.Facts += r.Facts
		im.rep.Triples += r.Triples
		im.rep.Events += r.Events
		im.rep.Redactions += r.Redactions
		if r.Listed != "" && !slices.Contains(im.rep.IDs, r.Listed) {
			im.rep.IDs = append(im.rep.IDs, r.Listed)
		}
		im.app.warn(r.Degraded)
	}
	for _, p := range s.problems {
		im.problem(p)
	}
	im.part.ID = s.id
	if s.err == nil {
		im.bar.set(im.part.Done, im.part.Total)
	}
	return s.err
}

// take has a part of an export taken. One of which something is refused is sent in halves, down to what it is.
func (s *sent) take(ctx context.Context, mem memory, path string, part api.Import) error {
	part.ID = s.id
	r, err := operations.Import.Ask(ctx, mem, part)
	n := len(part.Messages) + len(part.Facts) + len(part.Assertions)
	switch {
	case n == 0 || !refused(err):
	case n == 1:
		s.problems = append(s.problems, path+": "+oneOf(part)+" is left out: "+err.Error())
		if !part.End {
			return nil
		}
		part.Messages, part.Facts, part.Assertions = nil, nil, nil
		r, err = operations.Import.Ask(ctx, mem, part)
	default:
		first, rest, left := part, part, n/2
		first.Messages, rest.Messages = cut(part.Messages, &left)
		first.Facts, rest.Facts = cut(part.Facts, &left)
		first.Assertions, rest.Assertions = cut(part.Assertions, &left)
		first.End = false
		if err := s.take(ctx, mem, path, first); err != nil {
			return err
		}
		return s.take(ctx, mem, path, rest)
	}
	if err != nil {
		return err
	}
	s.id, s.results = r.ID, append(s.results, r)
	for _, p := range r.Problems {
		s.problems = append(s.problems, path+": "+p)
	}
	return nil
}

// cut gives the first of a list, as many as are left, and the rest.
func cut[T any](all []T, left *int) (first, rest []T) {
	n := min(*left, len(all))
	*left -= n
	return all[:n], all[n:]
}

// refused tells whether a part is too large, or something in it cannot be taken.
func refused(err error) bool {
	var fields []api.Field
	var here *api.Error
	var there *server.Problem
	switch {
	case errors.As(err, &there):
		if fields = there.Errors; there.Status == http.StatusRequestEntityTooLarge {
			return true
		}
	case errors.As(err, &here):
		fields = here.Fields
	}
	return slices.ContainsFunc(fields, func(f api.Field) bool {
		return strings.HasPrefix(f.Location, "body.messages") || strings.HasPrefix(f.Location, "body.facts") ||
			strings.HasPrefix(f.Location, "body.assertions")
	})
}

// oneOf is what a part of one message, fact or assertion is called.
func oneOf(part api.Import) string {
	if len(part.Messages) > 0 {
		return fmt.Sprintf("message %q of %q", part.Messages[0].Ref, part.Messages[0].ChatID)
	}
	if len(part.Facts) > 0 {
		return fmt.Sprintf("fact %q of %q", part.Facts[0].ID, part.Facts[0].ChatID)
	}
	a := part.Assertions[0]
	return fmt.Sprintf("assertion %q", strings.Join([]string{a.Subject, a.Predicate, a.Object}, " "))
}

func (im *importing) print() {
	r := &im.rep
	im.app.warnings(r.Warnings)
	for _, p := range r.Problems {
		fmt.Fprintf(im.app.err, "%s\n", p)
	}
	if r.DryRun {
		for _, name := range slices.Sorted(maps.Keys(r.Forms)) {
			im.app.print("%-14s %s, %s\n", name, count(r.Forms[name].Chats, "conversation"), count(r.Forms[name].Messages, "message"))
		}
		im.app.print("would import %s and %s; %d known, %d skipped\n", count(r.Messages, "new message"), count(r.Facts, "fact"), r.Known,
			r.Skipped)
		return
	}
	im.app.print("imported %s and %s from %s; %d known, %d skipped; secrets redacted: %d\n", count(r.Messages, "new message"),
		count(r.Facts, "fact"), count(r.Files, "file"), r.Known, r.Skipped, r.Redactions)
	if r.Triples > 0 {
		im.app.print("%s into the graph\n", count(r.Triples, "triple"))
	}
	if r.Events > 0 {
		im.app.print("%s of drawers and of the graph\n", count(r.Events, "event"))
	}
	if len(r.IDs) > 0 {
		im.app.print("'reverie import undo %s' takes it back\n", strings.Join(r.IDs, " "))
	}
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// Resources are what a person puts before an assistant by hand: pages, days, core blocks. All that is read is fenced as data.
const (
	scheme   = "reverie://"
	markdown = "text/markdown"
	// listed is how many resources a part of the list has at most.
	listed = 100
)

type core struct{ name, path, doc string }

// cores are the core blocks.
var cores = []core{
	{"persona", string(vault.PersonaPath), "Who the assistant is to be"},
	{"user", string(vault.UserPath), "Who the person is"},
	{"memory", string(vault.MemoryPath), "What matters most"},
}

func rowURI(id string) string { return scheme + "rows/" + url.PathEscape(id) }

func pageURI(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return scheme + "pages/" + strings.Join(parts, "/")
}

// addResources offers what the operations of the server can show.
func (s *Server) addResources() {
	if s.named["page"] == nil || s.named["pages"] == nil || s.named["day"] == nil || s.named["days"] == nil || s.named["row"] == nil {
		return
	}
	for _, t := range []sdk.ResourceTemplate{
		{Name: "core", URITemplate: scheme + "core/{block}", Description: "A core block: persona, user or memory"},
		{Name: "page", URITemplate: scheme + "pages/{+path}", Description: "A page of the vault, such as 2_Wiki/Concepts/Tea.md"},
		{Name: "day", URITemplate: scheme + "days/{day}", Description: "The facts of a day, YYYY-MM-DD"},
		{Name: "row", URITemplate: scheme + "rows/{id}", Description: "One thing that is remembered, by the id that search gives"},
	} {
		t.MIMEType = markdown
		s.sdk.AddResourceTemplate(&t, s.readResource)
	}
	s.sdk.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			switch req := req.(type) {
			case *sdk.ListResourcesRequest:
				return s.listResources(ctx, req)
			case *sdk.ReadResourceRequest:
				if strings.ContainsFunc(req.Params.URI, func(r rune) bool { return r <= ' ' || r > '~' }) { // the SDK's error repeats it as it is
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the URI has characters that must be escaped"}
				}
			}
			return next(ctx, method, req)
		}
	})
}

// listResources lists the core blocks, then the pages, then the days. The cursor says in which of them to go on, and from where.
func (s *Server) listResources(ctx context.Context, req *sdk.ListResourcesRequest) (*sdk.ListResourcesResult, error) {
	ctx, done := alive(ctx)
	defer done()
	cursor := ""
	if req.Params != nil {
		cursor = req.Params.Cursor
	}
	kind, from, _ := strings.Cut(cursor, ".")
	offset := 0
	if cursor != "" {
		n, err := strconv.Atoi(from)
		if err != nil || n < 0 || kind != "pages" && kind != "days" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the cursor is none that a list has given"}
		}
		offset = n
	}
	out := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}, Cacheable: sdk.Cacheable{CacheScope: private}}
	add := func(uri, name, title, doc string, size int64) {
		out.Resources = append(out.Resources, &sdk.Resource{
			URI: uri, Name: name, Title: title, Description: doc, MIMEType: markdown, Size: size,
		})
	}
	if cursor == "" {
		for _, c := range cores {
			add(scheme+"core/"+c.name, c.name, "", c.doc, 0)
		}
	}
	who, err := callerOf(ctx, s, req)
	if err != nil {
		return nil, refusal(err)
	}
	part := map[string]any{"limit": listed, "offset": offset}
	if kind != "days" {
		var pages api.Pages
		if err := s.ask(ctx, who, s.named["pages"], part, &pages); err != nil {
			return nil, refusal(err)
		}
		for _, p := range pages.Pages {
			name, title := p.Path, p.Title
			if trust.Bar(trust.Said{Text: name}, trust.Name)+trust.Bar(trust.Said{Text: title},
				trust.Name) != "" { // hosts put the list before assistants, and nothing fences it
				name, title = "page", ""
			}
			add(pageURI(p.Path), name, title, "", p.Bytes)
		}
		out.NextCursor = "days.0"
		if next := offset + listed; next < pages.Total {
			out.NextCursor = fmt.Sprintf("pages.%d", next)
		}
		return out, nil
	}
	var days api.Days
	if err := s.ask(ctx, who, s.named["days"], part, &days); err != nil {
		return nil, refusal(err)
	}
	for _, d := range days.Days {
		if d.Facts {
			add(scheme+"days/"+d.Day, d.Day, "", "Facts of "+d.Day, 0)
		}
	}
	if next := offset + listed; next < days.Total {
		out.NextCursor = fmt.Sprintf("days.%d", next)
	}
	return out, nil
}

// readResource shows what a URI names.
func (s *Server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	ctx, done := alive(ctx)
	defer done()
	uri := req.Params.URI
	kind, name, _ := strings.Cut(strings.TrimPrefix(uri, scheme), "/")
	name, malformed := url.PathUnescape(name)
	if malformed != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	who, err := callerOf(ctx, s, req)
	if err != nil {
		return nil, refusal(err)
	}
	text := ""
	err = api.NotFound
	switch kind {
	case "core":
		if i := slices.IndexFunc(cores, func(c core) bool { return c.name == name }); i >= 0 {
			text, err = s.pageText(ctx, who, cores[i].path)
		}
	case "pages":
		text, err = s.pageText(ctx, who, name)
	case "days":
		text, err = s.dayText(ctx, who, name)
	case "rows":
		text, err = s.rowText(ctx, who, name)
	}
	if code := api.CodeOf(err); code == api.NotFound || code == api.Invalid {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, refusal(err)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: markdown, Text: extract.Fence(text)}}}, nil
}

func (s *Server) pageText(ctx context.Context, who caller, p string) (string, error) {
	var page api.PageText
	err := s.ask(ctx, who, s.named["page"], map[string]any{"path": p}, &page)
	if page.Clipped {
		page.Text += "\n…"
	}
	return page.Text, err
}

func (s *Server) dayText(ctx context.Context, who caller, day string) (string, error) {
	var facts api.DayFacts
	if err := s.ask(ctx, who, s.named["day"], map[string]any{"day": day}, &facts); err != nil {
		return "", err
	}
	if facts.Total == 0 {
		return "", api.NotFound
	}
	var b strings.Builder
	for _, f := range facts.Facts {
		fmt.Fprintf(&b, "- %s\n", line(f))
	}
	if left := facts.Total - len(facts.Facts); left > 0 {
		fmt.Fprintf(&b, "… and %d more\n", left)
	}
	return b.String(), nil
}

func (s *Server) rowText(ctx context.Context, who caller, id string) (string, error) {
	var row api.Row
	err := s.ask(ctx, who, s.named["row"], map[string]any{"id": id}, &row)
	return line(row), err
}

// line tells a row with where it comes from.
func line(r api.Row) string {
	about := []string{r.Date, r.Origin, fmt.Sprintf("%s:%d", path.Base(r.SourceFile), r.Line), r.ID}
	kept := about[:0]
	for _, a := range about {
		if a != "" {
			kept = append(kept, a)
		}
	}
	return fmt.Sprintf("%s (%s)", r.Text, strings.Join(kept, ", "))
}

// refusal is an error of an operation as an error of the protocol, for requests whose results have no place for it.
func refusal(err error) error {
	code := int64(jsonrpc.CodeInternalError)
	if api.CodeOf(err) == api.Invalid {
		code = jsonrpc.CodeInvalidParams
	}
	text := redact.Message(err.Error())
	out := &jsonrpc.Error{Code: code, Message: text}
	var told *api.Error
	if errors.As(err, &told) && told.Hint != "" {
		out.Data, _ = json.Marshal(map[string]string{"hint": told.Hint})
	}
	return out
}

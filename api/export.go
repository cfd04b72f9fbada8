package api

import "encoding/json"

// ExportVersion is that of the form of exports.
const ExportVersion = 1

// An ExportRecord is a line of an export. The first has the version, each other one of the rest.
type ExportRecord struct {
	Export    string           `json:"reverie_export,omitempty" doc:"Of the first line: when it was written."`
	Version   int              `json:"version,omitempty"`
	Drawer    *ImportMessage   `json:"drawer,omitempty"`
	Fact      *ImportFact      `json:"fact,omitempty" doc:"Of a daily log."`
	Diary     *ImportFact      `json:"diary,omitempty"`
	Statement *ExportStatement `json:"statement,omitempty"`
	State     json.RawMessage  `json:"state,omitempty" doc:"A line of a state file, such as an event of the graph."`
	File      string           `json:"file,omitempty" doc:"Where it stands in the vault."`
	Line      int              `json:"line,omitempty"`
}

// ExportStatement is what a line of a page says, with its sources.
type ExportStatement struct {
	Content string   `json:"content"`
	Sources []string `json:"sources,omitempty" doc:"The facts that it rests on, as DAY^ID."`
}

// Export asks for the records of a vault, page by page.
type Export struct {
	After string `query:"after" json:"after,omitempty" maxLength:"1000" doc:"Where the page before ended; empty: from the beginning."`
	Limit int    `query:"limit" json:"limit,omitempty" minimum:"1" maximum:"10000" default:"1000"`
}

// Docs implements [Documented].
func (Export) Docs() map[string]string {
	return map[string]string{
		"limit": "Most records of a page, besides the first line. Only files of .state are cut: the last file of a page may exceed it.",
	}
}

// Exported is a page of an export.
type Exported struct {
	Records []ExportRecord `json:"records" nullable:"false"`
	Next    string         `json:"next,omitempty" doc:"What to ask for next; empty: that was all."`
	Done    int            `json:"done" doc:"Files that are behind it."`
	Total   int            `json:"total"`
}

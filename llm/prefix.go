package llm

import "strings"

// wanted are the prefixes that models were trained with, by a part of their names.
var wanted = []struct{ model, query, document string }{
	{"nomic-embed", "search_query: ", "search_document: "},
	{"embeddinggemma", "task: search result | query: ", "title: none | text: "},
	{"qwen3-embedding", "Instruct: Given a question, retrieve what is remembered about it\nQuery: ", ""},
	{"multilingual-e5-large-instruct", "Instruct: Given a question, retrieve what is remembered about it\nQuery: ", ""},
	{"e5-mistral", "Instruct: Given a question, retrieve what is remembered about it\nQuery: ", ""},
	{"e5-", "query: ", "passage: "},
	{"mxbai-embed", "Represent this sentence for searching relevant passages: ", ""},
	{"snowflake-arctic-embed2", "query: ", ""},
	{"snowflake-arctic-embed", "Represent this sentence for searching relevant passages: ", ""},
	{"bge-m3", "", ""},
	{"bge-", "Represent this sentence for searching relevant passages: ", ""},
}

// prefixes returns what stands before questions and stored texts: what is set, or what the model is known to want.
func prefixes(o EmbedderOptions) (query, document string) {
	name := strings.ToLower(o.Model)
	for _, w := range wanted {
		if strings.Contains(name, w.model) {
			query, document = w.query, w.document
			break
		}
	}
	return override(o.QueryPrefix, query), override(o.DocumentPrefix, document)
}

func override(set, known string) string {
	switch set {
	case "":
		return known
	case NoPrefix:
		return ""
	}
	return set
}

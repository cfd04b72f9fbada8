package indexer

// PageSource is unfinished.
func PageSource() Source { return Source{Name: "page"} }

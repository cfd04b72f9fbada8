package indexer

// CoreSource is unfinished.
func CoreSource() Source { return Source{Name: "core"} }

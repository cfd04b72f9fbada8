package indexer

// LogSource is unfinished.
func LogSource() Source { return Source{Name: "log"} }

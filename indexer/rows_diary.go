package indexer

// DiarySource is unfinished.
func DiarySource() Source { return Source{Name: "diary"} }

package indexer

// DrawerSource is unfinished.
func DrawerSource() Source { return Source{Name: "drawer"} }

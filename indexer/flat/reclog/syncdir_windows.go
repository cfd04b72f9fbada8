package reclog

// Windows cannot sync a folder and keeps names durable by its own journal.
func ignoreUnsupported(error) error { return nil }

package durable

// syncFolder does nothing: Windows has no fsync for folders.
func syncFolder(string) error { return nil }

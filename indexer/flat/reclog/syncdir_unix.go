//go:build !windows

package reclog

func ignoreUnsupported(err error) error { return err }

package main

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// shownLines bounds what is shown of one file's difference.
const shownLines = 60

// compareRecordings prints how the files of two recordings differ; that they do is an error.
func compareRecordings(w io.Writer, before, after string) error {
	a, err := recordedFiles(before)
	if err != nil {
		return err
	}
	b, err := recordedFiles(after)
	if err != nil {
		return err
	}
	names := maps.Clone(a)
	maps.Copy(names, b)
	differ := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a[name] == b[name] {
			continue
		}
		differ++
		lines := strings.SplitAfter(udiff.Unified(filepath.Join(before, name), filepath.Join(after, name), a[name], b[name]), "\n")
		if more := len(lines) - shownLines; more > 0 {
			lines = append(lines[:shownLines], fmt.Sprintf("… and %d lines more\n", more))
		}
		fmt.Fprintln(w, strings.Join(lines, ""))
	}
	fmt.Fprintf(w, "%d of %d files differ\n", differ, len(names))
	if differ > 0 {
		return fmt.Errorf("%s and %s are not the same", before, after)
	}
	return nil
}

// recordedFiles reads all files of a recording, by their path in it.
func recordedFiles(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, filepath.Clean(dir))] = string(data) + "\n" // an empty file differs from none
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s holds no recording", dir)
	}
	return files, err
}

package linear

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
)

// Labels calls each with every line of the JSONL files of a folder, read as a T, in the order of the files and lines. The error of a line
// names both.
func Labels[T any](data fs.FS, folder string, each func(T) error) error {
	files, err := fs.Glob(data, path.Join(folder, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := Lines(data, file, each); err != nil {
			return err
		}
	}
	return nil
}

// Lines is Labels of one file. A line is at most 1 MiB long.
func Lines[T any](data fs.FS, file string, each func(T) error) error {
	content, err := fs.ReadFile(data, file)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var line T
		err := json.Unmarshal(lines.Bytes(), &line)
		if err == nil {
			err = each(line)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", path.Base(file), n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", path.Base(file), err)
	}
	return nil
}

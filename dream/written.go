package dream

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strconv"
)

// writtenTexts are the texts that runs wrote, by [textHash] and in its order: what is not among them, a person wrote or changed.
type writtenTexts []uint64

func (w writtenTexts) has(text string) bool {
	_, ok := slices.BinarySearch(w, textHash(text))
	return ok
}

// written reads what all runs wrote, once for each plan: 0.08 s for 2,000 runs of 50 statements.
func (s store) written() (writtenTexts, error) {
	runs, err := s.runs()
	if err != nil {
		return nil, err
	}
	var all writtenTexts
	for _, run := range runs {
		data, err := s.read(run, writtenFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for l := range bytes.Lines(data) {
			if h, err := strconv.ParseUint(string(bytes.TrimSpace(l)), 16, 64); err == nil {
				all = append(all, h)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

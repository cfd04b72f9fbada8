package vault

import (
	"context"
	"encoding/json"

	"github.com/reverie-memory/reverie/internal/slice"
)

// Records are the lines of the state file Name, each a T.
type Records[T any] struct {
	Name  string
	Parse func(line []byte) (T, error) // nil: as JSON
}

// A Fate is what becomes of a record.
type Fate int

// The fates.
const (
	Stays   Fate = iota // as its line stands
	Changed             // it is written as it is now
	Goes
)

// GoesIf is Goes, or Stays.
func GoesIf(goes bool) Fate {
	if goes {
		return Goes
	}
	return Stays
}

func (r Records[T]) parse(line []byte) (t T, err error) {
	if r.Parse != nil {
		return r.Parse(line)
	}
	err = json.Unmarshal(line, &t)
	return t, err
}

// Append writes records and returns when they are safe on disk.
func (r Records[T]) Append(ctx context.Context, v *Vault, records ...T) error {
	if len(records) == 0 {
		return nil
	}
	return v.AppendState(ctx, r.Name, slice.Map(records, func(t T) any { return t })...)
}

// Each calls fn with each record of v, in the order of the lines. Lines that are none are passed over.
func (r Records[T]) Each(v *Vault, fn func(T)) error {
	_, err := v.ReadState(r.Name, func(_ int, line []byte) error {
		if t, err := r.parse(line); err == nil {
			fn(t)
		}
		return nil
	})
	return err
}

// Edit has edit tell what becomes of each record, and returns whether the file changed; edit may be called several times. Lines that are
// none have the fate that other gives them; nil has them stay. Appends wait meanwhile.
func (r Records[T]) Edit(v *Vault, edit func(*T) Fate, other func(line []byte) Fate) (bool, error) {
	return v.EditState(r.Name, func(line []byte) []byte {
		t, err := r.parse(line)
		fate := Stays
		if err == nil {
			fate = edit(&t)
		} else if other != nil {
			fate = other(line)
		}
		switch fate {
		case Goes:
			return nil
		case Changed:
			if out, err := json.Marshal(&t); err == nil {
				return out
			}
		}
		return line
	})
}

// Problems names the lines that are no records, which count for nothing, beside what [Vault.ReadState] names.
func (r Records[T]) Problems(v *Vault) ([]Problem, error) {
	var bad []Problem
	torn, err := v.ReadState(r.Name, func(n int, line []byte) error {
		if _, err := r.parse(line); err != nil {
			bad = append(bad, Problem{
				Path: Path(StateDir + "/" + r.Name), Line: n, Reason: err.Error(), Hint: "the line counts for nothing; it may be taken out",
			})
		}
		return nil
	})
	return append(torn, bad...), err
}

package operations

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/imports"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// coded gives an error of a workspace's rooms its code, and the hint and the fields that go with it. coded is the one place that knows the
// errors of all rooms.
func coded(err error) error {
	if err == nil {
		return nil
	}
	e := &api.Error{Code: api.CodeOf(err), Detail: err.Error(), Err: err}
	var (
		own     *api.Error
		invalid *palace.InvalidError
		flag    *recall.FlagError
		profile *recall.ProfileError
		file    *vault.Error
		mined   *mine.RefusedError
	)
	if errors.As(err, &file) {
		e.Hint = file.Hint
	}
	fault := vault.Fault(err)
	refuse := func(field, reason string) {
		e.Code, e.Fields = api.Invalid, api.Refuse(field, reason).Fields
	}
	switch {
	case errors.As(err, &own):
		e.Hint, e.Fields = own.Hint, own.Fields
	case e.Code != api.Internal:
	case errors.As(err, &invalid):
		refuse(invalid.Field, invalid.Reason)
	case errors.As(err, &mined):
		refuse("path", mined.Error())
	case errors.Is(err, mine.ErrUnknown):
		e.Code, e.Hint = api.NotFound, "`reverie mine list` tells what is"
	case errors.As(err, &flag):
		refuse("flags."+flag.Flag, flag.Reason)
		if slices.ContainsFunc(worker.DefaultCompaction.Profile().Table(), func(f recall.Flag) bool { return f.Name == flag.Flag }) {
			e.Hint = "POST /memory/palace/compact takes it, as GET /memory/profiles lists it under compaction"
		}
	case errors.As(err, &profile):
		refuse("profile", profile.Error())
	case errors.Is(err, recall.ErrEmpty):
		refuse("query", err.Error())
	case errors.Is(err, recall.ErrK):
		refuse("k", err.Error())
	case errors.Is(err, recall.ErrModel):
		e.Code, e.Hint = api.Conflict, "wait for the rebuild, or leave out model_guard_strict"
	case fault == vault.ErrDiskFull:
		e.Code, e.Hint = api.NoSpace, cmp.Or(e.Hint, vault.Advice(err))
	case fault != nil:
		e.Code, e.Hint = api.Unavailable, cmp.Or(e.Hint, vault.Advice(err))
	case errors.Is(err, catalog.ErrCorrupt):
		e.Code, e.Hint = api.Unavailable, "the index is being filled anew from the vault; try again in a moment"
	case errors.Is(err, imports.ErrNone):
		e.Code, e.Hint = api.NotFound, "`reverie import list` names them"
	case errors.Is(err, vault.ErrLink), errors.Is(err, vault.ErrNotFile):
		e.Code = api.Conflict
	case errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Hint = api.Timeout, "try again; what was acknowledged is stored"
	case errors.Is(err, context.Canceled):
		e.Code = api.Canceled
	}
	return e
}

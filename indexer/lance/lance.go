package lance

import "errors"

// ErrNotBuilt is returned by [Open] in a program that was built without LanceDB.
var ErrNotBuilt = errors.New("lancedb is not part of this build: run `make lancedb`, then `make build`")

// ErrNoLibrary is returned by [Open] when LanceDB's native library cannot be loaded.
var ErrNoLibrary = errors.New("LanceDB's native library cannot be loaded: run `make lancedb`, or name it in REVERIE_LANCEDB_LIB")

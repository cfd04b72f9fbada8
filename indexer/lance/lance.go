package lance

import "errors"

// ErrNotBuilt is returned by [Open] in a program that was built without LanceDB.
var ErrNotBuilt = errors.New("lancedb is not part of this build: run `make lancedb`, then build with `-tags lancedb`")

//go:build lancedb

package lance

// The binding brings the header and leaves the linking to its user. The library is found where
// `make lancedb` puts it, and next to an installed program in ../lib.

// #cgo linux,amd64 LDFLAGS: -L${SRCDIR}/../../.lancedb/linux_amd64 -llancedb_go -lm -ldl -Wl,-rpath,${SRCDIR}/../../.lancedb/linux_amd64 -Wl,-rpath,$ORIGIN/../lib
// #cgo linux,arm64 LDFLAGS: -L${SRCDIR}/../../.lancedb/linux_arm64 -llancedb_go -lm -ldl -Wl,-rpath,${SRCDIR}/../../.lancedb/linux_arm64 -Wl,-rpath,$ORIGIN/../lib
// #cgo darwin,amd64 LDFLAGS: -L${SRCDIR}/../../.lancedb/darwin_amd64 -llancedb_go -Wl,-rpath,${SRCDIR}/../../.lancedb/darwin_amd64 -framework Security -framework CoreFoundation
// #cgo darwin,arm64 LDFLAGS: -L${SRCDIR}/../../.lancedb/darwin_arm64 -llancedb_go -Wl,-rpath,${SRCDIR}/../../.lancedb/darwin_arm64 -framework Security -framework CoreFoundation
// #cgo windows,amd64 LDFLAGS: -L${SRCDIR}/../../.lancedb/windows_amd64 -llancedb_go
// #include <stdlib.h>
// #if defined(__GLIBC__)
// #include <malloc.h>
// static void give_back(void) { malloc_trim(0); }
// #else
// static void give_back(void) {}
// #endif
import "C"

// giveBack returns memory that the library has freed to the system. Building a table takes a few
// times its size for a moment, and glibc would keep that.
func giveBack() { C.give_back() }

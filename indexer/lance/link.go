//go:build lancedb

package lance

// #cgo linux LDFLAGS: -ldl
// #include <stdlib.h>
// int native_load(const char *path, char *why, size_t size);
// void native_trim(void);
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"unsafe"
)

// bindingVersion is the version of the Go module, which the library must fit.
const bindingVersion = "v0.1.2"

// giveBack returns memory that the library has freed to the system. Building a table takes a few
// times its size for a moment, and glibc would keep that.
func giveBack() { C.native_trim() }

// load opens the native library, once. The library is opened when the first engine is, and not linked,
// because loading it takes 16 ms that no other verb of the program has to wait for.
var load = sync.OnceValue(func() error {
	var all []error
	for _, path := range candidates() {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		err := loadFrom(path)
		if err == nil {
			return nil
		}
		all = append(all, fmt.Errorf("%s: %w", path, err))
	}
	return errors.Join(append([]error{ErrNoLibrary}, all...)...)
})

// Load opens the native library, so that the caller can choose another engine where that fails.
func Load() error { return load() }

func loadFrom(path string) error {
	p := C.CString(path)
	defer C.free(unsafe.Pointer(p))
	why := (*C.char)(C.calloc(1, 512))
	defer C.free(unsafe.Pointer(why))
	if C.native_load(p, why, 512) == 0 {
		return errors.New(C.GoString(why))
	}
	return nil
}

// candidates are the places where the library may be, in the order in which they are tried: the one
// named by the user, next to the program, the checkout of the build, the user's cache.
func candidates() []string {
	name := map[string]string{"darwin": "liblancedb_go.dylib", "windows": "lancedb_go.dll"}[runtime.GOOS]
	if name == "" {
		name = "liblancedb_go.so"
	}
	platform := runtime.GOOS + "_" + runtime.GOARCH
	var paths []string
	if named := os.Getenv("REVERIE_LANCEDB_LIB"); named != "" {
		paths = append(paths, named, filepath.Join(named, name))
	}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		bin := filepath.Dir(self)
		paths = append(paths, filepath.Join(bin, "..", "lib", name), filepath.Join(bin, name),
			filepath.Join(bin, "..", ".lancedb", platform, name)) // bin/ of a checkout
	}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		paths = append(paths, filepath.Join(filepath.Dir(file), "..", "..", ".lancedb", platform, name))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		paths = append(paths, filepath.Join(cache, "reverie", "lancedb", bindingVersion, platform, name))
	}
	return paths
}

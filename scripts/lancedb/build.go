package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

const (
	wrapperEnv = "REVERIE_RUSTC_WRAPPER"
	// crates is about how many the build compiles, for the estimate only.
	crates = 480
	// A build took 23 minutes on two processors.
	perProcessor = 46 * time.Minute
)

// build compiles the library from the Rust source in the Go module and crates from crates.io. build works in the user's cache, so that a
// build that was broken off goes on where it was.
func (p places) build(ctx context.Context, jobs int) error {
	if err := checkTools(); err != nil {
		return err
	}
	if p.cache == "" {
		return errors.New("this system has no user cache to build in")
	}
	dir := filepath.Join(p.cache, "build")
	if err := p.source(ctx, dir); err != nil {
		return fmt.Errorf("prepare the source: %w", err)
	}
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	fmt.Printf("  building in %s: about %v on this machine, and 4 GB of disk meanwhile\n", dir,
		(perProcessor / time.Duration(jobs)).Round(time.Minute))
	if err := cargo(ctx, dir, "fetch"); err != nil {
		return err
	}
	if err := cargo(ctx, dir, "build", "--release", "--locked", fmt.Sprintf("-j%d", jobs)); err != nil {
		return err
	}
	if err := p.install(filepath.Join(dir, "target", "release", libName()), true); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

var tools = []struct{ name, what string }{
	{"cargo", "Rust's build tool"},
	{"protoc", "the protocol buffer compiler"},
	{"cc", "a C compiler"},
}

// checkTools names everything that is missing at once, with what to type.
func checkTools() error {
	var missing []error
	for _, t := range tools {
		name := t.name
		if name == "cc" {
			if runtime.GOOS == "windows" {
				continue // cargo finds its own
			}
			if cc := strings.Fields(os.Getenv("CC")); len(cc) > 0 {
				name = cc[0]
			}
		}
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, fmt.Errorf("%s (%s) is missing: %s", name, t.what, hint(t.name)))
		}
	}
	return errors.Join(missing...)
}

// hint says how to install a tool.
func hint(tool string) string {
	type how struct{ linux, darwin, windows string }
	h := map[string]how{
		"cargo": {"see https://rustup.rs", "see https://rustup.rs", "see https://rustup.rs"},
		"protoc": {
			"apt install protobuf-compiler, dnf install protobuf-compiler or pacman -S protobuf",
			"brew install protobuf", "winget install protobuf",
		},
		"cc": {
			"apt install build-essential, dnf install gcc or pacman -S base-devel",
			"xcode-select --install", "winget install -e --id MSYS2.MSYS2, then pacman -S mingw-w64-x86_64-gcc",
		},
	}[tool]
	switch runtime.GOOS {
	case "darwin":
		return h.darwin
	case "windows":
		return h.windows
	}
	return h.linux
}

var lancedbLine = regexp.MustCompile(`(?m)^lancedb = .*$`)

// source copies the Rust part of the Go module and takes lancedb from crates.io: the module names a
// git tag, which not every network reaches.
func (p places) source(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir = p.root
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("download %s: %w", module, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return err
	}
	manifest := filepath.Join(dir, "Cargo.toml")
	if exists(manifest) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(m.Dir, "rust", "Cargo.toml"))
	if err != nil {
		return err
	}
	if !lancedbLine.Match(data) {
		return errors.New("the dependency on lancedb in Cargo.toml is not as expected")
	}
	if err := copyTree(filepath.Join(m.Dir, "rust"), dir, "Cargo.toml"); err != nil {
		return err
	}
	// Last, because its being there says that the copy is complete.
	data = lancedbLine.ReplaceAll(data, []byte(`lancedb = { version = "=0.22.1", default-features = false }`))
	return os.WriteFile(manifest, data, 0o644)
}

// copyTree copies with rights to write, which files in the module cache lack.
func copyTree(from, to, skip string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil || rel == skip {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}

// cargo runs cargo in dir and reports its progress. The whole output of cargo is in build.log.
func cargo(ctx context.Context, dir string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(dir, "build.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, "cargo", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "RUSTC_WRAPPER="+self, wrapperEnv+"=1", "CARGO_TERM_COLOR=never",
		"CARGO_TARGET_DIR="+filepath.Join(dir, "target"), "CARGO_PROFILE_RELEASE_STRIP=symbols")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	done := make(chan []string)
	go func() { done <- follow(r, log) }()
	err = cmd.Run()
	_ = w.Close()
	last := <-done
	if err != nil {
		return fmt.Errorf("cargo %s: %w; %s ends with:\n%s", args[0], err, log.Name(), strings.Join(last, "\n"))
	}
	return nil
}

// follow copies cargo's output to the log, says twice a minute how far it is, and returns the last lines.
func follow(r io.Reader, log io.Writer) (last []string) {
	start, said, compiled := time.Now(), time.Now(), 0
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line := s.Text()
		fmt.Fprintln(log, line)
		if last = append(last, line); len(last) > 15 {
			last = last[1:]
		}
		if strings.HasPrefix(strings.TrimSpace(line), "Compiling ") {
			compiled++
		}
		if time.Since(said) > 30*time.Second && compiled > 0 {
			said = time.Now()
			fmt.Printf("  %v: %d of about %d crates (the last few, lance and lancedb, take a third of the time)\n",
				time.Since(start).Round(time.Second), compiled, crates)
		}
	}
	_, _ = io.Copy(log, r) // a line too long for the scanner must not block cargo
	return last
}

// wrapRustc is this program in the place of rustc. Recent compilers stop in the crate lance with
// "queries overflow the depth limit", and a crate's limit can be raised from outside only with a flag
// that asks for RUSTC_BOOTSTRAP.
func wrapRustc(args []string) int {
	env := os.Environ()
	for i := 0; i+1 < len(args); i++ {
		if args[i] == "--crate-name" && args[i+1] == "lance" {
			args = append(args, `-Zcrate-attr=recursion_limit="512"`)
			env = append(env, "RUSTC_BOOTSTRAP=1")
			break
		}
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdin, os.Stdout, os.Stderr, env
	var failed *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &failed):
		return failed.ExitCode()
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

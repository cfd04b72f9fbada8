// Command fuzz runs every fuzz target of the module for a while each.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	each := flag.String("time", "10s", "time for each target")
	flag.Parse()
	if err := run(*each); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(each string) error {
	pkgs, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		return fmt.Errorf("list packages: %w", err)
	}
	found := 0
	for _, pkg := range strings.Fields(string(pkgs)) {
		out, err := exec.Command("go", "test", "-list", "^Fuzz", pkg).Output()
		if err != nil {
			return fmt.Errorf("list targets of %s: %w", pkg, err)
		}
		for line := range bytes.Lines(out) {
			target := strings.TrimSpace(string(line))
			if !strings.HasPrefix(target, "Fuzz") {
				continue
			}
			found++
			fmt.Printf("%s %s\n", pkg, target)
			cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+target+"$", "-fuzztime", each, pkg)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%s %s: %w", pkg, target, err)
			}
		}
	}
	if found == 0 {
		return fmt.Errorf("no fuzz target was found")
	}
	return nil
}

//go:build !windows

package program

import (
	"os"
	"os/exec"
	"syscall"
)

// A group is a process group, which the program leads.
type group struct{ leader int }

func newGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{}, nil
}

func (g *group) add(p *os.Process) error {
	g.leader = p.Pid
	return nil
}

// end kills every process of the group. end may be called twice, also after the leader is gone: its number is not given to another group
// while a process of this one is left.
func (g *group) end() {
	if g.leader != 0 {
		_ = syscall.Kill(-g.leader, syscall.SIGKILL)
	}
}

package workspace

import (
	"github.com/adrg/xdg"

	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
)

// CaptureOptions are those that settings give to the capture of a workspace, by its data folder.
func CaptureOptions(c config.Config, dataDir string) capture.Options {
	s := c.Capture
	return capture.Options{
		Data: dataDir, Own: []string{c.DataDir, config.RealPath(c.DataDir)}, Home: xdg.Home,
		Hosts: s.Hosts, Folders: s.Folders, Enabled: s.Enabled,
		Interval: s.Interval.Duration(), Settle: s.Settle.Duration(), ToolBytes: s.ToolBytes,
	}
}

// openCapture prepares the capture of transcripts. Nothing is read yet.
func (w *Workspace) openCapture() {
	o := CaptureOptions(w.Options.Config, w.Options.DataDir)
	f := capture.Filer{Vault: w.Vault, Folders: w.Folders, Intake: w.Intake}
	o.Take, o.Ended, o.Busy, o.Log = f.Take, f.Ended, f.Busy, w.log
	w.Capture = capture.New(o)
}

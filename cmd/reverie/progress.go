package main

import (
	"fmt"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// progress is a bar on a terminal, and one line at the end everywhere else.
type progress struct {
	app  *app
	what string
	bar  *progressbar.ProgressBar
	done int
	all  int
}

func (a *app) progress(what string) *progress {
	p := &progress{app: a, what: what}
	if f, ok := a.err.(*os.File); ok && isatty.IsTerminal(f.Fd()) && !a.flag.json {
		p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(what),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true))
	}
	return p
}

func (p *progress) set(done, total int) {
	p.done, p.all = done, total
	if p.bar == nil {
		return
	}
	if total > 0 && p.bar.GetMax() != total {
		p.bar.ChangeMax(total)
	}
	_ = p.bar.Set(done)
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
		return
	}
	if !p.app.flag.json && p.all > 0 {
		fmt.Fprintf(p.app.err, "%s: %d of %d\n", p.what, p.done, p.all)
	}
}

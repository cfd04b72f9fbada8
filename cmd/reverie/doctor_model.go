package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/workspace"
)

// mendProgram is for a program that is asked as the model; of a server, the problem itself says what to do.
const mendProgram = "run the program by hand with a question on standard input: it has to be logged in and to print an answer; where the " +
	"daemon does not find it, write its absolute path into llm.command"

// checkModel looks at the chat model without asking it anything, which would cost. A daemon that runs says how it got on with it.
func (a *app) checkModel(ctx context.Context, c config.Config) check {
	const name = "model"
	if c.LLM.Provider == "" {
		return ok(name, "none is set: rules take the facts and dream")
	}
	models, err := workspace.NewModels(c)
	if err != nil {
		return fail(name, "correct llm.* in the settings", "%v", err)
	}
	path, err := models.Program()
	if err != nil {
		return fail(name, mendProgram, "%v", err)
	}
	what, mend := c.LLM.Provider+"/"+c.LLM.Model, ""
	if path != "" {
		what, mend = fmt.Sprintf("`%s`, which is %s", strings.Join(c.LLM.Command, " "), path), mendProgram
	}
	m := a.runningModel(ctx, c)
	if m == nil {
		return ok(name, "%s; no daemon is running that has asked it", what)
	}
	what += fmt.Sprintf("; %d of %d tokens today", m.Today, m.Daily)
	if m.Problem != "" {
		return warn(name, mend, "%s; rules stand in: %s", what, m.Problem)
	}
	return ok(name, "%s", what)
}

// runningModel is the model as a running daemon has it; nil where none runs, or none that answers, which has a check of its own.
func (a *app) runningModel(ctx context.Context, c config.Config) *api.Model {
	cl, err := a.running(ctx, c)
	if err != nil {
		return nil
	}
	s, err := operations.Status.Ask(ctx, cl, api.Nothing{})
	if err != nil {
		return nil
	}
	return s.Model
}

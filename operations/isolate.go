package operations

import (
	"context"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace"
)

// Isolate has a project keep its memory to itself, or ends that, and lists the isolated ones.
func (m Memory) Isolate(ctx context.Context, i api.Isolate) (api.Isolated, error) {
	i, _, err := admit(m, i)
	if err != nil {
		return api.Isolated{}, err
	}
	if i.Wing == "" {
		return api.Isolated{}, api.Refuse("wing", "must name a project")
	}
	if err := palace.Isolate(ctx, m.Vault, i.Wing, !i.Release); err != nil {
		return api.Isolated{}, err
	}
	return m.Isolated(ctx)
}

// Isolated lists the isolated projects.
func (m Memory) Isolated(context.Context) (api.Isolated, error) {
	wings, err := palace.Isolated(m.Vault)
	return api.Isolated{Wings: list(wings)}, err
}

// Project tells which project a folder is of, and lets it be of the one that it asks for.
func (m Memory) Project(ctx context.Context, f api.Folder) (api.Project, error) {
	if f.Allow != "" {
		if err := m.Folders.Allow(ctx, f.Folder, f.Allow); err != nil {
			return api.Project{}, err
		}
	}
	p, unusable, err := m.Folders.Of(ctx, f.Folder)
	if err != nil {
		return api.Project{}, err
	}
	isolated, err := palace.Isolated(m.Vault)
	out := api.Project{
		Wing: p.Wing, From: p.From, Isolated: isolated.Around(p.Wing) != "", Own: m.Capture.Own(f.Folder), Asks: p.Asks,
	}
	if p.Asks != "" {
		out.Hint = fmt.Sprintf("this folder asks to share the memory of the project %s, which was there before it; to allow that, run in it: "+
			"reverie project %s --allow", p.Asks, p.Asks)
	}
	if unusable != nil {
		out.Problem = unusable.Error()
	}
	return out, err
}

// ProjectAsks begins what the status says of a folder that asks for the memory of a project.
const ProjectAsks = "project: "

// asking are the folders that ask for the memory of a project, in words.
func (m Memory) asking() (said []string, err error) {
	asking, err := m.Folders.Asking()
	for dir, name := range asking {
		said = append(said, fmt.Sprintf(ProjectAsks+"the folder %q asks to share the memory of the project %s; to allow that, run in it: "+
			"reverie project %s --allow", dir, name, name))
	}
	slices.Sort(said)
	return said, err
}

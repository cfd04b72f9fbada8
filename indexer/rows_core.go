package indexer

import (
	"path"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// CoreSource gives the rows of the core blocks: MEMORY.md, persona.md and user.md.
func CoreSource() Source {
	return Source{
		Name:    "core",
		Version: pageVersion,
		Match: func(p vault.Path) bool {
			return p == "memory/MEMORY.md" || p == "memory/persona.md" || p == "memory/user.md"
		},
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			return pageRows(p, data, env, Row{Source: catalog.CoreFile})
		},
		Facets: []Dependency{{ledgerFacet, citedDays}},
	}
}

// DiarySource gives the rows of the agents' diaries, memory/diary/AGENT/DAY.md.
func DiarySource() Source {
	return Source{
		Name:    "diary",
		Version: pageVersion,
		Match: func(p vault.Path) bool {
			return path.Dir(path.Dir(string(p))) == vault.DiaryDir && dayOfPath(p) != ""
		},
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			day := dayOfPath(p)
			return pageRows(p, data, env, Row{
				Source: catalog.Diary, Agent: path.Base(path.Dir(string(p))), Origin: vault.OriginAgent, At: day.Time(),
			})
		},
	}
}

package indexer

import (
	"bytes"
	"path"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// CoreSource gives the rows of the core blocks: MEMORY.md, persona.md and user.md. What stands in a managed block is an agent's.
func CoreSource() Source {
	return Source{
		Name:    coreName,
		Version: pageVersion + 2,
		Match: func(p vault.Path) bool {
			return p == vault.MemoryPath || p == vault.PersonaPath || p == vault.UserPath
		},
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			rows, problems := pageRows(p, data, env, Row{Source: catalog.CoreFile})
			if _, start, end, _ := vault.Managed(data); start >= 0 {
				from := bytes.Count(data[:start], []byte("\n")) + 1
				to := from + bytes.Count(data[start:end], []byte("\n"))
				for i := range rows {
					if rows[i].Line >= from && rows[i].Line <= to {
						rows[i].Origin = trust.Least(rows[i].Origin, vault.OriginAgent)
					}
				}
			}
			return rows, problems
		},
		Facets: []Dependency{{ledgerFacet, citedDays}, {movedFacet, citedDays}},
	}
}

// DiarySource gives the rows of the agents' diaries, memory/diary/AGENT/DAY.md: one for each entry that was written by
// [vault.Vault.AppendDiary], and those of a page for what people wrote there.
func DiarySource() Source {
	return Source{
		Name:    diaryName,
		Version: pageVersion + 1,
		Match: func(p vault.Path) bool {
			return path.Dir(path.Dir(string(p))) == vault.DiaryDir && dayOfPath(p) != ""
		},
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			base := Row{Source: catalog.Diary, Agent: path.Base(path.Dir(string(p))), Origin: vault.OriginAgent, At: dayOfPath(p).Time()}
			rows, problems := pageRows(p, data, env, base)
			entries := slices.DeleteFunc(vault.ParseLog(p, data).Facts, func(f vault.Fact) bool { return f.Hand })
			of := map[int]bool{} // lines
			for i := range entries {
				of[entries[i].Line] = true
			}
			rows = slices.DeleteFunc(rows, func(r Row) bool { return of[r.Line] })
			ids := newCounts(nil)
			for i := range rows {
				ids.id(rows[i].ID)
			}
			for _, row := range factRows(ids, p, entries, Env{Visible: env.Visible}) {
				row.Source, row.Agent, row.Origin = base.Source, base.Agent, base.Origin
				rows = append(rows, row)
			}
			return rows, problems
		},
	}
}

package workspace

import (
	"fmt"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/lance"
)

// Engine is the vector engine that was chosen, and what a person should know of the choice.
type Engine struct {
	Name string
	Note string
	open indexer.EngineOpener
}

// EnginesBuilt lists the engines in this program.
func EnginesBuilt() []string {
	if lance.Built {
		return []string{"flat", "lancedb"}
	}
	return []string{"flat"}
}

func chooseEngine(setting string) (Engine, error) {
	switch setting {
	case "flat":
		return Engine{"flat", "chosen by index.engine", flat.Open}, nil
	case "lancedb":
		if !lance.Built {
			return Engine{}, fmt.Errorf("index.engine is lancedb, which is not in this program: run `make lancedb build`, or set index.engine " +
				"to auto")
		}
		return Engine{"lancedb", "chosen by index.engine", lance.Open}, nil
	}
	if lance.Built {
		if err := lance.Load(); err != nil {
			return Engine{"flat", "the flat engine stands in for LanceDB: " + err.Error(), flat.Open}, nil
		}
		return Engine{"lancedb", "index.engine = \"flat\" chooses the built-in one instead", lance.Open}, nil
	}
	return Engine{"flat", "LanceDB is not in this program; `make lancedb build` adds it", flat.Open}, nil
}

# Each target is one line of `go ...`; see CONTRIBUTING.md.
.DEFAULT_GOAL := build
PLATFORM := $(shell go env GOOS)_$(shell go env GOARCH)
LIB       = $(wildcard .lancedb/$(PLATFORM)/*lancedb_go.*)
TAGS      = $(if $(LIB),-tags lancedb)
TOOLS     = go tool -modfile=tools/go.mod
FUZZTIME ?= 10s

.PHONY: build bin demo test tests race lint fuzz bench lancedb install quick

quick:   ; @go run ./scripts/lancedb -quick
build:   quick ; $(MAKE) --no-print-directory bin
bin:     ; CGO_ENABLED=$(if $(LIB),1,0) go build $(TAGS) -trimpath -ldflags '-s -w' -o bin/ ./cmd/reverie ./cmd/bench ./cmd/demo
demo:    build ; @bin/demo -reverie bin/reverie
test:    quick ; $(MAKE) --no-print-directory tests
tests:   ; CGO_ENABLED=$(if $(LIB),1,0) go test $(TAGS) ./...
race:    ; go test -race $(TAGS) ./...
lint:    ; go vet ./... && $(TOOLS) gofumpt -l -d . && $(TOOLS) staticcheck ./...
fuzz:    ; go run ./scripts/fuzz -time $(FUZZTIME)
bench:   build ; bin/bench speed && bin/bench extract
lancedb: ; go run ./scripts/lancedb
install: build ; go run ./scripts/install

# Each target is one line of `go ...`; CONTRIBUTING.md says what they do.
.DEFAULT_GOAL := build
.PHONY: build demo test race lint fuzz bench lancedb install
LIB      = go run ./scripts/lancedb
TAGS     = $$($(LIB) -tags)
TOOL     = go tool -modfile=tools/go.mod
FUZZTIME ?= 10s

build:   ; @$(LIB) -quick && go build $(TAGS) -trimpath -ldflags '-s -w' -o bin/ ./cmd/...
demo:    build ; @bin/demo -reverie bin/reverie
test:    ; @$(LIB) -quick && go test -timeout 30m $(TAGS) ./...
race:    ; CGO_ENABLED=1 go test -timeout 30m -race -short $(TAGS) ./...
lint:    ; go vet ./... && $(TOOL) gofumpt -l -d . && $(TOOL) staticcheck ./...
fuzz:    ; go run ./scripts/fuzz -time $(FUZZTIME)
bench:   build ; bin/bench speed && go run ./scripts/worth -check && go run ./scripts/threads -check
lancedb: ; $(LIB)
install: build ; go run ./scripts/install

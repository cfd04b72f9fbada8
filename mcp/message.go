package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// cancelled is the notification by which a client takes a request back.
const cancelled = "notifications/cancelled"

// params are what the requests with parameters take.
var params = map[string]func() any{
	"initialize":               func() any { return new(sdk.InitializeParams) },
	"tools/list":               func() any { return new(sdk.ListToolsParams) },
	"tools/call":               func() any { return new(sdk.CallToolParamsRaw) },
	"prompts/list":             func() any { return new(sdk.ListPromptsParams) },
	"prompts/get":              func() any { return new(sdk.GetPromptParams) },
	"resources/list":           func() any { return new(sdk.ListResourcesParams) },
	"resources/templates/list": func() any { return new(sdk.ListResourceTemplatesParams) },
	"resources/read":           func() any { return new(sdk.ReadResourceParams) },
	cancelled:                  func() any { return new(sdk.CancelledParams) },
}

// A refusedMessage is the answer to a message that the SDK would answer under another id, or in words of Go.
type refusedMessage struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // null where it is not known
	Error   *jsonrpc.Error  `json:"error"`
}

func refuse(id json.RawMessage, code int64, said string) *refusedMessage {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &refusedMessage{"2.0", id, &jsonrpc.Error{Code: code, Message: said}}
}

// checkMessage refuses what the SDK would take for something else; nil: it may have the message.
func checkMessage(data []byte) *refusedMessage {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(data, &m) != nil {
		return nil // the SDK says so
	}
	// The SDK keeps ids in 64 bits, by way of a float: others would come back changed.
	if f, err := strconv.ParseFloat(string(m.ID), 64); (err == nil || errors.Is(err, strconv.ErrRange)) && (f != math.Trunc(f) ||
		math.Abs(f) > 1<<53) {
		return refuse(m.ID, jsonrpc.CodeInvalidRequest, "an id is a string, or a whole number of at most 2^53")
	}
	if params[m.Method] == nil || len(m.Params) == 0 {
		return nil
	}
	if bytes.TrimSpace(m.Params)[0] != '{' {
		return refuse(m.ID, jsonrpc.CodeInvalidParams, "`params` must be an object")
	}
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(m.Params, params[m.Method]()); {
	case errors.As(err, &wrong):
		return refuse(m.ID, jsonrpc.CodeInvalidParams, fmt.Sprintf("`params.%s` has the wrong type: %s", wrong.Field, wrong.Value))
	case err != nil:
		return refuse(m.ID, jsonrpc.CodeInvalidParams, "`params` are not those of "+m.Method)
	}
	return nil
}

// checkBody checks the message of a request over HTTP, or each of a batch.
func checkBody(data []byte) *refusedMessage {
	var batch []json.RawMessage
	if json.Unmarshal(data, &batch) != nil {
		return checkMessage(data)
	}
	for _, m := range batch {
		if refused := checkMessage(m); refused != nil {
			return refused
		}
	}
	return nil
}

// Package mcp offers operations to assistants as tools of the Model Context Protocol, over standard streams and over HTTP.
package mcp

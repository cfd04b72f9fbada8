// Package llm talks to models: it turns texts into vectors and prompts into answers, and counts what they cost.
//
// Remote models are reached through langchaingo behind small interfaces, [Embedder], [Chat] and [Talker],
// with time limits, retries, a circuit breaker and a daily token budget that fails closed. A built-in embedder
// needs no model, no file and no network; one of package model needs files only.
package llm

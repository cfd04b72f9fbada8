// Package model runs embedding models and rerankers of the BERT class from a folder of files, in pure Go.
//
// A folder is as its makers publish it: config.json, tokenizer.json, model.safetensors, and what sentence-transformers add.
// Files are taken for hostile: sizes are bounded, and what is not known is refused, never guessed.
package model

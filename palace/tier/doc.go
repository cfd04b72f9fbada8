// Package tier decides of what type a memory is without asking a model, and how sure that is: by its words, and by its nearness to
// memories of which a model said the type.
package tier

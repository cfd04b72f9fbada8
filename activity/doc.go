// Package activity is what goes on in an open vault: its long work as jobs, and the news that listeners get.
package activity

// Package lanes lets those who wait for an answer go before work in the background, where both use the same thing: the cores, a server.
package lanes

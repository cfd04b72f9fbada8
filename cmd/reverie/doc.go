// Command reverie is the program: the daemon and the verbs that talk to it.
//
//	turn -> serve -> drawer -> ack
//	                   '-> facts -> log -> watcher -> index -> search
//
// A verb reads daemon.json and the token, sends one request, prints the answer. Where no daemon runs it starts one;
// with --no-daemon it opens the vault in its own process. Package main only wires, prints and exits.
package main

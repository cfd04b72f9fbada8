// Package transcript reads what assistants write down of their sessions, as turns in which each text has the role of who said it.
//
// A role comes from the structure of the file alone, never from what a text says of itself. What a person typed is `user`, what
// the assistant answered is `assistant`, and the output of tools is `tool`. What no one said is left out: reminders and summaries that the
// program wrote, thinking, the work of sub-agents, and whatever our own tools answered.
package transcript

// Package sample is the conversation that the demo tells: some days in the life of Alice, who builds
// a billing service and moves to Berlin. Everybody in it is invented, and so is the key in it.
package sample

import _ "embed"

// Conversation holds one message a line as JSON: conversation, session, session_datetime, turn, dia_id, speaker,
// role, platform, agent, wing, room, text, turn_datetime.
//
//go:embed conversation.jsonl
var Conversation []byte

// Questions holds what one might ask afterwards, as a JSON list of id, question, expect (a part of the
// answer, in any case of letters) and refs (the dia_id of the messages that say it).
//
//go:embed questions.json
var Questions []byte

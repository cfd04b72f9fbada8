// Package trust says whose words a text is, and where it may be told.
//
// What stands in memory is put before assistants. The words of the person whose memory it is may say what to do; those of
// anybody else are only known to have been said.
package trust

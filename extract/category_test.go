package extract

import "testing"

// TestTasksAreWhatAClauseSays has statements that speak of what is to be done, and those that only have its words in them.
func TestTasksAreWhatAClauseSays(t *testing.T) {
	for low, want := range map[string]string{
		" i have to renew my passport ":                                         Task,
		" i really need to call the bank ":                                      Task,
		" i've got a timeline that says i need to finish the outline in april ": Task,
		" noor needs to renew the passport ":                                    Task,
		" i have a dentist appointment on 4 july ":                              Task,
		" we'll paint the fence in may ":                                        Task,
		" the group of thieves follows an ambitious plan to print money ":       General,
		" i have a cat and i don't really need to take it outside ":             General,
		" i know i need to use version two ":                                    General,
		" the end came with the rain as everyone was going to the cellar ":      General,
	} {
		if got := classify(low); got != want {
			t.Errorf("%q: %s, want %s", low, got, want)
		}
	}
}

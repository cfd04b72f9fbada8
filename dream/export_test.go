package dream

// BadName says why a name may not stand over texts.
func BadName(name string, over ...string) string { return badName(name, over) }

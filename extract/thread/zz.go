package thread

// SetWeights zz.
func SetWeights(w []byte) { weights = w }

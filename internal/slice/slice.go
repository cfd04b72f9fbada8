package slice

// Map gives what f makes of each, in their order. Map is never nil.
func Map[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// Keep gives those for which something is so, in their order: nil for none. The list stays as it is.
func Keep[T any](list []T, so func(T) bool) (out []T) {
	for _, v := range list {
		if so(v) {
			out = append(out, v)
		}
	}
	return out
}

// Count is for how many something is so.
func Count[T any](list []T, so func(T) bool) (n int) {
	for _, v := range list {
		if so(v) {
			n++
		}
	}
	return n
}

// Set is the set of what is in a list.
func Set[T comparable](list []T) map[T]bool { return SetOf(list, func(v T) T { return v }) }

// SetOf is the set of what key gives of each.
func SetOf[T any, K comparable](list []T, key func(T) K) map[K]bool {
	out := make(map[K]bool, len(list))
	for _, v := range list {
		out[key(v)] = true
	}
	return out
}

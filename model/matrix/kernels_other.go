//go:build !amd64

package matrix

func kernels() []kernel { return []kernel{plain} }

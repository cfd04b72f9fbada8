package nearest

var (
	Sums  = sums
	Plain = plain
)

//go:build !amd64

package matrix

func canRound() bool { return false }

func mulTile(int, *uint8, int, *int8, *int32, *float32, *float32, *float32, *float32, int) {
	panic("no instructions for 8 bits")
}

func largest(int, *float32) float32 { panic("no instructions for 8 bits") }

func round(int, *float32, *uint8, float32) { panic("no instructions for 8 bits") }

package redact
import ("testing";nn "github.com/reverie-memory/reverie/internal/nasty")
func BenchmarkShape(b *testing.B) {
	for _, s := range nn.Shapes() {
		if s.Name == "assignments" || s.Name == "begin of a key" || s.Name=="keyword and value" || s.Name=="prose" {
			b.Run(s.Name, func(b *testing.B) { t := s.Make(1<<18); b.SetBytes(1<<18); for b.Loop() { Redact(t) } })
		}
	}
}

package vault

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// BenchmarkAppendDrawers appends one drawer at a time from 16 goroutines, each waiting for its fsync.
func BenchmarkAppendDrawers(b *testing.B) {
	for _, size := range []int{0, 10 << 20} {
		b.Run(fmt.Sprintf("day of %d MB", size>>20), func(b *testing.B) {
			v := open(b, b.TempDir())
			if size > 0 {
				var s strings.Builder
				for i := 0; s.Len() < size; i++ {
					s.Write(FormatDrawer(drawerOf(fmt.Sprintf("dold%06d", i), strings.Repeat("some words ", 20))))
					s.WriteByte('\n')
				}
				write(b, v, DrawerPath("2026-06-09"), s.String())
			}
			var n atomic.Int64
			text := strings.Repeat("some words ", 15)
			b.SetParallelism(16)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := v.AppendDrawers(context.Background(), []Drawer{drawerOf(fmt.Sprintf("dnew%06d", n.Add(1)), text)}); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "drawers/s")
		})
	}
}

func BenchmarkAppendOneByOne(b *testing.B) {
	v := open(b, b.TempDir())
	for i := range b.N {
		if _, err := v.AppendDrawers(context.Background(), []Drawer{drawerOf(fmt.Sprintf("d%09d", i), "some words")}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseLog(b *testing.B) {
	var facts []Fact
	for i := range 1000 {
		facts = append(facts, Fact{ID: fmt.Sprintf("f%09d", i), Text: strings.Repeat("some words ", 10), Tags: []string{"a", "b"}})
	}
	data := FormatSection(sec("c"), facts)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		ParseLog(LogPath("2026-06-09"), data)
	}
}

func BenchmarkParseDrawers(b *testing.B) {
	var s strings.Builder
	for i := 0; s.Len() < 1<<20; i++ {
		s.Write(FormatDrawer(drawerOf(fmt.Sprintf("dold%06d", i), strings.Repeat("some words ", 20))))
		s.WriteByte('\n')
	}
	data := []byte(s.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		ParseDrawers(DrawerPath("2026-06-09"), data)
	}
}

func BenchmarkMatch(b *testing.B) {
	v := open(b, b.TempDir())
	if err := v.Forget(context.Background(), []Tombstone{{Text: "The door code is 4711"}}); err != nil {
		b.Fatal(err)
	}
	t, err := v.Tombstones()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		t.Match("On 4 March Alice moved to the Berlin office because the team there needed a designer")
	}
}

func BenchmarkOpen10000Files(b *testing.B) {
	v := open(b, b.TempDir())
	for i := range 10_000 {
		write(b, v, LogPath(DayOf(at("2000-01-01T00:00:00Z").AddDate(0, 0, i))), "- fact\n")
	}
	for b.Loop() {
		if err := open(b, v.dir).Close(); err != nil {
			b.Fatal(err)
		}
	}
}

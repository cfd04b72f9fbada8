package main

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// plotSpeed draws search time over the number of rows, both axes logarithmic.
func plotSpeed(all []speedFigures, path string) error {
	p := plot.New()
	p.Title.Text = "Time to answer a question"
	p.X.Label.Text, p.Y.Label.Text = "rows", "milliseconds"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(decades), plot.TickerFunc(decades)
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())

	colours := []color.Color{color.RGBA{31, 119, 180, 255}, color.RGBA{214, 39, 40, 255}, color.RGBA{127, 127, 127, 255}}
	type curve struct {
		name  string
		value func(speedFigures) float64
		dash  []vg.Length
	}
	curves := []curve{
		{"p50", func(f speedFigures) float64 { return f.SearchP50 }, nil},
		{"p95", func(f speedFigures) float64 { return f.SearchP95 }, []vg.Length{vg.Points(4), vg.Points(3)}},
	}
	var engines []string
	for _, f := range all {
		if !slices.Contains(engines, f.Engine) {
			engines = append(engines, f.Engine)
		}
	}
	draw1 := func(name string, c color.Color, dash []vg.Length, pts plotter.XYs) error {
		line, dots, err := plotter.NewLinePoints(pts)
		if err != nil {
			return err
		}
		line.Color, line.Dashes, line.Width = c, dash, vg.Points(1.5)
		dots.Color, dots.Shape = c, draw.CircleGlyph{}
		p.Add(line, dots)
		p.Legend.Add(name, line)
		return nil
	}
	for i, e := range engines {
		for _, cv := range curves {
			if err := draw1(fmt.Sprintf("%s %s", e, cv.name), colours[i%2], cv.dash, points(all, e, cv.value)); err != nil {
				return err
			}
		}
	}
	if len(engines) > 0 {
		pts := points(all, engines[0], func(f speedFigures) float64 { return f.BaselineP50 })
		if err := draw1("brute force, vectors alone, p50", colours[2], nil, pts); err != nil {
			return err
		}
	}
	return p.Save(18*vg.Centimeter, 12*vg.Centimeter, path)
}

func points(all []speedFigures, engine string, value func(speedFigures) float64) plotter.XYs {
	var pts plotter.XYs
	for _, f := range all {
		if f.Engine == engine {
			// A logarithmic axis has no zero.
			pts = append(pts, plotter.XY{X: float64(f.Rows), Y: max(value(f), 0.01)})
		}
	}
	return pts
}

// decades labels 1, 10, 100 … as people write them, and marks what is between.
func decades(low, high float64) []plot.Tick {
	var out []plot.Tick
	for at := math.Pow(10, math.Floor(math.Log10(low))); at <= high; at *= 10 {
		for n := 1.0; n < 10; n++ {
			t := plot.Tick{Value: at * n}
			if n == 1 || n == 2 || n == 5 {
				t.Label = strconv.FormatFloat(t.Value, 'f', -1, 64)
			}
			out = append(out, t)
		}
	}
	return out
}

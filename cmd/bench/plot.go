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

// plotQuality draws the figures of a run beside those of simpler ways, with the intervals of ours.
func plotQuality(rep *qualityReport, path string) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("Found for %d questions", rep.Scores["all"].N)
	p.Y.Label.Text, p.Y.Min, p.Y.Max = "per cent", 0, 100
	p.Legend.Top = true
	p.NominalX(figureNames[:]...)
	p.X.Min, p.X.Max = -0.5, numFigures+0.6 // the legend stands beside the bars
	ways := slices.Clone(rep.Simpler)
	ways = append(ways, simplerWay{Name: "reverie, " + rep.Embedder, Scores: rep.Scores})
	const width = vg.Length(14)
	for i, way := range ways {
		s := way.Scores["all"]
		bars, err := plotter.NewBarChart(plotter.Values{s.TurnR5, s.TurnR10, s.MRR10, s.SessionR5}, width)
		if err != nil {
			return err
		}
		grey := uint8(225 - 35*i)
		bars.Color, bars.LineStyle.Width = color.RGBA{grey, grey, grey, 255}, 0
		bars.Offset = width * (vg.Length(i) - vg.Length(len(ways)-1)/2)
		if i == len(ways)-1 {
			bars.Color = color.RGBA{31, 119, 180, 255}
			marks, err := ticks(rep, bars.Offset)
			if err != nil {
				return err
			}
			p.Add(bars, marks)
		} else {
			p.Add(bars)
		}
		p.Legend.Add(way.Name, bars)
	}
	return p.Save(18*vg.Centimeter, 10*vg.Centimeter, path)
}

// A whisker is an interval over a bar, which stands beside its place on the axis.
type whisker struct {
	plotter.YErrorBars
	offset vg.Length
}

// Plot implements [plot.Plotter].
func (w whisker) Plot(c draw.Canvas, p *plot.Plot) {
	c.Min.X, c.Max.X = c.Min.X+w.offset, c.Max.X+w.offset
	w.YErrorBars.Plot(c, p)
}

func ticks(rep *qualityReport, offset vg.Length) (plot.Plotter, error) {
	var at intervals
	for i, name := range figureNames {
		b := rep.Bounds[name]
		at.XYs = append(at.XYs, plotter.XY{X: float64(i), Y: b.Mean})
		at.YErrors = append(at.YErrors, struct{ Low, High float64 }{b.Mean - b.Low, b.High - b.Mean})
	}
	bars, err := plotter.NewYErrorBars(at)
	if err != nil { // of values that are no numbers
		return nil, err
	}
	return whisker{*bars, offset}, nil
}

type intervals struct {
	plotter.XYs
	plotter.YErrors
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

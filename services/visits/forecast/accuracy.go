package forecast

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/row"
)

// This file computes the accuracy of promises for the admin's page, the text under the forecasts, and the metrics.

const (
	accuracyDays = 30
	accuracyMost = 90 // largest number of days in a request
	leastJudged  = 20 // no figures are shown for fewer promises
	// fixedMinutes is the wait that the specification states for every visitor: a forecast for comparison.
	fixedMinutes = 22
)

// tally has counts and sums of the promises of one kind, service and hour. Sums are in minutes.
type tally struct {
	kind    foresight.Kind
	service string // id
	hour    int    // the hour at which the promise was made, in the office's zone

	n        int // number of judged promises, whose visitors were called
	censored int // ended without a call
	atOnce   int // not judged: promised a call at once, because a desk was free
	covered  int
	late     int // called more than 5 minutes after the upper end of the range

	abs, err, squares, width float64
	pinball                  [3]float64 // pinball losses of the quantiles 10, 50 and 90
	below                    [3]int     // called before the quantile
	absFixed, absPlace       float64
}

func (t *tally) add(o tally) {
	t.n, t.censored, t.atOnce = t.n+o.n, t.censored+o.censored, t.atOnce+o.atOnce
	t.covered, t.late = t.covered+o.covered, t.late+o.late
	t.abs, t.err, t.squares, t.width = t.abs+o.abs, t.err+o.err, t.squares+o.squares, t.width+o.width
	t.absFixed, t.absPlace = t.absFixed+o.absFixed, t.absPlace+o.absPlace
	for i := range t.pinball {
		t.pinball[i] += o.pinball[i]
		t.below[i] += o.below[i]
	}
}

// per returns a sum divided by the number of judged promises, or by 1 if there are none.
func (t tally) per(sum float64) float64 { return sum / float64(max(1, t.n)) }

// mean returns the mean of a sum over the judged promises, as it is sent in a response.
func (t tally) mean(sum float64) *float64 { return rounded(t.per(sum)) }

func rounded(figure float64) *float64 {
	return new(math.Round(figure*1000) / 1000)
}

// sumBy returns the sums of the tallies that have the same key.
func sumBy[K cmp.Ordered](all []tally, key func(tally) K) map[K]tally {
	sums := map[K]tally{}
	for _, one := range all {
		sum := sums[key(one)]
		sum.add(one)
		sums[key(one)] = sum
	}
	return sums
}

// AccuracyLine has the values of the text under the forecasts: the number of visitors, and the share called in range.
type AccuracyLine struct {
	Coverage float64 `json:"coverage"`
	N        int     `json:"n"`
	readAt   time.Time
	unknown  bool // too few promises
}

// accuracyEvery is how long AccuracyLine is cached.
const accuracyEvery = time.Minute

func (f *Forecaster) accuracyIsFresh(at time.Time) bool {
	known := f.accuracy.Load()
	return known != nil && at.Sub(known.readAt) < accuracyEvery
}

func (f *Forecaster) loadAccuracy(ctx context.Context, at time.Time) error {
	all, err := f.store.tallies(ctx, accuracyDays)
	if err != nil {
		return err
	}
	joined := sumBy(all, func(t tally) foresight.Kind { return t.kind })[foresight.Join]
	f.accuracy.Store(&AccuracyLine{
		Coverage: float64(joined.covered) / float64(max(1, joined.n)), N: joined.n,
		readAt: at, unknown: joined.n < leastJudged,
	})
	return nil
}

// Line returns the values of the line of text under the forecasts, or nil while too few promises have been judged.
func (f *Forecaster) Line() *AccuracyLine {
	known := f.accuracy.Load()
	if known == nil || known.unknown {
		return nil
	}
	return known
}

// scoreBody has the accuracy of a kind, service or hour. Times are in minutes. Figures are null below 20 promises.
type scoreBody struct {
	Service  *row.Service    `json:"service"`
	Hour     *int            `json:"hour"`
	Kind     *foresight.Kind `json:"kind"`
	N        int             `json:"n"`
	Censored int             `json:"censored"`
	AtOnce   int             `json:"atOnce"`
	MAE      *float64        `json:"mae"`
	Bias     *float64        `json:"bias"`
	RMSE     *float64        `json:"rmse"`
	Coverage *float64        `json:"coverage"`
	Late     *float64        `json:"late5"`
	Width    *float64        `json:"width"`
	Pinball  *pinballBody    `json:"pinball"`
}

type pinballBody struct {
	P10 float64 `json:"p10"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
}

func scoreOf(t tally) scoreBody {
	body := scoreBody{N: t.n, Censored: t.censored, AtOnce: t.atOnce}
	if t.n < leastJudged {
		return body
	}
	body.MAE, body.Bias, body.Width = t.mean(t.abs), t.mean(t.err), t.mean(t.width)
	body.RMSE = rounded(math.Sqrt(t.per(t.squares)))
	body.Coverage, body.Late = t.mean(float64(t.covered)), t.mean(float64(t.late))
	body.Pinball = &pinballBody{P10: *t.mean(t.pinball[0]), P50: *t.mean(t.pinball[1]), P90: *t.mean(t.pinball[2])}
	return body
}

// rivalBody is the accuracy of a simpler forecast for the same visitors.
type rivalBody struct {
	Name string   `json:"name"` // fixed or place
	MAE  *float64 `json:"mae"`
}

// calibrationBody has the level of a quantile, and the share of visitors who were called before that quantile.
type calibrationBody struct {
	Level float64 `json:"level"`
	Share float64 `json:"share"`
}

type accuracyBody struct {
	From        wire.Time         `json:"from"`
	To          wire.Time         `json:"to"`
	Total       scoreBody         `json:"total"`
	Kinds       []scoreBody       `json:"kinds"`
	Services    []scoreBody       `json:"services"`
	Hours       []scoreBody       `json:"hours"`
	Rivals      []rivalBody       `json:"rivals"`
	Calibration []calibrationBody `json:"calibration"`
}

type accuracyAnswer struct {
	Accuracy accuracyBody `json:"accuracy"`
}

type readAccuracy struct{ Days int }

var daysWrong = fault.NewMessage(fault.CodeInvalidNumber, "The days are a number from 1 to 90.").
	With("min", 1).With("max", accuracyMost)

func decodeAccuracy(r *http.Request) (readAccuracy, error) {
	text := r.URL.Query().Get("days")
	if text == "" {
		return readAccuracy{accuracyDays}, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > accuracyMost {
		return readAccuracy{}, fault.Field("days", daysWrong)
	}
	return readAccuracy{days}, nil
}

// Accuracy returns the accuracy of the promises that ended in the last req.Days days. Only promises to visitors who
// entered the line count for the total, the services, the hours, the rivals and the calibration.
func (f *Forecaster) Accuracy(ctx context.Context, req readAccuracy) (accuracyAnswer, error) {
	all, err := f.requests.tallies(ctx, req.Days)
	if err != nil {
		return accuracyAnswer{}, postgres.Classify(err)
	}
	names, now, err := f.requests.serviceNames(ctx)
	if err != nil {
		return accuracyAnswer{}, postgres.Classify(err)
	}
	body := accuracyBody{
		From: wire.Time(now.AddDate(0, 0, -req.Days)), To: wire.Time(now),
		Kinds: []scoreBody{}, Services: []scoreBody{}, Hours: []scoreBody{}, Calibration: []calibrationBody{},
	}
	kinds := sumBy(all, func(t tally) foresight.Kind { return t.kind })
	for _, kind := range []foresight.Kind{foresight.Join, foresight.New} {
		score := scoreOf(kinds[kind])
		score.Kind = &kind
		body.Kinds = append(body.Kinds, score)
	}
	joined := kinds[foresight.Join]
	body.Total = scoreOf(joined)
	all = slices.DeleteFunc(all, func(t tally) bool { return t.kind != foresight.Join })
	body.Services, body.Hours = byService(all, names), byHour(all)
	body.Rivals = []rivalBody{{Name: "fixed"}, {Name: "place"}}
	if joined.n >= leastJudged {
		body.Rivals[0].MAE, body.Rivals[1].MAE = joined.mean(joined.absFixed), joined.mean(joined.absPlace)
		for i, level := range []float64{0.1, 0.5, 0.9} {
			body.Calibration = append(body.Calibration, calibrationBody{level, float64(joined.below[i]) / float64(joined.n)})
		}
	}
	return accuracyAnswer{body}, nil
}

// byService returns the scores of the services, ordered by name.
func byService(all []tally, names map[string]string) []scoreBody {
	scores := []scoreBody{}
	for id, sum := range sumBy(all, func(t tally) string { return t.service }) {
		score := scoreOf(sum)
		score.Service = &row.Service{ID: id, Name: names[id]}
		scores = append(scores, score)
	}
	slices.SortFunc(scores, func(a, b scoreBody) int {
		return cmp.Or(cmp.Compare(a.Service.Name, b.Service.Name), cmp.Compare(a.Service.ID, b.Service.ID))
	})
	return scores
}

// byHour returns the scores of the hours that have promises, ordered by hour.
func byHour(all []tally) []scoreBody {
	scores := []scoreBody{}
	sums := sumBy(all, func(t tally) int { return t.hour })
	for hour := range 24 {
		if sum, ok := sums[hour]; ok {
			score := scoreOf(sum)
			score.Hour = &hour
			scores = append(scores, score)
		}
	}
	return scores
}

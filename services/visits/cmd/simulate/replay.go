package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/foresight"
)

// replayAll writes a response or an error for each line of in, and reports whether all requests were valid. It writes
// each response before it reads the next line, because the sender of the requests may wait for it.
func replayAll(in io.Reader, out io.Writer) (valid bool, err error) {
	replays, lines := &replayer{}, bufio.NewReader(in)
	for valid = true; ; {
		request, err := nextLine(lines)
		if errors.Is(err, io.EOF) {
			return valid, nil
		}
		if err != nil {
			return valid, err
		}
		var answer any
		if answer, err = replays.answer(request); err != nil {
			valid, answer = false, fault.Of(err).Body("")
		}
		text, err := json.Marshal(answer)
		if err == nil {
			_, err = out.Write(append(text, '\n'))
		}
		if err != nil {
			return valid, err
		}
	}
}

// nextLine returns the next line, then io.EOF. A line above the limit of a request is cut one byte after the limit.
func nextLine(in *bufio.Reader) (text []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part[:min(len(part), longestReplay+1-len(text))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(text) > 0:
			err = nil
		}
		return bytes.TrimSuffix(text, []byte("\n")), err
	}
}

// replayer caches the models of the last requests. It has no other state, so equal requests get equal responses.
type replayer struct {
	learned []learned // the most recently used first, at most keptModels
}

// keptModels is the number of cached models. There are several, for callers that alternate between offices.
const keptModels = 4

// learned is the model derived from a request, with a hash of the values that it was derived from.
type learned struct {
	content [sha256.Size]byte
	setup   foresight.Setup
	model   *foresight.Model
	record  *foresight.Record
}

// replay is a validated request.
type replay struct {
	learned
	moments []foresight.State
}

// answer returns the forecasts for a request. Errors: bad_body, too_large, invalid fields.
func (p *replayer) answer(request []byte) (answer replayAnswer, err error) {
	req, err := p.read(request)
	if err != nil {
		return answer, err
	}
	return req.forecasts(), nil
}

func (p *replayer) read(request []byte) (replay, error) {
	body, err := readReplay(request)
	if err != nil || len(body.Moments) == 0 {
		return replay{}, err
	}
	l, err := p.learn(body)
	if err != nil {
		return replay{}, err
	}
	moments, err := body.states(l.setup)
	return replay{l, moments}, err
}

// learn returns the model for a request. It caches the model for later requests with the same values.
func (p *replayer) learn(body replayBody) (learned, error) {
	content := body.content()
	if at := slices.IndexFunc(p.learned, func(l learned) bool { return l.content == content }); at >= 0 {
		known := p.learned[at]
		p.learned = slices.Insert(slices.Delete(p.learned, at, at+1), 0, known)
		return known, nil
	}
	setup, sittings, scores, err := body.history()
	if err != nil {
		return learned{}, err
	}
	l := learned{content: content, setup: setup, record: foresight.NewRecord()}
	l.model = foresight.Learn(setup, foresight.History{Sittings: sittings}, time.Time(body.Moments[0].At))
	for _, score := range scores {
		l.record.Resolve(score)
	}
	p.learned = slices.Insert(p.learned, 0, l)
	p.learned = p.learned[:min(keptModels, len(p.learned))]
	return l, nil
}

// content returns a hash of all values from which the model and the record of a request are derived.
func (b replayBody) content() (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, part := range [][]byte{b.Policy, b.Services, b.Consultants, b.Sittings, b.Scores} {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part)))) // a hash never fails
		_, _ = h.Write(part)
	}
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(time.Time(b.Moments[0].At).UnixNano())))
	return [sha256.Size]byte(h.Sum(nil))
}

// replayAnswer is the response: a list of forecasts for each moment.
type replayAnswer struct {
	Ranges []momentForecasts `json:"ranges"`
}

type momentForecasts struct {
	At        wire.Time        `json:"at"`
	Forecasts []replayForecast `json:"forecasts"`
}

// replayForecast is a visitor's forecast. If no desk could call the visitor, only VisitID, Early and Note are set.
type replayForecast struct {
	VisitID string          `json:"visitId"`
	From    *wire.Time      `json:"from"`
	To      *wire.Time      `json:"to"`
	Likely  *wire.Time      `json:"likely"`
	Early   bool            `json:"early"`
	Note    *foresight.Note `json:"note"`
	Q10     *float64        `json:"q10"`
	Q50     *float64        `json:"q50"`
	Q90     *float64        `json:"q90"`
	Level   *float64        `json:"a"`
}

func (req replay) forecasts() replayAnswer {
	answer := replayAnswer{Ranges: []momentForecasts{}}
	for _, state := range req.moments {
		moment := momentForecasts{At: wire.Time(state.At), Forecasts: []replayForecast{}}
		for _, e := range req.model.Forecast(state, foresight.Replicates) {
			moment.Forecasts = append(moment.Forecasts, forecastOf(e, req.record, state.At))
		}
		answer.Ranges = append(answer.Ranges, moment)
	}
	return answer
}

func forecastOf(e foresight.Estimate, record *foresight.Record, at time.Time) replayForecast {
	f := replayForecast{VisitID: e.VisitID, Early: record.Early()}
	if e.Note != "" {
		f.Note = &e.Note
	}
	if e.Note == foresight.NobodyAtDesk {
		return f
	}
	shown := record.Range(at, e)
	f.From, f.To, f.Likely = wire.TimeOf(&shown.From), wire.TimeOf(&shown.To), wire.TimeOf(&shown.Likely)
	f.Q10, f.Q50, f.Q90, f.Level = &e.Q10, &e.Q50, &e.Q90, &shown.Level
	return f
}

package voice

import (
	"encoding/binary"
	"errors"
	"math"
)

// The level of every clip, -20 dB of full scale as RMS, and the silence that is left at its ends.
const (
	level       = 3277
	loudest     = 32000
	silence     = 0.01 // share of the loudest sample
	paddingTime = 0.012
)

// header is the size of the header of a canonical WAV file.
const header = 44

// level16 cuts the silence of a mono WAV file of 16 bits and sets its level.
func level16(wav []byte) ([]byte, error) {
	if len(wav) < header || string(wav[:4]) != "RIFF" || binary.LittleEndian.Uint16(wav[22:]) != 1 ||
		binary.LittleEndian.Uint16(wav[34:]) != 16 {
		return nil, errors.New("not a mono WAV file of 16 bits")
	}
	rate := float64(binary.LittleEndian.Uint32(wav[24:]))
	samples := make([]float64, (len(wav)-header)/2)
	for i := range samples {
		samples[i] = float64(int16(binary.LittleEndian.Uint16(wav[header+2*i:])))
	}
	samples, err := trim(samples, int(paddingTime*rate))
	if err != nil {
		return nil, err
	}
	factor := factorOf(samples)
	out := append([]byte{}, wav[:header]...)
	for _, s := range samples {
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(s*factor)))
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	binary.LittleEndian.PutUint32(out[40:], uint32(len(out)-header))
	return out, nil
}

// trim leaves padding samples before the first sound, and twice as many after the last.
func trim(samples []float64, padding int) ([]float64, error) {
	most := 0.0
	for _, s := range samples {
		most = max(most, math.Abs(s))
	}
	first, last := -1, -1
	for i, s := range samples {
		if math.Abs(s) > silence*most {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return nil, errors.New("no sound")
	}
	return samples[max(0, first-padding):min(len(samples), last+2*padding)], nil
}

// factorOf returns the factor by which the samples are amplified.
func factorOf(samples []float64) float64 {
	sum, most := 0.0, 0.0
	for _, s := range samples {
		sum += s * s
		most = max(most, math.Abs(s))
	}
	return min(level/math.Sqrt(sum/float64(len(samples))), loudest/most)
}

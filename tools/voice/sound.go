package voice

import (
	"encoding/binary"
	"errors"
	"math"
)

// level is the RMS of a clip, -20 dB of full scale; loudest is the maximum of its samples. Samples below silence are
// cut off at both ends of a clip, except for paddingTime, in seconds, at the start, and twice that time at the end.
const (
	level       = 3277
	loudest     = 32000
	silence     = 0.01 // share of the clip's loudest sample
	paddingTime = 0.012
)

// header is the size in bytes of the header of a WAV file without optional chunks.
const header = 44

// level16 removes the silence at both ends of a mono WAV file of 16 bits and sets its level.
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

// trim removes the silence at both ends, except padding samples before the first sound, and twice as many at the end.
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

// factorOf returns the factor that brings the samples to the common level.
func factorOf(samples []float64) float64 {
	sum, most := 0.0, 0.0
	for _, s := range samples {
		sum += s * s
		most = max(most, math.Abs(s))
	}
	return min(level/math.Sqrt(sum/float64(len(samples))), loudest/most)
}

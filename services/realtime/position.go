package realtime

import (
	"strconv"
	"strings"

	"baari.dev/services/platform/feed"
)

// position has a feed position for each source, in the order of the hub's sources. A position without an epoch is
// unknown: the source has not been read yet.
type position []feed.Position

func (p position) known() bool {
	for _, place := range p {
		if place.Epoch == "" {
			return false
		}
	}
	return true
}

func (p position) clone() position { return append(position(nil), p...) }

// appendTo appends the known positions to text as "a=epoch:seq;b=epoch:seq".
func (p position) appendTo(text []byte, sources []*source) []byte {
	first := true
	for i, place := range p {
		if place.Epoch == "" {
			continue
		}
		if !first {
			text = append(text, ';')
		}
		first = false
		text = append(text, sources[i].name...)
		text = append(text, '=')
		text = append(text, place.Epoch...)
		text = append(text, ':')
		text = strconv.AppendInt(text, place.Seq, 10)
	}
	return text
}

// longestPosition is the length in bytes of the longest position that is accepted from a client.
const longestPosition = 1024

// parsePosition parses a client's last position. ok is false if text cannot be the id of a frame: it has another form,
// an unknown source, or an epoch with characters that a UUID does not have.
func parsePosition(text string, sources []*source) (p position, ok bool) {
	if len(text) > longestPosition {
		return nil, false
	}
	places, ok := feed.ParsePositions(text)
	if !ok {
		return nil, false
	}
	p = make(position, len(sources))
	for i, source := range sources {
		if place, carried := places[source.name]; carried {
			if strings.Trim(place.Epoch, "0123456789abcdef-") != "" {
				return nil, false
			}
			p[i] = place
			delete(places, source.name)
		}
	}
	return p, len(places) == 0
}

// render encodes one frame. The traceparent is sent as a comment, which EventSource ignores, so that the data has only
// the contract's fields.
func render(p position, sources []*source, data []byte, trace string) []byte {
	text := make([]byte, 0, len(data)+len(sources)*64+len(trace)+16)
	if trace != "" {
		text = append(text, ": traceparent "...)
		text = append(text, trace...)
		text = append(text, '\n')
	}
	text = append(text, "id: "...)
	text = p.appendTo(text, sources)
	text = append(text, "\ndata: "...)
	text = append(text, data...)
	return append(text, "\n\n"...)
}

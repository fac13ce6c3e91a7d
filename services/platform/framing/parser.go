package framing

import (
	"bytes"
	"strconv"
)

// maxLine is the longest line of a head or of a chunk, in bytes. net/http rejects longer lines first: the servers limit
// heads to 20 KiB, and net/http limits the lines of chunks.
const maxLine = 32 << 10

// parser reads the bytes of one connection in pieces of any size. It follows RFC 9112 as net/http does. Where it is
// stricter than net/http, it reports a head as faulty; that request and all later ones are rejected. So parser and
// net/http never disagree about where an accepted request begins.
type parser struct {
	phase       phase
	partial     []byte // the beginning of a line that is incomplete so far
	left        int64  // bytes of the body or chunk still to come
	head        head
	heads       int64 // complete heads
	firstFaulty int64 // the first head that must be rejected, counted from 1; 0 means none
}

// phase is the part of a request to which the next byte belongs.
type phase int

const (
	startLine phase = iota
	fields
	body
	chunkSize
	chunkData
	chunkEnd
	trailer
	lost // a faulty message: nothing after it is parsed
)

// head has what a head says about its body.
type head struct {
	faulty             bool
	isHTTP11           bool
	lengths, encodings int // number of fields Content-Length and Transfer-Encoding
	length             int64
}

func (p *parser) parse(piece []byte) {
	for len(piece) > 0 {
		switch p.phase {
		case lost:
			return
		case body, chunkData:
			n := min(p.left, int64(len(piece)))
			p.left, piece = p.left-n, piece[n:]
			if p.left == 0 {
				p.phase = afterData[p.phase]
			}
		default:
			piece = p.takeLine(piece)
		}
	}
}

var afterData = map[phase]phase{body: startLine, chunkData: chunkEnd}

// takeLine parses the line at the start of piece and returns what follows it.
func (p *parser) takeLine(piece []byte) []byte {
	line, rest, ended := bytes.Cut(piece, []byte("\n"))
	if len(p.partial)+len(line) > maxLine {
		p.giveUp()
		return nil
	}
	if !ended {
		p.partial = append(p.partial, line...)
		return nil
	}
	if len(p.partial) > 0 {
		line = append(p.partial, line...)
		p.partial = nil
	}
	p.endLine(bytes.TrimSuffix(line, []byte("\r")))
	return rest
}

func (p *parser) endLine(line []byte) {
	switch p.phase {
	case startLine:
		if len(line) > 0 { // net/http skips some empty lines between requests and rejects the others
			p.head = head{isHTTP11: bytes.HasSuffix(line, []byte(" HTTP/1.1"))}
			p.phase = fields
		}
	case fields:
		if len(line) == 0 {
			p.endHead()
		} else {
			p.head.field(line)
		}
	case chunkSize:
		p.beginChunk(line)
	case chunkEnd:
		if p.phase = chunkSize; len(line) > 0 {
			p.giveUp()
		}
	case trailer:
		if len(line) == 0 {
			p.phase = startLine
		} else if isFolded(line) {
			p.giveUp()
		}
	}
}

// field records what a line of the head says about the body.
func (h *head) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.Trim(value, " \t")
	switch {
	case isFolded(line): // RFC 9112, 5.2: may be rejected
		h.faulty = true
	case bytes.EqualFold(name, []byte("Content-Length")):
		length, err := strconv.ParseUint(string(value), 10, 63)
		h.length, h.faulty = int64(length), h.faulty || err != nil
		h.lengths++
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		h.faulty = h.faulty || !h.isHTTP11 || !bytes.EqualFold(value, []byte("chunked"))
		h.encodings++
	}
}

func isFolded(line []byte) bool { return line[0] == ' ' || line[0] == '\t' }

func (p *parser) endHead() {
	if p.head.faulty || p.head.lengths+p.head.encodings > 1 {
		p.giveUp()
		return
	}
	p.heads++
	switch {
	case p.head.encodings > 0:
		p.phase = chunkSize
	case p.head.length > 0:
		p.phase, p.left = body, p.head.length
	default:
		p.phase = startLine
	}
}

func (p *parser) beginChunk(line []byte) {
	digits, _, _ := bytes.Cut(line, []byte(";")) // an extension
	size, err := strconv.ParseUint(string(bytes.TrimRight(digits, " \t")), 16, 63)
	switch {
	case err != nil:
		p.giveUp()
	case size == 0:
		p.phase = trailer
	default:
		p.phase, p.left = chunkData, int64(size)
	}
}

// giveUp rejects the current head. After a malformed body it rejects the next head: net/http rejects the body itself.
func (p *parser) giveUp() {
	p.phase, p.partial, p.firstFaulty = lost, nil, p.heads+1
}

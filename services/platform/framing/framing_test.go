package framing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const start = "POST /a HTTP/1.1\r\nHost: office\r\n"

// T11: a request whose end can be read in two ways is rejected, in whatever pieces it arrives and whatever came before.
func TestAHeadWithTwoFramingsIsFaulty(t *testing.T) {
	for name, c := range map[string]struct {
		sent string
		want int64 // number of the rejected head; 0: none is rejected
	}{
		"length, then encoding":      {start + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 1},
		"encoding, then length":      {start + "transfer-encoding: chunked\r\nX: y\r\ncontent-length:3\r\n\r\n", 1},
		"bare newlines":              {"POST / HTTP/1.1\nContent-Length: 3\nTRANSFER-ENCODING: chunked\n\n", 1},
		"two equal lengths":          {start + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n", 1},
		"two encodings":              {start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 1},
		"an encoding in HTTP/1.0":    {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 1},
		"another encoding":           {start + "Transfer-Encoding: gzip, chunked\r\n\r\n", 1},
		"a folded length":            {start + "Transfer-Encoding: chunked\r\nContent-Length:\r\n 3\r\n\r\n", 1},
		"a length that is no number": {start + "Content-Length: 3, 3\r\n\r\n", 1},
		"in the second request": {
			start + "Content-Length: 2\r\n\r\n{}" + start + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 2,
		},
		"behind chunks": {
			start + "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nX: y\r\n\r\n" +
				start + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
			2,
		},
		"behind a malformed chunk":    {start + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n" + start + "\r\n", 2},
		"behind a chunk without size": {start + "Transfer-Encoding: chunked\r\n\r\nx\r\n", 2},
		"a line without end":          {start + strings.Repeat("x", maxLine+1), 1},
		"a length":                    {start + "Content-Length: 2\r\n\r\n{}", 0},
		"an encoding":                 {start + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
		"one each in two requests": {
			start + "Content-Length: 2\r\n\r\n{}" + start + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0,
		},
		"names that only begin so":   {start + "Content-Length-Hint: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 0},
		"a value that names a field": {start + "X: content-length:\r\nTransfer-Encoding: chunked\r\n\r\n", 0},
		"both in a body": {
			start + "Content-Length: 49\r\n\r\n\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\n", 0,
		},
		"both in a chunk": {
			start + "Transfer-Encoding: chunked\r\n\r\n31\r\n\nContent-Length: 1\r\n" +
				"Transfer-Encoding: chunked\r\n\n\r\n0\r\n\r\n",
			0,
		},
		"both in the trailer": {
			start + "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 0,
		},
	} {
		for _, step := range []int{1, 7, 4096} {
			var p parser
			for rest := []byte(c.sent); len(rest) > 0; {
				n := min(step, len(rest))
				p.parse(rest[:n])
				rest = rest[n:]
			}
			if p.firstFaulty != c.want {
				t.Errorf("%s, in pieces of %d: faulty head %d, want %d", name, step, p.firstFaulty, c.want)
			}
		}
	}
}

// T11: only the faulty request and what follows it on its connection are rejected, and the connection is closed.
func TestTheResultBelongsToTheRequest(t *testing.T) {
	good := start + "Content-Length: 2\r\n\r\n{}"
	options := "OPTIONS * HTTP/1.1\r\nHost: office\r\n\r\n" // net/http answers this request itself by default
	faulty := start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
	answer := exchange(t, good+options+good+faulty+good)
	if got := strings.Count(answer, "200 OK"); got != 3 {
		t.Errorf("%d requests were accepted, want 3: %q", got, answer)
	}
	// ASVS 4.2.1
	if strings.Count(answer, "400 Bad Request") != 1 || strings.Count(answer, "Connection: close") != 1 {
		t.Errorf("want one 400 that closes: %q", answer)
	}
}

// exchange sends text over one connection to a guarded server and returns all responses.
func exchange(t *testing.T, text string) string {
	t.Helper()
	server := &http.Server{ReadHeaderTimeout: time.Second}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if Faulty(r) {
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	Guard(server)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(Listen(listener)) }()
	t.Cleanup(func() { _ = server.Close() })
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_ = client.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprint(client, text)
	answer, err := io.ReadAll(client)
	if len(answer) == 0 {
		t.Fatal(err)
	}
	return string(answer)
}

// FuzzTheParserFollowsTheServer compares where the parser and net/http find the beginning of each request. A request
// that is accepted must begin at the same byte for both.
func FuzzTheParserFollowsTheServer(f *testing.F) {
	length := start + "Content-Length: 2\r\n\r\n{}"
	chunks := start + "Transfer-Encoding: chunked\r\n\r\n2;x\r\n{}\r\n0\r\nA: b\r\n\r\n"
	for _, seed := range []string{
		length + chunks + length, "\r\n" + length + "\r\n" + length, chunks + "\n" + chunks,
		start + "Transfer-Encoding: chunked\r\n\r\n2 \r\n{}\r\n0\r\n \r\n\r\n" + length,
		"GET / HTTP/1.0\nConnection: keep-alive\nTransfer-Encoding: chunked\n\n0\r\n\r\n" + length,
		start + "Content-Length: 0\r\n\r\n\r\r\nGET / HTTP/1.1\nHost: a\n\n",
		"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n" + length,
		start + "X: y\r\n \r\nContent-Length: 2\r\n\r\n{}" + length, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + length,
		start + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\n\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
		start + "Content-Length: 40\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n\r\n\r\n" + length,
		start + "Content-Length : 2\r\n\r\n{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		begins := beginnings(sent)
		for i, line := range acceptedBy(t, sent) {
			if i >= len(begins) || !bytes.HasPrefix(bytes.TrimLeft(sent[begins[i]:], "\r\n"), []byte(line)) {
				t.Errorf("request %d is %q to net/http, and begins at %v of %q to the parser", i+1, line, begins, sent)
			}
		}
	})
}

// beginnings returns the offsets at which the parser sees the heads of accepted requests begin.
func beginnings(sent []byte) (all []int) {
	var p parser
	begin := 0
	for i := range sent {
		if p.phase == startLine && len(p.partial) == 0 {
			begin = i
		}
		before := p.heads
		p.parse(sent[i : i+1])
		if p.heads > before {
			all = append(all, begin)
		}
	}
	return all
}

// acceptedBy returns method and target of each request that a guarded server accepts from one connection.
func acceptedBy(t *testing.T, sent []byte) (lines []string) {
	t.Helper()
	done := make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if !Faulty(r) {
			lines = append(lines, r.Method+" "+r.RequestURI+" ")
		}
	}), ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			close(done)
		}
	}}
	server.SetKeepAlivesEnabled(true)
	Guard(server)
	_ = server.Serve(Listen(&single{conn: &memory{sent: bytes.NewReader(sent)}}))
	<-done
	return lines
}

type single struct{ conn net.Conn }

func (l *single) Accept() (net.Conn, error) {
	if l.conn == nil {
		return nil, errors.New("no more connections")
	}
	defer func() { l.conn = nil }()
	return l.conn, nil
}
func (l *single) Close() error   { return nil }
func (l *single) Addr() net.Addr { return &net.TCPAddr{} }

// memory is a connection that delivers a text and discards what is written.
type memory struct {
	net.Conn
	sent *bytes.Reader
}

func (m *memory) Read(into []byte) (int, error)    { return m.sent.Read(into) }
func (m *memory) Write(b []byte) (int, error)      { return len(b), nil }
func (m *memory) Close() error                     { return nil }
func (m *memory) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (m *memory) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (m *memory) SetDeadline(time.Time) error      { return nil }
func (m *memory) SetReadDeadline(time.Time) error  { return nil }
func (m *memory) SetWriteDeadline(time.Time) error { return nil }

package framing

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// T11: a head that states a length and an encoding is noticed, however it is cut into pieces and whatever came before.
func TestAHeadWithLengthAndEncodingIsAmbiguous(t *testing.T) {
	head := "POST /a HTTP/1.1\r\nHost: office\r\n"
	for name, c := range map[string]struct {
		sent string
		want bool
	}{
		"length, then encoding":      {head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", true},
		"encoding, then length":      {head + "transfer-encoding: chunked\r\nX: y\r\ncontent-length:3\r\n\r\n", true},
		"bare newlines":              {"POST / HTTP/1.1\nContent-Length: 3\nTRANSFER-ENCODING: chunked\n\n", true},
		"in the second request":      {head + "Content-Length: 2\r\n\r\n{}" + head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", true},
		"a length":                   {head + "Content-Length: 2\r\n\r\n{}", false},
		"an encoding":                {head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false},
		"one each in two requests":   {head + "Content-Length: 2\r\n\r\n{}" + head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false},
		"names that only begin so":   {head + "Content-Length-Hint: 3\r\nTransfer-Encoding: chunked\r\n\r\n", false},
		"a value that names a field": {head + "X: content-length:\r\nTransfer-Encoding: chunked\r\n\r\n", false},
	} {
		for _, step := range []int{1, 7, 4096} {
			w := &watched{}
			for piece := range pieces(c.sent, step) {
				w.look([]byte(piece))
			}
			if w.ambiguous.Load() != c.want {
				t.Errorf("%s, in pieces of %d: ambiguous %v", name, step, !c.want)
			}
		}
	}
}

func pieces(text string, step int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := min(step, len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

func TestAHandlerHearsOfIt(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ConnContext: Context, ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, Ambiguous(r))
	})}
	go func() { _ = server.Serve(Listen(listener)) }()
	t.Cleanup(func() { _ = server.Close() })
	for fields, want := range map[string]string{
		"Content-Length: 0\r\n": "false", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n": "true",
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: office\r\nConnection: close\r\n%s\r\n0\r\n\r\n", fields)
		answer, err := http.ReadResponse(bufio.NewReader(iotest.OneByteReader(conn)), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		_ = conn.Close()
		if err != nil || strings.TrimSpace(string(body)) != want {
			t.Errorf("%q: %q %v", fields, body, err)
		}
	}
}

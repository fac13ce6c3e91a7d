// Command prober tries links of visitors at a rate, from several addresses of this machine, and prints as JSON how they
// were answered. Start reading at main.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// The addresses and the connections from which links are tried.
const (
	addresses   = 8
	connections = 64
)

// result is what is printed; broken connections were closed without an answer.
type result struct {
	Missing   int64         `json:"missing"` // 404
	Limited   int64         `json:"limited"` // 429
	Others    int64         `json:"others"`
	Broken    int64         `json:"broken"`
	Processor time.Duration `json:"processor"` // that this program used
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "prober ADDRESS LINKS_A_SECOND DURATION")
		os.Exit(2)
	}
	rate, err := strconv.Atoi(os.Args[2])
	var lasting time.Duration
	if err == nil {
		lasting, err = time.ParseDuration(os.Args[3])
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(probe(os.Args[1], max(1, rate), lasting))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prober:", err)
		os.Exit(1)
	}
}

// probe tries links over all connections.
func probe(host string, rate int, lasting time.Duration) result {
	var p prober
	var running sync.WaitGroup
	each := time.Duration(float64(time.Second) * connections / float64(rate))
	end := time.Now().Add(lasting)
	for i := range connections {
		running.Go(func() { p.try(host, net.IPv4(127, 0, 0, byte(2+i%addresses)), each, end) })
	}
	running.Wait()
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // fails for another constant only
	return result{p.missing.Load(), p.limited.Load(), p.others.Load(), p.broken.Load(),
		time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

// prober counts the answers.
type prober struct{ missing, limited, others, broken atomic.Int64 }

// try tries one link after another over one connection from an address. One that is late does not wait.
func (p *prober) try(host string, from net.IP, each time.Duration, end time.Time) {
	const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
	connection := &fasthttp.HostClient{Addr: host, MaxConns: 1, Dial: func(to string) (net.Conn, error) {
		return dialer.Dial("tcp4", to)
	}}
	request, answer := &fasthttp.Request{}, &fasthttp.Response{}
	code := make([]byte, 20)
	for due := time.Now(); due.Before(end) && time.Now().Before(end); due = due.Add(each) {
		time.Sleep(time.Until(due))
		for at := range code {
			code[at] = letters[rand.IntN(len(letters))]
		}
		request.SetRequestURI("http://" + host + "/q/" + string(code))
		if err := connection.Do(request, answer); err != nil {
			p.broken.Add(1)
			continue
		}
		switch answer.StatusCode() {
		case http.StatusNotFound:
			p.missing.Add(1)
		case http.StatusTooManyRequests:
			p.limited.Add(1)
		default:
			p.others.Add(1)
		}
	}
}

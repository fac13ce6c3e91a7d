package lobby

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/platform/testkit"
)

// chromium is a page or a worker of a browser, controlled over the pipe of the DevTools protocol.
type chromium struct {
	*pipe
	session string
}

// pipe is the connection to a browser, shared by its pages and workers.
type pipe struct {
	t  *testing.T
	in io.Writer

	mu      sync.Mutex
	last    int
	answers map[int]chan devtoolsMessage
	events  map[string]jsontext.Value // the last event of each method
}

type devtoolsMessage struct {
	ID     int            `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// openChromium starts the browser named by BAARI_CHROMIUM, which `baari test` sets, or else a browser of this machine.
func openChromium(t *testing.T) *chromium {
	t.Helper()
	path := os.Getenv("BAARI_CHROMIUM")
	for _, name := range []string{"chromium-headless-shell", "chromium"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("there is no Chromium: set BAARI_CHROMIUM")
	}
	read, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
		"--user-data-dir="+t.TempDir())
	run.ExtraFiles = []*os.File{read, write} // descriptors 3 and 4 of the browser
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	_ = write.Close()
	c := &chromium{pipe: &pipe{
		t: t, in: in, answers: map[int]chan devtoolsMessage{}, events: map[string]jsontext.Value{},
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.listen(out)
	}()
	t.Cleanup(func() {
		_ = c.send(0, "Browser.close", map[string]any{}) // the browser writes its profile before it ends
		_ = run.Wait()
		_ = in.Close()
		<-done
		_ = out.Close()
	})
	var made struct{ TargetID string }
	c.into(&made, "Target.createTarget", map[string]any{"url": "about:blank"})
	return c.attach(made.TargetID)
}

func (c *chromium) attach(target string) *chromium {
	c.t.Helper()
	var made struct{ SessionID string }
	c.into(&made, "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})
	return &chromium{c.pipe, made.SessionID}
}

// listen stores the browser's messages, each of which ends with a zero byte, in answers and events.
func (c *pipe) listen(out io.Reader) {
	reader := bufio.NewReader(out)
	for {
		line, err := reader.ReadBytes(0)
		if err != nil {
			return
		}
		var m devtoolsMessage
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		c.mu.Lock()
		if answer := c.answers[m.ID]; answer != nil {
			answer <- m
			delete(c.answers, m.ID)
		} else {
			c.events[m.Method] = m.Params
		}
		c.mu.Unlock()
	}
}

// send sends a command without waiting for its response.
func (c *chromium) send(id int, method string, params map[string]any) error {
	body := map[string]any{"id": id, "method": method, "params": params}
	if c.session != "" {
		body["sessionId"] = c.session
	}
	data, err := json.Marshal(body)
	if err == nil {
		_, err = c.in.Write(append(data, 0))
	}
	return err
}

// into sends a command and decodes the response into result.
func (c *chromium) into(result any, method string, params map[string]any) {
	c.t.Helper()
	answer := make(chan devtoolsMessage, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.answers[id] = answer
	c.mu.Unlock()
	if err := c.send(id, method, params); err != nil {
		c.t.Fatal(err)
	}
	m := testkit.Receive(c.t, method+" is answered", answer)
	if m.Error != nil {
		c.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if err := json.Unmarshal(m.Result, result, json.MatchCaseInsensitiveNames(true)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *chromium) do(method string, params map[string]any) {
	c.t.Helper()
	c.into(&struct{}{}, method, params)
}

// evaluate returns the text to which an expression evaluates on the page, after its promise resolves.
func (c *chromium) evaluate(expression string) string {
	c.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	c.into(&got, "Runtime.evaluate", map[string]any{
		"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
	})
	if got.ExceptionDetails != nil {
		c.t.Fatalf("%s: %s", expression, got.ExceptionDetails.Text)
	}
	return fmt.Sprint(got.Result.Value)
}

func (c *chromium) event(method string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.events[method])
}

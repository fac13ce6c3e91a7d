package test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/testkit/port"
)

// office copies ../testdata/office.json to file and replaces the first occurrence of one text (from) by another (to).
func office(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile("../testdata/office.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// webProcess returns the start command of a web server, the address of its office document and the file of its log.
func webProcess(t *testing.T, officeFile string) (cmd *exec.Cmd, address, log string) {
	t.Helper()
	public := port.Free(t)
	out, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = out.Close() })
	cmd = exec.Command(baarid, "--target=web")
	cmd.Env = []string{
		"HOST=127.0.0.1", fmt.Sprintf("PORT=%d", public), fmt.Sprintf("ADMIN_PORT=%d", port.Free(t)), "SHUTDOWN_DELAY=0",
		"WEB_ROOT=../testdata/web", "OFFICE_FILE=" + officeFile}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd, fmt.Sprintf("http://127.0.0.1:%d/office.json", public), out.Name()
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func body(address string) string {
	res, err := http.Get(address)
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return string(text)
}

func TestTheWebServerReloadsTheOfficeAtSIGHUP(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "office.json")
	office(t, file, "", "")
	cmd, address, log := webProcess(t, file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the web server did not shut down gracefully: %v\n%s", err, read(t, log))
		}
	})
	testkit.Eventually(t, "the office as it was", func() bool { return strings.Contains(body(address), "Lekha Tax") })

	office(t, file, "Lekha Tax & Advisory", "Hisab")
	_ = cmd.Process.Signal(syscall.SIGHUP)
	testkit.Eventually(t, "the changed office", func() bool { return strings.Contains(body(address), `"brand":"Hisab"`) })

	office(t, file, `"phone": "080 0000 0142"`, `"phone": ""`)
	_ = cmd.Process.Signal(syscall.SIGHUP)
	testkit.Eventually(t, "a line in the log", func() bool {
		return strings.Contains(read(t, log), "key /phone is empty")
	})
	if got := body(address); !strings.Contains(got, `"brand":"Hisab"`) {
		t.Errorf("the last good office is gone:\n%s", got)
	}
}

func TestAnInvalidOfficeFileStopsTheStartAndNamesItsKey(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "office.json")
	office(t, file, `"theme": "light"`, `"theme": "blue"`)
	cmd, _, log := webProcess(t, file)
	if err := cmd.Run(); err == nil ||
		!strings.Contains(read(t, log), "OFFICE_FILE: key /theme may be light, dark, system") {
		t.Errorf("ended with %v\n%s", err, read(t, log))
	}
}

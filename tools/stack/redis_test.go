package stack

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.yaml.in/yaml/v3"

	"baari.dev/services/platform/testkit"
)

// The accounts of `up` and of the chart: a client with the password of one service cannot publish the events of
// another, change its counters, or run an administrator's command.
func TestAServiceHasItsOwnChannelsAndCounters(t *testing.T) {
	s := &Stack{secrets: Secrets{Redis: "of-the-administrator"}}
	accounts := filepath.Join(t.TempDir(), "redis.acl")
	if err := os.WriteFile(accounts, []byte(s.redisAccounts()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("up", func(t *testing.T) {
		checkAccounts(t, startRedis(t, "--aclfile", accounts), s.redisPassword)
	})
	t.Run("chart", func(t *testing.T) {
		passwordOf := func(service string) string { return "password-of-" + service }
		checkAccounts(t, startRedis(t, chartArguments(t, passwordOf)...), passwordOf)
	})
}

// chartArguments returns the arguments of Redis in the chart's example, with the passwords in place of its variables.
func chartArguments(t *testing.T, passwordOf func(service string) string) []string {
	t.Helper()
	text, err := os.ReadFile("../../charts/baari/examples/default.yaml")
	if err != nil {
		t.Fatal(err)
	}
	passwords := []string{"$(REDIS_PASSWORD)", "of-the-administrator"}
	for _, service := range Services {
		passwords = append(passwords, "$(REDIS_PASSWORD_"+strings.ToUpper(service)+")", passwordOf(service))
	}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var object struct {
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct{ Command, Args []string }
					}
				}
			}
		}
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			t.Fatal("the example has no Redis")
		} else if err != nil {
			continue // an object in which these fields have other types
		}
		for _, container := range object.Spec.Template.Spec.Containers {
			if len(container.Command) == 1 && container.Command[0] == "redis-server" {
				replaced := strings.NewReplacer(passwords...).Replace(strings.Join(container.Args, "\n"))
				return strings.Split(replaced, "\n")
			}
		}
	}
}

func startRedis(t *testing.T, arguments ...string) string {
	t.Helper()
	ports, err := FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("redis-server", append(arguments,
		"--bind", loopback, "--port", strconv.Itoa(ports[0]), "--dir", t.TempDir())...)
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(printed.String())
		}
	})
	return address(ports[0])
}

func checkAccounts(t *testing.T, host string, passwordOf func(service string) string) {
	t.Helper()
	as := func(user, password string) *redis.Client {
		client := redis.NewClient(&redis.Options{Addr: host, Username: user, Password: password})
		t.Cleanup(func() { _ = client.Close() })
		return client
	}
	lobby, visits := as("lobby", passwordOf("lobby")), as("visits", passwordOf("visits"))
	testkit.Eventually(t, "Redis answers", func() bool { return visits.Ping(t.Context()).Err() == nil })

	heard := lobby.Subscribe(t.Context(), "baari:events:visits", "baari:state:visits")
	if _, err := heard.Receive(t.Context()); err != nil {
		t.Fatalf("lobby cannot subscribe to the events of visits: %v", err)
	}
	if err := visits.Publish(t.Context(), "baari:events:visits", "an event").Err(); err != nil {
		t.Fatalf("visits cannot publish its events: %v", err)
	}
	if got := testkit.Receive(t, "the event", heard.Channel()); got.Payload != "an event" {
		t.Errorf("lobby received %v", got)
	}
	const count = `return redis.call('SET', KEYS[1], redis.call('TIME')[1]) and redis.call('GET', KEYS[1])`
	for _, key := range []string{"gcra:lobby:orders:asha", "gcra:product:asha"} {
		if err := lobby.Eval(t.Context(), count, []string{key}).Err(); err != nil {
			t.Errorf("the counter %s: %v", key, err)
		}
	}

	denial := regexp.MustCompile(`NOPERM|NOAUTH|WRONGPASS`)
	ctx := context.Background()
	for what, err := range map[string]error{
		"publishes events of visits":     lobby.Publish(ctx, "baari:events:visits", "false").Err(),
		"publishes a state of visits":    lobby.Publish(ctx, "baari:state:visits", "false").Err(),
		"publishes events of auth":       lobby.Publish(ctx, "baari:events:auth", "false").Err(),
		"deletes all":                    lobby.FlushAll(ctx).Err(),
		"lists the keys":                 lobby.Keys(ctx, "*").Err(),
		"reads the configuration":        lobby.ConfigGet(ctx, "*").Err(),
		"ends the connections of others": lobby.ClientKillByFilter(ctx, "TYPE", "normal").Err(),
		"reads the accounts":             lobby.Do(ctx, "ACL", "LIST").Err(),
		"sets a counter of auth":         lobby.Set(ctx, "gcra:auth:sign-in:10.0.0.1", "0", 0).Err(),
		"deletes its own counter":        lobby.Del(ctx, "gcra:lobby:orders:asha").Err(),
		"counts for auth":                lobby.Eval(ctx, count, []string{"gcra:auth:orders:asha"}).Err(),
		"has no password":                as("", "").Ping(ctx).Err(),
		"has another's password":         as("visits", passwordOf("lobby")).Ping(ctx).Err(),
	} {
		if err == nil || !denial.MatchString(err.Error()) {
			t.Errorf("a client with the account of lobby %s: %v", what, err)
		}
	}
}

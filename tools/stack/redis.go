package stack

import (
	"bufio"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// redisRights returns the rights of a service's account in Redis: to use the service's own counters of limits and the
// shared ones, to publish on its own channels, and to subscribe to the channels of all services. The chart has the same
// accounts (templates/redis.yaml). services/docs/privacy.md lists what passes each channel.
func redisRights(service string) string {
	return "-@all +@connection -@dangerous +subscribe +unsubscribe +evalsha +eval +time +get +set" +
		" ~gcra:product:* ~gcra:" + service + ":* &baari:*" +
		" (+publish &baari:events:" + service + " &baari:wake:" + service + " &baari:state:" + service + ")"
}

// redisAccounts returns the lines of Redis's file of accounts: an administrator, and one for each service.
func (s *Stack) redisAccounts() string {
	lines := "user default on >" + s.secrets.Redis + " ~* &* +@all\n"
	for _, service := range Services {
		lines += "user " + service + " on >" + s.redisPassword(service) + " " + redisRights(service) + "\n"
	}
	return lines
}

func (s *Stack) redisPassword(service string) string {
	mac := hmac.New(sha256.New, []byte(s.secrets.Redis))
	mac.Write([]byte(service))
	return hex.EncodeToString(mac.Sum(nil))
}

// redisFor returns the address of Redis with the account of a service. If REDIS_URL is set, it returns that.
func (s *Stack) redisFor(service string) string {
	if os.Getenv("REDIS_URL") != "" {
		return s.base.Redis
	}
	at, err := url.Parse(s.base.Redis)
	if err != nil {
		return s.base.Redis
	}
	at.User = url.UserPassword(service, s.redisPassword(service))
	return at.String()
}

// startRedis returns REDIS_URL, if that is set, once its server answers. Otherwise it starts the machine's Redis or
// Valkey on a free port, and returns the address with the administrator's password.
func (s *Stack) startRedis(ctx context.Context) (string, error) {
	if address := os.Getenv("REDIS_URL"); address != "" {
		return address, awaitRedis(ctx, address)
	}
	for _, name := range []string{"redis-server", "valkey-server"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		port, err := s.serverPort("redis")
		if err != nil {
			return "", err
		}
		accounts := filepath.Join(s.folder.Path(), "redis.acl")
		if err := os.WriteFile(accounts, []byte(s.redisAccounts()), 0o600); err != nil {
			return "", err
		}
		if _, err := s.run(databases, redisSpec(path, port, accounts)); err != nil {
			return "", err
		}
		address := s.redisAt(port)
		return address, awaitRedis(ctx, address)
	}
	return "", advise("Redis is missing: install redis-server, or set REDIS_URL.")
}

// redisAt returns the address of a server on this machine, with the account of its administrator.
func (s *Stack) redisAt(port int) string {
	at := url.URL{Scheme: "redis", User: url.UserPassword("default", s.secrets.Redis), Host: address(port)}
	return at.String()
}

// redisSpec runs Redis without files: its notifications and counters may be lost, and PostgreSQL has every event.
func redisSpec(path string, port int, accounts string) Spec {
	return Spec{
		Name: "redis", Path: path, Port: port, Env: os.Environ(),
		Args: []string{
			"--bind", loopback, "--port", strconv.Itoa(port), "--save", "", "--appendonly", "no", "--aclfile", accounts,
		},
	}
}

func awaitRedis(ctx context.Context, address string) error {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "redis" && at.Scheme != "rediss" {
		return advise("REDIS_URL is not an address like redis://host:6379.")
	}
	err = Await(ctx, 10*time.Second, func(ctx context.Context) error { return pingRedis(ctx, at) })
	if err != nil {
		return advise("Redis at %s does not answer: start it, or unset REDIS_URL. (%v)", at.Host, err)
	}
	return nil
}

// pingRedis signs in and sends PING in Redis's protocol. A driver would be larger than the rest of the launcher.
func pingRedis(ctx context.Context, at *url.URL) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	dial := (&net.Dialer{}).DialContext
	if at.Scheme == "rediss" {
		dial = (&tls.Dialer{}).DialContext
	}
	conn, err := dial(ctx, "tcp", net.JoinHostPort(at.Hostname(), cmp.Or(at.Port(), "6379")))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	answers := bufio.NewReader(conn)
	ask := func(words ...string) error {
		command := fmt.Sprintf("*%d\r\n", len(words))
		for _, word := range words {
			command += fmt.Sprintf("$%d\r\n%s\r\n", len(word), word)
		}
		if _, err := io.WriteString(conn, command); err != nil {
			return err
		}
		answer, err := answers.ReadString('\n')
		if err == nil && !strings.HasPrefix(answer, "+") {
			err = errors.New(strings.TrimSpace(answer))
		}
		return err
	}
	if password, ok := at.User.Password(); ok {
		if err := ask("AUTH", cmp.Or(at.User.Username(), "default"), password); err != nil {
			return err
		}
	}
	return ask("PING")
}

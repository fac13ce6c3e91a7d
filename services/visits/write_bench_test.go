package visits_test

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/testkit/port"
	"baari.dev/services/visits"
)

func TestMain(m *testing.M) {
	if testkit.IsChild() {
		testkit.AsChild(write)
	}
	m.Run()
}

// writing says what the clients write, for how long, and whether by the service or by a statement that writes the same
// rows.
type writing struct {
	Database, Host, Offered string
	Decide                  bool // whether to decide visits and not to register them
	Through                 bool // whether to write through the service and not by the statement
	Clients                 int
	Lasting                 time.Duration
}

type written struct {
	PerSecond float64
	P99       time.Duration
}

// The number of rounds. In each round the statement writes for the time writeEach, and then the service does.
const (
	writeRounds = 3 // one more round comes before them and is dropped
	writeEach   = 4 * time.Second
)

// writers are how many clients write at once.
var writers = []int{1, 8, 32, 128}

// BenchmarkWrite compares the service with one statement that writes the same rows, on a durable PostgreSQL. Clients in
// a second process register visitors, then decide visits, over HTTP; in turns with them, as many connections send the
// statement. It reports the median of the rounds' ratios, and p99 of both. Set what `baari deps --durable` prints:
//
//	go test -run - -bench Write -benchtime 1x ./visits
//
// The relay numbers and publishes the events; no service reads them. With -short there is one round, a second for each.
func BenchmarkWrite(b *testing.B) {
	at := writing{Offered: uuid.NewString()}
	at.Database, at.Host = startWriting(b, at.Offered)
	clients := testkit.StartChild(b)
	for _, decide := range []bool{false, true} {
		kind := map[bool]string{false: "create", true: "decide"}[decide]
		for _, n := range writers {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				at.Decide, at.Clients = decide, n
				for b.Loop() {
					compareWriting(b, clients, at)
				}
			})
		}
	}
}

// compareWriting runs the statement and the service in turns, so that other load on the machine affects both.
func compareWriting(b *testing.B, clients *testkit.Child, at writing) {
	rounds := writeRounds + 1
	if at.Lasting = writeEach; testing.Short() {
		at.Lasting, rounds = time.Second, 2
	}
	var statement, service, ratios []float64
	var late [2][]float64
	for range rounds {
		at.Through = false
		alone := testkit.Ask[written](b, clients, at)
		at.Through = true
		through := testkit.Ask[written](b, clients, at)
		statement, service = append(statement, alone.PerSecond), append(service, through.PerSecond)
		ratios = append(ratios, through.PerSecond/alone.PerSecond)
		for i, one := range []written{alone, through} {
			late[i] = append(late[i], one.P99.Seconds()*1e3)
		}
	}
	b.ReportMetric(median(ratios[1:]), "ratio")
	b.ReportMetric(median(statement[1:]), "statement/s")
	b.ReportMetric(median(service[1:]), "service/s")
	b.ReportMetric(median(late[0][1:]), "statement-p99-ms")
	b.ReportMetric(median(late[1][1:]), "service-p99-ms")
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

// startWriting runs the service as a process does, without limits. It returns the address of the service's database for
// its owner, and the address of the public listener. The test acts as auth and directory.
func startWriting(b *testing.B, offered string) (database, host string) {
	db, redis := testkit.NewDatabase(b, visits.Migrations()...), testkit.NewRedis(b)
	if err := postgres.AssertDurable(b.Context(), db.Pool); err != nil {
		b.Fatalf("run `go run ./tools/baari deps --durable` and set what it prints: %v", err)
	}
	directory := testkit.NewSource(b, contract.SourceDirectory, redis.Bus)
	owner := db.Owner(b)
	exec(b, owner, testStatement("tables"))
	exec(b, owner, `INSERT INTO services VALUES ($1, 'Income tax return', true)`, offered)
	env := process.Environment{
		"HOST": "127.0.0.1", "LIMITS": "off", "LOG_LEVEL": "error", "SHUTDOWN_DELAY": "0s",
		"DATABASE_URL": db.URL, "MIGRATE_DATABASE_URL": db.OwnerURL, "REDIS_URL": redis.URL,
		"SERVICE_KEY": testkit.PrivateKey(contract.SourceVisits), "SERVICE_PUBLIC_KEYS": testkit.PublicKeys(),
		"DIRECTORY_URL": directory.URL, "AUTH_URL": answerAsAuth(b),
	}
	for _, name := range []string{"PORT", "INTERNAL_PORT", "ADMIN_PORT"} {
		env[name] = strconv.Itoa(port.Free(b))
	}
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() { ended <- process.Run(ctx, env, process.Group{Targets: []process.Target{visits.Target()}}) }()
	b.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
	testkit.Eventually(b, "visits is ready", func() bool {
		answer, err := http.Get("http://127.0.0.1:" + env["ADMIN_PORT"] + "/readyz")
		if err != nil {
			return false
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return db.OwnerURL, "127.0.0.1:" + env["PORT"]
}

// answerAsAuth serves the introspection of auth, in which every token belongs to the session of an admin.
func answerAsAuth(b *testing.B) (address string) {
	const session = `{"active":true,"session_id":"bench","expires_at":"2100-01-01T00:00:00Z","user":{"id":%q,
"name":"Bench","email":"bench@example.com","role":"admin","isActive":true}}`
	return testkit.ServeInternal(b, contract.SourceAuth, endpoint.Route{
		Method: http.MethodPost, Pattern: "/internal/introspect", Access: endpoint.Service(),
		Handler: endpoint.Stream(func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "application/json")
			_, err := fmt.Fprintf(w, session, testkit.ID("bench"))
			return err
		}),
	})
}

//go:embed testdata/write
var writeStatements embed.FS

var sqlComment = regexp.MustCompile(`(?m)^--.*\n`)

func testStatement(name string) string {
	text, err := writeStatements.ReadFile("testdata/write/" + name + ".sql")
	if err != nil {
		panic(err) // it is embedded
	}
	return sqlComment.ReplaceAllString(string(text), "")
}

// pools are the pools of the clients' process, by address.
var pools = map[string]*pgxpool.Pool{}

// write carries out w in the clients' process.
func write(w writing) (written, error) {
	ctx := context.Background()
	pool := pools[w.Database]
	if pool == nil {
		config, err := pgxpool.ParseConfig(w.Database)
		if err != nil {
			return written{}, err
		}
		config.MaxConns = int32(slices.Max(writers))
		if pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			return written{}, err
		}
		pools[w.Database] = pool
	}
	next, err := w.prepare(ctx, pool)
	if err != nil {
		return written{}, err
	}
	calls := make([]func() error, w.Clients)
	for i := range calls {
		if calls[i], err = w.client(ctx, pool, next); err != nil {
			return written{}, err
		}
	}
	return repeat(calls, w.Lasting)
}

// decidedEach is the number of inserted visits for each second of decisions, more than any machine has decided so far.
const decidedEach = 6000

// prepare denies the visits without a decision, because an office has some 60 of them and a measurement leaves tens of
// thousands. For decisions it inserts visits; next returns the ID of the next one.
func (w writing) prepare(ctx context.Context, pool *pgxpool.Pool) (next func() string, err error) {
	for _, schema := range []string{"bench", "public"} {
		for _, sql := range []string{testStatement("depart"), "VACUUM SCHEMA.visits"} {
			if _, err := pool.Exec(ctx, strings.ReplaceAll(sql, "SCHEMA", schema)); err != nil {
				return nil, err
			}
		}
	}
	if !w.Decide {
		return nil, nil
	}
	schema := map[bool]string{false: "bench", true: "public"}[w.Through]
	rows, err := pool.Query(ctx, strings.ReplaceAll(testStatement("arrive"), "SCHEMA", schema), w.Offered,
		int(w.Lasting.Seconds()*decidedEach)+w.Clients)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	var taken atomic.Int64
	return func() string { return ids[min(int(taken.Add(1)), len(ids))-1] }, err
}

// client returns the call that one client repeats.
func (w writing) client(ctx context.Context, pool *pgxpool.Pool, next func() string) (func() error, error) {
	create, deny := testStatement("create"), testStatement("deny")
	if !w.Through {
		return func() (err error) {
			if w.Decide {
				_, err = pool.Exec(ctx, deny, next(), uuid.NewString())
			} else {
				_, err = pool.Exec(ctx, create, uuid.Must(uuid.NewV7()), "A Visitor", w.Offered, uuid.NewString())
			}
			return err
		}, nil
	}
	conn, err := net.Dial("tcp", w.Host)
	if err != nil {
		return nil, err
	}
	answers := bufio.NewReader(conn)
	return func() error {
		if w.Decide {
			return exchange(conn, answers, "PUT /api/visits/"+next()+"/status",
				`{"status":"denied","notes":"Please come back tomorrow"}`)
		}
		return exchange(conn, answers, "POST /api/visits",
			`{"name":"A Visitor","phone":"9800000000","service_id":"`+w.Offered+`"}`)
	}, nil
}

// exchange sends a request and reads its response. It avoids the cost of net/http, because the clients share the
// processors with the service. Any status but 2xx is an error.
func exchange(conn net.Conn, answers *bufio.Reader, route, body string) error {
	_, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: visits\r\nAuthorization: Bearer bench\r\nIdempotency-Key: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", route, uuid.NewString(), len(body), body)
	if err != nil {
		return err
	}
	status, err := answers.ReadString('\n')
	if err != nil {
		return err
	}
	length := 0
	for line := ""; line != "\r\n"; {
		if line, err = answers.ReadString('\n'); err != nil {
			return err
		}
		name, value, _ := strings.Cut(line, ": ")
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	if !strings.HasPrefix(status, "HTTP/1.1 2") {
		return fmt.Errorf("%s is answered %s", route, status)
	}
	_, err = answers.Discard(length)
	return err
}

// repeat lets each client repeat its call for a time. A client stops when its call fails.
func repeat(calls []func() error, lasting time.Duration) (written, error) {
	took := make([][]time.Duration, len(calls))
	errs := make([]error, len(calls))
	var working sync.WaitGroup
	began := time.Now()
	for i, call := range calls {
		working.Go(func() {
			for now := time.Now(); now.Before(began.Add(lasting)) && errs[i] == nil; {
				errs[i] = call()
				sent := now
				now = time.Now()
				took[i] = append(took[i], now.Sub(sent))
			}
		})
	}
	working.Wait()
	lasted := time.Since(began)
	all := slices.Sorted(slices.Values(slices.Concat(took...)))
	return written{float64(len(all)) / lasted.Seconds(), all[len(all)*99/100]}, errors.Join(errs...)
}

package webserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"baari.dev/services/office"
)

const (
	officeEvery   = 2 * time.Second        // the interval at which the office document is read
	officeSoon    = 100 * time.Millisecond // the interval before the first response
	officePatient = 5 * time.Second        // how long a starting replica waits for it before it is ready without
	officeMost    = 2 << 20                // bytes of the largest document
)

// officeCall is the path of the office document at directory.
const officeCall = "/api/office"

// follower reads the office document of directory and shows it. Before the first response the server shows the document
// of the file, and while directory is unavailable the last one.
type follower struct {
	server  *Server
	address string
	client  *http.Client
	log     *slog.Logger

	etag    string // ETag of the last document
	failing bool   // the last read failed; the next failure is not logged
	settled atomic.Bool
}

func newFollower(server *Server, address string, log *slog.Logger) (*follower, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" {
		return nil, fmt.Errorf("OFFICE_URL: %q is no address like http://directory:8080/api/office", address)
	}
	return &follower{
		server: server, address: address, log: log,
		client: &http.Client{Timeout: officePatient, Transport: &http.Transport{}}, // no proxy of the environment
	}, nil
}

var errNotRead = errors.New("the office document has not been read from directory")

// ready is a check of /readyz. It fails until the first response, at most for officePatient after the start.
func (f *follower) ready(context.Context) error {
	if f.settled.Load() {
		return nil
	}
	return errNotRead
}

// run reads the document until ctx ends. It returns nil.
func (f *follower) run(ctx context.Context) error {
	defer f.client.CloseIdleConnections()
	patient := time.AfterFunc(officePatient, func() { f.settled.Store(true) })
	defer patient.Stop()
	for {
		err := f.read(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			f.settled.Store(true)
			f.failing = false
		case f.settled.Load() && !f.failing:
			f.failing = true
			f.log.WarnContext(ctx, "the office document was not read from directory", "cause", err)
		}
		wait := officeEvery
		if !f.settled.Load() {
			wait = officeSoon
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// read requests the document and publishes it unless it is unchanged.
func (f *follower) read(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address, http.NoBody)
	if err != nil {
		return err
	}
	if f.etag != "" {
		request.Header.Set("If-None-Match", f.etag)
	}
	response, err := f.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusNotModified:
		return nil
	case http.StatusOK:
	default:
		return errors.New("directory answered " + response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, officeMost))
	if err != nil {
		return err
	}
	if err := f.server.publish(text); err != nil {
		return err
	}
	f.etag = response.Header.Get("ETag")
	return nil
}

// publish shows a document of directory. Keys that this release does not know are ignored. Those that the previous
// release does not send have their defaults. A document without a version, which a replica of the previous release
// sends during an upgrade, is not shown after one with a version. A lower version is shown: directory was restored.
func (s *Server) publish(text []byte) error {
	answer := office.Document{Appointments: office.DefaultAppointments()}.Public(0)
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	s.replacing.Lock()
	defer s.replacing.Unlock()
	if answer.Version == 0 && s.version.Load() > 0 {
		return nil
	}
	if err := s.checkZone(answer.Document); err != nil {
		return err
	}
	if err := s.show(answer); err != nil {
		return err
	}
	s.version.Store(answer.Version)
	s.followed = true
	return nil
}

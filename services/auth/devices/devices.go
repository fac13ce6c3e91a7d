// Package devices has the paired devices of an office: screens of the waiting room, and the PCs of desks. An
// administrator adds a device and pairs it with a code. Then its token identifies it until it is revoked.
//
// Start with Devices and Routes.
package devices

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
)

// The kinds of paired devices: a screen in the waiting room, and the PC of a desk.
const (
	KindDisplay = "display"
	KindDesk    = "desk"
)

const (
	pairLife     = 10 * time.Minute
	screenSilent = 95 * time.Second // the time of three missing reports
	// seriesRest is how long the series of a revoked desk is not given to another desk. By then the revoked desk, if it
	// is offline, can no longer issue visitor tokens.
	seriesRest = 8 * 24 * time.Hour
)

// AllSeries has the series of paired desks: the letters that the voice packs contain.
const AllSeries = "ABCDEFGH"

// tokenPrefix is the prefix of the tokens of devices. The tokens of sessions have no hyphen.
const tokenPrefix = "device-"

const secretLength = 43 // 256 bits

// IsToken reports whether a token is the token of a device.
func IsToken(token string) bool { return strings.HasPrefix(token, tokenPrefix) }

// pairAlphabet is Crockford's base32: no I, L, O and U. A code has 12 of its characters, 60 bits, so wrong codes need
// not be counted. If they were counted, a stranger could invalidate a code by trying wrong ones.
const (
	pairAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	pairLength   = 12
	pairGroup    = 4
)

func newPairingCode() string {
	random := make([]byte, pairLength)
	_, _ = rand.Read(random) // never fails: see crypto/rand
	for i, b := range random {
		random[i] = pairAlphabet[b%32]
	}
	return string(random)
}

func shownCode(code string) string {
	shown := code[:pairGroup]
	for at := pairGroup; at < len(code); at += pairGroup {
		shown += "-" + code[at:at+pairGroup]
	}
	return shown
}

// typedCode returns the code that a person has typed, without hyphens and spaces, in capitals, and with digits in place
// of the similar letters I, L and O.
func typedCode(text string) string {
	return strings.NewReplacer("-", "", " ", "", "I", "1", "L", "1", "O", "0").Replace(strings.ToUpper(text))
}

// device is a row of the table devices.
type device struct {
	ID, Kind, Name, Series          string // Series is "" for a display
	Volume                          int
	QuietFrom, QuietUntil           string // such as 13:00; "": no quiet hours
	Voice                           string // state in the last report, "" before the first
	Queue                           int
	PairedAt, LastSeenAt, RevokedAt *time.Time
	CreatedAt                       time.Time
	Version                         int64
}

// Devices has the use cases of paired devices.
type Devices struct {
	outbox *outbox.Outbox
	store  *store
}

// New returns the use cases of paired devices and registers their metrics.
func New(db *data.DB, o *outbox.Outbox, registry prometheus.Registerer) (*Devices, error) {
	s := &Devices{outbox: o, store: &store{db}}
	for _, collector := range s.Collectors() {
		if err := registry.Register(collector); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// list returns at most 200 devices, the newest first, but revoked devices last.
func (s *Devices) list(ctx context.Context, _ struct{}) (devicesAnswer, error) {
	var list []device
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		list, err = s.store.devices(ctx, q)
		return err
	})
	return devicesAnswer{Devices: answerDevices(list)}, err
}

// add creates a device that is not paired yet, with its code. It returns errSeriesTaken if no series is free.
func (s *Devices) add(ctx context.Context, req addDevice) (addedDevice, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return addedDevice{}, err
	}
	caller, _ := identity.From(ctx)
	made := device{ID: id.String(), Kind: req.Kind, Name: req.Name}
	code := newPairingCode()
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if made.Kind == KindDesk {
			if made.Series, err = s.takeSeries(ctx, tx); err != nil {
				return err
			}
		}
		if made, err = s.store.addDevice(ctx, tx, made, data.Digest(code), caller.ID); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, deviceChange(contract.DeviceCreated, nil, made))
	})
	return addedDevice{Device: answerDevice(made), PairingCode: shownCode(code)}, postgres.Classify(err)
}

// takeSeries returns a free series. It revokes a desk that has the series in its row but was not paired in time.
func (s *Devices) takeSeries(ctx context.Context, tx pgx.Tx) (string, error) {
	series, err := s.store.freeSeries(ctx, tx)
	if err != nil {
		return "", err
	}
	unpaired, err := s.store.unpaired(ctx, tx, series)
	if err != nil {
		return "", err
	}
	for _, id := range unpaired {
		before, err := s.store.lockDevice(ctx, tx, id)
		if err != nil {
			return "", err
		}
		after, err := s.store.revokeDevice(ctx, tx, id)
		if err != nil {
			return "", err
		}
		if err := outbox.Append(ctx, tx, deviceChange(contract.DeviceRevoked, &before, after)); err != nil {
			return "", err
		}
	}
	return series, nil
}

// change renames a device, sets its volume and quiet hours, or revokes it. Each of the three has its own event. change
// returns fault.ErrNotFresh for a revocation from a session older than contract.FreshSession.
func (s *Devices) change(ctx context.Context, req changeDevice) (deviceAnswer, error) {
	if caller, _ := identity.From(ctx); req.Revoked {
		if err := endpoint.RequireFresh(caller, contract.FreshSession); err != nil {
			return deviceAnswer{}, err
		}
	}
	var after device
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockDevice(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		after = before
		if before.RevokedAt != nil {
			return nil
		}
		for _, step := range req.steps(before) {
			next := after
			step.apply(&next)
			if after, err = s.saveDevice(ctx, tx, step.kind, after, next); err != nil {
				return err
			}
		}
		if !req.Revoked {
			return nil
		}
		next, err := s.store.revokeDevice(ctx, tx, after.ID)
		if err != nil {
			return err
		}
		change := deviceChange(contract.DeviceRevoked, &after, next)
		after = next
		return outbox.Append(ctx, tx, change)
	})
	return deviceAnswer{Device: answerDevice(after)}, postgres.Classify(err)
}

func (s *Devices) saveDevice(
	ctx context.Context, tx pgx.Tx, kind string, before, next device,
) (device, error) {
	after, err := s.store.saveDevice(ctx, tx, next)
	if err != nil {
		return before, err
	}
	return after, outbox.Append(ctx, tx, deviceChange(kind, &before, after))
}

type deviceStep struct {
	kind  string
	apply func(*device)
}

// steps returns the changes by which r differs from d.
func (r changeDevice) steps(d device) (steps []deviceStep) {
	if r.Name != nil && *r.Name != d.Name {
		steps = append(steps, deviceStep{contract.DeviceRenamed, func(d *device) { d.Name = *r.Name }})
	}
	settings := d
	if r.Volume != nil {
		settings.Volume = *r.Volume
	}
	if r.Quiet != nil {
		settings.QuietFrom, settings.QuietUntil = r.Quiet.From, r.Quiet.Until
	}
	if settings != d {
		steps = append(steps, deviceStep{contract.DeviceChanged, func(d *device) {
			d.Volume, d.QuietFrom, d.QuietUntil = settings.Volume, settings.QuietFrom, settings.QuietUntil
		}})
	}
	return steps
}

// pair exchanges a pairing code for its device's token. It returns fault.ErrNotFound for wrong, used and expired codes.
func (s *Devices) pair(ctx context.Context, req pairDevice) (pairedAnswer, error) {
	token := tokenPrefix + data.RandomText(secretLength)
	var before, after device
	found := false
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		before, found, err = s.store.lockCode(ctx, tx, data.Digest(req.Code))
		if err != nil || !found {
			return err
		}
		if after, err = s.store.pairDevice(ctx, tx, before.ID, data.Digest(token)); err != nil {
			return err
		}
		change := deviceChange(contract.DevicePaired, &before, after)
		change.Actor = &outbox.Actor{
			ID: after.ID, Name: after.Name, Role: after.role(), IP: request.From(ctx).Address,
		}
		return outbox.Append(ctx, tx, change)
	})
	if err != nil {
		return pairedAnswer{}, postgres.Classify(err)
	}
	if !found {
		return pairedAnswer{}, fault.ErrNotFound
	}
	return pairedAnswer{Device: answerDevice(after), Token: token}, nil
}

// seen stores a display's report and its time. It returns the display with its settings.
func (s *Devices) seen(ctx context.Context, req deviceSeen) (deviceAnswer, error) {
	caller, _ := identity.From(ctx)
	var d device
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		d, err = s.store.seeDevice(ctx, q, caller.ID, req)
		return err
	})
	return deviceAnswer{Device: answerDevice(d)}, err
}

// Display returns the paired display that has the token, as a caller. It returns fault.ErrUnauthorized if there is
// none. The token of a desk is not a bearer token: it only identifies the desk of a signed-in user.
func (s *Devices) Display(ctx context.Context, token string) (identity.Caller, error) {
	var d device
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		d, err = s.store.displayOf(ctx, q, data.Digest(token))
		return err
	})
	if err != nil {
		return identity.Caller{}, err
	}
	return identity.Caller{SessionID: d.ID, ID: d.ID, Name: d.Name, Role: contract.RoleDisplay, Active: true}, nil
}

// Desk is the desk of a token. If the desk was revoked or the token belongs to no desk, Active is false and the other
// fields are empty.
type Desk struct {
	Active bool   `json:"active"`
	ID     string `json:"id,omitempty"`
	Name   string `json:"name,omitempty"`
	Series string `json:"series,omitempty"`
}

// Desk returns the paired desk of a token and records that it was seen.
func (s *Devices) Desk(ctx context.Context, token string) (Desk, error) {
	if !IsToken(token) {
		return Desk{}, nil
	}
	var d device
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		d, err = s.store.seeDesk(ctx, q, data.Digest(token))
		return err
	})
	if errors.Is(err, fault.ErrNotFound) {
		return Desk{}, nil
	}
	return Desk{Active: err == nil, ID: d.ID, Name: d.Name, Series: d.Series}, err
}

// role returns the role that the device has as the actor of an event.
func (d device) role() string {
	if d.Kind == KindDisplay {
		return contract.RoleDisplay
	}
	return ""
}

// deviceChange returns the outbox change of a device; before is nil for a new one.
func deviceChange(kind string, before *device, after device) outbox.Change {
	change := outbox.Change{
		Type: kind, Entity: contract.EntityDevice, EntityID: after.ID, Version: after.Version, After: eventDevice(after),
	}
	if before != nil {
		change.Before = eventDevice(*before)
	}
	return change
}

func eventDevice(d device) contract.Device {
	return contract.Device{
		ID: d.ID, Kind: d.Kind, Name: d.Name, Series: d.Series, Volume: d.Volume, QuietFrom: d.QuietFrom,
		QuietUntil: d.QuietUntil, Paired: d.PairedAt != nil, Revoked: d.RevokedAt != nil,
	}
}

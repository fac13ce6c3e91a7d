package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	kindDisplay = "display"
	kindDesk    = "desk"
)

const (
	pairLife     = 10 * time.Minute
	screenSilent = 95 * time.Second // after three reports that did not come
	// seriesRest is how long the series of a revoked desk is not given to another one: its last lease has ended then.
	seriesRest = 8 * 24 * time.Hour
)

// allSeries are the series of desks, the letters that the voice packs have.
const allSeries = "ABCDEFGH"

// deviceToken is the prefix of the tokens of devices. The tokens of sessions have no hyphen.
const deviceToken = "device-"

const deviceSecretLength = 43 // 256 bits

func isDeviceToken(token string) bool { return strings.HasPrefix(token, deviceToken) }

// pairAlphabet is Crockford's base32: no I, L, O and U. A code has 12 of its characters, 60 bits, so that it needs no
// count of wrong codes, by which a stranger could end it.
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

// shownCode writes a code in groups of four.
func shownCode(code string) string {
	shown := code[:pairGroup]
	for at := pairGroup; at < len(code); at += pairGroup {
		shown += "-" + code[at:at+pairGroup]
	}
	return shown
}

// typedCode returns the code that a person has typed: without hyphens and spaces, in capitals, with the digits that
// look like the letters I, L and O.
func typedCode(text string) string {
	return strings.NewReplacer("-", "", " ", "", "I", "1", "L", "1", "O", "0").Replace(strings.ToUpper(text))
}

// pairedDevice is a row of the table devices.
type pairedDevice struct {
	ID, Kind, Name, Series          string // Series is "" for a display
	Volume                          int
	QuietFrom, QuietUntil           string // as 13:00; "": no quiet hours
	Voice                           string // as last reported; "": never
	Queue                           int
	PairedAt, LastSeenAt, RevokedAt *time.Time
	CreatedAt                       time.Time
	Version                         int64
}

// caller returns a display as the platform's caller.
func (d pairedDevice) caller() identity.Caller {
	return identity.Caller{SessionID: d.ID, ID: d.ID, Name: d.Name, Role: contract.RoleDisplay, Active: true}
}

// Devices lists all devices, newest first, and those that were revoked last.
func (s *Service) Devices(ctx context.Context, _ struct{}) (devicesAnswer, error) {
	var list []pairedDevice
	err := s.store.read(ctx, func(q querier) (err error) {
		list, err = s.store.devices(ctx, q)
		return err
	})
	return devicesAnswer{Devices: answerDevices(list)}, err
}

// AddDevice creates a device that is not paired yet, with its code. It returns errSeriesTaken for a desk when every
// series has one.
func (s *Service) AddDevice(ctx context.Context, req addDevice) (addedDevice, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return addedDevice{}, err
	}
	caller, _ := identity.From(ctx)
	made := pairedDevice{ID: id.String(), Kind: req.Kind, Name: req.Name}
	code := newPairingCode()
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if made.Kind == kindDesk {
			if made.Series, err = s.takeSeries(ctx, tx); err != nil {
				return err
			}
		}
		if made, err = s.store.addDevice(ctx, tx, made, digest(code), caller.ID); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, deviceChange(contract.DeviceCreated, nil, made))
	})
	return addedDevice{Device: answerDevice(made), PairingCode: shownCode(code)}, postgres.Classify(err)
}

// takeSeries returns a free series. A desk that has it, and was not paired in time, is revoked.
func (s *Service) takeSeries(ctx context.Context, tx pgx.Tx) (string, error) {
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

// ChangeDevice renames a device, sets its volume and quiet hours, or revokes it. Each change has its own event.
// It returns fault.ErrNotFresh for a revocation from an older session.
func (s *Service) ChangeDevice(ctx context.Context, req changeDevice) (deviceAnswer, error) {
	if caller, _ := identity.From(ctx); req.Revoked {
		if err := endpoint.RequireFresh(caller, contract.FreshSession); err != nil {
			return deviceAnswer{}, err
		}
	}
	var after pairedDevice
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

func (s *Service) saveDevice(
	ctx context.Context, tx pgx.Tx, kind string, before, next pairedDevice,
) (pairedDevice, error) {
	after, err := s.store.saveDevice(ctx, tx, next)
	if err != nil {
		return before, err
	}
	return after, outbox.Append(ctx, tx, deviceChange(kind, &before, after))
}

// deviceStep is one change of a device.
type deviceStep struct {
	kind  string
	apply func(*pairedDevice)
}

// steps returns the changes that differ from d.
func (r changeDevice) steps(d pairedDevice) (steps []deviceStep) {
	if r.Name != nil && *r.Name != d.Name {
		steps = append(steps, deviceStep{contract.DeviceRenamed, func(d *pairedDevice) { d.Name = *r.Name }})
	}
	settings := d
	if r.Volume != nil {
		settings.Volume = *r.Volume
	}
	if r.Quiet != nil {
		settings.QuietFrom, settings.QuietUntil = r.Quiet.From, r.Quiet.Until
	}
	if settings != d {
		steps = append(steps, deviceStep{contract.DeviceChanged, func(d *pairedDevice) {
			d.Volume, d.QuietFrom, d.QuietUntil = settings.Volume, settings.QuietFrom, settings.QuietUntil
		}})
	}
	return steps
}

// Pair exchanges a valid pairing code for the token of its device. Wrong, used and old codes are all fault.ErrNotFound.
func (s *Service) Pair(ctx context.Context, req pairDevice) (pairedAnswer, error) {
	token := deviceToken + randomText(deviceSecretLength)
	var before, after pairedDevice
	found := false
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		before, found, err = s.store.lockCode(ctx, tx, digest(req.Code))
		if err != nil || !found {
			return err
		}
		if after, err = s.store.pairDevice(ctx, tx, before.ID, digest(token)); err != nil {
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

// Seen records that a display works and what its voice does, and answers its settings.
func (s *Service) Seen(ctx context.Context, req deviceSeen) (deviceAnswer, error) {
	caller, _ := identity.From(ctx)
	var d pairedDevice
	err := s.store.read(ctx, func(q querier) (err error) {
		d, err = s.store.seeDevice(ctx, q, caller.ID, req)
		return err
	})
	return deviceAnswer{Device: answerDevice(d)}, err
}

// display returns the paired display of a token. A desk's token is no bearer: it only names the desk of a person.
func (s *Service) display(ctx context.Context, token string) (d pairedDevice, err error) {
	err = s.store.read(ctx, func(q querier) (err error) {
		d, err = s.store.displayOf(ctx, q, digest(token))
		return err
	})
	return d, err
}

// Desk returns the paired desk of a token and records that it was seen.
func (s *Service) Desk(ctx context.Context, req introspect) (deskAnswer, error) {
	if !isDeviceToken(req.Token.Value) {
		return deskAnswer{}, nil
	}
	var d pairedDevice
	err := s.store.read(ctx, func(q querier) (err error) {
		d, err = s.store.seeDesk(ctx, q, digest(req.Token.Value))
		return err
	})
	if errors.Is(err, fault.ErrNotFound) {
		return deskAnswer{}, nil
	}
	return deskAnswer{Active: err == nil, ID: d.ID, Name: d.Name, Series: d.Series}, err
}

// role returns the role of the device as an actor.
func (d pairedDevice) role() string {
	if d.Kind == kindDisplay {
		return contract.RoleDisplay
	}
	return ""
}

// deviceChange returns the outbox change of a device; before is nil for a new one.
func deviceChange(kind string, before *pairedDevice, after pairedDevice) outbox.Change {
	change := outbox.Change{
		Type: kind, Entity: contract.EntityDevice, EntityID: after.ID, Version: after.Version, After: eventDevice(after),
	}
	if before != nil {
		change.Before = eventDevice(*before)
	}
	return change
}

func eventDevice(d pairedDevice) contract.Device {
	return contract.Device{
		ID: d.ID, Kind: d.Kind, Name: d.Name, Series: d.Series, Volume: d.Volume, QuietFrom: d.QuietFrom,
		QuietUntil: d.QuietUntil, Paired: d.PairedAt != nil, Revoked: d.RevokedAt != nil,
	}
}

package devices

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

var pairRate = limit.Rule{Name: "pair", By: limit.PerAddress, Count: 5, Period: time.Minute, Burst: 5}

// Routes returns the routes behind the gateway; perUser is the rate of calls of a user.
func (s *Devices) Routes(perUser limit.Rule) []endpoint.Route {
	admins := endpoint.Roles(account.Admin)
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/devices", Access: admins, Limit: perUser,
			Handler: endpoint.JSON(endpoint.Nothing, s.list)},
		{Method: http.MethodPost, Pattern: "/api/devices", Limit: perUser,
			Access: admins.Fresh(contract.FreshSession), Handler: endpoint.JSON(readAddDevice, s.add)},
		{Method: http.MethodPut, Pattern: "/api/devices/{id}", Access: admins, Limit: perUser,
			Handler: endpoint.JSON(readChangeDevice, s.change)},
		{Method: http.MethodPost, Pattern: "/api/devices/pair", Access: endpoint.Public(), Limit: pairRate,
			Handler: endpoint.JSON(readPairDevice, s.pair)},
		{Method: http.MethodPost, Pattern: "/api/devices/seen", Access: endpoint.Roles(contract.RoleDisplay),
			Limit: perUser, Handler: endpoint.JSON(readDeviceSeen, s.seen)},
	}
}

// InternalRoutes returns the route that the service visits calls.
func (s *Devices) InternalRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/devices/desk", Access: endpoint.Service(contract.SourceVisits),
			Handler: endpoint.JSON(endpoint.Body[deskOf], func(ctx context.Context, req deskOf) (Desk, error) {
				return s.Desk(ctx, req.Token.Value)
			})},
	}
}

type deskOf struct {
	Token wire.Field[string] `json:"token"`
}

// longestDeviceName is the length of the longest name of a device, in runes.
const longestDeviceName = 40

var (
	errSeriesTaken = fault.New(fault.Conflict, "series_taken",
		"Eight desks are paired already. Please remove one first; its series is free again eight days later.")

	kindWrong       = fault.NewMessage(fault.CodeUnknownChoice, "Please choose the kind from the list")
	deviceNameEmpty = fault.NewMessage(fault.CodeRequired, "Please enter a name")
	deviceNameLong  = fault.NewMessage(fault.CodeTooLong, "Please shorten the name to 40 characters").
			With("max", longestDeviceName)
	volumeWrong = fault.NewMessage(fault.CodeInvalidNumber, "The volume is a number from 0 to 100").
			With("min", 0).With("max", 100)
	quietWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please enter both times of the quiet hours, such as 13:00")
	revokedWrong = fault.NewMessage(fault.CodeInvalidFlag, "A device can be revoked, but not be paired again")
	codeMissing  = fault.NewMessage(fault.CodeRequired, "Please enter the code of twelve characters")
	voiceWrong   = fault.NewMessage(fault.CodeUnknownChoice, "The voice is on, blocked or off")
	queueWrong   = fault.NewMessage(fault.CodeInvalidNumber, "The queue is a number from 0").With("min", 0)
)

type addDevice struct{ Kind, Name string }

func readAddDevice(r *http.Request) (addDevice, error) {
	var body struct {
		Kind wire.Field[string] `json:"kind"`
		Name wire.Field[string] `json:"name"`
	}
	if err := wire.Read(r, &body); err != nil {
		return addDevice{}, err
	}
	var rejected fault.Fields
	if body.Kind.Wrong || body.Kind.Value != KindDisplay && body.Kind.Value != KindDesk {
		rejected.Reject("kind", kindWrong)
	}
	req := addDevice{Kind: body.Kind.Value, Name: readDeviceName(body.Name, &rejected)}
	return req, rejected.Err()
}

func readDeviceName(field wire.Field[string], rejected *fault.Fields) string {
	name := wire.Clean(field.Value, false)
	switch {
	case field.Wrong || !field.Present || name.Empty:
		rejected.Reject("name", deviceNameEmpty)
	case name.Illegal:
		rejected.Reject("name", fault.NameIllegal)
	case name.Length > longestDeviceName:
		rejected.Reject("name", deviceNameLong)
	}
	return name.Value
}

// quietHours are the hours without voice. Both texts are empty if there are none.
type quietHours struct{ From, Until string }

// changeDevice is a request to change a device. nil leaves a field unchanged.
type changeDevice struct {
	ID      string
	Name    *string
	Volume  *int
	Quiet   *quietHours
	Revoked bool
}

func readChangeDevice(r *http.Request) (changeDevice, error) {
	var req changeDevice
	var body struct {
		Name       wire.Field[string] `json:"name"`
		Volume     wire.Field[int]    `json:"volume"`
		QuietFrom  wire.Field[string] `json:"quietFrom"`
		QuietUntil wire.Field[string] `json:"quietUntil"`
		Revoked    wire.Field[bool]   `json:"revoked"`
	}
	if err := wire.Read(r, &body); err != nil {
		return req, err
	}
	var rejected fault.Fields
	if body.Name.Present {
		name := readDeviceName(body.Name, &rejected)
		req.Name = &name
	}
	if body.Volume.Present {
		if body.Volume.Wrong || body.Volume.Value < 0 || body.Volume.Value > 100 {
			rejected.Reject("volume", volumeWrong)
		}
		req.Volume = &body.Volume.Value
	}
	req.Quiet = readQuiet(body.QuietFrom, body.QuietUntil, &rejected)
	if body.Revoked.Present && !body.Revoked.Value {
		rejected.Reject("revoked", revokedWrong)
	}
	if req.Name == nil && req.Volume == nil && req.Quiet == nil && !body.Revoked.Present {
		rejected.Reject("name", fault.NothingGiven)
	}
	req.Revoked = body.Revoked.Value
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil || len(r.PathValue("id")) != len(id.String()) {
		return req, fault.ErrNotFound
	}
	req.ID = id.String()
	return req, nil
}

var timeOfDay = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

// readQuiet reads the quiet hours. It returns nil if they are left out. Two empty texts remove the quiet hours.
func readQuiet(from, until wire.Field[string], rejected *fault.Fields) *quietHours {
	if !from.Present && !until.Present {
		return nil
	}
	none := from.Present && until.Present && !from.Wrong && !until.Wrong && from.Value == "" && until.Value == ""
	if !none && (!timeOfDay.MatchString(from.Value) || !timeOfDay.MatchString(until.Value)) {
		rejected.Reject("quietFrom", quietWrong)
	}
	return &quietHours{from.Value, until.Value}
}

// pairDevice is the request of a new device, with the code that a user has typed.
type pairDevice struct{ Code string }

func readPairDevice(r *http.Request) (pairDevice, error) {
	var body struct {
		Code wire.Field[string] `json:"code"`
	}
	if err := wire.Read(r, &body); err != nil {
		return pairDevice{}, err
	}
	var rejected fault.Fields
	code := typedCode(body.Code.Value)
	if code == "" {
		rejected.Reject("code", codeMissing)
	}
	return pairDevice{code}, rejected.Err()
}

// deviceSeen is a display's report: the state of its voice, and the number of calls that wait to be spoken.
type deviceSeen struct {
	Voice string
	Queue int
}

func readDeviceSeen(r *http.Request) (deviceSeen, error) {
	var body struct {
		Voice wire.Field[string] `json:"voice"`
		Queue wire.Field[int]    `json:"queue"`
	}
	if err := wire.Read(r, &body); err != nil {
		return deviceSeen{}, err
	}
	var rejected fault.Fields
	switch body.Voice.Value {
	case "on", "blocked", "off":
	default:
		rejected.Reject("voice", voiceWrong)
	}
	if body.Queue.Wrong || body.Queue.Value < 0 || body.Queue.Value > 1_000_000 {
		rejected.Reject("queue", queueWrong)
	}
	return deviceSeen{body.Voice.Value, body.Queue.Value}, rejected.Err()
}

type deviceBody struct {
	ID         string     `json:"id"`
	Kind       string     `json:"kind"`
	Name       string     `json:"name"`
	Series     *string    `json:"series"`
	Volume     int        `json:"volume"`
	QuietFrom  *string    `json:"quietFrom"`
	QuietUntil *string    `json:"quietUntil"`
	Voice      *string    `json:"voice"`
	Queue      int        `json:"queue"`
	PairedAt   *wire.Time `json:"pairedAt"`
	LastSeenAt *wire.Time `json:"lastSeenAt"`
	RevokedAt  *wire.Time `json:"revokedAt"`
	CreatedAt  wire.Time  `json:"createdAt"`
}

type devicesAnswer struct {
	Devices []deviceBody `json:"devices"`
}

type deviceAnswer struct {
	Device deviceBody `json:"device"`
}

// addedDevice is the response to addDevice, with status 201. It has the pairing code, which no other response shows.
type addedDevice struct {
	Device      deviceBody `json:"device"`
	PairingCode string     `json:"pairing_code"`
}

// StatusCode implements kithttp.StatusCoder.
func (addedDevice) StatusCode() int { return http.StatusCreated }

type pairedAnswer struct {
	Device deviceBody `json:"device"`
	Token  string     `json:"token"`
}

func answerDevices(list []device) []deviceBody {
	bodies := make([]deviceBody, len(list))
	for i, d := range list {
		bodies[i] = answerDevice(d)
	}
	return bodies
}

func answerDevice(d device) deviceBody {
	return deviceBody{
		ID: d.ID, Kind: d.Kind, Name: d.Name, Series: wire.TextOf(d.Series), Volume: d.Volume,
		QuietFrom: wire.TextOf(d.QuietFrom), QuietUntil: wire.TextOf(d.QuietUntil), Voice: wire.TextOf(d.Voice),
		Queue:    d.Queue,
		PairedAt: wire.TimeOf(d.PairedAt), LastSeenAt: wire.TimeOf(d.LastSeenAt), RevokedAt: wire.TimeOf(d.RevokedAt),
		CreatedAt: wire.Time(d.CreatedAt),
	}
}

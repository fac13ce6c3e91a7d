package realtime

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/wire"
)

// sendNotification is a validated request to send a message, with its idempotency key.
type sendNotification struct {
	Message     string
	Type        string
	TargetRoles []string
	key         string
}

const longestMessage = 500

var (
	messageMissing = fault.NewMessage(fault.CodeRequired, "Message is required")
	messageIllegal = fault.NewMessage(fault.CodeIllegalText, "Please remove the special characters from the message")
	messageLong    = fault.NewMessage(fault.CodeTooLong, "Please shorten the message to 500 characters").
			With("max", longestMessage)
	typeWrong  = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a type from the list")
	rolesWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose roles from the list")
	limitWrong = fault.NewMessage(fault.CodeInvalidNumber, "limit is a number from 1 to 50").
			With("min", 1).With("max", longestList)
	itemsWrong = fault.NewMessage(fault.CodeInvalidCount, "items are 1 to 50 measurements").
			With("min", 1).With("max", mostItems)
)

// itemWrong returns the message for the invalid item of this number, counted from 1.
func itemWrong(number int) fault.Message {
	sentence := "item " + strconv.Itoa(number) + " is not a measurement"
	return fault.NewMessage(fault.CodeInvalidItem, sentence).With("item", number)
}

var notificationTypes = []string{"info", "success", "warning", "error"}

func decodeNotification(r *http.Request) (sendNotification, error) {
	var body struct {
		Message     wire.Field[string]   `json:"message"`
		Type        wire.Field[string]   `json:"type"`
		TargetRoles wire.Field[[]string] `json:"target_roles"`
	}
	if err := wire.Read(r, &body); err != nil {
		return sendNotification{}, err
	}
	var rejected fault.Fields
	req := sendNotification{Type: notificationTypes[0], TargetRoles: roleNames[:]}
	message := wire.Clean(body.Message.Value, false)
	req.Message = message.Value
	switch {
	case body.Message.Wrong || message.Empty:
		rejected.Reject("message", messageMissing)
	case message.Illegal:
		rejected.Reject("message", messageIllegal)
	case message.Length > longestMessage:
		rejected.Reject("message", messageLong)
	}
	if body.Type.Present {
		req.Type = body.Type.Value
		if body.Type.Wrong || !slices.Contains(notificationTypes, req.Type) {
			rejected.Reject("type", typeWrong)
		}
	}
	if body.TargetRoles.Present {
		var legal bool
		if req.TargetRoles, legal = orderedRoles(body.TargetRoles.Value); !legal || body.TargetRoles.Wrong {
			rejected.Reject("target_roles", rolesWrong)
		}
	}
	if err := rejected.Err(); err != nil {
		return sendNotification{}, err
	}
	key, err := idempotency.FromHeader(r.Header)
	req.key = key
	return req, err
}

// orderedRoles returns the distinct roles in a fixed order. legal is false if named is empty or has an unknown role.
func orderedRoles(named []string) (ordered []string, legal bool) {
	for _, role := range roleNames {
		if slices.Contains(named, role) {
			ordered = append(ordered, role)
		}
	}
	unknown := slices.ContainsFunc(named, func(name string) bool { return !slices.Contains(ordered, name) })
	return ordered, len(ordered) > 0 && !unknown
}

type listNotifications struct{ limit int }

const longestList = 50

func decodeList(r *http.Request) (listNotifications, error) {
	text := r.URL.Query().Get("limit")
	if text == "" {
		return listNotifications{limit: longestList}, nil
	}
	limit, err := strconv.Atoi(text)
	if err != nil || limit < 1 || limit > longestList {
		return listNotifications{}, fault.Field("limit", limitWrong)
	}
	return listNotifications{limit: limit}, nil
}

// Kinds of measurements.
const (
	kindVital     = "vital"
	kindError     = "error"
	kindReconnect = "reconnect"
	kindShown     = "shown"
	kindAsked     = "asked"
)

var (
	kinds = []string{kindVital, kindError, kindReconnect, kindShown, kindAsked}
	times = []string{kindVital, kindShown, kindAsked} // kinds whose value can be a duration in milliseconds
)

// measurement is one value measured by a browser.
type measurement struct {
	kind, name, screen string
	value              float64
	ago                float64 // milliseconds since the end of the measured interval
	trace              string  // traceparent of the shown frame or of the request; "" if there is none
}

const (
	longestTelemetry = 4 << 10
	mostItems        = 50
	mostReported     = 1000    // largest value of an item that counts errors or reconnects
	mostCounted      = 10      // largest number that the metrics count per item, because reports need no session
	longestVital     = 600_000 // ten minutes, in milliseconds
)

type telemetryItem struct {
	Kind   wire.Field[string]  `json:"kind"`
	Name   wire.Field[string]  `json:"name"`
	Value  wire.Field[float64] `json:"value"`
	Screen wire.Field[string]  `json:"screen"`
	Ago    wire.Field[float64] `json:"ago"`
	Trace  wire.Field[string]  `json:"traceparent"`
}

func decodeTelemetry(r *http.Request) ([]measurement, error) {
	var body struct {
		Items wire.Field[[]telemetryItem] `json:"items"`
	}
	r.Body = http.MaxBytesReader(nil, r.Body, longestTelemetry)
	if err := wire.Read(r, &body); err != nil {
		return nil, err
	}
	count := len(body.Items.Value)
	if body.Items.Wrong || count == 0 || count > mostItems {
		return nil, fault.Field("items", itemsWrong)
	}
	items := make([]measurement, 0, count)
	for i, item := range body.Items.Value {
		read, legal := item.read()
		if !legal {
			return nil, fault.Field("items", itemWrong(i+1))
		}
		items = append(items, read)
	}
	return items, nil
}

var (
	measureName   = regexp.MustCompile(`^[A-Za-z]{1,40}$`)
	measureTrace  = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$`)
	measureScreen = regexp.MustCompile(`^/[a-z/-]{0,60}$`)
)

// read returns the measurement of an item. legal is false if a required field is missing or a value is not allowed.
func (i telemetryItem) read() (m measurement, legal bool) {
	most := float64(mostReported)
	if slices.Contains(times, i.Kind.Value) {
		most = longestVital
	}
	legal = !i.Kind.Wrong && slices.Contains(kinds, i.Kind.Value) &&
		!i.Name.Wrong && measureName.MatchString(i.Name.Value) &&
		i.Value.Present && !i.Value.Wrong && i.Value.Value >= 0 && i.Value.Value <= most &&
		!i.Screen.Wrong && (!i.Screen.Present || measureScreen.MatchString(i.Screen.Value)) &&
		!i.Ago.Wrong && i.Ago.Value >= 0 && i.Ago.Value <= longestVital &&
		!i.Trace.Wrong && (!i.Trace.Present || measureTrace.MatchString(i.Trace.Value))
	m = measurement{
		kind: i.Kind.Value, name: i.Name.Value, screen: i.Screen.Value,
		value: i.Value.Value, ago: i.Ago.Value, trace: i.Trace.Value,
	}
	return m, legal
}

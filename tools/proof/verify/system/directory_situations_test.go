package system

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const unknownRecord = "01990000-0000-7000-8000-000000000000"

// directorySituations returns the situations of services, due dates, consultants, the office and appointments.
func directorySituations() map[string]situation {
	service := func() object {
		return object{"name": fmt.Sprintf("Service %d", counter.Add(1)), "description": "", "est_minutes": 30, "is_active": 0}
	}
	request := func(_ *testing.T, o *office, _ *person) ask {
		return ask{method: "POST", path: "/api/appointments", body: o.appointment()}
	}
	dueDate := func() object {
		return object{
			"group": "other", "title": fmt.Sprintf("Filing %d", counter.Add(1)), "date": "2099-11-23",
			"source": "by notification",
		}
	}
	specialization := object{"specialization": []string{"GST"}}
	return map[string]situation{
		"GET /api/office": {ask: plain("GET", "/api/office", nil)},
		"POST /api/appointments | appointments: live":      {ask: request},
		"POST /api/appointments | appointments: simulated": {ask: request},
		"GET /api/appointments":                            {ask: plain("GET", "/api/appointments", nil)},
		"GET /api/appointments/day":                        {ask: plain("GET", "/api/appointments/day", nil), own: ownDay},
		"POST /api/appointments/book": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "POST", path: "/api/appointments/book", body: o.booking()}
		}},
		"PUT /api/appointments/{id}/details": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "PUT", path: o.booked(t, o.admin) + "/details", body: object{"name": "Asha Iyer"}}
		}},
		"POST /api/appointments/{id}/move": {ask: func(t *testing.T, o *office, _ *person) ask {
			booking := o.booking()
			to := object{"date": booking["date"], "time": booking["time"]}
			return ask{method: "POST", path: o.booked(t, o.admin) + "/move", body: to}
		}},
		"POST /api/appointments/{id}/undo | own last change": {ask: func(t *testing.T, o *office, sender *person) ask {
			path := o.booked(t, o.admin)
			// This change and its undo are rejected for a sender who must not make them.
			o.way.send(t, sender, ask{method: "PUT", path: path, body: object{"status": "declined"}})
			return ask{method: "POST", path: path + "/undo"}
		}},
		"POST /api/appointments/{id}/undo | another's change": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "POST", path: o.booked(t, o.hire(t, "pa")) + "/undo"}
		}},
		"PUT /api/appointments/{id}": {ask: func(t *testing.T, o *office, _ *person) ask {
			var made struct{ Appointment struct{ ID string } }
			o.way.must(t, nil, "POST", "/api/appointments", o.appointment(), &made)
			return ask{method: "PUT", path: "/api/appointments/" + made.Appointment.ID, body: object{"status": "confirmed"}}
		}},
		"PUT /api/appointments/{id} | unknown id": {ask: plain("PUT", "/api/appointments/"+unknownRecord, object{
			"status": "confirmed",
		})},
		"POST /api/calendars | the caller's": {ask: asking(func(sender *person) ask {
			return ask{method: "POST", path: "/api/calendars", body: object{"consultant_id": sender.id}}
		})},
		"POST /api/calendars | another's": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "POST", path: "/api/calendars", body: object{"consultant_id": o.consultant.id}}
		}},
		"POST /api/calendars | the office's": {ask: plain("POST", "/api/calendars", object{"consultant_id": nil})},
		"DELETE /api/calendars/{id} | the office's": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "DELETE", path: "/api/calendars/" + o.calendar(t).ID}
		}},
		"DELETE /api/calendars/{id} | unknown id": {ask: plain("DELETE", "/api/calendars/"+unknownRecord, nil)},
		"GET /api/calendar/{file} | a code in use": {ask: func(t *testing.T, o *office, _ *person) ask {
			_, path, _ := strings.Cut(o.calendar(t).URL, "/api/")
			return ask{method: "GET", path: "/api/" + path}
		}},
		"GET /api/calendar/{file} | unknown": {ask: plain("GET", "/api/calendar/"+strings.Repeat("a", 26)+".ics", nil)},
		"GET /api/services":                  {ask: plain("GET", "/api/services", nil)},
		"POST /api/services": {ask: asking(func(*person) ask {
			return ask{method: "POST", path: "/api/services", body: service()}
		})},
		"PUT /api/services/{id}": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "PUT", path: "/api/services/" + o.changing, body: service()}
		}},
		"PUT /api/services/{id} | unknown id": {ask: asking(func(*person) ask {
			return ask{method: "PUT", path: "/api/services/" + unknownRecord, body: service()}
		})},
		"GET /api/due-dates": {ask: plain("GET", "/api/due-dates", nil)},
		"POST /api/due-dates": {ask: asking(func(*person) ask {
			return ask{method: "POST", path: "/api/due-dates", body: dueDate()}
		})},
		"PUT /api/due-dates/{id}": {ask: func(t *testing.T, o *office, _ *person) ask {
			var made struct{ DueDate struct{ ID string } }
			o.way.must(t, o.admin, "POST", "/api/due-dates", dueDate(), &made)
			return ask{method: "PUT", path: "/api/due-dates/" + made.DueDate.ID, body: dueDate()}
		}},
		"PUT /api/due-dates/{id} | unknown id": {ask: asking(func(*person) ask {
			return ask{method: "PUT", path: "/api/due-dates/" + unknownRecord, body: dueDate()}
		})},
		"GET /api/office/settings":           {ask: plain("GET", "/api/office/settings", nil)},
		"PUT /api/office/settings/{section}": {ask: plain("PUT", "/api/office/settings/board", shownBoard())},
		"PUT /api/office/settings/{section} | unknown section": {
			ask: plain("PUT", "/api/office/settings/walls", shownBoard()),
		},
		"POST /api/office/settings/{section}/preview": {
			ask: plain("POST", "/api/office/settings/board/preview", shownBoard()),
		},
		"GET /api/office/versions":                       {ask: plain("GET", "/api/office/versions", nil)},
		"GET /api/office/versions/{n}":                   {ask: plain("GET", "/api/office/versions/1", nil)},
		"GET /api/office/versions/{n} | unknown version": {ask: plain("GET", "/api/office/versions/999999", nil)},
		"POST /api/office/versions/{n}/restore": {ask: plain("POST", "/api/office/versions/1/restore", object{
			"sections": []string{"board"}, "version": 1,
		})},
		"GET /api/office/holidays": {ask: plain("GET", "/api/office/holidays", nil)},
		"GET /api/office/setup":    {ask: plain("GET", "/api/office/setup", nil)},
		"PUT /api/office/setup/{key}": {ask: plain(
			"PUT", "/api/office/setup/backup", object{"done": true},
		)},
		"POST /api/office/setup/dismiss": {ask: plain(
			"POST", "/api/office/setup/dismiss", object{"dismissed": false},
		)},
		"GET /api/office/voice":                               {ask: plain("GET", "/api/office/voice", nil)},
		"GET /api/office/voice/{language}":                    {ask: recorded("GET", "en", nil)},
		"PUT /api/office/voice/{language}":                    {ask: plain("PUT", "/api/office/voice/hi", voicePack())},
		"DELETE /api/office/voice/{language}":                 {ask: recorded("DELETE", "mr", nil)},
		"GET /api/office/voice/{language} | not recorded":     {ask: plain("GET", "/api/office/voice/te", nil)},
		"DELETE /api/office/voice/{language} | not recorded":  {ask: plain("DELETE", "/api/office/voice/te", nil)},
		"PUT /api/office/voice/{language} | unknown language": {ask: plain("PUT", "/api/office/voice/fr", voicePack())},
		"GET /api/users/consultants": {
			ask: plain("GET", "/api/users/consultants", nil), own: ownRow,
		},
		"PUT /api/consultants/{id}": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "PUT", path: "/api/consultants/" + o.consultant.id, body: specialization}
		}},
		"PUT /api/consultants/{id} | unknown id": {ask: plain("PUT", "/api/consultants/"+unknownUser, specialization)},
	}
}

// shownBoard is a change of the section board to the value that it has already.
func shownBoard() object {
	return object{"value": object{"board": object{"next": 4, "notice": ""}}, "version": 1}
}

// voicePack returns a recorded pack. Each clip is the base64 of the beginning of an Ogg file.
func voicePack() object {
	clips := object{"token": "T2dnUw==", "counter": "T2dnUw==", "room": "T2dnUw=="}
	for n := range 100 {
		clips[fmt.Sprint(n)] = "T2dnUw=="
	}
	for n := 1; n <= 9; n++ {
		clips[fmt.Sprintf("h%d", n)] = "T2dnUw=="
	}
	for letter := 'A'; letter <= 'H'; letter++ {
		clips["L"+string(letter)] = "T2dnUw=="
	}
	return object{"speaker": "Asha Nair", "consent": true, "clips": clips}
}

// recorded returns a request for the voice pack of a language, and first stores a pack for this language.
func recorded(method, language string, body object) func(*testing.T, *office, *person) ask {
	return func(t *testing.T, o *office, _ *person) ask {
		path := "/api/office/voice/" + language
		o.way.must(t, o.admin, "PUT", path, voicePack(), nil)
		return ask{method: method, path: path, body: body}
	}
}

func (o *office) appointment() object {
	// Mondays, on which the office is open, and their slots, spread over most of the year: a slot has few places.
	const mondays = 45
	number := int(counter.Add(1))
	ahead := time.Now().AddDate(0, 0, 14+7*(number%mondays))
	monday := ahead.AddDate(0, 0, -(int(ahead.Weekday())+6)%7)
	return object{
		"name": "Asha Nair", "phone": "9845012345", "email": "asha@verify.example", "service": o.serviceName,
		"preferredDate": monday.Format(time.DateOnly), "preferredTime": o.slots[number/mondays%len(o.slots)], "message": "",
	}
}

// booking returns the body of a booking at the desk.
func (o *office) booking() object {
	body := o.appointment()
	return object{
		"name": body["name"], "phone": body["phone"], "email": body["email"], "service_id": o.serviceID,
		"date": body["preferredDate"], "time": body["preferredTime"],
	}
}

// booked returns the path of an appointment that a user has booked.
func (o *office) booked(t *testing.T, by *person) string {
	t.Helper()
	var made struct{ Appointment struct{ ID string } }
	o.way.must(t, by, "POST", "/api/appointments/book", o.booking(), &made)
	return "/api/appointments/" + made.Appointment.ID
}

// ownDay checks that a consultant's day has no other consultant's appointment, no phone and no e-mail.
func ownDay(t *testing.T, _ *office, sender *person, got reply) {
	var answer struct {
		Day struct {
			Appointments []struct {
				Phone, Email string
				Consultant   struct{ ID string }
			}
		}
	}
	got.json(t, &answer)
	for _, one := range answer.Day.Appointments {
		if one.Consultant.ID != sender.id || one.Phone+one.Email != "" {
			t.Errorf("shows %+v", one)
		}
	}
}

// ownRow checks that the list for a consultant contains no other consultant.
func ownRow(t *testing.T, _ *office, sender *person, got reply) {
	var list struct{ Consultants []struct{ ID string } }
	got.json(t, &list)
	if len(list.Consultants) != 1 || list.Consultants[0].ID != sender.id {
		t.Errorf("%s sees %s", sender.what, got.body)
	}
}

// calendar makes an address of the office's calendar.
func (o *office) calendar(t *testing.T) (made struct{ ID, URL string }) {
	t.Helper()
	var answer struct{ Calendar struct{ ID, URL string } }
	o.way.must(t, o.admin, "POST", "/api/calendars", object{"consultant_id": nil}, &answer)
	return answer.Calendar
}

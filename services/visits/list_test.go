package visits_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

const (
	todayPath   = "/api/visits/today"
	pendingPath = "/api/visits/pending-approval"
)

// follower is a client that keeps a list up to date by requesting its changes.
type follower struct {
	d            *desk
	person, path string
	position     string
	rows         map[string]map[string]any
	resets       int
}

// listAnswer is the response with a list or its changes, with all fields of the visits.
type listAnswer struct {
	Visits   []map[string]any `json:"visits"`
	Removed  []string         `json:"removed"`
	Reset    bool             `json:"reset"`
	Position string           `json:"position"`
}

func (f *follower) ask(since string) (list listAnswer) {
	f.d.t.Helper()
	path := f.path
	if since != "" {
		path += "?since=" + url.QueryEscape(since)
	}
	a := f.d.as(f.person, http.MethodGet, path, "")
	if a.status != http.StatusOK {
		f.d.t.Fatalf("%s answered %d %s", path, a.status, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), &list); err != nil {
		f.d.t.Fatal(err)
	}
	return list
}

// follow requests the changes after the last response and applies them.
func (f *follower) follow() listAnswer {
	f.d.t.Helper()
	list := f.ask(f.position)
	if list.Reset {
		f.resets++
		f.rows = map[string]map[string]any{}
	}
	for _, row := range list.Visits {
		f.rows[row["id"].(string)] = row
	}
	for _, id := range list.Removed {
		delete(f.rows, id)
	}
	f.position = list.Position
	return list
}

// agrees fails unless the followed list equals the whole list, in the same order. It ignores fields that change without
// an event.
func (f *follower) agrees() {
	f.d.t.Helper()
	whole := f.ask("").Visits
	followed := slices.SortedFunc(maps.Values(f.rows), f.order)
	for _, list := range [][]map[string]any{whole, followed} {
		for i, row := range list {
			list[i] = settled(row)
		}
	}
	if !reflect.DeepEqual(followed, whole) && len(followed)+len(whole) > 0 {
		f.d.t.Errorf("%s follows %s to %v, which is %v", f.person, f.path, followed, whole)
	}
}

// order compares two visits by the order of the list that api.yaml describes.
func (f *follower) order(one, other map[string]any) int {
	fields := []string{"day", "token"}
	if f.path == pendingPath {
		fields = []string{"createdAt", "id"}
	}
	for _, field := range fields {
		a, b := one[field].(string), other[field].(string)
		if c := cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)); c != 0 {
			return c
		}
	}
	return 0
}

// settled returns a visit without the fields that change without an event.
func settled(row map[string]any) map[string]any {
	changing := []string{"forecast", "undo", "bypassed", "passedByHand"}
	queue := map[string]any{}
	for name, value := range row["queue"].(map[string]any) {
		if !slices.Contains(changing, name) {
			queue[name] = value
		}
	}
	kept := map[string]any{}
	for name, value := range row {
		if name != "waitTime" {
			kept[name] = value
		}
	}
	kept["queue"] = queue
	return kept
}

// followers returns clients of the lists of today and of undecided visits, for users of four roles.
func (d *desk) followers() (all []*follower) {
	for _, one := range [][2]string{
		{"reception", todayPath}, {"pa", todayPath}, {"admin", todayPath}, {"pa", pendingPath},
		{"consultant", todayPath}, {"consultant2", todayPath},
	} {
		all = append(all, &follower{d: d, person: one[0], path: one[1]})
	}
	return all
}

// scribble requests a random change, which the rules may reject.
func (d *desk) scribble(random *rand.Rand, ids []string) {
	id := ids[random.IntN(len(ids))]
	consultant := []string{"consultant", "consultant2"}[random.IntN(2)]
	switch random.IntN(8) {
	case 0:
		d.set("pa", id, "denied")
	case 1, 2, 3:
		d.set("pa", id, "approved", to(consultant))
	case 4:
		d.set(consultant, id, "in-session")
	case 5:
		d.set(consultant, id, "completed", `"notes":"Done"`)
	case 6:
		d.act("pa", id, "transfer", fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID(consultant)))
	case 7:
		d.act("pa", id, "undo", "{}")
	}
}

// After each change, the followed lists equal the whole lists. A visit in the changes has the same fields and masking
// as in the whole list.
func TestAListIsFollowedByItsChanges(t *testing.T) {
	d := newDesk(t)
	random := rand.New(rand.NewPCG(23, 13))
	followers := d.followers()
	var ids []string
	for step := range testkit.Volume(60, 32) {
		if step%4 == 0 {
			ids = append(ids, d.arrive(fmt.Sprint("Visitor ", step)).ID)
		} else {
			d.scribble(random, ids)
		}
		if random.IntN(3) > 0 { // otherwise the event has no sequence number yet
			d.number()
		}
		for _, f := range followers {
			changed := f.follow()
			whole := map[string]map[string]any{}
			for _, row := range f.ask("").Visits {
				whole[row["id"].(string)] = row
			}
			for _, row := range changed.Visits {
				if id := row["id"].(string); !reflect.DeepEqual(row, whole[id]) {
					t.Errorf("step %d: %s is shown %v in changes, %v in the list", step, f.person, row, whole[id])
				}
			}
			f.agrees()
		}
	}
	for _, f := range followers {
		if f.resets != 1 {
			t.Errorf("%s read %s in whole %d times", f.person, f.path, f.resets)
		}
	}
}

func TestNoChangeIsMissedWhileOthersWrite(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	log := slog.New(slog.DiscardHandler)
	relay := outbox.NewRelay(
		outbox.New(contract.SourceVisits, d.db.Pool), d.db.Pool, &bus.Local{},
		testkit.Keys(contract.SourceVisits), prometheus.NewRegistry(), log,
	)
	testkit.Background(t, relay.Run)
	var ids []string
	for n := range 20 {
		ids = append(ids, d.arrive(fmt.Sprint("Visitor ", n)).ID)
	}
	var writing, following sync.WaitGroup
	for w := range uint64(4) {
		writing.Go(func() {
			random := rand.New(rand.NewPCG(w, 7))
			for n := range 60 {
				if n%10 == 0 {
					d.arrive(fmt.Sprintf("Late %d of %d", n, w))
				}
				d.scribble(random, ids)
			}
		})
	}
	ended := make(chan struct{})
	followers := d.followers()
	for _, f := range followers {
		following.Go(func() {
			for {
				select {
				case <-ended:
					f.follow()
					return
				default:
					f.follow()
				}
			}
		})
	}
	writing.Wait()
	close(ended)
	following.Wait()
	for _, f := range followers {
		f.agrees()
		if f.resets != 1 {
			t.Errorf("%s read %s in whole %d times", f.person, f.path, f.resets)
		}
	}
}

func TestTheBytesOfAChangeDoNotDependOnTheList(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	bytesOfAChange := func() int {
		v := d.arrive("Asha")
		d.number()
		since := (&follower{d: d, person: "reception", path: todayPath}).ask("").Position
		d.set("pa", v.ID, "denied")
		d.number()
		return len(d.as("reception", http.MethodGet, todayPath+"?since="+since, "").text)
	}
	short := bytesOfAChange()
	for n := range 50 {
		d.arrive(fmt.Sprint("Visitor ", n))
	}
	if long := bytesOfAChange(); long > short+8 {
		t.Errorf("a change is %d bytes in a list of 1 and %d in a list of 52", short, long)
	}
}

func TestAPositionThatNoListContinuesFromIsAnsweredWithTheWholeList(t *testing.T) {
	d := newDesk(t)
	d.arrive("Asha")
	d.number()
	reception := &follower{d: d, person: "reception", path: todayPath}
	position := reception.ask("").Position
	if list := reception.ask(position); list.Reset || len(list.Visits)+len(list.Removed) != 0 {
		t.Errorf("without a change the answer is %+v", list)
	}
	part := strings.Split(position, ".")
	for what, since := range map[string]string{
		"no position":      "x",
		"another epoch":    strings.Join([]string{testkit.ID("other"), part[1], part[2], part[3]}, "."),
		"another day":      strings.Join([]string{part[0], part[1], "2020-01-01", part[3]}, "."),
		"another role":     strings.Join([]string{part[0], part[1], part[2], "admin"}, "."),
		"a later position": strings.Join([]string{part[0], "99", part[2], part[3]}, "."),
		"no number":        strings.Join([]string{part[0], "-1", part[2], part[3]}, "."),
	} {
		if list := reception.ask(since); !list.Reset || len(list.Visits) != 1 {
			t.Errorf("%s: %+v", what, list)
		}
	}
	exec(t, d.owner, `UPDATE stream_head SET begins = 5, head = 5`)
	if list := reception.ask(position); !list.Reset {
		t.Error("the events after the position are deleted, and the list is not whole")
	}
	exec(t, d.owner, `UPDATE stream_head SET begins = 1, head = 1000`)
	if list := reception.ask(position); !list.Reset {
		t.Error("the position is 999 events ago, and the list is not whole")
	}
}

// A consultant receives no ids of visits that were never assigned to that consultant.
func TestAConsultantSeesNoChangesOfOthers(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	d.number()
	other := &follower{d: d, person: "consultant2", path: todayPath}
	other.follow()
	d.set("pa", v.ID, "approved", to("consultant"))
	d.number()
	if list := other.follow(); list.Reset || len(list.Visits)+len(list.Removed) != 0 {
		t.Errorf("another consultant receives %+v", list)
	}
}

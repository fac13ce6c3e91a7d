package directory

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
)

// recording returns a complete pack, each clip with its own content.
func recording(take string) map[string][]byte {
	clips := map[string][]byte{}
	for _, name := range clipNames {
		clips[name] = []byte("OggS of " + name + " " + take)
	}
	return clips
}

func packRequest(t *testing.T, speaker string, consent bool, clips map[string][]byte) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"speaker": speaker, "consent": consent, "clips": clips})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type gotPack struct {
	Pack struct {
		Speaker string `json:"speaker"`
		Version int64  `json:"version"`
	} `json:"pack"`
	Clips map[string][2]int `json:"clips"`
	Bytes []byte            `json:"bytes"`
}

func TestARecordedPackIsKept(t *testing.T) {
	f := newFront(t)
	const path = "/api/office/voice/kn"
	if w := f.call(t, "admin", "GET", "/api/office/voice", ""); w.Body.String() != `{"packs":[]}` {
		t.Fatalf("before the first: %s", w.Body)
	}
	var last int64
	for i, take := range []string{"first", "second"} {
		clips := recording(take)
		w := f.call(t, "admin", "PUT", path, packRequest(t, " Asha Rao ", true, clips))
		if w.Code != http.StatusOK {
			t.Fatalf("%s take: %d %s", take, w.Code, w.Body)
		}
		got := decode[gotPack](t, f.call(t, "display", "GET", path, "").Body.Bytes())
		if got.Pack.Version <= last || got.Pack.Speaker != "Asha Rao" || len(got.Clips) != 120 {
			t.Errorf("%s take: %+v", take, got.Pack)
		}
		for name, place := range got.Clips {
			if clip := got.Bytes[place[0] : place[0]+place[1]]; !bytes.Equal(clip, clips[name]) {
				t.Errorf("%s take: %s is %q", take, name, clip)
			}
		}
		last = got.Pack.Version
		events := f.events(t, contract.VoicePackChanged)
		if len(events) != i+1 || events[i].EntityID != "kn" || strings.Contains(string(events[i].After), "Asha") {
			t.Errorf("%s take: %+v", take, events)
		}
		if hasBefore := len(events[i].Before) > 0 && string(events[i].Before) != "null"; hasBefore != (i > 0) {
			t.Errorf("%s take: before is %s", take, events[i].Before)
		}
	}
	list := f.call(t, "display", "GET", "/api/office/voice", "").Body.String()
	if !strings.Contains(list, fmt.Sprintf(`"version":%d`, last)) || strings.Contains(list, "clips") {
		t.Errorf("the list is %s", list)
	}
}

// A deleted pack is removed from the database at once. A later recording has a greater version.
func TestARecordedPackIsDeleted(t *testing.T) {
	f := newFront(t)
	const path = "/api/office/voice/ta"
	body := packRequest(t, "Ravi", true, recording("only"))
	before := decode[gotPack](t, f.call(t, "admin", "PUT", path, body).Body.Bytes())
	if w := f.call(t, "admin", "DELETE", path, ""); w.Code != http.StatusNoContent {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var left int
	if err := f.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM voice_packs`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d packs are left, %v", left, err)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if w := f.call(t, "admin", method, path, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s answered %d after the deletion", method, w.Code)
		}
	}
	if events := f.events(t, contract.VoicePackDeleted); len(events) != 1 || events[0].After != nil {
		t.Errorf("published %+v", events)
	}
	after := decode[gotPack](t, f.call(t, "admin", "PUT", path, body).Body.Bytes())
	if after.Pack.Version <= before.Pack.Version {
		t.Errorf("version %d follows %d", after.Pack.Version, before.Pack.Version)
	}
}

// A pack needs the speaker's name, the consent, and all words, each as an Ogg file that is not too long.
func TestAnIncompletePackIsRejected(t *testing.T) {
	f := newFront(t)
	changed := func(change func(map[string][]byte)) map[string][]byte {
		clips := maps.Clone(recording("bad"))
		change(clips)
		return clips
	}
	for _, c := range []struct{ what, body, code string }{
		{"no consent", packRequest(t, "Asha", false, recording("a")), `"consent":"required"`},
		{"no speaker", packRequest(t, " ", true, recording("a")), `"speaker":"required"`},
		{"a long name", packRequest(t, strings.Repeat("ಕ", 81), true, recording("a")), `"speaker":"too_long"`},
		{"a word less", packRequest(t, "Asha", true, changed(func(m map[string][]byte) { delete(m, "42") })),
			`"clips":"invalid_count"`},
		{"another word", packRequest(t, "Asha", true, changed(func(m map[string][]byte) {
			delete(m, "42")
			m["100"] = []byte("OggS")
		})), `"clips":"invalid_count"`},
		{"no Ogg file", packRequest(t, "Asha", true, changed(func(m map[string][]byte) { m["7"] = []byte("RIFF") })),
			`"clips":"invalid_count"`},
		{"a long clip", packRequest(t, "Asha", true, changed(func(m map[string][]byte) {
			m["7"] = append([]byte("OggS"), make([]byte, longestClip)...)
		})), `"clips":"invalid_count"`},
		{"no base64", `{"speaker":"Asha","consent":true,"clips":{"0":"%"}}`, `"clips":"invalid_count"`},
	} {
		w := f.call(t, "admin", "PUT", "/api/office/voice/en", c.body)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), c.code) {
			t.Errorf("%s: %d %s", c.what, w.Code, w.Body)
		}
	}
	large := `{"speaker":"` + strings.Repeat("a", largestPack) + `"}`
	if w := f.call(t, "admin", "PUT", "/api/office/voice/en", large); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of more than a MiB answered %d", w.Code)
	}
	pack := packRequest(t, "Asha", true, recording("a"))
	w := f.call(t, "admin", "PUT", "/api/office/voice/en", pack, "Content-Type", "text/plain")
	if w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("another media type answered %d", w.Code)
	}
	if w := f.call(t, "admin", "PUT", "/api/office/voice/fr", pack); w.Code != 404 {
		t.Errorf("an unknown language answered %d", w.Code)
	}
}

// A pack with three minutes of speech at 32 kbit/s fits into a request.
func TestALongPackFits(t *testing.T) {
	f := newFront(t)
	clips := recording("long")
	for name := range clips {
		clips[name] = append([]byte("OggS"), make([]byte, 6<<10)...)
	}
	body := packRequest(t, "Asha", true, clips)
	if w := f.call(t, "admin", "PUT", "/api/office/voice/en", body); w.Code != http.StatusOK || len(body) > largestPack {
		t.Errorf("%d bytes: %d %s", len(body), w.Code, w.Body)
	}
	if got := base64.StdEncoding.EncodedLen(6<<10) * 120; got < 900<<10 {
		t.Errorf("only %d bytes were tried", got)
	}
}

func TestPacksAreForScreensAndTheAdmin(t *testing.T) {
	f := newFront(t)
	for _, role := range []string{"reception", "pa", "consultant"} {
		for _, method := range []string{"GET", "PUT", "DELETE"} {
			if w := f.call(t, role, method, "/api/office/voice/en", ""); w.Code != http.StatusForbidden {
				t.Errorf("%s: %s answered %d", role, method, w.Code)
			}
		}
	}
	for _, method := range []string{"PUT", "DELETE"} {
		if w := f.call(t, "display", method, "/api/office/voice/en", ""); w.Code != http.StatusForbidden {
			t.Errorf("a display: %s answered %d", method, w.Code)
		}
	}
}

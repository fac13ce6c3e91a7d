package voice

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const packs = "../../" + Folder

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(packs, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The committed packs have exactly the words of words.tsv, and each clip is where the manifest says.
func TestThePacksHaveTheWords(t *testing.T) {
	words, err := ReadWords()
	if err != nil {
		t.Fatal(err)
	}
	if languages := slices.Sorted(maps.Keys(words)); strings.Join(languages, " ") != "en hi kn mr ta te" {
		t.Fatalf("the languages are %v", languages)
	}
	for language := range words {
		var manifest Manifest
		if err := json.Unmarshal(read(t, language+".json"), &manifest); err != nil {
			t.Fatal(err)
		}
		for _, fault := range faultsOf(manifest, words, read(t, language+".pack")) {
			t.Errorf("%s: %s; run `go run ./tools/baari voice make %s`", language, fault, language)
		}
	}
}

func faultsOf(m Manifest, words Words, pack []byte) (faults []string) {
	if m.Words != words.Digest(m.Language) {
		faults = append(faults, "it was made of other words")
	}
	sum := sha256.Sum256(pack)
	if m.Format != 1 || m.Digest != hex.EncodeToString(sum[:])[:16] {
		faults = append(faults, "the manifest is of another pack")
	}
	total := 0
	for _, word := range words[m.Language] {
		place, found := m.Clips[word.Clip]
		total += place[1]
		if !found || place[0]+place[1] > len(pack) || string(pack[place[0]:place[0]+4]) != "OggS" {
			faults = append(faults, "no clip "+word.Clip)
		}
	}
	if total != len(pack) || len(m.Clips) != len(words[m.Language]) {
		faults = append(faults, "there are other clips")
	}
	return faults
}

func TestAPackOfOtherWordsIsNoticed(t *testing.T) {
	words := Words{"en": {{"1", "1"}, {"token", "Token"}}}
	pack := []byte("OggS1OggS2")
	sum := sha256.Sum256(pack)
	good := Manifest{
		Format: 1, Language: "en", Words: words.Digest("en"), Digest: hex.EncodeToString(sum[:])[:16],
		Clips: map[string][2]int{"1": {0, 5}, "token": {5, 5}},
	}
	if faults := faultsOf(good, words, pack); len(faults) > 0 {
		t.Fatalf("a good pack has %v", faults)
	}
	for name, damage := range map[string]func(*Manifest){
		"other words":      func(m *Manifest) { m.Words = words.Digest("hi") },
		"another pack":     func(m *Manifest) { m.Digest = "0" },
		"a clip less":      func(m *Manifest) { delete(m.Clips, "token") },
		"a clip elsewhere": func(m *Manifest) { m.Clips["token"] = [2]int{4, 5} },
	} {
		bad := good
		bad.Clips = maps.Clone(good.Clips)
		damage(&bad)
		if len(faultsOf(bad, words, pack)) == 0 {
			t.Errorf("%s is not noticed", name)
		}
	}
}

func TestAnIncompleteTableOfWordsIsRejected(t *testing.T) {
	for name, table := range map[string]string{
		"no header":       "1\t1\n",
		"a cell less":     "clip\ten\thi\n1\tone\n",
		"an empty cell":   "clip\ten\n1\t\n",
		"a clip repeated": "clip\ten\n1\tone\n1\tone\n",
	} {
		if _, err := parse(table); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// A clip keeps 12 ms before its first sound, and gets the same level as all other clips.
func TestAClipIsTrimmedAndLevelled(t *testing.T) {
	const rate, quiet, loud = 22050, 4000, 9000
	wav := append([]byte("RIFF....WAVEfmt "), make([]byte, header-16)...)
	binary.LittleEndian.PutUint16(wav[22:], 1)
	binary.LittleEndian.PutUint32(wav[24:], rate)
	binary.LittleEndian.PutUint16(wav[34:], 16)
	for i := range quiet + loud + quiet {
		sample := 0.0
		if i >= quiet && i < quiet+loud {
			sample = 500 * math.Sin(float64(i)/5)
		}
		wav = binary.LittleEndian.AppendUint16(wav, uint16(int16(sample)))
	}
	out, err := level16(wav)
	if err != nil {
		t.Fatal(err)
	}
	samples, sum := (len(out)-header)/2, 0.0
	for i := range samples {
		s := float64(int16(binary.LittleEndian.Uint16(out[header+2*i:])))
		sum += s * s
	}
	if padding := samples - loud; padding < 3*rate*11/1000 || padding > 3*rate*13/1000 {
		t.Errorf("%d samples of silence are left", padding)
	}
	if rms := math.Sqrt(sum / float64(samples)); rms < level*0.98 || rms > level*1.02 {
		t.Errorf("the level is %.0f, want %d", rms, level)
	}
	if _, err := level16(wav[:header]); err == nil {
		t.Error("a file without sound is accepted")
	}
}

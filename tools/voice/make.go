package voice

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Manifest describes a pack. The web reads it.
type Manifest struct {
	Format   int               `json:"format"`
	Language string            `json:"language"`
	Kind     string            `json:"kind"` // synthetic, recorded
	By       string            `json:"by"`
	Made     string            `json:"made"`
	Licence  string            `json:"licence"`
	Words    string            `json:"words"`  // digest of the words that the clips say
	Digest   string            `json:"digest"` // digest of the pack
	Clips    map[string][2]int `json:"clips"`  // offset and length
}

// Folder is the folder of the packs in the repository.
const Folder = "web/public/voice"

const licence = "Made by espeak-ng (GPL-3.0-or-later), which is not part of it; see NOTICE"

// speakers are the voices of espeak-ng whose names are not those of the languages.
var speakers = map[string]string{"en": "en-gb"}

// Make writes the packs of languages into a folder, or all packs if languages is empty. It needs espeak-ng and opusenc.
func Make(ctx context.Context, folder string, languages []string, out io.Writer) error {
	words, err := ReadWords()
	if err != nil {
		return err
	}
	by, err := exec.CommandContext(ctx, "espeak-ng", "--version").Output()
	if err != nil {
		return fmt.Errorf("espeak-ng is needed (Debian: apt-get install espeak-ng opus-tools): %w", err)
	}
	version := strings.Join(strings.Fields(string(by))[:4], " ")
	for language := range words {
		if len(languages) > 0 && !slices.Contains(languages, language) {
			continue
		}
		size, err := makePack(ctx, folder, language, version, words)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		_, _ = fmt.Fprintf(out, "%s: %d clips, %d KB\n", language, len(words[language]), size/1024)
	}
	return nil
}

func makePack(ctx context.Context, folder, language, by string, words Words) (size int, err error) {
	manifest := Manifest{
		Format: 1, Language: language, Kind: "synthetic", By: by, Made: time.Now().UTC().Format(time.DateOnly),
		Licence: licence, Words: words.Digest(language), Clips: map[string][2]int{},
	}
	var pack []byte
	for _, word := range words[language] {
		clip, err := speak(ctx, language, word)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", word.Clip, err)
		}
		manifest.Clips[word.Clip] = [2]int{len(pack), len(clip)}
		pack = append(pack, clip...)
	}
	sum := sha256.Sum256(pack)
	manifest.Digest = hex.EncodeToString(sum[:])[:16]
	text, err := json.Marshal(manifest)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(folder, language+".pack"), pack, 0o600); err != nil {
		return 0, err
	}
	return len(pack), os.WriteFile(filepath.Join(folder, language+".json"), append(text, '\n'), 0o600)
}

// speak returns one clip as Ogg-Opus.
func speak(ctx context.Context, language string, word Word) ([]byte, error) {
	speaker := speakers[language]
	if speaker == "" {
		speaker = language
	}
	wav, err := output(exec.CommandContext(ctx, "espeak-ng", "-v", speaker, "-s", "135", "--stdout", word.Text))
	if err != nil {
		return nil, err
	}
	if wav, err = level16(wav); err != nil {
		return nil, err
	}
	encode := exec.CommandContext(ctx, "opusenc", "--quiet", "--bitrate", "20", "--framesize", "40", "--comp", "10",
		"--discard-comments", "--discard-pictures", "--padding", "0", "--serial", "1", "--speech", "-", "-")
	encode.Stdin = bytes.NewReader(wav)
	return output(encode)
}

// output runs a program and returns its standard output. An error contains what the program wrote to its error output.
func output(program *exec.Cmd) ([]byte, error) {
	var said bytes.Buffer
	program.Stderr = &said
	out, err := program.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", program.Args[0], err, said.String())
	}
	return out, nil
}

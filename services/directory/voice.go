package directory

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// The voice packs that the office has recorded itself. A pack has the clips of one language in the format of the packs
// that are shipped with the board: consecutive Ogg files with Opus.

// clipNames are the clips of a complete pack: the numbers to 99, the hundreds, the letters A to H of series and
// counters, and three words.
var clipNames = func() []string {
	names := []string{"token", "counter", "room"}
	for n := range 100 {
		names = append(names, fmt.Sprint(n))
	}
	for n := 1; n <= 9; n++ {
		names = append(names, fmt.Sprintf("h%d", n))
	}
	for letter := 'A'; letter <= 'H'; letter++ {
		names = append(names, "L"+string(letter))
	}
	return names
}()

var oggStart = []byte("OggS")

func validClips(clips map[string][]byte) bool {
	if len(clips) != len(clipNames) {
		return false
	}
	for _, name := range clipNames {
		if clip := clips[name]; len(clip) > longestClip || !bytes.HasPrefix(clip, oggStart) {
			return false
		}
	}
	return true
}

// voicePack is a recorded pack. Clips has the offset and length of each clip in Bytes.
type voicePack struct {
	Language       string
	Version        int64
	Speaker        string
	Clips          map[string][2]int
	Bytes          []byte
	RecordedAt     time.Time
	RecordedBy     string
	RecordedByName string
}

func (p voicePack) event() contract.VoicePack {
	return contract.VoicePack{Language: p.Language, Version: p.Version, Clips: len(p.Clips), Bytes: len(p.Bytes)}
}

// packed concatenates the clips, and returns the offset and length of each.
func packed(clips map[string][]byte) (places map[string][2]int, all []byte) {
	places = make(map[string][2]int, len(clips))
	for _, name := range slices.Sorted(maps.Keys(clips)) {
		places[name] = [2]int{len(all), len(clips[name])}
		all = append(all, clips[name]...)
	}
	return places, all
}

// VoicePacks lists the recorded packs by language, without their clips.
func (s *Service) VoicePacks(ctx context.Context) ([]voicePack, error) {
	packs, err := s.store.voicePacks(ctx)
	return packs, postgres.Classify(err)
}

// VoicePack returns the recorded pack of a language, or fault.ErrNotFound.
func (s *Service) VoicePack(ctx context.Context, language string) (voicePack, error) {
	pack, err := s.store.voicePack(ctx, s.store.pool, language, "")
	return pack, postgres.Classify(err)
}

// SaveVoicePack stores the recorded pack of a language and replaces an earlier one.
func (s *Service) SaveVoicePack(ctx context.Context, req savePack) (voicePack, error) {
	if !slices.Contains(office.Languages, req.Language) {
		return voicePack{}, fault.ErrNotFound
	}
	caller, _ := identity.From(ctx)
	pack := voicePack{
		Language: req.Language, Speaker: req.Speaker, RecordedBy: caller.ID, RecordedByName: caller.Name,
	}
	pack.Clips, pack.Bytes = packed(req.Clips)
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		before, err := s.store.voicePackBefore(ctx, tx, req.Language)
		if err != nil {
			return err
		}
		if pack, err = s.store.saveVoicePack(ctx, tx, pack); err != nil {
			return err
		}
		change := outbox.Change{
			Type: contract.VoicePackChanged, Entity: contract.EntityVoicePack, EntityID: pack.Language,
			After: pack.event(),
		}
		if before != nil {
			change.Before = before.event()
		}
		return outbox.Append(ctx, tx, change)
	})
	return pack, postgres.Classify(err)
}

// DeleteVoicePack deletes the recorded pack of a language. A later pack still gets a greater version.
func (s *Service) DeleteVoicePack(ctx context.Context, language string) (nothing, error) {
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		pack, err := s.store.voicePack(ctx, tx, language, " FOR UPDATE")
		if err != nil {
			return err
		}
		if err := s.store.deleteVoicePack(ctx, tx, language); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, outbox.Change{
			Type: contract.VoicePackDeleted, Entity: contract.EntityVoicePack, EntityID: language, Before: pack.event(),
		})
	})
	return nothing{}, postgres.Classify(err)
}

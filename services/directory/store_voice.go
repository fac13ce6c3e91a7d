package directory

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// The SQL of the recorded voice packs.

const (
	packColumns = `language, version, speaker, clips, bytes, recorded_at, recorded_by, recorded_by_name`

	selectPacks = `
SELECT language, version, speaker, clips, ''::bytea, recorded_at, recorded_by, recorded_by_name FROM voice_packs
ORDER BY language`
	selectPack = `SELECT ` + packColumns + ` FROM voice_packs WHERE language = $1`
	// Screens cache packs by version. The version is a time, so that it increases even after a deletion.
	upsertPack = `
INSERT INTO voice_packs (` + packColumns + `)
VALUES (@language, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, @speaker, @clips, @bytes, now(), @by, @name)
ON CONFLICT (language) DO UPDATE SET version = greatest(excluded.version, voice_packs.version + 1),
  speaker = excluded.speaker, clips = excluded.clips, bytes = excluded.bytes, recorded_at = excluded.recorded_at,
  recorded_by = excluded.recorded_by, recorded_by_name = excluded.recorded_by_name
RETURNING ` + packColumns
	deletePack = `DELETE FROM voice_packs WHERE language = $1`
)

func (s *store) voicePacks(ctx context.Context) ([]voicePack, error) {
	rows, err := s.pool.Query(ctx, selectPacks)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[voicePack])
}

// voicePack reads a pack, or returns fault.ErrNotFound. lock is a locking clause, or "".
func (s *store) voicePack(ctx context.Context, q querier, language, lock string) (voicePack, error) {
	rows, err := q.Query(ctx, selectPack+lock, language)
	if err != nil {
		return voicePack{}, err
	}
	pack, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[voicePack])
	if errors.Is(err, pgx.ErrNoRows) {
		return pack, fault.ErrNotFound
	}
	return pack, err
}

// voicePackBefore locks and reads the pack that will be replaced; nil if the language has none.
func (s *store) voicePackBefore(ctx context.Context, tx pgx.Tx, language string) (*voicePack, error) {
	pack, err := s.voicePack(ctx, tx, language, " FOR UPDATE")
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	return &pack, err
}

func (s *store) saveVoicePack(ctx context.Context, tx pgx.Tx, p voicePack) (voicePack, error) {
	rows, err := tx.Query(ctx, upsertPack, postgres.Args{
		"language": p.Language, "speaker": p.Speaker, "clips": p.Clips, "bytes": p.Bytes, "by": p.RecordedBy,
		"name": p.RecordedByName,
	})
	if err != nil {
		return p, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[voicePack])
}

func (s *store) deleteVoicePack(ctx context.Context, tx pgx.Tx, language string) error {
	_, err := tx.Exec(ctx, deletePack, language)
	return err
}

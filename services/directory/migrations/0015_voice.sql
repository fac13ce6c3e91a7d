-- +goose Up
-- The voice packs that the office has recorded, one for each language: all clips in one value, and the position of each
-- clip. A replica of an older release does not read them.
CREATE TABLE voice_packs (
  language         text PRIMARY KEY,
  version          bigint NOT NULL CHECK (version >= 1),
  speaker          text NOT NULL, -- the speaker, who has agreed to this use of the voice
  clips            jsonb NOT NULL, -- {"42": [offset, length]}
  bytes            bytea NOT NULL,
  recorded_at      timestamptz NOT NULL,
  recorded_by      text NOT NULL,
  recorded_by_name text NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON voice_packs TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd

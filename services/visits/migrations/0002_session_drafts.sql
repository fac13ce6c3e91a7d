-- +goose Up
-- What a consultant has typed and not yet completed a session with. It belongs to nobody else: no event tells it, and
-- it is gone with the session.
CREATE TABLE session_drafts (
  visit_id uuid PRIMARY KEY REFERENCES visits,
  notes    text NOT NULL,
  saved_at timestamptz NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON session_drafts TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd

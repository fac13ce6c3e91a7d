-- +goose Up
-- Notes that are saved while they are typed. They are not published and are deleted when the session is completed.
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

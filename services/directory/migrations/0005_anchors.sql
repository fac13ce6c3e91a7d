-- +goose Up
-- Heads of the audit trail. They are stored here, because the owner of audit's database, which has the trail, cannot
-- access this database.
CREATE TABLE audit_anchors (
  n       bigint PRIMARY KEY CHECK (n > 0),
  digest  bytea NOT NULL CHECK (length(digest) = 32),
  kept_at timestamptz NOT NULL DEFAULT now()
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON audit_anchors TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd

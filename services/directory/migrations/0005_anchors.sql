-- +goose Up
-- Heads of the audit trail as audit had them: whoever rebuilds the trail in audit's database does not reach this one.
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

-- +goose Up
-- Messages from staff to staff, stored for the list of notifications. They are delivered as events.
CREATE TABLE notifications (
  id           uuid PRIMARY KEY,
  message      text NOT NULL CHECK (char_length(message) BETWEEN 1 AND 500),
  type         text NOT NULL CHECK (type IN ('info', 'success', 'warning', 'error')),
  target_roles text[] NOT NULL CHECK (
    cardinality(target_roles) > 0 AND target_roles <@ ARRAY['reception', 'pa', 'consultant', 'admin']),
  sender_id    text NOT NULL,
  sender       text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX notifications_newest ON notifications (created_at DESC, id DESC);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON notifications TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd

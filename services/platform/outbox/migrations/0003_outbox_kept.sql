-- +goose Up
-- Events are part of the audit record. The application's role numbers them, redacts erased people in them and deletes
-- expired ones. It cannot delete an event of the last year, nor change an event's time, type or subject.
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY outbox_read ON outbox FOR SELECT USING (true);
CREATE POLICY outbox_add ON outbox FOR INSERT WITH CHECK (true);
CREATE POLICY outbox_change ON outbox FOR UPDATE USING (true);
CREATE POLICY outbox_expire ON outbox FOR DELETE USING (created_at < now() - interval '365 days');

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('REVOKE UPDATE ON outbox FROM %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT UPDATE (seq, before, after, actor) ON outbox TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd

-- +goose Up
-- The application's role can insert rows into the access log and delete old rows, but not those of the last 365 days
-- (DPDP Rules 2025, rule 6).
ALTER TABLE access_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY access_log_read ON access_log FOR SELECT USING (true);
CREATE POLICY access_log_add ON access_log FOR INSERT WITH CHECK (true);
CREATE POLICY access_log_expire ON access_log FOR DELETE USING (at < now() - interval '365 days');

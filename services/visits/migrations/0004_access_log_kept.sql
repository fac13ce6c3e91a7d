-- +goose Up
-- Who works with the application's role can add to the access log and let it expire, but remove no line that the law
-- still asks for (DPDP Rules 2025, rule 6).
ALTER TABLE access_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY access_log_read ON access_log FOR SELECT USING (true);
CREATE POLICY access_log_add ON access_log FOR INSERT WITH CHECK (true);
CREATE POLICY access_log_expire ON access_log FOR DELETE USING (at < now() - interval '365 days');

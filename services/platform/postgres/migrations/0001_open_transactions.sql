-- +goose Up
-- Without pg_read_all_stats, which not every hosting provider grants, a role sees the transaction times of its own
-- sessions only. This function reads those of the owner's sessions, so that a hanging migration shows in the metrics.
-- It returns the age of the oldest transaction and nothing else.
-- +goose StatementBegin
CREATE FUNCTION longest_owner_xact_seconds() RETURNS double precision
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (SELECT max(extract(epoch FROM clock_timestamp() - xact_start))::double precision FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend');

REVOKE ALL ON FUNCTION longest_owner_xact_seconds() FROM PUBLIC;

DO $$
BEGIN
  EXECUTE format('GRANT EXECUTE ON FUNCTION longest_owner_xact_seconds() TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd

-- +goose Up
-- PostgreSQL shows a role only its own transactions, and not every hoster grants pg_read_all_stats. This function tells the
-- application's role of the owner's, too: a migration that hangs holds up the whole office. It tells their age and nothing else.
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

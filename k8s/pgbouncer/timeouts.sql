-- Run once by a superuser, before values.yaml is used: PgBouncer in transaction mode rejects the timeouts that services set
-- for their sessions, so the roles have them. The services do not start without. Back: ALTER ROLE ... RESET ALL.
-- begin generated: pooler-timeouts (go run ./tools/baari generate)
ALTER ROLE baari_auth_app SET statement_timeout = '5s';
ALTER ROLE baari_auth_app SET lock_timeout = '2s';
ALTER ROLE baari_auth_app SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE baari_visits_app SET statement_timeout = '5s';
ALTER ROLE baari_visits_app SET lock_timeout = '2s';
ALTER ROLE baari_visits_app SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE baari_directory_app SET statement_timeout = '5s';
ALTER ROLE baari_directory_app SET lock_timeout = '2s';
ALTER ROLE baari_directory_app SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE baari_audit_app SET statement_timeout = '5s';
ALTER ROLE baari_audit_app SET lock_timeout = '2s';
ALTER ROLE baari_audit_app SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE baari_realtime_app SET statement_timeout = '5s';
ALTER ROLE baari_realtime_app SET lock_timeout = '2s';
ALTER ROLE baari_realtime_app SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE baari_lobby_app SET statement_timeout = '5s';
ALTER ROLE baari_lobby_app SET lock_timeout = '2s';
ALTER ROLE baari_lobby_app SET idle_in_transaction_session_timeout = '10s';
-- end generated

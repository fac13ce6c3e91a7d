-- Run once by a superuser after the databases exist: only its own two roles may connect to a database.
-- begin generated: database-grants (go run ./tools/baari generate)
REVOKE ALL ON DATABASE baari_auth, baari_visits, baari_directory, baari_audit, baari_realtime, baari_lobby FROM PUBLIC;
GRANT CONNECT ON DATABASE baari_auth TO baari_auth_app;
GRANT CONNECT ON DATABASE baari_visits TO baari_visits_app;
GRANT CONNECT ON DATABASE baari_directory TO baari_directory_app;
GRANT CONNECT ON DATABASE baari_audit TO baari_audit_app;
GRANT CONNECT ON DATABASE baari_realtime TO baari_realtime_app;
GRANT CONNECT ON DATABASE baari_lobby TO baari_lobby_app;
-- end generated

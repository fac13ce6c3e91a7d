-- Run by the owner of a database: what it makes from now on, its application role may use but not change in shape.
ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO baari_{service}_app;
ALTER DEFAULT PRIVILEGES GRANT USAGE, SELECT ON SEQUENCES TO baari_{service}_app;
ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO baari_{service}_app;

-- Empty copies of the service's tables, for statements with which the service is compared. No relay reads their events.
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.visits (LIKE public.visits INCLUDING ALL);
CREATE TABLE bench.day_counter (LIKE public.day_counter INCLUDING ALL);
CREATE TABLE bench.outbox (LIKE public.outbox INCLUDING ALL);
CREATE TABLE bench.idempotency (LIKE public.idempotency INCLUDING ALL);

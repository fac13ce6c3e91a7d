-- Copies of visits' tables as they are, for the statements that the service is measured beside: nobody relays their events.
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.visits (LIKE public.visits INCLUDING ALL);
CREATE TABLE bench.day_counter (LIKE public.day_counter INCLUDING ALL);
CREATE TABLE bench.outbox (LIKE public.outbox INCLUDING ALL);
CREATE TABLE bench.idempotency (LIKE public.idempotency INCLUDING ALL);

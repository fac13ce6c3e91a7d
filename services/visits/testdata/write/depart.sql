-- The visitors that a measurement has left without a decision are gone. The schema is bench or public.
UPDATE SCHEMA.visits SET status = 'denied', stage = 'denied' WHERE stage = 'new'

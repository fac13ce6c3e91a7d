-- This statement denies the visits that a measurement has left without a decision. The schema is bench or public.
UPDATE SCHEMA.visits SET status = 'denied', stage = 'denied' WHERE stage = 'new'

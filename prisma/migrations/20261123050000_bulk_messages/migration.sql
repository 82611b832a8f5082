-- A bulk message does not move its lead in the inbox, which is ordered by `last_message_id`: the newest of these stands beside it. Without
-- an index, so that a bulk send writes to none of the lead's. A bulk message from before keeps the place that it gave its lead.
ALTER TABLE "leads" ADD COLUMN "last_bulk_message_id" UUID;

-- Reply times show the author and the instance of a message, and leave automatic messages out. So a change of these columns is noted too.
-- The service itself does not change them: what is stored already is right. The lock lasts as long as the catalog takes.

CREATE OR REPLACE TRIGGER messages_moved
  AFTER UPDATE OF lead_id, created_at, direction, bulk_send_id, author_id, instance_id, is_automatic, status ON messages FOR EACH ROW
  WHEN ((OLD.lead_id, OLD.created_at, OLD.direction, OLD.bulk_send_id, OLD.author_id, OLD.instance_id, OLD.is_automatic)
    IS DISTINCT FROM (NEW.lead_id, NEW.created_at, NEW.direction, NEW.bulk_send_id, NEW.author_id, NEW.instance_id, NEW.is_automatic)
    OR (OLD.status = 'CANCELED' AND NEW.status IS DISTINCT FROM OLD.status))
  EXECUTE FUNCTION note_moved_message();
ALTER TABLE messages ENABLE ALWAYS TRIGGER messages_moved;

-- What assistants of a tenant's users may do. Off until an ADMIN chooses otherwise.

CREATE TYPE assistant_mode AS ENUM ('OFF', 'DRAFT', 'SEND');

ALTER TABLE tenants ADD COLUMN assistants assistant_mode NOT NULL DEFAULT 'OFF';

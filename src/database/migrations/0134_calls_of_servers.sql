-- What the ids of a server's calls begin with, so that others can give back what they held once it has died; null for servers of earlier versions.
alter table servers add column calls text collate "C";
-- Since when it has given its signs without a gap: who has not heard of others for a while does not know whether they live.
alter table servers add column steady_since timestamptz not null default clock_timestamp();
-- The same beginning, for a key whose call still runs.
alter table answers add column calls text collate "C";
create index answers_running on answers (calls) where answer_sha256 is null;

-- Responses stored under an Idempotency-Key. The bytes are a blob; a row without one belongs to a call that is still running.
create table answers (
  principal text collate "C" not null,
  route text collate "C" not null,
  key text collate "C" not null,
  body_sha256 text not null check (body_sha256 ~ '^[0-9a-f]{64}$'),
  answer_sha256 text check (answer_sha256 ~ '^[0-9a-f]{64}$'),
  -- Running call: when its claim lapses. Stored response: when it is deleted.
  expires_at timestamptz not null,
  -- HTTP status; 202 for a job.
  status smallint not null default 200,
  -- Id of the call. Once it has ended, or its server has died, the claim is deleted.
  calls text collate "C",
  primary key (principal, route, key)
) with (
  -- Every row is written twice and deleted after a day.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000
);
create index answers_expires_at on answers (expires_at);
create index answers_answer_sha256 on answers (answer_sha256) where answer_sha256 is not null;
create index answers_running on answers (calls) where answer_sha256 is null;

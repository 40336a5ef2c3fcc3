-- What requests to vision models have used, or may use at most while they run, so that a day's budget holds over all
-- servers and across restarts.

create table vision_requests (
  id bigint generated always as identity primary key,
  -- UTC.
  day date not null,
  -- Of whom: null for the service itself.
  address text collate "C",
  caller text collate "C",
  tokens bigint not null check (tokens >= 0),
  micro_usd bigint not null check (micro_usd >= 0),
  -- Until then it is set aside; null once it is known what was used.
  reserved_until timestamptz
);

create index vision_requests_by_day on vision_requests (day);

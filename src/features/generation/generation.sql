-- Cost of generated images, or its upper bound while a request runs, so that the daily budget holds across servers and restarts.
create table image_requests (
  id bigint generated always as identity primary key,
  -- UTC.
  day date not null,
  -- Null for the service itself.
  address text collate "C",
  caller text collate "C",
  tokens bigint not null check (tokens >= 0),
  micro_usd bigint not null check (micro_usd >= 0),
  -- End of the reservation; null once the cost is known.
  reserved_until timestamptz
);
create index image_requests_by_day on image_requests (day);

-- Soft bindings that kept manifests declare (assertion c2pa.soft-binding), by which copies without metadata are found.
create table manifest_bindings (
  manifest_number bigint not null references kept_manifests (number) on delete cascade,
  -- Name of the algorithm, as on C2PA's list or another.
  alg text collate "C" not null check (alg ~ '^[!-~]{1,200}$'),
  -- As the assertion has it: text, or base64 of bytes.
  value text collate "C" not null check (value ~ '^[ -~]+$' and length(value) <= 300),
  primary key (manifest_number, alg, value)
);
create index manifest_bindings_value on manifest_bindings (alg, value);

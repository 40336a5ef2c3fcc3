-- One row, which is written anew whenever somebody asks whether this database can be written.
create table health_checks (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null
);

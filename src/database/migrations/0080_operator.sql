-- What an operator has done by hand, and the entries of the boards nobody is shown any more. They stay as they were written.

alter table cafe_posts add column hidden_at timestamptz;
alter table gallery_artworks add column hidden_at timestamptz;
alter table registry_entries add column hidden_at timestamptz;

create table operator_acts (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  act text not null,
  about text not null,
  why text not null
);

-- What works mean, as vectors of an embedding model the operator has set up. The index that is searched is made of these rows.

-- One row, as with artwork_look_count.
create table artwork_vector_count (last bigint not null);
insert into artwork_vector_count values (0);

create table artwork_vectors (
  -- Vectors of different models cannot be compared.
  model text collate "C" not null,
  id text collate "C" not null,
  number bigint not null unique,
  -- Of the record that was embedded: another one is embedded anew.
  sha256 text collate "C" not null,
  -- One signed byte a dimension: the vector so that its largest member is 127.
  vector bytea not null,
  primary key (model, id)
);

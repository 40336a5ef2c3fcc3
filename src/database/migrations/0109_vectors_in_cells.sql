-- The index of vectors, where an operator has chosen to have it here and not in the memory of each process: vectors in cells around
-- centres, each shortened to a bit a dimension. Only the cells nearest to a question are read; artwork_vectors has the vectors themselves.

create table artwork_vector_cells (
  model text collate "C" primary key,
  -- Of the way they are made; blocks of another generation are being made or let go of.
  generation integer not null,
  dimensions integer not null,
  -- Centres one after the other, one signed byte a dimension. Cell n is around centre n.
  centres bytea not null,
  -- Vectors there were when the centres were chosen: many more need others.
  made_of bigint not null,
  -- Vectors with numbers up to this are in their cells; the newer ones are compared one by one.
  folded bigint not null,
  -- Whoever folds says until when nobody else does.
  claimed_until timestamptz not null
);

do $$
begin
  for part in 0..7 loop
    execute format($part$
      -- The cells whose number has this remainder by eight.
      create table artwork_vector_blocks_%1$s (
        id bigint primary key generated always as identity,
        model text collate "C" not null,
        generation integer not null,
        cell integer not null,
        vectors integer not null,
        -- Of each vector: artwork_vectors.number (uint32), the factor its bits are worth (float32), then its bits (vector_bits.ts).
        packed bytea not null
      );
      create index on artwork_vector_blocks_%1$s (model, generation, cell);
      -- Nearly random bytes: compressing them would only take time.
      alter table artwork_vector_blocks_%1$s alter column packed set storage external;
    $part$, part);
  end loop;
end $$;

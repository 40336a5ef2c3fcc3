-- Works that were completed from their museum's own interface when somebody asked for them. They stand beside the editions, which
-- never change: a row holds as long as the edition has the very record it was asked for, so the next import that changes it wins.
create table artwork_live (
  id text collate "C" primary key,
  museum text collate "C" not null,
  -- sha256 of the record of the edition that it stands for.
  completes text collate "C" not null,
  -- When the museum answered.
  asked_at timestamptz not null,
  -- As in artworks; null where what the museum answered is no work that can be taken, and why.
  record jsonb,
  sha256 text collate "C",
  left_out text,
  check ((record is null) = (left_out is not null) and (record is null) = (sha256 is null)),
  -- By address: what was read there, with the entity tag it is asked for by the next time.
  answers jsonb not null
);

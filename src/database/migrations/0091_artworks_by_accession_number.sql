-- Works by the museum's own number, without its marks: people write "RP-P-1909-118", "rp p 1909 118" and "JP2822" for "JP 2822".
create index artworks_by_accession_number on artworks
  (lower(regexp_replace(record->>'accession_number', '[^a-zA-Z0-9]', '', 'g')));

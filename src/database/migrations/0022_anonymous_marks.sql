-- Marks of callers without a wallet end after a while, so that nobody can fill the table for good without a name.
create index marks_anonymous on marks (created_at) where wallet is null;

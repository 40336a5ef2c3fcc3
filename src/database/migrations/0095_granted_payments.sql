-- Payments by a token that an agent has granted (Machine Payments Protocol). The row is written before the card processor hears of the
-- token: one challenge and one token make one payment, and a process that dies in between leaves a trace by which the money that was set
-- aside is let go. The token itself is never kept.
create table granted_payments (
  challenge text collate "C" primary key,
  token_sha256 text collate "C" not null unique,
  intent text collate "C" references payment_intents (id) on delete cascade,
  -- Of the challenge: afterwards nobody can send the token again.
  expires_at timestamptz not null
);
create index granted_payments_of_intent on granted_payments (intent);
create index granted_payments_lost on granted_payments (expires_at) where intent is null;

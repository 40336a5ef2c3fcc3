-- Files a wallet keeps. The bytes are blobs on disk; a row names them. Wallets need not be registered to be asked about,
-- so nothing here refers to the ledger's tables.

-- One row a wallet: what it uses and may use. It is the lock that makes parallel saves queue up.
CREATE TABLE asset_storage (
  wallet text PRIMARY KEY CHECK (wallet ~ '^0x[0-9a-f]{40}$'),
  used_bytes bigint NOT NULL DEFAULT 0,
  asset_count integer NOT NULL DEFAULT 0,
  limit_bytes bigint NOT NULL DEFAULT 104857600,
  limit_count integer NOT NULL DEFAULT 10000,
  CONSTRAINT asset_storage_quota CHECK (used_bytes BETWEEN 0 AND limit_bytes AND asset_count BETWEEN 0 AND limit_count)
);

-- Keys sort by code point on every server, whatever its locale, so that pages do not depend on it.
CREATE TABLE assets (
  wallet text NOT NULL CHECK (wallet ~ '^0x[0-9a-f]{40}$'),
  key text COLLATE "C" NOT NULL CHECK (char_length(key) BETWEEN 1 AND 256),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes integer NOT NULL CHECK (size_bytes BETWEEN 1 AND 10485760),
  content_type text NOT NULL,
  -- Text, not jsonb: the caller gets back what was sent, in its order and with its numbers.
  metadata text CHECK (octet_length(metadata) <= 65536),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (wallet, key)
);

-- For the sweep, which asks whether anybody still uses some bytes.
CREATE INDEX assets_sha256 ON assets (sha256);

-- Counts in the same statement that changes an asset, so no way of writing can forget it.
CREATE FUNCTION count_asset_storage() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner text := CASE WHEN TG_OP = 'DELETE' THEN OLD.wallet ELSE NEW.wallet END;
  more_bytes bigint := 0;
  more_assets integer := 0;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    more_bytes := more_bytes + NEW.size_bytes;
    more_assets := more_assets + 1;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    more_bytes := more_bytes - OLD.size_bytes;
    more_assets := more_assets - 1;
  END IF;
  INSERT INTO asset_storage (wallet) VALUES (owner) ON CONFLICT (wallet) DO NOTHING;
  UPDATE asset_storage SET used_bytes = used_bytes + more_bytes, asset_count = asset_count + more_assets WHERE wallet = owner;
  RETURN NULL;
END
$$;

CREATE TRIGGER assets_count_storage AFTER INSERT OR UPDATE OR DELETE ON assets
  FOR EACH ROW EXECUTE FUNCTION count_asset_storage();

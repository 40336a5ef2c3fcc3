import type { JsonLimits } from '@atelier/imaging/json/scan_json.ts';
import { ASSET_BYTES_MAX } from '../../../config/limits.ts';

/** Version of the archive format. */
export const ARCHIVE_FORMAT = 'atelier-wallet';
export const ARCHIVE_VERSION = 1;
/** `typ` of its signature. */
export const ARCHIVE_TYPE = 'wallet-archive+jwt';
/** Including the metadata of all assets. */
export const MANIFEST_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Structure of the largest manifest of a wallet: 10,000 assets with ten versions each have 0.8 million names and as many values, in 27 MB;
 * the rest is for records. Metadata is JSON inside strings, so only the byte limit bounds escapes.
 */
export const MANIFEST_LIMITS: JsonLimits = {
  values: 1_500_000,
  names: 1_500_000,
  namesPerObject: 100,
  depth: 8,
  structureBytes: MANIFEST_BYTES_MAX,
  escapes: MANIFEST_BYTES_MAX,
};
/** A larger manifest is parsed and validated in a thread: one of 27 MB takes seconds. */
export const MANIFEST_IN_PLACE_BYTES_MAX = 16 * 1024;
export const MANIFEST_MS_MAX = 60_000;
export const MANIFEST_HEAP_MIB = 768;
/** Files of a manifest, and characters of rows, per message of the thread. A message takes 1 to 2 ms. */
export const FILES_A_MESSAGE = 2000;
export const ROWS_CHARACTERS_MAX = 512 * 1024;
/** Maximum size of the entries before the files, by name. */
export const HEAD_BYTES_MAX: Readonly<Record<string, number>> = {
  'manifest.json': MANIFEST_BYTES_MAX,
  'signature.jws': 8 * 1024,
};
export const ARCHIVE_FILES_MAX = 150_000;
export const ASSETS_IN_ARCHIVE_MAX = 10_000;
export const VERSIONS_OF_KEY_MAX = 10;
/** Earlier versions of a wallet: the default of `asset_storage.earlier_limit_count`. */
export const EARLIER_COUNT_MAX = 10_000;
export const RECORD_BYTES_MAX = ASSET_BYTES_MAX;
/** Parts of one workspace, of some MiB each. */
export const WORKSPACE_PARTS_MAX = 100;
/** Receipts in one file. */
export const RECORDS_A_FILE = 2000;
/** Maximum duration of an import. Shorter than the hour after which the cleanup deletes unreferenced blobs. */
export const IMPORT_MS_MAX = 30 * 60_000;
/** Bytes of an arriving manifest that may be in memory. */
export const MANIFEST_BYTES_HELD = 256 * 1024;
/** Memory of one import besides its manifest: one file, as received and as stored. */
export const IMPORT_BYTES_HELD = 2 * ASSET_BYTES_MAX;
export const KEYS_FETCH_TIMEOUT_MS = 10_000;
export const KEYS_BYTES_MAX = 256 * 1024;
export const SKIPPED_KEYS_SHOWN = 20;
export const ROWS_A_STATEMENT = 500;
export const POSTS_IN_ARCHIVE_MAX = 10_000;
/** Above any configured limit of one wallet. */
export const LIVE_JOBS_ENDED_MAX = 10_000;
/** Actor in the list of blocked wallets for an account closed by its owner. */
export const OWNER = 'its owner';

import { ASSET_BYTES_MAX } from '../../limits.ts';

/** The form of archive that is written and read here. */
export const ARCHIVE_FORMAT = 'atelier-wallet';
export const ARCHIVE_VERSION = 1;
/** `typ` of its signature. */
export const ARCHIVE_TYPE = 'wallet-archive+jwt';
/** With the metadata of all assets in it. */
export const MANIFEST_BYTES_MAX = 32 * 1024 * 1024;
/** Of what stands before the files, by its name. */
export const HEAD_BYTES_MAX: Readonly<Record<string, number>> = {
  'manifest.json': MANIFEST_BYTES_MAX,
  'signature.jws': 8 * 1024,
};
export const ARCHIVE_FILES_MAX = 150_000;
export const ASSETS_IN_ARCHIVE_MAX = 10_000;
export const VERSIONS_OF_KEY_MAX = 10;
export const RECORD_BYTES_MAX = ASSET_BYTES_MAX;
/** Receipts in one file. */
export const RECORDS_A_FILE = 2000;
/** A blob nobody names is swept after an hour; an import has named its own long before. */
export const IMPORT_MS_MAX = 30 * 60_000;
/** Held by one import beside its manifest: one file, as it comes and as it is kept. */
export const IMPORT_BYTES_HELD = 2 * ASSET_BYTES_MAX;
export const KEYS_FETCH_TIMEOUT_MS = 10_000;
export const KEYS_BYTES_MAX = 256 * 1024;
export const SKIPPED_KEYS_SHOWN = 20;
export const ROWS_A_STATEMENT = 500;
export const POSTS_IN_ARCHIVE_MAX = 10_000;
/** More than any setting lets one wallet have at once by far. */
export const LIVE_JOBS_ENDED_MAX = 10_000;
/** Who has closed an account, in the list of wallets that spend nothing. */
export const OWNER = 'its owner';

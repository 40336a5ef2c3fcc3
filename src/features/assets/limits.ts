/** Retention of deleted assets. */
export const TRASH_LIFETIME_MS = 7 * 86_400_000;
export const PURGED_A_ROUND = 1000;
/** Maximum validity of a link to an asset, in days: a leap year. */
export const LINK_DAYS_MAX = 366;
/** Maximum files in a ZIP. */
export const ZIP_FILES_MAX = 100;
/** Maximum total size of the unpacked files of a ZIP. */
export const ZIP_BYTES_MAX = 200 * 1024 * 1024;
/** Maximum entries of a ZIP, including folders. */
export const ZIP_ENTRIES_MAX = 1000;
/** Maximum compression ratio of a ZIP above 1 MB. Images stay below 20; ZIP bombs start at 1,000. */
export const ZIP_RATIO_MAX = 200;
/** Characters of a file name or path sent by a client. */
export const FILE_NAME_CHARACTERS_MAX = 200;

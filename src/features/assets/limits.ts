/** Retention of deleted assets. */
export const TRASH_LIFETIME_MS = 7 * 86_400_000;
export const PURGED_A_ROUND = 1000;
/** Days that a link to an asset may work: a year, leap day included. */
export const LINK_DAYS_MAX = 366;
/** Files of one ZIP. */
export const ZIP_FILES_MAX = 100;
/** Bytes of the files of one ZIP together, unpacked. */
export const ZIP_BYTES_MAX = 200 * 1024 * 1024;
/** Entries of a ZIP, folders included: more are not even listed. */
export const ZIP_ENTRIES_MAX = 1000;
/** Unpacked bytes per packed byte of a whole ZIP, beyond the first megabyte. Pictures stay below 20; bombs begin at 1,000. */
export const ZIP_RATIO_MAX = 200;
/** Of the name of a file, or its path, as a client sends it. */
export const FILE_NAME_CHARACTERS_MAX = 200;

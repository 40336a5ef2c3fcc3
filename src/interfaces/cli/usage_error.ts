/** Invalid use of the command line; the message says what to type instead. Exit code 2. */
export class UsageError extends Error {}

/** The command line was used in a way it does not understand; the message says what to type instead. Exit code 2. */
export class UsageError extends Error {}

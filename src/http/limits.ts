/** How long a connection stays half open after an answer in the middle of an upload, so that the answer is read. */
export const LINGER_MS = 5_000;

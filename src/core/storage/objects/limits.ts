/** Requests to the store that run at once; the next wait in the order they came. */
export const STORE_REQUESTS_AT_ONCE = 48;
/** Of those that wait for their turn; one more is refused at once. */
export const STORE_REQUESTS_WAITING_MAX = 2_000;
export const STORE_ATTEMPTS = 4;
/** No further attempt begins after this, counted from the first. */
export const STORE_RETRY_MS_MAX = 30_000;
/** Before the second attempt, at most; twice as much before each further one. */
export const STORE_RETRY_PAUSE_MS = 200;
/** A store that says nothing for so long is not waited for; what is sent to it has time for its bytes besides. */
export const STORE_SILENCE_MS = 10_000;
export const STORE_SENT_BYTES_PER_SECOND_MIN = 128 * 1024;
/** What callers are told to wait. */
export const STORE_RETRY_AFTER_SECONDS = 10;

/** Above this an object is sent in parts, of which the store keeps nothing until all are there. */
export const PARTS_FROM_BYTES = 16 * 1024 * 1024;
export const PART_BYTES = 8 * 1024 * 1024;
/** An upload in parts that has not ended after so long has nobody who sends it: the largest object takes five hours at the slowest. */
export const UPLOAD_ABANDONED_MS = 24 * 3_600_000;
/** What one object may hold that is read whole, and what the store may say about one request. */
export const OBJECT_BYTES_MAX = 2 * 1024 ** 3;
export const STORE_ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** Names the store takes in one request to delete, and gives in one page of a list. */
export const NAMES_AT_A_TIME = 1_000;

/** Pieces of an object that is passed on: they grow for whoever takes them quickly, so that a slow reader holds little. */
export const PIECE_BYTES_MIN = 64 * 1024;
export const PIECE_BYTES_MAX = 1024 * 1024;
export const PIECE_TAKEN_QUICKLY_MS = 500;

/** For how long an address leads to the store. */
export const DIRECT_SECONDS = 300;

/** How long a bucket counts as there once it has been seen. */
export const BUCKET_SEEN_MS = 10_000;

/** How long nobody may have kept a condemned name again before it is deleted: longer than any write to the store lasts. */
export const CONDEMNED_SECONDS = 600;
/** For how long one process may delete a condemned name; who wants to keep the same bytes waits for it. */
export const DELETING_SECONDS = 60;
/** The two requests of it have this long together. */
export const DELETING_MS_MAX = 20_000;
/** A condemned name no sweep has come back to is not in the store any more. */
export const CONDEMNED_DAYS_MAX = 7;

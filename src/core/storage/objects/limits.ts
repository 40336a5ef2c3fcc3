/** Concurrent requests to the store; further ones queue in order of arrival. */
export const STORE_REQUESTS_AT_ONCE = 48;
/** Queue length; further requests are refused at once. */
export const STORE_REQUESTS_WAITING_MAX = 2_000;
export const STORE_ATTEMPTS = 4;
/** No attempt starts later than this after the first. */
export const STORE_RETRY_MS_MAX = 30_000;
/** Maximum pause before the second attempt; doubles before each further one. */
export const STORE_RETRY_PAUSE_MS = 200;
/** Timeout without data from the store; uploads get time for their bytes in addition. */
export const STORE_SILENCE_MS = 10_000;
export const STORE_SENT_BYTES_PER_SECOND_MIN = 128 * 1024;
/** Retry-After for clients. */
export const STORE_RETRY_AFTER_SECONDS = 10;

/** Larger objects use multipart upload, which the store publishes at completion. */
export const PARTS_FROM_BYTES = 16 * 1024 * 1024;
export const PART_BYTES = 8 * 1024 * 1024;
/** A multipart upload that is still open after this long is abandoned: the largest object takes five hours at the slowest. */
export const UPLOAD_ABANDONED_MS = 24 * 3_600_000;
/** Maximum size of an object that is read in full, and of a metadata response. */
export const OBJECT_BYTES_MAX = 2 * 1024 ** 3;
export const STORE_ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** Names per delete request, and per page of a list. */
export const NAMES_AT_A_TIME = 1_000;

/** Chunk size when an object is streamed: it grows for fast readers, so that slow readers hold little memory. */
export const PIECE_BYTES_MIN = 64 * 1024;
export const PIECE_BYTES_MAX = 1024 * 1024;
export const PIECE_TAKEN_QUICKLY_MS = 500;

/** Lifetime of a presigned URL. */
export const DIRECT_SECONDS = 300;

/** How long a bucket is assumed to exist after a check. */
export const BUCKET_SEEN_MS = 10_000;

/** Seconds a condemned name must stay unreferenced before it is deleted. Longer than any write to the store lasts. */
export const CONDEMNED_SECONDS = 600;
/** How long one process may delete a condemned name; a process that stores the same bytes waits for it. */
export const DELETING_SECONDS = 60;
/** Total timeout of its two requests. */
export const DELETING_MS_MAX = 20_000;
/** A condemned name that no cleanup has revisited by then is no longer in the store. */
export const CONDEMNED_DAYS_MAX = 7;

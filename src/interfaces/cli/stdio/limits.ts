import { JSON_BODY_BYTES_MAX } from '../../../config/limits.ts';

/** One message on standard input; the server accepts no longer body. */
export const MESSAGE_BYTES_MAX = JSON_BODY_BYTES_MAX;
/** Longest path of Linux. A longer text in a file field is base64 or a URL. */
export const PATH_CHARACTERS_MAX = 4096;
/** Entries read of a folder; a larger folder is refused. */
export const FOLDER_ENTRIES_MAX = 10_000;
/** Images of a folder that one call processes. */
export const FOLDER_IMAGES_MAX = 100;
/** Paths in the arguments of one call. */
export const PATHS_MAX = 200;
/** Concurrent uploads or calls. A server on one machine processes few images at once. */
export const SIDE_BY_SIDE = 3;
/** Uploads, results and jobs whose origin is remembered. */
export const REMEMBERED_MAX = 2000;
/** An upload is repeated if its remaining lifetime is below this. */
export const UPLOAD_SPARE_MS = 10 * 60_000;
/** Results written for one call. */
export const RESULTS_MAX = 200;
/** One result written to disk. */
export const RESULT_BYTES_MAX = 1024 ** 3;
/** Maximum size of the entries in the response to a folder call, in bytes of JSON. */
export const FOLDER_ANSWER_BYTES_MAX = 6000;
/** Timeout for the `roots/list` response of a client. */
export const ROOTS_WAIT_MS = 5000;
/** A first start creates the database and loads models. */
export const START_WAIT_MS = 90_000;
export const START_LOOK_MS = 100;
/** Failed starts in a folder that no other process has open. */
export const START_TRIES_MAX = 3;
/** A server that has not stopped by then is killed. */
export const STOP_WAIT_MS = 10_000;
/** Characters kept of the server's output, to report why it did not start. */
export const SERVER_OUTPUT_CHARACTERS = 2000;

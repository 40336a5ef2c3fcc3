import { JSON_BODY_BYTES_MAX } from '../../../config/limits.ts';

/** Of one message on standard input; the server takes no longer body. */
export const MESSAGE_BYTES_MAX = JSON_BODY_BYTES_MAX;
/** A longer text in a file field is base64 or an address. Longest path of Linux. */
export const PATH_CHARACTERS_MAX = 4096;
/** Entries of a folder that are looked at; a larger folder is refused. */
export const FOLDER_ENTRIES_MAX = 10_000;
/** Images of a folder that one call runs for. */
export const FOLDER_IMAGES_MAX = 100;
/** Paths in the arguments of one call. */
export const PATHS_MAX = 200;
/** Files sent or calls made side by side. A server of one machine works on few images at once. */
export const SIDE_BY_SIDE = 3;
/** Uploads, results and jobs whose file is remembered. */
export const REMEMBERED_MAX = 2000;
/** An upload is sent again when it has less than this left. */
export const UPLOAD_SPARE_MS = 10 * 60_000;
/** Results written for one call. */
export const RESULTS_MAX = 200;
/** Of one result that is written to the disk. */
export const RESULT_BYTES_MAX = 1024 ** 3;
/** What the files of a folder call may take up in the answer, in bytes of JSON. */
export const FOLDER_ANSWER_BYTES_MAX = 6000;
/** Timeout for the `roots/list` response of a client. */
export const ROOTS_WAIT_MS = 5000;
/** A first start writes the database and reads networks. */
export const START_WAIT_MS = 90_000;
export const START_LOOK_MS = 100;
/** Starts that fail, in a folder no other process has open. */
export const START_TRIES_MAX = 3;
/** A server that has not stopped by then is killed. */
export const STOP_WAIT_MS = 10_000;
/** Stored output of the server, to report why it did not start. */
export const SERVER_OUTPUT_CHARACTERS = 2000;

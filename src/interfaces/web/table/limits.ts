import { JSON_BODY_BYTES_MAX } from '../../../config/limits.ts';

/** Images that one press of a tool runs on, each by itself. */
export const RUN_ITEMS_MAX = 200;
/** Images of a form without programs, which sends them in one request. */
export const FORM_FILES_MAX = 12;
/** A form with a few files, or settings with layers. */
export const TABLE_FORM_BYTES_MAX = JSON_BODY_BYTES_MAX;
/** Tables that a browser without a wallet can open again, by its cookie. A link has 83 characters. */
export const REMEMBERED_TABLES_MAX = 12;
export const COOKIE_LIFETIME_SECONDS = 365 * 86_400;
/** Images that the server draws on the table: on a line of 1.6 Mbit/s three come with the style and the script. */
export const FIRST_IMAGES_MAX = 3;
/** Tiles that it draws, the rest of them without an image: more than a window shows. */
export const FIRST_TILES_MAX = 60;
/** Acts that the page lists; earlier ones are in the API. */
export const ACTS_SHOWN_MAX = 200;
/** Characters of settings that a link to a tool of the table may have. */
export const REPAIR_CHARACTERS_MAX = 8_000;

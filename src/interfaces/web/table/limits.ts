import { JSON_BODY_BYTES_MAX } from '../../../config/limits.ts';

/** Images per run of a tool, one job each. */
export const RUN_ITEMS_MAX = 200;
/** Images of a form without JavaScript, which sends them in one request. */
export const FORM_FILES_MAX = 12;
/** A form with a few files, or settings with layers. */
export const TABLE_FORM_BYTES_MAX = JSON_BODY_BYTES_MAX;
/** Tables remembered in the cookie of a browser without a wallet. A link has 83 characters. */
export const REMEMBERED_TABLES_MAX = 12;
export const COOKIE_LIFETIME_SECONDS = 365 * 86_400;
/** Images in the first view: at 1.6 Mbit/s, 3 load together with style and script. */
export const FIRST_IMAGES_MAX = 3;
/** Tiles in the first view, the rest of them without an image: more than a window shows. */
export const FIRST_TILES_MAX = 60;
/** Acts listed on the page; the API lists all. */
export const ACTS_SHOWN_MAX = 200;
/** Maximum characters of the settings of a repair. */
export const REPAIR_CHARACTERS_MAX = 8_000;

export const SOUL_WHISPER_CHARACTERS_MAX = 1000;
export const WHISPER_SENDER_CHARACTERS_MAX = 200;
/** Maximum codex in a response, in characters of JSON; a longer one stays in its file. */
export const TOLD_CODEX_CHARACTERS_MAX = 64_000;
export const RESIZE_SIDE_PX_MAX = 8192;
export const PALETTE_COLORS_MIN = 3;
export const PALETTE_COLORS_MAX = 12;
export const COLOR_DPI_MIN = 72;
export const COLOR_DPI_MAX = 1200;
/** Range of the resolution of saved files. */
export const SAVED_DPI_MIN = 10;
export const SAVED_DPI_MAX = 2400;
export const COLOR_PRECISION_MAX = 10;
export const WATERMARK_CHARACTERS_MAX = 256;
export const WATERMARK_STRENGTH_MIN = 0.1;
/** Drawings with more nodes cannot be edited, and browsers render them slowly. */
export const VECTOR_NODES_DEFAULT = 100_000;
export const VECTOR_NODES_MIN = 100;
export const VECTOR_PALETTE_MAX = 64;
/** Memory of tracing per pixel, besides the image, in units of 4 bytes. */
export const PIXELS_OF_A_TRACED_PIXEL = 40;
export const BLEED_MM_MAX = 10;
export const SHEET_SIDE_MM_MIN = 10;
export const SHEET_SIDE_MM_MAX = 2000;
/** Trim and bleed; a poster of 24 × 36 inches at 600 dpi with the widest bleed has 328 million. */
export const SHEET_PIXELS_MAX = 330_000_000;
/** Maximum length of a metadata field. */
export const METADATA_TEXT_CHARACTERS_MAX = 32_000;
export const METADATA_LIST_LENGTH_MAX = 500;
/** Maximum output of upscaling: fits 24 million pixels at ×2. */
export const UPSCALE_OUTPUT_PIXELS_MAX = 100_000_000;
/** Maximum output of upscaling that is reduced afterwards: the limit of any image. */
export const LARGEST_REDUCED_PIXELS = 64_000_000;
export const COMPARISONS_PER_HOUR = 60;
/** Larger images are returned only as a link, because few clients accept such large responses. */
export const BASE64_ANSWER_BYTES_MAX = 32 * 1024 * 1024;
export const REGISTERED_TITLE_CHARACTERS_MAX = 300;
export const PROVENANCE_URI_CHARACTERS_MAX = 2048;
/** Maximum length of a line of a rights policy, each of which is written in several places. */
export const RIGHTS_TEXT_CHARACTERS_MAX = 2000;
export const RIGHTS_ADDRESS_CHARACTERS_MAX = 500;
/** Four names, a time and separators fit into a watermark. */
export const AI_NAME_CHARACTERS_MAX = 48;
/** Accepted lead of the clock of a client. */
export const CLOCK_AHEAD_MS_MAX = 300_000;

/** Default strength of a watermark. */
export const WATERMARK_STRENGTH_DEFAULT = 0.5;

/** Maximum side of a mockup in px, enough for the zoom of a shop. */
export const MOCKUP_SIDE_PX_MAX = 4000;
/** Memory acquired for preflight, in units of 4 bytes. It may need twice that (decision 30); the hard limit is the memory of a worker. */
export const PREFLIGHT_PIXELS = 40_000_000;
/** Longer side of a contact sheet, equal to that of previews in MCP responses, so that numbers are not scaled. */
export const CONTACT_SIDE_PX = 768;
/** Longer side of an image on a contact sheet. */
export const CONTACT_IMAGE_PX = 240;

export const SOUL_WHISPER_CHARACTERS_MAX = 1000;
export const WHISPER_SENDER_CHARACTERS_MAX = 200;
/** A longer codex, as JSON, is mentioned and left in its file. */
export const TOLD_CODEX_CHARACTERS_MAX = 64_000;
export const RESIZE_SIDE_PX_MAX = 8192;
export const PALETTE_COLORS_MIN = 3;
export const PALETTE_COLORS_MAX = 12;
export const COLOR_DPI_MIN = 72;
export const COLOR_DPI_MAX = 1200;
/** What a file that is saved may say of itself. */
export const SAVED_DPI_MIN = 10;
export const SAVED_DPI_MAX = 2400;
export const COLOR_PRECISION_MAX = 10;
export const WATERMARK_CHARACTERS_MAX = 256;
export const WATERMARK_STRENGTH_MIN = 0.1;
/** A drawing with more nodes cannot be edited and is slow to paint in browsers. */
export const VECTOR_NODES_DEFAULT = 100_000;
export const VECTOR_NODES_MIN = 100;
export const VECTOR_PALETTE_MAX = 64;
/** What tracing a pixel holds beside the picture, in pixels of four bytes. */
export const PIXELS_OF_A_TRACED_PIXEL = 40;
export const BLEED_MM_MAX = 10;
export const SHEET_SIDE_MM_MIN = 10;
export const SHEET_SIDE_MM_MAX = 2000;
/** Trim and bleed; a poster of 24 × 36 inches at 600 dpi with the widest bleed has 328 million. */
export const SHEET_PIXELS_MAX = 330_000_000;
/** The longest text in one field of metadata. */
export const METADATA_TEXT_CHARACTERS_MAX = 32_000;
export const METADATA_LIST_LENGTH_MAX = 500;
/** Enlarged pictures; 24 million pixels twice as wide and high still fit. */
export const UPSCALE_OUTPUT_PIXELS_MAX = 100_000_000;
/** Enlarged pictures that are read again, to be reduced: what any picture may have. */
export const LARGEST_REDUCED_PIXELS = 64_000_000;
export const COMPARISONS_PER_HOUR = 60;
/** Above this a picture is left to its link: as base64 it would make an answer few clients can take. */
export const BASE64_ANSWER_BYTES_MAX = 32 * 1024 * 1024;
export const REGISTERED_TITLE_CHARACTERS_MAX = 300;
export const PROVENANCE_URI_CHARACTERS_MAX = 2048;
/** A line of a rights policy; each goes into several places. */
export const RIGHTS_TEXT_CHARACTERS_MAX = 2000;
export const RIGHTS_ADDRESS_CHARACTERS_MAX = 500;
/** Four of them, a time and the signs between fit a watermark. */
export const AI_NAME_CHARACTERS_MAX = 48;
/** How far the clock of a caller may be ahead. */
export const CLOCK_AHEAD_MS_MAX = 300_000;

/** Default of a watermark. */
export const WATERMARK_STRENGTH_DEFAULT = 0.5;

/** Pixels a side of a mockup: a shop's zoom wants no more. */
export const MOCKUP_SIDE_PX_MAX = 4000;
/** What looking over a file is counted as, in pixels of four bytes. It may take twice that (decision 30); the hard bound is the memory of a worker. */
export const PREFLIGHT_PIXELS = 40_000_000;
/** Longer side of a contact sheet: that of previews in MCP responses, so that numbers are read as they are drawn. */
export const CONTACT_SIDE_PX = 768;
/** Longest side of an image on it. */
export const CONTACT_IMAGE_PX = 240;

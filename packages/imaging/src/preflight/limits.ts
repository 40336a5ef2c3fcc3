/** Maximum object number of a PDF. A file of 25 MB can hold about a million of the smallest objects. */
export const PDF_OBJECTS_MAX = 1_000_000;
/** Maximum cross-reference sections: one per incremental update. */
export const PDF_SECTIONS_MAX = 500;
/** Maximum nesting of arrays and dictionaries, and of forms. */
export const PDF_DEPTH_MAX = 64;
export const FORM_DEPTH_MAX = 16;
/**
 * Maximum members of an array and bytes of a string, which are held while they are read. ISO 32000-1, annex C, requires
 * 8,191 and 32,767.
 */
export const ARRAY_MEMBERS_MAX = 1_000_000;
export const STRING_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum pages checked. Further pages are counted and reported. */
export const PAGES_MAX = 500;
/**
 * Work budget per stage in nominal nanoseconds: finding objects and pages, pages, other objects, document rules.
 * Unspent budget carries over to the next stage.
 */
export const STAGE_NS = { structure: 2.5e9, pages: 4.5e9, objects: 1e9, rules: 0.5e9 } as const;
/** Larger numbers are clamped: offsets in cross-reference tables have at most 10 digits. ISO 32000-1, 7.5.4 */
export const NUMBER_MAX = 9_999_999_999;
/** Maximum distance of a page box from the origin in units: 350 m. ISO 32000-1, annex C, requires 14,400. */
export const BOX_COORDINATE_MAX = 1_000_000;
/** Acrobat accepts UserUnit up to 75,000. */
export const USER_UNIT_MAX = 75_000;
/** Maximum components of a colour space. ISO 32000-1, annex C */
export const COMPONENTS_MAX = 32;
/** Maximum bytes of a string read as text. */
export const TEXT_BYTES_MAX = 8192;
/** Maximum operands of an operator. ISO 32000-1 never needs more than 33; arrays count once. */
export const OPERANDS_MAX = 64;
/** Maximum decoded bytes of one stream, and of all streams of a file. */
export const STREAM_BYTES_MAX = 64 * 1024 * 1024;
export const DECODED_BYTES_MAX = 384 * 1024 * 1024;
/** Maximum decoded bytes of an image whose pixels are inspected. */
export const IMAGE_BYTES_MAX = 128 * 1024 * 1024;
/** Maximum objects followed from the catalogue by the object rules. */
export const OBJECTS_FOLLOWED_MAX = 200_000;
/** Maximum objects cached. */
export const OBJECTS_KEPT_MAX = 20_000;
/** Maximum pages of a TIFF. */
export const TIFF_PAGES_MAX = 200;
/** Maximum findings reported per rule and per file. Others are only counted. */
export const FINDINGS_OF_A_RULE_MAX = 8;
export const FINDINGS_MAX = 120;
/** Maximum pages drawn, and findings marked per page. */
export const DRAWINGS_MAX = 3;
export const PLACES_MARKED_MAX = 40;
export const DRAWING_SIDE_PX = 900;
/** Maximum marks drawn per page. */
export const SHAPES_MAX = 4_000;

/** Objects a PDF may number. A file of 25 MB has room for about a million of the smallest. */
export const PDF_OBJECTS_MAX = 1_000_000;
/** Tables of objects that follow one another, one for every time a file was saved on top of itself. */
export const PDF_SECTIONS_MAX = 500;
/** Brackets within brackets, forms within forms, values that point to values. */
export const PDF_DEPTH_MAX = 64;
export const FORM_DEPTH_MAX = 16;
/** Members of one array and bytes of one string: they are held while they are read. ISO 32000-1, annex C, asks for 8,191 and 32,767. */
export const ARRAY_MEMBERS_MAX = 1_000_000;
export const STRING_BYTES_MAX = 4 * 1024 * 1024;
/** Pages looked at; more are counted and told. */
export const PAGES_MAX = 500;
/** Nominal nanoseconds each stage may spend: finding objects and pages, pages, other objects, rules about the file. What one leaves over is the next one's. */
export const STAGE_NS = { structure: 2.5e9, pages: 4.5e9, objects: 1e9, rules: 0.5e9 } as const;
/** A number beyond is read as this: offsets in cross-reference tables have at most 10 digits. ISO 32000-1, 7.5.4 */
export const NUMBER_MAX = 9_999_999_999;
/** Units from the origin within which a box of a page counts: 350 m. Annex C asks for 14,400. */
export const BOX_COORDINATE_MAX = 1_000_000;
/** Acrobat takes UserUnit up to 75,000. */
export const USER_UNIT_MAX = 75_000;
/** Components of a colour space. ISO 32000-1, annex C */
export const COMPONENTS_MAX = 32;
/** Bytes of a string that are read as text. */
export const TEXT_BYTES_MAX = 8192;
/** Operands before one operator. ISO 32000-1 never needs more than 33; arrays count once. */
export const OPERANDS_MAX = 64;
/** Bytes one stream may unpack to, and all of a file together. */
export const STREAM_BYTES_MAX = 64 * 1024 * 1024;
export const DECODED_BYTES_MAX = 384 * 1024 * 1024;
/** Unpacked bytes of one image whose pixels are looked at. */
export const IMAGE_BYTES_MAX = 128 * 1024 * 1024;
/** Objects followed from the catalogue, looking for what has no place in a print file. */
export const OBJECTS_FOLLOWED_MAX = 200_000;
/** Objects kept after they were read. */
export const OBJECTS_KEPT_MAX = 20_000;
/** Directories of a TIFF. */
export const TIFF_PAGES_MAX = 200;
/** Findings told of one rule and in all; the others are counted. */
export const FINDINGS_OF_A_RULE_MAX = 8;
export const FINDINGS_MAX = 120;
/** Pages drawn with the places marked, and places marked on one of them. */
export const DRAWINGS_MAX = 3;
export const PLACES_MARKED_MAX = 40;
export const DRAWING_SIDE_PX = 900;
/** What is drawn of one page. */
export const SHAPES_MAX = 4_000;

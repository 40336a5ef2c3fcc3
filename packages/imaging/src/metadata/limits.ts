/** An XMP packet may have so many bytes, also once it is put together or inflated. */
export const XMP_BYTES_MAX = 16 * 1024 * 1024;
export const XML_DEPTH_MAX = 64;
export const XML_ELEMENTS_MAX = 200_000;
/** Namespaces in scope of one element: every further declaration copies them all. */
export const XML_NAMESPACES_MAX = 500;
export const IFD_ENTRIES_MAX = 4096;
/** At most this many unreadable parts are reported. */
export const METADATA_PROBLEMS_MAX = 20;

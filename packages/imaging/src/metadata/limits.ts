/** Maximum size of an XMP packet, also after assembly or decompression. */
export const XMP_BYTES_MAX = 16 * 1024 * 1024;
export const XML_DEPTH_MAX = 64;
export const XML_ELEMENTS_MAX = 200_000;
/** Namespaces in scope of one element: each declaration copies all of them. */
export const XML_NAMESPACES_MAX = 500;
export const IFD_ENTRIES_MAX = 4096;
/** Maximum number of problems reported. */
export const METADATA_PROBLEMS_MAX = 20;

/** TIFF 6.0 section 8, XMP part 3, IPTC in TIFF, C2PA 2.2 A.3.5. */
export const DESCRIPTION_TAG = 270;
export const ORIENTATION_TAG = 274;
export const ARTIST_TAG = 315;
export const XMP_TAG = 700;
export const COPYRIGHT_TAG = 33_432;
export const IIM_TAG = 33_723;
export const MANIFEST_TAG = 52_545;

/** Metadata report of an engine for an image without metadata. */
export const NOTHING_CARRIED = { kept: [], changed: [], dropped: [] };

/** Path of a blob, derived from its sha256: `ab/cd/abcd…`, so that no folder grows large. */
export const blobName = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

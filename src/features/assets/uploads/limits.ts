/** How long an upload link takes a file; the file then stays as long as any upload, counted from when the link was made. */
export const UPLOAD_LINK_LIFETIME_MS = 20 * 60_000;

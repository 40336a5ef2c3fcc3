/** Maximum size of a codex in canonical form. */
export const CODEX_BYTES_MAX = 1024 * 1024;
export const JSON_DEPTH_MAX = 32;

export const PREVIEW_SIDE_PX = 768;
export const PREVIEW_BYTES_MAX = 150 * 1024;
export const MCP_SUBSCRIPTIONS_MAX = 256;
/** Messages of one request. They run side by side, and a hundred lists of tools took half a second. */
export const MCP_BATCH_MAX = 20;
/** A longer text, such as a drawing's source, is left to its link. */
export const MCP_TEXT_FIELD_CHARACTERS_MAX = 4096;

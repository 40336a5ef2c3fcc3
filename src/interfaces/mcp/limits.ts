export const PREVIEW_SIDE_PX = 768;
export const PREVIEW_BYTES_MAX = 150 * 1024;
/** Previews in a result with several steps: an image costs a model about as much as 1,000 words. */
export const STEP_PREVIEWS_MAX = 4;
export const MCP_SUBSCRIPTIONS_MAX = 256;
/** Messages of one request. They run concurrently, and a hundred lists of tools took half a second. */
export const MCP_BATCH_MAX = 20;
/** A longer text, such as the source of an SVG, is available only by its link. */
export const MCP_TEXT_FIELD_CHARACTERS_MAX = 4096;
/** Works of one result for which a view gets small images. Each is a link of some 200 bytes. */
export const THUMBNAILS_MAX = 100;
/**
 * Fields of a result, counted twice (as fields and as text): 4,000 tokens of about four bytes, with room for
 * the link to the rest.
 */
export const MCP_ANSWER_BYTES_MAX = 15_000;
/** One argument of a prompt. */
export const MCP_ARGUMENT_CHARACTERS_MAX = 2000;
/** Maximum of the protocol for one response to completion/complete. */
export const MCP_COMPLETIONS_MAX = 100;
/** How long a call waits for a person who was shown a link. Clients end calls after a minute. */
export const ASKED_WAIT_MS = 45_000;
/** Interval of polling for their answer. */
export const ASKED_LOOK_MS = 1000;
/** Concurrent waiting calls of one process; further calls are answered without waiting. */
export const ASKED_WAITS_MAX = { ofAddress: 4, ofAll: 64 };

export const PREVIEW_SIDE_PX = 768;
export const PREVIEW_BYTES_MAX = 150 * 1024;
/** Previews of an answer of several steps: a picture costs a model about as much as 1,000 words. */
export const STEP_PREVIEWS_MAX = 4;
export const MCP_SUBSCRIPTIONS_MAX = 256;
/** Messages of one request. They run side by side, and a hundred lists of tools took half a second. */
export const MCP_BATCH_MAX = 20;
/** A longer text, such as a drawing's source, is left to its link. */
export const MCP_TEXT_FIELD_CHARACTERS_MAX = 4096;
/** Works of one answer a view may show small pictures of. Each is a link of some 200 bytes. */
export const THUMBNAILS_MAX = 100;
/** Of an answer's fields, once as such and once as text: 4,000 tokens at about four bytes each, with room for the link to the rest. */
export const MCP_ANSWER_BYTES_MAX = 15_000;
/** Of an argument of a prompt. */
export const MCP_ARGUMENT_CHARACTERS_MAX = 2000;
/** What the protocol allows in one answer to completion/complete. */
export const MCP_COMPLETIONS_MAX = 100;
/** How long a call waits for a person who was led to a link. Clients cut calls after a minute. */
export const ASKED_WAIT_MS = 45_000;
/** Between two looks at whether they have answered. */
export const ASKED_LOOK_MS = 1000;
/** Calls of one process that wait so at once; more are answered without waiting. */
export const ASKED_WAITS_MAX = { ofAddress: 4, ofAll: 64 };

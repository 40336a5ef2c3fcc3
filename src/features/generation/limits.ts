/** Longest prompt, in characters: OpenAI's limit for gpt-image is 32,000, that of others about 4,000. */
export const PROMPT_CHARACTERS_MAX = 4000;

/** Largest response of a provider: 64 megapixels of photographic JPEG, or a PNG of 16 megapixels, as base64. */
export const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;

/** Free storage that a call needs before it is sent to a provider: a PNG of 4 megapixels. */
export const RESULT_BYTES_EXPECTED = 8 * 1024 * 1024;

/** Longest side of an image that is sent to a provider, in px; larger ones are reduced first. */
export const SENT_SIDE_PX_MAX = 1536;

/** Proportions that every provider has. */
export const ASPECTS = ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** Relative difference from which the proportions of a result count as different from those requested. */
export const ASPECT_TOLERANCE = 0.03;

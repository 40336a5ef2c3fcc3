/** Maximum prompt length in characters. OpenAI allows 32,000 for gpt-image, others about 4,000. */
export const PROMPT_CHARACTERS_MAX = 4000;

/**
 * Maximum size of a provider's response: 64 megapixels of photographic JPEG, or a PNG of 16 megapixels, as
 * base64.
 */
export const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;

/** Free storage required before a call is sent to a provider: a PNG of 4 megapixels. */
export const RESULT_BYTES_EXPECTED = 8 * 1024 * 1024;

/** Longest side of an image sent to a provider, in px. Larger images are downscaled first. */
export const SENT_SIDE_PX_MAX = 1536;

/** Aspect ratios that every provider supports. */
export const ASPECTS = ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** Relative difference from which the aspect ratio of a result counts as different from the one requested. */
export const ASPECT_TOLERANCE = 0.03;

/** A network may have so many layers and tensors; those of the manifest have under 300. */
export const PARTS_MAX = 10_000;
/** A kernel may be so high and wide, and step so far, in pixels. */
export const KERNEL_SIDE_MAX = 64;
/** Numbers one layer may answer: 13 times the largest of a MobileNet for pictures of 224 × 224. */
export const ANSWER_NUMBERS_MAX = 16 * 1024 * 1024;
/** A description of layers may have so many bytes; that of a MobileNet has 129,000. */
export const DESCRIPTION_BYTES_MAX = 4 * 1024 * 1024;
/** Weights of one network; a MobileNet has 3.6 million. */
export const NETWORK_NUMBERS_MAX = 16 * 1024 * 1024;

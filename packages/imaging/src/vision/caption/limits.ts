/** Tokens of one answer: a paragraph has about 100. */
export const ANSWER_TOKENS_MAX = 160;
/** Kinds of things of one answer that are kept. */
export const THINGS_MAX = 12;

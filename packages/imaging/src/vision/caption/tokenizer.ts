import { WeightsError } from '../../onnx/tensors.ts';
import { BYTE_LETTERS, type BytePairs, mergeSymbols, ranksOf } from '../byte_pairs.ts';

/** Tokenizer of Florence-2: BART's, with location tokens. */
export interface CaptionTokenizer {
  /** Token ids of a text, between START and END. */
  encode(text: string): number[];
  /** Text of token ids, with locations as `<loc_0>` to `<loc_999>` and without other special tokens. */
  decode(tokens: readonly number[]): string;
}

export const START = 0;
export const END = 2;
/** As in GPT-2: a space belongs to the word after it. */
const PIECES = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;
const PLACE = /^<loc_\d{1,3}>$/;

/**
 * Reads `tokenizer.json` of Florence-2: the vocabulary of BART in byte-level BPE, and added tokens.
 * @throws WeightsError for any other file
 */
export function readCaptionTokenizer(json: Uint8Array): CaptionTokenizer {
  const { vocab, merges, added } = modelOf(json);
  const ranks = ranksOf(merges);
  const symbols = new Map(Object.entries(vocab).map(([symbol, number]) => [number, symbol] as const));
  for (const { id, content } of added) symbols.set(id, PLACE.test(content) ? content : '');
  const numbersOf = (piece: string) =>
    mergeSymbols(
      Array.from(Buffer.from(piece, 'utf8'), (byte) => BYTE_LETTERS[byte]!),
      ranks,
    ).flatMap((symbol) => (Object.hasOwn(vocab, symbol) ? [vocab[symbol]!] : []));
  return {
    encode: (text) => [START, ...(text.match(PIECES) ?? []).flatMap(numbersOf), END],
    decode: (tokens) => {
      const letters = tokens.map((token) => symbols.get(token) ?? '').join('');
      return Buffer.from(Array.from(letters, (letter) => BYTES.get(letter) ?? 0x3f)).toString('utf8');
    },
  };
}

/** The byte for each character. */
const BYTES: ReadonlyMap<string, number> = new Map(BYTE_LETTERS.map((letter, byte) => [letter, byte]));

interface Added {
  readonly id: number;
  readonly content: string;
}

function modelOf(json: Uint8Array): BytePairs & { readonly added: readonly Added[] } {
  let file: { model?: Partial<BytePairs> & { type?: unknown }; added_tokens?: unknown } = {};
  try {
    file = JSON.parse(Buffer.from(json).toString('utf8')) ?? {};
  } catch {
    // Invalid JSON is an invalid vocabulary.
  }
  const { model: { type, vocab, merges } = {}, added_tokens: added = [] } = file;
  const isOne =
    type === 'BPE' &&
    typeof vocab === 'object' &&
    Object.values(vocab).every((number) => Number.isInteger(number) && number >= 0) &&
    Array.isArray(merges) &&
    merges.every((merge) => [merge].flat().every((part) => typeof part === 'string')) &&
    Array.isArray(added) &&
    added.every((token) => Number.isInteger(token?.id) && typeof token.content === 'string') &&
    added.some(({ content }: Added) => PLACE.test(content));
  if (isOne) return { vocab, merges, added: added as Added[] };
  throw new WeightsError(
    'The file is not a Florence-2 vocabulary (tokenizer.json with a BPE model and location tokens).',
  );
}

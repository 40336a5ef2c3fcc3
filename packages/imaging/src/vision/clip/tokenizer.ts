import { WeightsError } from '../../onnx/tensors.ts';
import { BYTE_LETTERS, type BytePairs, mergeSymbols, ranksOf } from '../byte_pairs.ts';

/** Maximum tokens of one text in CLIP's text encoder, including the start and end tokens. */
export const CLIP_TOKENS_MAX = 77;
/** Later characters are ignored: a text this long has at least 77 tokens, unless it consists of a few very long words. */
export const CLIP_TEXT_CHARACTERS_MAX = 1000;

/** Converts text to token ids of CLIP's text encoder. */
export interface Tokenizer {
  /** At least the start and end tokens, at most `CLIP_TOKENS_MAX`. */
  encode(text: string): number[];
}

const START = '<|startoftext|>';
const END = '<|endoftext|>';
const WORD_END = '</w>';
/** As in tokenizer.json of every CLIP: runs of letters, single digits, runs of other characters. */
const PIECES = /'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/gu;

/**
 * Reads the vocabulary of a CLIP (`tokenizer.json` of the Hugging Face tokenizers library): byte-level BPE (Sennrich, Haddow, Birch 2016), merges as
 * "a b" or as pairs. Special tokens in a text are treated as text.
 * @throws WeightsError for any other file
 */
export function readTokenizer(json: Uint8Array): Tokenizer {
  const { vocab, merges } = modelOf(json);
  const ranks = ranksOf(merges);
  const [start, end] = [vocab[START], vocab[END]];
  if (start === undefined || end === undefined) throw noTokenizer();
  const numbersOf = (piece: string) =>
    mergeSymbols(symbolsOf(piece), ranks).map((symbol) =>
      Object.hasOwn(vocab, symbol) ? vocab[symbol]! : end,
    );
  return {
    encode(text) {
      const numbers = (normalise(text).match(PIECES) ?? []).flatMap(numbersOf);
      return [start, ...numbers.slice(0, CLIP_TOKENS_MAX - 2), end];
    },
  };
}

/** Lower-cases letter by letter, as the library does: a capital sigma at the end of a word does not become a final one. */
const normalise = (text: string): string =>
  Array.from(text.slice(0, CLIP_TEXT_CHARACTERS_MAX).normalize('NFC'), (letter) => letter.toLowerCase()).join(
    '',
  );

/** The bytes of a piece as characters, the last with an end-of-word marker. */
function symbolsOf(piece: string): string[] {
  const symbols = Array.from(Buffer.from(piece, 'utf8'), (byte) => BYTE_LETTERS[byte]!);
  symbols.push(`${symbols.pop()}${WORD_END}`);
  return symbols;
}

function modelOf(json: Uint8Array): BytePairs {
  let model: Partial<BytePairs> & { type?: unknown; end_of_word_suffix?: unknown } = {};
  try {
    model = JSON.parse(Buffer.from(json).toString('utf8'))?.model ?? {};
  } catch {
    // Invalid JSON is an invalid vocabulary.
  }
  const { vocab, merges } = model;
  const isOne =
    model.type === 'BPE' &&
    model.end_of_word_suffix === WORD_END &&
    typeof vocab === 'object' &&
    Object.values(vocab).every((number) => Number.isInteger(number) && number >= 0) &&
    Array.isArray(merges) &&
    merges.every((merge) => [merge].flat().every((part) => typeof part === 'string'));
  if (isOne) return { vocab, merges };
  throw noTokenizer();
}

const noTokenizer = () =>
  new WeightsError('The file is not a CLIP vocabulary (tokenizer.json with a BPE model).');

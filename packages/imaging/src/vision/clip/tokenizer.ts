import { WeightsError } from '../../onnx/tensors.ts';
import { BYTE_LETTERS, type BytePairs, mergeSymbols, ranksOf } from '../byte_pairs.ts';

/** Tokens of one text, the first and the last among them, that the text encoder of CLIP takes. */
export const CLIP_TOKENS_MAX = 77;
/** Later characters are not looked at: no text of so many has fewer than 77 tokens but one of a few very long words. */
export const CLIP_TEXT_CHARACTERS_MAX = 1000;

/** Turns words into the numbers the text encoder of CLIP knows. */
export interface Tokenizer {
  /** At least the first and the last token, at most `CLIP_TOKENS_MAX`. */
  encode(text: string): number[];
}

const START = '<|startoftext|>';
const END = '<|endoftext|>';
const WORD_END = '</w>';
/** As in tokenizer.json of every CLIP: letters together, each digit alone, signs together. */
const PIECES = /'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/gu;

/**
 * Reads the vocabulary of a CLIP (`tokenizer.json` of the Hugging Face tokenizers library): byte-level BPE (Sennrich, Haddow, Birch
 * 2016), merges as "a b" or as pairs. Special tokens in a text are text.
 * @throws WeightsError where it is none
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

/** Lower case letter by letter, as the library does: a capital sigma at the end of a word does not become a final one. */
const normalise = (text: string): string =>
  Array.from(text.slice(0, CLIP_TEXT_CHARACTERS_MAX).normalize('NFC'), (letter) => letter.toLowerCase()).join(
    '',
  );

/** The bytes of a piece as letters, of which the last says that it is the last. */
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
    // What is no JSON is no vocabulary either.
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
  new WeightsError('The file is no vocabulary of CLIP (tokenizer.json with a BPE model).');

import type { Numbers, Session } from '../../onnx/session.ts';
import { type Norm, stretchedInput } from '../stretched_input.ts';
import { type CaptionTokenizer, END, START } from './tokenizer.ts';

/** Input side of Florence-2 in pixels, and its training mean and deviation. */
const SIDE_PX = 768;
const NORM: Norm = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
/** The prompts of Florence-2's processor for each task. */
const PROMPTS = {
  caption: 'What does the image describe?',
  paragraph: 'Describe with a paragraph what is shown in the image.',
  things: 'Locate the objects with category name in the image.',
} as const;
type Task = keyof typeof PROMPTS;
/** Attention heads of the base model, and dimensions of each. */
const HEADS = 12;
const HEAD_SIZE = 64;
/** No sequence of three tokens occurs twice (`no_repeat_ngram_size` in the model's settings). */
const REPEATED = 3;

type Graph = Pick<Session, 'runNamed' | 'inputs' | 'outputs'>;

/** Florence-2 in the four graphs of its ONNX export, and its vocabulary. */
export interface Captioner {
  /** pixel_values → image_features. */
  readonly vision: Graph;
  /** input_ids → inputs_embeds. */
  readonly words: Graph;
  /** inputs_embeds, attention_mask → last_hidden_state. */
  readonly encoder: Graph;
  /** One decoding step, with and without cached keys and values (`decoder_model_merged`). */
  readonly decoder: Graph;
  readonly tokenizer: CaptionTokenizer;
}

/** Florence-2's description of an image, in English. */
export interface Caption {
  /** One sentence. */
  readonly caption: string;
  readonly paragraph: string;
  /** Classes of located objects, without duplicates. */
  readonly things: readonly string[];
}

/**
 * Describes an image with Florence-2 (Xiao et al. 2023), with greedy decoding.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function captionPicture(bytes: Uint8Array, captioner: Captioner): Promise<Caption> {
  const data = await stretchedInput(bytes, { width: SIDE_PX, height: SIDE_PX }, NORM);
  const pixels = { pixel_values: { data, sides: [1, 3, SIDE_PX, SIDE_PX] } };
  const picture = await only(captioner.vision, pixels, 'image_features');
  const ask = (task: Task) => answer(PROMPTS[task], picture, captioner);
  return {
    caption: plain(await ask('caption')),
    paragraph: plain(await ask('paragraph')),
    things: thingsIn(await ask('things')),
  };
}

/** Plain text on one line, without location tokens. */
const plain = (text: string): string =>
  text
    .replace(/<loc_\d+>/g, ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();

/** Parses "person<loc_1><loc_2><loc_3><loc_4>dog<loc_…>…": the names before groups of four locations. */
function thingsIn(text: string): string[] {
  const named = [...text.matchAll(/([^<>]{1,60})(?:<loc_\d+>){4}/gu)].map(([, name]) => plain(name!));
  return [...new Set(named)].filter(Boolean).slice(0, THINGS_MAX);
}

/** The model's response to a prompt about an image. */
async function answer(prompt: string, picture: Floats, captioner: Captioner): Promise<string> {
  const { words, encoder, tokenizer } = captioner;
  const asked = await embed(words, tokenizer.encode(prompt));
  const [, ofPicture, size] = picture.sides as [number, number, number];
  const length = ofPicture + asked.sides[1]!;
  const both = new Float32Array(length * size);
  both.set(picture.data);
  both.set(asked.data, ofPicture * size);
  const mask: Numbers = { data: new BigInt64Array(length).fill(1n), sides: [1, length] };
  const embeds = { data: both, sides: [1, length, size] };
  const seen = await only(encoder, { inputs_embeds: embeds, attention_mask: mask }, 'last_hidden_state');
  return tokenizer.decode(await tokensOf({ seen, mask }, captioner));
}

interface Encoded {
  readonly seen: Floats;
  readonly mask: Numbers;
}

/** Decodes token by token, with cached keys and values. */
async function tokensOf({ seen, mask }: Encoded, { words, decoder }: Captioner): Promise<number[]> {
  const kept = decoder.inputs.filter((name) => name.startsWith('past_key_values.'));
  const none: Numbers = { data: new Float32Array(0), sides: [1, HEADS, 0, HEAD_SIZE] };
  let past: Record<string, Numbers> = Object.fromEntries(kept.map((name) => [name, none]));
  const tokens: number[] = [];
  for (let last = END; tokens.length < ANSWER_TOKENS_MAX; ) {
    const isFirst = tokens.length === 0;
    const found = await decoder.runNamed(
      {
        ...past,
        inputs_embeds: await embed(words, [last]),
        encoder_hidden_states: seen,
        encoder_attention_mask: mask,
        use_cache_branch: { data: Uint8Array.of(isFirst ? 0 : 1), sides: [1] },
      },
      decoder.outputs,
    );
    past = { ...past, ...pastOf(found, isFirst) };
    // The model's settings force the first token.
    last = isFirst ? START : likeliest(found.get('logits')!, tokens);
    if (last === END) break;
    tokens.push(last);
  }
  return tokens;
}

/** Keys and values of the encoder are computed in the first step and reused; later steps return them empty. */
function pastOf(found: ReadonlyMap<string, Floats>, isFirst: boolean): Record<string, Numbers> {
  const present = [...found].filter(
    ([name]) => name.startsWith('present.') && (isFirst || name.includes('.decoder.')),
  );
  return Object.fromEntries(
    present.map(([name, value]) => [name.replace('present', 'past_key_values'), value]),
  );
}

/** Most likely next token, except those that would repeat a trigram. */
function likeliest({ data, sides }: Floats, tokens: readonly number[]): number {
  const size = sides.at(-1)!;
  const scores = data.subarray(data.length - size);
  const barred = new Set(
    tokens.flatMap((_, at) =>
      at >= REPEATED - 1 && tokens[at - 2] === tokens.at(-2) && tokens[at - 1] === tokens.at(-1)
        ? [tokens[at]!]
        : [],
    ),
  );
  let best = END;
  for (let token = 0; token < size; token++)
    if (scores[token]! > scores[best]! && !barred.has(token)) best = token;
  return best;
}

interface Floats {
  readonly data: Float32Array;
  readonly sides: readonly number[];
}

async function embed(words: Graph, tokens: readonly number[]): Promise<Floats> {
  const input_ids = { data: BigInt64Array.from(tokens, BigInt), sides: [1, tokens.length] };
  return only(words, { input_ids }, 'inputs_embeds');
}

async function only(graph: Graph, inputs: Record<string, Numbers>, output: string): Promise<Floats> {
  return (await graph.runNamed(inputs, [output])).get(output)!;
}

/** Maximum tokens per response: a paragraph has about 100. */
export const ANSWER_TOKENS_MAX = 160;
/** Maximum number of object classes per response. */
const THINGS_MAX = 12;

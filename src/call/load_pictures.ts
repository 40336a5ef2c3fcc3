import type { Images, SourceImage } from '../services/images/contract.ts';
import type { Expected } from '../services/uploads/expected.ts';
import { imageFieldsOf } from '../tools/fields.ts';
import type { AnyTool } from '../tools/tool.ts';
import { LongText } from './long_text.ts';

interface Loading {
  readonly wallet: string | undefined;
  readonly signal: AbortSignal;
  readonly expected: Expected;
  /** The input is not read again: the text of each image is released as soon as its bytes are known. */
  readonly releasesText?: boolean;
  /** false leaves what would have to be fetched as the text it came as. */
  readonly fromOtherServers?: boolean;
}

/** Replaces the text of every image field by the picture it stands for, before anything is held or charged. */
export async function loadPictures(
  images: Images,
  tool: AnyTool,
  input: Record<string, unknown>,
  { signal, wallet, expected, fromOtherServers = true, releasesText = false }: Loading,
): Promise<Record<string, unknown>> {
  const fields = imageFieldsOf(tool.input.shape)
    .filter((name) => input[name] !== undefined)
    .filter((name) => fromOtherServers || !isAddress(input[name]));
  const opened = await Promise.all(
    fields.map(async (name) => {
      const text = input[name];
      const image = await images.open(textIn(text), name, { signal, expected, ...(wallet && { wallet }) });
      if (releasesText && text instanceof LongText) text.release();
      return [name, image];
    }),
  );
  return { ...input, ...Object.fromEntries(opened) };
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^\s*https?:/i.test(value);

const textIn = (value: unknown): string | Buffer =>
  value instanceof LongText ? value.ascii : (value as string);

export const isPicture = (value: unknown): value is SourceImage =>
  typeof value === 'object' && value !== null && 'bytes' in value && 'width' in value && 'height' in value;

/** Millions of pixels of all pictures in a loaded input together, to two decimals; undefined without any. */
export function megapixelsIn(loaded: Record<string, unknown>): number | undefined {
  const pictures = Object.values(loaded).filter(isPicture);
  if (pictures.length === 0) return undefined;
  const pixels = pictures.reduce((sum, { width, height }) => sum + width * height, 0);
  return Math.max(0.01, Math.round(pixels / 10_000) / 100);
}

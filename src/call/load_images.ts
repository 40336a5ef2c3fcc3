import type { Images } from '../services/images/index.ts';
import { imageFieldsOf } from '../tools/fields.ts';
import type { AnyTool } from '../tools/tool.ts';
import { LongText } from './long_text.ts';

/** Replaces the text of every image field by the picture it stands for, before anything is held or charged. */
export async function loadImages(
  images: Images,
  tool: AnyTool,
  input: Record<string, unknown>,
  caller: { wallet: string | undefined; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const fields = imageFieldsOf(tool.input.shape).filter((name) => input[name] !== undefined);
  const { signal, wallet } = caller;
  const opened = await Promise.all(
    fields.map(async (name) => [
      name,
      await images.open(textIn(input[name]), name, { signal, ...(wallet && { wallet }) }),
    ]),
  );
  return { ...input, ...Object.fromEntries(opened) };
}

const textIn = (value: unknown): string | Buffer =>
  value instanceof LongText ? value.ascii : (value as string);

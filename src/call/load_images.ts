import type { Images } from '../services/images/index.ts';
import { isImageField } from '../tools/fields.ts';
import type { AnyTool } from '../tools/tool.ts';

/** Replaces the text of every image field by the picture it stands for, before anything is held or charged. */
export async function loadImages(
  images: Images,
  tool: AnyTool,
  input: Record<string, unknown>,
  caller: { wallet: string | undefined; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const fields = Object.entries(tool.input.shape)
    .filter(([name, schema]) => isImageField(schema as object) && typeof input[name] === 'string')
    .map(([name]) => name);
  const { signal, wallet } = caller;
  const opened = await Promise.all(
    fields.map(async (name) => [
      name,
      await images.open(input[name] as string, name, { signal, ...(wallet && { wallet }) }),
    ]),
  );
  return { ...input, ...Object.fromEntries(opened) };
}

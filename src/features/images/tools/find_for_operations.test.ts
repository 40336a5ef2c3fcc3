import type { Layer } from '@atelier/imaging/composer/layers.ts';
import { expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { findForLayers, searchingOnce } from './find_for_operations.ts';

const call = {
  signal: new AbortController().signal,
  onProgress() {},
  warn() {},
} as unknown as CallContext;
const found = { found: 'faces', boxes: [], reason: 'None.', isLookedFor: true };
const layer = (image: string, gravity: string): Layer => ({
  type: 'image',
  image,
  operations: [{ op: 'crop', aspect: 1, gravity, padding: 0 } as never],
});

/** Each layer has a copy of its image, as images of calls do. */
async function searchesFor(layers: readonly Layer[], documents: number): Promise<number> {
  let searches = 0;
  const run = async () => {
    searches += 1;
    return found;
  };
  const pixels = searchingOnce({ run: run as never });
  const services = { pixels, models: { placeFinders: async () => ({}) }, images: {} };
  for (let document = 0; document < documents; document += 1) {
    const image = () => ({
      bytes: Buffer.from(EXAMPLE_PNG_B64, 'base64'),
      format: 'png' as const,
      width: 16,
      height: 12,
    });
    const images = Object.fromEntries(layers.map((one) => [(one as { image: string }).image, image()]));
    await findForLayers(layers, images as never, services as never, call);
  }
  return searches;
}

test('layers and documents with the same image search it once per target', async () => {
  const layers = [layer('layers.0', 'faces'), layer('layers.1', 'faces'), layer('layers.2', 'subject')];
  expect(await searchesFor(layers, 3)).toBe(2);
});

test('repeating a failed search fails again', async () => {
  const { run } = searchingOnce({ run: () => Promise.reject(new Error('busy')) as never });
  const look = () => run('find_places', { bytes: new Uint8Array(1) } as never, {} as never);
  await expect(look()).rejects.toThrow('busy');
  await expect(look()).rejects.toThrow('busy');
});

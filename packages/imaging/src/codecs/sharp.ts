import sharp from 'sharp';
import { type Pipeline, tellPipeline } from './watch_pipelines.ts';

/** The decoders a picture may reach, in libvips' names; every other one is blocked, those for SVG and PDF first of all. */
const LOADERS = [
  ...['Jpeg', 'Png', 'Webp', 'Heif', 'Tiff', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`),
  // Formats that are decoded at a fraction of their size, from a file of ours: codecs/read_reduced.ts.
  ...['Jpeg', 'Webp'].map((name) => `VipsForeignLoad${name}File`),
];

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
// No two calls share a picture, so a cache of operations only holds memory.
sharp.cache(false);
// One thread a picture: the pool runs as many processes as there are cores.
sharp.concurrency(1);

const { prototype } = sharp as unknown as {
  prototype: { toBuffer(this: Pipeline, ...options: unknown[]): Promise<unknown> };
};
const { toBuffer } = prototype;
/** The one way engines run a pipeline, so what they spend on files is seen here and nowhere else. */
prototype.toBuffer = function toWatchedBuffer(...options) {
  const ended = toBuffer.apply(this, options);
  tellPipeline(this, ended);
  return ended;
};

/** sharp as every engine must use it: import it from here. */
export { sharp };

export const LIBVIPS = { name: 'libvips', version: sharp.versions.vips ?? 'unknown' } as const;

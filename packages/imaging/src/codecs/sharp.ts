import sharp from 'sharp';
import { type Pipeline, tellPipeline } from './watch_pipelines.ts';

/** Allowed decoders, by libvips' names; all others are blocked, above all those for SVG and PDF. */
const LOADERS = [
  ...['Jpeg', 'Png', 'Webp', 'Heif', 'Tiff', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`),
  // Formats decoded at reduced size, from a temporary file: codecs/read_reduced.ts.
  ...['Jpeg', 'Webp'].map((name) => `VipsForeignLoad${name}File`),
];

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
// Calls do not share images, so an operation cache would only hold memory.
sharp.cache(false);
// One thread per image: the pool runs as many processes as there are cores.
sharp.concurrency(1);

const { prototype } = sharp as unknown as {
  prototype: { toBuffer(this: Pipeline, ...options: unknown[]): Promise<unknown> };
};
const { toBuffer } = prototype;
/** Wraps the only way engines run a pipeline, so that all decoding and encoding time is measured here. */
prototype.toBuffer = function toWatchedBuffer(...options) {
  const ended = toBuffer.apply(this, options);
  tellPipeline(this, ended);
  return ended;
};

/** The configured sharp: engines must import it from here. */
export { sharp };

export const LIBVIPS = { name: 'libvips', version: sharp.versions.vips ?? 'unknown' } as const;

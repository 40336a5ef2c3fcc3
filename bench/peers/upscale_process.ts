/** Enlarges a picture of the size given with one network and prints the most memory this process held, in MB. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sharp } from '../../src/engines/picture/sharp.ts';
import { openNetwork } from '../../src/engines/upscale/open_network.ts';
import { upscaleImage } from '../../src/engines/upscale/upscale_image.ts';
import { readWeights, weightsOf } from '../../src/engines/upscale/weights/read_weights.ts';
import { bundledUpscalers } from '../../src/services/models/bundled.ts';
import { MANIFEST, type UpscalerName } from '../../src/services/models/manifest.ts';

const [name, ...sides] = process.argv.slice(2) as [string, string, string];
const [width, height] = sides.map(Number) as [number, number];
const SHARED = new URL('../../../shared/', import.meta.url);
const bundled = bundledUpscalers('cpu').find((network) => network.name === name);
const path = bundled?.path ?? fileURLToPath(new URL(`models/${name}.onnx`, SHARED));
const { architecture } = bundled ?? MANIFEST[name as UpscalerName];
const form = bundled ? 'pth' : 'onnx';
const beside = (file: string) => readFileSync(new URL(`models/${file}`, SHARED));
const tensors = weightsOf(architecture, readWeights(readFileSync(path), form, beside), form);
const network = await openNetwork(architecture, tensors);
const picture = await sharp(readFileSync(new URL('images/photo/kodak_23.png', SHARED)))
  .resize(width, height, { fit: 'cover' })
  .jpeg({ quality: 90 })
  .toBuffer();
await upscaleImage(picture, network);
const peakKiB = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
console.log(Math.round(Number(peakKiB) / 1024));

/** Enlarges a picture of the size given with the smallest network and prints the most memory this process held, in MB. */
import { readFileSync } from 'node:fs';
import { sharp } from '../../src/engines/picture/sharp.ts';
import { openNetwork } from '../../src/engines/upscale/open_network.ts';
import { upscaleImage } from '../../src/engines/upscale/upscale_image.ts';
import { readWeights, weightsOf } from '../../src/engines/upscale/weights/read_weights.ts';
import { MANIFEST } from '../../src/services/models/manifest.ts';

const [width, height] = process.argv.slice(2).map(Number) as [number, number];
const SHARED = new URL('../../../shared/', import.meta.url);
const { architecture } = MANIFEST.realesr_animevideov3;
const graph = readFileSync(new URL('models/realesr_animevideov3.onnx', SHARED));
const network = await openNetwork(architecture, weightsOf(architecture, readWeights(graph, 'onnx'), 'onnx'));
const picture = await sharp(readFileSync(new URL('images/photo/kodak_23.png', SHARED)))
  .resize(width, height, { fit: 'cover' })
  .jpeg({ quality: 90 })
  .toBuffer();
await upscaleImage(picture, network);
const peakKiB = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
console.log(Math.round(Number(peakKiB) / 1024));

/** Upscales an image of the given size with one network and prints the peak memory of this process, in MB. */
import { readFileSync } from 'node:fs';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { upscaleImage } from '@atelier/imaging/upscale/upscale_image.ts';
import { openByName } from '../support/reference_networks.ts';

const [name, ...sides] = process.argv.slice(2) as [string, string, string];
const [width, height] = sides.map(Number) as [number, number];
const SHARED = new URL('../../../shared/', import.meta.url);
const network = await openByName(name);
const picture = await sharp(readFileSync(new URL('images/photo/kodak_23.png', SHARED)))
  .resize(width, height, { fit: 'cover' })
  .jpeg({ quality: 90 })
  .toBuffer();
await upscaleImage(picture, network);
const peakKiB = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
console.log(Math.round(Number(peakKiB) / 1024));

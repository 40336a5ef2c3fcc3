import { readFileSync, writeFileSync } from 'node:fs';
import { detectFormat, readWeights } from '@atelier/imaging/upscale/weights/read_weights.ts';
import { writeSafetensors } from '@atelier/imaging/upscale/weights/safetensors.ts';

/**
 * Converts weights to the safetensors file that is bundled: node training/convert.ts <weights.pth> <out.safetensors>
 * Numbers stay bit for bit the same. Weights that are all 16-bit floats are written as such, which halves the file.
 */
const [source, out] = process.argv.slice(2);
if (!source || !out) throw new Error('Usage: node training/convert.ts <weights.pth> <out.safetensors>');
const bytes = readFileSync(source);
const tensors = readWeights(bytes, detectFormat(bytes));
const half = [...tensors.values()].every(({ data }) => data.every((value) => Math.f16round(value) === value));
writeFileSync(out, writeSafetensors(tensors, { half }));

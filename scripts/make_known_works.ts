import { readFileSync, writeFileSync } from 'node:fs';
import { fingerprintOf } from '@atelier/imaging/fingerprint/fingerprint.ts';
import { computeVisualDescriptor } from '@atelier/imaging/visual_descriptor/compute_visual_descriptor.ts';
import { HASH_QUALITY_MIN } from '../src/config/limits.ts';

/**
 * Writes src/features/provenance/hashes/known_works.jsonl: visual descriptors of public-domain works, from a folder of reproductions with
 * an index.json. `node scripts/make_known_works.ts <folder>`
 */
interface Reproduction {
  readonly file: string;
  readonly title: string;
  readonly artist: string;
  readonly museum_object_id: number;
  readonly museum_url: string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const folder = process.argv[2] ?? '../shared/images/artworks';
const { artworks } = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8')) as { artworks: Reproduction[] };
const lines: string[] = [];
for (const { file, title, artist, museum_object_id: number, museum_url: url } of artworks) {
  const bytes = readFileSync(`${folder}/${file}`);
  const { hashes, quality, colors, layout } = await computeVisualDescriptor({ bytes });
  if (quality < HASH_QUALITY_MIN) continue;
  const { windows } = await fingerprintOf({ bytes, purpose: 'register' });
  const look = {
    pdq: hex(hashes[0]!),
    quality,
    colors: hex(colors),
    layout: hex(layout),
    windows: Buffer.from(windows).toString('base64'),
  };
  lines.push(JSON.stringify({ id: `met_${number}`, title, artist, url, ...look }));
}
writeFileSync(
  new URL('../src/features/provenance/hashes/known_works.jsonl', import.meta.url),
  `${lines.join('\n')}\n`,
);
console.log(`${lines.length} works`);

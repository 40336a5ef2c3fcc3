import { readFileSync, writeFileSync } from 'node:fs';
import { hashedLuma } from '../src/engines/pdq/hashed_luma.ts';
import { pdqOf } from '../src/engines/pdq/pdq.ts';
import { HASH_QUALITY_MIN } from '../src/limits.ts';

/**
 * Writes src/services/hashes/known_works.jsonl: what works in the public domain look like, from a folder of reproductions with
 * an index.json. `node scripts/make_known_works.ts <folder>`
 */
interface Reproduction {
  readonly file: string;
  readonly title: string;
  readonly artist: string;
  readonly museum_object_id: number;
  readonly museum_url: string;
}

const folder = process.argv[2] ?? '../shared/images/artworks';
const { artworks } = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8')) as { artworks: Reproduction[] };
const lines: string[] = [];
for (const { file, title, artist, museum_object_id: number, museum_url: url } of artworks) {
  const { luma } = await hashedLuma(readFileSync(`${folder}/${file}`));
  const { hashes, quality } = pdqOf(luma);
  if (quality < HASH_QUALITY_MIN) continue;
  const pdq = Buffer.from(hashes[0]!).toString('hex');
  lines.push(JSON.stringify({ id: `met_${number}`, title, artist, url, pdq }));
}
writeFileSync(new URL('../src/services/hashes/known_works.jsonl', import.meta.url), `${lines.join('\n')}\n`);
console.log(`${lines.length} works`);

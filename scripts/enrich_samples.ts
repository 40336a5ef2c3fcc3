import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import type { Given } from '@atelier/imaging/analysis/write/given.ts';
import { premiumMetadata, standardMetadata } from '@atelier/imaging/analysis/write/write_metadata.ts';
import { writeSections } from '@atelier/imaging/analysis/write/write_sections.ts';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';

const SHOWN_PX = 640;
const NOTHING_GIVEN = { title: '', artist_name: '', copyright_holder: '', creation_year: '', context: '' };

/**
 * Writes a page on which each picture stands beside its metadata in both tiers, as the analyst alone writes it, to be read
 * aloud and judged. @param from pictures by name @param to a folder, made where it is missing
 */
export async function writeEnrichPage(
  from: ReadonlyMap<string, Uint8Array>,
  to: string,
  contentType: Given['content_type'],
): Promise<void> {
  mkdirSync(to, { recursive: true });
  const rows: string[] = [];
  for (const [name, bytes] of from) {
    const shown = `${rows.length}.jpg`;
    writeFileSync(join(to, shown), await smaller(bytes));
    const facts = writeSections(await analysePicture({ bytes }), {
      ...NOTHING_GIVEN,
      content_type: contentType,
    });
    const [standard, premium] = [standardMetadata(facts).metadata, premiumMetadata(facts).metadata];
    const { sections, ...fields } = premium;
    rows.push(
      `<section><figure><img src="${shown}" alt="${escapeText(standard.alt_text)}"><figcaption>${escapeText(name)}</figcaption></figure>
<div><h2>standard</h2>${listOf(standard)}</div><div><h2>premium</h2>${listOf(fields)}<p>${escapeText(countsOf(sections))}</p></div></section>`,
    );
  }
  writeFileSync(join(to, 'index.html'), pageOf(rows));
}

/** The pictures of a folder and the folders in it, by their names. */
export const picturesIn = (folder: string): Map<string, Uint8Array> =>
  new Map(
    globSync('**/*.{png,jpg,jpeg}', { cwd: folder })
      .sort()
      .map((file) => [basename(file), readFileSync(join(folder, file))]),
  );

const smaller = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes)
    .resize({ width: SHOWN_PX, height: SHOWN_PX, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: 85 })
    .toBuffer();

const listOf = (fields: object): string =>
  `<dl>${Object.entries(fields)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeText(textOf(value))}</dd>`)
    .join('')}</dl>`;

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.map((entry) => (typeof entry === 'string' ? entry : `${entry.name} ${entry.hex}`)).join(', ');
}

const countsOf = (sections: object): string =>
  Object.entries(sections)
    .map(([name, facts]) => `${name} ${Object.keys(facts).length}`)
    .join(', ');

const escapeText = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

const pageOf = (
  rows: readonly string[],
): string => `<!doctype html><meta charset="utf-8"><title>Atelier: metadata</title>
<style>
body{font:15px/1.5 system-ui;margin:2rem auto;max-width:1500px;padding:0 1.5rem;color:#222}
section{display:grid;grid-template-columns:1fr 1fr 1.4fr;gap:2rem;padding:2rem 0;border-top:1px solid #ddd}
figure{margin:0}img{max-width:100%}figcaption,dt,p{color:#666}h2{font-size:1rem;margin:0 0 .5rem}
dl{margin:0}dt{font-size:.85rem}dd{margin:0 0 .6rem}
</style>
${rows.join('\n')}
`;

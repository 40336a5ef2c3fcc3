import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { againstPotrace, againstTracer } from './vectorize.ts';

const ARTWORKS = fileURLToPath(new URL('../../shared/images/artworks/', import.meta.url));
const SIDE_PX = 640;

/** Twelve works that nobody looked at, or measured, while the tracer was built: fixed, so that figures can be compared. */
const UNSEEN = [
  'met-11894-william-trost-richards-indian-summer',
  'met-337510-charles-de-la-fosse-sacrifice-of-iphigenia',
  'met-337929-aertgen-claesz-van-leyden-adoration-of-the-shepherds',
  'met-435809-pieter-bruegel-the-elder-the-harvesters',
  'met-436243-albrecht-durer-salvator-mundi',
  'met-436660-hans-holbein-the-younger-portrait-of-a-man-in-a-red-cap',
  'met-437654-georges-seurat-circus-sideshow-parade-de-cirque',
  'met-437980-vincent-van-gogh-cypresses',
  'met-438821-paul-gauguin-ia-orana-maria-hail-mary',
  'met-45329-ogata-korin-chinese-bellflowers',
  'met-48893-utagawa-hiroshige-woman-walking-in-the-snow',
  'met-49049-matsumura-goshun-cherry-blossoms',
];

/** Drawings of pictures the tracer was not built with, against vtracer in colour and potrace in two tones. */
export async function run(): Promise<string> {
  const files = UNSEEN.map((name) => ({ name, file: `${ARTWORKS}${name}.jpg` })).filter(({ file }) =>
    existsSync(file),
  );
  if (files.length === 0) return 'vectorize_unseen: skipped, none of its pictures is there';
  const rows: string[] = [];
  for (const { name, file } of files) {
    const bytes = await sharp(file).resize(SIDE_PX, SIDE_PX, { fit: 'inside' }).png().toBuffer();
    const setting = { name: 'cp6 fs4', colorPrecision: 6, filterSpeckle: 4 } as const;
    const colour = await againstTracer({ name: name.split('-').slice(1, 2).join(), bytes }, setting);
    rows.push(`${colour} ${await againstPotrace(bytes)} |`);
  }
  return [
    '## Drawings of twelve pictures the tracer was not built with (long side 640)',
    '',
    '| picture | settings | gain dB | PSNR dB ours / vtracer | paths ours / vtracer | bytes | time | left by svgo | two tones: PSNR dB ours / potrace | bytes | time |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

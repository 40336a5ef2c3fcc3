import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { againstPotrace, againstTracer } from './vectorize.ts';

const ARTWORKS = fileURLToPath(new URL('../../shared/images/artworks/', import.meta.url));
const SIDE_PX = 640;

/** Twelve works that nobody looked at, or measured, while the tracer was built (decisions 112 and 116 were made by them): fixed, so that figures can be compared. */
const WORKS = [
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

/** Twelve more, drawn by a rule before decision 116 (every fourth of the rest by name) and measured once, when it was made. */
const HELD_OUT = [
  'met-11322-john-frederick-kensett-study-of-beeches',
  'met-338607-gaspare-diziani-the-family-of-darius-before-alex',
  'met-435740-francois-boucher-allegory-of-autumn',
  'met-436175-eugene-delacroix-basket-of-flowers',
  'met-436576-el-greco-the-vision-of-saint-john',
  'met-437096-jean-francois-millet-garden-scene',
  'met-437329-nicolas-poussin-the-abduction-of-the-sabine-wome',
  'met-437436-auguste-renoir-a-road-in-louveciennes',
  'met-437749-jan-steen-merry-company-on-a-terrace',
  'met-437853-joseph-mallord-william-turne-venice-from-the-porch-of-madonna',
  'met-438635-camille-corot-waterfall-at-terni',
  'met-53408-ito-jakuchu-white-plum-blossoms-and-moon',
];

/** Drawings of works of museums, against vtracer in colour and potrace in two tones. */
export async function run(): Promise<string> {
  const sections = [
    await section('Drawings of twelve works of museums (long side 640)', WORKS),
    await section('The same of twelve held out', HELD_OUT),
  ];
  return sections.join('\n\n');
}

async function section(title: string, names: readonly string[]): Promise<string> {
  const files = names
    .map((name) => ({ name, file: `${ARTWORKS}${name}.jpg` }))
    .filter(({ file }) => existsSync(file));
  if (files.length === 0) return `${title}: skipped, none of its pictures is there`;
  const rows: string[] = [];
  for (const { name, file } of files) {
    const bytes = await sharp(file).resize(SIDE_PX, SIDE_PX, { fit: 'inside' }).png().toBuffer();
    const setting = { name: 'cp6 fs4', colorPrecision: 6, filterSpeckle: 4 } as const;
    const colour = await againstTracer({ name: name.split('-').slice(1, 2).join(), bytes }, setting);
    rows.push(`${colour} ${await againstPotrace(bytes)} |`);
  }
  return [
    `## ${title}`,
    '',
    '| picture | settings | gain dB | PSNR dB ours / vtracer | paths ours / vtracer | nodes | bytes | time | left by svgo | two tones: PSNR dB ours / potrace | bytes | time |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

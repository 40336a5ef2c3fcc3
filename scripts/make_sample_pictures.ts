/**
 * Draws the sample image of the sandbox and writes it, with a larger copy, to
 * `src/features/definitions/sample_pictures.ts`. Run it again only to change the image.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';

const SIDE_PX = 24;
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${SIDE_PX}" viewBox="0 0 24 24">
  <rect width="24" height="24" fill="#f2d6a2"/>
  <circle cx="16.5" cy="8" r="4" fill="#e4572e"/>
  <path d="M0 16 L6 9 L10 14 L14 11 L24 18 V24 H0 Z" fill="#3b6c8f"/>
  <path d="M0 19 Q4 16 8 19 T16 19 T24 19 V24 H0 Z" fill="#17324d"/>
</svg>`;

const original = await asPng(sharp(Buffer.from(drawing)));
const LARGE_SIDE_PX = 384;

const large = () => asPng(sharp(Buffer.from(drawing), { density: (72 * LARGE_SIDE_PX) / SIDE_PX }));
const quadrupled = () =>
  asPng(sharp(original).resize({ width: SIDE_PX * 4, height: SIDE_PX * 4, kernel: 'lanczos3' }));

const pictures: [name: string, meaning: string, bytes: Buffer][] = [
  ['ORIGINAL_PNG_B64', `The drawing, ${SIDE_PX} pixels a side.`, original],
  ['QUADRUPLED_PNG_B64', 'The drawing, resampled to four times its side.', await quadrupled()],
  ['LARGE_PNG_B64', `The same drawing, ${LARGE_SIDE_PX} pixels a side.`, await large()],
];

const constants = pictures.map(
  ([name, meaning, bytes]) => `/** ${meaning} */\nexport const ${name} =\n  '${bytes.toString('base64')}';\n`,
);
const address = `/** Where the drawing would lie in content-addressed storage: CIDv1, raw, sha2-256. */\nexport const ORIGINAL_CID = '${cidOf(original)}';\n`;
writeFileSync(
  new URL('../src/features/definitions/sample_pictures.ts', import.meta.url),
  `// Written by scripts/make_sample_pictures.ts.\n\n${[...constants, address].join('\n')}`,
);

function asPng(picture: Sharp): Promise<Buffer> {
  return picture
    .flatten({ background: '#ffffff' })
    .png({ palette: true, colours: 16, compressionLevel: 9 })
    .toBuffer();
}

/** Base32 (RFC 4648, lower case, unpadded) of version 1, codec raw, multihash sha2-256. */
function cidOf(bytes: Buffer): string {
  const cid = Buffer.concat([
    Buffer.from([0x01, 0x55, 0x12, 0x20]),
    createHash('sha256').update(bytes).digest(),
  ]);
  const bits = [...cid].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  const letters = groups.map(
    (group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)],
  );
  return `b${letters.join('')}`;
}

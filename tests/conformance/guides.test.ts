import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/test_requirements.ts';
import { baseUrl, callTool } from './api.ts';
import { quarters } from './pictures.ts';

/** The commands of the guides and of the skill, run as they stand, one shell a page. */

const ROOT = resolve(import.meta.dirname, '../..');
/** Ends a run that hangs; on a busy machine commands take minutes. */
const RUN_MS_MAX = 900_000;
const folder = mkdtempSync(join(tmpdir(), 'atelier-guides-'));
writeFileSync(join(folder, 'photo.jpg'), Buffer.from(quarters(64), 'base64'));
const SAMPLES = join(ROOT, 'src/core/html/browser');
cpSync(join(SAMPLES, 'sample_pear.webp'), join(folder, 'products/pear.webp'));
cpSync(join(SAMPLES, 'sample_badge.webp'), join(folder, 'products/badge.webp'));
beforeAll(async () => {
  await sharp(join(SAMPLES, 'sample_badge.webp')).toFile(join(folder, 'logo.png'));
  // A watermark needs texture, and at least 128 px.
  await sharp(join(SAMPLES, 'sample_still_life.webp')).toFile(join(folder, 'harbour.jpg'));
  writeFileSync(join(folder, 'card.svg'), drawing(85, 55));
  writeFileSync(join(folder, 'poster.svg'), drawing(594, 841));
  writeFileSync(join(folder, 'program.pdf'), await document(6));
});

const drawing = (width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#14213d"/><circle cx="30" cy="25" r="15" fill="#fca311"/></svg>`;

/** A PDF of so many pages, as the service itself makes it of an animation. */
async function document(pages: number): Promise<Uint8Array> {
  const frames = Array.from({ length: pages }, (_, at) => ({
    create: { width: 148, height: 210, channels: 3, background: { r: 40 * at, g: 90, b: 140 } } as const,
  }));
  const images = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
  const animation = await sharp(images, { join: { animated: true } })
    .gif()
    .toBuffer();
  const { body } = await callTool('convert_image', {
    image: animation.toString('base64'),
    format: 'pdf',
    pages: 'all',
  });
  return Buffer.from(body.image_b64, 'base64');
}
cpSync(join(ROOT, 'docs/verify-receipt.mjs'), join(folder, 'docs/verify-receipt.mjs'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('guides in Python', needs('python3'), () => {
  const pages = globSync('docs/guides/*.md', { cwd: ROOT }).flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const blocks = [...text.matchAll(/^```python\n(.*?)^```/gms)].map(([, block]) => block!);
    return blocks.length > 0 ? [{ page, program: blocks.join('\n') }] : [];
  });
  test.each(pages)(
    '$page runs as it stands',
    async ({ program }) => {
      const text = program.replaceAll('http://127.0.0.1:8080', baseUrl());
      const ran = promisify(execFile)('python3', ['-I', '-c', text], { cwd: folder });
      await expect(
        ran.then(
          ({ stdout }) => stdout.trim() !== '',
          (failure) => failure.stderr,
        ),
      ).resolves.toBe(true);
    },
    RUN_MS_MAX,
  );
});

describe('guides', needs('curl'), () => {
  test.each(globSync(['docs/guides/*.md', 'skills/*/SKILL.md'], { cwd: ROOT }))(
    '%s does what it says',
    async (page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      const commands = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
      const script = `set -euo pipefail\n${commands.join('\n')}`
        .replaceAll('http://127.0.0.1:8080', baseUrl())
        .replaceAll('npx atelier', `'${process.execPath}' '${join(ROOT, 'bin/atelier.mjs')}'`);
      const env = { ...process.env, ATELIER_URL: baseUrl() };
      const ran = promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
      await expect(
        ran.then(
          () => 'ran',
          (failure) => `${failure.message}\n${failure.stdout}`,
        ),
      ).resolves.toBe('ran');
    },
    RUN_MS_MAX,
  );
});

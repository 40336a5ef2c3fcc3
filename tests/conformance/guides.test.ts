import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/judge.ts';
import { baseUrl } from './api.ts';
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
});
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

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MANIFEST } from './manifest.ts';
import { fetchProgressOf } from './pull.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-progress-'));
afterAll(() => rmSync(folder, { recursive: true }));

const part = join(folder, 'u2netp.onnx.part');
const progress = (now?: number) => fetchProgressOf(folder, { name: 'u2netp', entry: MANIFEST.u2netp }, now);

test('a growing download reports its progress and when to retry', async () => {
  expect(await progress()).toBeUndefined();
  writeFileSync(part, Buffer.alloc(2_000_000));

  const found = await progress();

  expect(found!.text).toMatch(
    /^u2netp is being downloaded \(2 of 5 MB\)\. Send the call again in about \d+ s\.$/,
  );
  expect(found!.retryAfterSeconds).toBeGreaterThanOrEqual(5);
});

test('a stalled download reports no progress', async () => {
  const old = new Date(Date.now() - 120_000);
  utimesSync(part, old, old);
  expect(await progress()).toBeUndefined();
});

import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as rolldown from 'rolldown';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript, which older versions of Node run during an install
import { writeBundle } from '../scripts/bundle_sources.mjs';

test('the sources can be bundled, with every package they load', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bundle-'));
  await writeBundle(rolldown, folder);
  expect(readdirSync(folder)).toContain('main.mjs');
}, 300_000);

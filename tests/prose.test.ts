import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Phrases of the project's early idiom, which readers cannot search for. CONTRIBUTING.md ("Language") names the replacements. The number
 * may only fall: lower it with the phrases that you replace.
 */
const PHRASES = /\b(?:whoever|nobody|somebody|is told|no request of)\b/gi;
const COUNT_MAX = 14;

const ROOT = resolve(import.meta.dirname, '..');

test(`at most ${COUNT_MAX} phrases of the early idiom are left`, () => {
  const files = globSync(['{src,packages,docs}/**/*.{ts,md,sql,css}', '*.md'], {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  });
  const count = files
    .filter((path) => path !== 'CHANGELOG.md')
    .reduce((sum, path) => sum + [...readFileSync(resolve(ROOT, path), 'utf8').matchAll(PHRASES)].length, 0);
  expect(count).toBeLessThanOrEqual(COUNT_MAX);
});

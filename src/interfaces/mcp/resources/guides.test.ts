import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tools } from '../../../features/tools.ts';
import { guideText } from './guides.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const rendered = (page: string) =>
  guideText(readFileSync(join(ROOT, page), 'utf8'), {
    name: basename(page, '.md'),
    publicUrl: 'https://atelier.test',
  });
/** `tool {…}` at the beginning of a line. */
const callsIn = (text: string) =>
  [...text.matchAll(/^([a-z]+_[a-z_]+) (\{.*\})$/gm)].map(([, name, json]) => [name!, json!] as const);

describe.each(globSync('docs/guides/*.md', { cwd: ROOT }))('%s over MCP', (page) => {
  const text = rendered(page);

  test('uses the URL of this server and has no HTTP tool calls', () => {
    expect(text).not.toContain('127.0.0.1:8080');
    expect(text).not.toMatch(/curl .*(api\/tools|\/mcp|api\/uploads)/);
    expect(text).not.toContain('<!--');
  });

  test('every call is valid tool input', () => {
    for (const [name, json] of callsIn(text)) {
      const { dry_run: _, async: __, payer: ___, ...input } = JSON.parse(json);
      const { error } = tools.find((tool) => tool.name === name)!.input.safeParse(input);
      // One call is invalid on purpose, to show an error.
      if (input.width !== 'wide') expect([name, error]).toEqual([name, undefined]);
    }
  });
});

test('shell commands are replaced by the equivalent MCP calls', () => {
  const page = '```sh\ncurl a\n```\n\n<!-- mcp\nresize_image {"width": 1}\n-->\n\n```sh\nls\n```\n';

  expect(guideText(page, { name: 'a', publicUrl: 'https://atelier.test' })).toBe(
    '```text\nresize_image {"width": 1}\n```\n\n```sh\nls\n```\n',
  );
});

test('the reader’s wallet replaces the example wallet', () => {
  const wallet = `0x${'ab'.repeat(20)}`;
  const call = `register_wallet {"wallet": "0x${'0'.repeat(38)}c5"}`;
  expect(guideText(call, { name: 'a', publicUrl: 'https://atelier.test', wallet })).toContain(wallet);
});

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliInAFolder, PNG, WALLET } from '../../../../tests/support/cli_in_a_folder.ts';

const here = cliInAFolder();
const { run } = here;
const B64 = PNG.toString('base64');
const LINKED = { result_url: 'http://fake/api/results/1' };

test('a preset takes inputs by name, and a file path uploads that file', async () => {
  const { code, sent } = await run(['recipe', 'photo_to_print', `photo=${here.picture()}`, 'size=a4'], {
    wallet: WALLET,
  });
  expect(code).toBe(0);
  expect(sent).toMatchObject({
    tool: 'run_recipe',
    input: { recipe: 'photo_to_print', inputs: { photo: B64, size: 'a4' } },
    authorization: `Bearer ${WALLET}`,
  });
});

test('a repeated input runs the recipe once for each value', async () => {
  const { sent } = await run(['recipe', 'label_ai', 'picture=upload:a', 'picture=upload:b', 'system=x']);
  expect(sent?.input).toEqual({
    recipe: 'label_ai',
    inputs: { system: 'x' },
    for_each: { picture: ['upload:a', 'upload:b'] },
  });
});

test.each([
  ['steps', [{ tool: 'turn_image' }]],
  ['a whole body', { steps: [{ tool: 'turn_image' }] }],
])('%s can be read from a file', async (_, content) => {
  const path = join(here.folder, 'mine.json');
  writeFileSync(path, JSON.stringify(content));
  const { sent } = await run(['recipe', path, '--dry-run', '--async']);
  expect(sent).toMatchObject({
    input: { steps: [{ tool: 'turn_image' }], dry_run: true },
    prefer: 'respond-async',
  });
});

test('--out contains one file per step that returned a file', async () => {
  const steps = [
    { save_as: 'cut', answer: LINKED },
    { save_as: 'mug', item: 1, answer: LINKED },
    { save_as: 'colors', answer: {} },
  ];
  const { code } = await run(['recipe', 'label_ai', '--out', here.folder], {
    reply: { status: 200, body: { steps } },
  });
  expect([code, readdirSync(here.folder)]).toEqual([0, ['cut.png', 'mug-2.png']]);
});

test('the --out folder is created, except for a dry run', async () => {
  const reply = { status: 200, body: { steps: [{ save_as: 'cut', answer: LINKED }] } };
  const out = join(here.folder, 'made/today/');
  await run(['recipe', 'label_ai', '--out', out, '--dry-run'], { reply });
  expect(existsSync(out)).toBe(false);
  await run(['recipe', 'label_ai', '--out', out], { reply });
  expect(readdirSync(out)).toEqual(['cut.png']);
});

test.each([
  [['recipe', 'none.json'], 'There is no file none.json'],
  [['recipe', 'label_ai', 'picture'], '"picture" is not an input'],
  [['recipe', 'label_ai', '--out', '-'], '--out must be a folder'],
  [['recipe'], 'needs <name'],
])('%j is rejected before any request is sent', async (words, text) => {
  const { code, stderr, sent } = await run(words);
  expect([code, sent]).toEqual([2, undefined]);
  expect(stderr).toContain(text);
});

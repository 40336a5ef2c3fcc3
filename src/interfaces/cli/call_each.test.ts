import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliInAFolder, PNG } from '../../../tests/support/cli_in_a_folder.ts';

const here = cliInAFolder();
const { run } = here;
const at = (name: string) => join(here.folder, name);

/** A folder with two images and a note. */
function photos(): string {
  mkdirSync(at('photos'));
  for (const name of ['photos/10.png', 'photos/2.png']) here.picture(name);
  writeFileSync(at('photos/notes.txt'), 'hello');
  return at('photos');
}
const turnAll = (image: string, ...words: string[]) => ['call', 'turn_image', '--image', image, ...words];
const lines = (stdout: Buffer) =>
  stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test.each(['', '/*.png'])(
  'a folder or glob pattern (photos%s) calls the tool once per file',
  async (pattern) => {
    const { code, stdout, stderr } = await run(turnAll(photos() + pattern, '--out', at('made/')));
    expect([code, readdirSync(at('made')).sort()]).toEqual([0, ['10.png', '2.png']]);
    expect(lines(stdout).map(({ file, out }) => [file, out])).toEqual([
      [at('photos/2.png'), at('made/2.png')],
      [at('photos/10.png'), at('made/10.png')],
    ]);
    expect(stderr).toContain('[2/2]');
  },
);

test('responses are printed without base64, and --json prints only the named fields', async () => {
  const { stdout } = await run(turnAll(photos(), '--out', at('made'), '--json', 'cost.credit'));
  expect(lines(stdout)[0]).toEqual({ file: at('photos/2.png'), out: at('made/2.png'), 'cost.credit': 0 });
  expect(readFileSync(at('made/2.png'))).toEqual(PNG);
});

test('an error that applies to every file is printed once', async () => {
  const reply = {
    status: 402,
    body: { status: 402, code: 'payment_required', detail: 'It costs 2 credits.' },
  };
  const { code, stdout, stderr } = await run(turnAll(photos(), '--out', at('made')), { reply });
  expect([code, lines(stdout).length]).toEqual([1, 1]);
  expect(stderr).toContain('not sent, because the server would reject them too: 1');
});

test.each([
  [['--out', 'x.png'], 'need a folder for their results'],
  [[], 'need a folder for their results'],
])('%j is rejected when the input is several files', async (words, hint) => {
  const { code, stderr, sent } = await run(turnAll(photos(), ...words));
  expect([code, sent, stderr.includes(hint)]).toEqual([2, undefined, true]);
});

test('a pattern that matches no files is rejected', async () => {
  const { code, stderr } = await run(turnAll(at('*.png'), '--out', at('made')));
  expect([code, stderr.includes('matches no file')]).toEqual([2, true]);
});

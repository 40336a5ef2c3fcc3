import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliInAFolder, PNG, turned } from '../../../tests/support/cli_in_a_folder.ts';

const here = cliInAFolder();
const { run } = here;
const at = (name: string) => join(here.folder, name);
const turn = (...words: string[]) => ['call', 'turn_image', '--image', 'upload:1', ...words];

test.each([
  ['nowhere/x.png', 'There is no folder'],
  ['photo.png/x.png', 'There is no folder'],
  ['newfolder/', 'There is no folder'],
])('--out %s is rejected before any request is sent', async (out, hint) => {
  here.picture();
  const { code, stderr, sent } = await run(turn('--out', join(here.folder, out)));
  expect([code, sent, stderr.includes(hint)]).toEqual([2, undefined, true]);
});

test('a result that cannot be written to --out is saved elsewhere with a non-zero exit code', async () => {
  mkdirSync(at('gone'));
  const { code, stderr, stdout } = await run(turn('--out', at('gone/x.png')), {
    before: () => rmSync(at('gone'), { recursive: true }),
  });
  expect([code, readFileSync(at('turn_image.png'))]).toEqual([3, PNG]);
  expect(stderr).toContain('gone/x.png cannot be written (ENOENT).');
  expect(JSON.parse(stdout.toString())).toMatchObject({ result_url: turned.result_url });
});

test.each([
  [false, undefined],
  [true, turned.image_b64],
])(
  'if no file can be written the JSON is printed; in-process (%s) it includes the bytes',
  async (isHere, bytes) => {
    mkdirSync(at('gone'));
    const { code, stdout } = await run(turn('--out', at('gone/x.png')), {
      isHere,
      before: () => rmSync(at('gone'), { recursive: true }),
      world: { folder: at('gone') },
    });
    const { image_b64, result_url } = JSON.parse(stdout.toString());
    expect([code, image_b64, result_url]).toEqual([3, bytes, isHere ? undefined : turned.result_url]);
  },
);

test('an unreadable result link still prints the JSON, with its own exit code', async () => {
  const { image_b64: _, ...linked } = { ...turned, result_url: 'http://fake/api/results/none' };
  const reply = { status: 200, body: linked };
  const { code, stdout } = await run(turn('--out', at('x.png')), { reply });
  expect([code, JSON.parse(stdout.toString())]).toEqual([3, linked]);
});

test.each([
  [['--out', 'x.jpg'], { format: 'jpeg' }],
  [['--out', 'x.PNG'], { format: 'png' }],
  [['--out', 'x.bin'], {}],
  [['--out', 'x.jpeg', '--format', 'jpeg'], { format: 'jpeg' }],
  [['--out', '-'], {}],
])('%j requests %j', async (words, wanted) => {
  const { sent } = await run(turn(...words.map((word) => (/^x/.test(word) ? at(word) : word))));
  expect(sent?.input).toEqual({ image: 'upload:1', ...wanted });
});

test.each([
  [['--out', 'x.png', '--format', 'jpeg'], 'contradict each other'],
  [['--out', 'x.pdf'], 'turn_image writes png or jpeg, not pdf'],
  [['--out', 'x.bmp'], 'turn_image writes png or jpeg, not bmp'],
])('%j is rejected before any request is sent', async (words, hint) => {
  const { code, stderr, sent } = await run(turn(...words));
  expect([code, sent]).toEqual([2, undefined]);
  expect(stderr).toContain(hint);
});

test.each([
  ['photo.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), [], 'image/jpeg'],
  ['photo.txt', Buffer.from('ffd8ffe000104a464946', 'hex'), [], 'image/jpeg'],
  ['notes.txt', Buffer.from('hello'), [], 'text/plain'],
  ['notes', Buffer.from('hello'), [], 'application/octet-stream'],
  ['photo.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), ['--content-type', 'text/css'], 'text/css'],
])('%s is sent with its content type', async (name, bytes, words, type) => {
  writeFileSync(at(name), bytes);
  const { sent } = await run(['call', 'keep_file', '--data', at(name), ...words]);
  expect(sent?.input).toEqual({ data: bytes.toString('base64'), content_type: type });
});

test('piped output omits base64 and prints the result link or the saved file name', async () => {
  const { image_b64: _, ...rest } = turned;
  const piped = await run(turn());
  expect(JSON.parse(piped.stdout.toString())).toEqual(rest);
  expect(piped.stderr).toContain('--out <file>');
  expect(readdirSync(here.folder)).toEqual([]);
  const { stdout } = await run(turn(), { isHere: true });
  expect(JSON.parse(stdout.toString())).toEqual({ ...rest, result_url: undefined });
  expect(existsSync(at('turn_image.png'))).toBe(true);
});

test('nested base64 in a response is named but not printed', async () => {
  const body = { difference: { heat_map_b64: 'A'.repeat(1001) }, result_url: null };
  const { stdout } = await run(turn(), { reply: { status: 200, body } });
  expect(JSON.parse(stdout.toString()).difference.heat_map_b64).toBe(
    '(1001 characters of base64, printed by --json difference.heat_map_b64)',
  );
});

test('--json selects fields, including base64, and rejects unknown fields before the call', async () => {
  const { stdout } = await run(turn('--json', 'cost.credit,image_b64,note'));
  expect(JSON.parse(stdout.toString())).toEqual({
    'cost.credit': 0,
    image_b64: turned.image_b64,
    note: null,
  });
  const refused = await run(turn('--json', 'csot'));
  expect([refused.code, refused.sent]).toEqual([2, undefined]);
  expect(refused.stderr).toContain('--json: there is no field "csot". Did you mean cost?');
});

test('without a server, result links become local files', async () => {
  const variants = [{ width: 8, result_url: turned.result_url }];
  const reply = { status: 200, body: { variants } };
  const { stdout } = await run(turn(), { reply, isHere: true });
  expect(JSON.parse(stdout.toString()).variants).toEqual([{ width: 8, result_url: at('turn_image.png') }]);
  expect(readFileSync(at('turn_image.png'))).toEqual(PNG);
});

test('without a server, a result with only a link is saved to a file', async () => {
  const { image_b64: _, ...linked } = turned;
  const { stdout } = await run(turn(), { reply: { status: 200, body: linked }, isHere: true });
  expect(JSON.parse(stdout.toString()).result_url).toBeUndefined();
  expect(readFileSync(at('turn_image.png'))).toEqual(PNG);
});

test('a result whose format differs from the --out extension gets the correct extension', async () => {
  writeFileSync(at('x.png'), 'mine');
  const keep = ['call', 'keep_file', '--data', 'upload:1', '--out', at('x.bmp')];
  const { stderr } = await run(keep);
  expect(readFileSync(at('x-2.png'))).toEqual(PNG);
  expect([stderr.includes('x-2.png'), existsSync(at('x.bmp'))]).toEqual([true, false]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliInAFolder, PNG, turned } from '../../../tests/support/cli_in_a_folder.ts';

const here = cliInAFolder();
const { run, picture } = here;

test('a file is sent as base64 and typed flags as JSON types', async () => {
  const { code, sent } = await run([
    'call',
    'turn_image',
    '--image',
    picture(),
    '--quarter-turns',
    '2',
    '--no-keep-metadata',
    '--format=jpeg',
    '--border',
    '{"width_px": 3}',
  ]);
  expect(code).toBe(0);
  expect(sent?.input).toEqual({
    image: PNG.toString('base64'),
    quarter_turns: 2,
    keep_metadata: false,
    format: 'jpeg',
    border: { width_px: 3 },
  });
});

test.each(['-dash.png', '--double.png', 'mit leer & "quote".png', 'ünïcødé 图.png', '%2e%2e.png', 'a=b.png'])(
  'a file named %s is accepted',
  async (name) => {
    picture(name);
    const before = process.cwd();
    process.chdir(here.folder);
    const { sent } = await run(['call', 'turn_image', '--image', name]).finally(() => process.chdir(before));
    expect(sent?.input.image).toBe(PNG.toString('base64'));
  },
);

test('standard input, handles and URLs are accepted as images', async () => {
  expect((await run(['call', 'turn_image', '--image', '-'], { stdin: PNG })).sent?.input.image).toBe(
    PNG.toString('base64'),
  );
  expect((await run(['call', 'turn_image', '--image', 'upload:upl_1'])).sent?.input.image).toBe(
    'upload:upl_1',
  );
  expect((await run(['call', 'turn_image', '--image=https://a.test/x.png'])).sent?.input.image).toBe(
    'https://a.test/x.png',
  );
});

test('--out writes the file and omits its base64 from the JSON', async () => {
  const { stdout, stderr } = await run([
    'call',
    'turn_image',
    '--image',
    picture(),
    '--out',
    join(here.folder, 'out.png'),
  ]);
  expect(readFileSync(join(here.folder, 'out.png'))).toEqual(PNG);
  expect(JSON.parse(stdout.toString())).toEqual({ ...turned, image_b64: undefined });
  expect(stderr).toContain('out.png (8 bytes, image/png)');
});

test('--out - writes only the bytes to standard output', async () => {
  const { stdout } = await run(['call', 'turn_image', '--image', picture(), '--out', '-']);
  expect(stdout).toEqual(PNG);
});

test('on a terminal, each result is saved under a unique name', async () => {
  await run(['call', 'turn_image', '--image', picture()], { isTTY: true });
  await run(['call', 'turn_image', '--image', picture()], { isTTY: true });
  expect(readdirSync(here.folder).sort()).toEqual(['photo.png', 'turn_image-2.png', 'turn_image.png']);
});

test('--out downloads a response that has only a link', async () => {
  const { image_b64: _, ...linked } = turned;
  const reply = { status: 200, body: linked };
  await run(['call', 'turn_image', '--image', 'upload:1', '--out', join(here.folder, 'x.png')], { reply });
  expect(readFileSync(join(here.folder, 'x.png'))).toEqual(PNG);
});

test('--out downloads the ZIP of a response with several files', async () => {
  const reply = { status: 200, body: { files: [], zip_url: 'http://fake/api/results/1' } };
  const words = ['call', 'turn_image', '--image', 'upload:1', '--out', join(here.folder, 'all.zip')];
  expect((await run(words, { reply })).code).toBe(0);
  expect(readFileSync(join(here.folder, 'all.zip'))).toEqual(PNG);
});

test('vector and plain files are written unchanged', async () => {
  const reply = { status: 200, body: { svg_content: '<svg/>' } };
  await run(['call', 'turn_image', '--image', 'upload:1', '--out', here.folder], { reply });
  expect(readFileSync(join(here.folder, 'turn_image.svg'), 'utf8')).toBe('<svg/>');
});

test('progress is lines in a pipe and a bar on a terminal, with control characters escaped', async () => {
  const words = ['call', 'turn_image', '--image', 'upload:1'];
  expect((await run(words)).stderr).toMatch(/^ 50% {2}half�\[2J way\n/);
  expect((await run(words, { isTTY: true })).stderr).toContain('[████████████            ]  50%');
});

test('--async polls a job until its result', async () => {
  const { code, sent, stdout, stderr } = await run([
    'call',
    'turn_image',
    '--async',
    '--image',
    picture(),
    '--out',
    '-',
  ]);
  expect(code).toBe(0);
  expect(sent).toMatchObject({ tool: 'turn_image', prefer: 'respond-async' });
  expect(stderr).toContain('http://fake/api/jobs/job_1');
  expect(stderr).toContain('a quarter (about 3 s left)');
  expect(stdout).toEqual(PNG);
});

import { expect, test } from 'vitest';
import { cliInAFolder } from '../../../../tests/support/cli_in_a_folder.ts';
import type { OpenedSubjects } from '../../../features/enrichment/subjects/subjects.ts';
import type { ModelState, Models } from '../../../features/models/types.ts';

const here = cliInAFolder();

const published = {
  bytes: 4_000_000,
  sources: ['https://a.test/w.pth'],
  licence: 'MIT',
  arrived: 0,
  installed: undefined,
  group: undefined,
};
const installed = {
  name: 'u2netp',
  path: '/w',
  form: 'onnx',
  bytes: 1,
  sha256: 'b',
  origin: 'unofficial',
} as const;
const own = { name: 'own_x4', bytes: 200_000, condition: 'spoiled', architecture: { scale: 4 } };
const states = [
  { name: 'realesrgan_x2plus', entry: { use: 'upscale', architecture: { scale: 2 } } },
  { name: 'u2netp', entry: { use: 'cut_out', sidePx: 320 }, installed },
  { name: 'yunet', entry: { use: 'find_faces' }, group: 'vision' },
  {
    name: 'tagger',
    entry: { use: 'name_things', converted: { form: 'TFLite' } },
    group: 'vision',
    installed: { ...installed, name: 'tagger', origin: 'official' },
  },
  {
    name: 'person_mask',
    entry: { use: 'find_people' },
    bytes: undefined,
    sources: [],
    licence: undefined,
  },
].map((state) => ({ ...published, ...state })) as unknown as ModelState[];

async function run(words: string[], { isTTY = false, failing = '', more = [] as ModelState[] } = {}) {
  const asked: unknown[] = [];
  const models = {
    list: async () => [...states, ...more],
    upscalersAtHand: async () => [installed, own],
    pull: async (name: string, { onProgress }: { onProgress(done: number, all: number): void }) => {
      asked.push(['pull', name]);
      onProgress(1_000_000, 4_000_000);
      if (failing) throw new Error(failing);
      return { ...installed, name, origin: 'official' };
    },
    add: async (...given: unknown[]) => {
      asked.push(['add', ...given]);
      if (failing) throw new Error(failing);
      return installed;
    },
    exportTo: async (path: string) => {
      asked.push(['export', path]);
      return [{ ...installed, bytes: 5_000_000 }];
    },
    importFrom: async (path: string, options: unknown) => {
      asked.push(['import', path, options]);
      return [{ name: 'u2netp', installed }, ...(failing ? [{ name: 'yunet', problem: failing }] : [])];
    },
  } as unknown as Models;
  const subjects = {
    describe: async () => 'tinyclip names no subjects',
    readLabels: async (...given: unknown[]) => {
      asked.push(['labels', ...given]);
      if (failing) throw new Error(failing);
      return [];
    },
    calibrate: async () => ({ network: 'tinyclip', pictures: 90, groups: [SCENES, THINGS] }),
    close: async () => {
      asked.push(['closed']);
    },
  } as unknown as OpenedSubjects;
  const world = { openModels: async () => models, openSubjects: async () => subjects };
  const { code, stdout, stderr } = await here.run(['models', ...words], { isTTY, world });
  return { code, out: stdout.toString(), err: stderr, asked };
}

test('list shows the use, installation state and source of each model', async () => {
  const { code, out } = await run(['list']);
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    'realesrgan_x2plus  upscale ×2       not installed                                       4.0 MB  MIT         https://a.test/w.pth',
    'u2netp             cut-out 320×320  installed: UNOFFICIAL                               4.0 MB  MIT         https://a.test/w.pth',
    'yunet              find faces       not installed                                       4.0 MB  MIT         https://a.test/w.pth',
    'tagger             name things      installed: converted from the official TFLite file  4.0 MB  MIT         https://a.test/w.pth',
    'person_mask        find people      not installed                                                           local file only (models add)',
    'own_x4             upscale ×4       bundled                                             0.2 MB  Apache-2.0  fallback for spoiled images, if the requested model is not installed',
    '',
  ]);
});

test('list shows the download progress of a model that another process fetches', async () => {
  const more = [{ ...states[2]!, name: 'isnet_general', arrived: 1_000_000 } as ModelState];
  expect((await run(['list'], { more })).out).toContain('not installed, 1.0 MB arrived');
});

test('list states whether an installed encoder pair names subjects', async () => {
  const more = [{ ...states[1]!, name: 'tinyclip', entry: { use: 'embed' } } as ModelState];
  expect((await run(['list'], { more })).out).toMatch(/\n\ntinyclip names no subjects\.\n$/);
});

const counted = (right: number, all: number) => ({ right, all, pictures: all });
const SCENES = {
  group: 'scene',
  threshold: { share: 0.5, confidence: 0.93 },
  speaks: true,
  chosenOn: counted(30, 30),
  heldBack: counted(28, 29),
};
const THINGS = { group: 'thing', speaks: false, chosenOn: counted(0, 0), heldBack: counted(0, 0) };

test('calibrate prints the accuracy per kind and which kinds are enabled', async () => {
  const { code, out, asked } = await run(['models', 'calibrate', 'labels.txt', 'pictures'].slice(1));
  expect([code, asked]).toEqual([0, [['labels', 'labels.txt', 'pictures'], ['closed']]]);
  expect(out).toMatch(/^scene +0\.500 +30 of 30 +28 of 29 +spoken of$/m);
  expect(out).toMatch(/^thing +silent$/m);
  const failing = 'Line 3 is no label.';
  expect(await run(['calibrate', 'labels.txt', 'pictures'], { failing })).toMatchObject({
    code: 1,
    err: `${failing}\n`,
    asked: [['labels', 'labels.txt', 'pictures'], ['closed']],
  });
});

test('pull downloads named models or all, with a progress bar on a terminal', async () => {
  const { asked, out } = await run(['pull', 'all']);
  expect(asked).toEqual([
    ['pull', 'realesrgan_x2plus'],
    ['pull', 'u2netp'],
    ['pull', 'yunet'],
  ]);
  expect(out).toContain('tagger is already installed.');
  expect(out).toContain('realesrgan_x2plus installed: official file, sha256 b');
  expect((await run(['pull', 'u2netp'], { isTTY: true })).err).toMatch(/25%\s+u2netp 1\.0 MB of 4\.0 MB/);
});

test('pull vision selects every vision model and removes duplicates', async () => {
  expect((await run(['pull', 'yunet', 'vision'])).asked).toEqual([['pull', 'yunet']]);
});

test.each([
  [['add', 'w.pth'], 'w.pth', { accept: false, name: undefined }],
  [['add', '--accept', 'w.pth', '--model', 'u2netp'], 'w.pth', { accept: true, name: 'u2netp' }],
  [['add', '--model=u2netp', 'w.pth'], 'w.pth', { accept: false, name: 'u2netp' }],
])('%j', async (words, path, options) => {
  const { code, asked } = await run(words);
  expect([code, asked]).toEqual([0, [['add', path, options]]]);
});

test('export and import report the written file and the result for each model', async () => {
  expect(await run(['export', 'all.tar'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('all.tar: 1 model, 5.0 MB: u2netp.'),
  });
  expect(await run(['import', 'all.tar'])).toMatchObject({
    code: 0,
    out: 'u2netp installed: UNOFFICIAL, sha256 b\n',
    asked: [['import', 'all.tar', { accept: false }]],
  });
  const failing = 'its sha256 is another one';
  expect(await run(['import', 'all.tar'], { failing })).toMatchObject({
    code: 1,
    err: `yunet NOT INSTALLED: ${failing}\n`,
  });
});

test('a failed pull prints the error and exits with code 1', async () => {
  const failing = 'its sha256 is another one';
  expect(await run(['pull', 'u2netp'], { failing })).toMatchObject({
    code: 1,
    err: expect.stringContaining(failing),
  });
  expect(await run(['add', 'x'], { failing })).toMatchObject({ code: 1, err: `${failing}\n` });
});

test.each([
  [['pull', 'realesrgan_x2'], 'Did you mean realesrgan_x2plus?'],
  [['pull'], '"atelier models pull" needs <name>…'],
  [['add'], '"atelier models add" needs <file>'],
  [['calibrate', 'labels.txt'], '"atelier models calibrate" needs <labels> <pictures>'],
  [['add', 'a', 'b'], 'Unexpected argument "b"'],
  [['add', 'a', '--model'], '--model needs a value'],
  [['add', 'a', '--acept'], 'Did you mean --accept?'],
  [['delete'], 'There is no command "atelier models delete".'],
])('%j is rejected with a suggestion', async (words, hint) => {
  expect(await run(words)).toMatchObject({ code: 2, err: expect.stringContaining(hint), asked: [] });
});

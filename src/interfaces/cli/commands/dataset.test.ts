import { expect, test } from 'vitest';
import { cliInAFolder } from '../../../../tests/support/cli_in_a_folder.ts';
import type { Found } from '../../../features/artworks/harvest/import_fetched.ts';
import { MUSEUM_NAMES } from '../../../features/artworks/museums/museums.ts';
import type { OpenedDataset } from '../../../features/artworks/open_dataset.ts';
import { WorksWouldBeLost } from '../../../features/artworks/releases/import_works.ts';

const here = cliInAFolder();

const report = {
  rows: 9,
  added: 4,
  changed: 1,
  unchanged: 2,
  removed: 0,
  duplicates: 0,
  left_out: { 'not free': 1 },
  bad: 1,
  bad_rows: [{ where: 'a.csv:3', problem: 'not a row', quote: '\u001b[2J;;' }],
  complete: true,
};
const edition = {
  number: 3,
  museum: 'met',
  source: 'a.csv',
  publishedAt: new Date(0),
  report,
  works: 70,
  digest: 'ab',
};

type Request = { museum: string; mayLose(loss: object): Promise<boolean> } & Record<string, unknown>;

async function run(
  words: string[],
  { failing = '', cutShort = false, going = 0, answer }: Record<string, unknown> & { answer?: boolean } = {},
) {
  const asked: unknown[] = [];
  const dataset = {
    importFetched: async (
      find: () => Promise<Found>,
      { onProgress: _, signal: __, mayLose, ...wanted }: Request,
    ) => {
      const { path, source } = await find();
      const request = { ...wanted, path, ...(source !== undefined && { source }) };
      if (failing === wanted.museum) throw Object.assign(new Error('no column'), { name: 'SourceProblem' });
      const loss = { going: going as number, works: 50, left: 2 };
      if (loss.going && !(await mayLose(loss))) throw new WorksWouldBeLost(loss);
      asked.push(request);
      return { report, edition };
    },
    status: async () => ({
      editions: [edition],
      works: { met: { works: 70, pictures: 60 } },
      running: cutShort && { museum: 'met', source: 'a.csv', report, isCutShort: true },
    }),
    register: async (folder: string) => {
      asked.push(folder);
      return { taken: 3, unknown: 1, bad: [{ file: 'a\u001b.png', problem: 'too flat' }] };
    },
    fetchMuseum: async (museum: string) => ({ path: `/data/${museum}`, source: `https://${museum}.test` }),
    fetchTerms: async (museum: string) => {
      if (museum === 'nga') throw Object.assign(new Error('away'), { name: 'SourceProblem' });
      return { url: `https://${museum}.test/terms`, sha256: 'abc' };
    },
    fetchFile: async (url: string) => ({ path: `/data/${url.split('/').at(-1)}`, source: url }),
    mirror: async ({ onProgress: _, signal: __, ...request }: Record<string, unknown>) => {
      asked.push(request);
      const own = {
        works: 9,
        brought: 2,
        failed: 1,
        problems: ['a\u001b says 403'],
        isGivenUp: failing === 'mirror',
      };
      return { museums: { met: own }, dropped: 1, pictures: 2, bytes: 3e8, isFull: true };
    },
    close: async () => void asked.push('closed'),
  } as unknown as OpenedDataset;
  const world = { openDataset: async () => dataset };
  const { code, stdout, stderr } = await here.run(['dataset', ...words], {
    world,
    ...(answer !== undefined && { answer }),
  });
  return { code, out: stdout.toString(), err: stderr, asked };
}

test('import reports the outcome of every row and escapes invalid rows', async () => {
  const { code, out, asked } = await run(['import', 'met', 'a.csv', '--limit', '5', '--part']);
  expect(code).toBe(0);
  expect(asked).toEqual([{ museum: 'met', path: 'a.csv', worksMax: 5, isPart: true }, 'closed']);
  expect(out).toContain('9 rows, 4 new, 1 changed, 2 unchanged');
  expect(out).toContain('1 skipped: not free');
  expect(out).not.toContain('\u001b');
});

test('register registers the images of a folder and reports the ones that failed', async () => {
  const { code, out, asked } = await run(['register', '/pictures']);
  expect([code, asked]).toEqual([0, ['/pictures', 'closed']]);
  expect(out).toMatch(/3 images registered; 1 files match no work; 1 files cannot be registered/);
  expect(out).not.toContain('\u001b');
});

test('mirror respects the size and byte budget and reports failed downloads', async () => {
  const { code, out, err, asked } = await run(['mirror', 'met', 'met', '--size', 'full', '--budget', '0.5']);
  expect([code, asked]).toEqual([
    0,
    [{ museums: ['met'], size: 'full', bytesMax: 5e8, isChecked: false }, 'closed'],
  ]);
  expect(out).toContain('2 images downloaded, 1 failed, 9 works with an image.');
  expect(out).toContain('The size limit is reached (--budget).\n2 images, 0.30 GB are mirrored.');
  expect(err).toBe('  a\ufffd says 403\n');
  expect((await run(['mirror'], { failing: 'mirror' })).code).toBe(1);
});

test('import downloads a URL before importing it', async () => {
  const { asked } = await run(['import', 'met', 'https://a.test/x.csv']);
  expect(asked[0]).toMatchObject({ path: '/data/x.csv', source: 'https://a.test/x.csv' });
});

test('pull divides 53,000 works among museums, and one failure does not stop the others', async () => {
  const { code, asked, err } = await run(['pull'], { failing: 'chicago' });
  expect([code, asked.length, err]).toEqual([1, 7, expect.stringContaining('chicago: no column\n')]);
  expect(asked[0]).toMatchObject({ museum: 'met', worksMax: 7572 });
  const { asked: all } = await run(['pull', '--all']);
  expect(all.flatMap((one) => (one as { museum?: string }).museum ?? [])).toEqual(MUSEUM_NAMES);
  expect((await run(['pull', 'rijks', '--all'])).asked[0]).toMatchObject({
    museum: 'rijks',
    worksMax: undefined,
  });
});

test('pull records the terms of each museum, and an unreadable terms page is only reported', async () => {
  const { code, out, err } = await run(['pull', 'met', 'nga']);
  expect(code).toBe(0);
  expect(out).toContain('Terms of use read from https://met.test/terms: sha256 abc.');
  expect(err).toContain('nga: terms of use could not be read: away');
});

test('status lists every museum', async () => {
  const { out } = await run(['status']);
  expect(out).toMatch(/met\s+70 works\s+60 with an image\s+edition 3, 1970-01-01, a.csv/);
  expect(out).toContain('starter only');
  const { out: after } = await run(['status'], { cutShort: true });
  expect(after).toContain('An import of met from a.csv was interrupted, 9 rows read.');
});

test.each([
  [['import', 'mett', 'x'], 'Did you mean met?'],
  [['import', 'met'], 'needs <museum> <file, folder or URL>'],
  [['import', 'met', 'a', '--limit', 'x'], '--limit must be'],
  [['import', 'met', 'a', '--limit', '--part'], '--limit needs a value'],
  [['import', 'met', 'a', '--parts'], 'has no switch --parts. Did you mean --part?'],
  [['import', 'met', 'a', '--part=yes'], '--part takes no value'],
  [['pull', '--al'], 'Did you mean --all?'],
  [['status', 'met'], 'Unexpected argument "met"'],
  [['mirror', '--size', 'huge'], '--size must be one of small, medium, large, full'],
  [['mirror', '--budget', '0'], '--budget must be a number of gigabytes'],
  [['delete'], 'There is no command "atelier dataset delete".'],
])('%j is rejected with a suggestion before the app starts', async (words, hint) => {
  expect(await run(words)).toMatchObject({ code: 2, err: expect.stringContaining(hint), asked: [] });
});

test.each([
  [['import', 'met', 'part.csv'], undefined],
  [['import', 'met', 'part.csv', '--limit', '9'], undefined],
  [['pull', 'met'], undefined],
  [['import', 'met', 'part.csv'], false],
])('%j that would remove many works is rejected without confirmation', async (words, answer) => {
  const { code, err, asked } = await run(words, { going: 48, ...(answer !== undefined && { answer }) });
  expect([code, asked]).toEqual([1, ['closed']]);
  expect(err).toContain(
    "met: 48 of the museum's 50 works are missing from it and would be removed; it would have 2 works.",
  );
  expect(err).toContain(`To remove them: atelier dataset ${words.join(' ')} --shrink\n`);
});

test('the suggested --shrink command is correctly quoted for the shell', async () => {
  const { err } = await run(['import', 'met', "the museum's.csv"], { going: 48 });
  expect(err).toContain(`atelier dataset import met 'the museum'\\''s.csv' --shrink`);
});

test('works are removed with --shrink or after confirmation at the terminal', async () => {
  const words = ['import', 'met', 'whole.csv'];
  expect((await run([...words, '--shrink'], { going: 48 })).code).toBe(0);
  expect((await run(words, { going: 48, answer: true })).code).toBe(0);
});

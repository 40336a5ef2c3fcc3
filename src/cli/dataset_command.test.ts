import { expect, test } from 'vitest';
import type { OpenedDataset } from '../open_dataset.ts';
import { datasetCommand } from './dataset_command.ts';
import { UsageError } from './usage_error.ts';

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

function run(words: string[], { failing = '', cutShort = false } = {}) {
  const [out, err, asked] = [[] as string[], [] as string[], [] as unknown[]];
  const dataset = {
    import: async ({ onProgress: _, signal: __, ...request }: Record<string, unknown>) => {
      if (failing === request.museum) throw Object.assign(new Error('no column'), { name: 'SourceProblem' });
      asked.push(request);
      return { report, edition };
    },
    status: async () => ({
      editions: [edition],
      works: { met: { works: 70, pictures: 60 } },
      running: cutShort && { museum: 'met', source: 'a.csv', report, isCutShort: true },
    }),
    fetchMuseum: async (museum: string) => ({ path: `/data/${museum}`, source: `https://${museum}.test` }),
    fetchTerms: async (museum: string) => {
      if (museum === 'nga') throw Object.assign(new Error('away'), { name: 'SourceProblem' });
      return { url: `https://${museum}.test/terms`, sha256: 'abc' };
    },
    fetchFile: async (url: string) => `/data/${url.split('/').at(-1)}`,
    close: async () => void asked.push('closed'),
  } as unknown as OpenedDataset;
  const output = (to: string[]) => ({
    isTTY: false,
    columns: 80,
    write: (text: unknown) => to.push(String(text)),
  });
  const terminal = { stdout: output(out), stderr: output(err), readStdin: async () => new Uint8Array() };
  const code = datasetCommand(words, {
    openDataset: async () => dataset,
    terminal,
    signal: new AbortController().signal,
  });
  return code.then((value) => ({ code: value, out: out.join(''), err: err.join(''), asked }));
}

test('an import says what became of every row, and quotes bad ones harmlessly', async () => {
  const { code, out, asked } = await run(['import', 'met', 'a.csv', '--limit', '5', '--part']);
  expect(code).toBe(0);
  expect(asked).toEqual([{ museum: 'met', path: 'a.csv', worksMax: 5, isPart: true }, 'closed']);
  expect(out).toContain('9 rows, 4 new, 1 changed, 2 as before');
  expect(out).toContain('1 left out: not free');
  expect(out).not.toContain('\u001b');
});

test('a URL is fetched first', async () => {
  const { asked } = await run(['import', 'met', 'https://a.test/x.csv']);
  expect(asked[0]).toMatchObject({ path: '/data/x.csv', source: 'https://a.test/x.csv' });
});

test('pull shares 53,000 works among the museums; one that fails does not keep the others away', async () => {
  const { code, asked, err } = await run(['pull'], { failing: 'chicago' });
  expect([code, asked.length, err]).toEqual([1, 7, expect.stringContaining('chicago: no column\n')]);
  expect(asked[0]).toMatchObject({ museum: 'met', worksMax: 7572 });
  expect((await run(['pull', 'rijks', '--all'])).asked[0]).toMatchObject({
    museum: 'rijks',
    worksMax: undefined,
  });
});

test('pull reads the terms of a museum as well; a page that is away is told and stops nothing', async () => {
  const { code, out, err } = await run(['pull', 'met', 'nga']);
  expect(code).toBe(0);
  expect(out).toContain('Its terms, https://met.test/terms, were read: sha256 abc.');
  expect(err).toContain('nga: its terms could not be read: away');
});

test('status names every museum', async () => {
  const { out } = await run(['status']);
  expect(out).toMatch(/met\s+70 works\s+60 with a picture\s+edition 3, 1970-01-01, a.csv/);
  expect(out).toContain('starter only');
  const { out: after } = await run(['status'], { cutShort: true });
  expect(after).toContain('An import of met from a.csv was cut short, 9 rows read.');
});

test.each([
  [['import', 'mett', 'x'], 'Did you mean met?'],
  [['import', 'met'], 'Name one file'],
  [['import', 'met', 'a', '--limit', 'x'], '--limit takes'],
  [['delete'], 'There is no "atelier dataset delete"'],
])('%j is refused with what to type instead', async (words, hint) => {
  const failure = await run(words).catch((error) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect(failure.message).toContain(hint);
});

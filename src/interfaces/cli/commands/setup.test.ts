import { expect, test } from 'vitest';
import { cliInAFolder } from '../../../../tests/support/cli_in_a_folder.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { type Offer, type Setup, SetupRuns } from '../../../features/models/setup/types.ts';

const here = cliInAFolder();

const offer = (name: string, more: Partial<Offer> = {}): Offer => ({
  name: name as Offer['name'],
  kind: 'network',
  brings: 'enlarging',
  bytes: 4_000_000,
  licence: 'MIT',
  isRecommended: true,
  isHere: false,
  ...more,
});
const OFFERS = [
  offer('realesrgan_x2plus'),
  offer('u2netp', { isRecommended: false }),
  offer('met', { kind: 'museum', bytes: 317_650_992, isEstimate: true, brings: 'works' }),
  offer('rijks', { kind: 'museum', bytes: undefined, pieces: '758 pages', isRecommended: false }),
  offer('nga', { kind: 'museum', isHere: true }),
];

/** @param answers the lines typed by the user; absent: not interactive */
async function run(
  words: string[],
  {
    answers,
    failing = '',
    busy = false,
    full = false,
    offline = false,
    offers = OFFERS,
  }: {
    answers?: (string | undefined)[];
    failing?: string;
    busy?: boolean;
    full?: boolean;
    offline?: boolean;
    offers?: Offer[];
  } = {},
) {
  const fetched: string[] = [];
  const asked: string[] = [];
  let held = 0;
  const setup: Setup = {
    unreachable: async () => (offline ? 'Nothing can be reached from this machine.' : undefined),
    offers: async () => offers,
    requireRoom: async () => {
      if (full) throw new AtelierError('storage_full', 'These need 9 MB, and there is room for 1 MB.');
    },
    requireConnection: async () => {
      if (offline) throw new AtelierError('upstream_failed', 'Nothing can be reached from this machine.');
    },
    hold() {
      if (busy) throw new SetupRuns('A setup runs already (process 7).');
      held += 1;
      return () => {
        held -= 1;
      };
    },
    async fetch({ name }, { onProgress, onRetry }) {
      onProgress(0.5, 'half');
      onRetry?.('trying again in 2 s: it broke off');
      if (name === failing) throw new Error('answered 403.\u001b[2J');
      fetched.push(name);
      return 'installed';
    },
    close: async () => {},
  };
  const ran = await here.run(['setup', ...words], {
    world: { openSetup: async () => setup },
    ...(answers && { answer: answers[0] === 'y' }),
    ...(answers && {
      ask: async (question: string) => {
        asked.push(question);
        return answers.shift();
      },
    }),
  });
  return { code: ran.code, out: ran.stdout.toString(), err: ran.stderr, fetched, asked, held };
}

test('without a terminal, setup lists missing downloads and how to fetch them', async () => {
  const { code, out, fetched } = await run([]);
  expect([code, fetched]).toEqual([0, []]);
  expect(out).toContain('Installed: nga.');
  expect(out).toMatch(/ 1\* +realesrgan_x2plus +4\.0 MB +MIT +enlarging/);
  expect(out).toMatch(/ 3\* +met +about 318 MB/);
  expect(out).toMatch(/ 4 +rijks +758 pages/);
  expect(out).toMatch(/1 model \(4\.0 MB\) and 1 museum \(about 318 MB\):\n {2}npx .*atelier setup --yes/);
});

test('--yes fetches the recommended downloads, and names select specific ones', async () => {
  const { err, ...ran } = await run(['--yes']);
  expect(ran).toMatchObject({ code: 0, fetched: ['realesrgan_x2plus', 'met'], held: 0 });
  expect(err).toContain('met: trying again in 2 s: it broke off\n');
  expect(await run(['u2netp', 'nga', '--yes'])).toMatchObject({ code: 0, fetched: ['u2netp'] });
});

test.each([
  [[''], ['realesrgan_x2plus', 'met']],
  [['2'], ['u2netp']],
  [['1-2, met'], ['realesrgan_x2plus', 'u2netp', 'met']],
  [['all'], ['realesrgan_x2plus', 'u2netp', 'met', 'rijks']],
  [['none'], []],
  [[undefined], []],
  [['5', '0', '3-1', '-1', '1e9', 'mett', '2'], ['u2netp']],
])('the answers %j select the expected downloads', async (answers, fetched) => {
  expect(await run([], { answers })).toMatchObject({ code: 0, fetched });
});

test('a group name selects its missing members', async () => {
  const offers = [
    offer('yunet', { group: 'vision', isHere: true }),
    offer('tagger', { group: 'vision', isRecommended: false }),
    offer('u2netp'),
  ];
  expect((await run(['vision', '--yes'], { offers })).fetched).toEqual(['tagger']);
  expect((await run([], { offers, answers: ['vision'] })).fetched).toEqual(['tagger']);
});

test('a failed download does not stop the others and is reported at the end', async () => {
  const { code, out, fetched, held } = await run(['--yes'], { failing: 'realesrgan_x2plus' });
  expect([code, fetched, held]).toEqual([1, ['met'], 0]);
  expect(out).toContain('realesrgan_x2plus: NOT DOWNLOADED: answered 403.');
  expect(out).toContain('1 of 2 downloaded.');
  expect(out).not.toContain('\u001b');
});

test.each([
  [{ busy: true }, 'A setup runs already (process 7).'],
  [{ full: true }, 'there is room for 1 MB'],
  [{ offline: true }, 'Nothing can be reached from this machine.'],
])('%o is rejected before any download', async (world, words) => {
  const { code, err, fetched } = await run(['--yes'], world);
  expect([code, fetched]).toEqual([1, []]);
  expect(err).toContain(words);
});

test('with everything installed there is no prompt, and an unknown name gets a suggestion', async () => {
  const offers = [offer('met', { isHere: true })];
  expect(await run([], { offers, answers: [] })).toMatchObject({ code: 0, asked: [] });
  expect(await run(['mett'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean met?') });
});

test('without a network connection, setup prints one sentence and offers no downloads', async () => {
  const { code, err, fetched } = await run([], { offline: true, answers: ['all'] });
  expect([code, fetched]).toEqual([1, []]);
  expect(err).toBe('Nothing can be reached from this machine.\n');
});

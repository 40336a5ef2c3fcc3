import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colorEncoders } from '../../../../tests/fixtures/color_encoders.ts';
import { tinyVocabulary } from '../../../../tests/fixtures/tiny_vocabulary.ts';
import { createPixels } from '../../../core/workers/workers.ts';
import { createModels } from '../../models/service.ts';
import { createKeptTerms, createSubjects, namingText } from './subjects.ts';
import type { LabelledPicture, NamingState } from './types.ts';

/**
 * Encoders that distinguish only red and blue, so that of all scenes a blue image is nearest to a blue sky.
 */
const folder = mkdtempSync(join(tmpdir(), 'atelier-subjects-'));
const models = createModels({ folder: join(folder, 'models'), provider: 'cpu', fetch });
const pool = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 99, deadlineMs: 60_000 });
const watch = { signal: AbortSignal.timeout(60_000), onProgress() {} };
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

const open = (parts: object = {}, terms = 'terms') => {
  const notes: NamingState[] = [];
  const kept = createKeptTerms(join(folder, terms));
  const note = (state: NamingState) => notes.push(state);
  return { ...createSubjects({ models, pixels: pool, kept, note, ...parts }), notes };
};
const filesIn = (terms = 'terms') => globSync('*', { cwd: join(folder, terms) });

beforeAll(async () => {
  const install = async (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    await models.add(join(folder, name), { accept: true });
  };
  const none = await open().state();
  expect(none).toEqual({ kind: 'absent' });
  await install('graph.onnx', colorEncoders());
  await install('tokenizer.json', tinyVocabulary());
});

test('vectors are computed in batches and saved when complete; then no work remains', async () => {
  const subjects = open();
  expect(await subjects.prepare(1000)).toBe(1000);
  expect([filesIn(), await subjects.naming()]).toEqual([[], undefined]);
  expect([await subjects.prepare(1000), await subjects.prepare(1000)]).toEqual([
    1000,
    SUBJECT_TERMS.size - 2000,
  ]);
  expect([filesIn().length, await open().prepare(1000)]).toEqual([2, 0]);
  expect(subjects.notes).toMatchObject([{ kind: 'uncalibrated', hasVectors: false }]);
});

test('a corrupted vector file is rebuilt', async () => {
  const [vectors] = filesIn().filter((file) => file.endsWith('.vectors'));
  writeFileSync(join(folder, 'terms', vectors!), 'x');
  expect(await open().state()).toMatchObject({ hasVectors: false });
  await open().prepare(5000);
  expect(await open().state()).toMatchObject({ hasVectors: true });
});

test('a server that stops leaves no partial files', async () => {
  const run = async () => Promise.reject(new Error('closed'));
  const subjects = open({ pixels: { run } }, 'stopped');
  subjects.stop();
  expect([await subjects.prepare(5000), filesIn('stopped')]).toEqual([0, []]);
});

test('a model that returns no vectors is reported once and not called again', async () => {
  const subjects = open({ pixels: { run: async () => Promise.reject(new Error('no vector')) } }, 'failing');
  await expect(subjects.prepare(64)).rejects.toThrow('no vector');
  expect(await subjects.prepare(64)).toBe(0);
  const uneven = open(
    {
      pixels: {
        run: async (_: string, { texts }: { texts: string[] }) =>
          texts.map((_t, at) => new Float32Array(1 + (at % 2))),
      },
    },
    'uneven',
  );
  await expect(uneven.prepare(5000)).rejects.toThrow('no vectors of one space');
});

const picture = (background: string) =>
  sharp({ create: { width: 24, height: 16, channels: 3, background } })
    .png()
    .toBuffer();
const SKY = SUBJECT_TERMS.get('blue sky')!;
const labelled = (count: number, isRight: (at: number) => boolean): LabelledPicture[] =>
  Array.from({ length: count }, (_, at) => ({
    file: `${at}.png`,
    terms: new Set(isRight(at) ? [SKY.term, ...SKY.broader] : ['chair']),
    half: at % 2 ? 'chosen on' : 'held back',
    read: () => picture('#0000ff'),
  }));

test('if precision reaches 90 percent, terms are named with their confidence', async () => {
  const subjects = open();
  expect(await subjects.naming()).toBeUndefined();
  const { groups } = await subjects.calibrate(
    labelled(60, () => true),
    watch,
  );
  expect(groups.filter(({ speaks }) => speaks).map(({ group }) => group)).toEqual(['scene']);
  const embedder = (await open().naming())!;
  const seen = await pool.run(
    'see',
    { bytes: await picture('#0000ff'), networks: { embedder } },
    { pixels: 1e3, signal: watch.signal },
  );
  expect(seen.subjects).toMatchObject([
    { term: 'blue sky', broader: ['sky'], by: 'tinyclip', confidence: expect.closeTo(0.973, 3) },
  ]);
  expect(namingText(await subjects.state())).toBe(
    'tinyclip names other scenes, as measured on 60 labelled pictures',
  );
});

test('after a recalibration with too many errors, no terms are named', async () => {
  const subjects = open();
  await subjects.calibrate(
    labelled(60, (at) => at % 3 > 0),
    watch,
  );
  expect(await subjects.naming()).toBeUndefined();
  expect(namingText(await subjects.state())).toContain('names no subjects: on 60 labelled pictures');
});

test('an invalid image is reported by name', async () => {
  const [first, ...others] = labelled(60, () => true);
  const broken = { ...first!, read: async () => Buffer.from('GIF') };
  await expect(open().calibrate([...others, broken], watch)).rejects.toThrow('0.png: ');
});

test('a calibration file with precision below 90 percent is ignored', async () => {
  const [file] = filesIn().filter((name) => name.endsWith('calibration.json'));
  const groups = [{ group: 'thing', threshold: { share: 0.1, confidence: 0.2 }, speaks: true }];
  writeFileSync(join(folder, 'terms', file!), JSON.stringify({ network: 'x', pictures: 1, groups }));
  expect(await open().state()).toMatchObject({ kind: 'uncalibrated' });
});

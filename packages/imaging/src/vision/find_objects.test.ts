import sharp from 'sharp';
import { expect, test } from 'vitest';
import { objectAnswers, type PlacedObject } from '../../../../tests/fixtures/object_finder.ts';
import { cocoClassOf } from './coco_classes.ts';
import { findObjects } from './find_objects.ts';
import { OBJECT_SCORE_MIN } from './limits.ts';
import { namedObjects } from './named_objects.ts';

const SIDE = 416;

/** A model that detects the given objects and records its input. */
function networkThatFinds(...found: readonly PlacedObject[]) {
  const shown: Float32Array[] = [];
  return {
    shown,
    async run(data: Float32Array) {
      shown.push(data);
      return new Map(objectAnswers(found).map((answer, at) => [`output_${at}`, answer]));
    },
  };
}

const picture = (background = 'white') =>
  sharp({ create: { width: 400, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
const boat = { kind: 'boat', score: 0.9, column: 6, row: 6, sides: [2, 1, 3, 2] } as const;

test('an object has a class and a box relative to the image', async () => {
  const [found, ...others] = await findObjects(await picture(), networkThatFinds(boat));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ kind: 'boat', score: expect.closeTo(0.9, 5) });
  const expected = [4.5 / 13, 5.5 / 13, 5 / 13, 3 / 13];
  const box = [found!.x, found!.y, found!.width, found!.height];
  expect(box).toEqual(expected.map((part) => expect.closeTo(part, 4)));
});

test('low scores are dropped, and overlapping boxes keep the higher score', async () => {
  const network = networkThatFinds(
    { ...boat, score: OBJECT_SCORE_MIN - 0.01, column: 1 },
    { ...boat, score: 0.6, sides: [2, 2, 3, 2] },
    { ...boat, column: 7, sides: [3, 1, 2, 2] },
    { ...boat, kind: 'person', score: 0.8, column: 5 },
  );
  const found = await findObjects(await picture(), network);
  expect(found.map(({ kind, score }) => [kind, score.toFixed(1)])).toEqual([
    ['boat', '0.9'],
    ['person', '0.8'],
  ]);
});

test('model input is BGR, normalised with the training mean and deviation', async () => {
  const network = networkThatFinds();
  await findObjects(await picture('#ff0000'), network);
  const at = (plane: number) => network.shown[0]![plane * SIDE ** 2 + 1000];
  expect([at(0), at(1), at(2)]).toEqual([
    expect.closeTo(-103.53 / 57.375, 3),
    expect.closeTo(-116.28 / 57.12, 3),
    expect.closeTo((255 - 123.675) / 58.395, 3),
  ]);
});

const box = { x: 0, y: 0, width: 1, height: 1 };
const car = {
  term: 'sports car',
  broader: ['car', 'vehicle'],
  kind: 'thing',
  confidence: 0.9,
  by: 'x',
} as const;
test.each([
  ['a sure person', { kind: 'person', score: 0.6 }, [], 1],
  ['an unsure person', { kind: 'person', score: 0.59 }, [], 0],
  ['a car that the tagger confirms', { kind: 'car', score: 0.5 }, [car], 1],
  ['a car that no other model confirms', { kind: 'car', score: 0.9 }, [], 0],
  ['an animal', { kind: 'dog', score: 0.95 }, [car], 0],
] as const)('%s gives the expected number of named objects: %#', (_what, found, subjects, count) => {
  expect(namedObjects([{ ...found, ...box }], subjects)).toHaveLength(count);
});

test.each([
  ['Cars', 'car'],
  ['buses', 'bus'],
  ['woman', 'person'],
  ['yacht', 'boat'],
  ['potted plants', 'potted plant'],
  ['unicorn', undefined],
  ['constructor', undefined],
])('"%s" maps to %s', (word, kind) => {
  expect(cocoClassOf(word)).toBe(kind);
});

import { expect, test } from 'vitest';
import { measureGroups, type SeenAndLabelled, thresholdsOf } from './calibrate_terms.ts';
import { readVocabulary } from './vocabulary.ts';

const TERMS = readVocabulary('thing: animal, chair\nanimal: dog\nscene: night');

/** Images in which a model predicted one term with one score; the first ones are in the half for choosing. */
const seen = (term: string, right: number, wrong: number, half: SeenAndLabelled['half'], share = 0.9) =>
  Array.from({ length: right + wrong }, (_, at) => ({
    shares: new Map([[term, share]]),
    half,
    terms: new Set(at < right ? [term] : []),
  }));
const measured = (group: string, pictures: readonly SeenAndLabelled[]) =>
  measureGroups(pictures, TERMS).find((one) => one.group === group)!;

test('a group accurate in both halves is enabled with the lower bound as confidence', () => {
  const pictures = [...seen('chair', 20, 0, 'chosen on'), ...seen('chair', 10, 1, 'held back')];
  const { threshold, heldBack, speaks } = measured('thing', pictures);
  expect(threshold!.confidence).toBeCloseTo(0.924, 3);
  expect([threshold!.share, heldBack, speaks]).toEqual([0.9, { right: 10, all: 11, pictures: 11 }, true]);
  expect(thresholdsOf(measureGroups(pictures, TERMS))).toEqual({ thing: threshold });
});

test.each([
  ['too few images', 14, 0, 20, 0],
  ['too many errors in the first half', 20, 3, 20, 0],
  ['not borne out', 20, 0, 17, 3],
  ['too few images in the second half', 20, 0, 9, 0],
])('%s: the group is disabled', (_, right, wrong, rightAgain, wrongAgain) => {
  const pictures = [
    ...seen('chair', right, wrong, 'chosen on'),
    ...seen('chair', rightAgain, wrongAgain, 'held back'),
  ];
  expect(measured('thing', pictures).speaks).toBe(false);
  expect(thresholdsOf(measureGroups(pictures, TERMS))).toEqual({});
});

test('the threshold is above the errors, and equal scores are not split', () => {
  const surer = seen('night', 20, 0, 'chosen on', 0.95);
  const pictures = [...surer, ...seen('night', 1, 5, 'chosen on', 0.6), ...seen('night', 12, 0, 'held back')];
  expect(measured('scene', pictures)).toMatchObject({ threshold: { share: 0.95 }, chosenOn: { all: 20 } });
});

test('groups are measured separately', () => {
  const pictures = [...seen('dog', 20, 0, 'chosen on'), ...seen('dog', 12, 0, 'held back')];
  expect(measureGroups(pictures, TERMS).filter(({ speaks }) => speaks)).toMatchObject([{ group: 'narrow' }]);
});

test('many detections from few images are not sufficient evidence', () => {
  const terms = readVocabulary(
    `thing: chair\nchair: ${Array.from({ length: 9 }, (_, at) => `c${at}`).join(', ')}`,
  );
  const shares = new Map([...terms.keys()].map((term) => [term, 0.9] as const));
  const shown = new Set(terms.keys());
  const pictures = (['chosen on', 'held back'] as const).flatMap((half) =>
    Array.from({ length: 9 }, () => ({ shares, terms: shown, half })),
  );
  const thing = measureGroups(pictures, terms).find(({ group }) => group === 'thing');
  expect(thing).toMatchObject({ chosenOn: { right: 90, all: 90, pictures: 9 }, speaks: false });
});

import { expect, test } from 'vitest';
import { parseQuery } from './parse_query.ts';
import { NO_YEAR } from './segment_builder.ts';
import { fromPeriod } from './word_index.ts';

const SEGMENT = {
  works: 4,
  yearsFrom: Int16Array.of(1700, 1500, 1850, NO_YEAR),
  yearsTo: Int16Array.of(1720, 1900, 1899, NO_YEAR),
};
const EDO = { from: 1603, to: 1868, places: ['japan'] };
const of = (...places: number[]) => ({
  places: Uint32Array.from(places),
  impacts: new Uint8Array(places.length),
});

test('a period matches works from its places that mostly date from it', () => {
  expect([...fromPeriod(SEGMENT, { ...EDO, places: [] }, []).places]).toEqual([0, 1]);
  expect([...fromPeriod(SEGMENT, EDO, [of(1, 2, 3)]).places]).toEqual([1]);
  expect([...fromPeriod(SEGMENT, EDO, []).places]).toEqual([]);
});

test('a style expands to its artists, a period to its years and places', () => {
  const [style] = parseQuery('Barbizon school').groups;
  expect(style).toContainEqual({ text: 'camille corot' });
  expect(parseQuery('Edo-period').groups[0]).toContainEqual({ text: 'edo period', period: EDO });
});

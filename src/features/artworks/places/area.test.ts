import { expect, test } from 'vitest';
import { isInArea, readArea } from './area.ts';

test('an area is parsed as a point with a radius or as a box', () => {
  expect(readArea('48.85, 2.35, 50 km')).toEqual({ latitude: 48.85, longitude: 2.35, km: 50 });
  expect(readArea('47,5,55,15')).toEqual({ south: 47, west: 5, north: 55, east: 15 });
});

test.each([
  '',
  'Paris',
  '1,2',
  '91,0,5',
  '0,0,0',
  '0,0,99999',
  '55,5,47,15',
  '1,2,3,4,5',
  '0,0,-1',
  '1e3,0,5',
  '0,181,5',
])('area %j is rejected with an example', (asked) => {
  expect(() => readArea(asked)).toThrow(/48\.85,2\.35,50/);
});

test('containment in an area uses great-circle distance', () => {
  const paris = readArea('48.85,2.35,270');
  expect(isInArea(paris, 50.85, 4.35)).toBe(true);
  expect(isInArea(paris, 52.37, 4.89)).toBe(false);
});

test('a box may cross the 180th meridian', () => {
  const pacific = readArea('-50,160,0,-120');
  expect([
    isInArea(pacific, -17.7, -149.4),
    isInArea(pacific, -41.5, 173),
    isInArea(pacific, -25, 134),
  ]).toEqual([true, true, false]);
});

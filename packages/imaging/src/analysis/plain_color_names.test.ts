import { expect, test } from 'vitest';
import { surveyAgreement } from '../../../../tests/support/color_survey.ts';
import { plainColorName } from './measure_color.ts';

test('basic colour terms agree with a survey of 222,500 people over a colour grid', () => {
  const { agreed, greensCalledGrey } = surveyAgreement(plainColorName);
  expect(agreed).toBeGreaterThan(0.85);
  expect(greensCalledGrey).toBe(0);
});

test.each([
  [0x2a5f54, 'dark greyish green'],
  [0x28341f, 'dark olive green'],
  [0x847256, 'greyish brown'],
  [0x8b6a4f, 'brown'],
  [0x79a349, 'grass green'],
  [0x808080, 'grey'],
  [0xffffff, 'white'],
  [0x000000, 'black'],
])('colour %i is named %s: greens are not grey and browns are not khaki', (color, name) => {
  expect(plainColorName(color)).toBe(name);
});

import { expect, test } from 'vitest';
import { analysisReference } from './analysis_reference.ts';

test('the page has 111 fields in 8 sections', () => {
  const page = analysisReference();
  expect(page).toContain('111 fields in 8 sections');
  expect(page.match(/^\| `/gm)).toHaveLength(111);
});

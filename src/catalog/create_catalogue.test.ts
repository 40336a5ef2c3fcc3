import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { createCatalogue } from './create_catalogue.ts';

test('finds a tool by its exact name and suggests near ones', () => {
  const catalogue = createCatalogue(sampleTools);
  expect(catalogue.find('keep_note')?.title).toBe('Keep a note');
  expect(catalogue.find('constructor')).toBeUndefined();
  expect(catalogue.similar('kep_notes')).toEqual(['keep_note']);
});

test('two tools of one name are refused', () => {
  expect(() => createCatalogue([...sampleTools, sampleTools[0]!])).toThrow('turn_image');
});

import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { createCatalogue } from './create_catalogue.ts';

test('a tool is found by its exact name, and close names are suggested', () => {
  const catalogue = createCatalogue(sampleTools);
  expect(catalogue.find('keep_note')?.title).toBe('Keep a note');
  expect(catalogue.find('constructor')).toBeUndefined();
  expect(catalogue.similar('kep_notes')).toEqual(['keep_note']);
});

test('duplicate tool names are rejected', () => {
  expect(() => createCatalogue([...sampleTools, sampleTools[0]!])).toThrow('turn_image');
});

import type { Given } from '@atelier/imaging/analysis/facts/given.ts';

/** Arguments of enrich_metadata if the client states nothing about the work. */
export const NOTHING_GIVEN: Given = {
  title: '',
  artist_name: '',
  copyright_holder: '',
  creation_year: '',
  content_type: 'artwork',
  context: '',
};

import type { Given } from '@atelier/imaging/analysis/facts/given.ts';

/** What enrich_metadata is called with when the caller says nothing of the work. */
export const NOTHING_GIVEN: Given = {
  title: '',
  artist_name: '',
  copyright_holder: '',
  creation_year: '',
  content_type: 'artwork',
  context: '',
};

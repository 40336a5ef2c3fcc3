import { expect, test } from 'vitest';
import { parseRecord } from '../../../features/artworks/records/record.ts';
import type { Work } from './load_work.ts';
import { workRecord } from './work_record.ts';

const record = parseRecord({
  id: 'met_1',
  museum: 'met',
  title: 'A wave',
  dimensions: '10 x 15 in. (25.4 x 38.1 cm)',
  series: 'Views of "Atlantis"',
  provenance: `<script>alert(1)</script> ${'Nemo, Atlantis; '.repeat(40)}`,
  artists: [{ name: 'Nemo', same_as: ['https://vocab.getty.edu/ulan/500999999'] }],
  same_as: ['https://www.wikidata.org/wiki/Q999999999'],
  source_url: 'https://www.metmuseum.org/1',
  rights: { status: 'cc0', url: 'https://cc.test/', evidence: { field: 'f', value: 'v' } },
});
const shown = `${workRecord({ record, edition: { number: 1 }, sha256: 'ab', seenOn: '2026-01-02' } as Work)}`;

test('a record shows dimensions, a series search link and external links for work and makers', () => {
  expect(shown).toContain('10 x 15 in. (25.4 x 38.1 cm) — 25.4 × 38.1 cm');
  expect(shown).toContain('href="/collection?query=%22Views+of++Atlantis+%22"');
  expect(shown).toContain(
    'Nemo (<a href="https://vocab.getty.edu/ulan/500999999" rel="noreferrer">ULAN</a>)',
  );
  expect(shown).toContain('<a href="https://www.wikidata.org/wiki/Q999999999" rel="noreferrer">Wikidata</a>');
});

test('long provenance is collapsed and HTML-escaped', () => {
  expect(shown).toMatch(/<dt>Provenance<\/dt><dd><details><summary>&lt;script&gt;alert/);
  expect(shown).not.toContain('<script>');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRecords } from '../../../../tests/support/read_records.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { loadStarter } from './install_starter.ts';

let works: ArtworkRecord[] = [];
beforeAll(async () => {
  works = await loadStarter();
});

const MUSEUMS = join(import.meta.dirname, '../../../../../shared/museums');
const FILES: Partial<Record<MuseumName, readonly string[]>> = {
  met: ['met/MetObjects.csv.gz', 'met/met-api-objects.jsonl.gz', 'scale/met-api-objects.jsonl.gz'],
  nga: ['nga'],
  rijks: ['rijks/oai_dc-pages.tar.gz'],
  smithsonian: ['smithsonian/saam.txt.gz', 'smithsonian/npg.txt.gz'],
  cleveland: ['cleveland/data.json.gz', 'cleveland/data.csv.gz'],
};

describe('compared with museum records', needs('../shared'), () => {
  test.each(Object.entries(FILES) as [MuseumName, string[]][])(
    '%s: artist, years and title agree',
    async (museum, files) => {
      const records = await recordsOf(museum, files);
      expect(pairsOf(records).length).toBeGreaterThan(0);
      expect(pairsOf(records).flatMap(differences)).toEqual([]);
    },
  );

  test('chicago: artist and title agree with its list, which has no rights data', () => {
    const list: Record<string, string>[] = parse(
      gunzipSync(readFileSync(join(MUSEUMS, 'chicago/someArtworks.csv.gz'))),
      {
        columns: true,
        bom: true,
      },
    );
    const records = new Map(list.map((row) => [`chicago_${row.id}`, listed(row)]));
    expect(pairsOf(records).length).toBeGreaterThan(40);
    expect(pairsOf(records).flatMap(differences)).toEqual([]);
  });
});

type Compared = Pick<ArtworkRecord, 'title' | 'artists' | 'date' | 'year_from' | 'year_to'>;

const listed = ({ title = '', artist_title: name = '' }: Record<string, string>): Compared => ({
  title,
  artists: [{ name, role: '', nationality: '', born: null, died: null }],
  date: '',
  year_from: null,
  year_to: null,
});

const pairsOf = (records: ReadonlyMap<string, Compared>): [ArtworkRecord, Compared][] =>
  works.flatMap((work): [ArtworkRecord, Compared][] => {
    const theirs = records.get(work.id);
    return theirs ? [[work, theirs]] : [];
  });

async function recordsOf(museum: MuseumName, files: readonly string[]): Promise<Map<string, ArtworkRecord>> {
  const parts = [];
  for (const file of files) parts.push((await readRecords(museum, join(MUSEUMS, file))).records);
  return new Map(parts.flatMap((records) => [...records]));
}

/** Titles of the Rijksmuseum are in Dutch and are not compared. */
function differences([ours, theirs]: [ArtworkRecord, Compared]): string[] {
  const problems = [];
  const maker = ours.artists[0]?.name;
  const makers = theirs.artists.map(({ name }) => name).join('; ');
  if (maker && !shares(maker, makers)) problems.push(`${ours.id}: ${maker} is not among ${makers}`);
  if (ours.museum !== 'rijks' && !isSameTitle(ours, theirs))
    problems.push(`${ours.id}: "${ours.title}", "${theirs.title}"`);
  const [from, to] = [theirs.year_from ?? ours.year_from!, theirs.year_to ?? ours.year_to!];
  if (ours.year_from! > to || ours.year_to! < from) problems.push(`${ours.id}: ${ours.date}, ${theirs.date}`);
  return problems;
}

/** Titles are shortened and annotated differently; most of their words are the same. */
function isSameTitle(ours: Compared, theirs: Compared): boolean {
  const known = new Set(wordsOf(theirs.title));
  const words = wordsOf(ours.title);
  return words.filter((word) => known.has(word)).length >= words.length / 2;
}

/** Names are spelled and ordered differently; at least one word of more than two letters is the same. */
const shares = (name: string, names: string): boolean => {
  const known = new Set(wordsOf(names));
  return wordsOf(name).some((word) => word.length > 2 && known.has(word));
};

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string): string[] => plain(text).match(/[a-z0-9]+/g) ?? [];

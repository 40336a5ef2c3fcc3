import { existsSync, readFileSync } from 'node:fs';
import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import { standardMetadata } from '@atelier/imaging/analysis/write/write_metadata.ts';
import { writeSections } from '@atelier/imaging/analysis/write/write_sections.ts';
import { openSession } from '@atelier/imaging/onnx/open_session.ts';
import { findFaces } from '@atelier/imaging/vision/find_faces.ts';
import { maskPeople, peopleIn } from '@atelier/imaging/vision/find_people.ts';
import { findWriting } from '@atelier/imaging/vision/find_writing.ts';
import { nameSubjects } from '@atelier/imaging/vision/name_subjects.ts';
import type { Seen } from '@atelier/imaging/vision/seen.ts';
import { smallCopy } from '@atelier/imaging/vision/small_copy.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { LABELLED_PICTURES } from '../tests/support/eyes_labels.ts';
import { picturedSubjects } from '../tests/support/pictured_subjects.ts';
import { readStrictly, type Verdict } from './support/strict_reader.ts';

const SHARED = new URL('../../shared/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, SHARED));
const CHECKS = {
  wholeSentences: 'whole sentences',
  length: '60 to 125 characters',
  subjectFirst: 'the subject first, by a name that tells',
  noEmptyWords: 'no empty words',
  noContradiction: 'no contradiction with the labels',
} as const satisfies Record<keyof Verdict, string>;

interface Row {
  readonly half: 'chosen on' | 'held back';
  readonly isPhotograph: boolean;
  readonly verdict: Verdict;
}

/** The share of alt texts a strict reader takes as they are, of labelled pictures nobody has said anything about. */
export async function run(): Promise<string> {
  if (!existsSync(SHARED)) return '## Alt texts\n\nSkipped, ../shared is absent.';
  const rows = await readAll();
  const groups = [
    ['first half', rows.filter(({ half }) => half === 'chosen on')],
    ['held back', rows.filter(({ half }) => half === 'held back')],
    ['held back, photographs', rows.filter(({ half, isPhotograph }) => half === 'held back' && isPhotograph)],
  ] as const;
  const cells = (passes: (verdict: Verdict) => boolean) =>
    groups.map(([, some]) => `${some.filter(({ verdict }) => passes(verdict)).length} of ${some.length}`);
  const takes = (verdict: Verdict) => Object.values(verdict).every(Boolean);
  const line = (name: string, passes: (verdict: Verdict) => boolean) =>
    `| ${[name, ...cells(passes)].join(' | ')} |`;
  return [
    '## Alt texts: what a strict reader takes',
    '',
    `${rows.length} pictures labelled by hand, nothing given with them but whether they are photographs; networks for faces, writing, people and things. Read by code (\`bench/support/strict_reader.ts\`): a text is taken where all five hold.`,
    '',
    `| | ${groups.map(([name]) => name).join(' | ')} |`,
    '|---|---|---|---|',
    ...(Object.keys(CHECKS) as (keyof Verdict)[]).map((check) =>
      line(CHECKS[check], (verdict) => verdict[check]),
    ),
    line('**taken as they are**', takes),
  ].join('\n');
}

async function readAll(): Promise<Row[]> {
  const open = (file: string) => openSession(read(`models/${file}`));
  const eyes = {
    faces: await open('face_detection_yunet_2026may.onnx'),
    writing: await open('text_detection_ppocrv3.onnx'),
    people: await open('person_segmentation_pphumansegv1_lite.onnx'),
    tagger: await open('imagenet_mobilenet_v2.onnx'),
  };
  const look = async (bytes: Uint8Array): Promise<Seen> => {
    const copy = await smallCopy(bytes);
    const faces = await findFaces(copy, eyes.faces);
    const writing = await findWriting(copy, eyes.writing);
    const people = peopleIn(await maskPeople(copy, eyes.people), faces);
    const subjects = await nameSubjects(copy, { tagger: eyes.tagger });
    return { faces, writing, subjects, ...(people && { people }) };
  };
  const labels = new Map(LABELLED_PICTURES.map((picture) => [picture.path, picture]));
  const rows: Row[] = [];
  for (const { file, terms, half } of picturedSubjects(SUBJECT_TERMS)) {
    const bytes = read(`images/${file}`);
    const { people, writing } = labels.get(file)!;
    const isPhotograph = terms.has('photograph');
    const facts = writeSections(
      { ...(await analysePicture({ bytes })), ...(await look(bytes)) },
      { ...NOTHING_GIVEN, content_type: isPhotograph ? 'photo' : 'artwork' },
    );
    const { alt_text } = standardMetadata(facts).metadata;
    const verdict = readStrictly(alt_text, { terms, people, writing });
    if (process.env.SHOW) console.log(half, Object.values(verdict).every(Boolean), file, alt_text);
    rows.push({ half, isPhotograph, verdict });
  }
  return rows;
}

const NOTHING_GIVEN = { title: '', artist_name: '', copyright_holder: '', creation_year: '', context: '' };

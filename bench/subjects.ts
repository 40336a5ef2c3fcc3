import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { CLIP_OUTPUTS } from '@atelier/engines/clip/outputs.ts';
import { readTokenizer } from '@atelier/engines/clip/tokenizer.ts';
import { openSession } from '@atelier/engines/onnx/open_session.ts';
import { partOfGraph } from '@atelier/engines/onnx/part_of_graph.ts';
import { type Finds, measureGroups, thresholdsOf } from '@atelier/engines/sight/calibrate_terms.ts';
import { lookForTerms, vectorsOfTerms } from '@atelier/engines/sight/look_for_terms.ts';
import { SUBJECT_TERMS } from '@atelier/engines/sight/subject_terms.ts';
import {
  confidenceIn,
  TAGGING_THRESHOLDS,
  type Thresholds,
} from '@atelier/engines/sight/subject_thresholds.ts';
import { tagPicture } from '@atelier/engines/sight/tag_picture.ts';
import { narrowest } from '@atelier/engines/sight/vocabulary.ts';
import { type PicturedSubjects, picturedSubjects } from '../tests/support/pictured_subjects.ts';

const SHARED = resolve(import.meta.dirname, '../../shared');
interface Looked extends PicturedSubjects {
  readonly shares: ReadonlyMap<string, number>;
  readonly ms: number;
}

/**
 * `npm run bench subjects`: what the tagging network says of labelled pictures, and the thresholds that follow from one half. With `CLIP=graph.onnx` and
 * `CLIP_TOKENIZER=tokenizer.json` the same for a pair of encoders.
 */
export async function run(): Promise<string> {
  const { CLIP, CLIP_TOKENIZER } = process.env;
  const look = CLIP && CLIP_TOKENIZER ? await encoders(CLIP, CLIP_TOKENIZER) : await tagger();
  const looked: Looked[] = [];
  for (const picture of picturedSubjects(SUBJECT_TERMS)) {
    const bytes = readFileSync(`${SHARED}/images/${picture.file}`);
    const before = process.cpuUsage();
    const shares = await look.at(bytes);
    const { user, system } = process.cpuUsage(before);
    looked.push({ ...picture, shares, ms: (user + system) / 1000 });
  }
  const groups = measureGroups(looked, SUBJECT_TERMS);
  const thresholds = look.thresholds ?? thresholdsOf(groups);
  const back = looked.filter(({ half }) => half === 'held back');
  const rows = [
    ['chosen on', looked.filter(({ half }) => half === 'chosen on')],
    ['held back', back],
    ['held back, photographs', back.filter(({ terms }) => terms.has('photograph'))],
    ['held back, work of hands', back.filter(({ terms }) => !terms.has('photograph'))],
  ] as const;
  const times = looked.map(({ ms }) => ms).sort((a, b) => a - b);
  return [
    '## Subjects',
    '',
    `${looked.length} pictures labelled by hand, ${SUBJECT_TERMS.size} terms, seen by ${look.name}. *Statements* are the narrowest terms; *with broader* counts those and all they are also.`,
    'Recall is of labelled terms the network has a class for, broader ones included.',
    '',
    '| half | pictures | spoken of | statements | right | with broader | right | recall |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(([name, pictures]) => rowOf(name, pictures, thresholds)),
    '',
    '| terms | share chosen on the first half | right there | right held back | borne out |',
    '|---|---|---|---|---|',
    ...groups.map(
      ({ group, threshold, chosenOn, heldBack, speaks }) =>
        `| ${group} | ${threshold?.share.toFixed(3) ?? 'none'} | ${findsText(chosenOn)} | ${findsText(heldBack)} | ${speaks ? 'yes' : 'no'} |`,
    ),
    '',
    `Processor time a picture: ${times[times.length >> 1]!.toFixed(0)} ms, at most ${times.at(-1)!.toFixed(0)}.`,
  ].join('\n');
}

async function tagger() {
  const session = await openSession(readFileSync(`${SHARED}/models/imagenet_mobilenet_v2.onnx`));
  const at = (bytes: Uint8Array) => tagPicture(bytes, session, SUBJECT_TERMS);
  return { name: 'MobileNetV2', at, thresholds: TAGGING_THRESHOLDS };
}

async function encoders(graph: string, vocabulary: string) {
  const whole = readFileSync(graph);
  const [texts, pictures] = await Promise.all(
    [CLIP_OUTPUTS.text, CLIP_OUTPUTS.picture].map((output) => openSession(partOfGraph(whole, [output]))),
  );
  const vectors = await vectorsOfTerms(texts!, readTokenizer(readFileSync(vocabulary)), SUBJECT_TERMS);
  const at = (bytes: Uint8Array) => lookForTerms(bytes, pictures!, vectors, SUBJECT_TERMS);
  return { name: basename(graph), at, thresholds: undefined };
}

const findsText = ({ right, all, pictures }: Finds): string => `${right} of ${all}, in ${pictures} pictures`;

function rowOf(name: string, pictures: readonly Looked[], thresholds: Thresholds): string {
  const said = pictures.map(({ shares, terms }) => {
    const all = [...SUBJECT_TERMS.values()].filter((term) =>
      confidenceIn(term, shares.get(term.term) ?? 0, thresholds),
    );
    const statements = narrowest(all);
    const wide = new Set(statements.flatMap(({ term, broader }) => [term, ...broader]));
    return { statements: statements.map(({ term }) => term), wide: [...wide], terms };
  });
  const count = (way: 'statements' | 'wide', isRight: boolean) =>
    said.reduce((sum, one) => sum + one[way].filter((term) => !isRight || one.terms.has(term)).length, 0);
  const asked = said.reduce((sum, { terms }) => sum + [...terms].filter((term) => KNOWN.has(term)).length, 0);
  const spoken = said.filter(({ statements }) => statements.length > 0).length;
  const part = (right: number, all: number) => (all ? `${((100 * right) / all).toFixed(1)} %` : '');
  return `| ${[
    ...[name, pictures.length, spoken, count('statements', false)],
    ...[part(count('statements', true), count('statements', false)), count('wide', false)],
    ...[part(count('wide', true), count('wide', false)), part(count('wide', true), asked)],
  ].join(' | ')} |`;
}

/** Terms a class of ImageNet stands for, and what is broader. */
const KNOWN = new Set(
  [...SUBJECT_TERMS.values()]
    .filter(({ classes }) => classes.length > 0)
    .flatMap(({ term, broader }) => [term, ...broader]),
);

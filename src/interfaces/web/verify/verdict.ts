import { namesOf, sentenceOfMarks } from '../../../features/provenance/tools/ai_marks_answer.ts';
import type { Verification } from './words.ts';

/** The verdict in plain language: a headline and further sentences. */
export interface Verdict {
  readonly answer: string;
  readonly more: readonly string[];
}

/** Smaller shares count as a crop: scaling and saving lose up to 2% at the edges. */
const WHOLE_SHARE = 0.98;

/** Reports the findings: AI markings first, then registrations. */
export function verdictOf(found: Verification): Verdict {
  const { marked_as_ai: verdict, ai_marks: marks } = found;
  const sentence = sentenceOfMarks(verdict, marks);
  if (sentence === undefined) return originOf(found);
  const isConflicting = found.witnesses.some(({ finding }) => finding === 'conflict');
  // If only the AI markings conflict, their sentence already describes the conflict.
  const { answer, more } =
    found.verdict === 'conflicting' && !isConflicting ? { answer: '', more: [] } : originOf(found);
  return {
    answer:
      verdict === 'yes'
        ? `Marked as made with AI${makersOf(marks)}.`
        : 'Its AI markings contradict each other.',
    more: [
      verdict === 'yes' ? `Found in: ${namesOf(marks.filter(({ is_ai }) => is_ai))}.` : sentence,
      [answer, ...more].join(' '),
    ].filter(Boolean),
  };
}

/** Owners of the marks, each name once. Unsigned names are listed below with their reliability. */
function makersOf(marks: Verification['ai_marks']): string {
  const names = marks.flatMap(({ is_ai, who, signature }) =>
    is_ai && who !== null && signature === 'holds' ? [`“${who}”`] : [],
  );
  return names.length > 0 ? ` by ${listOf([...new Set(names)])}` : '';
}

function originOf(found: Verification): Verdict {
  switch (found.verdict) {
    case 'identical':
      return {
        answer: 'This file is identical to a registered file.',
        more: ['Registration does not prove ownership.'],
      };
    case 'same_picture':
      return { answer: `This is a copy of ${whatOf(found)}.`, more: [] };
    case 'altered':
      return altered(found);
    case 'conflicting':
      return {
        answer: 'The evidence about this image is contradictory.',
        more: ['See the findings by source below.'],
      };
    case 'marked_as_ai':
    case 'unknown':
      return unknown(found);
  }
}

const whatOf = ({ matches: [best] }: Verification): string =>
  best?.kind === 'work' ? 'a known work' : 'an image registered on this server';

function altered(found: Verification): Verdict {
  const { difference } = found;
  if (!difference) return { answer: `This image was derived from ${whatOf(found)}.`, more: [] };
  const { crop_box: box, changed_regions: regions, mirrored, rotation_degrees: degrees } = difference;
  const isPart = box.width * box.height < WHOLE_SHARE;
  const deeds = [
    ...(mirrored ? ['mirrored'] : []),
    ...(Math.abs(degrees) >= 0.5 ? ['rotated'] : []),
    ...(regions.length > 0
      ? [`changed in ${regions.length === 1 ? '1 region' : `${regions.length} regions`}`]
      : []),
  ];
  const answer = isPart
    ? `This is part of ${whatOf(found)}.`
    : `This image was derived from ${whatOf(found)}.`;
  const more = deeds.length > 0 ? [`It was ${listOf(deeds)}.`] : [];
  return { answer: [answer, ...more].join(' '), more: [] };
}

/** Verdict for an unregistered image; findings in the file come first. */
function unknown({ watermark_authorship: mark, codex, witnesses }: Verification): Verdict {
  const hasManifest = witnesses.some(({ witness, finding }) => witness === 'c2pa' && finding === 'agree');
  const borne = [
    mark && MARKS[mark.standing],
    codex?.state === 'signed_here' &&
      'The codex of this image was signed on this server together with its pixels.',
    hasManifest && 'This image contains a valid C2PA manifest.',
  ].filter((sentence) => typeof sentence === 'string');
  const [first, ...others] = borne;
  const unregistered = 'This image is not registered on this server.';
  if (!first)
    return { answer: unregistered, more: ['This is not a warning: most images are not registered.'] };
  return { answer: first, more: [...others, unregistered] };
}

const MARKS: Record<NonNullable<Verification['watermark_authorship']>['standing'], string> = {
  bound: 'This image was watermarked on this server.',
  part: 'Only part of this image is as it was watermarked on this server.',
  moved: 'This image contains a watermark that was made for another image.',
  other_payload: 'This image contains a watermark that does not match its record on this server.',
  unclear:
    'This image contains a watermark, but too little detail to tell whether the watermark was made for this image.',
  plain: 'This image contains a watermark that could have been added by anyone.',
};

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

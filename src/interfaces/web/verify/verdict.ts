import { namesOf, sentenceOfMarks } from '../../../features/provenance/tools/ai_marks_answer.ts';
import type { Verification } from './words.ts';

/** The answer in plain words: a sentence large, and what belongs to it. */
export interface Verdict {
  readonly answer: string;
  readonly more: readonly string[];
}

/** So much is lost at the edges of a picture that is scaled or saved. */
const WHOLE_SHARE = 0.98;

/** Says what was read, and nothing beyond it: marks of AI first, then what is registered. */
export function verdictOf(found: Verification): Verdict {
  const { marked_as_ai: verdict, ai_marks: marks } = found;
  const sentence = sentenceOfMarks(verdict, marks);
  if (sentence === undefined) return originOf(found);
  const isConflicting = found.witnesses.some(({ finding }) => finding === 'conflict');
  // Where the marks alone contradict each other, their sentence is the whole of the conflict.
  const { answer, more } =
    found.verdict === 'conflicting' && !isConflicting ? { answer: '', more: [] } : originOf(found);
  return {
    answer:
      verdict === 'yes'
        ? `Marked as made with AI${makersOf(marks)}.`
        : 'Its marks of AI contradict each other.',
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
      return { answer: 'This very file is registered here.', more: [] };
    case 'same_picture':
      return { answer: `This is a copy of ${whatOf(found)}.`, more: [] };
    case 'altered':
      return altered(found);
    case 'conflicting':
      return {
        answer: 'What is known of this picture does not fit together.',
        more: ['The witnesses below say what contradicts what.'],
      };
    case 'marked_as_ai':
    case 'unknown':
      return unknown(found);
  }
}

const whatOf = ({ matches: [best] }: Verification): string =>
  best?.kind === 'work' ? 'a known work' : 'a picture registered here';

function altered(found: Verification): Verdict {
  const { difference } = found;
  if (!difference) return { answer: `This was made from ${whatOf(found)}.`, more: [] };
  const { crop_box: box, changed_regions: regions, mirrored, rotation_degrees: degrees } = difference;
  const isPart = box.width * box.height < WHOLE_SHARE;
  const deeds = [
    ...(mirrored ? ['mirrored'] : []),
    ...(Math.abs(degrees) >= 0.5 ? ['turned'] : []),
    ...(regions.length > 0
      ? [`changed in ${regions.length === 1 ? 'one place' : `${regions.length} places`}`]
      : []),
  ];
  const answer = isPart ? `This is a part of ${whatOf(found)}.` : `This was made from ${whatOf(found)}.`;
  const more = deeds.length > 0 ? [`It was ${listOf(deeds)}.`] : [];
  return { answer: [answer, ...more].join(' '), more: [] };
}

/** Not registered; what the file itself bears is said first. */
function unknown({ watermark_authorship: mark, codex, witnesses }: Verification): Verdict {
  const hasManifest = witnesses.some(({ witness, finding }) => witness === 'c2pa' && finding === 'agree');
  const borne = [
    mark && MARKS[mark.standing],
    codex?.state === 'signed_here' && 'Its codex was signed here, together with these pixels.',
    hasManifest && 'It carries a C2PA manifest that holds.',
  ].filter((sentence) => typeof sentence === 'string');
  const [first, ...others] = borne;
  const unregistered = 'This image is not registered here.';
  if (!first) return { answer: unregistered, more: ['That says nothing against it: most pictures are not.'] };
  return { answer: first, more: [...others, unregistered] };
}

const MARKS: Record<NonNullable<Verification['watermark_authorship']>['standing'], string> = {
  bound: 'This picture was marked here.',
  part: 'Only a part of this picture is as it was marked here.',
  moved: 'It carries a mark that was made for another picture.',
  other_payload: 'It carries a mark that does not fit what is kept of it here.',
  unclear: 'It carries a mark, and too little is seen to tell whether it was made for it.',
  plain: 'It carries a mark that anybody may have put in.',
};

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

import type { z } from 'zod';
import type { verifyProvenance } from '../../../features/provenance/tools/verify_provenance.ts';
import { momentLabel } from '../moment_label.ts';

/** What was found out about a picture, as the tool answers it. */
export type Verification = z.output<typeof verifyProvenance.output> & {
  readonly warnings?: readonly string[];
};
export type Difference = NonNullable<Verification['difference']>;
export type Codex = NonNullable<Verification['codex']>;
export type EvidenceRow = NonNullable<Verification['ai_evidence']>[number];
type Policy = NonNullable<Verification['rights_policy']>;
type Testimony = Verification['witnesses'][number];

/** Who speaks, and how far they can be believed. */
export const WITNESSES: Record<Testimony['witness'], { readonly name: string; readonly limits: string }> = {
  hash: {
    name: 'Looks',
    limits:
      'Finds copies that were scaled, recoloured, cropped or turned. Images that are not registered cannot be found.',
  },
  watermark: {
    name: 'Watermark',
    limits:
      'Invisible marks survive saving and cropping. Anybody can put one in, and most pictures have none.',
  },
  metadata: {
    name: 'Embedded data',
    limits: 'Anybody can write these fields, and most sites remove them. Only a signature makes them sure.',
  },
  c2pa: {
    name: 'C2PA manifest',
    limits:
      'A signature says who vouches for the file, not that it is true. Saving the file again removes it.',
  },
  file: {
    name: 'The very file',
    limits: 'Compares the bytes alone. Any saving changes them, and that says nothing against a picture.',
  },
};

/** What a witness came to, and the colour of the word. */
export const FINDINGS: Record<Testimony['finding'], { readonly word: string; readonly tone: string }> = {
  agree: { word: 'agrees', tone: 'good' },
  absent: { word: 'silent', tone: 'quiet' },
  conflict: { word: 'contradicts', tone: 'bad' },
};

const DIALECTS: Record<Policy['statements'][number]['dialect'], string> = {
  plus: 'PLUS',
  iptc: 'IPTC',
  tdmrep: 'TDMRep',
  rsl: 'RSL',
  cawg: 'CAWG',
};

export const LAWS: Record<EvidenceRow['law'], string> = {
  eu_code_of_practice: 'EU code of practice on marking AI content (Art. 50 AI Act)',
  california_sb_942: 'California SB 942 (Business and Professions Code)',
};

type AiMark = Verification['ai_marks'][number];

/** What a mark says, and the colour of the word. */
export const saysOf = ({ is_ai: isAi }: AiMark): { readonly word: string; readonly tone: string } =>
  isAi ? { word: 'says AI', tone: '' } : { word: 'says no AI', tone: 'quiet' };

/** How far a mark can be believed. */
export function beliefOf({ layer, signature, trust }: AiMark): string {
  if (layer === 'watermark' && signature !== 'none')
    return signature === 'holds'
      ? 'This server signed that the watermark was made for this image.'
      : 'The watermark was made for another image.';
  if (layer === 'watermark') return 'Nothing binds the watermark to this image.';
  if (signature === 'none') return 'Not signed: anyone can write or remove it.';
  return signature === 'holds'
    ? `The signature holds. ${TRUST[trust]}`
    : 'The signature does not hold for this file.';
}

const TRUST: Record<AiMark['trust'], string> = {
  trusted: 'This server trusts the signer.',
  untrusted: 'The signer is not on the trust list of this server.',
  not_checked: 'The signer was not compared with a trust list.',
};

/** Shown where no layer says anything about AI. */
export const NO_TRACE =
  'No mark of AI was found. That does not show that no AI took part: marks are easily removed.';

export const COVERAGES: Record<EvidenceRow['coverage'], string> = {
  here: 'done here',
  operator: 'by the operator',
  not_covered: 'not covered',
};

/** What became of a measure: its status where this server carries it out, else who does. */
export const outcomeOf = ({
  coverage,
  status,
}: EvidenceRow): { readonly word: string; readonly tone: string } =>
  coverage === 'here' ? STATUSES[status] : { word: COVERAGES[coverage], tone: 'quiet' };

export const STATUSES: Record<EvidenceRow['status'], { readonly word: string; readonly tone: string }> = {
  met: { word: 'met', tone: 'good' },
  not_met: { word: 'not met', tone: 'bad' },
  not_said: { word: 'not said', tone: 'quiet' },
};

export const CODEX_STATES: Record<Codex['state'], string> = {
  signed_here: 'Signed here together with these pixels; neither was changed since.',
  signed_elsewhere: 'Signed together with these pixels by a signer this service does not know.',
  other_pixels: 'Signed for other pixels: this picture was changed, or the text taken from another one.',
  changed: 'Changed since it was signed.',
  revoked: 'Signed with a key that was taken back; anybody may have written it.',
  unsigned: 'Not signed; anybody may have written it.',
};

/** How sure it is that the message is from whom it says. */
export const sureOfWhisper = ({ state, soul_whisper: whisper }: Codex): string =>
  CODEX_STATES[whisper?.place === 'field' ? 'unsigned' : state];

/** More of a codex than anybody reads. */
const CODEX_ROWS_MAX = 300;

/** The codex as names and values, without how each is known. */
export const describeCodex = ({ content }: Codex): [name: string, value: string][] =>
  Object.entries(content ?? {})
    .filter(([name]) => name !== 'soul_whisper')
    .flatMap(([name, value]) => rowsOf(name, value))
    .filter(([, value]) => value !== '')
    .slice(0, CODEX_ROWS_MAX);

function rowsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return [[spaced(name), value.map(textOf).join(', ')]];
  if (typeof value !== 'object' || value === null) return [[spaced(name), textOf(value)]];
  // A fact, which says in other members how it is known.
  if ('value' in value) return rowsOf(name, value.value);
  return Object.entries(value).flatMap(([part, inner]) =>
    rowsOf(name === 'sections' ? part : `${name}: ${part}`, inner),
  );
}

const spaced = (name: string): string => name.replaceAll('_', ' ');

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.values(value).map(textOf).join(' ')
    : String(value ?? '');

/** What the file says about rights, as names and values. */
export const describePolicy = ({ statements }: Policy): [name: string, value: string][] =>
  statements.map(({ dialect, place, value }) => [`${DIALECTS[dialect]}, ${place}`, value]);

/** What is known of the best match, as names and values; nothing where there is none. */
export function describeMatch({
  matches: [match],
  confidence,
  chance_match: chance,
  witnesses,
}: Verification): [name: string, value: string][] {
  if (!match) return [];
  const agree = witnesses.filter(({ finding }) => finding === 'agree').length;
  const rows: [string, string][] = [
    ['Title given', match.title || 'none'],
    ['Artist given', match.artist || 'none'],
    [match.kind === 'work' ? 'Known as' : 'Registered as', match.credit_id],
    ['Registered', match.registered_at ? `${momentLabel(match.registered_at)} UTC` : ''],
    ['Permanent record', match.provenance_uri],
    [
      'How sure',
      `${sureOf(confidence, chance)}; ${agree === 1 ? 'one witness agrees' : `${agree} witnesses agree`}`,
    ],
    ['By chance', chance === null ? '' : oddsOf(chance)],
  ];
  return rows.filter(([, value]) => value);
}

const PLAIN_COPY = 'Nothing but what saving and scaling do.';

/** Whether a picture of what differs would show anything. */
export const differs = (difference: Difference): boolean => describeDifference(difference)[0] !== PLAIN_COPY;

/** What differs from the registered picture, a sentence each. */
export function describeDifference({
  crop_box: { x, y, width, height },
  rotation_degrees: degrees,
  mirrored,
  changed_regions: regions,
  beyond_share: beyond,
}: Difference): string[] {
  const sentences: string[] = [];
  if (mirrored) sentences.push('It is mirrored.');
  if (Math.abs(degrees) >= 0.5)
    sentences.push(`It is turned by ${Math.abs(degrees)}° ${degrees < 0 ? 'anticlockwise' : 'clockwise'}.`);
  if (width * height < 0.98)
    sentences.push(
      `It shows ${percentOf(width * height)} of the registered picture: from ${percentOf(x)} to ${percentOf(x + width)} of its width, from ${percentOf(y)} to ${percentOf(y + height)} of its height.`,
    );
  if (beyond > 0.02)
    sentences.push(`${percentOf(beyond)} of it lies outside the registered picture, such as a frame.`);
  for (const { polygon, share } of regions)
    sentences.push(
      `A place ${percentOf(middleOf(polygon, 0))} from the left and ${percentOf(middleOf(polygon, 1))} from the top was changed: ${percentOf(share)} of the picture.`,
    );
  return sentences.length > 0 ? sentences : [PLAIN_COPY];
}

/** @param chance null for the very file; of any other chance is never quite out of play, however near to 1 its number is */
export const sureOf = (confidence: number, chance: number | null): string => {
  if (chance === null && confidence === 1) return 'certain';
  return confidence > 0.99 ? 'more than 99\u00a0%' : percentOf(confidence);
};

export const percentOf = (share: number): string =>
  `${share > 0 && share < 0.01 ? 'less than 1' : Math.round(100 * share)}\u00a0%`;

const oddsOf = (chance: number): string =>
  chance < 1e-9 ? 'less than once in a thousand million' : `about once in ${Math.round(1 / chance)}`;

const middleOf = (polygon: readonly number[][], axis: 0 | 1): number =>
  polygon.reduce((sum, point) => sum + point[axis]!, 0) / polygon.length;

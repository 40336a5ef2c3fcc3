import type { z } from 'zod';
import type { verifyProvenance } from '../../../features/provenance/tools/verify_provenance.ts';
import { momentLabel } from '../labels.ts';

/** Response of verify_provenance. */
export type Verification = z.output<typeof verifyProvenance.output> & {
  readonly warnings?: readonly string[];
};
export type Difference = NonNullable<Verification['difference']>;
export type Codex = NonNullable<Verification['codex']>;
export type EvidenceRow = NonNullable<Verification['ai_evidence']>[number];
type Policy = NonNullable<Verification['rights_policy']>;
type Testimony = Verification['witnesses'][number];

/** Name and limits of each evidence source. */
export const WITNESSES: Record<Testimony['witness'], { readonly name: string; readonly limits: string }> = {
  hash: {
    name: 'Visual similarity',
    limits: 'Finds scaled, recoloured, cropped or rotated copies of registered images.',
  },
  watermark: {
    name: 'Watermark',
    limits:
      'Invisible watermarks survive saving and cropping. Anyone can add one, and most images have none.',
  },
  metadata: {
    name: 'Embedded metadata',
    limits: 'Anyone can write these fields, and most sites remove them. Only signed fields are reliable.',
  },
  c2pa: {
    name: 'C2PA manifest',
    limits:
      'A signature shows who signed the claims, not that they are true. Saving the file again can remove it.',
  },
  file: {
    name: 'File hash',
    limits: 'Compares the exact bytes. Saving a file again changes them, so a difference is not a warning.',
  },
};

/** Label and colour of each finding. */
export const FINDINGS: Record<Testimony['finding'], { readonly word: string; readonly tone: string }> = {
  agree: { word: 'confirms', tone: 'good' },
  absent: { word: 'no evidence', tone: 'quiet' },
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

/** Label and colour of an AI marking. */
export const saysOf = ({ is_ai: isAi }: AiMark): { readonly word: string; readonly tone: string } =>
  isAi ? { word: 'AI', tone: '' } : { word: 'no AI', tone: 'quiet' };

/** Reliability of an AI marking. */
export function beliefOf({ layer, signature, trust }: AiMark): string {
  if (layer === 'watermark' && signature !== 'none')
    return signature === 'holds'
      ? 'This server signed that the watermark was made for this image.'
      : 'The watermark was made for another image.';
  if (layer === 'watermark') return 'Nothing binds the watermark to this image.';
  if (signature === 'none') return 'Not signed: anyone can write or remove it.';
  return signature === 'holds'
    ? `The signature is valid. ${TRUST[trust]}`
    : 'The signature is not valid for this file.';
}

const TRUST: Record<AiMark['trust'], string> = {
  trusted: 'This server trusts the signer.',
  untrusted: 'The signer is not on the trust list of this server.',
  not_checked: 'The signer was not checked against a trust list.',
};

/** Shown if no layer has an AI marking. */
export const NO_TRACE =
  'No AI marking was found. This does not show that no AI was used: markings are easily removed.';

export const COVERAGES: Record<EvidenceRow['coverage'], string> = {
  here: 'by this server',
  operator: 'by the operator',
  not_covered: 'not covered',
};

/** Status of a measure if this server carries it out, else who is responsible. */
export const outcomeOf = ({
  coverage,
  status,
}: EvidenceRow): { readonly word: string; readonly tone: string } =>
  coverage === 'here' ? STATUSES[status] : { word: COVERAGES[coverage], tone: 'quiet' };

export const STATUSES: Record<EvidenceRow['status'], { readonly word: string; readonly tone: string }> = {
  met: { word: 'met', tone: 'good' },
  not_met: { word: 'not met', tone: 'bad' },
  not_said: { word: 'not stated', tone: 'quiet' },
};

export const CODEX_STATES: Record<Codex['state'], string> = {
  signed_here: 'Signed on this server together with these pixels; neither has changed since.',
  signed_elsewhere: 'Signed together with these pixels by a signer unknown to this server.',
  other_pixels: 'Signed for other pixels: the image was changed, or the text was copied from another image.',
  changed: 'Changed after signing.',
  revoked: 'Signed with a revoked key; anyone may have written it.',
  unsigned: 'Not signed; anyone may have written it.',
};

/** Reliability of the sender of a message. */
export const sureOfWhisper = ({ state, soul_whisper: whisper }: Codex): string =>
  CODEX_STATES[whisper?.place === 'field' ? 'unsigned' : state];

/** Rows of a codex shown. */
const CODEX_ROWS_MAX = 300;

/** The codex as names and values, without basis and confidence. */
export const describeCodex = ({ content }: Codex): [name: string, value: string][] =>
  Object.entries(content ?? {})
    .filter(([name]) => name !== 'soul_whisper')
    .flatMap(([name, value]) => rowsOf(name, value))
    .filter(([, value]) => value !== '')
    .slice(0, CODEX_ROWS_MAX);

function rowsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return [[spaced(name), value.map(textOf).join(', ')]];
  if (typeof value !== 'object' || value === null) return [[spaced(name), textOf(value)]];
  // A fact; its other members are basis and confidence.
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

/** Rights statements as names and values. */
export const describePolicy = ({ statements }: Policy): [name: string, value: string][] =>
  statements.map(({ dialect, place, value }) => [`${DIALECTS[dialect]}, ${place}`, value]);

/** The best match as names and values; empty if there is none. */
export function describeMatch({
  matches: [match],
  confidence,
  chance_match: chance,
  witnesses,
}: Verification): [name: string, value: string][] {
  if (!match) return [];
  const agree = witnesses.filter(({ finding }) => finding === 'agree').length;
  const rows: [string, string][] = [
    ['Claimed title', match.title || 'none'],
    ['Claimed artist', match.artist || 'none'],
    [match.kind === 'work' ? 'Known as' : 'Registered as', match.credit_id],
    ['Registered', match.registered_at ? `${momentLabel(match.registered_at)} UTC` : ''],
    ['Permanent record', match.provenance_uri],
    [
      'Confidence',
      `${sureOf(confidence, chance)}; ${agree === 1 ? '1 source confirms it' : `${agree} sources confirm it`}`,
    ],
    ['Chance match', chance === null ? '' : oddsOf(chance)],
  ];
  return rows.filter(([, value]) => value);
}

const PLAIN_COPY = 'No differences beyond compression and scaling.';

/** Whether there are differences to show. */
export const differs = (difference: Difference): boolean => describeDifference(difference)[0] !== PLAIN_COPY;

/** Differences from the registered image, one sentence each. */
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
    sentences.push(`It is rotated ${Math.abs(degrees)}° ${degrees < 0 ? 'anticlockwise' : 'clockwise'}.`);
  if (width * height < 0.98)
    sentences.push(
      `It shows ${percentOf(width * height)} of the registered image: from ${percentOf(x)} to ${percentOf(x + width)} of its width, from ${percentOf(y)} to ${percentOf(y + height)} of its height.`,
    );
  if (beyond > 0.02)
    sentences.push(`${percentOf(beyond)} of it lies outside the registered image, such as a frame.`);
  for (const { polygon, share } of regions)
    sentences.push(
      `A region ${percentOf(middleOf(polygon, 0))} from the left and ${percentOf(middleOf(polygon, 1))} from the top was changed: ${percentOf(share)} of the image.`,
    );
  return sentences.length > 0 ? sentences : [PLAIN_COPY];
}

/** @param chance null for an identical file; any other match is never certain, even if its confidence rounds to 1 */
export const sureOf = (confidence: number, chance: number | null): string => {
  if (chance === null && confidence === 1) return 'certain';
  return confidence > 0.99 ? 'more than 99%' : percentOf(confidence);
};

export const percentOf = (share: number): string =>
  `${share > 0 && share < 0.01 ? 'less than 1' : Math.round(100 * share)}%`;

const oddsOf = (chance: number): string =>
  chance < 1e-9 ? 'less than 1 in 1 billion' : `about 1 in ${Math.round(1 / chance).toLocaleString('en')}`;

const middleOf = (polygon: readonly number[][], axis: 0 | 1): number =>
  polygon.reduce((sum, point) => sum + point[axis]!, 0) / polygon.length;

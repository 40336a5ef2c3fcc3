/** The part of an answer of verify_provenance that the page shows. */
export interface Verification {
  readonly verdict: 'identical' | 'same_picture' | 'altered' | 'conflicting' | 'unknown';
  readonly summary: string;
  readonly warnings?: readonly string[];
  readonly total_matches: number;
  readonly confidence: number;
  readonly chance_match: number | null;
  readonly computed_hash: string;
  readonly best_match: {
    readonly title: string;
    readonly artist: string;
    readonly credit_id: string;
    readonly provenance_uri: string;
  } | null;
  readonly witnesses: readonly {
    readonly witness: 'hash' | 'watermark' | 'metadata' | 'c2pa' | 'file';
    readonly finding: 'agree' | 'absent' | 'conflict';
    readonly sentence: string;
  }[];
  readonly difference: Difference | null;
  readonly codex: Codex | null;
  readonly rights_policy: {
    readonly statements: readonly {
      readonly dialect: 'plus' | 'iptc' | 'tdmrep' | 'rsl' | 'cawg';
      readonly place: string;
      readonly value: string;
    }[];
    readonly conflicts: readonly string[];
  } | null;
  readonly ai_evidence:
    | readonly {
        readonly law: 'eu_code_of_practice' | 'california_sb_942';
        readonly measure: string;
        readonly title: string;
        readonly status: 'met' | 'not_met' | 'not_said';
        readonly by: string;
        readonly tested: string | null;
      }[]
    | null;
}

/** What is written in the file for its readers. */
export interface Codex {
  readonly state: 'signed_here' | 'signed_elsewhere' | 'other_pixels' | 'changed' | 'revoked' | 'unsigned';
  readonly soul_whisper: {
    readonly message: string;
    readonly sender: string;
    readonly place: 'codex' | 'field';
  } | null;
  readonly content: Readonly<Record<string, unknown>> | null;
}

type Policy = NonNullable<Verification['rights_policy']>;
export type EvidenceRow = NonNullable<Verification['ai_evidence']>[number];

/** How a picture differs from the registered one; lengths and areas are shares of the whole. */
export interface Difference {
  readonly crop_box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  readonly rotation_degrees: number;
  readonly mirrored: boolean;
  readonly changed_regions: readonly { readonly polygon: readonly number[][]; readonly share: number }[];
  readonly beyond_share: number;
  readonly heat_map_b64: string;
}

export const VERDICTS: Record<Verification['verdict'], string> = {
  identical: 'Registered here, bit for bit',
  same_picture: 'A copy of a registered picture',
  altered: 'Made from a registered picture, and changed',
  conflicting: 'The witnesses contradict each other',
  unknown: 'Not known here',
};

type Testimony = Verification['witnesses'][number];

export const WITNESSES: Record<Testimony['witness'], string> = {
  hash: 'Looks',
  watermark: 'Watermark',
  metadata: 'Embedded data',
  c2pa: 'C2PA manifest',
  file: 'The very file',
};

export const FINDINGS: Record<Testimony['finding'], string> = {
  agree: 'agrees',
  absent: 'nothing to say',
  conflict: 'contradicts',
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

export const STATUSES: Record<EvidenceRow['status'], string> = {
  met: 'met',
  not_met: 'not met',
  not_said: 'the file does not say',
};

export const CODEX_STATES: Record<Codex['state'], string> = {
  signed_here: 'Signed here together with these pixels; neither was changed since.',
  signed_elsewhere: 'Signed together with these pixels by somebody this service does not know.',
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

/** What is known of the best match, as names and values; the hash alone where there is none. */
export function describeMatch({
  best_match: match,
  confidence,
  chance_match: chance,
  computed_hash: hash,
  total_matches: total,
}: Verification): [name: string, value: string][] {
  const rows: [string, string][] = match
    ? [
        ['Title', match.title || 'not given'],
        ['Artist', match.artist || 'not given'],
        ['Registered as', match.credit_id],
        ['Permanent record', match.provenance_uri],
        ['Confidence', percentOf(confidence)],
        ['By chance', chance === null ? '' : oddsOf(chance)],
        ['Others that match', total > 1 ? String(total - 1) : ''],
      ]
    : [];
  return [...rows, ['Hash (PDQ)', hash] as [string, string]].filter(([, value]) => value);
}

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
  return sentences.length > 0 ? sentences : ['Nothing but what saving and scaling do.'];
}

const percentOf = (share: number): string =>
  `${share > 0 && share < 0.01 ? 'less than 1' : Math.round(100 * share)}\u00a0%`;

const oddsOf = (chance: number): string =>
  chance < 1e-9 ? 'less than once in a thousand million' : `about once in ${Math.round(1 / chance)}`;

const middleOf = (polygon: readonly number[][], axis: 0 | 1): number =>
  polygon.reduce((sum, point) => sum + point[axis]!, 0) / polygon.length;

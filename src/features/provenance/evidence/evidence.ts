import { type AiOrigin, isAiSource, isOtherSource } from '@atelier/imaging/metadata/rights/origin.ts';
import type { PolicyStatement, Use, Word } from '@atelier/imaging/metadata/rights/policy.ts';
import type { ManifestReading, ManifestSource } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import { HARDER_ATTACKS } from '@atelier/imaging/watermark/harder_attacks.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { Manifests } from '../manifests/manifests.ts';
import type { Marks } from '../marks/types.ts';
import type { Soulmarks } from '../soulmarks/soulmarks.ts';
import { quoteUntrusted } from '../wording.ts';
import { codedOrigin, type FoundLayers, findLayers, readAiMark, writeAiMark } from './layers.ts';
import type { AiStatement, Evidence, EvidenceRow, Known, MarkedAsAi, Policy, Readings } from './types.ts';

type Finding = Pick<EvidenceRow, 'status' | 'by' | 'tested'>;

/**
 * The measures of two laws: who implements each, whether this file meets it, and how that was determined. Every finding comes from the
 * readings. Sources: EU code of practice on transparency of AI-generated content (10 June 2026), sections 1 and 2; California Business and
 * Professions Code, 22757.2 and 22757.3 (SB 942 as amended by AB 853).
 */
export function sheetFor(readings: Readings, known: Known): EvidenceRow[] | undefined {
  const layers = findLayers(readings);
  if (!layers) return undefined;
  const label = visibleLabel(readings);
  return [
    ...markingRows(layers, label, known),
    ...detectionRows(layers, known),
    ...OPERATORS,
    ...californiaRows(layers, label, known),
  ];
}

const rowOf =
  (law: EvidenceRow['law'], coverage: EvidenceRow['coverage']) =>
  (measure: string, title: string, finding: Finding): EvidenceRow => ({
    law,
    measure,
    title,
    coverage,
    ...finding,
  });
const here = rowOf('eu_code_of_practice', 'here');
const operator = rowOf('eu_code_of_practice', 'operator');
const notCovered = rowOf('eu_code_of_practice', 'not_covered');
const california = rowOf('california_sb_942', 'here');

/** Commitment 1. */
const markingRows = (layers: FoundLayers, label: Finding, known: Known): EvidenceRow[] => [
  here('1.1', 'Two layers of machine-readable marking', bothLayers(layers)),
  here('1.1.1', 'Digitally signed, time-stamped metadata', signedMetadata(layers)),
  here('1.1.2', 'Imperceptible watermark', watermark(layers)),
  here('1.1.3', 'Fingerprint or log (optional)', fingerprint(known)),
  here('1.2', 'Marks are not removed', nonRemoval(layers)),
  operator('1.2', 'Terms that forbid the removal of marks', BY_OPERATOR),
  here('1.3', 'System, provider and time (optional)', told(layers, ['system', 'provider', 'at'])),
  here('1.4', 'Visible label on request (optional)', label),
];

/** Commitments 2 and 3, as far as a single file shows them. */
const detectionRows = (layers: FoundLayers, known: Known): EvidenceRow[] => [
  here('2.1', 'Detection free of charge', detection(layers, known)),
  here('2.1.3', 'Checked content is not kept', RETENTION),
  notCovered('2.2', 'Forensic detection without marks (optional)', notSaid('Pixels are not classified.')),
  here('2.3', 'Results name the technique', namesLayers(layers, known)),
  operator('2.4', 'Information for users (optional)', BY_OPERATOR),
  operator('3.1', 'Effectiveness for people, tested', BY_OPERATOR),
  operator('3.2', 'Reliability, measured on your output', CHECK),
  here('3.3', 'Robustness', permanence(layers)),
  here('3.4', 'Established standards for metadata', standards(layers)),
  notCovered('3.4', 'Interoperable watermark detection, due 2 February 2027', interoperability(layers)),
  notCovered('3.5', 'Advancing the state of the art (optional)', notSaid('No file shows this.')),
];

const BY_OPERATOR: Finding = {
  status: 'not_said',
  by: 'No file shows this. The operator has to do and document this.',
  tested: null,
};
const CHECK: Finding = {
  status: 'not_said',
  by: 'For the operator: run `atelier marks check` on a sample of your output and keep the report.',
  tested: null,
};

/** Commitment 4, and section 2, which applies to publishers. */
const OPERATORS: readonly EvidenceRow[] = [
  operator('4.1', 'Documented compliance process', BY_OPERATOR),
  operator('4.2', 'Testing and monitoring', CHECK),
  operator('4.3', 'Training of staff', BY_OPERATOR),
  operator('4.4', 'Cooperation with authorities', BY_OPERATOR),
  operator('Section 2', 'Label on deep fakes and published text', BY_OPERATOR),
];

function californiaRows(layers: FoundLayers, label: Finding, known: Known): EvidenceRow[] {
  const conveyed = '22757.3(b)(1)';
  return [
    california('22757.2(a)', 'Free public detection tool', detection(layers, known)),
    california('22757.3(a)', 'Visible disclosure, at the user’s choice', label),
    california(conveyed, 'Name of the provider', told(layers, ['provider'])),
    california(conveyed, 'Name and version of the system', told(layers, ['system', 'version'])),
    california(conveyed, 'Time and date', told(layers, ['at'])),
    california(conveyed, 'Unique identifier', told(layers, ['id'])),
    california('22757.3(b)(2)', 'Found by the detection tool', found(layers)),
    california('22757.3(b)(3)', 'Industry standards', standards(layers)),
    california('22757.3(b)(4)', 'Hard to remove', permanence(layers)),
  ];
}

const met = (by: string, tested: string): Finding => ({ status: 'met', by, tested });
const notMet = (by: string, tested: string): Finding => ({ status: 'not_met', by, tested });
const notSaid = (by: string): Finding => ({ status: 'not_said', by, tested: null });

/** Visible labels are not detected in the pixels; a file may declare the one it shows. */
const visibleLabel = ({ claims: { label } }: Pick<Readings, 'claims'>): Finding =>
  label === undefined
    ? notSaid('The metadata names no visible label. Pixels are not searched for labels.')
    : met(
        `The metadata names a visible label: ${quoteUntrusted(label.words)}.`,
        'Source: metadata of this file.',
      );

const RETENTION = notMet(
  'The API does not store checked images. The page /verify stores an image for one hour, so that its result can be opened again.',
  'By design of this server.',
);

const namesLayers = (layers: FoundLayers, { detector: { name } }: Known): Finding =>
  met(
    `${name} names the layer, issuer and signature of every mark (ai_marks).`,
    `Found in this file: ${kindsIn(layers)}.`,
  );

function bothLayers(layers: FoundLayers): Finding {
  const parts = [signedMetadata(layers), watermark(layers)];
  const failing =
    parts.find(({ status }) => status === 'not_met') ?? parts.find((one) => one.status !== 'met');
  if (failing) return { ...failing, by: `One layer is missing. ${failing.by}` };
  return met(
    'Signed metadata and a watermark name the AI system.',
    'Each was read and verified separately, as below.',
  );
}

function signedMetadata({ signed, broken, plain: unsigned }: FoundLayers): Finding {
  const checked = 'Signature and hashes were verified against this file.';
  if (signed?.at)
    return met(`Signed by ${signed.by}; dated ${plain(signed.at)} by ${signed.clock}.`, checked);
  if (signed) return notMet(`Signed by ${signed.by}, without a time stamp.`, checked);
  if (broken !== undefined) return notMet(broken, checked);
  return notMet(
    unsigned ? 'The metadata names an AI system, but is not signed.' : 'No metadata names an AI system.',
    'XMP, soulmark and C2PA manifest of this file were read.',
  );
}

/** A time as written, without the quotation marks. */
const plain = (at: string): string => quoteUntrusted(at).slice(1, -1);

function watermark({ mark, shouldBeMarked }: FoundLayers): Finding {
  const tested =
    'The pixels of this file were searched, including for rotated, cropped and mirrored watermarks.';
  if (mark) {
    const { isLookedUp, falsePositiveProbability: chance, judged } = mark.reading;
    if (judged?.standing === 'moved' || judged?.standing === 'other_payload')
      return notMet(`A watermark names an AI system. ${judged.sentence}`, tested);
    const how = isLookedUp ? 'its id, with the text stored on this server' : 'its whole text';
    return met(
      `A watermark names the AI system: ${how} was read.`,
      `${tested} Probability of a false reading: below ${10 ** Math.ceil(Math.log10(chance))}.`,
    );
  }
  if (shouldBeMarked)
    return notMet('This service signed that AI made it, but no watermark that says so can be read.', tested);
  return notSaid('No watermark of this service was found. Watermarks of other services are not detected.');
}

const fingerprint = ({ isRegistered }: Known): Finding =>
  isRegistered
    ? met('Its appearance is registered on this server.', 'Its perceptual hash was compared with the index.')
    : notMet(
        'Its appearance is not registered on this server.',
        'Its perceptual hash was compared with the index.',
      );

function nonRemoval(layers: FoundLayers): Finding {
  const { mark, plain, signed, contrary } = layers;
  const tested = 'The layers were compared.';
  if (!mark) return notSaid('Layers removed from a file earlier cannot be detected.');
  if (contrary !== undefined)
    return notMet(
      `The watermark names an AI system, but the metadata says ${quoteUntrusted(contrary)}.`,
      tested,
    );
  if (!plain && !signed)
    return notMet('The watermark names an AI system; the matching metadata was removed.', tested);
  const differing = (Object.keys(NAMES) as Fact[]).filter((fact) => valuesOf(layers, fact).length > 1);
  return differing.length > 0
    ? notMet(`Metadata and watermark differ in: ${differing.map((fact) => NAMES[fact]).join(', ')}.`, tested)
    : met('Metadata and watermark are both present and agree.', tested);
}

const kindsIn = ({ plain, signed, mark }: FoundLayers): string =>
  [plain || signed ? 'the metadata' : '', mark ? 'the watermark' : ''].filter(Boolean).join(' and ') ||
  'a C2PA manifest';

function detection(layers: FoundLayers, { detector: { name, isFree } }: Known): Finding {
  const tested = `It found ${kindsIn(layers)} in this file.`;
  return isFree
    ? met(`${name} is free and public, by upload or URL, on a page and as an API.`, tested)
    : notMet(`${name} costs credits on this server.`, tested);
}

function standards({ plain, signed, hasManifest }: FoundLayers): Finding {
  const kinds = [
    ...(plain?.sourceType ? ['IPTC Digital Source Type'] : []),
    ...(plain?.system ? ['IPTC 2025.1 AI System Used'] : []),
    ...(hasManifest && signed ? ['C2PA'] : []),
  ];
  const tested = 'The properties were read by their standard names.';
  return kinds.length > 0
    ? met(`${kinds.join(', ')}.`, tested)
    : notMet('No IPTC property and no valid C2PA manifest names the AI system.', tested);
}

const interoperability = ({ mark }: FoundLayers): Finding =>
  mark
    ? notMet(
        'The watermark format is specific to this service: no other detector reads it.',
        'It was read by this server.',
      )
    : notSaid('No watermark of this service was found.');

type Fact = Exclude<keyof AiOrigin, 'sourceType'>;
const NAMES: Readonly<Record<Fact, string>> = {
  provider: 'provider',
  system: 'system',
  version: 'version',
  at: 'time',
  id: 'identifier',
};

/** Distinct values of one fact, with the layers that state them. */
function valuesOf({ plain, signed, mark }: FoundLayers, fact: Fact): [value: string, layers: string[]][] {
  const sources: [string, AiOrigin | undefined][] = [
    ['metadata', plain],
    ['signed metadata', signed?.origin],
    ['watermark', mark?.origin],
  ];
  const said = sources.flatMap(([layer, origin]) => {
    const value = origin?.[fact];
    return value === undefined
      ? []
      : [{ layer, value, key: fact === 'at' ? String(Date.parse(value)) : value }];
  });
  return [...Map.groupBy(said, ({ key }) => key).values()].map((group) => [
    group[0]!.value,
    group.map(({ layer }) => layer),
  ]);
}

function told(layers: FoundLayers, facts: readonly Fact[]): Finding {
  const tested = 'Read in this file and compared between its layers.';
  const values = facts.map((fact) => ({ fact, values: valuesOf(layers, fact) }));
  const missing = values.filter((one) => one.values.length === 0).map(({ fact }) => NAMES[fact]);
  if (missing.length > 0) return notMet(`No layer names the ${missing.join(' and the ')}.`, tested);
  const sentence = values
    .flatMap((one) => one.values)
    .map(([value, where]) => `${quoteUntrusted(value)} (${where.join(', ')})`)
    .join(', ');
  return values.some((one) => one.values.length > 1)
    ? notMet(`The layers contradict each other: ${sentence}.`, tested)
    : met(`${sentence}.`, tested);
}

function found({ plain, signed, mark }: FoundLayers): Finding {
  const kinds = [plain || signed ? 'metadata' : '', mark ? 'watermark' : ''].filter(Boolean);
  return kinds.length > 0
    ? met(`Its ${kinds.join(' and ')} ${kinds.length > 1 ? 'were' : 'was'} found.`, 'By reading this file.')
    : notMet('Only an invalid manifest names an AI system.', 'By reading this file.');
}

function permanence({ mark }: FoundLayers): Finding {
  if (!mark) return notSaid('No watermark of this service was found; metadata alone is easily removed.');
  const attacks = Object.entries(mark.reading.attacks ?? {});
  if (attacks.length === 0)
    return notSaid('The watermark was read in this copy; its robustness was tested when it was embedded.');
  const lost = attacks.filter(([, survival]) => survival === 'lost').map(([name]) => name);
  const tested = `The watermarked image was read after each of these edits: ${attacks.map(([name]) => name).join(', ')}.`;
  const sentence =
    lost.length > 0
      ? `The watermark is lost after ${lost.join(', ')}.`
      : `The watermark was read after all ${attacks.length} edits.`;
  return lost.every((name) => HARDER_ATTACKS.has(name)) ? met(sentence, tested) : notMet(sentence, tested);
}

/** Maximum number of statements in a response. A file with more repeats itself. */
const STATEMENTS_MAX = 12;

/** Statements of each layer about AI, and the verdict. `no_trace` says nothing about how the image was made. */
export function markedAsAi(readings: Partial<Readings>): MarkedAsAi {
  const statements = [
    ...manifestStatements(readings.manifest),
    ...metadataStatements(readings.claims),
    ...soulmarkStatements(readings.soulmark),
    ...watermarkStatements(readings.watermark),
    ...labelStatements(readings.claims),
  ].slice(0, STATEMENTS_MAX);
  return { verdict: verdictOf(statements), statements };
}

/**
 * A history in C2PA may go from a camera to an AI edit, so within that layer AI alone counts. Elsewhere any statement
 * without AI contradicts one with AI, and so does a watermark that was made for another image.
 */
function verdictOf(statements: readonly AiStatement[]): MarkedAsAi['verdict'] {
  const saysAi = statements.filter(({ isAi }) => isAi);
  if (saysAi.length === 0) return 'no_trace';
  const isHistory = saysAi.some(({ layer }) => layer === 'c2pa');
  const against = statements.filter(({ isAi, layer }) => !isAi && !(isHistory && layer === 'c2pa'));
  const isMoved = saysAi.some(({ layer, signature }) => layer === 'watermark' && signature === 'broken');
  return against.length > 0 || isMoved ? 'contradictory' : 'yes';
}

function manifestStatements(manifest: ManifestReading | undefined): AiStatement[] {
  const { state, sources = [], isTrusted } = manifest ?? {};
  const signature = state === 'valid' ? 'holds' : 'broken';
  const judged = sources.filter(({ term }) => isAi(term) || isOtherSource(term));
  const unique = [...Map.groupBy(judged, keyOf).values()].map(([first]) => first!);
  return unique.map((source) => ({
    layer: 'c2pa',
    isAi: isAi(source.term),
    says: source.term,
    signature,
    place: placeOf(source),
    ...(source.organisation !== undefined && { who: source.organisation }),
    ...softwareOf(source.agent ?? source.generator),
    // The trust list applies to the signer of the file, not to the signers of its ingredients.
    trust: source.manifest === 'active' ? trustOf(isTrusted) : 'not_checked',
  }));
}

/** C2PA adds a term of its own for data of a trained model. */
const isAi = (term: string): boolean => isAiSource(term) || term === 'trainedAlgorithmicData';

const keyOf = ({ term, manifest, organisation }: ManifestSource): string =>
  [term, manifest, organisation].join('\0');

const RELATIONS: Readonly<Record<ManifestSource['manifest'], string>> = {
  active: '',
  parent: ' of an earlier version',
  component: ' of a component',
};

const placeOf = ({ place, manifest }: ManifestSource): string => `${place}${RELATIONS[manifest]}`;

const trustOf = (isTrusted: boolean | undefined): AiStatement['trust'] => {
  if (isTrusted === undefined) return 'not_checked';
  return isTrusted ? 'trusted' : 'untrusted';
};

const softwareOf = (...names: readonly (string | undefined)[]): { software?: string } => {
  const software = names.filter(Boolean).join(' ');
  return software ? { software } : {};
};

const UNSIGNED = { signature: 'none', trust: 'not_checked' } as const;

/** Unsigned: anyone can write or remove these properties. */
function metadataStatements(claims: Readings['claims'] | undefined): AiStatement[] {
  if (!claims) return [];
  const { origin, fields } = claims;
  const term = origin?.sourceType ?? fields.digital_source_type;
  const names = {
    ...(whoIn(claims) !== undefined && { who: whoIn(claims)! }),
    ...softwareOf(origin?.system, origin?.version),
  };
  const bySource = term !== undefined && (isAi(term) || isOtherSource(term));
  return [
    ...(bySource
      ? [statement({ isAi: isAi(term), says: term, place: 'Iptc4xmpExt:DigitalSourceType', ...names })]
      : []),
    ...(origin?.system !== undefined && !(term !== undefined && isAi(term))
      ? [statement({ isAi: true, says: 'AI system used', place: 'Iptc4xmpExt:AISystemUsed', ...names })]
      : []),
  ];
}

const statement = (said: Pick<AiStatement, 'isAi' | 'says' | 'place'>): AiStatement => ({
  layer: 'iptc',
  ...said,
  ...UNSIGNED,
});

/**
 * Repeats a credit line only if it mentions AI, as Google's does: other credit lines name people (decision
 * 35).
 */
function whoIn({ origin, fields: { credit } }: Readings['claims']): string | undefined {
  return origin?.provider ?? (credit !== undefined && /\bAI\b/.test(credit) ? credit : undefined);
}

function soulmarkStatements(soulmark: Readings['soulmark']): AiStatement[] {
  const origin = codedOrigin(soulmark?.codex);
  if (!soulmark?.signer || !origin) return [];
  const { pixelsAre, codexIs, isOurs, revoked } = soulmark;
  const isBroken = pixelsAre === 'changed' || codexIs === 'changed' || revoked !== undefined;
  const says = origin.sourceType ?? 'AI';
  return [
    {
      layer: 'soulmark',
      isAi: !isOtherSource(says),
      says,
      place: 'atelier:Soulmark',
      ...(origin.provider !== undefined && { who: origin.provider }),
      ...softwareOf(origin.system, origin.version),
      signature: isBroken ? 'broken' : 'holds',
      trust: isOurs && !revoked ? 'trusted' : 'not_checked',
    },
  ];
}

/** The signed binding to the image counts as the signature; without one, a watermark is unsigned. */
function watermarkStatements(watermark: Readings['watermark']): AiStatement[] {
  const origin = watermark?.text === undefined ? undefined : readAiMark(watermark.text);
  if (!watermark || !origin) return [];
  const standing = watermark.judged?.standing ?? 'plain';
  return [
    {
      layer: 'watermark',
      isAi: true,
      says: 'AI',
      place: 'pixels',
      ...(origin.provider !== undefined && { who: origin.provider }),
      ...softwareOf(origin.system, origin.version),
      ...BINDINGS[standing],
    },
  ];
}

type Standing = NonNullable<NonNullable<Readings['watermark']>['judged']>['standing'];
const BINDINGS: Readonly<Record<Standing, Pick<AiStatement, 'signature' | 'trust'>>> = {
  bound: { signature: 'holds', trust: 'trusted' },
  part: { signature: 'holds', trust: 'trusted' },
  moved: { signature: 'broken', trust: 'not_checked' },
  other_payload: { signature: 'broken', trust: 'not_checked' },
  unclear: UNSIGNED,
  plain: UNSIGNED,
};

/** The file declares the label; it is not detected in the pixels. */
const labelStatements = (claims: Readings['claims'] | undefined): AiStatement[] =>
  claims?.label === undefined
    ? []
    : [
        {
          layer: 'visible_label',
          isAi: true,
          says: claims.label.words,
          place: 'atelier:AILabel',
          ...UNSIGNED,
        },
      ];

const USES: Readonly<Record<Use, string>> = {
  ai_training: 'training AI on it',
  generative_training: 'training generative AI on it',
  mining: 'data mining',
  search: 'indexing it for search',
};

/** Every statement about rights, and the contradictions between them. */
export function policyIn({ claims, manifest }: Pick<Readings, 'claims' | 'manifest'>): Policy | undefined {
  const statements = [...claims.statements, ...trainingOf(manifest)];
  return statements.length > 0 ? { statements, conflicts: conflictsIn(statements) } : undefined;
}

const CAWG: Readonly<Record<string, Use>> = {
  data_mining: 'mining',
  ai_training: 'ai_training',
  ai_generative_training: 'generative_training',
};
const CAWG_WORDS: Readonly<Record<string, Word>> = {
  allowed: 'allowed',
  notAllowed: 'not_allowed',
  constrained: 'constrained',
};

function trainingOf(manifest: Readings['manifest']): PolicyStatement[] {
  const entries = Object.entries(manifest?.training ?? {});
  if (entries.length === 0) return [];
  const uses = entries.flatMap(([name, use]) => {
    const [what, word] = [CAWG[name.replace(/^(cawg|c2pa)\./, '')], CAWG_WORDS[use]];
    return what && word ? [[what, word] as const] : [];
  });
  return [
    {
      dialect: 'cawg',
      place: 'cawg.training-mining',
      value: entries.map((entry) => entry.join(': ')).join(', '),
      uses: Object.fromEntries(uses),
    },
  ];
}

function conflictsIn(statements: readonly PolicyStatement[]): string[] {
  const pairs = statements.flatMap((one, at) =>
    statements.slice(at + 1).map((other) => [one, other] as const),
  );
  return pairs.flatMap(([one, other]) => [...useConflicts(one, other), ...holderConflicts(one, other)]);
}

const said = ({ place, value }: PolicyStatement): string => `${place} says ${quoteUntrusted(value)}`;

function useConflicts(one: PolicyStatement, other: PolicyStatement): string[] {
  const uses = (Object.keys(USES) as Use[]).filter((use) => {
    const words = [one.uses[use], other.uses[use]];
    return words.includes('allowed') && words.some((word) => word !== undefined && word !== 'allowed');
  });
  const isReserved = uses.length === 0 && (reservesAgainst(one, other) || reservesAgainst(other, one));
  const about = isReserved ? ['whether anything is reserved'] : uses.map((use) => USES[use]);
  return about.length > 0 ? [`About ${about.join(' and ')}: ${said(one)}, but ${said(other)}.`] : [];
}

/** A partial reservation contradicts only a permission for all uses. */
function reservesAgainst({ reserves }: PolicyStatement, { uses }: PolicyStatement): boolean {
  const machine = [uses.mining, uses.ai_training, uses.generative_training];
  return reserves === true && machine.every((word) => word === 'allowed');
}

function holderConflicts({ holder: one, place }: PolicyStatement, other: PolicyStatement): string[] {
  if (one === undefined || other.holder === undefined || isSame(one, other.holder)) return [];
  return [
    `About whose rights these are: ${place} says ${quoteUntrusted(one)}, but ${other.place} says ${quoteUntrusted(other.holder)}.`,
  ];
}

const isSame = (one: string, other: string): boolean =>
  one.normalize('NFKC').trim().toLowerCase() === other.normalize('NFKC').trim().toLowerCase();

interface EvidenceDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly manifests: Pick<Manifests, 'read'>;
  readonly soulmarks: Pick<Soulmarks, 'read'>;
  readonly marks: Pick<Marks, 'find'>;
}

export function createEvidence({ pixels, manifests, soulmarks, marks }: EvidenceDeps): Evidence {
  return {
    async read(bytes, control, layers) {
      const [claims, manifest] = await Promise.all([
        pixels.run('read_metadata', { bytes }, control),
        manifests.read(bytes, control),
      ]);
      if (!layers.pixels) return { claims, manifest };
      const soulmark = await soulmarks.read(bytes, control);
      const mark = await pixels.run('watermark_detect', { bytes }, control);
      const kept =
        mark.payload === undefined && mark.id !== undefined ? await marks.find(mark.id) : undefined;
      const watermark = {
        text: mark.payload ?? kept?.payload,
        isLookedUp: kept !== undefined,
        falsePositiveProbability: mark.falsePositiveProbability,
      };
      return { claims, manifest, soulmark, watermark };
    },
    policyIn,
    markedAsAi,
    sheetFor,
    marks: { write: writeAiMark, read: readAiMark },
  };
}

import { isAiSource, isOtherSource } from '@atelier/imaging/metadata/rights/origin.ts';
import type { ManifestReading, ManifestSource } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import { readAiMark } from './ai_mark.ts';
import { codedOrigin } from './layers.ts';
import type { AiStatement, MarkedAsAi, Readings } from './types.ts';

/** Statements in one answer. A file with more repeats itself. */
const STATEMENTS_MAX = 12;

/** What each layer of a file says about AI, and what that comes to. `no_trace` says nothing about how the image was made. */
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
    ...{ layer: 'c2pa', isAi: isAi(source.term), says: source.term, signature },
    place: placeOf(source),
    ...(source.organisation !== undefined && { who: source.organisation }),
    ...softwareOf(source.agent ?? source.generator),
    // The trust list is asked about the signer of the file, not about the signers of its ingredients.
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

/** A credit line is repeated only where it speaks of AI, as that of Google does: others name people (decision 70). */
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
      ...{ layer: 'soulmark', isAi: !isOtherSource(says), says, place: 'atelier:Soulmark' },
      ...(origin.provider !== undefined && { who: origin.provider }),
      ...softwareOf(origin.system, origin.version),
      signature: isBroken ? 'broken' : 'holds',
      trust: isOurs && !revoked ? 'trusted' : 'not_checked',
    },
  ];
}

/** The binding to the image is what counts as a signature; a mark that this server has not bound has none. */
function watermarkStatements(watermark: Readings['watermark']): AiStatement[] {
  const origin = watermark?.text === undefined ? undefined : readAiMark(watermark.text);
  if (!watermark || !origin) return [];
  const standing = watermark.judged?.standing ?? 'plain';
  return [
    {
      ...{ layer: 'watermark', isAi: true, says: 'AI', place: 'pixels' },
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

/** The label is named by the file; nothing looks for it in the pixels. */
const labelStatements = (claims: Readings['claims'] | undefined): AiStatement[] =>
  claims?.label === undefined
    ? []
    : [
        {
          ...{ layer: 'visible_label', isAi: true, says: claims.label.words, place: 'atelier:AILabel' },
          ...UNSIGNED,
        },
      ];

import { DIGITAL_SOURCE_TYPE_URL } from '../vocabularies.ts';
import { textProperty } from '../xmp/make_property.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import type { XmpValue } from '../xmp/parse_xmp.ts';

/** A file's statement about the AI system that generated or altered it. */
export interface AiOrigin {
  /** Term of the IPTC vocabulary. */
  readonly sourceType?: string;
  readonly system?: string;
  readonly version?: string;
  readonly provider?: string;
  /** Time of generation or alteration, ISO 8601. */
  readonly at?: string;
  readonly id?: string;
}

/** IPTC terms for images that a trained model generated in whole or in part. */
const AI_SOURCE_TYPES = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
] as const;

export const isAiSource = (term: string): boolean => AI_SOURCE_TYPES.some((one) => one === term);

/**
 * IPTC terms for images made without a trained model. Excludes those that leave it open, such as composite, screenCapture and print. IPTC Digital
 * Source Type NewsCodes, including retired terms.
 */
const OTHER_SOURCE_TYPES: ReadonlySet<string> = new Set([
  'digitalCapture',
  'computationalCapture',
  'compositeCapture',
  'multiFrameComputationalCapture',
  'negativeFilm',
  'positiveFilm',
  'humanEdits',
  'minorHumanEdits',
  'digitalCreation',
  'digitalArt',
  'algorithmicMedia',
  'dataDrivenMedia',
  'softwareImage',
]);

/** Whether a term excludes AI; false for terms outside the vocabulary. */
export const isOtherSource = (term: string): boolean => OTHER_SOURCE_TYPES.has(term);

const WHOLLY = AI_SOURCE_TYPES[0];

/** IPTC 2025.1 does not define the provider of a system, so that property is ours. */
const PLACES = {
  provider: 'atelier:AIProvider',
  id: 'Iptc4xmpExt:DigImageGUID',
} as const;
const DATES = { made: 'xmp:CreateDate', altered: 'xmp:ModifyDate' } as const;

/** Properties that are not fields of `MetadataFields`. The creation date is kept if AI only altered the image. */
export function originProperties({ sourceType, provider, at, id }: AiOrigin): XmlElement[] {
  return [
    ...(provider ? [textProperty(PLACES.provider, provider)] : []),
    ...(at ? [textProperty(sourceType === WHOLLY ? DATES.made : DATES.altered, at)] : []),
    ...(id ? [textProperty(PLACES.id, id)] : []),
  ];
}

type Xmp = Readonly<Record<string, XmpValue>>;

function textOf(xmp: Xmp, name: string): string | undefined {
  const value = xmp[name];
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, CHARACTERS_MAX) : undefined;
}

export const readImageId = (xmp: Xmp): string | undefined => textOf(xmp, PLACES.id);

/** Undefined for a file without such a statement. */
export function readOrigin(xmp: Xmp): AiOrigin | undefined {
  const text = (name: string) => textOf(xmp, name);
  const sourceType = text('Iptc4xmpExt:DigitalSourceType')
    ?.replace(/^https:/, 'http:')
    .replace(DIGITAL_SOURCE_TYPE_URL, '');
  const system = text('Iptc4xmpExt:AISystemUsed');
  const isMachine = sourceType !== undefined && isAiSource(sourceType);
  if (!isMachine && !system) return undefined;
  const found = {
    sourceType,
    system,
    version: text('Iptc4xmpExt:AISystemVersionUsed'),
    provider: text(PLACES.provider),
    at: text(sourceType === WHOLLY ? DATES.made : DATES.altered),
    id: text(PLACES.id),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const CHARACTERS_MAX = 300;

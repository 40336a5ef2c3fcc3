import { DIGITAL_SOURCE_TYPE_URL } from '../vocabularies.ts';
import { textProperty } from '../xmp/make_property.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import type { XmpValue } from '../xmp/parse_xmp.ts';

/** What a file says about the machine that made it, or took part. */
export interface AiOrigin {
  /** Term of the IPTC vocabulary. */
  readonly sourceType?: string;
  readonly system?: string;
  readonly version?: string;
  readonly provider?: string;
  /** When it was made or altered, ISO 8601. */
  readonly at?: string;
  readonly id?: string;
}

/** Terms by which IPTC says that a trained model made the picture or a part of it. */
const AI_SOURCE_TYPES = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
] as const;

export const isAiSource = (term: string): boolean => AI_SOURCE_TYPES.some((one) => one === term);

/**
 * Terms by which IPTC says how an image came about without a trained model. Those that leave it open, such as composite,
 * screenCapture and print, are not among them. IPTC Digital Source Type NewsCodes, retired terms included.
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

/** Whether a term excludes AI; of a term outside the vocabulary nothing is known. */
export const isOtherSource = (term: string): boolean => OTHER_SOURCE_TYPES.has(term);

const WHOLLY = AI_SOURCE_TYPES[0];

/** IPTC 2025.1 has no place for the provider of a system, so that one is ours. */
const PLACES = {
  provider: 'atelier:AIProvider',
  id: 'Iptc4xmpExt:DigImageGUID',
} as const;
const DATES = { made: 'xmp:CreateDate', altered: 'xmp:ModifyDate' } as const;

/** What is no field of `MetadataFields`; the day a picture was taken stays where a machine only altered it. */
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

/** Nothing for a file that says nothing of a machine. */
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

import { createHash } from 'node:crypto';
import { COMPONENTS_MAX } from '../limits.ts';
import { COST } from '../work_budget.ts';
import type { PdfDocument } from './document.ts';
import { type IccHeader, readIccHeader } from './icc_header.ts';
import { nameOf, type PdfDictionary, PdfStream, PdfText, type PdfValue } from './values.ts';

/** ISO 32000-1, 8.6 */
export interface ColorSpace {
  readonly family: string;
  readonly components: number;
  /** Kind of colour after resolving tables and profiles. */
  readonly basis: 'gray' | 'rgb' | 'cmyk' | 'lab' | 'inks' | 'none';
  /** Colorants of Separation and DeviceN. */
  readonly inks?: readonly string[];
  /** Base of Indexed and Pattern; alternate of Separation and DeviceN. */
  readonly base?: ColorSpace;
  /** Indexed: colours of the base space, one row per index. */
  readonly lookup?: Uint8Array;
  /** Separation: the full tint in the alternate space, if its function is exponential. */
  readonly fullTint?: readonly number[];
  readonly profile?: (IccHeader & { readonly sha256: string }) | undefined;
  /** ICCBased: no valid profile was found. */
  readonly isProfileMissing?: boolean;
}

const device = (family: string, components: number, basis: ColorSpace['basis']): ColorSpace => ({
  family,
  components,
  basis,
});
export const GRAY = device('DeviceGray', 1, 'gray');
export const RGB = device('DeviceRGB', 3, 'rgb');
export const CMYK = device('DeviceCMYK', 4, 'cmyk');
const PATTERN = device('Pattern', 0, 'none');
const UNKNOWN = device('unknown', 1, 'none');

const NAMED: Record<string, ColorSpace> = {
  DeviceGray: GRAY,
  DeviceRGB: RGB,
  DeviceCMYK: CMYK,
  Pattern: PATTERN,
  G: GRAY,
  RGB,
  CMYK,
  CalGray: device('CalGray', 1, 'gray'),
  CalRGB: device('CalRGB', 3, 'rgb'),
};

const DEPTH_MAX = 8;
const BASES: Record<string, ColorSpace['basis']> = { GRAY: 'gray', RGB: 'rgb', CMYK: 'cmyk', Lab: 'lab' };

/**
 * Reads a colour space.
 * @param value a name or an array
 * @param named colour spaces of the current resources
 */
export function readColorSpace(
  document: PdfDocument,
  value: PdfValue | undefined,
  named: PdfDictionary | undefined,
  depth = 0,
): ColorSpace {
  document.work.spend(COST.resource);
  const found = document.resolve(value);
  const name = nameOf(found);
  if (depth > DEPTH_MAX) return UNKNOWN;
  if (name !== undefined) {
    const own = named?.get(name);
    if (Object.hasOwn(NAMED, name) && !(own && name.length > 4 && !name.startsWith('Device')))
      return replacedByDefault(document, NAMED[name]!, named);
    return own === undefined ? UNKNOWN : readColorSpace(document, own, named, depth + 1);
  }
  if (!Array.isArray(found)) return UNKNOWN;
  const family = nameOf(document.resolve(found[0])) ?? '';
  const read = Object.hasOwn(READERS, family) ? READERS[family] : undefined;
  const base = (of: PdfValue | undefined) => readColorSpace(document, of, named, depth + 1);
  return read ? read(document, found, base) : found.length === 1 ? base(found[0]) : UNKNOWN;
}

const DEFAULTS: Record<string, string> = {
  DeviceGray: 'DefaultGray',
  DeviceRGB: 'DefaultRGB',
  DeviceCMYK: 'DefaultCMYK',
};

/** Replaces a device space by the default space of the resources, if any. ISO 32000-1, 8.6.5.6 */
export function replacedByDefault(
  document: PdfDocument,
  space: ColorSpace,
  named: PdfDictionary | undefined,
): ColorSpace {
  const own = named?.get(DEFAULTS[space.family] ?? '');
  if (own === undefined) return space;
  // Resolved without the resources: a default that names itself would recurse without end.
  const replaced = readColorSpace(document, own, undefined);
  return replaced.components === space.components ? replaced : space;
}

type Base = (of: PdfValue | undefined) => ColorSpace;
type Reader = (document: PdfDocument, parts: readonly PdfValue[], base: Base) => ColorSpace;

const READERS: Record<string, Reader> = {
  CalGray: () => NAMED.CalGray!,
  CalRGB: () => NAMED.CalRGB!,
  Lab: () => device('Lab', 3, 'lab'),
  ICCBased: iccBased,
  Indexed: indexed,
  I: indexed,
  Pattern: (_document, [, under], base) =>
    under === undefined ? PATTERN : { ...PATTERN, base: base(under) },
  Separation: (document, [, ink, alternate, tint], base) => {
    const fullTint = document.numbers(document.dictionary(tint)?.get('C1'));
    return {
      ...device('Separation', 1, 'inks'),
      inks: [nameOf(document.resolve(ink)) ?? ''],
      base: base(alternate),
      ...(fullTint.length > 0 && { fullTint }),
    };
  },
  DeviceN: (document, [, names, alternate], base) => {
    const inks = document
      .list(names)
      .slice(0, COMPONENTS_MAX)
      .map((one) => nameOf(document.resolve(one)) ?? '');
    return { ...device('DeviceN', inks.length, 'inks'), inks, base: base(alternate) };
  },
};

/** Cache: many objects share one profile. */
const PROFILES = new WeakMap<PdfStream, ColorSpace>();

function iccBased(document: PdfDocument, [, of]: readonly PdfValue[]): ColorSpace {
  const stream = document.resolve(of);
  if (!(stream instanceof PdfStream)) return { ...device('ICCBased', 3, 'none'), isProfileMissing: true };
  const known = PROFILES.get(stream);
  if (known) return known;
  const reported = document.get(stream.dictionary, 'N');
  const isCount = Number.isInteger(reported) && Number(reported) >= 1 && Number(reported) <= COMPONENTS_MAX;
  const components = isCount ? Number(reported) : 3;
  const { data } = document.decode(stream);
  const header = readIccHeader(data);
  const byCount = ({ 1: 'gray', 4: 'cmyk' } as const)[components as 1 | 4] ?? 'rgb';
  const space: ColorSpace = {
    ...device('ICCBased', components, BASES[header?.space ?? ''] ?? byCount),
    ...(header && { profile: { ...header, sha256: createHash('sha256').update(data).digest('hex') } }),
    isProfileMissing: header === undefined,
  };
  PROFILES.set(stream, space);
  return space;
}

function indexed(document: PdfDocument, [, of, , table]: readonly PdfValue[], base: Base): ColorSpace {
  const under = base(of);
  const found = document.resolve(table);
  const lookup =
    found instanceof PdfText
      ? found.bytes
      : found instanceof PdfStream
        ? document.decode(found, 256 * COMPONENTS_MAX).data
        : new Uint8Array(0);
  return { ...device('Indexed', 1, under.basis), base: under, lookup };
}

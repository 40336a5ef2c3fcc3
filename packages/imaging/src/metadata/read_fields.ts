import type { FieldName, MetadataFields } from './fields.ts';
import { PLACES } from './fields.ts';
import { DATA_MINING_URL, DIGITAL_SOURCE_TYPE_URL } from './vocabularies.ts';
import type { XmpValue } from './xmp/parse_xmp.ts';

interface Sources {
  readonly xmp: Readonly<Record<string, XmpValue>>;
  readonly iim: Readonly<Record<string, readonly string[]>>;
  readonly exif: Readonly<Record<number, string>>;
  readonly texts: Readonly<Record<string, string>>;
}

/** Fields under Atelier names: from XMP, else IIM, else Exif, else PNG texts. */
export function readFields(sources: Sources): MetadataFields {
  const entries = Object.keys(PLACES).flatMap((name) => {
    const value = fieldIn(sources, name as FieldName);
    return value === undefined || value.length === 0 ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as MetadataFields;
}

function fieldIn({ xmp, iim, exif, texts }: Sources, name: FieldName): string | string[] | undefined {
  const place = PLACES[name];
  const isList = place.kind === 'bag' || place.kind === 'sequence';
  const fromXmp = xmp[place.xmp];
  if (fromXmp !== undefined) return isList ? listOf(fromXmp) : wordOf(place.kind, fromXmp);
  const fromIim = place.iim && iim[place.iim[0]];
  if (fromIim) return isList ? [...fromIim] : fromIim[0];
  const one = (place.exif && exif[place.exif]) || (place.png && texts[place.png]) || undefined;
  return isList && one !== undefined ? one.split(/\s*;\s*/).filter(Boolean) : one;
}

function wordOf(kind: string, value: XmpValue): string | undefined {
  if (kind === 'owner') return ownerOf(value);
  const text = textOf(value);
  if (kind === 'source_type') return dropStart(text, DIGITAL_SOURCE_TYPE_URL);
  return kind === 'data_mining' ? dropStart(text, DATA_MINING_URL) : text;
}

const dropStart = (text: string | undefined, start: string): string | undefined =>
  text?.replace(/^https:/, 'http:').startsWith(start)
    ? text.replace(/^https:/, 'http:').slice(start.length)
    : text;

/** Names of the PLUS copyright owners, which are a list of structures. */
function ownerOf(value: XmpValue): string | undefined {
  const owners = Array.isArray(value) ? (value as readonly XmpValue[]) : [value];
  const names = owners.flatMap((owner) => {
    const name =
      typeof owner === 'object' && !Array.isArray(owner)
        ? (owner as Record<string, XmpValue>)['plus:CopyrightOwnerName']
        : owner;
    return typeof name === 'string' && name ? [name] : [];
  });
  return names.length > 0 ? names.join('; ') : undefined;
}

/** One text: the default language of several, the first of a list. */
function textOf(value: XmpValue | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (Array.isArray(value)) return textOf(value[0]);
  const languages = value as Record<string, XmpValue>;
  return textOf(languages['x-default'] ?? Object.values(languages)[0]);
}

const listOf = (value: XmpValue): string[] =>
  (Array.isArray(value) ? (value as readonly XmpValue[]) : [value]).flatMap((item) => textOf(item) ?? []);

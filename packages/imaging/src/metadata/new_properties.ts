import { type FieldName, type MetadataFields, PLACES } from './fields.ts';
import type { NewTexts } from './iim/write_iim.ts';
import type { IfdChange } from './tiff/ifd.ts';
import { DATA_MINING_URL, DIGITAL_SOURCE_TYPE_URL } from './vocabularies.ts';
import { languageProperty, listProperty, structuresProperty, textProperty } from './xmp/make_property.ts';
import type { XmlElement } from './xmp/parse_xml.ts';

type Entry = readonly [name: FieldName, texts: readonly string[]];

/** Fields with at least one text. Without a copyright notice, the name of the holder is used. */
function entriesOf(fields: MetadataFields): Entry[] {
  const { copyright_holder: holder, copyright_notice: notice = holder } = fields;
  const all = { ...fields, ...(notice !== undefined && { copyright_notice: notice }) };
  return Object.entries(all).flatMap(([name, value]) => {
    const texts = (Array.isArray(value) ? value : [value]).filter(
      (text) => typeof text === 'string' && text !== '',
    );
    return texts.length > 0 ? [[name as FieldName, texts] as const] : [];
  });
}

/** The fields as XMP properties. */
export function newProperties(fields: MetadataFields): XmlElement[] {
  const entries = entriesOf(fields);
  const properties = entries.map(([name, texts]) => property(name, texts));
  const hasNotice = entries.some(([name]) => name === 'copyright_notice');
  return hasNotice ? [...properties, textProperty('xmpRights:Marked', 'True')] : properties;
}

function property(name: FieldName, texts: readonly string[]): XmlElement {
  const { xmp, kind } = PLACES[name];
  const [text] = texts as [string];
  switch (kind) {
    case 'language':
      return languageProperty(xmp, text);
    case 'bag':
      return listProperty(xmp, 'rdf:Bag', texts);
    case 'sequence':
      return listProperty(xmp, 'rdf:Seq', texts);
    case 'owner':
      return structuresProperty(xmp, 'plus:CopyrightOwnerName', texts);
    case 'source_type':
      return textProperty(xmp, addressOf(text, DIGITAL_SOURCE_TYPE_URL));
    case 'data_mining':
      return textProperty(xmp, addressOf(text, DATA_MINING_URL));
    case 'text':
      return textProperty(xmp, text);
  }
}

const addressOf = (term: string, vocabulary: string): string =>
  /^https?:/.test(term) ? term : vocabulary + term;

/** Fields as texts of IPTC-IIM, except those that IIM does not define. */
export const newIimTexts = (fields: MetadataFields): (NewTexts & { field: FieldName })[] =>
  entriesOf(fields).flatMap(([field, texts]) => {
    const [name, bytesMax] = PLACES[field].iim ?? [];
    if (name === undefined || bytesMax === undefined) return [];
    // IIM dates have eight digits; zeros stand for unknown parts.
    return [
      {
        field,
        name,
        bytesMax,
        texts: field === 'creation_year' ? texts.map((year) => `${year}0000`) : texts,
      },
    ];
  });

/** Fields as Exif tags, with UTF-8 in the ASCII type as MWG requires. */
export const newExifChanges = (fields: MetadataFields): IfdChange[] =>
  entriesOf(fields).flatMap(([field, texts]) => {
    const { exif: tag } = PLACES[field];
    if (tag === undefined) return [];
    const text = texts.join('; ').toWellFormed().replaceAll('\0', '');
    return [{ tag, type: 2 as const, data: Buffer.from(`${text}\0`) }];
  });

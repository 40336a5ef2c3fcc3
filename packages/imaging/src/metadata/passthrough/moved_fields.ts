import { type FieldName, type MetadataFields, PLACES } from '../fields.ts';
import { newProperties } from '../new_properties.ts';
import { readMetadata } from '../read_metadata.ts';
import { textProperty } from '../xmp/make_property.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import type { Account, Keep } from './carried.ts';
import { type Container, hasPlaceFor } from './containers.ts';
import { iimAsXmp } from './iim_as_xmp.ts';
import type { Source } from './read_source.ts';

interface Moving {
  /** The picture as it was sent. */
  readonly from: Uint8Array;
  readonly keep: Keep;
  readonly container: Container;
  /** XMP that goes over already: what it says stands. */
  readonly carried: readonly XmlElement[];
  /** IPTC-IIM that would go over. */
  readonly iim: Uint8Array | undefined;
  readonly account: Account;
}

/** Fields that stand where the container of the result has no place for them, as XMP. */
export function movedFields(
  { texts, exif }: Pick<Source, 'texts' | 'exif'>,
  { from, keep, container, carried, iim, account }: Moving,
): XmlElement[] {
  const lacks = (block: Parameters<typeof hasPlaceFor>[1]) => !hasPlaceFor(container, block);
  const lost = {
    iim: lacks('iim') ? iim : undefined,
    texts: lacks('texts') ? texts : undefined,
    exif: lacks('exif') ? exif : undefined,
  };
  if (!lost.iim && !lost.texts && !lost.exif) return [];
  const names = new Set(carried.map(qualifiedName));
  const fields = Object.entries(readMetadata(from).fields).filter(
    ([name]) =>
      !names.has(PLACES[name as FieldName].xmp) && (keep === 'all' || RIGHTS.has(name as FieldName)),
  );
  const own = Object.fromEntries(fields) as MetadataFields;
  const year = own.creation_year && dateOf(own.creation_year);
  return [
    ...newProperties({ ...own, ...(year && { creation_year: year }) }),
    ...(lost.iim ? fromIim(lost.iim, { names, container, account }) : []),
    ...(lost.texts ? fromTexts(lost.texts, { names, keep, container, account }) : []),
  ];
}

/** IIM writes a date as eight digits, zeros for what is not known; XMP as far as it is known. */
const dateOf = (text: string): string => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (!year) return text;
  return [year, month, day].filter((part) => part !== '00').join('-');
};

interface Told extends Pick<Moving, 'container' | 'account'> {
  /** Of properties that are there already. */
  readonly names: ReadonlySet<string>;
}

function fromIim(iim: Uint8Array, { names, container, account }: Told): XmlElement[] {
  const { properties, nameless } = iimAsXmp(iim, names);
  account.kept.delete('iptc_iim');
  account.changed.set('iptc_iim', `${container} has no place for it: its fields are in XMP`);
  if (nameless.length > 0)
    account.dropped.set('iptc_iim.others', `XMP has no name for ${nameless.slice(0, NAMED_MAX).join(', ')}`);
  return properties;
}

function fromTexts(
  texts: Readonly<Record<string, string>>,
  { names, keep, container, account }: Told & { keep: Keep },
): XmlElement[] {
  const others = Object.entries(texts).filter(([keyword]) => !KEYWORDS.has(keyword));
  const prompt =
    keep === 'all' && !names.has(PLACES.ai_prompt.xmp)
      ? others.find(([keyword]) => PROMPT_KEYWORDS.includes(keyword))
      : undefined;
  const lost = others.filter((text) => text !== prompt).map(([keyword]) => keyword);
  if (Object.keys(texts).length > lost.length)
    account.changed.set('png_text', `${container} has no place for it: it is in XMP`);
  if (lost.length > 0)
    account.dropped.set(
      'png_text',
      `${container} has no place for ${lost.slice(0, NAMED_MAX).join(', ').slice(0, 200)}`,
    );
  return prompt ? [textProperty(PLACES.ai_prompt.xmp, prompt[1])] : [];
}

/** Lost ones named in one answer. */
const NAMED_MAX = 10;
const RIGHTS: ReadonlySet<FieldName> = new Set<FieldName>([
  ...(['creator', 'copyright_notice', 'copyright_holder', 'credit', 'usage_terms', 'rights_url'] as const),
  ...(['digital_source_type', 'data_mining', 'data_mining_constraints'] as const),
  ...(['ai_system', 'ai_system_version'] as const),
]);
const KEYWORDS = new Set(Object.values(PLACES).flatMap(({ png }) => (png ? [png] : [])));
/** Where generators note what they were asked for. */
const PROMPT_KEYWORDS = ['parameters', 'prompt', 'Dream', 'invokeai_metadata'];

import { createHash } from 'node:crypto';
import type { MetadataFields } from '../fields.ts';
import { newProperties } from '../new_properties.ts';
import { readMetadata } from '../read_metadata.ts';
import { isAiSource } from '../rights/origin.ts';
import { element, languageProperty, listProperty, structureBag, textProperty } from '../xmp/make_property.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';

/** Rights and origin of an image that is shown in another, from its own metadata. */
export interface Ingredient {
  /** Path in the request: `layers.0`. */
  readonly layer: string;
  /** SHA-256 of the file, as 64 hex digits. */
  readonly sha256: string;
  readonly fields: MetadataFields;
  /** Whether a trained model generated all or part of it. */
  readonly isAi: boolean;
  readonly hasManifest: boolean;
}

/** Maximum characters copied per text. */
const TEXT_CHARACTERS_MAX = 500;
/** Maximum ingredients listed per file. */
const NAMED_MAX = 50;

/** IPTC digital source type of an image that contains AI-generated content. */
const COMPOSITE_WITH_AI = 'compositeWithTrainedAlgorithmicMedia';

/** Reads files without decoding pixels. Never throws. */
export const readIngredients = (files: Readonly<Record<string, Uint8Array>>): Ingredient[] =>
  Object.entries(files).map(([layer, bytes]) => {
    const { fields, hasManifest } = readMetadata(bytes);
    const source = fields.digital_source_type?.split('/').at(-1) ?? '';
    return {
      layer,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      fields,
      isAi: isAiSource(source) || fields.ai_system !== undefined,
      hasManifest,
    };
  });

/** Whether the image names an owner or terms of use. */
const hasRights = ({ fields }: Ingredient): boolean =>
  [
    fields.creator?.[0],
    noticeOf(fields),
    fields.usage_terms,
    fields.rights_url,
    fields.credit,
    fields.data_mining,
  ].some(Boolean);

/** An ingredient in the form used in responses. */
export const ingredientFacts = (ingredient: Ingredient) => ({
  layer: ingredient.layer,
  rights: hasRights(ingredient),
  ai: ingredient.isAi,
  c2pa: ingredient.hasManifest,
});

const noticeOf = ({ copyright_notice: notice, copyright_holder: holder }: MetadataFields) => notice ?? holder;

/**
 * Adds the ingredients to the properties of an image: each as an IPTC artwork or object in the image and as an XMP ingredient with its SHA-256; the
 * strictest data mining term; and any AI involvement.
 */
export function withIngredients(
  own: readonly XmlElement[],
  ingredients: readonly Ingredient[],
): readonly XmlElement[] {
  const listed = ingredients
    .filter((one) => one.isAi || one.hasManifest || hasRights(one))
    .slice(0, NAMED_MAX);
  return listed.length === 0 ? own : ingredientProperties(listed).reduce(add, own);
}

function ingredientProperties(listed: readonly Ingredient[]): XmlElement[] {
  const withRights = listed.filter(hasRights);
  const ofAi = listed.filter(({ isAi }) => isAi);
  const systems = [...new Set(ofAi.flatMap(({ fields }) => fields.ai_system ?? []))];
  const mining = strictest(listed.flatMap(({ fields }) => fields.data_mining ?? []));
  const fields: MetadataFields = {
    ...(mining && { data_mining: mining }),
    ...(ofAi.length > 0 && { digital_source_type: COMPOSITE_WITH_AI }),
    ...(systems.length > 0 && { ai_system: short(systems.join('; ')) }),
  };
  return [
    ...newProperties(fields),
    ...(withRights.length > 0
      ? [structureBag('Iptc4xmpExt:ArtworkOrObject', withRights.map(artworkOf))]
      : []),
    structureBag('xmpMM:Ingredients', listed.map(referenceOf)),
  ];
}

/** IPTC Photo Metadata 2025.1, Artwork or Object in the Image. */
function artworkOf({ fields }: Ingredient): XmlElement[] {
  const notice = [noticeOf(fields), fields.usage_terms, fields.rights_url].filter(Boolean).join('. ');
  return [
    ...(fields.title ? [languageProperty('Iptc4xmpExt:AOTitle', short(fields.title))] : []),
    ...(fields.creator?.length
      ? [listProperty('Iptc4xmpExt:AOCreator', 'rdf:Seq', fields.creator.slice(0, 10).map(short))]
      : []),
    ...(notice ? [textProperty('Iptc4xmpExt:AOCopyrightNotice', short(notice))] : []),
    ...(fields.credit ? [textProperty('Iptc4xmpExt:AOSource', short(fields.credit))] : []),
  ];
}

/** XMP part 2, ResourceRef. */
const referenceOf = ({ layer, sha256 }: Ingredient): XmlElement[] => [
  textProperty('stRef:documentID', `sha256:${sha256}`),
  textProperty('stRef:fromPart', layer),
];

const short = (text: string): string => text.slice(0, TEXT_CHARACTERS_MAX);

/** The only prohibition, or that of all data mining if several differ. */
function strictest(terms: readonly string[]): string | undefined {
  const prohibited = [...new Set(terms.map((term) => term.split('DMI-').at(-1)!))].filter((term) =>
    term.startsWith('PROHIBITED'),
  );
  return prohibited.length > 1 ? 'PROHIBITED' : prohibited[0];
}

const LISTS = ['Iptc4xmpExt:ArtworkOrObject', 'xmpMM:Ingredients'];
const SOURCE_TYPE = 'Iptc4xmpExt:DigitalSourceType';
const MINING = 'plus:DataMining';

/** The image's own value takes precedence, unless an ingredient is stricter: it prohibits a use, or involves AI. */
function add(own: readonly XmlElement[], added: XmlElement): readonly XmlElement[] {
  const name = qualifiedName(added);
  const at = own.findIndex((property) => qualifiedName(property) === name);
  const there = own[at];
  if (!there) return [...own, added];
  if (LISTS.includes(name)) return own.with(at, { ...there, children: joinedList(there, added) });
  const said = there.text;
  const isStronger =
    (name === SOURCE_TYPE && !isAiSource(said.split('/').at(-1)!)) ||
    (name === MINING && !said.includes('PROHIBITED'));
  return isStronger ? own.with(at, added) : own;
}

/** Merges the entries of two lists. */
function joinedList(there: XmlElement, added: XmlElement): XmlElement[] {
  const entries = [there, added].flatMap(({ children }) => children.flatMap((list) => list.children));
  return [element('rdf:Bag', { children: entries.slice(0, NAMED_MAX) })];
}

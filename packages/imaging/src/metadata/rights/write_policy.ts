import { element, structureProperty, textProperty } from '../xmp/make_property.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import type { RightsPolicy, RslLicence } from './policy.ts';

/** Properties that speak about machines. They are replaced together, so that none is left to contradict the others. */
export const USE_PROPERTIES = [
  'plus:DataMining',
  'plus:OtherConstraints',
  'tdm:reservation',
  'tdm:policy',
  'rsl:rsl',
] as const;

/** A policy as XMP properties: those that are no fields of `MetadataFields`. */
export function policyProperties({ licensor, tdm, rsl }: RightsPolicy): XmlElement[] {
  return [
    ...(licensor ? [structureProperty('plus:Licensor', licensorParts(licensor))] : []),
    ...(tdm ? [textProperty('tdm:reservation', String(tdm.reservation))] : []),
    ...(tdm?.policy ? [textProperty('tdm:policy', tdm.policy)] : []),
    ...(rsl ? [licenceElement(rsl)] : []),
  ];
}

function licensorParts({ name, email, url }: NonNullable<RightsPolicy['licensor']>): Record<string, string> {
  return {
    ...(name && { 'plus:LicensorName': name }),
    ...(email && { 'plus:LicensorEmail': email }),
    ...(url && { 'plus:LicensorURL': url }),
  };
}

/** One term in an element, as drafts and RSL 1.0 part several by different signs. */
function licenceElement({ url, permits, prohibits, holder, terms }: RslLicence): XmlElement {
  const usage = (name: string) => (term: string) =>
    element(name, { text: term, attributes: [plainAttribute('type', 'usage')] });
  const license = element('rsl:license', {
    children: [...permits.map(usage('rsl:permits')), ...prohibits.map(usage('rsl:prohibits'))],
  });
  const content = element('rsl:content', {
    attributes: [plainAttribute('url', url)],
    children: [
      license,
      ...(holder ? [element('rsl:copyright', { text: holder })] : []),
      ...(terms ? [element('rsl:terms', { text: terms })] : []),
    ],
  });
  return element('rsl:rsl', { children: [content] });
}

const plainAttribute = (name: string, value: string) => ({ uri: '', name, prefix: '', value });

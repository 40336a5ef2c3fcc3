/**
 * Namespaces by their conventional prefix. Sources: XMP parts 1 and 2, IPTC Photo Metadata 2025.1, PLUS LDF 2.0.1, TDMRep (W3C community group,
 * 2024-05-10, 6.6) and RSL 1.0.
 */
export const NAMESPACES = {
  x: 'adobe:ns:meta/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xml: 'http://www.w3.org/XML/1998/namespace',
  dc: 'http://purl.org/dc/elements/1.1/',
  dcterms: 'http://purl.org/dc/terms/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpMM: 'http://ns.adobe.com/xap/1.0/mm/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  xmpNote: 'http://ns.adobe.com/xmp/note/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  crs: 'http://ns.adobe.com/camera-raw-settings/1.0/',
  stEvt: 'http://ns.adobe.com/xap/1.0/sType/ResourceEvent#',
  stRef: 'http://ns.adobe.com/xap/1.0/sType/ResourceRef#',
  Iptc4xmpCore: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  plus: 'http://ns.useplus.org/ldf/xmp/1.0/',
  tdm: 'http://www.w3.org/ns/tdmrep/',
  rsl: 'https://rslstandard.org/rsl',
  atelier: 'urn:atelier:xmp:1.0:',
} as const;

export type Prefix = keyof typeof NAMESPACES;

const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMESPACES).map(([prefix, uri]) => [uri, prefix]),
);

export const prefixOf = (uri: string): string | undefined => PREFIXES.get(uri);

/** `dc:title`, whatever prefix the file uses; `{uri}name` for unknown namespaces. */
export const qualifiedName = ({ uri, name }: { uri: string; name: string }): string => {
  const prefix = prefixOf(uri);
  if (prefix) return `${prefix}:${name}`;
  return uri ? `{${uri}}${name}` : name;
};

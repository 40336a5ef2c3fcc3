import { textProperty } from '../xmp/make_property.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import { type Account, type CarryWish, NOT_RIGHTS } from './carried.ts';

/** Properties that say whose a picture is, what may be done with it and whether a machine made it. */
const RIGHTS = new RegExp(
  `^(${[
    ...['dc:rights', 'dc:creator', 'xmpRights:\\w+', 'plus:\\w+', 'dcterms:(license|rights|rightsHolder)'],
    ...['photoshop:(Credit|Source|AuthorsPosition)', 'Iptc4xmpCore:CreatorContactInfo'],
    'Iptc4xmpExt:(DigitalSourceType|DigitalSourceFileType|AI\\w+|ArtworkOrObject|Contributor)',
    '\\{http://creativecommons\\.org/ns#\\}\\w+',
    '(rsl|tdm):[\\w-]+',
  ].join('|')})$`,
);

/** Where the camera stood. Places a picture shows (city, country, LocationShown) are what it is about, and stay. */
const LOCATION = /^(exif:GPS\w+|Iptc4xmpExt:LocationCreated)$/;

/** What told of the old file and would be wrong of the new one. */
const OUTDATED: readonly (readonly [pattern: RegExp, what: string, why: string])[] = [
  [/^xmp:Thumbnails$/, 'xmp.thumbnails', 'they showed the picture as it was'],
  [
    /^\{http:\/\/ns\.google\.com\/photos\/1\.0\/(depthmap|image|audio|camera)\/\}/,
    'xmp.phone_extras',
    'depth, sound and motion lie behind the old picture',
  ],
  [
    /^\{http:\/\/ns\.google\.com\/photos\/1\.0\/container\/\}|^\{http:\/\/ns\.adobe\.com\/hdr-gain-map\/1\.0\/\}|^\{http:\/\/ns\.apple\.com\/HDRGainMap\/1\.0\/\}/,
    '',
    '',
  ],
  [/^(photoshop:(ICCProfile|ColorMode)|dcterms:provenance|xmpNote:HasExtendedXMP)$/, '', ''],
];

interface Target {
  readonly width: number;
  readonly height: number;
  readonly isSrgb: boolean;
}

/** The XMP properties that go over, those about size and orientation put right. Of one that is there twice the first counts. */
export function carriedProperties(
  properties: readonly XmlElement[],
  { keep, keepLocation }: Pick<CarryWish, 'keep' | 'keepLocation'>,
  { target, account }: { target: Target; account: Account },
): XmlElement[] {
  const rewritten = sizeOf(target);
  const seen = new Set<string>();
  let others = 0;
  const carried = properties.flatMap((property) => {
    const name = qualifiedName(property);
    if (seen.has(name)) return [];
    seen.add(name);
    const outdated = OUTDATED.find(([pattern]) => pattern.test(name));
    if (outdated) {
      if (outdated[1]) account.dropped.set(outdated[1], outdated[2]);
      return [];
    }
    if (LOCATION.test(name) && !keepLocation) {
      account.dropped.set('xmp.location', 'where it was taken is kept only with keep_location');
      return [];
    }
    if (keep === 'rights' && !RIGHTS.test(name)) {
      others += 1;
      return [];
    }
    const value = rewritten[name];
    return value === undefined ? [property] : [textProperty(name, value)];
  });
  if (others > 0) account.dropped.set('xmp', `${NOT_RIGHTS}: ${others} other properties went`);
  if (carried.length > 0) account.kept.add('xmp');
  return carried;
}

const sizeOf = ({ width, height, isSrgb }: Target): Readonly<Record<string, string>> => ({
  'tiff:Orientation': '1',
  'tiff:ImageWidth': String(width),
  'tiff:ImageLength': String(height),
  'exif:PixelXDimension': String(width),
  'exif:PixelYDimension': String(height),
  'exif:ColorSpace': isSrgb ? '1' : '65535',
});

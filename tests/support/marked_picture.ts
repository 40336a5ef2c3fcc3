import { sharp } from '@atelier/imaging/codecs/sharp.ts';

export const HOLDER = 'Jane Doe of Wien';
const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:plus="http://ns.useplus.org/ldf/xmp/1.0/"
 xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
 xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:own="urn:somebody:else" photoshop:City="Wien" exif:GPSLatitude="48,12.5N" own:note="kept as well"
 Iptc4xmpExt:AISystemUsed="Painter 9" Iptc4xmpExt:DigitalSourceType="${SOURCE_TYPE}" plus:DataMining="http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED">
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© ${HOLDER}</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** Texts in the XMP of an image that keeps its marks. */
export const MARKS = [HOLDER, SOURCE_TYPE, 'DMI-PROHIBITED', 'Painter 9'];

type Format = 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif';

/**
 * A generated image on its side, as saved by a phone: marks in XMP, an author and coordinates in Exif, a
 * profile other than sRGB.
 * Written by sharp (libvips and libexif), independently of the code under test; its TIFF files have no Exif.
 */
export const markedPicture = (format: Format, { width = 96, height = 64 } = {}): Promise<Buffer> => {
  const samples = Buffer.from(
    Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      const isObject = Math.hypot(x - width / 2, y - height / 2) < height / 3;
      return isObject ? [190, 40 + (x % 9), 30] : [225 + (y % 5), 222, 200];
    }).flat(),
  );
  return sharp(samples, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .withExif({
      IFD0: { Artist: HOLDER, Copyright: `(c) ${HOLDER}`, Make: 'Camera' },
      IFD2: { ExposureTime: '1/125' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 12/1 30/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '16/1 21/1 59/1',
      },
    })
    .withXmp(XMP)
    .toFormat(format)
    .toBuffer();
};

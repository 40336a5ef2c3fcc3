import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { expect, test } from 'vitest';
import { runCompose } from './run_compose.ts';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">Jane &amp; Co</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`;

test.each(['pdf', 'svg'] as const)('rights of layer images are copied to %s', async (format) => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#a00' } });
  const { bytes } = await runCompose({
    canvas: { width: 40, height: 40, dpi: 96, background: 'white' },
    layers: [{ type: 'image', image: 'photo' }],
    images: { photo: await image.withXmp(XMP).png().toBuffer() },
    format,
  });
  expect(Buffer.from(bytes).toString()).toContain('Jane &amp; Co');
});

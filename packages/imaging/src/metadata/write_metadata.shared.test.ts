import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { exiftool } from '../../../../tests/support/exiftool.ts';
import { sharedPictures } from '../../../../tests/support/shared_pictures.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { EngineError } from '../errors/engine_error.ts';
import { readMetadata } from './read_metadata.ts';
import { writeMetadata } from './write_metadata.ts';

const SHARED = resolve(import.meta.dirname, '../../../../../shared/fixtures');

const REPLACED =
  /XMP-dc:(Title|Subject)|IPTC:(ObjectName|Keywords|CodedCharacterSet|ApplicationRecordVersion)|WebP_Flags|IPTCDigest|^File|^System|^ExifTool|XMPToolkit|^SourceFile|XMP-rdf:About|^IFD1:ThumbnailOffset|^APP14|^IFD0:(XMP|IPTC|Xiph)|ExifByteOrder|^JUMBF|^CBOR|^JSON|^C2PA|^Jpeg2000|provenance|Provenance/i;

test.each(globSync('metadata/{iptc,exiftool,c2pa}/*.{jpg,png,webp}', { cwd: SHARED }))(
  '%s: ExifTool reads all other properties unchanged',
  needs('ExifTool'),
  (path) => {
    const bytes = readFileSync(resolve(SHARED, path));
    const others = (read: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(read).filter(([tag]) => !REPLACED.test(tag)));
    const { bytes: written, notes } = writeMetadata(bytes, { title: 'New', keywords: ['one', 'two'] });
    const after = exiftool(written);
    expect(others(after)).toEqual(others(exiftool(bytes)));
    expect([after['XMP-dc:Title'], after['XMP-dc:Subject']]).toEqual(['New', ['one', 'two']]);
    expect(notes).toEqual([]);
  },
);

test.each(['C', 'XCA'])(
  'the manifest of %s no longer matches the bytes and is removed',
  needs('../shared'),
  (name) => {
    const bytes = readFileSync(resolve(SHARED, `metadata/c2pa/adobe-20220124-${name}.jpg`));
    const written = writeMetadata(bytes, { title: 'New' });
    expect(written.droppedManifest).toBe(true);
    expect(readMetadata(written.bytes)).toMatchObject({ hasManifest: false });
    expect(readMetadata(written.bytes).xmp).not.toHaveProperty('dcterms:provenance');
  },
);

test('broken third-party images are rejected or written without a crash', needs('../shared'), () => {
  for (const { name, bytes } of sharedPictures()) {
    try {
      expect(readMetadata(writeMetadata(bytes, { title: 'x' }).bytes).fields.title).toBe('x');
    } catch (error) {
      if (!(error instanceof EngineError)) throw new Error(`${name}: ${error}`, { cause: error });
    }
  }
});

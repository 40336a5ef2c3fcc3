import { expect, test } from 'vitest';
import { CONVERT_RESOURCES } from '../../../../../tests/support/decoder_resources.ts';
import { exiftool } from '../../../../../tests/support/exiftool.ts';
import { HOLDER, MARKS, markedPicture } from '../../../../../tests/support/marked_picture.ts';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import { sharp } from '../../codecs/sharp.ts';
import { convertImage } from '../../convert/convert_image.ts';
import type { OutputFormat } from '../../encoders/formats.ts';
import { carryMetadata } from './carry_metadata.ts';

async function carriedInto(format: OutputFormat) {
  const from = await markedPicture('jpeg');
  const bare = await convertImage({ bytes: from, format, frames: 'all' }, CONVERT_RESOURCES);
  const wish = { keep: 'all', keepLocation: false, shows: 'whole' } as const;
  return { bare, ...(await carryMetadata({ file: from, picture: from }, bare, wish)) };
}
const WITH_XMP = ['avif', 'gif', 'tiff', 'apng', 'pdf'] as const;

test.each(WITH_XMP)('rights and AI metadata is copied into a %s', async (format) => {
  const { bytes, metadata } = await carriedInto(format);
  const text = Buffer.from(bytes).toString();
  expect(MARKS.filter((mark) => !text.includes(mark))).toEqual([]);
  expect(metadata.kept).toContain('xmp');
});

test.each(['avif', 'apng'] as const)('camera metadata is copied into a %s', async (format) => {
  const { bytes, metadata } = await carriedInto(format);
  const { exif } = await sharp(bytes).metadata();
  expect(exif?.toString('latin1')).toContain(HOLDER);
  expect(metadata.kept).toEqual(['xmp', 'exif']);
});

test.each(['avif', 'gif', 'tiff', 'apng'] as const)(
  'adding metadata does not change the pixels of a %s',
  async (format) => {
    const { bare, bytes } = await carriedInto(format);
    const [before, after] = await Promise.all(
      [bare.bytes, bytes].map((file) => sharp(file).raw().toBuffer()),
    );
    expect(Buffer.compare(before!, after!)).toBe(0);
  },
);

test('an icon cannot hold metadata, and the loss is reported', async () => {
  const { bare, bytes, metadata } = await carriedInto('ico');
  expect(bytes).toBe(bare.bytes);
  expect(metadata.kept).toEqual([]);
  expect(metadata.dropped).toContainEqual({ what: 'xmp', why: 'ico does not support it' });
});

test.each(WITH_XMP)('ExifTool reads the XMP of a %s without warnings', needs('ExifTool'), async (format) => {
  const { 'ExifTool:Warning': warning, ...read } = exiftool((await carriedInto(format)).bytes);
  expect(warning).toBeUndefined();
  expect(JSON.stringify(read)).toContain(HOLDER);
});

import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { type InspectedFile, inspectFile } from '@atelier/imaging/intake/inspect_file.ts';
import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
import { inspectImage } from './inspect_image.ts';

const scene = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 4, background: '#c04020a0' } });

const PLACE = { x: 0.25, y: 0.5, width: 0.5, height: 0.1 };

/** What the tool answers about bytes, on a server with the networks named. */
async function inspected(
  bytes: Uint8Array,
  more: object = {},
  { reader, ...eyes }: Record<string, object> = {},
) {
  const warnings: string[] = [];
  const asked: object[] = [];
  const run = async (engine: string, input: { bytes: Uint8Array; networks?: object }) => {
    if (engine === 'inspect') return inspectFile(input) satisfies InspectedFile;
    asked.push(input.networks!);
    return 'objects' in input.networks!
      ? { objects: [{ kind: 'person', ...PLACE, score: 0.7 }], subjects: [] }
      : { faces: [{ ...PLACE, score: 0.987 }] };
  };
  const services = {
    pixels: { run },
    models: { eyes: async () => eyes, textReader: async () => reader },
  } as never;
  const { find } = inspectImage.input.parse(coerceInput(inspectImage.input, { image: 'x', ...more }).sent);
  const image: SourceImage = { bytes, format: 'png', width: 40, height: 30 };
  const call = quietCall({ warn: (text) => warnings.push(text) });
  const output = await inspectImage.run({ image, find }, services, call);
  expect(inspectImage.output.strict().safeParse(output).error).toBeUndefined();
  return { output, warnings, asked };
}

test('a typical image is described in fields and in a sentence', async () => {
  const { output } = await inspected(await scene().png().toBuffer());
  expect(output).toMatchObject({
    format: 'png',
    width: 40,
    height: 30,
    color: { space: 'sRGB', model: 'rgb', bits: 8 },
    transparency: 'alpha',
    hdr: null,
    pages: null,
    animation: null,
    has_location: false,
    notes: [],
    found: {},
  });
  expect(output.summary).toBe('PNG, 40 × 30 px, sRGB, 8 bits a sample; with transparency; no location.');
});

test('a rotated photograph is described as displayed, with its location and profile', async () => {
  const bytes = await scene()
    .flatten()
    .withExif({
      IFD0: { Copyright: 'A. Person' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
    })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  const { output } = await inspected(bytes);
  expect(output).toMatchObject({
    width: 30,
    height: 40,
    has_location: true,
    file: { stored_width: 40, orientation: 6 },
  });
  expect(output.color.stated_by).toBe('icc');
  expect(output.color.space).toMatch(/P3/);
});

test('frames are counted, and the notes say which one is used', async () => {
  const frames = Buffer.from(Uint8Array.from({ length: 2 * 6 * 3 }, (_, at) => at * 7));
  const gif = await sharp(frames, { raw: { width: 2, height: 6, channels: 3, pageHeight: 2 } })
    .gif({ delay: [100, 100, 100], loop: 2 })
    .toBuffer();
  const { output } = await inspected(gif);
  expect(output.animation).toMatchObject({ frames: 3, duration_ms: 300 });
  expect(output.notes).toEqual(['The file is an animation of 3 frames; frame 1 was used.']);
});

test('faces are boxes in pixels, and missing models are reported', async () => {
  const bytes = await scene().png().toBuffer();
  const { output, warnings, asked } = await inspected(bytes, { find: ['faces', 'text'] }, { faces: {} });
  expect(output.found).toEqual({ faces: [{ x: 10, y: 15, width: 20, height: 3, confidence: 0.99 }] });
  expect(asked).toEqual([{ faces: {} }]);
  expect(warnings[0]).toMatch(/^Not detected: text\. No network/);
});

test('people and vehicles are labelled boxes; the tagger runs, and adds no unrequested output', async () => {
  const networks = { objects: { name: 'nanodet' }, tagger: { name: 'tagger' } };
  const bytes = await scene().png().toBuffer();
  const { output, asked } = await inspected(bytes, { find: 'objects' }, networks);
  expect(asked).toEqual([networks]);
  const box = { x: 10, y: 15, width: 20, height: 3 };
  expect(output.found).toEqual({ objects: [{ name: 'person', ...box, confidence: 0.7 }] });
});

test('without the tagger a warning says that vehicles are not named', async () => {
  const networks = { objects: { name: 'nanodet' } };
  const { warnings } = await inspected(await scene().png().toBuffer(), { find: ['objects'] }, networks);
  expect(warnings).toEqual([expect.stringMatching(/^Vehicles are not named .*pull tagger/)]);
});

test('text is detected by the text reader if it is installed', async () => {
  const networks = { writing: { name: 'text_detection' }, reader: { detection: {} } };
  const { asked, warnings } = await inspected(await scene().png().toBuffer(), { find: ['text'] }, networks);
  expect(asked).toEqual([{ reader: networks.reader }]);
  expect(warnings).toEqual([]);
});

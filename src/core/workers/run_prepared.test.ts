import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import { expect, test } from 'vitest';
import { runPrepared } from './run_prepared.ts';

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#c84' } });
const echo = (input: unknown) => input as { bytes: Uint8Array; sentFile?: { bytes: Uint8Array } };
const quiet = () => {};

test('an engine receives the repaired image and the original file', async () => {
  const bytes = await picture().jpeg().toBuffer();
  const open = bytes.subarray(0, -2);
  const { output, notes } = await runPrepared(
    { engine: 'resize', input: { bytes: open, width: 4 } },
    echo,
    quiet,
  );
  expect(output).toMatchObject({ bytes, width: 4, sentFile: { bytes: open } });
  expect(notes?.warnings[0]).toContain('end-of-image');
});

test('an engine that reads the file itself receives the original bytes', async () => {
  const bytes = (await picture().jpeg().toBuffer()).subarray(0, -2);
  const input = { bytes };
  expect(await runPrepared({ engine: 'read_metadata', input }, echo, quiet)).toEqual({ output: input });
});

test('an engine that reads the file itself never receives a truncated JPEG', async () => {
  const noise = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7919) % 251);
  const bytes = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
    .jpeg()
    .toBuffer();
  const half = bytes.subarray(0, bytes.length >> 1);
  await expect(runPrepared({ engine: 'inspect', input: { bytes: half } }, echo, quiet)).rejects.toMatchObject(
    {
      code: 'undecodable_image',
      message: expect.stringMatching(`is truncated: it ends after ${half.length} bytes`),
    },
  );
});

test('after a fault without effect on pixels, the engine runs again on the repaired image', async () => {
  const jpeg = await picture().jpeg({ progressive: true }).toBuffer();
  const padded = Buffer.concat([jpeg.subarray(0, -2), Buffer.from('some padding'), jpeg.subarray(-2)]);
  const run = async (input: unknown) => {
    const { bytes } = echo(input);
    if (bytes === padded) throw new EngineError('undecodable_image', 'its data is damaged');
    return (await sharp(bytes).metadata()).width;
  };
  const { output, notes } = await runPrepared({ engine: 'palette', input: { bytes: padded } }, run, quiet);
  expect(output).toBe(8);
  expect(notes?.warnings[0]).toContain('extraneous bytes');
});

test('damaged image data remains an error', async () => {
  const bytes = await picture().jpeg().toBuffer();
  const refusal = new EngineError('undecodable_image', 'its data is damaged');
  const run = () => Promise.reject(refusal);
  await expect(runPrepared({ engine: 'palette', input: { bytes } }, run, quiet)).rejects.toBe(refusal);
});

test('an SVG is rendered at its target size', async () => {
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>');
  const { output } = await runPrepared(
    { engine: 'resize', input: { bytes, width: 80, height: 40 } },
    echo,
    quiet,
  );
  expect(await sharp(echo(output).bytes).metadata()).toMatchObject({ width: 80, height: 40 });
});

test('an SVG is rendered at the resolution of the print layout', async () => {
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>');
  const sheet = { trimMm: { width: 50.8, height: 25.4 }, bleedMm: 0, dpi: 100 };
  const { output } = await runPrepared({ engine: 'print', input: { bytes, ...sheet } }, echo, quiet);
  expect(await sharp(echo(output).bytes).metadata()).toMatchObject({ width: 200, height: 100 });
});

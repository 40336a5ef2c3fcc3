import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALTERATIONS } from '@atelier/imaging/provenance/ai_marking/altered_copies.ts';
import { expect, test } from 'vitest';
import { cliInAFolder, PNG } from '../../../../tests/support/cli_in_a_folder.ts';

const here = cliInAFolder();
const openMarkTrials = async () => ({
  copiesOf: async () => ALTERATIONS.map((alteration) => ({ alteration, bytes: Buffer.from(alteration) })),
});
const mark = {
  layer: 'iptc',
  is_ai: true,
  says: 'trainedAlgorithmicMedia',
  who: 'Exa\u001b[2Jmple',
  software: null,
  place: 'Iptc4xmpExt:DigitalSourceType',
  signature: 'none',
  trust: 'not_checked',
};
const soulmark = { ...mark, layer: 'soulmark', signature: 'holds' };
const camera = { ...mark, layer: 'c2pa', is_ai: false };

/** Runs the command against a server that answers by the text of the image. */
const run = (words: string[], answers: Record<string, object[]>, before: Response[] = []) =>
  here.run(['marks', 'check', ...words], {
    world: {
      openMarkTrials,
      connect: async () => ({
        baseUrl: 'http://fake',
        async fetch(request) {
          const early = before.shift();
          if (early) return early;
          const { image } = (await request.json()) as { image: string };
          const marks = answers[Buffer.from(image, 'base64').toString()];
          return marks
            ? Response.json({
                marked_as_ai: marks.includes(camera) && marks.length === 1 ? 'no_trace' : 'yes',
                ai_marks: marks,
              })
            : Response.json({ detail: 'No image.' }, { status: 422 });
        },
        close: async () => {},
      }),
    },
  });
const file = (name: string, text: string) => {
  writeFileSync(join(here.folder, name), text);
  return join(here.folder, name);
};

test('each mark layer is listed with the detection result after each change', async () => {
  const answers = {
    whole: [soulmark, mark, camera],
    half_size: [{ ...soulmark, signature: 'broken' }, mark],
    jpeg_75: [mark],
    crop_10: [mark],
    no_metadata: [],
  };
  const { code, stdout, stderr } = await run([file('a.png', 'whole')], answers);
  const lines = stdout.toString().split('\n');
  expect([code, lines[0], stderr]).toEqual([
    0,
    expect.stringMatching(/a\.png: marked as AI-made$/),
    expect.stringContaining('Marked: 1 of 1 images.'),
  ]);
  expect(lines.slice(1, 4).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['layer', 'who', 'says', 'unchanged', 'half size', 'JPEG 75', 'crop 10 %', 'no metadata'],
    ['Soulmark', 'Exa�[2Jmple', mark.says, 'speaks', 'broken', 'lost', 'lost', 'lost'],
    ['IPTC metadata', 'Exa�[2Jmple', mark.says, 'speaks', 'speaks', 'speaks', 'speaks', 'lost'],
  ]);
});

test('an unmarked or unreadable image sets exit code 1', async () => {
  mkdirSync(join(here.folder, 'out'));
  file('out/b.jpg', 'bare');
  file('out/notes.txt', 'text');
  file('out/c.webp', 'broken');
  const { code, stdout } = await run([join(here.folder, 'out')], { bare: [camera] });
  expect(code).toBe(1);
  expect(stdout.toString()).toMatch(/b\.jpg: no AI marking found\n.*c\.webp: cannot be read\. No image\.\n$/);
  expect(stdout.toString()).not.toContain('notes.txt');
});

test('--sample takes files spread over the folder, and --json prints them as JSON', async () => {
  for (const name of ['1', '2', '3', '4', '5', '6']) file(`${name}.png`, 'bare');
  const words = [here.folder, '--sample', '2', '--json', 'file,as_is'];
  const rows = JSON.parse((await run(words, { bare: [] })).stdout.toString());
  expect(rows).toEqual(['1.png', '4.png'].map((name) => ({ file: join(here.folder, name), as_is: null })));
});

test('a 429 response is retried', async () => {
  const busy = Response.json({ retry_after_s: 0 }, { status: 429 });
  expect((await run([file('a.png', 'bare')], { bare: [] }, [busy])).code).toBe(1);
});

test.each([
  [['none.png'], 'There is no file or folder none.png'],
  [['.', '--sample', 'many'], '--sample must be a whole number'],
])('%j is rejected before any request is sent', async (words, text) => {
  const { code, stderr } = await here.run(['marks', 'check', ...words], { world: { openMarkTrials } });
  expect([code, stderr.includes(text)]).toEqual([2, true]);
});

test('a folder without images is rejected', async () => {
  writeFileSync(join(here.folder, 'a.txt'), PNG);
  const { code, stderr } = await run([here.folder], {});
  expect([code, stderr.includes('There is no image in')]).toEqual([2, true]);
});

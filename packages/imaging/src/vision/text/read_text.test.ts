import sharp from 'sharp';
import { expect, test } from 'vitest';
import { READING_WIDTH_PX_MAX, TEXT_LINES_MAX } from './limits.ts';
import { readText, recogniseLines } from './read_text.ts';

/** A region in the detector's output plane, in fractions of its sides. */
interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const detector = (...bars: readonly Bar[]) => ({
  async run(_: Float32Array, sides: readonly number[]) {
    const [, , height, width] = sides as [number, number, number, number];
    const data = new Float32Array(width * height);
    for (const bar of bars)
      for (let y = Math.round(bar.y * height); y < Math.round((bar.y + bar.height) * height); y++)
        data.fill(
          0.9,
          y * width + Math.round(bar.x * width),
          y * width + Math.round((bar.x + bar.width) * width),
        );
    return new Map([['out', { data, sides: [1, 1, height, width] }]]);
  },
});
/** Reads "a" for each strip, with the darkness of its left part as confidence. */
const recogniser = (strips: { width: number; darkness: number }[] = []) => ({
  strips,
  async run(data: Float32Array, sides: readonly number[]) {
    const width = sides[3]!;
    const left = data.subarray(24 * width, 24 * width + 40);
    const darkness = left.reduce((sum, value) => sum + (1 - value) / 2, 0) / left.length;
    strips.push({ width, darkness });
    const step = (letter: number) => [1 - letter, letter, 0];
    const steps = [step(0.1 + 0.89 * darkness), step(0), step(0.1 + 0.89 * darkness)].flat();
    return new Map([['out', { data: Float32Array.from(steps), sides: [1, 3, 3] }]]);
  },
});
/** White, with a black left half or entirely white. */
async function picture(blackWidth: number) {
  const black = {
    create: { width: Math.max(1, blackWidth), height: 300, channels: 3 as const, background: 'black' },
  };
  return sharp({ create: { width: 400, height: 300, channels: 3, background: 'white' } })
    .composite(blackWidth > 0 ? [{ input: await sharp(black).png().toBuffer(), left: 0, top: 0 }] : [])
    .png()
    .toBuffer();
}
const LINE = { x: 0.1, y: 0.4, width: 0.6, height: 0.06 };

test('a line has text, confidence and a slightly enlarged box', async () => {
  const reader = { detection: detector(LINE), readLine: recogniseLines(recogniser(), ['a']) };
  const {
    lines: [line, ...others],
  } = await readText(await picture(200), reader);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ text: 'aa', confidence: expect.closeTo(0.99, 1) });
  expect([line!.x < 0.1, line!.y < 0.4, line!.x + line!.width > 0.7]).toEqual([true, true, true]);
});

test('low-confidence lines are dropped, except when text is redacted', async () => {
  const reader = { detection: detector(LINE), readLine: recogniseLines(recogniser(), ['a']) };
  const white = await picture(0);
  expect(await readText(white, reader)).toEqual({ lines: [], unknown: [], unread: 0 });
  expect((await readText(white, reader, 'all')).lines).toHaveLength(1);
});

test('an upside-down line is rotated and read', async () => {
  const { strips, ...recognition } = recogniser();
  const right = { ...LINE, x: 0.3, width: 0.6 };
  const {
    lines: [line],
  } = await readText(await picture(200), {
    detection: detector(right),
    readLine: recogniseLines(recognition, ['a']),
  });
  expect(line?.text).toBe('aa');
  expect(strips).toHaveLength(1);
  const turned = await sharp(await picture(200))
    .rotate(180)
    .png()
    .toBuffer();
  const {
    lines: [other],
  } = await readText(turned, {
    detection: detector({ ...LINE, x: 0.1 }),
    readLine: recogniseLines(recognition, ['a']),
  });
  expect(other?.text).toBe('aa');
  expect(strips).toHaveLength(3);
});

test('vertical text is read from top to bottom as one line', async () => {
  const { strips, ...recognition } = recogniser();
  const upright = { x: 0.2, y: 0.1, width: 0.02, height: 0.8 };
  await readText(await picture(200), {
    detection: detector(upright),
    readLine: recogniseLines(recognition, ['a']),
  });
  expect(strips[0]!.width).toBeGreaterThan(320);
  const parts = [LINE, { ...LINE, x: 0.72, width: 0.2 }];
  const joined = await readText(await picture(200), {
    detection: detector(...parts),
    readLine: recogniseLines(recognition, ['a']),
  });
  expect(joined.lines).toHaveLength(1);
});

test('the number of lines read per call is limited, and the rest are counted', async () => {
  const rows = Array.from({ length: 200 }, (_, row) => ({ x: 0, y: row / 200, width: 1, height: 0.002 }));
  let across = 0;
  const reader = {
    detection: detector(...rows),
    readLine: async ({ width }: { width: number }) => {
      across += width;
      return { text: 'a line', confidence: 0.9, unsure: 0 };
    },
  };
  const high = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const { lines, unread } = await readText(high, reader);
  expect(across).toBeLessThan(READING_WIDTH_PX_MAX + 3000);
  expect(unread).toBeGreaterThan(0);
  expect(lines.length + unread).toBeLessThanOrEqual(TEXT_LINES_MAX);
});

const CLEAR = { text: 'Open daily', confidence: 0.99, unsure: 0 };
const FAINT = { text: 'Sale', confidence: 0.7, unsure: 0.5 };
const HEBREW = { text: 'D71D7 D17U', confidence: 0.7, unsure: 0.5 };
test.each([
  ['in another script on its own', [HEBREW], [], 1],
  ['in another script next to text', [CLEAR, CLEAR, HEBREW], ['Open daily', 'Open daily'], 1],
  ['that is unclear next to clear lines', [CLEAR, CLEAR, FAINT], ['Open daily', 'Open daily', 'Sale'], 0],
  ['that is unclear on its own', [FAINT], [], 1],
] as const)('a line %s is read or returned as a box only', async (_, answers, read, unread) => {
  const rows = answers.map((_answer, row) => ({ x: 0.1, y: 0.1 + 0.2 * row, width: 0.6, height: 0.06 }));
  const next = answers.values();
  // Uncertain lines are also read upside down.
  const seen = new Map<number, (typeof answers)[number]>();
  let at = 0;
  const readLine = async () => {
    const again = seen.get(at);
    if (again) {
      at++;
      return { ...again, confidence: 0 };
    }
    const answer = next.next().value!;
    if (answer.confidence < 0.85) seen.set(at, answer);
    else at++;
    return answer;
  };
  const { lines, unknown } = await readText(await picture(0), { detection: detector(...rows), readLine });
  expect(lines.map(({ text }) => text)).toEqual(read);
  expect(unknown).toHaveLength(unread);
});

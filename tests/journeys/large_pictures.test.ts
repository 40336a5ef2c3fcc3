import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { imageFieldsOf } from '../../src/features/definitions/fields.ts';
import type { AnyTool } from '../../src/features/definitions/tool.ts';
import { tools } from '../../src/features/tools.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { toppedUp } from '../support/topped_up.ts';

/**
 * Every tool that takes a picture answers it or refuses it for good: nothing says "come again" about a size that will never be
 * taken. Large pictures cost processor time, so the suite sends them only where they were once refused wrongly;
 * TEST_LARGE_PICTURES=1,12,48,64 sends every tool each of these.
 */

const SIZES = { 1: [1200, 850], 12: [4000, 3000], 48: [8000, 6000], 64: [8000, 8000] } as const;
type Megapixels = keyof typeof SIZES;
const ONCE_REFUSED: readonly (readonly [string, Megapixels])[] = [
  ['verify_provenance', 48],
  ['watermark_embed', 64],
];
const asked = (process.env.TEST_LARGE_PICTURES ?? '').split(',').filter(Boolean).map(Number) as Megapixels[];
const WALLET = '0x00000000000000000000000000000000000000c1';
const PAYER = { Authorization: `Bearer ${WALLET}` };

const imageFieldOf = ({ input }: AnyTool) => imageFieldsOf(input.shape)[0];
const pictureTools = tools.filter((tool) => imageFieldOf(tool) !== undefined);
const named = (name: string) => pictureTools.find((tool) => tool.name === name)!;
const sent: (readonly [string, Megapixels, AnyTool])[] =
  asked.length > 0
    ? pictureTools.flatMap((tool) => asked.map((size) => [tool.name, size, tool] as const))
    : ONCE_REFUSED.map(([name, size]) => [name, size, named(name)] as const);

let app: TestApp;
const pictures = new Map<Megapixels, string>();
beforeAll(async () => {
  app = await openTestApp({ TOOL_DEADLINE_MS: '300000' });
  await toppedUp(app.post, WALLET);
}, 240_000);
afterAll(() => app?.close());

/** Smooth, and busy enough to be told from other pictures. */
async function pictureOf(size: Megapixels): Promise<string> {
  const [width, height] = SIZES[size];
  const noise = Buffer.from(Array.from({ length: 3 * 12 * 9 }, (_, at) => (at * 7919) % 251));
  const small = sharp(noise, { raw: { width: 12, height: 9, channels: 3 } });
  const large = await small.resize(width, height, { fit: 'fill' }).jpeg({ quality: 60 }).toBuffer();
  return large.toString('base64');
}

test.each(sent)(
  '%s processes %s megapixels or refuses them permanently',
  async (_name, size, tool) => {
    const picture = pictures.get(size) ?? (await pictureOf(size));
    pictures.set(size, picture);
    const body = { ...tool.examples[0]!, [imageFieldOf(tool)!]: picture };
    const { status, body: answer } = await app.post(`/api/tools/${tool.name}`, body, PAYER);
    expect({ status, code: answer.code }).toSatisfy(isAnswerOrFinal);
  },
  300_000,
);

const isAnswerOrFinal = ({ status, code }: { status: number; code?: string }) =>
  status === 200 ||
  (status === 413 && code === 'image_too_large') ||
  (status === 422 && (code === 'unsuitable_image' || code === 'subject_unclear'));

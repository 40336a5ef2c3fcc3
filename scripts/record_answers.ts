import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isImageField } from '../src/features/definitions/fields.ts';
import type { AnyTool } from '../src/features/definitions/tool.ts';
import { tools } from '../src/features/tools.ts';
import { importExampleWork } from '../tests/support/import_example_work.ts';
import { openTestApp, type TestApp } from '../tests/support/open_test_app.ts';
import { scene } from '../tests/support/scene.ts';
import { toppedUp } from '../tests/support/topped_up.ts';

/**
 * `npm run answers -- record before.json` records the responses of every tool, for all choices of its fields on drawn images, and of every
 * document; `npm run answers -- compare before.json` repeats the requests and prints each difference. For refactorings that must not
 * change a response. Values that differ between two recordings in a row (ids, times, signatures) are omitted.
 */

type Recording = Record<string, Record<string, string>>;

const PAYER = { Authorization: `Bearer 0x${'e'.repeat(40)}` };
const MASKED = '(differs from call to call)';
/** Measurements can be equal by chance, and the length of the log depends on the time. */
const MEASURED = /\/(estimated_)?seconds$/;
const LOG = '/api/log/entries';
/** Texts of at least this length are stored as sha256. */
const LONG_TEXT = 400;
const [mode, file] = process.argv.slice(2);
if (!file || (mode !== 'record' && mode !== 'compare')) {
  console.error('Use: npm run answers -- record FILE, later: npm run answers -- compare FILE');
  process.exit(2);
}
const steady = withoutVolatile(await record(), await record());
if (mode === 'record') {
  writeFileSync(file, `${JSON.stringify(steady, undefined, 1)}\n`);
  console.log(`${Object.keys(steady).length} answers, ${countOf(steady)} values stored in ${file}`);
} else {
  const changes = changesOf(JSON.parse(readFileSync(file, 'utf8')) as Recording, steady);
  for (const change of changes) console.log(change);
  console.log(`${Object.keys(steady).length} answers compared, ${changes.length} values changed`);
  process.exitCode = changes.length > 0 ? 1 : 0;
}

async function record(): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-answers-'));
  await importExampleWork(folder);
  const app = await openTestApp({ DATA_DIR: folder, SIGNING_SECRET: 'x'.repeat(64) });
  try {
    await toppedUp(app.post, PAYER.Authorization.slice(7));
    return await everyAnswer(app);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function everyAnswer(app: TestApp): Promise<Recording> {
  const pictures = await drawnPictures();
  const answers: Recording = {};
  for (const tool of tools) {
    for (const [what, body] of bodiesOf(tool, pictures)) {
      const { status, body: answer } = await app.post(`/api/tools/${tool.name}`, body, PAYER);
      answers[`${tool.name} ${what}`] = placesOf({ status, ...answer });
    }
  }
  const { paths } = (await app.get('/openapi.json')).body as { paths: Record<string, object> };
  const documents = Object.keys(paths).filter(
    (path) => 'get' in paths[path]! && !path.includes('{') && path !== LOG,
  );
  for (const path of ['/', ...documents]) {
    const { status, text, body } = await app.get(path);
    answers[`GET ${path}`] = placesOf({ status, ...(body ? { body } : { text }) });
  }
  for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
    const { body } = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method, params: {} }, PAYER);
    answers[`MCP ${method}`] = placesOf(body);
  }
  return answers;
}

async function drawnPictures(): Promise<Record<string, string>> {
  const { sharp } = await import('@atelier/imaging/codecs/sharp.ts');
  const drawn = await scene(7, 200, 144);
  const base64 = async (bytes: Promise<Buffer>) => (await bytes).toString('base64');
  return {
    'a scene': drawn.toString('base64'),
    'a JPEG turned by EXIF': await base64(
      sharp(drawn).jpeg({ quality: 82 }).withMetadata({ orientation: 6 }).toBuffer(),
    ),
    'with alpha': await base64(sharp(drawn).ensureAlpha(0.6).webp({ lossless: true }).toBuffer()),
    'grey of 16 bits': await base64(sharp(drawn).toColourspace('grey16').png().toBuffer()),
  };
}

/** Every example with every image, and the first one with each value that its fields allow. */
function bodiesOf(tool: AnyTool, pictures: Record<string, string>): [string, Record<string, unknown>][] {
  const fields = Object.entries(tool.input.shape);
  const imageField = fields.find(([, schema]) => isImageField(schema as object))?.[0];
  const [first] = Object.values(pictures);
  const own = tool.examples.map((body, at): [string, Record<string, unknown>] => [`example ${at}`, body]);
  const drawn = imageField
    ? tool.examples.flatMap((body, at) =>
        Object.entries(pictures).map(([name, picture]): [string, Record<string, unknown>] => [
          `example ${at}, ${name}`,
          { ...body, [imageField]: picture },
        ]),
      )
    : [];
  const base = { ...tool.examples[0], ...(imageField && { [imageField]: first }) };
  const chosen = fields.flatMap(([name, schema]) =>
    valuesOf(schema as z.ZodType).map((value): [string, Record<string, unknown>] => [
      `${name}: ${JSON.stringify(value)}`,
      { ...base, [name]: value },
    ]),
  );
  return [...own, ...drawn, ...chosen];
}

/** Values to try for a field: each enum value, true and false, the minimum and a value above it. */
function valuesOf(schema: z.ZodType): unknown[] {
  const {
    anyOf,
    enum: choices,
    type,
    minimum,
    maximum,
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (anyOf) return anyOf.flatMap((one) => (one as { enum?: unknown[] }).enum ?? []);
  if (choices) return choices;
  if (type === 'boolean') return [true, false];
  if (type !== 'number' && type !== 'integer') return [];
  const least = Number(minimum ?? 0);
  return [...new Set([least, Math.min(Number(maximum ?? 100), Math.max(1, least) * 2 + 1)])];
}

/** Every value of a response by its path; long texts as sha256, base64 as the sha256 of its bytes. */
function placesOf(value: unknown, place = ''): Record<string, string> {
  if (typeof value === 'object' && value !== null)
    return Object.assign(
      {},
      ...Object.entries(value).map(([key, part]) => placesOf(part, `${place}/${key}`)),
    );
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    [place]: text.length < LONG_TEXT ? text : `sha256 ${createHash('sha256').update(text).digest('hex')}`,
  };
}

function withoutVolatile(one: Recording, other: Recording): Recording {
  const masked = (key: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(one[key]!).map(([place, text]) => [
        place,
        other[key]?.[place] === text && !MEASURED.test(place) ? text : MASKED,
      ]),
    );
  return Object.fromEntries(Object.keys(one).map((key) => [key, masked(key)]));
}

function changesOf(before: Recording, after: Recording): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const [then, now] = [before[key] ?? {}, after[key] ?? {}];
    const places = [...new Set([...Object.keys(then), ...Object.keys(now)])];
    return places
      .filter((place) => then[place] !== now[place] && then[place] !== MASKED && now[place] !== MASKED)
      .map((place) => `${key} ${place}: ${then[place]} → ${now[place]}`);
  });
}

function countOf(recording: Recording): number {
  const places = Object.values(recording).flatMap((answer) => Object.values(answer));
  return places.filter((text) => text !== MASKED).length;
}

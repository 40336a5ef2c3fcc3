import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Body, Reply } from '@atelier/client/transport.ts';
import type { MarkTrials } from '../../../features/provenance/mark_trials/mark_trials.ts';
import { LAYER_NAMES } from '../../../features/provenance/tools/ai_marks_answer.ts';
import { verifyProvenance } from '../../../features/provenance/tools/verify_provenance.ts';
import { type Connection, callTool } from '../client.ts';
import { defineCommand } from '../command.ts';
import { fileBytes } from '../files.ts';
import { JSON_SWITCH, pickRows } from '../json_fields.ts';
import { progressView } from '../progress.ts';
import { SERVER_SWITCHES, withConnection } from '../server_switches.ts';
import { printableJson, replaceControls, table } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

/** Derived copies that readers may receive, as columns of the table. */
const COPIES = {
  as_is: 'unchanged',
  half_size: 'half size',
  jpeg_75: 'JPEG 75',
  crop_10: 'crop 10 %',
  no_metadata: 'no metadata',
} as const;
type CopyName = keyof typeof COPIES;

const SAMPLE_DEFAULT = 20;
/** Maximum number of files searched in a folder. */
const FILES_MAX = 100_000;
const IMAGE_NAME = /\.(png|jpe?g|webp|tiff?|avif|gif)$/i;

export const marksCheckCommand = defineCommand({
  name: 'marks check',
  summary: 'check the AI markings in a sample of your images',
  words: '<file or folder>…',
  example: 'atelier marks check out/ --sample 0',
  switches: {
    sample: {
      value: '<count>',
      meaning: `images to check, spread evenly. Default: ${SAMPLE_DEFAULT}. 0: all`,
    },
    ...JSON_SWITCH,
    ...SERVER_SWITCHES,
  },
  notes:
    'Shows the verdict for each image, the layers that mark it as AI-made, and whether each layer survives an edit: resized to half the width and height, JPEG at quality 75, cropped to 90% of both sides, saved without metadata.\nExit code 1: an image has no AI marking or cannot be read.',

  async run({ words, values }, world) {
    const files = sampleOf(await imagesIn(words), countOf(values.sample));
    const trials = await world.openMarkTrials();
    return withConnection(values, world, async (connection) => {
      const checked: CheckedFile[] = [];
      const view = progressView(world.terminal.stderr);
      for (const file of files) {
        view.show(checked.length / files.length, `${checked.length} of ${files.length} images`);
        checked.push(await checkFile(file, { connection, trials, signal: world.signal }));
      }
      view.clear();
      return report(checked, values.json, world);
    });
  },
});

function countOf(text = String(SAMPLE_DEFAULT)): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`--sample must be a whole number from 0 to 999999; got "${text}".`);
}

/** @throws UsageError for a name without a file, or if there is no image */
async function imagesIn(names: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) {
    const found = await stat(name).catch(() => undefined);
    if (!found) throw new UsageError(`There is no file or folder ${name}.`);
    if (!found.isDirectory()) {
      files.push(name);
      continue;
    }
    const inside = await readdir(name, { recursive: true });
    files.push(
      ...inside
        .filter((one) => IMAGE_NAME.test(one))
        .toSorted()
        .map((one) => join(name, one)),
    );
    if (files.length > FILES_MAX)
      throw new UsageError(`${name} contains more than ${FILES_MAX} images. Name a smaller folder.`);
  }
  if (files.length === 0)
    throw new UsageError(
      `There is no image in ${names.join(', ')}. Supported formats: PNG, JPEG, WebP, TIFF, AVIF, GIF.`,
    );
  return files;
}

/** This many of the files, evenly spread from the first to the last. */
function sampleOf(files: readonly string[], count: number): string[] {
  if (count === 0 || files.length <= count) return [...files];
  return Array.from({ length: count }, (_, at) => files[Math.floor((at * files.length) / count)]!);
}

interface Mark {
  readonly layer: keyof typeof LAYER_NAMES;
  readonly is_ai: boolean;
  readonly says: string;
  readonly who: string | null;
  readonly software: string | null;
  readonly signature: string;
}

type Outcome = 'speaks' | 'broken' | 'lost';

interface CheckedFile {
  readonly file: string;
  readonly verdict: string;
  /** Why the file could not be read. */
  readonly problem?: string;
  readonly layers: readonly (Pick<Mark, 'layer' | 'says'> & {
    readonly who: string;
    readonly copies: Readonly<Record<CopyName, Outcome>>;
  })[];
}

interface Checking {
  readonly connection: Connection;
  readonly trials: MarkTrials;
  readonly signal: AbortSignal;
}

async function checkFile(file: string, checking: Checking): Promise<CheckedFile> {
  const bytes = await fileBytes(file);
  const { status, body } = await verify(bytes, checking);
  if (status !== 200)
    return { file, verdict: 'unreadable', problem: String(body.detail ?? status), layers: [] };
  const verdict = String(body.marked_as_ai);
  const marks = aiMarksIn(body);
  if (marks.length === 0) return { file, verdict, layers: [] };
  const seen = new Map<CopyName, readonly Mark[]>([['as_is', marks]]);
  for (const { alteration, bytes: copy } of await checking.trials.copiesOf(bytes))
    seen.set(alteration, aiMarksIn((await verify(copy, checking)).body));
  const layers = [...Map.groupBy(marks, ({ layer }) => layer).values()].map(([mark]) => {
    const { layer, says, who, software } = mark!;
    const names = Object.keys(COPIES) as CopyName[];
    const copies = Object.fromEntries(names.map((name) => [name, outcomeOf(layer, seen.get(name) ?? [])]));
    return { layer, says, who: who ?? software ?? '', copies: copies as Record<CopyName, Outcome> };
  });
  return { file, verdict, layers };
}

const aiMarksIn = ({ ai_marks: marks }: Body): Mark[] =>
  Array.isArray(marks) ? (marks as Mark[]).filter(({ is_ai }) => is_ai) : [];

function outcomeOf(layer: Mark['layer'], marks: readonly Mark[]): Outcome {
  const own = marks.filter((mark) => mark.layer === layer);
  if (own.some(({ signature }) => signature !== 'broken')) return 'speaks';
  return own.length > 0 ? 'broken' : 'lost';
}

const ATTEMPTS = 5;
const WAIT_S = 5;

/** Retries a busy or rate-limited server after the time it names. */
async function verify(bytes: Uint8Array, { connection, signal }: Checking): Promise<Reply> {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  for (let attempt = 1; ; attempt += 1) {
    const reply = await callTool(connection, verifyProvenance.name, { image }, { signal });
    if (attempt === ATTEMPTS || (reply.status !== 429 && reply.status !== 503)) return reply;
    const { retry_after_s: wait = WAIT_S } = reply.body;
    await sleep(1000 * Number(wait), undefined, { signal });
  }
}

/** Prints a table for each file, or one row of JSON for each layer. Returns the exit code. */
function report(checked: readonly CheckedFile[], json: string | undefined, { terminal }: World): number {
  const { stdout, stderr } = terminal;
  const unmarked = checked.filter(({ layers }) => layers.length === 0);
  if (json === undefined) for (const file of checked) stdout.write(textOf(file, terminal));
  else stdout.write(printableJson(pickRows(checked.flatMap(rowsOf), json)));
  stderr.write(`Marked: ${checked.length - unmarked.length} of ${checked.length} images.\n`);
  return unmarked.length > 0 ? 1 : 0;
}

const VERDICTS: Readonly<Record<string, string>> = {
  yes: 'marked as AI-made',
  no_trace: 'no AI marking found',
  contradictory: 'contradictory AI markings',
  unreadable: 'cannot be read',
};

function textOf({ file, verdict, problem, layers }: CheckedFile, { stdout }: World['terminal']): string {
  const heading = `${file}: ${VERDICTS[verdict] ?? verdict}${problem === undefined ? '' : `. ${problem}`}`;
  const rows = layers.map(({ layer, who, says, copies }) => [
    `  ${LAYER_NAMES[layer]}`,
    ...[who, says].map((text) => replaceControls(text).replaceAll('\n', ' ')),
    ...Object.values(copies),
  ]);
  const header = ['  layer', 'who', 'says', ...Object.values(COPIES)];
  return `${replaceControls(heading).replaceAll('\n', ' ')}\n${rows.length > 0 ? table([header, ...rows], stdout) : ''}`;
}

/** A row with the file only if it has no layer. */
const rowsOf = ({ file, verdict, layers }: CheckedFile): Body[] => {
  const nothing = {
    layer: null,
    who: null,
    says: null,
    ...Object.fromEntries(Object.keys(COPIES).map((name) => [name, null])),
  };
  const found = layers.map(({ copies, ...layer }) => ({ file, verdict, ...layer, ...copies }));
  return found.length > 0 ? found : [{ file, verdict, ...nothing }];
};

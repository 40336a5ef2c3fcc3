import { createHash, randomUUID } from 'node:crypto';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import { cleanFileName } from '../../../core/storage/blobs/file_name.ts';
import { upload } from '../../../features/assets/routes/upload.ts';
import { handleIn } from '../../../features/definitions/images_in.ts';
import { callOperation } from '../../../pipeline/operations.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import type { CallResponse } from '../../../pipeline/types.ts';
import type { Sample } from '../samples.ts';
import type { Visit } from '../types.ts';
import { RUNS_MAX } from './limits.ts';
import { sampleIn } from './picture_operation.ts';
import type { Runnable } from './runnable.ts';
import { nameOfPart, type Settings, settingsAmong } from './settings.ts';
import type { Field } from './tool_fields.ts';

/** Idempotency key of a form: submitting it twice starts its runs once. */
export const newPress = (): string => randomUUID();

/** Posted settings, with files stored as uploads. @throws AtelierError payload_too_large and the errors of an upload */
export async function readPosted(fields: readonly Field[], visit: Visit): Promise<Settings> {
  const sent = visit.form ?? new FormData();
  const texts: Record<string, string> = {};
  for (const name of fields.flatMap(namesInForm)) {
    const values = sent.getAll(name);
    const files = values.filter((value) => typeof value !== 'string').filter(({ size }) => size > 0);
    const typed = values.filter((value) => typeof value === 'string');
    if (files.length > 0) texts[name] = (await keepAll(visit, files)).join(' ');
    else if (typed.length > 0) texts[name] = typed.at(-1)!;
  }
  return settingsAmong(fields, texts);
}

const namesInForm = ({ name, parts = [] }: Field): readonly string[] => [
  name,
  ...parts.map((part) => nameOfPart(name, part)),
];

async function keepAll(visit: Visit, files: readonly File[]): Promise<readonly string[]> {
  const handles: string[] = [];
  for (const file of files.slice(0, RUNS_MAX)) handles.push(await keepFile(visit, file));
  return handles;
}

/** Stores a file of a form as an upload. @throws AtelierError payload_too_large and the errors of an upload */
export async function keepFile({ studio: { context }, caller, call }: Visit, file: File): Promise<string> {
  if (file.size > UPLOAD_BYTES_MAX) throw tooLarge(file);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  const body = { contentType: file.type, bytes, sha256 };
  const request = { method: 'POST', header: call.header, body } as const;
  const name = cleanFileName(file.name);
  const answer = await callOperation(context, upload, { ...(name && { name }) }, caller, request);
  return String((answer as CallResponse).body.uri);
}

const MB = 1024 * 1024;
const tooLarge = ({ name, size }: File): AtelierError =>
  new AtelierError(
    'payload_too_large',
    `${name.slice(0, 80)} is ${Math.ceil(size / MB)} MB. The limit is ${UPLOAD_BYTES_MAX / MB} MB. Choose a smaller file.`,
  );

/** Started runs, one per image, or a response that cannot be retrieved again. */
export type Started = { readonly runs: readonly string[] } | { readonly answer: CallResponse };

/** The field that may hold several images, one run each. */
export const batchField = (fields: readonly Field[]): Field | undefined =>
  fields.find(({ kind, isRequired }) => kind === 'picture' && isRequired);

/** The images in a field: handles separated by spaces, or a single text. */
export function picturesIn(text = ''): readonly string[] {
  const parts = text.trim().split(/\s+/);
  return parts.length > 1 && parts.every((part) => handleIn(part)) ? parts.slice(0, RUNS_MAX) : [text];
}

/**
 * Starts a run per image. For a rejected image, the error code takes the place of the run id.
 * @param press key from `newPress`
 * @throws AtelierError of the first call if no run was started
 */
export async function startRuns(
  runnable: Runnable,
  { settings, press, visit }: { settings: Settings; press: string; visit: Visit },
): Promise<Started> {
  const batch = batchField(runnable.fields)?.name;
  const pictures = batch === undefined ? [undefined] : picturesIn(settings[batch]);
  const runs: string[] = [];
  const refusals: AtelierError[] = [];
  for (const [at, picture] of pictures.entries()) {
    const one = picture === undefined || batch === undefined ? settings : { ...settings, [batch]: picture };
    try {
      const answer = await start(runnable, { settings: one, press: `${press}-${at}`, visit });
      if (answer.status !== 202) return { answer };
      runs.push(String(answer.body.job_id));
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      refusals.push(error);
      runs.push(error.code);
    }
  }
  if (refusals.length === runs.length) throw refusals[0]!;
  return { runs };
}

async function start(
  { tool, params }: Runnable,
  { settings, press, visit }: { settings: Settings; press: string; visit: Visit },
): Promise<CallResponse> {
  const { studio, caller, visitor } = visit;
  const sent = params(withSamples(settings), visitor);
  const idempotencyKey = createHash('sha256')
    .update(press + JSON.stringify(sent))
    .digest('hex');
  return callTool(studio.context, tool.name, sent, { ...caller, respondAsync: true, idempotencyKey });
}

/** Replaces sample names, which tools do not accept, with the bytes of the sample. */
export const withSamples = (settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, text]) => {
      const sample = sampleIn(text);
      return [name, sample ? bytesOf(sample) : text.replace(QUOTED_SAMPLE, quotedBytes)];
    }),
  );

/** Sample names inside the JSON of layers and operations. */
const QUOTED_SAMPLE = /"(sample:\w{1,40})"/g;

function quotedBytes(text: string, handle: string): string {
  const sample = sampleIn(handle);
  return sample ? `"${bytesOf(sample)}"` : text;
}

const bytesOf = ({ file }: Sample): string => Buffer.from(pageFile(file).bytes).toString('base64');

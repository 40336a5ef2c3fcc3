import { closeSync, openSync, writeSync } from 'node:fs';
import type { Rendering } from '@atelier/imaging/color/press_link.ts';
import type { CarriedMetadata, CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryIntoDocument } from '@atelier/imaging/metadata/passthrough/carry_into_document.ts';
import { PRINT_FILE_BYTES_MAX } from '@atelier/imaging/print/limits.ts';
import {
  type PreparedSheet,
  type PrintedSheet,
  type PrintWish,
  prepareSheet,
} from '@atelier/imaging/print/print_sheet.ts';
import type { Sink } from '@atelier/imaging/print/sheet_file.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { type Carrying, NOTHING, withLost } from './carrying.ts';
import { SHEET_SAMPLED_PIXELS_MIN } from './limits.ts';
import { openLinkBetween, openLinkToPress, openPress, openProof, type PressFile } from './open_press.ts';

export interface PrintRequest extends Omit<PrintWish, 'carried'>, Carrying {
  readonly press: PressFile;
  readonly rendering: Rendering;
  /** Where the sheet is written; nothing may be there. */
  readonly path: string;
  /** Longest time of the work. */
  readonly deadlineMs: number;
  /** What the same call may take as a job; absent where it is one. */
  readonly jobDeadlineMs?: number | undefined;
}

export interface PrintedFile extends PrintedSheet {
  /** What the profile of the press calls itself. */
  readonly profile: string;
  readonly metadata: CarriedMetadata;
}

/** Makes a sheet for a press whose profile lies on the disk. */
export async function runPrint(
  { press, rendering, path, carry, sentFile, ...wish }: PrintRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<PrintedFile> {
  const profile = openPress(press);
  const { name, bytes } = profile;
  const carried = carry && (await carriedFor(wish, { sentFile, carry, colors: name }));
  const sheet = await prepareSheet(
    { ...wish, carried: carried?.packets },
    {
      condition: { name, profile: bytes, ...(press.registered && { registered: press.registered }) },
      fromSrgb: openLinkToPress(press, rendering),
      seen: (inks) => profile.labOf(inks, 'relative'),
      proof: openProof(press),
      fromCmyk: openLinkBetween(press, rendering),
    },
    onProgress,
  );
  const { width, height } = sheet.plan.sheet;
  if (width * height >= SHEET_SAMPLED_PIXELS_MIN) await refuseHopeless(sheet, wish);
  const sink = fileSink(path);
  try {
    return {
      ...(await sheet.print(sink)),
      profile: name,
      metadata: carried ? withLost(carried.metadata, sentFile) : NOTHING,
    };
  } finally {
    sink.close();
  }
}

/** The sheet's own size does not matter: nothing that tells of size goes into it. */
const carriedFor = (
  { bytes, format }: Pick<PrintRequest, 'bytes' | 'format'>,
  { carry, colors, sentFile }: { carry: CarryWish; colors: string; sentFile: Carrying['sentFile'] },
) =>
  carryIntoDocument(
    { file: sentFile?.bytes ?? bytes, picture: bytes },
    { container: format, width: 0, height: 0, colors },
    carry,
  );

/** What is known to go wrong is said before a minute has been spent on it: docs/decisions/0005-admission-by-cpu-seconds.md */
async function refuseHopeless(
  sheet: PreparedSheet,
  { dpi, deadlineMs, jobDeadlineMs }: Pick<PrintRequest, 'dpi' | 'deadlineMs' | 'jobDeadlineMs'>,
): Promise<void> {
  // The first strips of a process are slow: its code is compiled while it runs.
  await sheet.sample();
  const started = performance.now();
  const { fileBytes, share } = await sheet.sample();
  const seconds = Math.ceil((performance.now() - started) / share / 1000);
  const { width, height } = sheet.plan.sheet;
  const lower = dpi > 150 ? [`ask for dpi ${dpi / 2}`] : ['ask for a smaller sheet'];
  const refusal = (message: string, ways: string[], members: Record<string, unknown>) =>
    new AtelierError('image_too_large', `${message} Nothing was made. ${sentence(ways)}`, {
      errors: [{ field: 'dpi', code: 'too_large', message, got: dpi }],
      members: { estimated_seconds: seconds, estimated_bytes: Math.round(fileBytes), ...members },
    });
  if (fileBytes > PRINT_FILE_BYTES_MAX)
    throw refusal(
      `The file of this sheet would have about ${Math.round(fileBytes / 1e6)} MB, as the picture is full of grain; at most ${Math.floor(PRINT_FILE_BYTES_MAX / 1e6)} MB are made.`,
      lower,
      { bytes_max: PRINT_FILE_BYTES_MAX },
    );
  if (seconds * 1000 <= deadlineMs) return;
  const asJob = jobDeadlineMs !== undefined && seconds * 1000 < jobDeadlineMs;
  throw refusal(
    `A sheet of ${width} × ${height} pixels needs about ${seconds} s on this server, and the call may take ${deadlineMs / 1000} s.`,
    [
      ...lower,
      ...(asJob
        ? [
            `send the same call with "async": true (or the header Prefer: respond-async), which gives it ${jobDeadlineMs / 1000} s`,
          ]
        : []),
    ],
    { deadline_seconds: deadlineMs / 1000, as_job: asJob },
  );
}

function sentence(ways: readonly string[]): string {
  const text = ways.join(', or ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** Writes a new file that only this user may read. @throws AtelierError storage_full */
function fileSink(path: string): Sink & { close(): void } {
  const file = openSync(path, 'wx', 0o600);
  const put = (bytes: Uint8Array, at: number | null): void => {
    for (let written = 0; written < bytes.length; )
      written += explainFullDisk(() => writeSync(file, bytes, written, bytes.length - written, at));
  };
  return {
    write: (bytes) => put(bytes, null),
    rewrite: (at, bytes) => put(bytes, at),
    close: () => closeSync(file),
  };
}

function explainFullDisk(work: () => number): number {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new AtelierError(
      'storage_full',
      'The disk of this server is full, so nothing was kept. Try again later.',
      {
        retryAfterSeconds: 300,
      },
    );
  }
}

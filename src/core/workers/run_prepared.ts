import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import { refuseBrokenOff } from '@atelier/imaging/intake/prepare_picture.ts';
import type { OnProgress, SentFile } from './carrying.ts';
import { READS_FILES } from './engines.ts';
import type { JobMessage } from './messages.ts';
import { withPrepared } from './with_prepared.ts';

export type Run = (input: unknown, onProgress: OnProgress) => unknown;

interface Outcome {
  readonly output: unknown;
  readonly notes?: IntakeNotes;
}

/**
 * Runs an engine on its picture as every engine reads it rightly (`preparePicture`). Where decoding fails on a fault that changes no pixel, it runs
 * again on the repaired picture. Engines that read files are given the file that was sent; half of a JPEG is refused for them as well.
 */
export async function runPrepared(
  { engine, input }: JobMessage,
  run: Run,
  onProgress: OnProgress,
): Promise<Outcome> {
  const bytes = pictureIn(input);
  if (!bytes) return { output: await run(input, onProgress) };
  if (READS_FILES.has(engine)) {
    await refuseBrokenOff(bytes);
    return { output: await run(input, onProgress) };
  }
  return withPrepared(bytes, async ({ bytes: read, notes }) => {
    const sentFile: SentFile = { bytes, lost: notes.lost };
    const output = await run({ ...(input as object), bytes: read, sentFile }, onProgress);
    return { output, notes: readsParts(output) ? withoutPart(notes) : notes };
  });
}

/** Whether an engine has read frames or pages of the file itself. */
const readsParts = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'readsParts' in output && output.readsParts === true;

/** The sentence about the part that was used comes first. */
const withoutPart = ({ lookedAt, warnings, lost }: IntakeNotes): IntakeNotes =>
  lookedAt === undefined ? { warnings, lost } : { warnings: warnings.slice(1), lost };

/** The input is a picture in most engines, and always under this name. */
const pictureIn = (input: unknown): Uint8Array | undefined =>
  typeof input === 'object' && input !== null && 'bytes' in input && input.bytes instanceof Uint8Array
    ? input.bytes
    : undefined;

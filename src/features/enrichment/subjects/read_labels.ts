import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Half } from '@atelier/imaging/vision/calibrate_terms.ts';
import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import type { Term } from '@atelier/imaging/vision/vocabulary.ts';
import {
  LABELLED_PICTURE_BYTES_MAX,
  LABELLED_PICTURES_MAX,
  LABELLED_PICTURES_MIN,
  LABELS_BYTES_MAX,
} from './limits.ts';
import { type LabelledPicture, LabelsError } from './types.ts';

const HOW =
  'A line is the name of a picture, a colon, and every term that is to be seen in it, with commas: "beach/3.jpg: dog, beach, sea".';

/**
 * Reads a list of labels: a line a picture. Empty lines and those that begin with # are passed over.
 * @param folder where the pictures are
 * @throws LabelsError naming the line
 */
export async function readLabels(
  path: string,
  folder: string,
  vocabulary: ReadonlyMap<string, Term>,
): Promise<LabelledPicture[]> {
  const lines = (await readText(path)).split(/\r?\n/);
  const match = termMatcher(vocabulary);
  const pictures = new Map<string, LabelledPicture>();
  for (const [at, line] of lines.entries()) {
    if (!line.trim() || line.startsWith('#')) continue;
    const picture = pictureOf(line, at + 1, match);
    if (pictures.has(picture.file)) throw new LabelsError(`Line ${at + 1}: ${picture.file} is there twice.`);
    pictures.set(picture.file, { ...picture, read: () => readPicture(join(folder, picture.file)) });
  }
  if (pictures.size >= LABELLED_PICTURES_MIN && pictures.size <= LABELLED_PICTURES_MAX)
    return [...pictures.values()];
  throw new LabelsError(
    `${path} labels ${pictures.size} pictures; it takes ${LABELLED_PICTURES_MIN} to ${LABELLED_PICTURES_MAX} to tell how often a network is right. ${HOW}`,
  );
}

function pictureOf(line: string, number: number, match: ReturnType<typeof termMatcher>) {
  const [, file, labels] = /^([^:]+): *(\S.*)$/.exec(line) ?? [];
  if (!file || !labels) throw new LabelsError(`Line ${number} is no label. ${HOW}`);
  const terms = labels.split(',').flatMap((label) => {
    const term = match(label);
    if (term) return [term.term, ...term.broader];
    throw new LabelsError(
      `Line ${number}: "${label.trim()}" is none of the terms networks are asked for. Leave it out, or say it more plainly.`,
    );
  });
  return { file: file.trim(), terms: new Set(terms), half: halfOf(file.trim()) };
}

/** By the hash of its name, so that a list that grows does not move pictures from one half to the other. */
export function halfOf(file: string): Half {
  const last = createHash('sha256').update(file).digest().at(-1)!;
  return last % 2 === 1 ? 'chosen on' : 'held back';
}

async function readText(path: string): Promise<string> {
  return (await readBounded(path, LABELS_BYTES_MAX)).toString('utf8');
}

const readPicture = (path: string): Promise<Uint8Array> => readBounded(path, LABELLED_PICTURE_BYTES_MAX);

/** @throws LabelsError for what is no file, or a larger one */
async function readBounded(path: string, bytesMax: number): Promise<Buffer> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new LabelsError(`There is no file ${path}.`);
  if (found.size > bytesMax)
    throw new LabelsError(`${path} has ${found.size} bytes; at most ${bytesMax} are read.`);
  return readFile(path);
}

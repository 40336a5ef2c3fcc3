import { extname } from 'node:path';
import type { Body } from '@atelier/client/transport.ts';
import mime from 'mime';
import { flagOf, type ToolDescription } from './input_schema.ts';
import { UsageError } from './usage_error.ts';

/** File extensions, and the formats they imply. */
const FORMATS: Record<string, string> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  tif: 'tiff',
  tiff: 'tiff',
  pdf: 'pdf',
  avif: 'avif',
  gif: 'gif',
  ico: 'ico',
  apng: 'apng',
  svg: 'svg',
};
const KNOWN = new Set(Object.values(FORMATS));

/**
 * Sets the format from the file name, if the tool has a format field and none was given.
 * @throws UsageError if name and format contradict each other, or the tool cannot write that format
 */
export function withFormat(input: Body, { name, fields }: ToolDescription, out: string | undefined): Body {
  const ending = endingOf(out ?? '');
  const field = ['format', 'output_format'].find((other) =>
    fields[other]?.enum?.some((value) => KNOWN.has(String(value))),
  );
  if (field === undefined || !isPicture(ending)) return input;
  const wanted = FORMATS[ending] ?? ending;
  const offered = fields[field]!.enum!;
  if (!offered.includes(wanted))
    throw new UsageError(
      `${name} writes ${offered.join(' or ')}, not ${wanted}. Change the extension of ${out}.`,
    );
  if (input[field] !== undefined && input[field] !== wanted)
    throw new UsageError(
      `${out} and ${flagOf(field)} ${input[field]} contradict each other. Omit one, or change the file extension.`,
    );
  return { ...input, [field]: wanted };
}

const endingOf = (path: string): string => extname(path).slice(1).toLowerCase();

const isPicture = (ending: string): boolean =>
  FORMATS[ending] !== undefined || mime.getType(ending)?.startsWith('image/') === true;

/**
 * Changes the extension of a path if it implies another format. @param extension the usual one of the actual
 * format
 */
export function namedAfter(path: string, extension: string): string {
  const [said, is] = [endingOf(path), extension].map((ending) => FORMATS[ending] ?? ending) as [
    string,
    string,
  ];
  if (!isPicture(said) || !isPicture(is) || said === is || (said === 'apng' && is === 'png')) return path;
  return `${path.slice(0, -extname(path).length)}.${extension}`;
}

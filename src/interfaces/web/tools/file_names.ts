import { fileNameIn } from '../../../core/storage/blobs/hourly_files.ts';
import { sampleIn } from './picture_operation.ts';
import { fileName } from './result_html.ts';
import type { Made } from './slug.ts';

/** The name an image was uploaded with, or the title of a sample. */
export const imageName = (handle: string): string | undefined =>
  sampleIn(handle)?.title ?? fileNameIn(handle.replace(/^(upload|result):/, ''));

/** File name of a download: the input name with the extension of the result, else the default name of the tool. */
export function resultName(tool: string, made: Made, picture: string | undefined): string {
  const name = picture === undefined ? undefined : imageName(picture);
  if (name === undefined) return fileName(tool, made);
  const extension = /\.\w{1,5}$/.exec(made.result ?? '')?.[0] ?? '';
  return name.replace(/\.\w{1,5}$/, '') + extension;
}

/** Makes names unique with "_2" and so on, ignoring case: some file systems do. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const [, stem = name, extension = ''] = /^(.*?)(\.\w{1,5})?$/.exec(name) ?? [];
    let unique = name;
    for (let at = 2; taken.has(unique.toLowerCase()); at += 1) unique = `${stem}_${at}${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

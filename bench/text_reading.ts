import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownSize } from '@atelier/imaging/codecs/shown_size.ts';
import { openSession } from '@atelier/imaging/onnx/open_session.ts';
import { readCharacters } from '@atelier/imaging/vision/text/decode_characters.ts';
import { layoutText } from '@atelier/imaging/vision/text/layout_text.ts';
import { readText, recogniseLines, type TextReader } from '@atelier/imaging/vision/text/read_text.ts';
import { type TextPicture, textPictures } from './support/text_pictures.ts';

/**
 * Character accuracy on ten generated posters and ten screens: one minus the edit distance divided by the
 * number of characters, including case and spaces. The networks are read from the folder PPOCR_FOLDER, under
 * their names in the package.
 */
export async function run(): Promise<string> {
  const folder = process.env.PPOCR_FOLDER;
  if (!folder) return '## Text read\n\nSkipped, PPOCR_FOLDER names no folder.';
  const open = (file: string) => openSession(readFileSync(join(folder, file)));
  const reader = {
    detection: await open('ch_PP-OCRv4_det_infer.onnx'),
    readLine: recogniseLines(
      await open('ch_PP-OCRv4_rec_infer.onnx'),
      readCharacters(readFileSync(join(folder, 'ppocr_keys_v1.txt'))),
    ),
  };
  const rows: Row[] = [];
  for (const picture of await textPictures()) rows.push(await measure(picture, reader));
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  return [
    '## Text recognition on generated posters and screens',
    '',
    '| picture | characters | wrong | lines exact | CPU s |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ name, characters, wrong, exact, lines, seconds }) =>
        `| ${name} | ${characters} | ${wrong} | ${exact} of ${lines} | ${seconds.toFixed(2)} |`,
    ),
    '',
    `Character accuracy ${(100 * (1 - sum(({ wrong }) => wrong) / sum(({ characters }) => characters))).toFixed(2)} %; ${sum(({ exact }) => exact)} of ${sum(({ lines }) => lines)} lines exact; median ${median(rows.map(({ seconds }) => seconds)).toFixed(2)} CPU s; peak of the process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB.`,
  ].join('\n');
}

interface Row {
  readonly name: string;
  readonly characters: number;
  readonly wrong: number;
  readonly lines: number;
  readonly exact: number;
  readonly seconds: number;
}

async function measure({ name, bytes, lines }: TextPicture, reader: TextReader): Promise<Row> {
  const began = process.cpuUsage();
  const { lines: found } = await readText(bytes, reader);
  const { user, system } = process.cpuUsage(began);
  const read = layoutText(found, await shownSize(bytes))
    .flatMap(({ rows }) => rows.flat())
    .map(({ text }) => text);
  // Matches each true line with the nearest read one; further lines count as errors.
  const left = [...read];
  let wrong = 0;
  let exact = 0;
  for (const line of lines) {
    const distances = left.map((text) => editDistance(line, text));
    const best = Math.min(line.length, ...distances);
    if (best < line.length) left.splice(distances.indexOf(best), 1);
    if (best === 0) exact++;
    wrong += best;
  }
  wrong += left.join('').length;
  const characters = lines.join('').length;
  return { name, characters, wrong, lines: lines.length, exact, seconds: (user + system) / 1e6 };
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= other.length; column++)
      next.push(
        Math.min(
          row[column]! + 1,
          next[column - 1]! + 1,
          row[column - 1]! + (character === other[column - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1)!;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

import { readFile } from 'node:fs/promises';

export type Row = Record<string, string>;

/** A table of the starter catalogue. Cells stand between bars; the first line names them. @throws Error where a line does not fit */
export async function readTable(name: string): Promise<Row[]> {
  const text = await readFile(new URL(`./${name}.txt`, import.meta.url), 'utf8');
  const [names, ...lines] = text.trimEnd().split('\n').map(cellsOf);
  return lines.map((cells) => {
    if (cells.length !== names!.length) throw new Error(`${name}.txt: ${cells.join(' | ')}`);
    return Object.fromEntries(cells.map((cell, index) => [names![index]!, cell]));
  });
}

const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim());

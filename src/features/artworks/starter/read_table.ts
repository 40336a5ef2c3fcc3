import { readFile } from 'node:fs/promises';

export type Row = Record<string, string>;

/**
 * Reads a table of the starter catalogue. Cells are separated by bars; the first line contains the column
 * names.
 * @throws Error if a line has a wrong number of cells
 */
export async function readTable(name: string): Promise<Row[]> {
  const text = await readFile(new URL(`./${name}.txt`, import.meta.url), 'utf8');
  const [names, ...lines] = text.trimEnd().split('\n').map(cellsOf);
  return lines.map((cells) => {
    if (cells.length !== names!.length) throw new Error(`${name}.txt: ${cells.join(' | ')}`);
    return Object.fromEntries(cells.map((cell, index) => [names![index]!, cell]));
  });
}

const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim());

import { Readable } from 'node:stream';
import type { CsvError } from 'csv-parse';
import { DATASET_CSV_COLUMNS_MAX, DATASET_ROW_CHARACTERS_MAX } from '../limits.ts';
import { quoteValue, type Row } from './row.ts';
import { SourceProblem } from './source_problem.ts';

/**
 * Rows of a CSV file (RFC 4180, with or without a byte-order mark) as objects keyed by its header. Skips and
 * reports a row with a wrong number of cells, or larger than any real one.
 * @param needed columns without which the file has another format
 * @throws SourceProblem if the header lacks one of them
 */
export async function* csvRows(
  file: { name: string; bytes: AsyncIterable<Uint8Array> },
  needed: readonly string[],
): AsyncGenerator<Row> {
  // Loaded on demand: a server that imports nothing does not need the parser.
  const { parse } = await import('csv-parse');
  const skipped: Row[] = [];
  let number = 1;
  const report = (error: CsvError | undefined, raw: string | undefined): undefined => {
    skipped.push({
      where: `${file.name}:${error?.lines ?? number}`,
      problem: error ? explainError(error) : 'not a row',
      quote: quoteValue(raw ?? ''),
    });
  };
  const parser = parse({
    bom: true,
    columns: (header) => columnsOf(file.name, header),
    max_record_size: DATASET_ROW_CHARACTERS_MAX,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: report,
  });
  const input = Readable.from(file.bytes);
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  try {
    for await (const value of parser as AsyncIterable<Record<string, string>>) {
      yield* skipped.splice(0);
      if (number === 1) checkHeader(file.name, value, needed);
      number += 1;
      yield { where: `${file.name} row ${number}`, value };
    }
    yield* skipped.splice(0);
    if (number === 1) throw new SourceProblem(`${file.name} has no rows.`);
  } catch (error) {
    yield* skipped.splice(0);
    if (!isCsvError(error)) throw error;
    yield { where: `${file.name} after row ${number}`, problem: explainError(error), quote: '' };
  } finally {
    input.destroy();
  }
}

/**
 * @throws SourceProblem for more columns than any real file has, because each row becomes an object with all
 * of them
 */
function columnsOf(file: string, header: readonly string[]): string[] {
  if (header.length > DATASET_CSV_COLUMNS_MAX)
    throw new SourceProblem(`${file} has ${header.length} columns. The limit is ${DATASET_CSV_COLUMNS_MAX}.`);
  return header.map((name) => name.trim());
}

function checkHeader(name: string, row: Record<string, string>, needed: readonly string[]): void {
  const missing = needed.filter((column) => !(column in row));
  if (missing.length > 0) {
    throw new SourceProblem(
      `${name} is not in a supported format. Missing columns: ${missing.map((column) => `"${column}"`).join(', ')}.`,
    );
  }
}

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && /^CSV_/.test((error as CsvError).code ?? '');

const PROBLEMS: Record<string, string> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'another number of cells than the header has',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'another number of cells than the header has',
  CSV_MAX_RECORD_SIZE: `longer than ${DATASET_ROW_CHARACTERS_MAX} characters`,
  CSV_QUOTE_NOT_CLOSED: 'the file ends inside a quoted cell',
};

const explainError = (error: CsvError): string => PROBLEMS[error.code] ?? error.message;

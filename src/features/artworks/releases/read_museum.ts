import { IMPORTERS } from '../museums/importers.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { Source } from '../readers/open_source.ts';
import { quoteValue, type Row } from '../readers/row.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { type ArtworkRecord, parseRecord } from '../records/record.ts';
import { countBad, countLeftOut, type ImportReport } from './report.ts';

/** Replacement character for bytes that are not valid UTF-8. */
const NOT_UTF8 = '\ufffd';

/**
 * Streams the records of a museum's file. Skips invalid rows and counts them in `report`; a truncated file
 * yields the records before its end.
 * @throws SourceProblem if nothing could be read
 */
export async function* readMuseum(
  museum: MuseumName,
  source: Source,
  report: ImportReport,
): AsyncGenerator<ArtworkRecord> {
  try {
    for await (const row of IMPORTERS[museum].rows(source)) {
      report.rows += 1;
      const record = recordOf(museum, row, report);
      if (record) yield record;
    }
  } catch (error) {
    if (!(error instanceof SourceProblem) || report.rows === 0) throw error;
    report.complete = false;
    countBad(report, { where: `after row ${report.rows}`, problem: error.message, quote: '' });
  }
}

function recordOf(museum: MuseumName, row: Row, report: ImportReport): ArtworkRecord | undefined {
  if ('problem' in row) {
    // A row lost at the end of a file may stand for many.
    if (/file ends/.test(row.problem)) report.complete = false;
    countBad(report, row);
    return undefined;
  }
  try {
    const mapped = IMPORTERS[museum].map(row.value);
    if ('leftOut' in mapped) {
      countLeftOut(report, mapped.leftOut);
      return undefined;
    }
    const record = parseRecord(mapped.record);
    if (hasBadText(record)) throw new Error('its text is not UTF-8');
    return record;
  } catch (error) {
    countBad(report, {
      where: row.where,
      problem: (error as Error).message,
      quote: quoteValue(textOf(row.value)),
    });
    return undefined;
  }
}

const hasBadText = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(NOT_UTF8)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasBadText);

/** Text by which a person recognises a row. */
const textOf = (value: Record<string, unknown>): string => {
  const { element: _, ...shown } = value;
  return JSON.stringify(shown).slice(0, 500);
};

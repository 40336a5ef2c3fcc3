import { createHash } from 'node:crypto';
import type { ArtworkRecord } from '../records/record.ts';
import type { ImportReport } from './report.ts';

/**
 * Chooses at most `max` of many works: those with a picture, the best known first, then a fair sample of the rest (by the
 * hash of the id, so that the same file always gives the same works). Holds twice `max` records at most.
 */
export async function* choose(
  records: AsyncIterable<ArtworkRecord>,
  report: ImportReport,
  max: number | undefined,
): AsyncGenerator<ArtworkRecord> {
  if (max === undefined) {
    yield* records;
    return;
  }
  let kept: { rank: string; record: ArtworkRecord }[] = [];
  let all = 0;
  const trim = () => {
    kept.sort((a, b) => (a.rank < b.rank ? -1 : 1));
    kept = kept.slice(0, max);
  };
  for await (const record of records) {
    all += 1;
    kept.push({ rank: rankOf(record), record });
    if (kept.length >= 2 * max) trim();
  }
  trim();
  report.left_out['over the number of works asked for'] = all - kept.length;
  if (all === kept.length) delete report.left_out['over the number of works asked for'];
  for (const { record } of kept) yield record;
}

/** Sorts first what is shown first. */
function rankOf({ id, image, highlight, artists }: ArtworkRecord): string {
  const place = image === null ? 3 : highlight ? 0 : artists.length > 0 ? 1 : 2;
  return `${place}${createHash('sha256').update(id).digest('hex')}`;
}

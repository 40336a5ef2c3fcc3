import { roundTo } from '../../pixels/round_to.ts';
import { WRITING_NETWORK } from '../../vision/network_names.ts';
import type { Measures } from '../analyse_picture.ts';
import { atPlace, placeName } from '../places.ts';
import { capitalise, type Fact, measuredFact, spellNumber } from './facts.ts';

/** More are not counted. */
const COUNTED_MAX = 12;

/**
 * Writing that was found, not read. What a network has seen goes before what only looks as regular as writing; where a network has
 * looked and found none, nothing is said: it leaves out short words.
 */
export function writingFact({
  writing = [],
  subject,
}: Pick<Measures, 'writing' | 'subject'>): Fact | undefined {
  const [largest] = writing;
  if (!largest)
    return subject.textLines > 0
      ? measuredFact(`${capitalise(countLines(subject.textLines))} of marks as regular as writing.`, 0.6)
      : undefined;
  const where = atPlace(placeName({ x: largest.x + largest.width / 2, y: largest.y + largest.height / 2 }));
  return {
    value:
      writing.length === 1
        ? `A line of writing or more ${where}.`
        : `At least ${countLines(writing.length)} of writing, the largest ${where}.`,
    basis: 'model',
    confidence: roundTo(Math.max(...writing.map(({ score }) => score)), 2),
    by: WRITING_NETWORK,
  };
}

/** What some readers may not want to see. */
export const contentHintFact = ({ rating }: Pick<Measures, 'rating'>): Fact | undefined =>
  rating && {
    value: `May show ${rating.hint}.`,
    basis: 'model',
    confidence: roundTo(rating.confidence, 2),
    by: rating.by,
  };

function countLines(count: number): string {
  const lines = count > COUNTED_MAX ? String(count) : spellNumber(count);
  return `${lines} ${count === 1 ? 'line' : 'lines'}`;
}

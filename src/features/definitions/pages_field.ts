import { z } from 'zod';
import { invalidField } from '../../core/errors/atelier_error.ts';
import { briefly } from './brief.ts';
import { withAliases, withCoercion } from './spellings.ts';

/** Page numbers of a document: "2", "1-3,5" or "all". @param about ends with a full stop @param brief for compact schemas */
export const pagesField = (about: string, brief: string) =>
  briefly(
    withAliases(
      withCoercion(
        z
          .string()
          .max(100)
          .regex(
            /^\s*(all|\d{1,4}(\s*-\s*\d{1,4})?(\s*,\s*\d{1,4}(\s*-\s*\d{1,4})?)*)\s*$/i,
            'must be "all", or numbers such as 2 or 1-3,5',
          )
          .optional()
          .describe(about)
          .meta({ title: 'Pages' }),
        numbersAsText,
      ),
      ...['page', 'page_number', 'page_numbers', 'page_range'],
    ),
    brief,
  );

/** Coerces a number, or a list of numbers, to text. */
function numbersAsText(sent: unknown): string | undefined {
  const numbers = Array.isArray(sent) ? sent : [sent];
  return numbers.length > 0 && numbers.every(Number.isInteger) ? numbers.join(',') : undefined;
}

/**
 * Parses page numbers, preserving their order.
 * @throws AtelierError invalid_input for page 0, descending ranges and more pages than `max`
 */
export function pagesIn(text: string | undefined, max: number): number[] | 'all' | undefined {
  if (text === undefined) return undefined;
  if (/^\s*all\s*$/i.test(text)) return 'all';
  const numbers = text.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number) as [number, number?];
    if (from < 1 || to < from)
      throw invalidField('pages', `pages starts at 1: ${range.trim()} is not a range.`);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
  if (numbers.length > max)
    throw invalidField('pages', `pages selects ${numbers.length} pages. The limit per call is ${max}.`);
  return numbers;
}

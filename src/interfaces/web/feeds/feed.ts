import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { FEED_LENGTH_MAX } from '../../../features/community/routes/limits.ts';
import type { AnyOperation } from '../../../features/definitions/operation.ts';
import type { Limit } from '../../../features/definitions/tool.ts';
import { callOperation } from '../../../pipeline/operations.ts';
import type { CallResponse } from '../../../pipeline/types.ts';
import type { Visit } from '../types.ts';

/** Entries on one page of a feed. */
const ENTRIES_A_PAGE = 24;
/** Entries reachable by paging: whole pages of one feed response. */
const ENTRIES_REACHED_MAX: number = Math.floor(FEED_LENGTH_MAX / ENTRIES_A_PAGE) * ENTRIES_A_PAGE;
/** The longest form with every character escaped. */
const FORM_BYTES_MAX = 32_768;
/** Rate limit of feed pages; posts have limits of their own. */
const FEED_PAGES_LIMIT: Limit = { name: 'feed-pages', calls: 1200, perSeconds: 3600, by: 'address' };

/** Limits of the forms of all feeds. */
export const feedForm = { bytesMax: FORM_BYTES_MAX, limit: FEED_PAGES_LIMIT };

/** Entries before the first one shown. */
export const fromField = z.coerce
  .number()
  .int()
  .min(0)
  .max(ENTRIES_REACHED_MAX - 1)
  .catch(0)
  .default(0);

type Endpoint = Pick<AnyOperation, 'name' | 'answer'>;
export type AnswerOf<One extends Endpoint> = z.output<Extract<One['answer'], z.ZodObject>>;

/** Calls an endpoint on behalf of the visitor, with its usual limits. @throws AtelierError of the endpoint */
export async function callEndpoint<One extends Endpoint>(
  { name }: One,
  input: Record<string, unknown>,
  { studio, caller, call: { header } }: Visit,
  method: 'GET' | 'POST' = 'GET',
): Promise<AnswerOf<One>> {
  const operation = studio.operations.find((one) => one.name === name)!;
  const answer = await callOperation(studio.kit, operation, input, caller, { method, header });
  return (answer as CallResponse).body as AnswerOf<One>;
}

/** One page of the entries of a feed, newest first, with the offsets of its neighbours. */
export function pageOf<Entry>(entries: readonly Entry[], from: number) {
  const [before, after] = [from - ENTRIES_A_PAGE, from + ENTRIES_A_PAGE];
  return {
    entries: entries.slice(from, after),
    ...(from > 0 && { newer: Math.max(0, before) }),
    ...(entries.length > after && after < ENTRIES_REACHED_MAX && { older: after }),
  };
}

/** Number of entries to request for a page, plus one to detect the next page. */
export const entriesFor = (from: number): number => Math.min(ENTRIES_REACHED_MAX, from + ENTRIES_A_PAGE + 1);

/** Values of a rejected form and the reason. */
export interface Draft {
  readonly values: Readonly<Record<string, string>>;
  readonly problem?: string;
  /** The invalid field, if it is a single one. */
  readonly field?: string;
}

/** Posts a form to an endpoint. @returns the draft of a rejected form, or undefined on success */
export async function post(operation: Endpoint, form: FormData, visit: Visit): Promise<Draft | undefined> {
  const values = Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const sent = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  try {
    await callEndpoint(operation, sent, visit, 'POST');
    return undefined;
  } catch (error) {
    if (!(error instanceof AtelierError) || error.status >= 500) throw error;
    const field = error.details.errors?.[0]?.field;
    return { values, problem: error.message, ...(field && { field }) };
  }
}

import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Results } from '../assets/results/results.ts';
import type { CallContext } from './tool.ts';

/** A signed statement in a response: its text, or a link to it. */
interface StatementAnswer {
  /** Compact JWS; empty with a link. */
  readonly text: string;
  readonly url?: string;
}

/**
 * Replaces a signed statement by a link in responses to models, which cannot verify signatures: its thousand characters cost as many
 * tokens as the rest of the response. Where the statement cannot be stored, it stays in the response.
 */
export async function statementAnswer(
  results: Pick<Results, 'keep'>,
  jws: string,
  { isModel }: Pick<CallContext, 'isModel'>,
): Promise<StatementAnswer> {
  if (!isModel) return { text: jws };
  try {
    const { url } = await results.keep(Buffer.from(jws), 'text/plain');
    return { text: '', url };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return { text: jws };
  }
}

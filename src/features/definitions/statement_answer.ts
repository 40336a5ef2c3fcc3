import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Results } from '../assets/results/results.ts';
import type { CallContext } from './tool.ts';

/** A signed statement as a client gets it: the text, or a link to it. */
interface StatementAnswer {
  /** Compact JWS; empty beside a link. */
  readonly text: string;
  readonly url?: string;
}

/**
 * A model cannot check a signature, and its thousand characters cost as many tokens as the rest of the answer: it gets a link that a
 * program follows. Where there is no room to store the statement, it stays in the answer.
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

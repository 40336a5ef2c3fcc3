import { EngineError } from '../errors/engine_error.ts';

/** What `editPicture` turns into an error about the operation it happened in. */
export class OperationRefused extends Error {
  /** The operation as it would work; absent where there is none. */
  readonly corrected: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, corrected?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'OperationRefused';
    this.corrected = corrected;
  }
}

/** An operation that cannot be done, and what to send instead. */
export const invalidOperation = (
  message: string,
  corrected?: Readonly<Record<string, unknown>>,
): OperationRefused => new OperationRefused(message, corrected);

/** The refusal as clients see it: which operation, why, and the list as it would work. */
export function engineErrorOf(
  refused: OperationRefused,
  { index, op, operations }: { index: number; op: string; operations: readonly object[] },
): EngineError {
  const field = `operations.${index}`;
  const message = `${field} (${op}): ${refused.message}`;
  const corrected = refused.corrected;
  return new EngineError('invalid_input', message, {
    errors: [{ field, code: 'invalid', message: refused.message }],
    ...(corrected && {
      try: { operations: operations.map((one, at) => (at === index ? { op, ...corrected } : one)) },
    }),
  });
}

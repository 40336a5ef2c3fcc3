import { EngineError } from '../errors/engine_error.ts';

/** An error that `editPicture` converts to an EngineError with the index of the operation. */
export class OperationRefused extends Error {
  /** A working version of the operation; undefined if there is none. */
  readonly corrected: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, corrected?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'OperationRefused';
    this.corrected = corrected;
  }
}

/** Creates an error for an invalid operation, with a correction. */
export const invalidOperation = (
  message: string,
  corrected?: Readonly<Record<string, unknown>>,
): OperationRefused => new OperationRefused(message, corrected);

/** Converts the error for clients: index, reason, and the corrected list of operations. */
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

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { AtelierError } from '../core/errors/atelier_error.ts';
import { tools } from '../features/tools.ts';
import { coerceInput } from './coerce_input.ts';
import { validateInput } from './receive.ts';

/**
 * A pattern with two adjacent `\s*` takes quadratic time for these texts: minutes, where a linear one takes
 * milliseconds.
 */
const TEXTS = [`1${' '.repeat(60_000)}x`, `${' '.repeat(60_000)}x`];

/**
 * Inputs with the text in every field: of the tool, and of each kind of member in its lists of operations and
 * layers.
 */
function inputsOf({ shape }: z.ZodObject, text: string): object[] {
  const whole = Object.fromEntries(Object.keys(shape).map((name) => [name, text]));
  const members = Object.entries(shape).flatMap(([name, schema]) =>
    objectsIn(schema).map((member) => ({ ...whole, [name]: [filled(member, text)] })),
  );
  return [whole, ...members];
}

interface Wrapping {
  readonly unwrap?: () => z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

function objectsIn(schema: unknown): NonNullable<Wrapping['shape']>[] {
  const { element, options, shape, unwrap } = schema as Wrapping;
  if (shape) return [shape];
  if (options) return options.flatMap(objectsIn);
  return element || unwrap ? objectsIn(element ?? (schema as Required<Wrapping>).unwrap()) : [];
}

/** `op` and `type` keep their constant values. */
const filled = (shape: NonNullable<Wrapping['shape']>, text: string): object =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const [word] = (schema as { readonly values?: ReadonlySet<unknown> }).values ?? [];
      return [name, word ?? text];
    }),
  );

/** Whether the whole input was validated, valid or not. */
function isRead(schema: z.ZodObject, input: object): boolean {
  try {
    coerceInput(schema, input);
    validateInput(schema, input);
    return true;
  } catch (error) {
    return error instanceof AtelierError;
  }
}

test.each(tools.map((tool) => [tool.name, tool.input] as const))(
  '%s parses texts of 60,000 spaces within the test timeout',
  (_name, schema) => {
    const inputs = TEXTS.flatMap((text) => inputsOf(schema, text));
    expect(inputs.filter((input) => !isRead(schema, input))).toEqual([]);
  },
);

import { z } from 'zod';

/** The object a field holds, through defaults and options. */
export function objectIn(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodObject) return field;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return objectIn(field.unwrap() as object);
  return undefined;
}

import { z } from 'zod';

/** A schema without these fields, and without the rules between fields. */
export const schemaWithout = (schema: z.ZodObject, fields: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !fields.includes(name))));

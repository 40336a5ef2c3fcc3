import { z } from 'zod';

/** A schema without some fields, and without its rules across fields. */
export const schemaWithout = (schema: z.ZodObject, fields: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !fields.includes(name))));

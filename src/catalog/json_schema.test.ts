import { expect, test } from 'vitest';
import { z } from 'zod';
import { imageField } from '../features/definitions/fields.ts';
import { jsonSchema, type SchemaForm } from './json_schema.ts';

const property = (schema: z.ZodType, form: Partial<SchemaForm> = {}) =>
  (
    jsonSchema(z.object({ it: schema }), { target: 'openapi-3.0', io: 'input', ...form }).properties as {
      it: unknown;
    }
  ).it;

test('nullable types use nullable in OpenAPI 3.0, with null among enum values', () => {
  expect(property(z.string().nullable())).toEqual({ type: 'string', nullable: true });
  expect(property(z.enum(['a']).nullable())).toEqual({ type: 'string', nullable: true, enum: ['a', null] });
});

test('bounds and patterns without information are omitted', () => {
  expect(property(z.int())).toEqual({ type: 'integer' });
  expect(property(z.iso.datetime())).toEqual({ type: 'string', format: 'date-time' });
  expect(property(z.record(z.string(), z.string()), { target: 'draft-2020-12' })).toEqual({
    type: 'object',
    additionalProperties: { type: 'string' },
  });
});

test('a record with enumerated keys becomes an object with those properties', () => {
  expect(property(z.record(z.enum(['a', 'b']), z.boolean()))).toEqual({
    type: 'object',
    properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
    required: ['a', 'b'],
  });
});

test('a union of numeric literals becomes one enum', () => {
  expect(property(z.union([z.literal(150), z.literal(300)]))).toEqual({ type: 'integer', enum: [150, 300] });
});

test('fields named pattern or id are kept', () => {
  const schema = jsonSchema(z.object({ id: z.string(), pattern: z.string() }), {
    target: 'openapi-3.0',
    io: 'input',
  });
  expect(schema.required).toEqual(['id', 'pattern']);
  expect(Object.keys(schema.properties as object)).toEqual(['id', 'pattern']);
});

test('a field with a default is optional in the input and required in the output', () => {
  const schema = z.object({ it: z.int().min(0).max(9).default(3) });
  expect(jsonSchema(schema, { target: 'openapi-3.0', io: 'input' }).required).toBeUndefined();
  expect(jsonSchema(schema, { target: 'openapi-3.0', io: 'output' }).required).toEqual(['it']);
});

test('image fields, including optional ones, are marked for clients that attach files', () => {
  expect(property(imageField.optional(), { target: 'draft-2020-12' })).toMatchObject({
    contentMediaType: 'image/*',
  });
  expect(property(imageField)).not.toHaveProperty('contentMediaType');
});

test('a schema that requires definitions is rejected', () => {
  expect(() => property(z.json())).toThrow('must not use definitions');
});

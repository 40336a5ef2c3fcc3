import { expect, test } from 'vitest';
import { lintOpenApi } from '../../tests/support/lint_openapi.ts';
import { sampleOperations } from '../../tests/support/sample_operations.ts';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { openApiDocument } from './openapi.ts';

const context = { publicUrl: 'https://atelier.test', version: '0.5.0' };
// biome-ignore lint/suspicious/noExplicitAny: a document is walked by name
const document = openApiDocument(sampleTools, sampleOperations, context) as any;
const post = (name: string) => document.paths[`/api/tools/${name}`].post;

test('the document passes the recommended rules of an independent linter', () => {
  expect(lintOpenApi(document)).toBe('');
});

test('the document has the version of the interface specification', () => {
  expect(document).toMatchObject({ openapi: '3.0.3', info: { version: '0.5.0' } });
});

test('a paid tool accepts credits, cards if enabled, and documents the 402 response', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is walked by name
  const cards = openApiDocument(sampleTools, sampleOperations, { ...context, takesCards: true }) as any;
  const withCards = cards.paths['/api/tools/keep_note'].post;
  expect(post('keep_note').security).toEqual([{ creditBearer: [] }]);
  expect(withCards.security).toEqual([{ creditBearer: [] }, { paymentIntent: [] }]);
  expect(JSON.stringify(document)).not.toContain('paymentIntent');
  expect(post('keep_note').responses[402]).toEqual({ $ref: '#/components/responses/E402' });
  expect(post('describe_image')['x-payment-info'].price).toMatchObject({ credit: 2, usd: 0.2 });
});

test('a free tool declares neither security nor a 402 response', () => {
  expect(post('turn_image').security).toEqual([]);
  expect(post('turn_image').responses).not.toHaveProperty('402');
});

test('every error response is described in both media types', () => {
  const { responses } = document.components;
  for (const { content } of Object.values(responses) as { content: object }[])
    expect(Object.keys(content)).toEqual(['application/problem+json', 'application/json']);
  expect(Object.keys(responses.E404.content['application/problem+json'].examples)).toContain('unknown_tool');
});

test('an operation with GET and POST takes its input from the query or the body', () => {
  const { get, post: posted } = document.paths['/api/notes/post'];
  expect(get.parameters).toEqual([
    {
      name: 'name',
      in: 'query',
      required: true,
      description: 'Who.',
      schema: { type: 'string', maxLength: 9 },
    },
    {
      name: 'mood',
      in: 'query',
      required: false,
      schema: { type: 'string', enum: ['calm', 'glad'], default: 'calm' },
    },
  ]);
  expect(posted.requestBody.content['application/json'].schema.required).toEqual(['name']);
});

test('path parameters, files and raw bodies have matching descriptions', () => {
  const picture = document.paths['/api/notes/{id}/picture'].get;
  expect(picture.parameters[0]).toMatchObject({ name: 'id', in: 'path', required: true });
  expect(picture.responses[200].content).toHaveProperty(['image/png']);
  expect(document.paths['/api/bytes'].post.requestBody.content).toHaveProperty(['*/*']);
});

test('the document has no placeholder bounds, JSON Schema dialect or content encoding', () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/9007199254740991|"\$schema"|contentEncoding|contentMediaType|"\$id"/);
});

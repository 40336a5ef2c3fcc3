import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { readProgram } from '../config/program.ts';
import { aiCatalog, mcpJson, serverCard } from './mcp_card.ts';

const context = { publicUrl: 'https://atelier.test', version: readProgram().version };

test('the manifest contains the server card and every tool with its price', () => {
  const manifest = mcpJson(sampleTools, context);

  expect(manifest).toMatchObject(serverCard(context));
  expect((manifest.tools as object[]).length).toBe(sampleTools.length);
  expect(manifest.tools).toContainEqual(
    expect.objectContaining({ name: 'describe_image', cost: { credit: 2, usd: 0.2 } }),
  );
});

test('the name and description of the card respect the schema limits', () => {
  const { name, description } = serverCard(context);

  expect(name).toMatch(/^[a-z0-9.-]+\/[a-z0-9._-]+$/);
  expect((description as string).length).toBeLessThanOrEqual(100);
});

test('the AI catalogue of the host links to both cards', () => {
  expect(aiCatalog(context)).toMatchObject({
    specVersion: '1.0',
    entries: [
      { identifier: 'urn:air:atelier.test:mcp:atelier', url: 'https://atelier.test/mcp/server-card' },
      {
        identifier: 'urn:air:atelier.test:agent:atelier',
        url: 'https://atelier.test/.well-known/agent-card.json',
      },
    ],
  });
});

test('server.json matches the server card', () => {
  const entry = JSON.parse(readFileSync(new URL('../../server.json', import.meta.url), 'utf8'));
  const { name, title, version, description } = serverCard(context);

  expect(entry).toMatchObject({ name, title, version, description });
});

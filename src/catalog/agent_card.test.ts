import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tools } from '../features/tools.ts';
import { agentCard } from './agent_card.ts';
import { skillText } from './skill.ts';
import { x402Document } from './x402_document.ts';

const context = { publicUrl: 'https://atelier.test', version: '0.5.0' };

test('the agent card has the fields required by A2A 1.0 and lists only served bindings', () => {
  const card = agentCard(tools, context);

  for (const field of [
    'name',
    'description',
    'version',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
  ])
    expect(card).toHaveProperty(field);
  expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([
    'https://atelier.test/mcp',
    'https://atelier.test/openapi.json',
  ]);
  expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).not.toContain('JSONRPC');
});

test('every tool is listed as a skill with its price', () => {
  const { skills } = agentCard(tools, context);

  expect(skills.map(({ id }) => id)).toEqual(tools.map(({ name }) => name));
  expect(skills.find(({ id }) => id === 'upscale_image')?.description).toContain(
    'Cost: 2 credits (0.20 USD).',
  );
  for (const { tags } of skills) expect(tags.length).toBeGreaterThan(0);
});

test('the x402 directory lists every tool with its price and payment offers', () => {
  const offer = { network: 'eip155:8453', asset: '0x1', payTo: '0x2', amount: '200000' };
  const schemes = ['exact', 'auth-capture'];
  const { resources, items } = x402Document(tools, { ...context, x402: () => [{ ...offer, schemes }] });

  expect(resources).toContain('https://atelier.test/api/tools/upscale_image');
  expect(resources).not.toContain('https://atelier.test/api/tools/resize_image');
  expect(items[0]!.offers).toEqual(schemes.map((scheme) => ({ scheme, ...offer })));
});

test('SKILL.md follows the agentskills.io format and references this server and existing tools', () => {
  const source = readFileSync(join(import.meta.dirname, '../../skills/atelier/SKILL.md'), 'utf8');
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(source)!;
  const fields = Object.fromEntries(
    [...head.matchAll(/^([a-z-]+): (.+)$/gm)].map(([, name, text]) => [name, text]),
  );
  const known = new Set(tools.map(({ name }) => name));
  const named = [...body.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name!);
  const others = ['next_steps', 'degraded_reason', 'upload_url', 'job_id'];

  expect(fields.name).toBe('atelier');
  expect(fields.description!.length).toBeLessThanOrEqual(1024);
  expect(fields.compatibility!.length).toBeLessThanOrEqual(500);
  expect(body.split('\n').length).toBeLessThan(500);
  expect(named.filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  expect(skillText('https://atelier.test')).not.toContain('127.0.0.1');
});

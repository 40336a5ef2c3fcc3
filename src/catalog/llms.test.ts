import { expect, test } from 'vitest';
import { sampleOperations } from '../../tests/support/sample_operations.ts';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { credits } from '../features/definitions/price.ts';
import { llmsText } from './llms.ts';

const text = llmsText(sampleTools, sampleOperations, { publicUrl: 'https://atelier.test' });
const section = (title: string) => text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

test('the text has one H1, a block quote, then H2 sections of lists', () => {
  expect(text).toMatch(/^# Atelier\n\n> .+\n\n/);
  expect(text.match(/^# /gm)).toHaveLength(1);
  expect(text.match(/^#{3,} /gm)).toBeNull();
});

test('tools are grouped by price, each with a link', () => {
  expect(section('Free tools')).toContain(
    '- [turn_image](https://atelier.test/openapi.json#/paths/~1api~1tools~1turn_image): ',
  );
  expect(section('Free tools')).not.toContain('keep_note');
  expect(section('Paid tools')).toContain(
    'Tier standard 1 credit (0.10 USD), tier premium 2 credits (0.20 USD).',
  );
});

test('optional fields are marked', () => {
  expect(section('Free tools')).toContain('Fields: image, quarter_turns?, fill?');
});

test('the quick start calls a free tool, the account operation and a paid tool', () => {
  expect(section('Quick start').match(/^curl /gm)).toHaveLength(3);
  expect(section('Quick start')).toContain("-H 'Authorization: Bearer 0x");
});

test('configured limits that differ from the defaults are listed', () => {
  const rates = { 'free-tools': 7, descriptions: 3 };
  const limited = llmsText(sampleTools, sampleOperations, { publicUrl: 'https://atelier.test', rates });
  expect(limited).toContain(
    '- All free tools together: 7 calls per hour\n- describe_image: 3 calls per minute\n',
  );
});

test('card payment is mentioned only if card payments are enabled', () => {
  const context = { publicUrl: 'https://atelier.test', takesCards: true };
  expect(text).not.toContain('X-Payment-Intent');
  expect(llmsText(sampleTools, sampleOperations, context)).toContain('X-Payment-Intent');
});

test('operations and limits are derived from the definitions, and empty sections are omitted', () => {
  expect(section('Community')).toContain('/api/notes/post): GET or POST. Leave a note for all.');
  expect(section('Limits')).toContain('- describe_image: 5 calls per minute');
  expect(text).not.toContain('## Wallet');
});

test('an AI-marker detector is mentioned only while it is free', () => {
  const detector = { ...sampleTools.find(({ name }) => name === 'turn_image')!, detectsAi: true as const };
  const named = (tool: object) =>
    llmsText([tool as never], sampleOperations, { publicUrl: 'https://atelier.test' });
  expect(named(detector)).toContain(
    'Free for anyone, without an account, by upload or URL: POST https://atelier.test/api/tools/turn_image',
  );
  expect(named({ ...detector, price: credits(1) })).not.toContain('without an account');
  expect(text).not.toContain('AI labels');
});

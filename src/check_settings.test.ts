import { expect, test } from 'vitest';
import { readConfig } from './config/config.ts';
import { requireSettings } from './create_context.ts';

const said = (settings: Record<string, string>): string[] => {
  try {
    requireSettings(readConfig(settings));
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
};

test('all contradictory settings are reported together', () => {
  const lines = said({
    STORAGE_LINKS: 'store',
    PAYMENTS: 'stripe',
    X402_PAY_TO: `0x${'1'.repeat(40)}`,
    VISION_PROVIDER: 'openai',
    EMBEDDINGS_URL: 'http://127.0.0.1:9',
    C2PA_KEY: 'x',
    VOUCHING_WALLET: `0x${'2'.repeat(40)}`,
    OIDC_ISSUER: 'https://id.example',
    MUSEUMS_PULL: 'louvre',
    JOBS_HERE: 'resize_imag',
  });
  const named = [
    'STORAGE_LINKS',
    'STRIPE_SECRET_KEY',
    'X402_FACILITATOR_URL',
    'VISION_MODEL',
    'EMBEDDINGS_MODEL',
    'C2PA_CERTIFICATE',
    'VOUCHING_SIGNATURE',
    'OIDC_AUDIENCE',
    'MUSEUMS_PULL',
    'JOBS_HERE',
  ];
  expect(lines).toHaveLength(named.length);
  for (const [at, name] of named.entries()) expect(lines[at]).toContain(name);
});

test('consistent settings produce no warnings', () => {
  expect(said({})).toEqual([]);
});

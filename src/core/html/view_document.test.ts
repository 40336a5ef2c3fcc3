import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { viewDocument } from './view_document.ts';

const ORIGIN = 'https://atelier.test';
const text = viewDocument({
  name: 'compare',
  title: 'Before and after',
  styles: ['compare.css'],
  origin: ORIGIN,
});
const partOf = (name: string): string => new RegExp(`<${name}[^>]*>([\\s\\S]*?)</${name}>`).exec(text)![1]!;
const hashOf = (part: string): string => createHash('sha256').update(part).digest('base64');

test('the policy allows the script and style by hash, and images of this server only', () => {
  const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(text)!;

  expect(policy).toBe(
    `default-src 'none'; script-src 'sha256-${hashOf(partOf('script'))}'; style-src 'sha256-${hashOf(partOf('style'))}'; img-src data: ${ORIGIN}; base-uri 'none'; form-action 'none'`,
  );
});

test('a script and its imports are bundled once each, dependencies first', () => {
  const program = partOf('script');

  expect(() => new Script(program)).not.toThrow();
  expect(program).not.toMatch(/^(import|export) /m);
  expect(program.match(/function connectHost\(/g)).toHaveLength(1);
  expect(program.indexOf('function openView(')).toBeLessThan(program.indexOf("openView('compare'"));
});

test('comments are stripped from served scripts and styles', () => {
  expect(partOf('script')).not.toMatch(/\/\*|^ *\/\//m);
  expect(partOf('style')).not.toContain('/*');
});

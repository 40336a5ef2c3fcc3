import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callsOf, callTabs } from './call_tabs.ts';

const PLACE = { publicUrl: 'https://studio.example', pays: true };
const texts = (params: object) =>
  Object.fromEntries(
    callsOf({ name: 'resize_image' }, params as Record<string, unknown>, PLACE).map(({ name, text }) => [
      name,
      text,
    ]),
  );
/** The arguments that a shell passes to the command, one per line. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { env: { ATELIER_WALLET: '0xabc' } })
    .toString()
    .trimEnd()
    .split('\n');

test('the command line quotes any text for the shell', () => {
  const { 'Command line': command } = texts({ title: `it's $HOME "and" \`more\`` });
  expect(wordsOf(command!).slice(-2)).toEqual(['--title', `it's $HOME "and" \`more\``]);
});

test('the curl example sends the exact JSON', () => {
  const params = { image: 'upload:a', width: 3, note: "o'clock" };
  const json = wordsOf(texts(params).curl!).join('\n').split('-d\n')[1]!;
  expect(JSON.parse(json)).toEqual(params);
});

test('the command line writes booleans as flags and lists as JSON', () => {
  const words = wordsOf(texts({ keep_location: true, strict: false, colours: ['#fff'] })['Command line']!);
  expect(words).toEqual(expect.arrayContaining(['--keep-location', '--strict=false', '["#fff"]']));
});

test('example text is HTML-escaped', () => {
  expect(String(callTabs('a', 'The same call', [{ name: 'curl', text: '<script>' }]))).toContain(
    '&lt;script&gt;',
  );
});

test('the Python example sends the exact JSON for any content', () => {
  const params = {
    image: 'upload:a',
    width: 3,
    note: `it's "so" \\ \n 😀`,
    flags: [true, false, null],
    nested: {},
  };
  const program = texts(params).Python!;
  const literal = /json\.dumps\((.*)\)\.encode/s.exec(program)![1]!;
  const sent = execFileSync('python3', ['-I', '-c', `import json\nprint(json.dumps(${literal}))`]).toString();
  expect(JSON.parse(sent)).toEqual(params);
});

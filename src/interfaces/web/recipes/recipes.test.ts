import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor, type TestVisitor } from '../../../../tests/support/open_visitor.ts';
import { presets } from '../../../features/recipes/tools/presets.ts';
import { tools } from '../../../features/tools.ts';
import { changeSteps, draftOf, readDraft, stepsOf } from './draft.ts';

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
  '0.image': '$photo',
  '0.num_colors': '4',
};
const keep = (who: TestVisitor, title = 'Four colours') =>
  who.press('/recipes/new', { title, ...PALETTE, do: 'keep' });

test.each(presets.map(({ name }) => name))(
  '%s has a field for each input and shows its steps',
  async (name) => {
    const preset = presets.find((one) => one.name === name)!;
    const { text } = await stranger.look(`/recipes/${name}`);
    const missing = Object.keys(preset.inputs).filter((input) => !text.includes(`name="${input}"`));
    expect(missing).toEqual([]);
    expect(text.match(/Result: <code>/g)).toHaveLength(preset.steps.length);
  },
);

test('each preset is listed with images of its step results', async () => {
  const { text } = await stranger.look('/recipes');
  for (const { name } of presets)
    expect(text).toMatch(new RegExp(`class="recipe-images" href="/recipes/${name}"[^>]*><img `));
});

test('an input uses the same form control as the field it fills', async () => {
  const { text } = await stranger.look('/recipes/photo_to_print');
  expect(text).toMatch(/<select id="field-size"[^>]*>.*<option value="a3" selected>/s);
  expect(text).toMatch(/type="file" id="field-photo"/);
});

test('a saved recipe has a link that anyone can run', async () => {
  const { status, goTo } = await keep(visitor);
  const run = await stranger.press(goTo, { photo: 'sample:pear' });
  expect([status, goTo]).toEqual([303, expect.stringMatching(/^\/recipes\/rcp_/)]);
  expect(run.goTo).toMatch(/^\/recipes\/rcp_\w+\?photo=sample%3Apear&run=job_/);
  expect(await stranger.ended(run.goTo)).toContain('Done.');
  expect((await visitor.look('/recipes')).text).toContain('Four colours');
});

test('the link of a deleted recipe returns 404', async () => {
  const { goTo } = await keep(visitor, 'Soon gone');
  await visitor.press('/recipes', { delete: goTo.split('/').at(-1)! });
  expect((await stranger.look(goTo)).status).toBe(404);
});

test('saving without a wallet fails and keeps the form values', async () => {
  const { status, text } = await keep(stranger);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain('You need an account to save recipes.');
  expect(text).toMatch(/name="0\.num_colors"[^>]* value="4"/);
});

test('settings with invalid JSON are named and kept in the form', async () => {
  const steps = { tool: 'edit_image', save_as: 'edited', '0.image': '$photo', '0.operations': '[{' };
  const { text } = await visitor.press('/recipes/new', { title: 'a', ...steps, do: 'keep' });
  expect(text).toContain('operations must be JSON');
  expect(text).toContain('>[{</textarea>');
});

test('a chain of runs becomes a recipe whose steps reference earlier results', async () => {
  const who = openVisitor(app, WALLET);
  const cut = await who.press('resize_image', { image: 'sample:pear', width: '40', height: '30' });
  await who.ended(cut.goTo);
  const [, result = ''] = /image=(result%3A[^"&]+)/.exec(await who.ended(cut.goTo))!;
  const turned = await who.press('edit_image', {
    image: decodeURIComponent(result),
    operations: '[{"op": "flip"}]',
  });
  const page = await who.ended(turned.goTo);
  const [, link] = /href="(\/recipes\/new\?run=job_\w+)">Save as recipe/.exec(page)!;
  const { text } = await who.look(link!);
  expect(text).toContain('value="Resize an image, then Edit an image"');
  expect(text).toMatch(/<option value="\$photo" selected>Entered at each run \(photo\)/);
  expect(text).toMatch(/<option value="\$resize_image" selected>Result of step 1: Resize an image/);
  expect(text).toMatch(/Save recipe \(free\); each run is free/);
  const form = Object.fromEntries(
    [...text.matchAll(/<(?:input|textarea)[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)")?/g)].map(
      ([, name, value]) => [name!, value ?? ''],
    ),
  );
  const kept = await who.press('/recipes/new', {
    ...form,
    title: 'Small and mirrored',
    tool: 'resize_image',
    save_as: 'resize_image',
    '0.image': '$photo',
    do: 'keep',
  });
  expect(kept.goTo).toMatch(/^\/recipes\/rcp_/);
});

test('a run of another visitor, or a deleted run, cannot become a recipe', async () => {
  const { goTo } = await visitor.press('mockup_image', { image: 'sample:badge', size: '500' });
  const run = new URLSearchParams(goTo.split('?')[1]).get('run')!;
  await visitor.ended(goTo);
  for (const id of [run, `job_${'0'.repeat(32)}`, '"><script>'])
    expect((await stranger.look(`/recipes/new?run=${encodeURIComponent(id)}`)).text).toContain(
      'no longer stored',
    );
});

test('form buttons add, move and remove steps', () => {
  const step = (name: string) => ({ tool: 'resize_image', save_as: name, settings: {}, rest: {} });
  const [a, b] = [step('a'), step('b')];
  const changed = (deed: string) => changeSteps([a, b], deed, tools);
  const names = (deed: string) => changed(deed).map(({ save_as: name }) => name);
  expect([names('down 0'), names('up 1'), names('up 0'), names('remove 1')]).toEqual([
    ['b', 'a'],
    ['b', 'a'],
    ['a', 'b'],
    ['a'],
  ]);
  expect([names('up 9'), names('')]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  expect(changed('add resize_image')[2]).toMatchObject({
    save_as: 'resize_image',
    settings: { image: '$b' },
  });
});

test('references fit any field, and parameters without a field are kept', () => {
  const params = { image: '$photo', width: '$wide', fit: 'cover', unknown: [1] };
  const { steps } = draftOf('x', [{ tool: 'resize_image', save_as: 'a', params }], tools);
  expect(stepsOf(steps, tools)[0]!.params).toMatchObject({ image: '$photo', width: '$wide', unknown: [1] });
});

test('strokes and boxes drawn on an image keep their values through the recipe form', () => {
  const drawn = [
    {
      tool: 'remove_background',
      save_as: 'cut',
      params: {
        image: '$photo',
        strokes: [
          {
            points: [
              [10, 20.5],
              [30, 40],
            ],
            radius: 5,
            keep: false,
          },
        ],
        where: { left: 1, top: 2, width: 30, height: 40 },
      },
    },
    {
      tool: 'erase_object',
      save_as: 'clean',
      params: { image: '$cut', where: [{ x: 1, y: 2, width: 3, height: 4 }] },
    },
  ];
  const form = new FormData();
  for (const [at, { tool, save_as: place, settings, rest }] of draftOf('x', drawn, tools).steps.entries()) {
    for (const [name, text] of Object.entries(settings)) form.append(`${at}.${name}`, text);
    for (const [name, text] of [
      ['tool', tool],
      ['save_as', place],
      ['rest', JSON.stringify(rest)],
    ] as const)
      form.append(name, text);
  }
  const kept = stepsOf(readDraft(form, tools).steps, tools);
  expect(kept.map(({ params }) => params)).toMatchObject(drawn.map(({ params }) => params));
});

test('a form with too many steps is truncated', () => {
  const form = new FormData();
  for (let at = 0; at < 100; at += 1) form.append('tool', 'resize_image');
  expect(readDraft(form, tools).steps).toHaveLength(12);
});

test('submitted values are HTML-escaped', async () => {
  const hostile = '"><img src=x onerror=alert(1)>';
  const { text } = await visitor.press('/recipes/new', {
    title: hostile,
    tool: hostile,
    save_as: hostile,
    rest: `${hostile}</textarea>`,
    do: 'keep',
  });
  expect(text).not.toContain('<img src=x');
  expect(text).not.toContain('</textarea></textarea>');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { newOwner } from '../../../../tests/support/owner.ts';

let app: TestApp;
const manage = async (body: object, headers = {}) =>
  (await app.post('/api/tools/manage_recipes', body, headers)).body;
const STEPS = [{ tool: 'extract_palette', params: { image: '$photo' } }];

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a recipe is saved, listed, shown by its id, run and deleted', async () => {
  const { wallet } = await newOwner(app);
  const { recipe } = await manage({ action: 'save', title: 'Colours', steps: STEPS, wallet });
  expect((await manage({ wallet })).recipes).toEqual([recipe]);
  expect((await manage({ action: 'get', id: recipe.id })).recipe.inputs).toEqual([{ name: 'photo' }]);
  expect((await app.get(new URL(recipe.url).pathname)).body.title).toBe('Colours');
  expect((await manage({ action: 'delete', id: recipe.id, wallet })).deleted).toBe(true);
  expect((await manage({ action: 'get', id: recipe.id })).code).toBe('recipe_not_found');
});

test('without a wallet presets are listed, and saving is rejected', async () => {
  const { presets, recipes } = await manage({});
  expect([presets.length > 0, recipes]).toEqual([true, []]);
  expect((await manage({ action: 'save', title: 'A', steps: STEPS })).code).toBe('wallet_not_registered');
});

test('another wallet cannot delete a recipe; the response equals that for unknown ids', async () => {
  const [owner, other] = [await newOwner(app), await newOwner(app)];
  const { recipe } = await manage({ action: 'save', title: 'A', steps: STEPS, wallet: owner.wallet });
  const refused = await manage({ action: 'delete', id: recipe.id, wallet: other.wallet });
  expect(refused.code).toBe('recipe_not_found');
  expect((await manage({ wallet: owner.wallet })).recipes).toHaveLength(1);
});

test('recipes of a locked wallet are accessible to its owner and scoped keys', async () => {
  const owner = await newOwner(app);
  const { wallet, bare } = owner;
  await manage({ action: 'save', title: 'A', steps: STEPS, wallet });
  const reader = await owner.makeKey({ scopes: ['assets:read'] });
  await app.post('/api/wallet/lock', {}, await owner.signIn());
  for (const [body, headers] of [
    [{ wallet }, {}],
    [{}, bare],
    [{ wallet, payer: wallet }, {}],
  ] as const)
    expect((await manage(body, headers)).code).toBe('wallet_locked');
  expect((await manage({ payer: reader.token })).recipes).toHaveLength(1);
  const { id } = (await manage({ payer: reader.token })).recipes[0];
  expect((await manage({ action: 'delete', id, payer: reader.token })).code).toBe('scope_denied');
});

test.each([
  [{ action: 'save', title: 'A' }, 'steps'],
  [{ action: 'save', steps: STEPS }, 'title'],
  [{ action: 'get' }, 'id'],
])('%j is rejected, naming the missing field', async (body, field) => {
  expect((await manage(body)).errors[0].field).toBe(field);
});

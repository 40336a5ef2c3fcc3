import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { presets } from '../src/features/recipes/tools/presets.ts';
import { forEachApp } from './support/for_each_app.ts';
import { ENDED, jobIn, noise, postJob } from './support/job_calls.ts';
import type { TestApp, TestReply } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';

/** Several tools in one call: one price, one hold, what was done is charged once and never again. */

const SMALL = { tool: 'resize_image', params: { image: '$photo', width: 40, height: 40 }, save_as: 'small' };
/** One credit, and quick. */
const TITLED = {
  tool: 'infuse_metadata',
  params: { image: '$small', metadata: { title: '$title' } },
  save_as: 'titled',
};
/** Its picture is known to be no picture only when it comes to it. */
const FAILS = {
  tool: 'infuse_metadata',
  params: { image: '$small.format', metadata: { title: 'x' } },
  save_as: 'broken',
};
const COLORS = { tool: 'extract_palette', params: { image: '$titled' }, save_as: 'colors' };

/** A picture nobody has sent before. */
async function freshPicture(): Promise<string> {
  const raw = { width: 8, height: 8, channels: 3 as const };
  return (await sharp(randomBytes(192), { raw }).png().toBuffer()).toString('base64');
}

forEachApp((open) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await open();
  });
  afterAll(async () => {
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true, problems: [] });
    await app.close();
  });

  const run = (body: object, headers: Record<string, string> = {}) =>
    app.post('/api/tools/run_recipe', body, headers);
  const stateOf = async (wallet: string) => {
    const { balance, held, totals } = (await app.post('/api/tools/check_balance', { wallet })).body;
    return { balance, held, spent: totals.spent };
  };
  const told = (body: TestReply['body']) =>
    body.steps.map(
      // biome-ignore lint/suspicious/noExplicitAny: an answer of the service
      (step: any) => `${step.save_as} ${step.state} ${step.cost.credit}${step.kept ? ' kept' : ''}`,
    );
  async function given() {
    const owner = await newOwner(app);
    return { ...owner, inputs: { photo: await freshPicture(), title: 'Sun' } };
  }

  test('the quoted price is held, charged once and on the receipt', async () => {
    const { wallet, bare, inputs } = await given();
    const steps = [SMALL, TITLED, COLORS];
    const { quote } = (await run({ steps, inputs, dry_run: true }, bare)).body;
    const { status, body } = await run({ steps, inputs }, bare);
    expect(quote).toMatchObject({
      credit: 1,
      balance_after: 9.05,
      steps: [{ credit: 0 }, { credit: 1 }, { credit: 0 }],
    });
    expect([status, body.state, told(body)]).toEqual([
      200,
      'done',
      ['small done 0', 'titled done 1', 'colors done 0'],
    ]);
    expect(body).toMatchObject({ cost: { credit: 1 }, payment: { method: 'credits', credit_back: 0.05 } });
    expect(await stateOf(wallet)).toEqual({ balance: 9.05, held: 0, spent: 1 });
  });

  test('each step returns the response of its tool, with files as links', async () => {
    const { bare, inputs } = await given();
    const { steps } = (await run({ steps: [SMALL], inputs: { photo: inputs.photo } }, bare)).body;
    const alone = { image: inputs.photo, width: 40, height: 40, output: 'url' };
    const { body } = await app.post('/api/tools/resize_image', alone);
    const { cost, next_steps, ...answer } = body;
    const text = expect.any(String);
    const differs = { result: text, result_url: text, expires_at: text };
    expect(steps[0].answer).toEqual({ ...answer, ...differs });
    expect((await app.fetch(new Request(steps[0].answer.result_url))).status).toBe(200);
  });

  test('the same beginning again costs nothing, with another end only that', async () => {
    const { wallet, bare, inputs } = await given();
    await run({ steps: [SMALL, TITLED], inputs }, bare);
    const longer = {
      steps: [
        SMALL,
        TITLED,
        COLORS,
        { ...TITLED, params: { image: '$titled', metadata: { title: 'b' } }, save_as: 'more' },
      ],
      inputs,
    };
    const { quote } = (await run({ ...longer, dry_run: true }, bare)).body;
    const { body } = await run(longer, bare);
    expect([quote.credit, told(body)]).toEqual([
      1,
      ['small done 0 kept', 'titled done 0 kept', 'colors done 0', 'more done 1'],
    ]);
    expect(await stateOf(wallet)).toMatchObject({ spent: 2 });
  });

  test('another image, parameter or wallet is computed and charged again', async () => {
    const [first, other] = [await given(), await given()];
    const steps = [SMALL, TITLED];
    await run({ steps, inputs: first.inputs }, first.bare);
    const calls = [
      run({ steps, inputs: other.inputs }, first.bare),
      run({ steps, inputs: { ...first.inputs, title: 'Moon' } }, first.bare),
      run({ steps, inputs: first.inputs }, other.bare),
    ];
    expect((await Promise.all(calls)).map(({ body }) => body.cost.credit)).toEqual([1, 1, 1]);
  });

  test('steps before a failure are charged, and the rest of the hold is released', async () => {
    const { wallet, bare, inputs } = await given();
    const steps = [SMALL, TITLED, FAILS, { ...TITLED, save_as: 'after' }];
    const { quote } = (await run({ steps, inputs, dry_run: true }, bare)).body;
    const { status, body } = await run({ steps, inputs }, bare);
    expect([quote.credit, status, body.state]).toEqual([3, 200, 'partial']);
    expect(told(body)).toEqual(['small done 0', 'titled done 1', 'broken failed 0', 'after skipped 0']);
    expect(body.steps[2].error).toMatchObject({
      code: 'unsupported_image',
      detail: expect.stringContaining('This is text'),
    });
    expect(body.payment.credit_back).toBe(0.05);
    expect(await stateOf(wallet)).toEqual({ balance: 9.05, held: 0, spent: 1 });
    expect((await run({ steps: [SMALL, TITLED], inputs }, bare)).body.cost.credit).toBe(0);
  });

  test('if the first step fails, the call fails with its error and is not charged', async () => {
    const { wallet, bare } = await given();
    const broken = { tool: 'infuse_metadata', params: { image: 'iVBORw0KGgo=', metadata: { title: 'x' } } };
    const { status, body } = await run({ steps: [broken] }, bare);
    expect([status, body.detail]).toEqual([
      expect.toBeOneOf([400, 415, 422]),
      expect.stringContaining('Step 1, step_1 (infuse_metadata)'),
    ]);
    expect(await stateOf(wallet)).toEqual({ balance: 10, held: 0, spent: 0 });
  });

  test('an asset saved by a step stays once if a later step fails', async () => {
    const { wallet, bare, inputs } = await given();
    const saved = { tool: 'save_asset', params: { wallet, key: 'a', data: '$small' }, save_as: 'saved' };
    const { body } = await run(
      {
        steps: [SMALL, saved, { ...TITLED, params: { image: '$saved', metadata: { title: 'x' } } }, FAILS],
        inputs: { photo: inputs.photo },
      },
      bare,
    );
    expect(told(body)).toEqual(['small done 0', 'saved done 1', 'titled done 1', 'broken failed 0']);
    expect((await app.post('/api/tools/list_assets', { wallet })).body.count).toBe(1);
  });

  test('a step that breaks off while it changes something gives everything back', async () => {
    const { wallet, bare, inputs } = await given();
    const data = 'https://nowhere.invalid/x.png';
    const save = { tool: 'save_asset', params: { wallet, key: 'a', data }, save_as: 'saved' };
    const { status, body } = await run({ steps: [SMALL, TITLED, save], inputs }, bare);
    expect([status, body.detail]).toEqual([502, expect.stringContaining('Step 3, saved (save_asset)')]);
    expect(await stateOf(wallet)).toEqual({ balance: 10, held: 0, spent: 0 });
  });

  test('for_each: a failed image does not stop the others', async () => {
    const { bare } = await given();
    const photos = [await freshPicture(), await freshPicture()];
    const steps = [SMALL, { ...TITLED, params: { image: '$small', metadata: { title: 'x' } } }];
    const { body } = await run(
      { steps, for_each: { photo: [photos[0], 'https://127.0.0.1:9/x.png', photos[1]] } },
      bare,
    );
    expect(body).toMatchObject({
      state: 'partial',
      delivered: 4,
      failed: 1,
      skipped: 1,
      cost: { credit: 2 },
    });
    expect(body.steps.map(({ item }: { item: number }) => item)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test('the same image twice in one call is computed and charged once', async () => {
    const { bare, inputs } = await given();
    const steps = [SMALL, { ...TITLED, params: { image: '$small', metadata: { title: 'x' } } }];
    const { body } = await run({ steps, for_each: { photo: [inputs.photo, inputs.photo] } }, bare);
    expect([body.cost.credit, body.delivered]).toEqual([1, 4]);
  });

  test('free calls need no wallet', async () => {
    const { status, body } = await run({ steps: [SMALL], inputs: { photo: EXAMPLE_PNG_B64 } });
    expect([status, body.cost.credit]).toEqual([200, 0]);
  });

  test('without a payment, with too little and with a card it is 402 with the sum, and nothing runs', async () => {
    const { inputs, wallet, bare } = await given();
    const steps = Array.from({ length: 11 }, (_, at) => ({
      ...TITLED,
      params: { image: '$small', metadata: { title: `${at}` } },
      save_as: `s${at}`,
    }));
    const body = { steps: [SMALL, ...steps], inputs: { photo: inputs.photo } };
    const replies = await Promise.all([
      run(body),
      run(body, bare),
      run(body, { ...bare, 'X-Payment-Intent': 'pi_1' }),
    ]);
    expect(replies.map(({ status, body: { cost } }) => [status, cost.credit])).toEqual([
      [402, 11],
      [402, 11],
      [402, 11],
    ]);
    expect(replies[2]!.body.detail).toContain('credits only');
    expect(await stateOf(wallet)).toEqual({ balance: 10, held: 0, spent: 0 });
  });

  test('a key runs only allowed steps, and its budget is charged for completed ones', async () => {
    const { inputs, makeKey } = await given();
    const steps = [SMALL, TITLED, FAILS];
    const narrow = await makeKey({ scopes: ['spend'], tools: ['run_recipe', 'resize_image'] });
    const wide = await makeKey({ scopes: ['spend'], max_credits: 2 });
    expect((await run({ steps, inputs }, narrow.header)).body).toMatchObject({
      code: 'scope_denied',
      detail: expect.stringContaining('Step 2'),
    });
    expect((await run({ steps, inputs }, wide.header)).body.cost.credit).toBe(1);
    const titles = ['b', 'c'].map((title) => ({
      ...TITLED,
      params: { image: '$small', metadata: { title } },
      save_as: title,
    }));
    const again = (last: object[]) =>
      run({ steps: [SMALL, ...last], inputs: { photo: inputs.photo } }, wide.header);
    expect((await again(titles)).body.code).toBe('budget_refused');
    expect((await again(titles.slice(1))).status).toBe(200);
  });

  test('with an Idempotency-Key it is one call', async () => {
    const { wallet, bare, inputs } = await given();
    const send = () => run({ steps: [SMALL, TITLED, FAILS], inputs }, { ...bare, 'Idempotency-Key': 'once' });
    const [first, second] = [await send(), await send()];
    expect(second.text).toBe(first.text);
    expect(await stateOf(wallet)).toMatchObject({ spent: 1 });
  });

  test('as a job, runs step by step and charges completed steps', async () => {
    const { wallet, bare, inputs } = await given();
    const accepted = await postJob(app, 'run_recipe', { steps: [SMALL, TITLED, FAILS], inputs }, bare);
    expect([accepted.status, accepted.body.credits.held]).toEqual([202, 2]);
    const job = await jobIn(app, accepted.body.job_id, ENDED, bare);
    expect(job).toMatchObject({
      state: 'succeeded',
      credits: { charged: 1 },
      result: { state: 'partial', cost: { credit: 1 } },
    });
    expect(await stateOf(wallet)).toEqual({ balance: 9.05, held: 0, spent: 1 });
  });

  test('a job that is canceled in a later step charges nothing, and its work has to be paid for again', async () => {
    const { wallet, bare, inputs } = await given();
    const long = {
      tool: 'vectorize_image',
      params: { image: await noise(700), color_precision: 10, filter_speckle: 0, force: true },
    };
    const { body } = await postJob(app, 'run_recipe', { steps: [SMALL, TITLED, long], inputs }, bare);
    await expect
      .poll(async () => (await app.get(`/api/jobs/${body.job_id}`, bare)).body.progress.message)
      .toContain('Step 3 of 3');
    await app.post(`/api/jobs/${body.job_id}/cancel`, {}, bare);
    expect(await jobIn(app, body.job_id, ENDED, bare)).toMatchObject({ state: 'canceled' });
    expect(await stateOf(wallet)).toEqual({ balance: 10, held: 0, spent: 0 });
    expect((await run({ steps: [SMALL, TITLED], inputs }, bare)).body.cost.credit).toBe(1);
  });

  test('a recipe is saved, shared by its link, run by anybody at their own cost, and ended by its owner', async () => {
    const [owner, friend] = [await given(), await given()];
    const { body } = await app.post('/api/recipes', { title: 'Titled', steps: [SMALL, TITLED] }, owner.bare);
    expect(body).toMatchObject({ title: 'Titled', inputs: [{ name: 'photo' }, { name: 'title' }] });
    expect(JSON.stringify((await app.get(`/api/recipes/${body.id}`)).body)).not.toContain(owner.wallet);
    expect((await app.get('/api/recipes', owner.bare)).body.recipes).toMatchObject([{ id: body.id }]);
    const ran = await run({ recipe: body.id, inputs: friend.inputs }, friend.bare);
    expect([ran.body.cost.credit, await stateOf(owner.wallet)]).toMatchObject([1, { spent: 0 }]);
    expect((await app.post(`/api/recipes/${body.id}/delete`, {}, friend.bare)).status).toBe(404);
    expect((await app.post(`/api/recipes/${body.id}/delete`, {}, owner.bare)).body).toMatchObject({
      deleted: true,
    });
    expect((await run({ recipe: body.id, inputs: friend.inputs }, friend.bare)).body.code).toBe(
      'recipe_not_found',
    );
  });

  test('a run can save its steps and returns their id', async () => {
    const { bare, inputs } = await given();
    const { body } = await run({ steps: [SMALL], inputs: { photo: inputs.photo }, save: 'Small' }, bare);
    const { pathname } = new URL(body.recipe_url);
    expect((await app.get(pathname)).body).toMatchObject({ id: body.recipe_id, title: 'Small' });
  });

  test.each(presets.map(({ name }) => name))('the preset %s can be run', async (recipe) => {
    const { bare } = await given();
    const { inputs } = presets.find(({ name }) => name === recipe)!;
    const sent = { generated_at: '2026-01-02T03:04:05Z', size: 'a4' } as Record<string, string>;
    const values = Object.keys(inputs).map((name) => [
      name,
      /photo|logo|picture/.test(name) ? EXAMPLE_PNG_B64 : (sent[name] ?? name),
    ]);
    const { status, body } = await run({ recipe, inputs: Object.fromEntries(values), dry_run: true }, bare);
    expect([status, body.quote?.affordable]).toEqual([200, true]);
  });

  const photo = EXAMPLE_PNG_B64;
  const one = [{ ...SMALL, params: { image: photo, width: 9, height: 9 } }];
  test.each<[string, object, string]>([
    ['a hundred steps', { steps: Array(100).fill(one[0]) }, 'at most 12'],
    ['no step', { steps: [] }, 'steps'],
    ['neither steps nor recipe', {}, 'either steps, or recipe'],
    ['both', { steps: one, recipe: 'label_ai' }, 'either steps, or recipe'],
    [
      'itself',
      { steps: [{ tool: 'run_recipe', params: { recipe: 'label_ai' } }] },
      'recipes cannot run recipes',
    ],
    [
      'an answer there is not',
      { steps: [{ tool: 'resize_image', params: { image: '$cut' } }] },
      'neither an input nor an earlier step',
    ],
    [
      'a later answer',
      {
        steps: [
          { tool: 'resize_image', params: { image: '$b' }, save_as: 'a' },
          { ...one[0], save_as: 'b' },
        ],
      },
      'a later step',
    ],
    [
      'an unknown result',
      { steps: [SMALL], inputs: { photo: `result:towu09-${'0'.repeat(32)}.png` } },
      'Result not found',
    ],
    ['an unused input', { steps: one, inputs: { foto: 1 } }, 'No step uses $foto'],
    ['too many pictures', { steps: [SMALL], for_each: { photo: Array(21).fill(photo) } }, 'at most 20'],
    [
      'too many runs',
      {
        steps: Array.from({ length: 12 }, () => SMALL).map((step, at) => ({ ...step, save_as: `s${at}` })),
        for_each: { photo: Array(6).fill(photo) },
      },
      'The limit per call is 60',
    ],
    [
      'two loops',
      { steps: [SMALL], for_each: { photo: [photo], b: [photo] } },
      'must name exactly one input',
    ],
    [
      'a wrong parameter',
      { steps: [{ ...SMALL, params: { image: photo, width: -1 } }] },
      'Step 1, small (resize_image): width',
    ],
    [
      'a price that is not known',
      {
        steps: [SMALL, { tool: 'enrich_metadata', params: { image: '$small', tier: '$small.format' } }],
        inputs: { photo },
      },
      'tier determines the price',
    ],
    ['a recipe there is not', { recipe: 'foto_to_print' }, 'not found. Presets'],
    ['a name that is none', { steps: [{ ...one[0], save_as: 'A b' }] }, 'save_as'],
  ])('a recipe with %s is refused in words, and nothing is held', async (_, body, words) => {
    const { wallet, bare } = await given();
    const { status, body: problem } = await run(body, bare);
    expect(status).toBeOneOf([400, 404]);
    expect(problem.detail).toContain(words);
    expect(await stateOf(wallet)).toEqual({ balance: 10, held: 0, spent: 0 });
  });

  test('a step of another client cannot read files of a locked wallet', async () => {
    const [owner, thief] = [await given(), await given()];
    await app.post('/api/wallet/lock', {}, await owner.signIn());
    const steps = [{ tool: 'get_asset', params: { wallet: owner.wallet, key: 'a' } }];
    expect((await run({ steps }, thief.bare)).body.code).toBe('wallet_locked');
    expect(
      (await run({ steps: [SMALL, TITLED], inputs: owner.inputs }, bearer(owner.wallet))).body.code,
    ).toBe('wallet_locked');
  });

  test.each([
    [
      'a step with invalid parameters',
      { title: 't', steps: [{ tool: 'resize_image', params: { image: '$p', width: -1 } }] },
      'width',
    ],
    [
      'an image in a step',
      { title: 't', steps: [{ tool: 'resize_image', params: { image: 'A'.repeat(40_000), width: 1 } }] },
      'as inputs',
    ],
    [
      'a loop',
      { title: 't', steps: [{ tool: 'resize_image', params: { image: '$a' }, save_as: 'a' }] },
      'this step',
    ],
  ])('a recipe with %s is not saved', async (_, body, words) => {
    const { bare } = await given();
    const { status, body: problem } = await app.post('/api/recipes', body, bare);
    expect([status, problem.detail]).toEqual([400, expect.stringContaining(words)]);
    expect((await app.get('/api/recipes', bare)).body.recipes).toEqual([]);
  });
});

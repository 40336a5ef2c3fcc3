import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { PixelControl } from '../../../core/workers/types.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { PassthroughServices } from '../../definitions/passthrough_answer.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { upscaleImage } from './upscale_image.ts';
import { modelOf } from './upscale_plan.ts';

const DEADLINES = { deadlineMs: 60_000, jobDeadlineMs: 600_000 };
const BYTES = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const parsed = (more: object) => upscaleImage.input.parse({ image: 'x', ...more });
const weights = { path: '/w', form: 'pth', bytes: 1, sha256: 'a'.repeat(64), origin: 'official' };

interface Around {
  origin?: string;
  bytes?: Buffer;
  size?: number[];
  isMissing?: boolean;
  pace?: Pace;
  passes?: number;
  networks?: Services['pixels']['networks'];
  /** Installed networks that stay true to clean pictures, by their scale, and whether the picture is clean. */
  faithful?: number[];
  condition?: 'clean' | 'spoiled';
  /** What its check against Lanczos found, in dB; absent: too small a picture. */
  gainDb?: number;
  /** How the run ends, if not well; `waiting` before it has begun. */
  ends?: { code: 'timed_out' | 'undecodable_image'; waiting?: boolean };
}
/** Seconds for a million pixels: as the service believes, and as a measurement shows. */
interface Pace {
  believed?: number;
  isFresh?: boolean;
  measured?: number;
}

interface Named {
  name: string;
}

const missing = {
  kind: 'bundled',
  networks: { clean: { name: 'own_x2' }, spoiled: { name: 'own_x2_spoiled' } },
  reason: 'It is missing.',
};

function around({
  origin = 'official',
  bytes = BYTES,
  size = [16, 12],
  isMissing = false,
  pace: given = {},
  passes = 1,
  networks = { isBusy: false, secondsAheadOf: () => 0 },
  faithful = [],
  condition = 'clean',
  gainDb,
  ends,
}: Around = {}) {
  const [asked, warnings, recorded, stopped] = [
    [] as unknown[],
    [] as string[],
    [] as string[],
    [] as string[],
  ];
  const { believed = 1, isFresh = true, measured = believed } = given;
  let pace = believed;
  const of = ({ width, height }: { width: number; height: number }) => (width * height * pace) / 1e6;
  const services = {
    models: {
      speeds: {
        estimate: (network: { name: string }, picture: { width: number; height: number }) => ({
          seconds: of(picture) / (network.name === 'realesr_animevideov3' ? 20 : 1),
          isFresh,
        }),
        largestWithin: (
          _: unknown,
          { width, height }: { width: number; height: number },
          seconds: number,
        ) => {
          const share = Math.sqrt(seconds / of({ width, height }));
          return { width: Math.floor(width * share), height: Math.floor(height * share) };
        },
        record: (network: { name: string }, run: { pixelsSeen: number; seconds: number }) => {
          recorded.push(network.name);
          pace = (run.seconds / run.pixelsSeen) * 1e6;
        },
        recordStopped: (network: { name: string }) => stopped.push(network.name),
      },
      upscalersAtHand: async () => [{ name: 'realesr_animevideov3' }, { name: 'own_x2', condition: 'clean' }],
      choose: async (name: string) => {
        asked.push(name);
        return isMissing ? missing : { kind: 'installed', network: { ...weights, name, origin } };
      },
      faithful: async (scale: number) =>
        faithful.includes(scale) ? { ...weights, name: `span_x${scale}`, origin: 'official' } : undefined,
      bundled: (scale: number) => ({ clean: { name: `own_x${scale}` } }),
      denoising: async (share: number) => {
        const [name, twin] = ['realesr_general_x4v3', { ...weights, name: 'twin', origin }];
        return { ...weights, name, origin, mix: { share, twin } };
      },
      upscaler: async (name: string) => {
        if (isMissing) throw new AtelierError('model_unavailable', `no ${name}`);
        return { ...weights, name, origin };
      },
    },
    pixels: {
      networks,
      run: async (...job: unknown[]) => {
        if (job[0] === 'count_passes') return passes;
        if (job[0] === 'condition') return { kind: condition, reason: 'it is so' };
        asked.push(...job);
        if (job[0] === 'measure_upscaler') return { pixelsSeen: 1e6, seconds: measured };
        if (!ends?.waiting) (job[2] as PixelControl).onStart?.();
        if (ends) throw new AtelierError(ends.code);
        const { model, next } = job[1] as { model: Named | { clean: Named }; next?: Named };
        const ran = ['clean' in model ? model.clean : model, ...(next ? [next] : [])];
        const work = ran.map(({ name }) => ({ network: name, pixelsSeen: 1e6, seconds: 1 }));
        const engine = { name: 'e', version: '1', weights_sha256: weights.sha256 };
        return {
          bytes,
          contentType: 'image/png',
          width: 32,
          height: 24,
          engine,
          metadata: NOTHING_CARRIED,
          work,
          chosenFor: 'it is soft',
          ...(gainDb !== undefined && { check: { gainDb, gainSsim: 0.01 } }),
        };
      },
    },
    manifests: {},
    results: { keep: async () => ({ handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) }) },
  } as unknown as Pick<Services, 'models'> & PassthroughServices;
  const waived: string[] = [];
  const call = {
    ...DEADLINES,
    waive: (why: string) => waived.push(why),
    signal: new AbortController().signal,
    onProgress() {},
    warn: (text: string) => warnings.push(text),
  };
  const image = { bytes: BYTES, format: 'png' as const, width: size[0]!, height: size[1]! };
  const run = (more: object = {}) =>
    upscaleImage.run({ ...parsed(more), image }, services, call as unknown as CallContext);
  const estimate = (more: object = {}) =>
    upscaleImage.estimate!({ ...parsed(more), image }, services, call as unknown as CallContext);
  return { run, estimate, asked, warnings, recorded, stopped, waived };
}

test.each([
  [{}, 'realesrgan_x2plus'],
  [{ scale: 2 }, 'realesrgan_x2plus'],
  [{ scale: 4 }, 'realesrgan_x4plus'],
  [{ scale: 4, model: 'realesrgan_x2plus' }, 'realesrgan_x2plus'],
  [{ scale: 2, model: 'realesr_general_x4v3' }, 'realesr_general_x4v3'],
  [{ scale: 3, model: 'realesr_animevideov3' }, 'realesr_animevideov3'],
])('%o selects the model %s', async (input, model) => {
  const { run, asked } = around();
  expect(modelOf(parsed(input))).toBe(model);
  expect(await run(input)).toMatchObject({ model, networks: [model], scale: model.includes('x2') ? 2 : 4 });
  expect(asked[0]).toBe(model);
});

test.each([
  [2, [2, 4], ['realesrgan_x2plus'], undefined],
  [3, [2, 4], ['span_x4'], 3],
  [4, [4], ['realesrgan_x4plus'], undefined],
  [6, [2, 4], ['span_x4', 'span_x2'], 6],
  [8, [4], ['span_x4', 'own_x2'], undefined],
  [8, [], ['own_x4', 'own_x2'], undefined],
  [3, [], ['own_x4'], 3],
])(
  'a clean image enlarged %i times with faithful networks for %j uses %j',
  async (scale, faithful, networks, reduced) => {
    const { run, estimate, asked, recorded } = around({ faithful });
    const answer = await run({ scale });
    expect(answer).toMatchObject({ model: networks[0], networks, scale, degraded: false });
    expect(answer.chosen_because).toEqual(
      /^(span|own)/.test(networks[0]!)
        ? expect.stringContaining(`${networks[0]} is the most faithful`)
        : undefined,
    );
    expect(recorded).toEqual(networks);
    expect((asked.at(-2) as { scale?: number }).scale).toBe(reduced);
    expect(await estimate({ scale })).toMatchObject({ networks, degraded: false });
  },
);

test('a degraded image uses the default network, then the faithful one', async () => {
  const { run } = around({ faithful: [2, 4], condition: 'spoiled' });
  const answer = await run({ scale: 8 });
  expect(answer).toMatchObject({ networks: ['realesrgan_x4plus', 'span_x2'], model: 'realesrgan_x4plus' });
  expect(answer.chosen_because).toMatch(
    /degraded \(it is so\), which span_x4 would sharpen; realesrgan_x4plus/,
  );
});

test('without official networks bundled ones run, with what is missing as the reason', async () => {
  const answer = await around({ isMissing: true }).run({ scale: 3 });
  expect(answer).toMatchObject({
    networks: ['own_x2'],
    degraded: true,
    degraded_reason: expect.stringMatching(/It is missing/),
  });
});

test('an explicitly named network runs regardless of the other installed networks', async () => {
  const { run } = around({ faithful: [2, 4] });
  expect(await run({ model: 'realesrgan_x2plus' })).toMatchObject({ networks: ['realesrgan_x2plus'] });
});

test('a clean image falls back to a faithful network when the specified one is missing', async () => {
  const { run } = around({ faithful: [2], isMissing: true });
  expect(await run({ allow_degraded: false })).toMatchObject({ networks: ['span_x2'], degraded: false });
  const spoiled = around({ faithful: [2], isMissing: true, condition: 'spoiled' });
  await expect(spoiled.run({ allow_degraded: false })).rejects.toMatchObject({ code: 'model_unavailable' });
});

test('the size limit applies to the intermediate image before reduction', async () => {
  const { run, asked } = around({ size: [1200, 1000] });
  await expect(run({ scale: 6 })).rejects.toMatchObject({
    code: 'image_too_large',
    message: expect.stringContaining('enlarged 8 times and reduced'),
  });
  expect(asked).toEqual([]);
});

test('the estimate for a chain adds both networks, the second at the enlarged size', async () => {
  const { estimate } = around({ size: [500, 400], pace: { believed: 2 } });
  expect(await estimate({ scale: 8 })).toMatchObject({ estimated_seconds: 7.9 });
});

test.each([{ scale: 5 }, { scale: 16 }, { scale: 0 }, { scale: 2.5 }, { model: 'esrgan' }, { model: '' }])(
  'refuses %o',
  (wrong) => {
    expect(upscaleImage.input.safeParse({ image: 'x', ...wrong }).success).toBe(false);
  },
);

test('returns the image with model, sizes, engine and weights', async () => {
  const answer = await around().run();
  expect(upscaleImage.output.strict().parse(answer)).toEqual({
    image_b64: EXAMPLE_PNG_B64,
    width: 32,
    height: 24,
    content_type: 'image/png',
    size_bytes: BYTES.length,
    result: 'result:r1',
    result_url: 'https://here/r1',
    expires_at: new Date(0).toISOString(),
    model: 'realesrgan_x2plus',
    scale: 2,
    networks: ['realesrgan_x2plus'],
    original_size_bytes: BYTES.length,
    upscaled_size_bytes: BYTES.length,
    engine: { name: 'e', version: '1', weights_sha256: weights.sha256 },
    metadata: NOTHING_CARRIED,
    degraded: false,
  });
});

test.each([
  ['official', 0],
  ['equivalent', 0],
  ['rounded', 1],
  ['unofficial', 1],
])('%s weights produce %i warnings', async (origin, count) => {
  const { run, warnings } = around({ origin });
  await run();
  expect(warnings.length).toBe(count);
});

test('a bundled network replaces a missing one, and the response states which and why', async () => {
  const { run, asked, estimate } = around({ isMissing: true });
  expect(await run()).toMatchObject({
    model: 'realesrgan_x2plus',
    engine: { name: 'e' },
    degraded: true,
    degraded_reason: 'It is missing. e was selected from the two networks for this scale: it is soft.',
  });
  expect(asked).toContainEqual(expect.objectContaining({ model: missing.networks }));
  expect(await estimate()).toEqual({
    estimated_seconds: 1.1,
    networks: ['own_x2', 'own_x2_spoiled'],
    degraded: true,
    degraded_reason: 'It is missing.',
  });
});

test.each([
  [0.5, false],
  [0.49, true],
  [-2.1, true],
])('a result %d dB above Lanczos has degraded: %s', async (gainDb, isDegraded) => {
  const { run } = around({ gainDb });
  const answer = await run();
  expect(upscaleImage.output.strict().parse(answer)).toMatchObject({
    degraded: isDegraded,
    against_lanczos: { gain_db: gainDb, gain_ssim: 0.01, gain_min_db: 0.5 },
  });
  if (isDegraded)
    expect(answer.degraded_reason).toMatch(/by realesrgan_x2plus, is .* dB .*you were not charged/);
});

test('a substitute that passes is not degraded, and the response names the missing network', async () => {
  const { run, waived } = around({ isMissing: true, gainDb: 2 });
  expect(await run()).toMatchObject({
    degraded: false,
    chosen_because: 'It is missing. e was selected from the two networks for this scale: it is soft.',
  });
  expect(waived).toEqual([]);
});

test('allow_degraded false refuses a degraded result, also in a dry run', async () => {
  const { run, asked, estimate } = around({ isMissing: true });
  await expect(run({ allow_degraded: false })).rejects.toMatchObject({ code: 'model_unavailable' });
  await expect(estimate({ allow_degraded: false })).rejects.toMatchObject({ code: 'model_unavailable' });
  expect(asked).toEqual([]);
});

test('a dry run names the installed network with and without allow_degraded', async () => {
  const { estimate } = around();
  const installed = { networks: ['realesrgan_x2plus'], degraded: false, estimated_seconds: 1.1 };
  expect(await estimate()).toEqual(installed);
  expect(await estimate({ allow_degraded: false })).toEqual(installed);
});

test('an image whose result would be too large is rejected before processing', async () => {
  const { run, asked } = around({ size: [6000, 4000] });
  await expect(run({ scale: 4 })).rejects.toMatchObject({
    code: 'image_too_large',
    message: expect.stringContaining('may have 6.25 million'),
  });
  expect(asked).toEqual([]);
  expect(await run({ scale: 2 })).toMatchObject({ scale: 2 });
});

test('a file too large for base64 is returned by link only, with a warning', async () => {
  const { run, warnings } = around({ bytes: Buffer.alloc(129 * 1024 * 1024) });
  expect(await run()).not.toHaveProperty('image_b64');
  expect(warnings).toEqual([expect.stringContaining('result_url')]);
});

const LARGE = { size: [2000, 1000] };

test('a call that cannot finish in time is rejected with size, network and alternative', async () => {
  const { run, estimate, asked } = around({ ...LARGE, pace: { believed: 100 } });
  const error = await run({ scale: 4 }).catch((reason: AtelierError) => reason);
  expect(error).toMatchObject({
    code: 'image_too_large',
    details: {
      members: {
        estimated_seconds: 201,
        deadline_seconds: 60,
        largest: { width: 916, height: 458 },
        faster_models: ['realesr_animevideov3'],
        as_job: true,
      },
    },
  });
  const { message } = error as AtelierError;
  for (const words of ['916 × 458 pixels', 'model realesr_animevideov3', 'Prefer: respond-async'])
    expect(message).toContain(words);
  expect(asked).toEqual(['realesrgan_x4plus']);
  expect(await estimate({ scale: 4 })).toMatchObject({
    estimated_seconds: 202,
    refusal: { check: 'time', detail: message },
  });
});

test('an estimate or stale measurement triggers a new measurement instead of a rejection', async () => {
  const quick = around({ ...LARGE, pace: { believed: 100, isFresh: false, measured: 10 } });
  expect(await quick.run({ scale: 4 })).toMatchObject({ scale: 4 });
  expect(quick.recorded).toEqual(['realesrgan_x4plus', 'realesrgan_x4plus']);
  const slow = around({ ...LARGE, pace: { believed: 100, isFresh: false, measured: 90 } });
  await expect(slow.run({ scale: 4 })).rejects.toMatchObject({ code: 'image_too_large' });
  expect(slow.asked).not.toContain('upscale');
});

test('a busy network is not measured; the known speed decides immediately', async () => {
  const networks = { isBusy: true, secondsAheadOf: () => 30 };
  const { run, asked } = around({
    ...LARGE,
    pace: { believed: 100, isFresh: false, measured: 10 },
    networks,
  });
  await expect(run({ scale: 4 })).rejects.toMatchObject({ code: 'image_too_large' });
  expect(asked).toEqual(['realesrgan_x4plus']);
});

test('a call delayed only by the queue reports when to retry', async () => {
  const networks = { isBusy: true, secondsAheadOf: () => 40 };
  const { run, estimate } = around({ ...LARGE, pace: { believed: 10 }, networks });
  await expect(run({ scale: 4 })).rejects.toMatchObject({ code: 'busy', details: { retryAfterSeconds: 40 } });
  expect(await estimate({ scale: 4 })).toMatchObject({ estimated_seconds: 62 });
});

test('transparency doubles the estimated network time', async () => {
  const opaque = around({ ...LARGE, pace: { believed: 20 } });
  expect(await opaque.run({ scale: 4 })).toMatchObject({ scale: 4 });
  const clear = around({ ...LARGE, pace: { believed: 20 }, passes: 2 });
  await expect(clear.run({ scale: 4 })).rejects.toMatchObject({
    details: { members: { estimated_seconds: 81, largest: { width: 1449, height: 724 } } },
  });
  expect(clear.asked).not.toContain('upscale');
});

test('an asynchronous job is not recommended when it would time out too', async () => {
  const { run } = around({ ...LARGE, pace: { believed: 400 } });
  await expect(run({ scale: 4 })).rejects.toMatchObject({
    message: expect.not.stringContaining('respond-async'),
  });
});

test('every run records the speed of the network that ran', async () => {
  const { run, recorded } = around({ isMissing: true });
  await run();
  expect(recorded).toEqual(['own_x2']);
});

test.each([
  [{ code: 'timed_out' }, ['realesrgan_x2plus']],
  [{ code: 'timed_out', waiting: true }, []],
  [{ code: 'undecodable_image' }, []],
] as const)('after %j the networks recorded as slower are %j', async (ends, expected) => {
  const { run, stopped } = around({ ends });
  await expect(run()).rejects.toMatchObject({ code: ends.code });
  expect(stopped).toEqual(expected);
});

test('denoise blends in the noise-preserving twin network in steps of a quarter', async () => {
  const { run, asked } = around();
  const answer = await run({ model: 'realesr_general_x4v3', denoise: 0.3 });

  const given = asked.find((one) => typeof one === 'object' && one !== null && 'model' in one);
  expect(given).toMatchObject({ model: { name: 'realesr_general_x4v3', mix: { share: 0.25 } } });
  expect(answer).toMatchObject({ denoise: 0.25 });
});

test.each([
  { scale: 2, denoise: 0.5 },
  { model: 'realesrgan_x4plus', denoise: 0 },
])('%o is rejected with the network that supports it', (fields) => {
  const { error } = upscaleImage.input.safeParse({ image: 'x', ...fields });
  expect(error?.issues[0]).toMatchObject({
    path: ['denoise'],
    message: expect.stringContaining('"realesr_general_x4v3"'),
  });
});

import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import { resizeImage } from '@atelier/imaging/resize/resize_image.ts';
import sharp from 'sharp';
import { readConfig } from '../../src/config/config.ts';
import type { Observations } from '../../src/features/enrichment/observations/observation_fields.ts';
import { createEnrichment, openVision } from '../../src/features/enrichment/service.ts';
import type { Enriched, EnrichRequest } from '../../src/features/enrichment/types.ts';
import type { VisionBudget } from '../../src/features/enrichment/vision_budget/vision_budget.ts';
import type { FakeProvider } from './fake_provider.ts';
import { NOTHING_GIVEN } from './nothing_given.ts';

export const KEY = 'key-1234';
/** Observations of a vision model. */
export const SEEN: Observations = {
  subject: 'three boats',
  action: 'lying on the mud',
  setting: 'before a grey town',
  objects: ['boats', 'mud'],
  style: 'oil painting, realism',
  mood: 'patient',
  themes: ['waiting'],
  symbolism: 'Boats may stand for rest.',
  prose: 'Three boats lie on the mud. A grey town stands behind them.',
};

interface Asked {
  readonly given?: Partial<EnrichRequest['given']> | undefined;
  readonly engine?: EnrichRequest['engine'] | undefined;
  readonly language?: EnrichRequest['language'] | undefined;
  readonly settings?: Record<string, string>;
  readonly budget?: VisionBudget;
  readonly signal?: AbortSignal;
}

/** Describes an image with the model of a fake provider. `logged` is the log output. */
export function askVision(
  server: FakeProvider,
  {
    given = {},
    engine = 'default',
    language = 'en',
    settings = {},
    budget,
    signal = new AbortController().signal,
  }: Asked = {},
): { done: Promise<Enriched>; logged: Record<string, unknown>[] } {
  const logged: Record<string, unknown>[] = [];
  const logger = { info: () => {}, warn: (entry: Record<string, unknown>) => logged.push(entry) };
  const asking = async () => {
    const model = await openVision(
      readConfig({
        VISION_PROVIDER: server.wire,
        VISION_MODEL: 'eyes-1',
        VISION_BASE_URL: server.url,
        VISION_API_KEY: KEY,
        VISION_INPUT_USD: '1',
        VISION_OUTPUT_USD: '5',
        ...settings,
      }),
      logger as never,
      budget,
    );
    const pixels = {
      run: (name: string, input: never) => (name === 'analyse' ? measured() : resizeImage(input)),
    };
    const bytes = await harbour();
    return createEnrichment({ pixels: pixels as never, model }).enrich(
      {
        image: { bytes, format: 'jpeg', width: 90, height: 60 },
        tier: 'premium',
        engine,
        language,
        given: { ...NOTHING_GIVEN, ...given },
      },
      { signal, address: '192.0.2.7', callerKey: 'ip:192.0.2.7' },
    );
  };
  return { done: asking(), logged };
}

/** One image and one analysis, shared by all calls. */
const harbour = once(() =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: '#776655' } })
    .composite([
      { input: { create: { width: 90, height: 20, channels: 3, background: '#43382e' } }, left: 0, top: 40 },
    ])
    .withExif({ IFD0: { Artist: 'the secret brief' } })
    .jpeg()
    .toBuffer(),
);
const measured = once(async () => analysePicture({ bytes: await harbour() }));

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import { resizeImage } from '@atelier/imaging/resize/resize_image.ts';
import sharp from 'sharp';
import { readConfig } from '../../src/config/config.ts';
import { createEnrichment, openVision } from '../../src/features/enrichment/service.ts';
import type { Enriched, EnrichRequest } from '../../src/features/enrichment/types.ts';
import type { VisionBudget } from '../../src/features/enrichment/vision_budget/types.ts';
import type { Words } from '../../src/features/enrichment/words_schema.ts';
import type { FakeProvider } from './fake_provider.ts';

export const KEY = 'key-1234';
/** What a model that has looked would say. */
export const WORDS: Words = {
  title: 'Boats at Low Tide',
  description: 'Three boats lie on the mud.',
  alt_text: 'Three boats on mud before a grey town.',
  extended_description: 'In front mud, behind it boats.',
  keywords: ['boats', 'mud'],
  themes: ['waiting'],
  subjects: ['boats'],
  people: null,
  setting: 'a harbour at low tide',
  objects: [],
  text_read: null,
  composition: 'The boats form a row.',
  color: 'Greys and one red.',
  lighting: 'Even light of a clouded day.',
  medium_seen: 'oil on canvas, perhaps',
  mood: 'patient',
  emotional_journey: 'From the red hull to the town.',
  symbolism: 'Boats may stand for rest.',
  art_movements: ['realism'],
  style: null,
  artist_analysis: 'Broad strokes.',
  cultural_context: null,
  confidence: 0.7,
};

interface Asked {
  readonly given?: Partial<EnrichRequest['given']> | undefined;
  readonly engine?: EnrichRequest['engine'] | undefined;
  readonly settings?: Record<string, string>;
  readonly budget?: VisionBudget;
  readonly signal?: AbortSignal;
}

/** Has a picture described by the model a fake provider stands for. `logged` is what went to the log. */
export function askVision(
  server: FakeProvider,
  {
    given = {},
    engine = 'default',
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
        given: {
          title: '',
          artist_name: '',
          copyright_holder: '',
          creation_year: '',
          content_type: 'artwork',
          context: '',
          ...given,
        },
      },
      { signal, address: '192.0.2.7', callerKey: 'ip:192.0.2.7' },
    );
  };
  return { done: asking(), logged };
}

/** One picture and one analysis of it for all. */
const harbour = once(() =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: '#776655' } })
    .withExif({ IFD0: { Artist: 'the secret brief' } })
    .jpeg()
    .toBuffer(),
);
const measured = once(async () => analysePicture({ bytes: await harbour() }));

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

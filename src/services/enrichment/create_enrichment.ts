import { ANALYST } from '../../engines/analyst/analyst.ts';
import type { Facts } from '../../engines/analyst/write/facts.ts';
import { premiumMetadata, standardMetadata } from '../../engines/analyst/write/write_metadata.ts';
import { writeSections } from '../../engines/analyst/write/write_sections.ts';
import type { Pixels } from '../../workers/index.ts';
import type { Enriched, Enrichment, EnrichRequest } from './index.ts';
import type { Reading, VisionModel } from './vision_model.ts';
import { withReading } from './with_reading.ts';

/** What the model gets to see: wide enough for faces and writing, small enough to be cheap. */
const MODEL_SIDE_PX = 1024;

interface Parts {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly model?: VisionModel | undefined;
}

/** The built-in analyst measures every picture; the model, where there is one, reads it besides. */
export function createEnrichment({ pixels, model }: Parts): Enrichment {
  const modelFor = (engine: EnrichRequest['engine']) => (engine === 'built_in' ? undefined : model);
  return {
    hasModel: model !== undefined,
    edition: (engine) => {
      const asked = modelFor(engine);
      return `${ANALYST.name}/${ANALYST.version}${asked ? ` ${asked.name}/${asked.version}` : ''}`;
    },
    async enrich({ image, tier, engine, given, soulWhisper }, control) {
      const size = { pixels: image.width * image.height };
      const measures = await pixels.run('analyse', { bytes: image.bytes }, { ...control, ...size });
      const facts = writeSections(measures, given);
      const asked = modelFor(engine);
      if (!asked) return composed(facts, { tier, soulWhisper }, { engine: ANALYST });
      control.onProgress?.(0.75, 'Asking the vision model');
      const seen = await pixels.run(
        'resize',
        { bytes: image.bytes, ...smallerThan(image), mode: 'contain', format: 'jpeg', quality: 88 },
        { ...control, ...size, onProgress: () => {} },
      );
      const reading: Reading = await asked.read({ jpeg: seen.bytes, given, facts, tier }, control.signal);
      const answered = { engine: { name: asked.name, version: asked.version }, usage: reading.usage };
      return composed(withReading(facts, reading.words, given), { tier, soulWhisper }, answered);
    },
  };
}

/** Neither side is enlarged. */
function smallerThan({ width, height }: EnrichRequest['image']) {
  return { width: Math.min(width, MODEL_SIDE_PX), height: Math.min(height, MODEL_SIDE_PX) };
}

function composed(
  facts: Facts,
  { tier, soulWhisper }: Pick<EnrichRequest, 'tier'> & { soulWhisper: EnrichRequest['soulWhisper'] },
  answered: Pick<Enriched, 'engine' | 'usage'>,
): Enriched {
  const factsCount = Object.values(facts).reduce((sum, fields) => sum + Object.keys(fields).length, 0);
  const written = tier === 'standard' ? standardMetadata(facts) : premiumMetadata(facts, soulWhisper);
  return { ...written, factsCount, ...answered };
}

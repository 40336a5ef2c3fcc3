import { createHash } from 'node:crypto';
import { ANALYST_ENGINE } from '@atelier/imaging/analysis/analyst.ts';
import type { Facts } from '@atelier/imaging/analysis/write/facts.ts';
import { premiumMetadata, standardMetadata } from '@atelier/imaging/analysis/write/write_metadata.ts';
import { writeSections } from '@atelier/imaging/analysis/write/write_sections.ts';
import type { PixelControl, Pixels } from '../../core/workers/types.ts';
import type { Recognise } from './recognise.ts';
import { completeGiven, givenOf, sourceOf, withRecord } from './record_facts.ts';
import type { Enriched, Enrichment, EnrichRequest, LookingEyes } from './types.ts';
import type { VisionModel } from './vision_model.ts';
import { withReading } from './with_reading.ts';

/** What the model gets to see: wide enough for faces and writing, small enough to be cheap. */
const MODEL_SIDE_PX = 1024;

interface Parts {
  readonly pixels: Pick<Pixels, 'run'>;
  /** The networks that look; none where none is installed. */
  eyes?(): Promise<LookingEyes>;
  isUncalibrated?(): Promise<boolean>;
  readonly model?: VisionModel | undefined;
  /** Absent: nothing is recognised. */
  readonly recognise?: Recognise;
}

/** The built-in analyst measures every picture; the model, where there is one, reads it besides. */
export function createEnrichment({
  pixels,
  eyes = async () => ({}),
  isUncalibrated = async () => false,
  model,
  recognise,
}: Parts): Omit<Enrichment, 'sweep' | 'answeredBefore' | 'keyOf'> {
  const modelFor = (engine: EnrichRequest['engine']) => (engine === 'built_in' ? undefined : model);
  const eyesFor = async (engine: EnrichRequest['engine']): Promise<LookingEyes> =>
    engine === 'built_in' ? {} : eyes();
  return {
    hasModel: model !== undefined,
    eyes,
    isUncalibrated,
    modelRefusal: async (engine, by) => (await modelFor(engine)?.refusal(by))?.message,
    edition: async (engine) => {
      const asked = modelFor(engine);
      const looking = await eyesFor(engine);
      return [
        `${ANALYST_ENGINE.name}/${ANALYST_ENGINE.version}`,
        ...(asked ? [`${asked.name}/${asked.version}`] : []),
        ...Object.values(looking).map(({ name, sha256 }) => `${name}/${sha256.slice(0, 12)}`),
        // Measured again, it may say something else.
        ...(looking.embedder ? [hashOf(looking.embedder.thresholds)] : []),
      ].join(' ');
    },
    async enrich({ image, tier, engine, given, soulWhisper }, control) {
      const asked = { image, given, tier, eyes: await eyesFor(engine), model: modelFor(engine), recognise };
      const looked = await look(pixels, asked, control);
      const { facts, ...answered } = looked;
      const written = tier === 'standard' ? standardMetadata(facts) : premiumMetadata(facts, soulWhisper);
      return { ...written, factsCount: countOf(facts), ...answered };
    },
    async analyseWork({ record, image }, control) {
      const given = givenOf(record);
      const sources = { eyes: await eyes(), model, recognise: undefined };
      const asked = { image, given, tier: 'premium', ...sources } as const;
      const { facts, ...answered } = await look(pixels, asked, control);
      const sections = withRecord(facts, record);
      return { sections, factsCount: countOf(sections), ...answered };
    },
  };
}

interface Looked extends Pick<Enriched, 'engine' | 'usage' | 'recognised' | 'subjectsCount' | 'contentHint'> {
  readonly facts: Facts;
}

interface Asked extends Pick<EnrichRequest, 'image' | 'given' | 'tier'> {
  readonly eyes: LookingEyes;
  readonly model: VisionModel | undefined;
  readonly recognise: Recognise | undefined;
}

async function look(
  pixels: Parts['pixels'],
  { image, given, tier, eyes, model, recognise }: Asked,
  control: Omit<PixelControl, 'pixels'>,
): Promise<Looked> {
  const size = { pixels: image.width * image.height };
  const measured = await pixels.run('analyse', { bytes: image.bytes }, { ...control, ...size });
  const looked =
    Object.keys(eyes).length === 0
      ? {}
      : await pixels.run('see', { bytes: image.bytes, networks: eyes }, { ...control, ...size });
  const measures = { ...measured, ...looked };
  const record = measures.pdq === undefined ? undefined : await recognise?.(measures.pdq);
  const told = record ? completeGiven(given, record) : given;
  const written = writeSections(measures, told);
  const facts = record ? withRecord(written, record, given) : written;
  const known = {
    subjectsCount: measures.subjects?.length ?? 0,
    ...(measures.rating && { contentHint: measures.rating }),
    ...(record && { recognised: { id: record.id, title: record.title, source: sourceOf(record) } }),
  };
  if (!model) return { facts, engine: ANALYST_ENGINE, ...known };
  control.onProgress?.(0.75, 'Asking the vision model');
  const seen = await pixels.run(
    'resize',
    { bytes: image.bytes, ...smallerThan(image), mode: 'contain', format: 'jpeg', quality: 88 },
    { ...control, ...size, onProgress: () => {} },
  );
  const by = { address: control.address, callerKey: control.callerKey };
  const { words, usage } = await model.read(
    { jpeg: seen.bytes, given: told, facts, tier, by },
    control.signal,
  );
  const engine = { name: model.name, version: model.version };
  return { facts: withReading(facts, words, told), engine, usage, ...known };
}

const hashOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

const countOf = (facts: Facts): number =>
  Object.values(facts).reduce((sum, fields) => sum + Object.keys(fields).length, 0);

/** Neither side is enlarged. */
function smallerThan({ width, height }: EnrichRequest['image']) {
  return { width: Math.min(width, MODEL_SIDE_PX), height: Math.min(height, MODEL_SIDE_PX) };
}

import { createHash } from 'node:crypto';
import { ANALYST_ENGINE } from '@atelier/imaging/analysis/analyst.ts';
import { capitalise, type Fact, type Facts } from '@atelier/imaging/analysis/write/facts.ts';
import { type Given, oneLine } from '@atelier/imaging/analysis/write/given.ts';
import { premiumMetadata, standardMetadata } from '@atelier/imaging/analysis/write/write_metadata.ts';
import { givenFacts, writeSections } from '@atelier/imaging/analysis/write/write_sections.ts';
import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { PixelControl, Pixels } from '../../core/workers/types.ts';
import { MUSEUM_NAMES, MUSEUMS } from '../artworks/museums/museums.ts';
import { type ArtworkRecord, parseRecord } from '../artworks/records/record.ts';
import type { Artworks } from '../artworks/types.ts';
import {
  createKnownWorks,
  type KnownWork,
  type KnownWorks,
  readKnownWorks,
} from '../provenance/hashes/known_works.ts';
import type { Services } from '../services.ts';
import { openLanguageModel, visionSettings } from './open_model.ts';
import * as store from './store.ts';
import type { Enriched, Enrichment, EnrichRequest, LookingEyes } from './types.ts';
import type { VisionBudget } from './vision_budget/types.ts';
import type { VisionModel } from './vision_model.ts';
import type { Words } from './words_schema.ts';

/**
 * The record of a known work with this hash.
 * @param pdq 64 hex digits
 */
type Recognise = (pdq: string) => Promise<ArtworkRecord | undefined>;

/** Finds the work by visual similarity. The dataset takes precedence over the bundled list. */
const recogniseIn =
  (works: KnownWorks, artworks: Pick<Artworks, 'find'>): Recognise =>
  async (pdq) => {
    const [nearest] = works.near([Buffer.from(pdq, 'hex')]);
    if (!nearest) return undefined;
    try {
      return (await artworks.find(nearest.work.id)).record;
    } catch (error) {
      if (error instanceof AtelierError && error.code === 'artwork_not_found') return recordOf(nearest.work);
      throw error;
    }
  };

/** The bundled list contains only works whose records stated CC0 when it was made; it omits the field and value of that statement. */
function recordOf({ id, title, artist, url }: KnownWork): ArtworkRecord | undefined {
  const museum = MUSEUM_NAMES.find((name) => id.startsWith(`${name}_`));
  if (!museum) return undefined;
  return parseRecord({
    id,
    museum,
    title,
    source_url: url,
    artists: artist ? [{ name: artist }] : [],
    rights: { status: 'cc0', evidence: null, url: 'https://creativecommons.org/publicdomain/zero/1.0/' },
  });
}

/** Fills the fields the client left open from the recognised record. */
function completeGiven(given: Given, record: ArtworkRecord): Given {
  const { museum, ...known } = givenOf(record);
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  return { ...known, ...said, ...(given.artist_name === '' && { museum }) } as Given;
}

/** Source of a record. Records of the starter catalogue were written by hand, without the museum. */
const sourceOf = ({ museum, rights }: ArtworkRecord): string =>
  rights.evidence === null ? OWN_LIST : MUSEUMS[museum].name;

const OWN_LIST = 'the catalogue that came with this server';

/** The record as input for the text generators: names, date, subjects and source. */
const givenOf = (record: ArtworkRecord): Given => ({
  title: record.title,
  artist_name: namesOf(record),
  copyright_holder: '',
  creation_year: record.date,
  content_type: /photograph/i.test(`${record.classification} ${record.medium}`) ? 'photo' : 'artwork',
  context: '',
  museum: { name: capitalise(sourceOf(record)), subjects: record.tags },
});

/** Merges facts. Precedence: the client, then the record (verbatim), then guesses from measurement. */
function withRecord(facts: Facts, record: ArtworkRecord, given?: Given): Facts {
  const work: Facts['work'] = dropUnknown({
    title: fact(record.title),
    artist_name: fact(namesOf(record)),
    artist_life: fact(lifeOf(record)),
    date: fact(record.date),
    medium: fact(record.medium),
    dimensions: fact(record.dimensions),
    culture: fact(record.culture),
    period: fact(centuryOf(record)),
    classification: fact(record.classification),
    department: fact(record.department),
    museum: fact(MUSEUMS[record.museum].name),
    object_number: fact(record.accession_number),
    credit_line: fact(record.credit_line),
    licence: fact(licenceOf(record)),
    source_url: fact(record.source_url),
  });
  const subjects = record.tags.length > 0 ? { subjects: fact(record.tags) } : {};
  return {
    ...facts,
    work: { ...work, ...(given && givenFacts(given)) },
    description: { ...facts.description, ...dropUnknown(subjects) },
    reading: { ...facts.reading, ...dropUnknown({ cultural_context: fact(record.description) }) },
  };
}

function licenceOf({ rights: { status, evidence, url } }: ArtworkRecord): string {
  const words = `${status === 'cc0' ? 'CC0' : 'Public domain'}, ${url}`;
  return evidence === null
    ? `${words} (so listed with this server; no field of the museum's data was read)`
    : words;
}

const namesOf = ({ artists }: ArtworkRecord): string => artists.map(({ name }) => name).join('; ');

function lifeOf({ artists }: ArtworkRecord): string {
  const [first] = artists;
  if (!first) return '';
  const years =
    first.born === null && first.died === null ? '' : `${yearText(first.born)}–${yearText(first.died)}`;
  return [first.nationality, years].filter(Boolean).join(', ');
}

const yearText = (year: number | null): string =>
  year === null ? '?' : year < 0 ? `${-year} BC` : String(year);

/** "16th century" from the years of a record; "16th to 17th century" across two. */
function centuryOf({ year_from: from, year_to: to }: ArtworkRecord): string {
  if (from === null || to === null) return '';
  const [first, last] = [centuryName(from), centuryName(to)];
  return first === last ? first : `${first} to ${last}`;
}

function centuryName(year: number): string {
  const count = Math.max(1, Math.ceil(Math.abs(year) / 100));
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }[
    ORDINAL.select(count)
  ];
  return `${count}${ending} century${year < 0 ? ' BC' : ''}`;
}

const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' });

function fact(value: string | readonly string[]): Fact | undefined {
  const clean = typeof value === 'string' ? oneLine(value) : value.map(oneLine).filter(Boolean);
  return clean.length > 0 ? { value: clean, basis: 'record', confidence: 0.95 } : undefined;
}

/** Drops unknown facts. */
const dropUnknown = <T extends Record<string, Fact | undefined>>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Fact;
  };

const TEXT_CHARACTERS_MAX = 4000;
const ITEM_CHARACTERS_MAX = 120;
const ITEMS_MAX = 30;

/** Measured facts merged with the model's reading. Facts from the client stay unchanged. */
function withReading(facts: Facts, words: Words, given: Given): Facts {
  const confidence = Math.min(0.95, Math.max(0.05, words.confidence));
  const fact = (value: string | readonly string[] | null): Fact | undefined => {
    const clean = value === null ? '' : typeof value === 'string' ? text(value) : items(value);
    return clean.length > 0 ? { value: clean, basis: 'model', confidence } : undefined;
  };
  const inTerms = (values: readonly string[], addsBroader?: 'adds broader'): Fact | undefined => {
    const { value, ids } = termsOf(items(values), addsBroader !== undefined);
    return value.length > 0
      ? { value, basis: 'model', confidence, ...(Object.keys(ids).length > 0 && { ids }) }
      : undefined;
  };
  const isTitled = oneLine(given.title) !== '';
  return {
    ...facts,
    work: { ...facts.work, ...(!isTitled && dropUnknown({ title: fact(words.title) })) },
    description: {
      ...facts.description,
      ...dropUnknown({
        summary: fact(words.description),
        alt_text: fact(words.alt_text),
        extended_description: fact(words.extended_description),
        keywords: inTerms(words.keywords, 'adds broader'),
        themes: fact(words.themes),
        subjects: inTerms(words.subjects),
        people: fact(words.people),
        setting: fact(words.setting),
        objects: inTerms(words.objects),
        text_read: fact(words.text_read),
      }),
    },
    composition: { ...facts.composition, ...dropUnknown({ overview: fact(words.composition) }) },
    color: { ...facts.color, ...dropUnknown({ overview: fact(words.color) }) },
    light: { ...facts.light, ...dropUnknown({ overview: fact(words.lighting) }) },
    surface: { ...facts.surface, ...dropUnknown({ medium_seen: fact(words.medium_seen) }) },
    reading: {
      ...facts.reading,
      ...dropUnknown({
        mood: fact(words.mood),
        emotional_journey: fact(words.emotional_journey),
        symbolism: fact(words.symbolism),
        art_movements: fact(words.art_movements),
        style: fact(words.style),
        artist_analysis: fact(words.artist_analysis),
        cultural_context: fact(words.cultural_context),
      }),
    },
  };
}

/** Sanitises model output: removes control characters and limits the length. */
const text = (value: string): string => oneLine(value).slice(0, TEXT_CHARACTERS_MAX);

const items = (values: readonly string[]): string[] =>
  [...new Set(values.map((value) => oneLine(value).slice(0, ITEM_CHARACTERS_MAX)).filter(Boolean))].slice(
    0,
    ITEMS_MAX,
  );

const match = termMatcher(SUBJECT_TERMS);

/** Number of broader terms of a keyword to include, nearest first: "mammal", "animal". */
const BROADER_MAX = 3;

/** Terms of the vocabulary get their preferred name and ids; other terms stay as the model wrote them. */
function termsOf(
  said: readonly string[],
  addsBroader: boolean,
): { value: string[]; ids: NonNullable<Fact['ids']> } {
  const terms = said.map((words) => match(words));
  const named = said.map((words, at) => terms[at]?.term ?? words);
  const broader = addsBroader ? terms.flatMap((term) => term?.broader.slice(0, BROADER_MAX) ?? []) : [];
  const value = [...new Set([...named, ...broader])].slice(0, ITEMS_MAX);
  const ids = value.flatMap((name) => {
    const known = SUBJECT_TERMS.get(name)?.ids;
    return known ? [[name, known] as const] : [];
  });
  return { value, ids: Object.fromEntries(ids) };
}

/** Image width for the model: enough for faces and writing, and cheap. */
const MODEL_SIDE_PX = 1024;

interface CreateEnrichmentDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  /** The installed vision networks. */
  eyes?(): Promise<LookingEyes>;
  isUncalibrated?(): Promise<boolean>;
  readonly model?: VisionModel | undefined;
  /** Absent: no recognition of known works. */
  readonly recognise?: Recognise;
}

/** The built-in engine measures every image; the model, if configured, also reads it. */
export function createEnrichment({
  pixels,
  eyes = async () => ({}),
  isUncalibrated = async () => false,
  model,
  recognise,
}: CreateEnrichmentDeps): Omit<Enrichment, 'sweep' | 'answeredBefore' | 'keyOf'> {
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
        // A new calibration may change the result.
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

interface LookOptions extends Pick<EnrichRequest, 'image' | 'given' | 'tier'> {
  readonly eyes: LookingEyes;
  readonly model: VisionModel | undefined;
  readonly recognise: Recognise | undefined;
}

async function look(
  pixels: CreateEnrichmentDeps['pixels'],
  { image, given, tier, eyes, model, recognise }: LookOptions,
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

const IDENTICAL_CALL_LIFETIME_MS = 30 * 86_400_000;

type Writer = Omit<Enrichment, 'sweep' | 'answeredBefore' | 'keyOf'>;

/**
 * Repeats a response that the wallet paid for within 30 days, for the same bytes, inputs and engine edition.
 * @param clock for tests
 */
export function withRepeats(
  writer: Writer,
  database: Database,
  clock: () => Date = () => new Date(),
): Enrichment {
  /** Cache key of a call, and the cached response. */
  const lookUp = async (request: EnrichRequest, wallet: string, now: Date) => {
    const place = { wallet, requestSha256: keyOf(request, await writer.edition(request.engine)) };
    const since = new Date(now.getTime() - IDENTICAL_CALL_LIFETIME_MS);
    return { place, since, known: await store.findPaid(database, place, since) };
  };
  return {
    hasModel: writer.hasModel,
    eyes: writer.eyes,
    isUncalibrated: writer.isUncalibrated,
    modelRefusal: writer.modelRefusal,
    edition: writer.edition,
    analyseWork: writer.analyseWork,
    async enrich(request, control) {
      const { payer } = request;
      if (!payer) return writer.enrich(request, control);
      const now = clock();
      const { place, since, known } = await lookUp(request, payer.wallet, now);
      if (known) return { ...(known.answer as Enriched), repeats: known.answeredAt };
      const enriched = await writer.enrich(request, control);
      const { hold } = payer;
      if (hold !== undefined)
        await store.remember(database, { ...place, hold, answer: enriched, at: now }, since);
      return enriched;
    },
    keyOf: async (request) => keyOf(request, await writer.edition(request.engine)),
    answeredBefore: async (request, wallet) => (await lookUp(request, wallet, clock())).known?.answeredAt,
    sweep: (now) => store.sweep(database, new Date(now.getTime() - IDENTICAL_CALL_LIFETIME_MS)),
  };
}

/** Hash of all inputs of a response. */
function keyOf({ image, tier, given, soulWhisper }: EnrichRequest, edition: string): string {
  const picture = createHash('sha256').update(image.bytes).digest('hex');
  const { title, artist_name, copyright_holder, creation_year, content_type, context } = given;
  const inputs = [title, artist_name, copyright_holder, creation_year, content_type, context];
  const asked = JSON.stringify([edition, picture, tier, inputs, soulWhisper?.message, soulWhisper?.sender]);
  return createHash('sha256').update(asked).digest('hex');
}

interface EnrichmentDeps extends Pick<Services, 'pixels' | 'artworks' | 'models' | 'subjects'> {
  readonly budget: VisionBudget;
  readonly database: Database;
  readonly logger: BaseLogger;
}

/** Creates the metadata service: built-in engine, configured vision model, and recognition of known works. */
export async function openEnrichment(
  config: Config,
  { database, pixels, models, subjects, artworks, budget, logger }: EnrichmentDeps,
): Promise<Services['enrichment']> {
  const model = await openVision(config, logger, budget);
  const recognise = recogniseIn(createKnownWorks(readKnownWorks()), artworks);
  const eyes = async (): Promise<LookingEyes> => {
    // The encoder pair takes part only once its precision has been measured (decision 96).
    const { embedder: _, ...looking } = await models.eyes();
    const naming = await subjects.naming();
    return naming ? { ...looking, embedder: naming } : looking;
  };
  const isUncalibrated = async () => (await subjects.state()).kind === 'uncalibrated';
  return withRepeats(createEnrichment({ pixels, eyes, isUncalibrated, model, recognise }), database);
}

/**
 * Creates the configured vision model, if any. Loads provider libraries only if one is configured.
 * @throws Error naming the setting that is missing or too small
 */
export async function openVision(
  config: Config,
  logger: BaseLogger,
  budget?: VisionBudget,
): Promise<VisionModel | undefined> {
  const vision = visionSettings(config);
  if (vision === undefined) return undefined;
  const { provider, name } = vision;
  const { createVisionModel, mostOfRequest } = await import('./vision_model.ts');
  const bounds = {
    outputTokensMax: config.VISION_OUTPUT_TOKENS_MAX,
    inputPrice: config.VISION_INPUT_USD,
    outputPrice: config.VISION_OUTPUT_USD,
  };
  requireRoom(config, mostOfRequest(bounds));
  return createVisionModel({
    ...bounds,
    model: await openLanguageModel(config, provider, name),
    name,
    timeoutMs: config.VISION_TIMEOUT_MS,
    budget,
    logger,
  });
}

/** The daily budget must cover at least one request. */
function requireRoom(config: Config, most: { readonly tokens: number; readonly usd: number }): void {
  const { VISION_USD_A_DAY: usd, VISION_TOKENS_A_DAY: tokens } = config;
  if ((usd ?? Infinity) < most.usd)
    throw new Error(`VISION_USD_A_DAY is less than one request may cost (${most.usd}): ${RAISE}`);
  if ((tokens ?? Infinity) < most.tokens)
    throw new Error(`VISION_TOKENS_A_DAY is less than one request may take (${most.tokens}): ${RAISE}`);
}

const RAISE = 'raise it, or lower VISION_OUTPUT_TOKENS_MAX.';

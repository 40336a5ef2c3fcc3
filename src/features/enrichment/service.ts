import { createHash } from 'node:crypto';
import type { Measures } from '@atelier/imaging/analysis/analyse_picture.ts';
import { ANALYSIS_FIELDS, type AnalysisField } from '@atelier/imaging/analysis/analysis_fields.ts';
import { ANALYST_ENGINE } from '@atelier/imaging/analysis/analyst.ts';
import { premiumMetadata, standardMetadata } from '@atelier/imaging/analysis/facts/answer_fields.ts';
import { capitalise, type Fact, type Facts } from '@atelier/imaging/analysis/facts/facts.ts';
import { type Given, oneLine } from '@atelier/imaging/analysis/facts/given.ts';
import { givenFacts, measuredFacts, withUnseen } from '@atelier/imaging/analysis/facts/measured_facts.ts';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { CaptionerFiles } from '../../core/workers/run_caption.ts';
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
import { cleanObservations } from './observations/clean.ts';
import { type Language, PHRASES } from './observations/language_words.ts';
import { measuredSummary } from './observations/measured_summary.ts';
import { fitObservations, type Observations } from './observations/observation_fields.ts';
import { type ReadLine, reconcile } from './observations/reconcile.ts';
import { withMeasuredLines, withObservations } from './observations/write.ts';
import { openLanguageModel, visionSettings } from './open_model.ts';
import * as store from './store.ts';
import type { EngineChoice, Enriched, Enrichment, EnrichRequest, InstalledNetworks } from './types.ts';
import type { VisionBudget } from './vision_budget/vision_budget.ts';
import type { VisionModel } from './vision_model.ts';

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

const OWN_LIST = 'the catalogue included with this server';

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
  const summary = fact(record.description);
  return {
    ...facts,
    work: { ...work, ...(given && givenFacts(given)) },
    description: { ...facts.description, ...dropUnknown({ ...subjects, summary }) },
    reading: { ...facts.reading, ...dropUnknown({ cultural_context: fact(record.description) }) },
  };
}

/** Marks fields that only a record can fill, and this one does not, as not recorded. */
function withNotRecorded(facts: Facts): Facts {
  const silent = Object.entries<AnalysisField>(ANALYSIS_FIELDS.work)
    .filter(([, { from }]) => from.join() === 'record')
    .map(([name]): [string, Fact] => [name, { value: NOT_RECORDED, basis: 'record', confidence: 0.95 }]);
  return { ...facts, work: { ...Object.fromEntries(silent), ...facts.work } };
}

const NOT_RECORDED = 'not in the record';

function licenceOf({ rights: { status, evidence, url } }: ArtworkRecord): string {
  const words = `${status === 'cc0' ? 'CC0' : 'Public domain'}, ${url}`;
  return evidence === null
    ? `${words} (as listed with this server; no field of the museum data was read)`
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

/** Image width for the model: enough for faces and writing, and cheap. */
const MODEL_SIDE_PX = 1024;

interface CreateEnrichmentDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  /** The installed vision networks. */
  eyes?(): Promise<InstalledNetworks>;
  readonly model?: VisionModel | undefined;
  /**
   * The installed network that describes images in English; undefined if there is none. A configured vision
   * model takes precedence.
   */
  captioner?(): Promise<CaptionerFiles | undefined>;
  /** Absent: no recognition of known works. */
  readonly recognise?: Recognise;
  /** Recognises text in the image; absent or undefined if no network for it is installed. */
  readText?(
    image: EnrichRequest['image'],
    control: Omit<PixelControl, 'pixels'>,
  ): Promise<readonly ReadLine[] | undefined>;
}

/** The built-in engine measures every image; the model, if configured, also reads it. */
export function createEnrichment({
  pixels,
  eyes = async () => ({}),
  model,
  captioner = async () => undefined,
  recognise,
  readText = async () => undefined,
}: CreateEnrichmentDeps): Omit<Enrichment, 'sweep' | 'answeredBefore' | 'keyOf'> {
  const modelFor = (engine: EnrichRequest['engine']) => (engine === 'built_in' ? undefined : model);
  const eyesFor = async (engine: EnrichRequest['engine']): Promise<InstalledNetworks> =>
    engine === 'built_in' ? {} : eyes();
  const captionerFor = async (engine: EngineChoice, language: Language) =>
    engine === 'built_in' || model !== undefined || language !== CAPTION_LANGUAGE ? undefined : captioner();
  return {
    canDescribe: async (engine, language) =>
      modelFor(engine) !== undefined || (await captionerFor(engine, language)) !== undefined,
    modelRefusal: async (engine, by) => (await modelFor(engine)?.refusal(by))?.message,
    edition: async (engine) => {
      const asked = modelFor(engine);
      const looking = await eyesFor(engine);
      const captions = await captionerFor(engine, CAPTION_LANGUAGE);
      return [
        `${ANALYST_ENGINE.name}/${ANALYST_ENGINE.version}`,
        ...(asked ? [`${asked.name}/${asked.version}`] : []),
        ...Object.values(looking).map(({ name, sha256 }) => `${name}/${sha256.slice(0, 12)}`),
        ...(captions ? [`${CAPTION_ENGINE}/${versionOf(captions)}`] : []),
        // A new calibration may change the result.
        ...(looking.embedder ? [hashOf(looking.embedder.thresholds)] : []),
      ].join(' ');
    },
    async enrich(request, control) {
      const { image, tier, engine, given, language, observations } = request;
      const model = observations ? undefined : modelFor(engine);
      const asked = { image, given, tier, eyes: await eyesFor(engine), recognise, language };
      const looked = await look(pixels, asked, control);
      const lines = engine === 'built_in' ? undefined : await readText(image, control);
      const withText = { ...looked, lines };
      if (observations) return observedAnswer(withText, request, { observations, basis: 'observed' });
      const captions = await captionerFor(engine, language);
      const reading = model
        ? await readBy(model, pixels, { ...asked, looked }, control)
        : captions && (await captionBy(captions, pixels, { image, lines }, control));
      if (!reading) return measuredAnswer(withText, request);
      const { engine: by, usage, ...seen } = reading;
      return observedAnswer({ ...withText, engine: by, ...(usage && { usage }) }, request, {
        ...seen,
        basis: 'model',
      });
    },
    async analyseWork({ record, image }, control) {
      const given = givenOf(record);
      const asked = {
        image,
        given,
        tier: 'premium',
        eyes: await eyes(),
        recognise: undefined,
        language: 'en',
      } as const;
      const measured = await look(pixels, asked, control);
      const captions = await captionerFor('default', asked.language);
      const reading = model
        ? await readBy(model, pixels, { ...asked, looked: measured }, control)
        : captions && (await captionBy(captions, pixels, { image }, control));
      const seen: Seeing | undefined = reading && { observations: reading.observations, basis: 'model' };
      const { facts = measured.facts } = seen ? describe({ ...measured, record }, asked, seen) : {};
      const recorded = withNotRecorded(withRecord(facts, record));
      const sections = withUnseen(withMeasuredLines(recorded, 'en'));
      const { engine, usage } = reading ?? measured;
      const { contentHint } = measured;
      return {
        sections,
        factsCount: countOf(sections),
        engine,
        ...(usage && { usage }),
        ...(contentHint && { contentHint }),
      };
    },
  };
}

/**
 * Response without observations: measurements, and metadata that was sent or recorded. All other fields
 * require seeing the image.
 */
function measuredAnswer(
  { facts, measures, record: _, lines, ...known }: LookedWithText,
  { tier, language, soulWhisper }: EnrichRequest,
): Enriched {
  const shownFacts = withMeasuredLines(facts, language);
  const { metadata, evidence } =
    tier === 'standard' ? standardMetadata(shownFacts) : premiumMetadata(shownFacts, soulWhisper);
  const measured = measuredSummary(facts, measures, lines);
  if (!('sections' in metadata))
    return { ...known, metadata, evidence, factsCount: countOf(facts), measured };
  const { sections: __, ...shown } = metadata;
  return { ...known, metadata: shown, evidence, factsCount: countOf(facts), measured };
}

/** Observations and their source: `observed` by the client, or `model`. */
interface Seeing {
  readonly observations: Observations;
  readonly basis: 'observed' | 'model';
}

/** Response with observations, sent by the client or read by a model. */
function observedAnswer(looked: LookedWithText, request: EnrichRequest, seen: Seeing): Enriched {
  const { lines: _, ...answered } = looked;
  const { facts = looked.facts, ...found } = describe(looked, request, seen);
  return { ...answerWith({ ...answered, facts }, request), ...found };
}

/**
 * Cleans observations, compares them with the pixels and the record, and writes the texts. `facts` is absent
 * if none of them can be used.
 */
function describe(
  { facts: measured, measures, record, lines }: Omit<LookedWithText, 'engine'>,
  { given, language }: Pick<EnrichRequest, 'given' | 'language'>,
  { observations: sent, basis }: Seeing,
): Pick<Enriched, 'notes' | 'disagreements' | 'isUnusable'> & { readonly facts?: Facts } {
  const known = [
    given.title,
    given.artist_name,
    given.copyright_holder,
    given.context,
    record?.title ?? '',
    ...(record?.artists ?? []).map(({ name }) => name),
  ].filter(Boolean);
  const { observations, notes } = cleanObservations(sent, { language, known });
  if (!observations.subject) return { notes, isUnusable: true };
  const observed = reconcile(observations, { measures, record, language, lines });
  const facts = withObservations(measured, { observed, measures, record, language, basis });
  const { disagreements } = observed;
  return { facts, notes, disagreements, isUnusable: measures.isBlank };
}

/** The fields of the response tier. */
function answerWith(
  { facts: known, measures: _, record: __, ...looked }: Looked,
  request: EnrichRequest,
): Enriched {
  const { tier, language, soulWhisper } = request;
  const facts = withUnseen(withMeasuredLines(known, language), PHRASES[language].notObserved);
  const written = tier === 'standard' ? standardMetadata(facts) : premiumMetadata(facts, soulWhisper);
  return { ...looked, ...written, factsCount: countOf(facts) };
}

interface Looked extends Pick<Enriched, 'engine' | 'usage' | 'recognised' | 'contentHint'> {
  readonly facts: Facts;
  readonly measures: Measures;
  readonly record: ArtworkRecord | undefined;
}

interface LookedWithText extends Looked {
  /** Text lines recognised in the image; absent if no text recognition ran. */
  readonly lines?: readonly ReadLine[] | undefined;
}

interface LookOptions extends Pick<EnrichRequest, 'image' | 'given' | 'tier' | 'language'> {
  readonly eyes: InstalledNetworks;
  readonly recognise: Recognise | undefined;
}

/** Measures the image, runs the installed networks and looks up a known work. */
async function look(
  pixels: CreateEnrichmentDeps['pixels'],
  { image, given, eyes, recognise }: LookOptions,
  control: Omit<PixelControl, 'pixels'>,
): Promise<Looked> {
  const size = { pixels: image.width * image.height };
  const measured = await pixels.run('analyse', { bytes: image.bytes }, { ...control, ...size });
  const detected =
    Object.keys(eyes).length === 0
      ? {}
      : await pixels.run('see', { bytes: image.bytes, networks: eyes }, { ...control, ...size });
  const measures: Measures = { ...measured, ...detected };
  const record = measures.pdq === undefined ? undefined : await recognise?.(measures.pdq);
  const written = measuredFacts(measures, record ? completeGiven(given, record) : given);
  return {
    facts: record ? withRecord(written, record, given) : written,
    measures,
    record,
    engine: ANALYST_ENGINE,
    ...(measures.rating && { contentHint: measures.rating }),
    ...(record && { recognised: { id: record.id, title: record.title, source: sourceOf(record) } }),
  };
}

/** Observations of a model or network. */
type Reading = Pick<Seeing, 'observations'> & Pick<Enriched, 'engine' | 'usage'>;

/** Queries the vision model. */
async function readBy(
  model: VisionModel,
  pixels: CreateEnrichmentDeps['pixels'],
  { image, given, tier, language, looked }: LookOptions & { readonly looked: Looked },
  control: Omit<PixelControl, 'pixels'>,
): Promise<Reading> {
  control.onProgress?.(0.75, 'Querying the vision model');
  const { facts, record } = looked;
  const completed = record ? completeGiven(given, record) : given;
  const size = { pixels: image.width * image.height };
  const small = await pixels.run(
    'resize',
    { bytes: image.bytes, ...smallerThan(image), mode: 'contain', format: 'jpeg', quality: 88 },
    { ...control, ...size, onProgress: () => {} },
  );
  const by = { address: control.address, callerKey: control.callerKey };
  const { observations, usage } = await model.read(
    { jpeg: small.bytes, given: completed, facts, tier, language, by },
    control.signal,
  );
  return { observations, usage, engine: { name: model.name, version: model.version } };
}

/** Florence-2 writes English. */
const CAPTION_LANGUAGE = 'en';
const CAPTION_ENGINE = 'florence_2';
const versionOf = ({ decoder }: CaptionerFiles): string => decoder.sha256.slice(0, 12);

/** Runs the installed captioning network, and adds the recognised text. */
async function captionBy(
  captioner: CaptionerFiles,
  pixels: CreateEnrichmentDeps['pixels'],
  { image, lines = [] }: Pick<EnrichRequest, 'image'> & Pick<LookedWithText, 'lines'>,
  control: Omit<PixelControl, 'pixels'>,
): Promise<Reading> {
  control.onProgress?.(0.75, 'Describing the image');
  const { caption, paragraph, things } = await pixels.run(
    'caption',
    { bytes: image.bytes, captioner },
    { ...control, pixels: image.width * image.height, onProgress: () => {} },
  );
  const observations = fitObservations({
    subject: caption.replace(/\.$/u, ''),
    prose: paragraph,
    objects: things,
    visible_text: lines.map(({ text }) => text),
  });
  return {
    observations: observations ?? { subject: '' },
    engine: { name: CAPTION_ENGINE, version: versionOf(captioner) },
  };
}

const hashOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/** Counts known facts. Fields that require seeing the image, and were not observed, do not count. */
const countOf = (facts: Facts): number =>
  Object.values(facts)
    .flatMap((fields) => Object.values(fields) as Fact[])
    .filter(({ basis, value }) => basis !== 'unseen' && value !== NOT_RECORDED).length;

/** Never enlarges either side. */
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
    canDescribe: writer.canDescribe,
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
      if (hold !== undefined && !enriched.isUnusable)
        await store.remember(database, { ...place, hold, answer: enriched, at: now }, since);
      return enriched;
    },
    keyOf: async (request) => keyOf(request, await writer.edition(request.engine)),
    answeredBefore: async (request, wallet) => (await lookUp(request, wallet, clock())).known?.answeredAt,
    sweep: (now) => store.sweep(database, new Date(now.getTime() - IDENTICAL_CALL_LIFETIME_MS)),
  };
}

/** Hash of all inputs of a response. */
function keyOf(request: EnrichRequest, edition: string): string {
  const { image, tier, given, soulWhisper, observations, language } = request;
  const picture = createHash('sha256').update(image.bytes).digest('hex');
  const { title, artist_name, copyright_holder, creation_year, content_type, context } = given;
  const inputs = [title, artist_name, copyright_holder, creation_year, content_type, context];
  const asked = JSON.stringify([
    edition,
    picture,
    tier,
    inputs,
    soulWhisper?.message,
    soulWhisper?.sender,
    observations,
    language,
  ]);
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
  const eyes = async (): Promise<InstalledNetworks> => {
    // The encoder pair takes part only once its precision has been measured (decision 27).
    const { embedder: _, ...looking } = await models.eyes();
    const naming = await subjects.naming();
    return naming ? { ...looking, embedder: naming } : looking;
  };
  const readText: NonNullable<CreateEnrichmentDeps['readText']> = async (image, control) => {
    const reader = await models.textReader();
    if (!reader) return undefined;
    const { bytes, width, height } = image;
    const { lines } = await pixels.run(
      'read_text',
      { bytes, reader },
      { ...control, pixels: width * height },
    );
    return lines;
  };
  const captioner = () => models.captioner();
  return withRepeats(createEnrichment({ pixels, eyes, model, captioner, recognise, readText }), database);
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
    throw new Error(`VISION_USD_A_DAY is less than the maximum price of one request (${most.usd}): ${RAISE}`);
  if ((tokens ?? Infinity) < most.tokens)
    throw new Error(
      `VISION_TOKENS_A_DAY is less than the maximum tokens of one request (${most.tokens}): ${RAISE}`,
    );
}

const RAISE = 'raise it, or lower VISION_OUTPUT_TOKENS_MAX.';

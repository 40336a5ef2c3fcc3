import type { RightsPolicy, RslLicence } from '@atelier/imaging/metadata/rights/policy.ts';
import type { TrainingEntry } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../../definitions/fields.ts';
import { pictureAnswer } from '../../definitions/passthrough_answer.ts';
import { credits } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import { aiField, rightsField } from '../../definitions/rights_fields.ts';
import { withAliases, withSuggestion } from '../../definitions/spellings.ts';
import { statementAnswer } from '../../definitions/statement_answer.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Soulmark } from '../../provenance/soulmarks/soulmarks.ts';
import { keepOwnManifest, markIn, storedManifestField } from '../../provenance/tools/keep_manifest.ts';
import { aiAnswer, answerOfMark, markAsAi } from '../../provenance/tools/mark_as_ai.ts';
import { registerInfused } from '../../provenance/tools/register_infused.ts';
import { timeStampAnswer, timeStampField } from '../../provenance/tools/time_stamp_answer.ts';
import type { Services } from '../../services.ts';
import { fieldsOf, metadataField, unknownFieldsOf } from './metadata_fields.ts';
import { answerOfRights, refuseUnreadable, rightsAnswer } from './rights_answer.ts';
import {
  codexOrigin,
  keepImageId,
  keepLabel,
  originFields,
  type WordedOrigin,
  wordOrigin,
} from './word_origin.ts';

export type Rights = NonNullable<z.output<typeof rightsField>>;

/** One rights policy, expressed in each rights language. */
interface WordedRights {
  /** Keyed by the field names of `metadata`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly policy: RightsPolicy;
  /** CAWG training and data mining entries, for a C2PA manifest. */
  readonly training: Readonly<Record<string, TrainingEntry>>;
  /** Statements that a language has no terms for, one sentence each. */
  readonly unsaid: readonly string[];
}

const isAddress = (text: string | undefined): boolean => /^https?:\/\//i.test(text ?? '');

/**
 * Translates a policy into each rights language, never overstating it: a language without an exact term is
 * left out, and `unsaid` says so.
 * @throws AtelierError invalid_input if the policy contradicts itself
 */
export function wordRights(rights: Rights): WordedRights {
  refuseContradiction(rights);
  const { holder, licence, contact, ai_training, ai_mining } = rights;
  const says = ai_training !== undefined || ai_mining !== undefined;
  const unsaid: string[] = [];
  const term = says ? plusTerm(rights) : undefined;
  const tdm = says ? reservation(rights) : undefined;
  const rsl = says ? licenceOf(rights, unsaid) : undefined;
  if (says && term === undefined) unsaid.push('PLUS has no term that allows training only.');
  if (says && tdm === undefined) unsaid.push('TDMRep cannot reserve or allow training alone.');
  const licensor = licensorOf(holder, contact);
  return {
    fields: definedIn({
      copyright_holder: holder,
      usage_terms: isAddress(licence) ? undefined : licence,
      rights_url: isAddress(licence) ? licence : undefined,
      data_mining: term,
      data_mining_constraints: term?.endsWith('SEECONSTRAINT') ? constraintOf(rights) : undefined,
    }),
    policy: { ...(licensor && { licensor }), ...(tdm && { tdm }), ...(rsl && { rsl }), replacesUse: says },
    training: says ? trainingOf(rights) : {},
    unsaid,
  };
}

const definedIn = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;

function refuseContradiction(rights: Rights): void {
  const { ai_training: training, ai_mining: mining, policy_url, terms, contact, licence } = rights;
  if (Object.keys(rights).length === 0)
    throw invalidField('rights', 'rights is empty. Send at least holder.');
  const isClosed = mining === 'not_allowed' || mining === 'search_only';
  if (isClosed && training !== undefined && training !== 'not_allowed') {
    throw invalidField(
      'rights.ai_training',
      `rights.ai_mining is ${mining}. Mining includes training, so rights.ai_training can only be not_allowed. Omit it, or send ai_mining: "constrained".`,
    );
  }
  const isConstrained = training === 'constrained' || mining === 'constrained';
  if (isConstrained && !terms && !contact && !licence && !policy_url) {
    throw invalidField(
      'rights.terms',
      'constrained needs its conditions: send rights.terms, licence, contact or policy_url.',
    );
  }
  const isReserved = isClosed || isConstrained || training === 'not_allowed' || training === 'no_generative';
  if (policy_url && !isReserved) {
    throw invalidField(
      'rights.policy_url',
      'TDMRep allows a policy only with a reservation. Send rights.ai_training or ai_mining, or omit policy_url.',
    );
  }
}

/** Term of PLUS LDF 2.0.1, without the prefix `DMI-`. */
function plusTerm({ ai_training: training, ai_mining: mining }: Rights): string | undefined {
  if (mining === 'not_allowed') return 'PROHIBITED';
  if (mining === 'search_only') return 'PROHIBITED-EXCEPTSEARCHENGINEINDEXING';
  if (mining === 'constrained' || training === 'constrained') return 'PROHIBITED-SEECONSTRAINT';
  if (training === 'not_allowed') return 'PROHIBITED-AIMLTRAINING';
  if (training === 'no_generative') return 'PROHIBITED-GENAIMLTRAINING';
  return mining === 'allowed' ? 'ALLOWED' : undefined;
}

function reservation({ ai_training: training, ai_mining: mining, policy_url }: Rights): RightsPolicy['tdm'] {
  const isFree = (training ?? 'allowed') === 'allowed';
  if (mining === 'allowed' && isFree) return { reservation: 0 };
  if (mining === undefined && isFree) return undefined;
  return { reservation: 1, ...(policy_url && { policy: policy_url }) };
}

/** RSL 1.0 has no term for mining alone, nor for generative training alone. */
function licenceOf(rights: Rights, unsaid: string[]): RslLicence | undefined {
  const { url, holder, licence, policy_url, ai_training: training, ai_mining: mining } = rights;
  const permits = [
    ...(mining === 'search_only' ? ['search'] : []),
    ...(training === 'allowed' ? ['ai-train'] : []),
  ];
  const prohibits = [
    ...(mining === 'not_allowed' ? ['all'] : []),
    ...(mining === 'search_only' ? ['ai-all'] : []),
    ...(isAgainstTraining(rights) ? ['ai-train'] : []),
  ];
  if (training === 'no_generative') unsaid.push('RSL has no term for generative training alone.');
  if (permits.length + prohibits.length === 0) {
    unsaid.push('RSL has no term for this mining permission.');
    return undefined;
  }
  if (url === undefined) {
    unsaid.push('RSL needs the URL of the image: send rights.url.');
    return undefined;
  }
  const terms = policy_url ?? (isAddress(licence) ? licence : undefined);
  return { url, permits, prohibits, ...(holder && { holder }), ...(terms && { terms }) };
}

/** Constrained counts as prohibited until the owner agrees. */
const isAgainstTraining = ({ ai_training: training, ai_mining: mining }: Rights): boolean =>
  (training === 'not_allowed' && mining !== 'not_allowed' && mining !== 'search_only') ||
  training === 'constrained' ||
  (mining === 'constrained' && training === undefined);

function trainingOf(rights: Rights): Record<string, TrainingEntry> {
  const { ai_training: training, ai_mining: mining } = rights;
  const entry = (word: string | undefined): TrainingEntry | undefined => {
    if (word === 'allowed') return { use: 'allowed' };
    if (word === 'constrained') return { use: 'constrained', constraint_info: constraintOf(rights) };
    return word === undefined ? undefined : { use: 'notAllowed' };
  };
  const isClosed = mining === 'not_allowed' || mining === 'search_only';
  const own = training ?? (isClosed || mining === 'constrained' ? mining : undefined);
  const entries = {
    data_mining: entry(mining),
    ai_training: own === 'no_generative' ? undefined : entry(own),
    ai_generative_training: entry(own),
  };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value ? [[`cawg.${name}`, value]] : [])),
  );
}

const constraintOf = ({ terms, licence, policy_url, contact }: Rights): string =>
  terms ?? policy_url ?? licence ?? `Ask ${contact}`;

function licensorOf(name: string | undefined, contact: string | undefined): RightsPolicy['licensor'] {
  if (contact === undefined) return undefined;
  return { ...(name && { name }), ...(isAddress(contact) ? { url: contact } : { email: contact }) };
}

/**
 * Rejects a field of `metadata` that differs from the value derived from `rights` or `ai`.
 * @throws AtelierError invalid_input that names both
 */
function refuseContradictions(
  metadata: Readonly<Record<string, unknown>>,
  from: 'rights' | 'ai',
  fields: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const given = metadata[name];
    if (typeof given !== 'string' || given === '' || given === value) continue;
    throw invalidField(
      `metadata.${name}`,
      `metadata.${name} is ${short(given)}, but ${from} is ${short(value)}. Omit metadata.${name}, or send the same value.`,
      { expected: value.slice(0, SHOWN_CHARACTERS_MAX), got: given.slice(0, SHOWN_CHARACTERS_MAX) },
    );
  }
}

const SHOWN_CHARACTERS_MAX = 120;

const short = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text);

interface Sent {
  readonly metadata: z.output<typeof metadataField>;
  readonly rights?: z.output<typeof rightsField>;
  readonly ai?: z.output<typeof aiField>;
  readonly image: SourceImage;
}

type Fields = ReturnType<typeof fieldsOf>;

interface InfusedWords {
  /** Fields to write into the file, from any source. */
  readonly fields: Fields;
  /** Codex signed by the soulmark. */
  readonly codex: Readonly<Record<string, unknown>>;
  readonly rights?: WordedRights;
  readonly origin?: WordedOrigin;
}

/**
 * Merges `metadata`, `rights` and `ai` into the fields and the codex.
 * @throws AtelierError invalid_input if they contradict each other
 */
function wordsOf({ metadata, rights, ai, image }: Sent): InfusedWords {
  if (rights) refuseDuplicateKey(metadata, 'rights');
  if (ai) refuseDuplicateKey(metadata, 'ai');
  const worded = rights && wordRights(rights);
  if (worded) refuseContradictions(metadata, 'rights', worded.fields);
  const origin = ai && wordOrigin(ai, metadata, { bytes: image.bytes, now: Date.now() });
  const machine = origin && originFields(origin.origin);
  if (machine) refuseContradictions(metadata, 'ai', machine);
  return {
    fields: { ...fieldsOf(metadata), ...worded?.fields, ...machine } as Fields,
    codex: { ...metadata, ...(rights && { rights }) },
    ...(worded && { rights: worded }),
    ...(origin && { origin }),
  };
}

/** A codex may contain any key, so a key named `rights` or `ai` would be overwritten. */
function refuseDuplicateKey(metadata: object, name: 'rights' | 'ai'): void {
  if (!(name in metadata)) return;
  throw invalidField(
    `metadata.${name}`,
    `metadata.${name} and ${name} have the same key in the codex. Send only ${name}, or rename metadata.${name}.`,
  );
}

const modeField = z.enum(['standard', 'full_codex']);

const soulmarkAnswer = z.object({
  jws: z.string().describe('Compact JWS (EdDSA) over codex and pixels, as in the file; empty over MCP.'),
  jws_url: z.string().optional().describe('The JWS as a file, for 24 hours.'),
  kid: z.string().describe('Signing key; see /.well-known/jwks.json.'),
  codex_sha256: z.string().describe('Of the codex in its canonical form (RFC 8785).'),
  pixels_sha256: z.string().describe('Of the decoded pixels.'),
});

const registrationAnswer = z.object({
  registered: z.boolean().describe('Copies of the image can be found. If false, warnings has the reason.'),
  hash_id: z.string().nullable(),
  hash: z.string().describe('PDQ of the picture: 256 bits as 64 hex digits.'),
  quality: z.int().min(0).max(100),
});

type Needed =
  | 'pixels'
  | 'results'
  | 'soulmarks'
  | 'manifests'
  | 'storedManifests'
  | 'hashes'
  | 'provenance'
  | 'evidence'
  | 'marks'
  | 'site';

/** Unknown fields listed in one warning. */
const NAMED_MAX = 10;

export const infuseMetadata = defineTool({
  name: 'infuse_metadata',
  title: 'Write metadata into an image',
  category: 'creative',
  toolset: 'rights',
  summary:
    'Writes IPTC metadata into PNG, JPEG, WebP or TIFF. Only ai changes pixels: a watermark and, if asked, a visible label. full_codex embeds the codex, signed with the pixels.',
  instead: {
    enrich_metadata: 'to have the words found',
    watermark_embed: 'for a mark that outlives the file',
  },
  words:
    'exif, iptc, xmp, embed, add or write copyright, author, name, contact, title, keywords, notice, creative commons or licence into the file, sign a picture, soulmark, no ai training notice, content credentials, opt out of training, tdm reservation, mark or label as made or generated by ai, ai act, declare or disclose that a machine made it, forbid ai training, nobody may train on it, edit exif data, embed keywords and caption into the jpeg, add a copyright notice, sign with content credentials, tag an image as ai generated for the eu law, put the description into the image file, write metadata fields, iptc fields, xmp sidecar, author tag, byline, usage terms, set the title in the file, label synthetic media, tell crawlers not to train on my image, noai, robots, set licence and creator, visible ai label, burn in an ai badge, deepfake disclosure, eu ai icon, cc by, all rights reserved, contact address in the file, photographer name, gps, camera data, provenance manifest, c2pa manifest, caption inside the file, copyright line, inscribe, tag a jpeg',
  price: credits(1),
  input: z.object({
    image: imageField,
    metadata: shownAs(
      withAliases(
        withSuggestion(metadataField, ({ rights, ai }) => (rights || ai ? {} : undefined)),
        ...['fields', 'codex', 'data', 'tags'],
      ),
      {
        type: 'object',
        description:
          '{title, description, keywords [], alt_text, copyright_holder, copyright_notice, creator, creation_year, credit, usage_terms, rights_url, digital_source_type, data_mining, ai_system, ai_prompt}; full_codex: a codex of enrich_metadata.',
      },
    ),
    metadata_mode: withAliases(
      modeField
        .default('full_codex')
        .describe('standard: XMP and IPTC fields. full_codex: also codex and soulmark.')
        .meta({ title: 'How much is written' }),
      'mode',
    ),
    rights: shownAs(rightsField, {
      type: 'object',
      description:
        'Policy in five standards, replaces that of the file: {holder, licence, ai_training: allowed|no_generative|not_allowed|constrained, ai_mining: allowed|search_only|not_allowed|constrained, terms, policy_url, contact, url}',
    }),
    ai: shownAs(aiField, {
      type: 'object',
      required: ['system', 'version', 'provider', 'generated_at'],
      description:
        'AI output, IPTC and a watermark: {system, version, provider, generated_at, id, label: {style: icon|text, corner, language}}',
    }),
    keep_manifest: briefly(
      z
        .boolean()
        .default(true)
        .describe(
          'If the server signs a C2PA manifest: stores it, so that copies without one can be traced to it. It is public. false: only in the file.',
        )
        .meta({ title: 'Store its C2PA manifest' }),
      'Publishes the signed manifest.',
    ),
    output: outputField,
  }),
  output: z.object({
    ...imageAnswer,
    metadata_mode: modeField,
    fields_written: z.array(z.string()),
    blocks: z
      .array(z.enum(['xmp', 'iptc_iim', 'exif']))
      .describe('Metadata formats written; PNG and WebP do not support IPTC-IIM.'),
    shortened_in_iim: z.array(z.string()).describe('Fields truncated in IPTC-IIM. XMP has them complete.'),
    soulmark: soulmarkAnswer.optional().describe('In mode full_codex.'),
    registration: registrationAnswer.optional().describe('In mode full_codex.'),
    c2pa_manifest: z
      .boolean()
      .describe('The file has a signed C2PA manifest; this server has a certificate.'),
    time_stamp: timeStampField
      .nullable()
      .describe(
        'RFC 3161 time stamp of the manifest, or the reason for its absence; null without a manifest.',
      ),
    rights: rightsAnswer.optional().describe('Only with rights: the policy as read back.'),
    ai: aiAnswer.optional().describe('Only with ai.'),
    kept_manifest: storedManifestField.describe(
      'The stored manifest, to which copies without metadata can be traced: GET /api/c2pa/manifests/{manifestId}. null if none was made or stored.',
    ),
    ...qualityAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  examples: [
    {
      image: EXAMPLE_PNG_B64,
      metadata: {
        title: 'Sun over a meadow',
        description: 'A small sun over a green field.',
        keywords: ['sun', 'meadow'],
        alt_text: 'A yellow disc in a blue sky above a green stripe.',
        copyright_holder: 'Jane Doe',
      },
      metadata_mode: 'standard',
    },
    {
      image: EXAMPLE_PNG_B64,
      metadata: {
        title: 'Sun over a meadow',
        mood: 'calm',
        themes: ['morning'],
        data_mining: 'PROHIBITED-GENAIMLTRAINING',
      },
    },
    {
      image: EXAMPLE_PNG_B64,
      metadata: { title: 'Sun over a meadow' },
      rights: { holder: 'Jane Doe', ai_training: 'not_allowed', contact: 'jane@example.org' },
    },
  ],
  next: ({ result }) => [
    {
      action: 'Store it permanently',
      tool: 'store_permanent',
      why: 'The archive addresses it by content, so that anyone can verify it',
      params: { image: result },
    },
    {
      action: 'Verify it',
      tool: 'verify_provenance',
      why: 'Free; reads the soulmark back and compares it with the pixels',
      params: { image: result },
    },
  ],

  async run(
    { image, metadata, metadata_mode: mode, rights, ai, keep_manifest, output },
    services: Pick<Services, Needed>,
    call,
  ) {
    const { pixels, results, soulmarks, manifests, evidence } = services;
    const control = { pixels: image.width * image.height, ...call };
    const words = wordsOf({ metadata, rights, ai, image });
    const { fields, rights: worded } = words;
    refuseNothing(words.codex, mode, fields);
    const before = rights || ai ? await evidence.read(image.bytes, control, { pixels: false }) : undefined;
    if (before) refuseUnreadable(before);
    const { imageId, label: shown } = before?.claims ?? {};
    const origin = words.origin && keepLabel(keepImageId(words.origin, imageId), shown);
    const marked = origin && (await markAsAi(image, origin, services, call));
    const { bytes } = marked ?? image;
    const codex = { ...words.codex, ...(marked && { ai: codexOrigin(marked.origin, marked.label) }) };
    const soulmark = mode === 'full_codex' ? await soulmarks.make(bytes, codex, control) : undefined;
    // Writing metadata does not decode pixels, but a file that cannot be decoded must not be charged for. A
    // soulmark has decoded it already.
    if (!soulmark) await pixels.run('hash_pixels', { bytes }, control);
    const infused = await pixels.run(
      'infuse',
      {
        bytes,
        fields,
        ...(soulmark && { codex: { packed: soulmark.packed, soulmark: soulmark.jws } }),
        ...(worded && { policy: worded.policy }),
        ...(marked && { original: image.bytes, origin: marked.origin }),
        ...(marked?.label && { label: marked.label }),
      },
      control,
    );
    warnAbout(infused, call, manifests.sign !== undefined);
    if (!soulmark) warnAboutUnknown(unknownFieldsOf(metadata), call);
    if (marked && !soulmark && !manifests.sign) call.warn(UNSIGNED);
    const { header, blocks, shortened, engine } = infused;
    const contentType = `image/${header.format}`;
    // An unreadable manifest cannot be an ingredient; the infused file is then signed as new.
    const isLost = manifests.sign && (await manifests.read(image.bytes, control))?.state === 'unreadable';
    if (isLost) call.warn('The existing C2PA manifest cannot be read and was removed.');
    const about = {
      bytes: infused.bytes,
      before: isLost ? infused.bytes : image.bytes,
      type: contentType,
      title: metadata.title || 'Untitled',
      ...(fields.data_mining && { dataMining: String(fields.data_mining) }),
      ...(worded?.policy.replacesUse && { training: worded.training }),
      ...(marked && { origin: marked.origin, isMarked: true }),
      ...(marked?.label && { label: marked.label }),
    };
    const manifest = await manifests.sign?.(about, control);
    const signed = manifest?.bytes ?? infused.bytes;
    const picture = { ...header, bytes: signed, contentType };
    const isKept = manifests.sign !== undefined && keep_manifest;
    // Both only read the image, so they run concurrently.
    const [registration, markId] = await Promise.all([
      soulmark && registerInfused({ ...picture, ...namesOf(metadata) }, services, call),
      isKept ? markIn(picture, services, call) : undefined,
    ]);
    const bound = { boundTo: registration?.boundTo ?? null, markId };
    const keptManifest = isKept ? await keepOwnManifest(signed, bound, services, call) : null;
    const kept = await pictureAnswer(results, picture, { output, durable: true, warn: call.warn });
    const after = before && (await evidence.read(signed, control, { pixels: marked !== undefined }));
    const statement = soulmark && (await answerOf(soulmark, results, call));
    const known = { isRegistered: registration?.answer.registered ?? false, handle: kept.result };
    return {
      ...kept,
      metadata_mode: mode,
      fields_written: Object.keys(fields),
      blocks: [...blocks],
      shortened_in_iim: [...shortened],
      ...(statement && { soulmark: statement, registration: registration?.answer }),
      c2pa_manifest: manifest !== undefined,
      time_stamp: manifest ? timeStampAnswer(manifest.timeStamp) : null,
      ...(worded && before && after && { rights: answerOfRights({ before, after, ...worded }, evidence) }),
      ...(marked && after && { ai: answerOfMark(marked, { readings: after, ...known }, services) }),
      kept_manifest: keptManifest,
      ...(marked?.quality && { quality: marked.quality }),
      engine,
      degraded: false,
    };
  },
});

const UNSIGNED =
  'These marks are not signed: mode standard makes no soulmark, and this server has no C2PA certificate. Mode full_codex signs them.';

function refuseNothing(codex: object, mode: string, fields: object): void {
  if (!isBlank(mode === 'standard' ? fields : { ...codex, ...fields })) return;
  throw invalidField('metadata', 'metadata has no values to write. Send at least title.');
}

/** True for nothing but empty text, lists and objects, at any depth. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isBlank);
  return value === null || value === undefined;
}

/** Facts about the original file that the client should know. */
interface Remarks {
  readonly droppedManifest: boolean;
  readonly replacedCodex: boolean;
  readonly notes: readonly string[];
}

function warnAbout(infused: Remarks, { warn }: Pick<CallContext, 'warn'>, isSigned: boolean): void {
  if (infused.droppedManifest) {
    warn(
      `The file carried a C2PA manifest, or a link to one. It is valid only for the original bytes, so ${isSigned ? 'the new one includes it as an ingredient' : 'it was removed'}.`,
    );
  }
  if (infused.replacedCodex) warn('The codex of the file was replaced.');
  for (const note of infused.notes) warn(note);
}

function warnAboutUnknown(unknown: readonly string[], { warn }: Pick<CallContext, 'warn'>): void {
  if (unknown.length === 0) return;
  const named = unknown.slice(0, NAMED_MAX).map((name) => `metadata.${name.slice(0, 60)}`);
  warn(
    `Mode standard does not support ${named.join(', ')}${unknown.length > NAMED_MAX ? ' and others' : ''}. Mode full_codex keeps everything.`,
  );
}

const namesOf = ({ title = '', creator, artist_name = '' }: z.output<typeof metadataField>) => ({
  title,
  artist: [creator ?? artist_name].flat().join('; '),
});

async function answerOf(
  { jws, kid, codexSha256, pixelsSha256 }: Soulmark,
  results: Services['results'],
  call: CallContext,
) {
  const { text, url } = await statementAnswer(results, jws, call);
  const sums = { codex_sha256: codexSha256, pixels_sha256: pixelsSha256 };
  return { jws: text, ...(url && { jws_url: url }), kid, ...sums };
}

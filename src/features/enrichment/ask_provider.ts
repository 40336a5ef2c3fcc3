import { readFileSync } from 'node:fs';
import type { Facts } from '@atelier/imaging/analysis/facts/facts.ts';
import { type Given, oneLine } from '@atelier/imaging/analysis/facts/given.ts';
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  Output,
} from 'ai';
import { z } from 'zod';
import type { Language } from './observations/language_words.ts';
import { type Observations, observationsSchema } from './observations/observation_fields.ts';

/**
 * Increase it with every change to the instruction file. Responses name it, and it distinguishes otherwise
 * identical calls.
 */
export const PROMPT_VERSION = '3';

/** Instructions for the model. */
export const INSTRUCTIONS = readFileSync(new URL(`./prompt_v${PROMPT_VERSION}.md`, import.meta.url), 'utf8');

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Adapts the schema of observations to all providers: every member is required and nullable where callers may
 * omit it, and bounds are left to validation, because providers differ in which they support.
 */
export function formForModels(schema: JsonSchema): JsonSchema {
  const { type, description, properties, items, required = [] } = schema;
  const members = Object.entries(properties ?? {}) as [string, JsonSchema][];
  return {
    type,
    ...(description && { description }),
    ...(items && { items: formForModels(items as JsonSchema) }),
    ...(properties && {
      properties: Object.fromEntries(
        members.map(([name, member]) => {
          const form = formForModels(member);
          return [name, required.includes(name) ? form : { anyOf: [form, { type: 'null' as const }] }];
        }),
      ),
      required: members.map(([name]) => name),
      additionalProperties: false,
    }),
  };
}

const FORM = jsonSchema<Observations>(formForModels(z.toJSONSchema(observationsSchema)) as object);

const TOLD = {
  light: ['tonal_key', 'contrast', 'quality', 'direction', 'brightest_area', 'darkest_area'],
  composition: ['format', 'focal_point', 'balance', 'symmetry', 'edge_direction'],
  color: ['palette', 'temperature', 'harmony', 'accent_color'],
  surface: ['texture', 'technique_cues'],
} as const;

/** Facts known about an image before a model sees it. */
export interface ImageContext {
  readonly given: Given;
  readonly facts: Facts;
  readonly tier: 'standard' | 'premium';
  /** Language of the observations. */
  readonly language: Language;
}

/**
 * The message sent with the image: the client's input, as data that cannot close its own delimiter, and the
 * measurements.
 */
export function messageAbout({ given, facts, tier, language }: ImageContext): string {
  const { museum, copyright_holder: _, ...texts } = given;
  const said = Object.entries({ ...texts, subjects: museum?.subjects.join(', ') ?? '' }).filter(
    ([, value]) => value,
  );
  const data = JSON.stringify(Object.fromEntries(said.map(([name, value]) => [name, oneLine(value)])));
  const measured = Object.entries(TOLD).flatMap(([section, names]) =>
    names.flatMap((name) => {
      const fact = (facts[section as keyof Facts] as Record<string, { value: unknown } | undefined>)[name];
      return fact ? [`${section}.${name}: ${JSON.stringify(fact.value)}`] : [];
    }),
  );
  return [
    `<given>${data.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')}</given>`,
    `Measured:\n${measured.join('\n')}`,
    `Language: ${language}.`,
    tier === 'standard'
      ? 'subject, action, setting, objects and prose matter most; leave out themes and symbolism.'
      : 'Every member matters.',
  ].join('\n\n');
}

// The AI SDK would otherwise print warnings about provider settings.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Retries after a network failure or from a busy server, after the delay the provider names. */
const RETRIES = 2;

interface Question {
  readonly text: string;
  readonly jpeg: Uint8Array;
  readonly outputTokensMax: number;
  readonly signal: AbortSignal;
}

/** Raw response of a provider, not yet validated. */
export interface ProviderAnswer {
  /** Response text, or the input of a tool call. */
  readonly text: string;
  /** The model or a filter of its provider declined. */
  readonly isDeclined: boolean;
  /** Absent if the provider does not report usage, as some local servers do not. */
  readonly used: { readonly input: number; readonly output: number } | undefined;
}

/**
 * Sends an image to a model and requests observations.
 * @throws the errors of the provider library
 */
export async function askProvider(
  model: LanguageModel,
  { text, jpeg, outputTokensMax, signal }: Question,
): Promise<ProviderAnswer> {
  try {
    const answer = await generateText({
      model,
      abortSignal: signal,
      maxRetries: RETRIES,
      maxOutputTokens: outputTokensMax,
      output: Output.object({ schema: FORM }),
      instructions: INSTRUCTIONS,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text },
            { type: 'file', data: jpeg, mediaType: 'image/jpeg' },
          ],
        },
      ],
      // OpenAI stores requests for a month by default.
      providerOptions: { openai: { store: false } },
    });
    return { text: saidIn(answer), ...endOf(answer) };
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error;
    return { text: error.text ?? '', ...endOf(error) };
  }
}

/** The structured object, else the input of the first tool call: some models respond by calling an undefined tool. */
function saidIn(answer: Awaited<ReturnType<typeof generateText>>): string {
  try {
    return JSON.stringify(answer.output);
  } catch (error) {
    if (!NoOutputGeneratedError.isInstance(error)) throw error;
    const [call] = answer.toolCalls;
    return typeof call?.input === 'string' ? call.input : JSON.stringify(call?.input ?? answer.text);
  }
}

interface End {
  readonly finishReason: string | undefined;
  readonly usage: LanguageModelUsage | undefined;
}

function endOf({ finishReason, usage }: End): Omit<ProviderAnswer, 'text'> {
  const { inputTokens, outputTokens } = usage ?? {};
  const isStated = inputTokens !== undefined || outputTokens !== undefined;
  return {
    isDeclined: finishReason === 'content-filter',
    used: isStated ? { input: inputTokens ?? 0, output: outputTokens ?? 0 } : undefined,
  };
}

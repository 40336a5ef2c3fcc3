import { APICallError, generateImage, type ImageModel, NoImageGeneratedError } from 'ai';
import type { Config } from '../../config/config.ts';
import { Declined, lastOf, UnexpectedFormat } from '../../core/providers/provider_failure.ts';
import type { Aspect } from './limits.ts';
import type { ImageProvider } from './settings.ts';
import type { ImageRequest } from './types.ts';

// The AI SDK would otherwise print warnings about provider settings.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Retries after a network failure or from an overloaded server. Each may be billed. */
const RETRIES = 1;

type Sizes = Readonly<Record<Aspect, `${number}x${number}`>>;

/** Sizes of gpt-image: the nearest of the three for each aspect ratio. */
const OPENAI_SIZES: Sizes = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '4:3': '1536x1024',
  '16:9': '1536x1024',
  '2:3': '1024x1536',
  '3:4': '1024x1536',
  '9:16': '1024x1536',
};

/** About one megapixel, in multiples of 64 px, as diffusion models require. */
const LOCAL_SIZES: Sizes = {
  '1:1': '1024x1024',
  '3:2': '1216x832',
  '2:3': '832x1216',
  '4:3': '1152x896',
  '3:4': '896x1152',
  '16:9': '1344x768',
  '9:16': '768x1344',
};

interface Asked {
  readonly provider: ImageProvider;
  readonly model: ImageModel;
  readonly quality: Config['GENERATION_QUALITY'];
  readonly signal: AbortSignal;
}

/**
 * Requests one image.
 * @returns its bytes, in the provider's format
 * @throws Declined, OutOfForm, or the errors of the provider library
 */
export async function askImageModel(
  { prompt, aspect, seed, image }: ImageRequest,
  { provider, model, quality = 'medium', signal }: Asked,
): Promise<Uint8Array> {
  try {
    const { image: made } = await generateImage({
      model,
      prompt: image ? { images: [image], text: prompt } : prompt,
      ...(aspect && shapeOf(provider, aspect)),
      ...(seed !== undefined && { seed }),
      maxRetries: RETRIES,
      abortSignal: signal,
      providerOptions: { openai: { quality } },
    });
    return made.uint8Array;
  } catch (error) {
    throw isDeclined(error) ? new Declined('declined', { cause: error }) : asUnexpectedFormat(error);
  }
}

function shapeOf(provider: ImageProvider, aspect: Aspect) {
  if (provider === 'openai') return { size: OPENAI_SIZES[aspect] };
  if (provider === 'openai_compatible') return { size: LOCAL_SIZES[aspect] };
  return { aspectRatio: aspect };
}

/**
 * Codes and words that indicate a refusal: OpenAI, Black Forest Labs and local servers put them in errors,
 * Google in the finish reason.
 */
const REFUSALS = /moderat|content_policy|content policy|safety|prohibited|blocked|nsfw/i;
const REFUSING: readonly (number | undefined)[] = [400, 403, 422];

function isDeclined(error: unknown): boolean {
  const last = lastOf(error);
  if (last instanceof Declined) return true;
  if (NoImageGeneratedError.isInstance(last)) return REFUSALS.test(endOf(last));
  if (!APICallError.isInstance(last)) return false;
  return REFUSING.includes(last.statusCode) && REFUSALS.test(last.responseBody ?? '');
}

/** Finish reasons with which Gemini returned no image. */
function endOf({ calls = [] }: NoImageGeneratedError): string {
  const ends = calls.map(({ providerMetadata }) => {
    const { finishReason, promptFeedback } = (providerMetadata?.google ?? {}) as Record<string, unknown>;
    return [finishReason, promptFeedback];
  });
  return JSON.stringify(ends);
}

const asUnexpectedFormat = (error: unknown): unknown =>
  NoImageGeneratedError.isInstance(lastOf(error))
    ? new UnexpectedFormat('no image', { cause: error })
    : error;

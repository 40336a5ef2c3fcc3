import type { ImageModel } from 'ai';
import type { Config } from '../../config/config.ts';
import { createProviderFetch } from '../../core/providers/fetch_provider.ts';
import { Declined } from '../../core/providers/provider_failure.ts';
import { RESPONSE_BYTES_MAX } from './limits.ts';
import type { ImageProvider } from './settings.ts';

const fetchImage = createProviderFetch(RESPONSE_BYTES_MAX);

/** Creates the configured image model. Loads only its provider's library. */
export const openImageModel = (config: Config, provider: ImageProvider, name: string): Promise<ImageModel> =>
  OPENERS[provider](config, name);

type Opener = (config: Config, name: string) => Promise<ImageModel>;

const OPENERS: Readonly<Record<ImageProvider, Opener>> = {
  openai: async (config, name) => (await import('@ai-sdk/openai')).createOpenAI(accessOf(config)).image(name),
  google: async (config, name) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(accessOf(config)).image(name),
  black_forest_labs: async (config, name) =>
    (await import('@ai-sdk/black-forest-labs'))
      .createBlackForestLabs({
        ...accessOf(config),
        fetch: fetchModerated,
        pollTimeoutMillis: config.GENERATION_TIMEOUT_MS,
      })
      .image(name),
  openai_compatible: async (config, name) => {
    const { GENERATION_BASE_URL: baseURL = '', ...access } = config;
    return (await import('@ai-sdk/openai-compatible'))
      .createOpenAICompatible({ name: 'images', ...accessOf(access), baseURL })
      .imageModel(name);
  },
};

/**
 * The key is always passed, so that the library never reads one from the environment: settings are read in
 * one place.
 */
const accessOf = ({
  GENERATION_API_KEY: apiKey,
  GENERATION_BASE_URL: baseURL,
}: Pick<Config, 'GENERATION_API_KEY'> & Partial<Pick<Config, 'GENERATION_BASE_URL'>>) => ({
  ...(apiKey && { apiKey }),
  ...(baseURL && { baseURL }),
  fetch: fetchImage,
});

const MODERATED = /moderated/i;

/** The library of Black Forest Labs would poll a moderated request until it times out. */
const fetchModerated: typeof fetch = async (input, init) => {
  const response = await fetchImage(input, init);
  if (!response.headers.get('content-type')?.includes('json')) return response;
  const text = await response.text();
  const { status } = readStatus(text);
  if (MODERATED.test(String(status))) throw new Declined('moderated');
  return new Response(text, { status: response.status, headers: response.headers });
};

/** Members of a JSON object whose size is limited already; none for other text. */
function readStatus(text: string): { readonly status?: unknown } {
  try {
    return (JSON.parse(text) as { status?: unknown } | null) ?? {};
  } catch {
    return {};
  }
}

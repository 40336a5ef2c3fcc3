import type { LanguageModel } from 'ai';
import type { Config } from '../../config/config.ts';
import { fetchProvider as fetch } from '../../core/providers/fetch_provider.ts';

type Provider = NonNullable<Config['VISION_PROVIDER']>;

/**
 * Creates the configured vision model. Loads only its provider's library.
 * @throws Error naming the missing setting
 */
export const openLanguageModel = (
  config: Config,
  provider: Provider,
  model: string,
): Promise<LanguageModel> => OPENERS[provider](config, model);

type Opener = (config: Config, model: string) => Promise<LanguageModel>;

const OPENERS: Record<Provider, Opener> = {
  openai_compatible: async (config, model) => {
    const { VISION_API_KEY: apiKey } = config;
    const baseURL = requireAddress(config);
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'vision',
      baseURL,
      ...(apiKey && { apiKey }),
      supportsStructuredOutputs: true,
      fetch,
    })(model);
  },
  openai: async (config, model) => (await import('@ai-sdk/openai')).createOpenAI(requireKey(config))(model),
  anthropic: async (config, model) =>
    (await import('@ai-sdk/anthropic')).createAnthropic(requireKey(config))(model),
  google: async (config, model) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(requireKey(config))(model),
};

/**
 * Checks model, key or URL, and the prices that a budget in money requires.
 * @throws Error naming the missing setting
 */
export function visionSettings(config: Config): { provider: Provider; name: string } | undefined {
  const { VISION_PROVIDER: provider, VISION_MODEL: name } = config;
  if (provider === undefined) return undefined;
  if (!name) throw new Error('VISION_PROVIDER needs VISION_MODEL, the name of the model.');
  if (provider === 'openai_compatible') requireAddress(config);
  else requireKey(config);
  const { VISION_USD_A_DAY, VISION_INPUT_USD, VISION_OUTPUT_USD } = config;
  const hasPrices = VISION_INPUT_USD !== undefined && VISION_OUTPUT_USD !== undefined;
  if (VISION_USD_A_DAY !== undefined && !hasPrices)
    throw new Error('VISION_USD_A_DAY needs the prices VISION_INPUT_USD and VISION_OUTPUT_USD.');
  return { provider, name };
}

function requireAddress({ VISION_BASE_URL: baseURL }: Config): string {
  if (baseURL) return baseURL;
  throw new Error(
    'VISION_PROVIDER=openai_compatible needs VISION_BASE_URL, such as http://127.0.0.1:11434/v1.',
  );
}

/**
 * The key is always passed, so that the library never reads one from the environment: settings are read in
 * one place.
 */
function requireKey({ VISION_PROVIDER, VISION_BASE_URL: baseURL, VISION_API_KEY: apiKey }: Config) {
  if (!apiKey) throw new Error(`VISION_PROVIDER=${VISION_PROVIDER} needs VISION_API_KEY.`);
  return { apiKey, ...(baseURL && { baseURL }), fetch };
}

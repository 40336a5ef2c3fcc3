import type { Config } from '../../config/config.ts';
import { CREDIT_USD } from '../../config/limits.ts';

export type ImageProvider = NonNullable<Config['GENERATION_PROVIDER']>;

/** Display names, also written into the marks of files. */
export const PROVIDER_NAMES: Readonly<Record<ImageProvider, string>> = {
  openai: 'OpenAI',
  google: 'Google',
  black_forest_labs: 'Black Forest Labs',
  openai_compatible: 'OpenAI-compatible server',
};

/**
 * Provider and model; undefined if none is configured.
 * @throws Error naming the missing setting
 */
export function imageModelSettings(config: Config): { provider: ImageProvider; name: string } | undefined {
  const { GENERATION_PROVIDER: provider, GENERATION_MODEL: name } = config;
  if (provider === undefined) return undefined;
  if (!name) throw new Error('GENERATION_PROVIDER needs GENERATION_MODEL, the name of the image model.');
  if (provider === 'openai_compatible') {
    if (!config.GENERATION_BASE_URL)
      throw new Error(
        'GENERATION_PROVIDER=openai_compatible needs GENERATION_BASE_URL, such as http://127.0.0.1:8081/v1.',
      );
    return { provider, name };
  }
  if (!config.GENERATION_API_KEY)
    throw new Error(`GENERATION_PROVIDER=${provider} needs GENERATION_API_KEY.`);
  if (config.GENERATION_USD === undefined)
    throw new Error(
      `GENERATION_PROVIDER=${provider} needs GENERATION_USD, the highest price of one image in US dollars.`,
    );
  const { GENERATION_USD, GENERATION_USD_A_DAY } = config;
  if (GENERATION_USD_A_DAY !== undefined && GENERATION_USD_A_DAY < GENERATION_USD)
    throw new Error(
      `GENERATION_USD_A_DAY=${GENERATION_USD_A_DAY} is less than the price of one image, GENERATION_USD=${GENERATION_USD}.`,
    );
  return { provider, name };
}

/** Absorbs floating-point error: 0.1 + 0.2 must not round up. */
const ROUNDING = 1e-9;

/** Credits per image: the provider's price plus the operator's margin, rounded up, at least 1. */
export function creditsPerImage({ GENERATION_USD = 0, GENERATION_MARGIN_PERCENT }: Config): number {
  const usd = GENERATION_USD * (1 + GENERATION_MARGIN_PERCENT / 100);
  return Math.max(1, Math.ceil(usd / CREDIT_USD - ROUNDING));
}

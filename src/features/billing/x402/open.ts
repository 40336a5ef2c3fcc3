import type { Config } from '../../../config/config.ts';
import type { Parts } from './deps.ts';
import { createHttpFacilitator } from './http_facilitator.ts';
import { x402Settings } from './settings.ts';
import type { X402 } from './types.ts';
import { createX402 } from './x402.ts';

/** Payments by x402; undefined where the settings name nobody to pay. @throws Error naming what is missing or wrong */
export function openX402(
  config: Config,
  parts: Omit<Parts, 'settings' | 'facilitator' | 'clock'>,
): X402 | undefined {
  const settings = x402SettingsOf(config);
  if (settings === undefined) return undefined;
  return createX402({ ...parts, settings, facilitator: createHttpFacilitator(settings.facilitatorUrl) });
}

/** Undefined where x402 is off. @throws Error naming what is missing or wrong */
export const x402SettingsOf = ({
  X402_PAY_TO: payTo,
  X402_FACILITATOR_URL: facilitatorUrl,
  X402_NETWORKS: networks,
}: Config) => x402Settings({ payTo, facilitatorUrl, networks });

import type { Config } from './config.ts';
import { embeddingSettings } from './dataset/meaning/open.ts';
import { visionSettings } from './services/enrichment/open_model.ts';
import { voucherSettings } from './services/identity/open.ts';
import { manifestCertificateOf, trustAnchorsOf } from './services/manifests/open.ts';
import { bucketSettings } from './services/objects/open.ts';
import { providerSettings } from './services/operator/open.ts';
import { cardSettings } from './services/payments/open.ts';
import { wantedOf } from './services/setup/open_background.ts';
import { trustListOf } from './services/timestamps/open.ts';
import { x402SettingsOf } from './services/x402/open.ts';
import { toolsOf } from './tools/tools_of.ts';

/** What rooms ask of their settings together. Each throws for the first thing that is wrong there. */
const ASKED: readonly ((config: Config) => unknown)[] = [
  bucketSettings,
  cardSettings,
  x402SettingsOf,
  visionSettings,
  embeddingSettings,
  manifestCertificateOf,
  trustListOf,
  trustAnchorsOf,
  voucherSettings,
  providerSettings,
  wantedOf,
  ({ JOBS_HERE }) => toolsOf(JOBS_HERE, 'JOBS_HERE'),
];

/**
 * Asks all rooms before anything is opened, so that whoever set several things wrong hears of them at once.
 * @throws Error with what each room found
 */
export function requireSettings(config: Config): void {
  const problems = ASKED.flatMap((ask) => {
    try {
      ask(config);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  if (problems.length > 0) throw new Error(`Some settings need correcting:\n  ${problems.join('\n  ')}`);
}

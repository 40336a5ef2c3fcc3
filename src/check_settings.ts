import type { Config } from './config/config.ts';
import { bucketSettings } from './core/storage/objects/objects.ts';
import { vectorSettings } from './features/artworks/semantic_search/open_vector_search.ts';
import { embeddingSettings } from './features/artworks/semantic_search/semantic_search.ts';
import { cardSettings } from './features/billing/service.ts';
import { x402SettingsOf } from './features/billing/x402/x402.ts';
import { toolsOf } from './features/definitions/tools_of.ts';
import { visionSettings } from './features/enrichment/open_model.ts';
import { imageModelSettings } from './features/generation/settings.ts';
import { wantedOf } from './features/models/setup/open_background.ts';
import { providerSettings } from './features/operator/service.ts';
import { voucherSettings } from './features/provenance/identity/identity.ts';
import { manifestCertificateOf, trustAnchorsOf } from './features/provenance/manifests/manifests.ts';
import { trustListOf } from './features/provenance/timestamps/timestamps.ts';

/** Checks of related settings, by feature. Each throws for its first problem. */
const ASKED: readonly ((config: Config) => unknown)[] = [
  bucketSettings,
  cardSettings,
  (config) => x402SettingsOf(config),
  visionSettings,
  imageModelSettings,
  embeddingSettings,
  vectorSettings,
  manifestCertificateOf,
  trustListOf,
  trustAnchorsOf,
  voucherSettings,
  providerSettings,
  wantedOf,
  ({ JOBS_HERE }) => toolsOf(JOBS_HERE, 'JOBS_HERE'),
];

/**
 * Checks all settings before anything is opened, so that all problems are reported together.
 * @throws Error with the problem of each feature
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

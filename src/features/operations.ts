import { accountExportOperations } from './account/routes/export/index.ts';
import { accountOperations } from './account/routes/index.ts';
import { archiveOperations } from './archive/routes.ts';
import { iiifOperations } from './artworks/routes/iiif/index.ts';
import { fileOperations } from './assets/routes/files.ts';
import { assetOperations } from './assets/routes/index.ts';
import { paymentOperations } from './billing/routes/index.ts';
import { communityOperations } from './community/routes/index.ts';
import type { AnyOperation } from './definitions/operation.ts';
import { pageOperations } from './definitions/page_numbers.ts';
import { jobOperations } from './jobs/routes/index.ts';
import { operatorOperations } from './operator/routes/index.ts';
import { c2paOperations } from './provenance/routes/c2pa.ts';
import { logOperations } from './provenance/routes/log.ts';
import { recipeOperations } from './recipes/routes/index.ts';
import { sandboxOperations } from './sandbox/routes/index.ts';
import { claimOperations } from './wallets/routes/claims.ts';
import { consentOperations } from './wallets/routes/index.ts';
import { webhookOperations } from './webhooks/routes/index.ts';
import { workspaceOperations } from './workspaces/routes/index.ts';

/** Every endpoint that is not a tool; the discovery documents are added by `app.ts`, which has the lists they are made from. */
export const operations: readonly AnyOperation[] = [
  ...accountOperations,
  ...accountExportOperations,
  ...consentOperations,
  ...claimOperations,
  ...paymentOperations,
  ...fileOperations,
  ...assetOperations,
  ...iiifOperations,
  ...archiveOperations,
  ...c2paOperations,
  ...logOperations,
  ...jobOperations,
  ...recipeOperations,
  ...workspaceOperations,
  ...communityOperations,
  ...sandboxOperations,
  ...webhookOperations,
  ...operatorOperations,
  ...pageOperations,
];

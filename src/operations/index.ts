import { accountOperations } from './account/index.ts';
import { archiveOperations } from './archive/index.ts';
import { assetOperations } from './assets/index.ts';
import { c2paOperations } from './c2pa/index.ts';
import { communityOperations } from './community/index.ts';
import { consentOperations } from './consent/index.ts';
import { fileOperations } from './files/index.ts';
import { iiifOperations } from './iiif/index.ts';
import { jobOperations } from './jobs/index.ts';
import { leavingOperations } from './leaving/index.ts';
import { logOperations } from './log/index.ts';
import type { AnyOperation } from './operation.ts';
import { operatorOperations } from './operator/index.ts';
import { pageOperations } from './pages.ts';
import { paymentOperations } from './payment/index.ts';
import { recipeOperations } from './recipes/index.ts';
import { sandboxOperations } from './sandbox/index.ts';
import { webhookOperations } from './webhooks/index.ts';

/** Every endpoint that is not a tool; the discovery documents are added by `app.ts`, which has the lists they are made from. */
export const operations: readonly AnyOperation[] = [
  ...accountOperations,
  ...leavingOperations,
  ...consentOperations,
  ...paymentOperations,
  ...fileOperations,
  ...assetOperations,
  ...iiifOperations,
  ...archiveOperations,
  ...c2paOperations,
  ...logOperations,
  ...jobOperations,
  ...recipeOperations,
  ...communityOperations,
  ...sandboxOperations,
  ...webhookOperations,
  ...operatorOperations,
  ...pageOperations,
];

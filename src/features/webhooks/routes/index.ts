import type { AnyOperation } from '../../definitions/operation.ts';
import { listWebhookDeliveries, replayWebhookDelivery, testWebhook } from './deliveries.ts';
import { deleteWebhook, enableWebhook, getWebhook, listWebhooks, rotateWebhookSecret } from './manage.ts';
import { registerWebhook } from './register.ts';

export const webhookOperations: readonly AnyOperation[] = [
  registerWebhook,
  listWebhooks,
  // Before the path of one endpoint, whose last part may hold slashes.
  listWebhookDeliveries,
  getWebhook,
  deleteWebhook,
  testWebhook,
  replayWebhookDelivery,
  rotateWebhookSecret,
  enableWebhook,
];

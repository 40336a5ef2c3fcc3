import type { AnyOperation } from '../operation.ts';
import { listWebhookDeliveries, replayWebhookDelivery, testWebhook } from './deliveries.ts';
import { deleteWebhook, enableWebhook, getWebhook, listWebhooks, rotateWebhookSecret } from './manage.ts';
import { registerWebhook } from './register.ts';

export const webhookOperations: readonly AnyOperation[] = [
  registerWebhook,
  listWebhooks,
  getWebhook,
  deleteWebhook,
  testWebhook,
  listWebhookDeliveries,
  replayWebhookDelivery,
  rotateWebhookSecret,
  enableWebhook,
];

export type { Webhooks } from './webhooks.ts';
export { createWebhooks } from './webhooks.ts';

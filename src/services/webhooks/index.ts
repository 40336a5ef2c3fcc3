export type { Webhooks } from './webhooks.ts';

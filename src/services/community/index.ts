export type { Community } from './community.ts';

export { requireSameStorage } from './same_storage.ts';

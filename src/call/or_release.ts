import type { Payment } from './payment.ts';

/** Runs `work`; gives back what was set aside and throws on where it fails. */
export async function orRelease<T>(payment: Payment, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await payment.release();
    throw error;
  }
}

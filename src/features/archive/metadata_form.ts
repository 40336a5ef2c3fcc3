import { invalidField } from '../../core/errors/atelier_error.ts';

/**
 * Runs `make`, reporting metadata without a canonical form as a client error.
 * @throws AtelierError invalid_input
 */
export function withMetadata<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidField(
      'metadata',
      `metadata has no canonical JSON form: ${error.message}. Correct it and send it again.`,
    );
  }
}

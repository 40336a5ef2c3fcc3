import { invalidField } from '../../core/errors/atelier_error.ts';

/** Makes a record; metadata that has no canonical form is the caller's to mend. @throws AtelierError invalid_input */
export function withMetadata<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidField(
      'metadata',
      `metadata has no canonical form: ${error.message}. Mend it and send it again.`,
    );
  }
}

import { OTHER_IMAGES_MAX } from '@atelier/imaging/editor/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { CallContext } from '../tool.ts';
import { knownFields, OPERATION_FIELDS, type SentOperation } from './operation_fields.ts';

/**
 * Removes unknown fields from operations, with a warning for each.
 * @param path of the list in the input: `operations`
 * @throws AtelierError invalid_input for too many images, or a placeholder where none is supported
 */
export function requireKnown(
  sent: readonly SentOperation[],
  { path, warn }: { readonly path: string } & Pick<CallContext, 'warn'>,
): SentOperation[] {
  const images = sent.filter((operation) => 'image' in operation && operation.image !== undefined);
  if (images.length > OTHER_IMAGES_MAX)
    throw invalidField(
      path,
      `${path} names ${images.length} images. The limit is ${OTHER_IMAGES_MAX}. Edit in two calls.`,
    );
  return sent.map((operation, at) => {
    const { known, unknown } = knownFields(operation);
    if (unknown.length > 0) {
      const fields = Object.keys(OPERATION_FIELDS[operation.op].shape).filter((name) => name !== 'op');
      const names = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
      warn(
        `${path}.${at}: ${names.join(', ')} was ignored. Fields of ${operation.op}: ${fields.join(', ')}.`,
      );
    }
    return known;
  });
}

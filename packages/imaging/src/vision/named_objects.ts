import { VEHICLES } from './coco_classes.ts';
import type { FoundObject } from './find_objects.ts';
import { NAMED_OBJECT_MIN } from './limits.ts';
import type { SeenSubject } from './seen.ts';

/** People, and vehicles where subjects have one as well: of what is found, that which may be named. */
export function namedObjects(found: readonly FoundObject[], subjects: readonly SeenSubject[]): FoundObject[] {
  const hasVehicle = subjects.some(({ term, broader }) => term === 'vehicle' || broader.includes('vehicle'));
  return found.filter(({ kind, score }) =>
    kind === 'person'
      ? score >= NAMED_OBJECT_MIN.person
      : hasVehicle && VEHICLES.has(kind) && score >= NAMED_OBJECT_MIN.vehicle,
  );
}

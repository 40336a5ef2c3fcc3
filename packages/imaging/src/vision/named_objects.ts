import { VEHICLES } from './coco_classes.ts';
import type { FoundObject } from './find_objects.ts';
import { NAMED_OBJECT_MIN } from './limits.ts';
import type { SeenSubject } from './seen.ts';

/** The detected objects that may be named: people, and vehicles that the subjects confirm. */
export function namedObjects(found: readonly FoundObject[], subjects: readonly SeenSubject[]): FoundObject[] {
  const hasVehicle = subjects.some(({ term, broader }) => term === 'vehicle' || broader.includes('vehicle'));
  return found.filter(({ kind, score }) =>
    kind === 'person'
      ? score >= NAMED_OBJECT_MIN.person
      : hasVehicle && VEHICLES.has(kind) && score >= NAMED_OBJECT_MIN.vehicle,
  );
}

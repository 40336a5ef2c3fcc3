import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { operatorOperations } from '../../../features/operator/routes/index.ts';

/** What an operator can do: everything the operations offer that changes something. */
export const ACTS: readonly AnyOperation[] = operatorOperations.filter(({ methods }) =>
  methods.includes('POST'),
);

/** By its last word, such as `hide`. */
export const actNamed = (name: string): AnyOperation | undefined =>
  ACTS.find((act) => act.name === `operator_${name}`);

/** "Hide", of `operator_hide`. */
export function actLabel({ name }: Pick<AnyOperation, 'name'>): string {
  const words = name.replace(/^operator_/, '').replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}

/** Where the form of an act is. @param about what it is done to; it is filled in */
export const actPath = (name: string, about?: string): string =>
  `/operate/acts/${name}${about === undefined ? '' : `?about=${encodeURIComponent(about)}`}`;

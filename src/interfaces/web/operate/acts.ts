import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { operatorOperations } from '../../../features/operator/routes/index.ts';

/** Admin actions: the operator operations that change state. */
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

/** URL of the form of an action. @param about target to fill in */
export const actPath = (name: string, about?: string): string =>
  `/operate/acts/${name}${about === undefined ? '' : `?about=${encodeURIComponent(about)}`}`;

/** Link to the form of an action with its target filled in. @param spoken name of the target, for screen readers */
export const actLink = (name: string, about: string, spoken: string): Html =>
  html`<a class="act" href="${actPath(name, about)}">${actLabel({ name })}<span class="unseen"> ${spoken}</span></a>`;

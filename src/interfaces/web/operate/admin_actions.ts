import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { operatorOperations } from '../../../features/operator/routes/index.ts';

/** Admin actions: the operator operations that change state. */
export const ADMIN_ACTIONS: readonly AnyOperation[] = operatorOperations.filter(({ methods }) =>
  methods.includes('POST'),
);

/** By its last word, such as `hide`. */
export const adminActionNamed = (name: string): AnyOperation | undefined =>
  ADMIN_ACTIONS.find((act) => act.name === `operator_${name}`);

/** "Hide", of `operator_hide`. */
export function adminActionLabel({ name }: Pick<AnyOperation, 'name'>): string {
  const words = name.replace(/^operator_/, '').replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}

/** URL of the form of an action. @param about target to fill in */
export const adminActionPath = (name: string, about?: string): string =>
  `/operate/acts/${name}${about === undefined ? '' : `?about=${encodeURIComponent(about)}`}`;

/** Link to the form of an action with its target filled in. @param spoken name of the target, for screen readers */
export const adminActionLink = (name: string, about: string, spoken: string): Html =>
  html`<a class="act" href="${adminActionPath(name, about)}">${adminActionLabel({ name })}<span class="unseen"> ${spoken}</span></a>`;

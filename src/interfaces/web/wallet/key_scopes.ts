import type { z } from 'zod';
import type { keyFields } from '../../../features/account/routes/keys.ts';

type Scope = z.output<typeof keyFields>['scopes'][number];

/** Permissions of a key with labels. */
export const KEY_SCOPES: readonly { readonly scope: Scope; readonly label: string }[] = [
  { scope: 'spend', label: 'pay for tools' },
  { scope: 'assets:read', label: 'read files' },
  { scope: 'assets:write', label: 'save and delete files' },
  { scope: 'account:read', label: 'view balance and statement' },
];

export const scopeLabel = (scope: Scope): string =>
  KEY_SCOPES.find((one) => one.scope === scope)?.label ?? scope;

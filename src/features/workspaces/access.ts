import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { WorkspaceContext } from './context.ts';
import { PASS_LIFETIME_MS, PERSON_CHARACTERS_MAX } from './limits.ts';
import { registerPerson } from './people.ts';
import { workspaceNotFound as notFound } from './refusals.ts';
import { selectLink, selectPerson, selectWorkspace, type WorkspaceRow } from './store.ts';
import { plainText } from './texts.ts';
import { passToken, readOpener, readPass, readShare } from './tokens.ts';
import type { Access, NewPerson, Role, Visitor } from './types.ts';

const ORDER: readonly Role[] = ['view', 'work', 'own'];
export const includes = (role: Role, needs: Role): boolean => ORDER.indexOf(role) >= ORDER.indexOf(needs);

/** @see Workspaces.access */
export async function openAccess(
  context: Pick<WorkspaceContext, 'database' | 'links' | 'ownership'>,
  text: string,
  visitor: Visitor,
  needs: Role = 'view',
): Promise<Access> {
  const opener = readOpener(text);
  const row = opener && (await selectWorkspace(context.database, opener.id));
  if (!opener || !row) throw notFound();
  const { id, claims, signature } = opener;
  const own = await roleOfWallet(context, row, visitor, needs);
  const open = (role: Role, author: NewPerson): Access => {
    if (!includes(role, needs)) throw denied(role, needs);
    return { id, role, text: text.trim(), author, visitor };
  };
  if (own) return open(own, byWallet(visitor));
  if (claims === undefined) throw notFound();
  const share = readShare(context.links, id, claims, signature);
  if (share !== undefined) {
    const link = await selectLink(context.database, id, share);
    if (!link || link.revokedAt) throw notFound();
    return open(link.role, byLink(visitor, { link: share, name: link.name }));
  }
  const pass = readPass(context.links, id, claims, signature);
  const person = pass && (await selectPerson(context.database, id, pass.author));
  if (!pass || !person) throw notFound();
  if (pass.link === null && person.wallet !== row.owner) throw notFound();
  const link = pass.link === null ? undefined : await selectLink(context.database, id, pass.link);
  if (link?.revokedAt) throw notFound();
  const { number: _, ...author } = person;
  return open(link?.role ?? pass.role, named(author, visitor));
}

/**
 * The role of the wallet that owns the workspace; undefined for any other caller.
 * @throws AtelierError scope_denied for a key without the scope
 */
async function roleOfWallet(
  { ownership }: Pick<WorkspaceContext, 'ownership'>,
  { owner }: WorkspaceRow,
  { wallet, proof }: Visitor,
  needs: Role,
): Promise<Role | undefined> {
  if (owner === null || wallet !== owner) return undefined;
  if (!proof) return (await ownership.lockedAt(owner)) ? undefined : 'own';
  if (!proof.key || proof.key.scopes.includes('assets:write')) return 'own';
  if (proof.key.scopes.includes('assets:read') && needs === 'view') return 'view';
  await ownership.record(owner, 'refused_scope', proof.key.id);
  const scope = needs === 'view' ? 'assets:read' : 'assets:write';
  throw new AtelierError(
    'scope_denied',
    `This key lacks the scope "${scope}", which is required for workspaces of its wallet.`,
  );
}

const isAgent = ({ proof, isModel }: Visitor): boolean => isModel === true || proof?.key !== undefined;

/** A shortened address: the full address of an unlocked wallet is enough to spend its credits. */
const shortWallet = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;

const byWallet = (visitor: Visitor): NewPerson => ({
  wallet: visitor.wallet!,
  name: visitor.proof?.key?.name ?? shortWallet(visitor.wallet!),
  isAgent: isAgent(visitor),
  link: null,
});

const byLink = (visitor: Visitor, { link, name }: { link: number; name: string }): NewPerson =>
  named(
    {
      wallet: visitor.wallet ?? null,
      name: visitor.proof?.key?.name ?? name,
      isAgent: isAgent(visitor),
      link,
    },
    visitor,
  );

/** The person with the name that a visitor by link has chosen. */
function named(person: NewPerson, { as }: Visitor): NewPerson {
  const name = as === undefined ? undefined : plainText(as, PERSON_CHARACTERS_MAX);
  return name && person.link !== null ? { ...person, name } : person;
}

/** @see Workspaces.passFor */
export async function passFor(context: WorkspaceContext, { id, role, author }: Access): Promise<string> {
  const { database, links, clock } = context;
  const number = await registerPerson(database, id, author);
  const { link } = author;
  return passToken(links, id, { role, author: number, link }, new Date(clock().getTime() + PASS_LIFETIME_MS));
}

function denied(role: Role, needs: Role): AtelierError {
  const what = needs === 'own' ? 'belongs to its owner' : 'changes the workspace';
  return new AtelierError(
    'workspace_denied',
    `This ${what} and requires the role "${needs}"; this link has the role "${role}". Ask the owner for another link.`,
  );
}

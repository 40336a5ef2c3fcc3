import type { CallContext } from '../../definitions/tool.ts';
import type { Access, Visitor } from '../types.ts';

/** The client of a tool call as a visitor of a workspace. */
export const visitorOf = ({
  wallet,
  proof,
  isModel,
}: Pick<CallContext, 'wallet' | 'proof' | 'isModel'>): Visitor => ({ wallet, proof, isModel });

/** Id, share link or pass with which the client opened the workspace, without the page URL. */
export const openerOf = ({ text }: Pick<Access, 'text'>): string => text.replace(/^.*\/table\//, '');

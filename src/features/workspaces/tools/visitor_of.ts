import type { CallContext } from '../../definitions/tool.ts';
import type { Access, Visitor } from '../types.ts';

/** The caller of a tool, as a workspace is opened to it. */
export const visitorOf = ({
  wallet,
  proof,
  isModel,
}: Pick<CallContext, 'wallet' | 'proof' | 'isModel'>): Visitor => ({ wallet, proof, isModel });

/** What the caller has opened the workspace with, without the address of its page. */
export const openerOf = ({ text }: Pick<Access, 'text'>): string => text.replace(/^.*\/table\//, '');

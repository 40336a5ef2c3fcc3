import type { AnyOperation } from '../../definitions/operation.ts';
import { approvalMessage, decideApproval, listApprovals, showApproval } from './approvals.ts';
import { decideKeyRequest, keyRequestMessage, showKeyRequest } from './key_requests.ts';
import { setSpending, showSpending } from './spending.ts';

export const consentOperations: readonly AnyOperation[] = [
  showSpending,
  setSpending,
  showApproval,
  listApprovals,
  approvalMessage,
  decideApproval,
  showKeyRequest,
  keyRequestMessage,
  decideKeyRequest,
];

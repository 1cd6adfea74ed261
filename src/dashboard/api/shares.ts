import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type CallShare = api.CallShare;
export type CreatedShare = api.ShareCallAnswer['data'];
export type SharedCall = api.SharedCall;

export const readShares = async (call_id: string, signal?: AbortSignal): Promise<readonly CallShare[]> =>
  (await ask(demarc.listCallShares({ call_id }, { signal }))).shares;

export const shareCall = (call_id: string, expires_in_hours: number): Promise<CreatedShare> =>
  ask(demarc.shareCall({ call_id }, { expires_in_hours }));

export const revokeShare = (call_id: string, share_id: string): Promise<unknown> =>
  ask(demarc.revokeCallShare({ call_id, share_id }));

/** Needs no session. */
export const readSharedCall = (token: string): Promise<SharedCall> =>
  ask(demarc.readSharedCall({ token }), { isSignIn: true });

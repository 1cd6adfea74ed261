import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type NumberPage = api.ListNumbersAnswer['data'];
export type NumberEntry = NumberPage['numbers'][number];

export const readNumbers = (
  page: Pick<api.ListNumbersQuery, 'limit' | 'after'>,
  signal?: AbortSignal,
): Promise<NumberPage> => ask(demarc.listNumbers(page, { signal }));

export type Configuration = api.AttachedDirection;
export type Direction = Configuration['direction'];
export type AlertConfig = api.AlertConfig;

export const readTrunk = (phone_number: string, signal?: AbortSignal): Promise<api.GetNumberAnswer['data']> =>
  ask(demarc.getNumber({ phone_number }, { signal }));

export type TrunkStatus = api.GetTrunkStatusAnswer['data'];
export type EndpointStatus = TrunkStatus['endpoints'][number];

/** `probe`: probes the servers now and waits for their answers. */
export const readTrunkStatus = (
  phone_number: string,
  { probe = false, signal }: { probe?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<TrunkStatus> =>
  ask(demarc.getTrunkStatus({ phone_number, ...(probe ? { probe: 'now' } : {}) }, { signal }));

/** Clears the failure state of every server of the number, so that all are used again. */
export const failBack = (phone_number: string): Promise<unknown> => ask(demarc.failBack({ phone_number }));

/** Sets the addresses that may call the number; `id` of its inbound configuration. */
export const allowCallers = (
  phone_number: string,
  id: string,
  allowed_ips: readonly string[],
): Promise<unknown> =>
  ask(
    demarc.updateDirection({ phone_number, updates: { type: 'inbound', id, allowed_ips: [...allowed_ips] } }),
  );

import type * as api from '../../../clients/typescript/src/index.js';
import type { TestCall } from '../../../clients/typescript/src/index.js';
import { ApiFailure, ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

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
export const allowCallers =
  (phone_number: string, id: string, allowed_ips: readonly string[]): ApiRequest =>
  (client) =>
    client.updateDirection({ phone_number, updates: { type: 'inbound', id, allowed_ips: [...allowed_ips] } });

export type VersionedTrunk = api.GetNumberAnswer['data'] & {
  /** `ETag`: a change with it is refused when the number has changed since. */
  readonly entityTag: string | undefined;
};

export async function readVersionedTrunk(
  phone_number: string,
  signal?: AbortSignal,
): Promise<VersionedTrunk> {
  let entityTag: string | undefined;
  const readHeaders = (headers: Headers): void => {
    entityTag = headers.get('etag') ?? undefined;
  };
  return { ...(await ask(demarc.getNumber({ phone_number }, { signal, readHeaders }))), entityTag };
}

/** The configurations of a number; none: it is not attached to this organization. */
export async function readTrunkIfAttached(
  phone_number: string,
  signal?: AbortSignal,
): Promise<readonly Configuration[]> {
  try {
    return (await readTrunk(phone_number, signal)).configurations;
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 404) return [];
    throw failure;
  }
}

export type NumberCheck = api.CheckNumberAnswer['data'];

/** Whether the organization can attach a number. */
export const checkNumber = (phone_number: string, signal?: AbortSignal): Promise<NumberCheck> =>
  ask(demarc.checkNumber({ phone_number }, { signal }));

export type TrustedCertificate = api.TrustedCertificate;
export type ReadCertificates = api.ParseCertificatesAnswer['data'];

export const parseCertificates = (pem: string, signal?: AbortSignal): Promise<ReadCertificates> =>
  ask(demarc.parseCertificates({ pem }, { signal }));

export type { TestCall };

/** A test call to the number's own servers. */
export const testCallOf =
  (phone_number: string): ApiRequest<{ readonly call_id: string }> =>
  (client) =>
    client.startTestCall({ phone_number });

export const isOver = ({ status }: TestCall): boolean =>
  ['completed', 'failed', 'busy', 'no-answer'].includes(status);

export const readTestCall = (call_id: string, signal?: AbortSignal): Promise<TestCall> =>
  ask(demarc.getTestCall({ call_id }, { signal }));

import { signal } from '@preact/signals';
import { DemarcError, Operations, queryText } from '../../../clients/typescript/src/index.js';

const withRequest = (text: string, requestId: string | undefined): string =>
  requestId === undefined ? text : `${text} (request ${requestId})`;

/** The error that the API returned, or the failure to reach it. */
export class ApiFailure extends Error {
  /** 0: no answer received. */
  readonly status: number;
  readonly code: string;
  readonly faults: DemarcError['faults'];
  readonly retryAfterSeconds: number | undefined;
  /** By it an operator finds the cause in the log; undefined: there was no answer. */
  readonly requestId: string | undefined;
  /** What went wrong, without the request. */
  readonly text: string;

  constructor(
    text: string,
    facts: Pick<ApiFailure, 'status' | 'code'> &
      Partial<Pick<ApiFailure, 'faults' | 'retryAfterSeconds' | 'requestId' | 'cause'>>,
  ) {
    super(withRequest(text, facts.requestId), facts);
    this.text = text;
    this.requestId = facts.requestId;
    this.name = 'ApiFailure';
    this.status = facts.status;
    this.code = facts.code;
    this.faults = facts.faults ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }

  /** What was refused of each field, or what went wrong; with the request. */
  get refusal(): string {
    const faults = this.faults.map(({ message }) => message).join(' ');
    return faults === '' ? this.message : withRequest(faults, this.requestId);
  }

  /** The error of one field, where the API names the field. */
  at(path: string): string | undefined {
    return this.faults.find((fault) => fault.path === path)?.message;
  }
}

let whenSignedOut: () => void = () => undefined;

/** Called when an API answer says that the session has ended. */
export function onSignedOut(act: () => void): void {
  whenSignedOut = act;
}

/** API client with the session cookie. It does not retry: the user sees a failure at once and decides whether to retry. */
export const demarc = new Operations({ baseUrl: '', retries: 0 });

/** An answer takes longer than this only when the service, the network or the browser holds it up. */
const patienceMilliseconds = 5_000;
/** Requests that have waited longer for their answer. */
export const lateRequests = signal(0);

/** Counts a request among the late ones from the time at which it is late until it is settled. */
async function watched<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    lateRequests.value += 1;
  }, patienceMilliseconds);
  try {
    return await asked;
  } finally {
    clearTimeout(timer);
    if (isLate) lateRequests.value -= 1;
  }
}

/** Returns the `data` of an answer. Throws `ApiFailure`, and `AbortError` when the signal fires. */
export async function ask<Answer extends { readonly data: unknown }>(
  asked: Promise<Answer>,
  { isSignIn = false }: { readonly isSignIn?: boolean } = {},
): Promise<Answer['data']> {
  try {
    return (await watched(asked)).data;
  } catch (failure) {
    if (!(failure instanceof DemarcError)) throw failure;
    if (failure.status === 401 && !isSignIn) whenSignedOut();
    const { status, code, faults, retryAfterSeconds, requestId } = failure;
    throw new ApiFailure(messages[code] ?? failure.message, {
      status,
      code,
      faults,
      retryAfterSeconds,
      requestId,
      cause: failure,
    });
  }
}

/** Replaces API error texts where dashboard users have other options than API clients. */
const messages: Readonly<Partial<Record<DemarcError['code'], string>>> = {
  NO_ANSWER: 'Demarc does not respond. Check your network connection.',
  SERVICE_UNAVAILABLE:
    'PostgreSQL is down. Edges keep handling calls; their records wait. Restart PostgreSQL or check its log; /readyz lists every component that is down.',
};

/** Query string `?a=1&b=2` of the parameters that are set. */
export const query = (values: Readonly<Record<string, string | number | undefined>>): string =>
  queryText(values);

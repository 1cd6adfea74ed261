import { Demarc, DemarcError, queryText } from '../../../clients/typescript/src/index.js';

/** What the API said when it did not do what was asked, or that it could not be asked. */
export class ApiFailure extends Error {
  constructor(
    /** 0: no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly faults: DemarcError['faults'] = [],
    readonly retryAfterSeconds: number | undefined = undefined,
  ) {
    super(message);
    this.name = 'ApiFailure';
  }

  /** The fault of one field, where the API names it. */
  at(path: string): string | undefined {
    return this.faults.find((fault) => fault.path === path)?.message;
  }
}

let whenSignedOut: () => void = () => undefined;

/** What is done when any answer says that the session is over. */
export function onSignedOut(act: () => void): void {
  whenSignedOut = act;
}

/** The API, with the session's cookie. Whoever looks at a page sees a failure at once, and decides about the next try. */
export const demarc = new Demarc({ retries: 0 });

/** The `data` of an answer. Throws `ApiFailure`, and `AbortError` when the signal fires. */
export async function ask<Answer extends { readonly data: unknown }>(
  asked: Promise<Answer>,
  { isSignIn = false }: { readonly isSignIn?: boolean } = {},
): Promise<Answer['data']> {
  try {
    return (await asked).data;
  } catch (failure) {
    if (!(failure instanceof DemarcError)) throw failure;
    if (failure.status === 401 && !isSignIn) whenSignedOut();
    const { status, code, faults, retryAfterSeconds } = failure;
    throw new ApiFailure(status, code, messages[code] ?? failure.message, faults, retryAfterSeconds);
  }
}

/** Where people at the dashboard can do more than the API's text says. */
const messages: Readonly<Partial<Record<DemarcError['code'], string>>> = {
  NO_ANSWER: 'Demarc does not respond. Check your network connection.',
  SERVICE_UNAVAILABLE:
    'PostgreSQL is down. Edges keep handling calls; their records wait. Restart PostgreSQL or check its log; /readyz lists every component that is down.',
};

/** `?a=1&b=2` of what is set. */
export const query = (values: Readonly<Record<string, string | number | undefined>>): string =>
  queryText(values);

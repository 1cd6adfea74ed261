import type { Acknowledge, Dialog, ReceivedResponse } from './messages.js';

/** Answers the digest challenges to requests inside a dialog; one exchange per request. */
interface Authenticator {
  /** Of the credentials. */
  readonly username?: string;
  begin(): {
    /** False: the response is final. */
    accept(response: ReceivedResponse): boolean;
    headers(request: { method: string; uri: string; body?: string }): Record<string, string>;
  };
}

const authenticators = new WeakMap<Dialog, Authenticator>();

/** User of the credentials that answer challenges inside the dialog. */
export const credentialOf = (dialog: Dialog): string | undefined => authenticators.get(dialog)?.username;

export const isAuthenticated = (dialog: Dialog): boolean => authenticators.has(dialog);

/** From now on challenged requests inside the dialog are repeated with credentials. */
export function authenticate(dialog: Dialog, authenticator: Authenticator): void {
  authenticators.set(dialog, authenticator);
}

interface RequestOptions {
  readonly method: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly noAck?: boolean;
}

interface Answered {
  readonly response: ReceivedResponse;
  readonly acknowledge: Acknowledge | undefined;
}

/** A request inside a dialog with our own timeout: the library never settles one whose connection dies. */
export async function requestInDialog(
  dialog: Dialog,
  options: RequestOptions,
  boundMilliseconds: number,
): Promise<Answered> {
  const { method, body } = options;
  const until = performance.now() + boundMilliseconds;
  const exchange = authenticators.get(dialog)?.begin();
  let credentials: Record<string, string> = {};
  for (;;) {
    const headers = { ...options.headers, ...credentials };
    const answered = await requestOnce(dialog, { ...options, headers }, until - performance.now());
    const { response } = answered;
    if (exchange?.accept(response) !== true) return answered;
    const { uri } = response.req;
    credentials = exchange.headers({ method, uri, ...(body === undefined ? {} : { body }) });
  }
}

function requestOnce(dialog: Dialog, options: RequestOptions, boundMilliseconds: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${options.method} was not answered`)),
      boundMilliseconds,
    );
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    try {
      dialog.request(options, (error, response, acknowledge) => {
        if (response === undefined) settle(() => reject(error ?? new Error('no response')));
        else if (response.status >= 200) settle(() => resolve({ response, acknowledge }));
      });
    } catch (error) {
      settle(() => reject(error));
    }
  });
}

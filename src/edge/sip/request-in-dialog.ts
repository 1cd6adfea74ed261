import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** The connection to the engine was lost before the response: whether the peer has the request is unknown. */
export class EngineConnectionLost extends Error {
  constructor() {
    super('the connection to the SIP engine was lost');
    this.name = 'EngineConnectionLost';
  }
}

/**
 * A request inside a dialog with our own timeout: the library never settles one whose connection dies. While the connection to the
 * engine is down, the request waits until the dialog has another one. Throws `EngineConnectionLost`.
 */
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
    while (connectionOf(dialog)?.destroyed === true && performance.now() < until)
      await sleep(connectionPollMilliseconds);
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
      () => settle(() => reject(new Error(`${options.method} was not answered`))),
      boundMilliseconds,
    );
    const forget = onConnectionLoss(dialog, () => settle(() => reject(new EngineConnectionLost())));
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      forget();
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

/** Undefined where a test takes the place of the library. */
const connectionOf = (dialog: Partial<Pick<Dialog, 'req'>>): Socket | undefined => dialog.req?.socket;

const connectionPollMilliseconds = 50;

/** What waits for a response, by the connection to the engine that is to bring it. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Runs `act` when the dialog's connection to the engine is lost; the result forgets it. */
function onConnectionLoss(dialog: Dialog, act: () => void): () => void {
  const socket = connectionOf(dialog);
  if (socket === undefined) return () => {};
  let acts = waiting.get(socket);
  if (acts === undefined) {
    const all = new Set<() => void>();
    // One listener for all of a connection.
    socket.once('close', () => {
      for (const each of [...all]) each();
    });
    waiting.set(socket, all);
    acts = all;
  }
  const registered = acts;
  registered.add(act);
  return () => registered.delete(act);
}

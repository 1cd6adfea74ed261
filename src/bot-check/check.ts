import { setTimeout as sleep } from 'node:timers/promises';
import { handshakeHeaders } from '../contract/stream-signatures.js';
import type {
  BotSocket,
  BotSocketListener,
  BotTarget,
  OpenBotSocket,
} from '../media-stream/bot/bot-socket.js';
import { audioFindings, bargeInFinding, type Finding, markFinding, readingFinding } from './findings.js';
import type { RestTwin } from './rest-twin.js';
import { BotSession, type SessionOptions } from './session.js';

export interface CheckOptions extends Omit<SessionOptions, 'callId'> {
  /** How long the bot may take to say its first words. */
  readonly greetingMilliseconds: number;
  /** After these the bot hangs up; undefined: its hang-up is not checked. */
  readonly hangUpDigits?: string;
  /** Where the bot hangs up by HTTP; undefined: it does not. */
  readonly twin?: RestTwin;
}

const startMilliseconds = 5_000;
const speechMilliseconds = 3_000;
/** Shorter than the time after which the connection is cut. */
const closeMilliseconds = 1_500;
const hangUpMilliseconds = 10_000;
const betweenDigits = 200;
const pollMilliseconds = 20;

type Report = (finding: Finding) => void;

/** Plays the service's side of some calls against a bot. Calls `report` with each finding. */
export async function checkBot(options: CheckOptions, report: Report): Promise<void> {
  const first = await conversation(options, report);
  if (first === undefined) return;
  report(await reconnection(options, first));
  for (const finding of await hangUpByBot(options)) report(finding);
  for (const finding of await signature(options)) report(finding);
}

/** The first call. @returns its id; undefined: nothing else can be checked */
async function conversation(options: CheckOptions, report: Report): Promise<string | undefined> {
  const { sockets, open } = watchedBy(options.open);
  const session = new BotSession({ ...options, open });
  session.begin();
  if (!(await opened(session))) {
    const text = session.end?.text ?? `no connection within ${startMilliseconds / 1_000} s`;
    report({ level: 'problem', check: 'handshake', text });
    return undefined;
  }
  report({ level: 'ok', check: 'handshake', text: 'connected; sent the first messages' });
  await waitFor(
    () => session.seen.firstMilliseconds !== undefined || session.end !== undefined,
    options.greetingMilliseconds,
  );
  if (session.end !== undefined) {
    report({ level: 'problem', check: 'start', text: `the bot ended the stream: ${session.end.text}` });
    return undefined;
  }
  const reading = pinged(sockets.at(-1)!);
  await sleep(1_000);
  for (const finding of audioFindings(session.seen)) report(finding);
  report(await interrupt(session));
  session.press('5');
  await sleep(500);
  report(
    session.endText === undefined
      ? { level: 'ok', check: 'digits', text: 'the bot stays connected after a digit' }
      : { level: 'problem', check: 'digits', text: `the bot ended the stream: ${session.endText}` },
  );
  const slowest = await reading();
  if (session.endText === undefined) report(readingFinding(slowest));
  for (const [why, count] of session.ignored)
    report({ level: 'problem', check: 'messages', text: `${why} (count: ${count})` });
  if (session.ignored.size === 0) report({ level: 'ok', check: 'messages', text: 'all understood' });
  report(markFinding(session.marks));
  for (const { kind } of session.orders)
    report({ level: 'note', check: 'commands', text: `the bot sent ${kind}` });
  session.hangUp();
  report(await closing(sockets.at(-1)!));
  return session.callId;
}

/** The caller speaks over the bot. */
async function interrupt(session: BotSession): Promise<Finding> {
  const wasSpeaking = session.queuedMilliseconds > 0;
  const from = performance.now();
  session.clearAt = undefined;
  session.speak(true);
  await waitFor(() => session.clearAt !== undefined, speechMilliseconds);
  session.speak(false);
  return bargeInFinding({
    wasSpeaking,
    clearMilliseconds: session.clearAt === undefined ? undefined : session.clearAt - from,
    leftMilliseconds: session.queuedMilliseconds,
  });
}

/**
 * Pings until the result is called. A pong comes when the bot has read everything before the ping, all audio of the caller.
 * @returns a function that resolves with the longest round trip so far, in milliseconds
 */
function pinged(socket: Watched): () => Promise<number> {
  let slowest = 0;
  let since = performance.now();
  const look = (): void => {
    const now = performance.now();
    if (socket.awaitsPong) slowest = Math.max(slowest, now - since);
    else {
      slowest = Math.max(slowest, socket.latency ?? 0);
      since = now;
      socket.ping();
    }
  };
  look();
  const timer = setInterval(look, 5 * pollMilliseconds);
  return async () => {
    clearInterval(timer);
    look();
    return slowest;
  };
}

/** After `stop` and a close with 1000 the bot closes its side (RFC 6455 §7.1.1). */
async function closing(socket: Watched): Promise<Finding> {
  const check = 'hang-up';
  const isClosed = await waitFor(() => socket.isClosed(), closeMilliseconds);
  return isClosed
    ? { level: 'ok', check, text: 'the bot closed its side' }
    : {
        level: 'problem',
        check,
        text: `the bot did not close within ${closeMilliseconds / 1_000} s: its sessions pile up`,
      };
}

/** A second connection for a call whose first one was lost. */
async function reconnection(options: CheckOptions, callId: string): Promise<Finding> {
  const check = 'reconnection';
  const session = new BotSession({ ...options, callId });
  session.begin();
  const isOpen = await opened(session);
  await sleep(500);
  const { end } = session;
  session.hangUp();
  if (isOpen && end === undefined)
    return { level: 'ok', check, text: 'the bot accepts a stream that says reconnected' };
  return {
    level: 'problem',
    check,
    text: `the bot does not accept a stream that says reconnected: ${end?.text ?? 'no connection'}`,
  };
}

/** A call that the bot ends: by HTTP, by the command, or by closing its stream. */
async function hangUpByBot(options: CheckOptions): Promise<readonly Finding[]> {
  const check = 'hang-up by the bot';
  const { hangUpDigits: digits, twin } = options;
  if (digits === undefined)
    return [
      { level: 'note', check, text: 'not checked: --hang-up names the digits after which it hangs up' },
    ];
  const session = new BotSession(options);
  twin?.expect(session.sids);
  session.begin();
  if (!(await opened(session)))
    return [{ level: 'problem', check, text: session.end?.text ?? 'no connection' }];
  await waitFor(() => session.seen.firstMilliseconds !== undefined, options.greetingMilliseconds);
  for (const digit of digits) {
    session.press(digit);
    await sleep(betweenDigits);
  }
  const hasOrdered = (): boolean => session.orders.some(({ kind }) => kind === 'hangup');
  const isOver = (): boolean => session.end !== undefined || hasOrdered();
  await waitFor(() => twin?.isDone === true || isOver(), hangUpMilliseconds);
  // A bot that hangs up by HTTP closes its stream at the same time.
  if (twin !== undefined) await waitFor(() => twin.isDone, 500);
  const { end } = session;
  session.hangUp();
  const byHttp = twin?.findings ?? [];
  if (end?.kind === 'lost')
    return [
      ...byHttp,
      {
        level: 'problem',
        check,
        text: `${end.text}: the service takes it for a fault and reconnects. Close with 1000.`,
      },
    ];
  if (byHttp.length > 0) return byHttp;
  const without: readonly Finding[] =
    twin === undefined
      ? []
      : [
          {
            level: 'problem',
            check: 'hang-up by HTTP',
            text: 'the bot sent no request to the address of --http',
          },
        ];
  if (hasOrdered()) return [...without, { level: 'ok', check, text: 'the bot sent hangup' }];
  if (end !== undefined)
    return [...without, { level: 'ok', check, text: `the bot ended the stream: ${end.text}` }];
  return [
    {
      level: 'problem',
      check,
      text: `the bot did not hang up within ${hangUpMilliseconds / 1_000} s of the digits ${digits}`,
    },
    ...without,
  ];
}

const staleSeconds = 3_600;

/** Handshakes that the service would never send. */
async function signature(options: CheckOptions): Promise<readonly Finding[]> {
  const check = 'signature';
  const { secrets, open } = options;
  if (secrets.length === 0)
    return [{ level: 'note', check, text: 'not checked: --secret is what the service signs with' }];
  const accepts = async (signingSecrets: readonly string[], seconds: number): Promise<boolean> => {
    const forged: OpenBotSocket = (target, listener) =>
      open({ ...target, headers: { ...target.headers, ...proofs } }, listener);
    const session = new BotSession({ ...options, secrets: [], open: forged });
    const proofs = handshakeHeaders(signingSecrets, { url: options.stream.url, ...session.sids }, seconds);
    session.begin();
    const isOpen = await opened(session);
    // Some servers close after the handshake.
    if (isOpen) await waitFor(() => session.end !== undefined, 500);
    const isAccepted = isOpen && session.end === undefined;
    session.hangUp();
    return isAccepted;
  };
  const now = Math.floor(Date.now() / 1_000);
  if (
    await accepts(
      secrets.map((secret) => `not ${secret}`),
      now,
    )
  )
    return [
      {
        level: 'problem',
        check,
        text: 'the bot accepts a handshake that another secret signed: strangers can open its sessions',
      },
    ];
  if (await accepts(secrets, now - staleSeconds))
    return [
      {
        level: 'note',
        check,
        text: 'the bot accepts a signature of an hour ago: X-Demarc-Signature has the time, X-Twilio-Signature has none',
      },
    ];
  return [{ level: 'ok', check, text: 'the bot refuses handshakes with a wrong or old signature' }];
}

const opened = async (session: BotSession): Promise<boolean> => {
  await waitFor(() => session.isOpen || session.end !== undefined, startMilliseconds);
  return session.isOpen;
};

async function waitFor(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(pollMilliseconds);
  }
  return true;
}

/** All sockets that are opened through the result. */
function watchedBy(open: OpenBotSocket): {
  readonly sockets: readonly Watched[];
  readonly open: OpenBotSocket;
} {
  const sockets: Watched[] = [];
  return {
    sockets,
    open: (target, listener) => {
      const watched = new Watched(open, target, listener);
      sockets.push(watched);
      return watched;
    },
  };
}

/** A socket that says whether the peer has closed it. */
class Watched implements BotSocket {
  private readonly socket: BotSocket;
  private closedAt: number | undefined;

  constructor(open: OpenBotSocket, target: BotTarget, listener: BotSocketListener) {
    this.socket = open(target, {
      ...listener,
      open: () => listener.open(),
      message: (data, isBinary) => listener.message(data, isBinary),
      end: (end) => {
        this.closedAt = performance.now();
        listener.end(end);
      },
    });
  }

  get buffered(): number {
    return this.socket.buffered;
  }

  get latency(): number | undefined {
    return this.socket.latency;
  }

  get awaitsPong(): boolean {
    return this.socket.awaitsPong;
  }

  ping(): void {
    this.socket.ping();
  }

  isClosed(): boolean {
    return this.closedAt !== undefined || this.socket.isClosed();
  }

  send(message: string | Buffer): void {
    this.socket.send(message);
  }

  sendAudio(message: Buffer, isText: boolean): void {
    this.socket.sendAudio(message, isText);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }
}

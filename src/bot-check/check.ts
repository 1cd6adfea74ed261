import { setTimeout as sleep } from 'node:timers/promises';
import type {
  BotSocket,
  BotSocketListener,
  BotTarget,
  OpenBotSocket,
} from '../media-stream/bot/bot-socket.js';
import { audioFindings, bargeInFinding, type Finding } from './findings.js';
import { BotSession, type SessionOptions } from './session.js';

export interface CheckOptions extends SessionOptions {
  /** How long the bot may take to say its first words. */
  readonly greetingMilliseconds: number;
}

const startMilliseconds = 5_000;
const speechMilliseconds = 3_000;
/** Shorter than the time after which the connection is cut. */
const closeMilliseconds = 1_500;
const pollMilliseconds = 20;

/** Plays the service's side of two calls against a bot. Calls `report` with each finding. */
export async function checkBot(options: CheckOptions, report: (finding: Finding) => void): Promise<void> {
  const sockets: Watched[] = [];
  const open: OpenBotSocket = (target, listener) => {
    const watched = new Watched(options.open, target, listener);
    sockets.push(watched);
    return watched;
  };
  const session = new BotSession({ ...options, open });
  session.begin();
  if (
    !(await waitFor(() => session.isOpen || session.end !== undefined, startMilliseconds)) ||
    !session.isOpen
  ) {
    const text = session.end?.text ?? `no connection within ${startMilliseconds / 1_000} s`;
    report({ level: 'problem', check: 'handshake', text });
    return;
  }
  report({ level: 'ok', check: 'handshake', text: 'connected; sent the first messages' });
  await waitFor(
    () => session.seen.firstMilliseconds !== undefined || session.end !== undefined,
    options.greetingMilliseconds,
  );
  if (session.end !== undefined) {
    report({ level: 'problem', check: 'start', text: `the bot ended the stream: ${session.end.text}` });
    return;
  }
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
  for (const [why, count] of session.ignored)
    report({ level: 'problem', check: 'messages', text: `${why} (count: ${count})` });
  if (session.ignored.size === 0)
    report({ level: 'ok', check: 'messages', text: `all understood, marks: ${session.marks}` });
  for (const { kind } of session.orders)
    report({ level: 'note', check: 'commands', text: `the bot sent ${kind}` });
  session.hangUp();
  report(await closing(sockets.at(-1)!));
  report(await reconnection(options));
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
async function reconnection(options: CheckOptions): Promise<Finding> {
  const check = 'reconnection';
  const session = new BotSession(options, true);
  session.begin();
  const isOpen = await waitFor(() => session.isOpen || session.end !== undefined, startMilliseconds);
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

async function waitFor(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(pollMilliseconds);
  }
  return true;
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

  isClosed(): boolean {
    return this.closedAt !== undefined || this.socket.isClosed();
  }

  send(message: string | Buffer): void {
    this.socket.send(message);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }
}

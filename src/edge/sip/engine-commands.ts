import type { EngineConnection } from './engine-connection.js';

type PendingReply = (fields: readonly string[], body: string) => void;

export interface EngineCommandReply {
  /** After `OK`. */
  readonly fields: readonly string[];
  readonly body: string;
}

/** The engine did not reply in time, over a connection that lasts: it may have carried the command out. */
export class LateReply extends Error {}

const boundMilliseconds = 5_000;
const mostTries = 4;
const bar = 124;
const reply = '|response|';

/** Commands that our own engine offers beside those of drachtio's protocol, over the same connection. */
export class EngineCommands {
  /** By the id of their frame. */
  private readonly pending = new Map<string, PendingReply>();

  constructor(private readonly connection: EngineConnection) {
    connection.on('close', () => this.pending.clear());
  }

  /** True: the payload of the frame replies to one of these commands. */
  take(frame: Buffer, payloadStart: number): boolean {
    if (this.pending.size === 0) return false;
    const at = frame.indexOf(bar, payloadStart);
    if (at < 0 || frame.toString('latin1', at, at + reply.length) !== reply) return false;
    const idAt = at + reply.length;
    const idEnd = frame.indexOf(bar, idAt);
    const id = frame.toString('latin1', idAt, idEnd);
    const pending = this.pending.get(id);
    if (pending === undefined) return false;
    this.pending.delete(id);
    const text = frame.toString('utf8', idEnd + 1);
    const leaderEnd = text.indexOf('\r\n');
    const fields = (leaderEnd < 0 ? text : text.slice(0, leaderEnd)).split('|');
    pending(fields, leaderEnd < 0 ? '' : text.slice(leaderEnd + 2));
    return true;
  }

  /**
   * Rejects when the engine refuses it or does not reply in time.
   * @param bound milliseconds; `unbounded`: waits for as long as the connection lasts, and never settles when that ends
   */
  send(
    leader: string,
    body?: string,
    bound: number | 'unbounded' = boundMilliseconds,
  ): Promise<EngineCommandReply> {
    return new Promise((resolve, reject) => {
      if (!this.connection.isOpen) {
        reject(new Error('The SIP engine is not connected.'));
        return;
      }
      const id = this.connection.send(body === undefined ? leader : `${leader}\r\n${body}`);
      const tooLate = (): void => {
        const isConnected = this.pending.delete(id);
        const text = `The SIP engine did not reply to ${leader.split('|', 1)[0]}.`;
        reject(isConnected ? new LateReply(text) : new Error(text));
      };
      // After a stall of this process the reply may be there, unread.
      const timer = bound === 'unbounded' ? undefined : setTimeout(() => setImmediate(tooLate), bound);
      this.pending.set(id, ([verdict, ...fields], text) => {
        clearTimeout(timer);
        if (verdict === 'OK') resolve({ fields, body: text });
        else reject(new Error(fields[0] ?? 'The SIP engine refused the command.'));
      });
    });
  }
}

/** Repeats a command that may be carried out twice: on a busy machine the reply may be late, and without it the calls would end. */
export async function persistently(
  engine: { command(leader: string, body?: string): Promise<EngineCommandReply> },
  leader: string,
  body?: string,
): Promise<EngineCommandReply> {
  for (let tried = 1; ; tried++) {
    try {
      return await engine.command(leader, body);
    } catch (error) {
      if (!(error instanceof LateReply) || tried === mostTries) throw error;
    }
  }
}

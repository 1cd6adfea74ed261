import type { Socket } from 'node:net';
import type { LibraryWire } from './engine-frames.js';

type PendingReply = (tokens: readonly string[], body: string | undefined) => void;

/** drachtio-srf's agent, as far as commands of our own need it. */
export interface LibraryAgent {
  readonly mapServer: ReadonlyMap<Socket, { readonly pendingRequests: Map<string, PendingReply> }>;
  readonly wp: LibraryWire & { send(socket: Socket, message: string): string };
}

export interface EngineCommandReply {
  /** After `OK`. */
  readonly fields: readonly string[];
  readonly body: string;
}

const boundMilliseconds = 5_000;

/** Commands that our own engine offers beside those of the library. */
export class EngineCommands {
  /** Named in the reply to `authenticate`; a drachtio-server names none. */
  features: ReadonlySet<string> = new Set();

  constructor(private readonly agent: () => LibraryAgent | undefined) {}

  /** The first frame of each connection is the reply to `authenticate`, of which the library keeps three fields. */
  readGreeting(wire: LibraryWire): void {
    wire.on('connect', () => {
      this.features = new Set();
      wire.once('msg', (_socket: Socket, payload: string) => {
        const fields = payload.split('|');
        this.features = new Set((fields[7] ?? '').split(','));
      });
    });
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
      const agent = this.agent();
      const [socket] = agent?.mapServer.keys() ?? [];
      const server = socket && agent?.mapServer.get(socket);
      if (agent === undefined || socket === undefined || server === undefined) {
        reject(new Error('The SIP engine is not connected.'));
        return;
      }
      const id = agent.wp.send(socket, body === undefined ? leader : `${leader}\r\n${body}`);
      const tooLate = (): void => {
        server.pendingRequests.delete(id);
        reject(new Error(`The SIP engine did not reply to ${leader.split('|', 1)[0]}.`));
      };
      const timer = bound === 'unbounded' ? undefined : setTimeout(tooLate, bound);
      server.pendingRequests.set(id, ([verdict, ...fields], text) => {
        clearTimeout(timer);
        if (verdict === 'OK') resolve({ fields, body: text ?? '' });
        else reject(new Error(fields[0] ?? 'The SIP engine refused the command.'));
      });
    });
  }
}

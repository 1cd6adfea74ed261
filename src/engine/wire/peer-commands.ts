import type { TlsSessionFacts } from '../transport/stream-connection.js';
import type { AppConnection } from './app-connection.js';

/** A further field of the reply to `authenticate`. */
export const peerFeature = 'peers';

export interface PeerSource {
  /** Undefined: there is no open TLS connection with that peer. */
  session(address: string, port: number): TlsSessionFacts | undefined;
}

const maximumFailures = 100;
const maximumText = 300;

/** The latest failed handshake of each address, until an application reads it. */
export class FailedHandshakes {
  private readonly byAddress = new Map<string, { readonly at: string; readonly text: string }>();

  /** @param time Unix milliseconds */
  add(address: string, text: string, time: number): void {
    this.byAddress.delete(address);
    this.byAddress.set(address, { at: new Date(time).toISOString(), text: text.slice(0, maximumText) });
    if (this.byAddress.size > maximumFailures) this.byAddress.delete(this.byAddress.keys().next().value!);
  }

  take(): readonly { readonly at: string; readonly address: string; readonly text: string }[] {
    const all = [...this.byAddress].map(([address, { at, text }]) => ({ at, address, text }));
    this.byAddress.clear();
    return all;
  }
}

/** What an application may ask about its peers (README, Extensions). */
export class PeerCommands {
  constructor(
    private readonly source: PeerSource,
    private readonly failures: FailedHandshakes,
  ) {}

  /** False: it is none of these commands. */
  handle(connection: AppConnection, messageId: string, fields: readonly string[]): boolean {
    switch (fields[1]) {
      case 'peer': {
        const session = this.source.session(fields[2] ?? '', Number(fields[3]));
        connection.queue(`response|${messageId}|OK\r\n${JSON.stringify(session ?? null)}`);
        return true;
      }
      case 'handshakes':
        connection.queue(`response|${messageId}|OK\r\n${JSON.stringify(this.failures.take())}`);
        return true;
      default:
        return false;
    }
  }
}

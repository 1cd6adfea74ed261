import type { TransportLimits } from './settings.js';

export type ConnectionRefusal = 'refusedTotal' | 'refusedPerSource' | 'refusedHandshakes';

interface SourceUse {
  connections: number;
  handshakes: number;
}

/** Counts incoming connections in total and per source. A source without connections takes no memory. */
export class ConnectionAdmission {
  private readonly sources = new Map<string, SourceUse>();
  private connections = 0;
  private handshakes = 0;

  constructor(private readonly limits: TransportLimits) {}

  get count(): number {
    return this.connections;
  }

  get pendingHandshakes(): number {
    return this.handshakes;
  }

  get knownSources(): number {
    return this.sources.size;
  }

  /** Takes a slot for a connection from that source, or returns the limit that is reached. */
  admit(source: string, withHandshake: boolean): ConnectionRefusal | undefined {
    const use = this.sources.get(source);
    if (this.connections >= this.limits.incomingConnections) return 'refusedTotal';
    if (use !== undefined && use.connections >= this.limits.incomingConnectionsPerSource)
      return 'refusedPerSource';
    if (withHandshake) {
      if (this.handshakes >= this.limits.handshakes) return 'refusedHandshakes';
      if (use !== undefined && use.handshakes >= this.limits.handshakesPerSource) return 'refusedHandshakes';
    }
    const counted = use ?? { connections: 0, handshakes: 0 };
    if (use === undefined) this.sources.set(source, counted);
    counted.connections++;
    this.connections++;
    if (withHandshake) {
      counted.handshakes++;
      this.handshakes++;
    }
    return undefined;
  }

  /** The TLS handshake is over, well or badly. Once for each admitted connection with handshake. */
  handshakeOver(source: string): void {
    this.handshakes--;
    this.sources.get(source)!.handshakes--;
  }

  /** The connection is closed. Once for each admitted connection. */
  release(source: string): void {
    const use = this.sources.get(source)!;
    this.connections--;
    if (--use.connections === 0) this.sources.delete(source);
  }
}

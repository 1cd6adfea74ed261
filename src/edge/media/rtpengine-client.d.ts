/** The part of `rtpengine-client` that is used: its codec by the edge, its client by the benchmark of a bare B2BUA. The package ships no types. */
declare module 'rtpengine-client' {
  import type { Socket } from 'node:dgram';
  import type { EventEmitter } from 'node:events';

  export class Client extends EventEmitter {
    constructor(options: { localAddress: string; localPort?: number; timeout?: number });
    readonly socket: Socket;
    close(): void;
  }
}

declare module 'rtpengine-client/lib/BaseClient.js' {
  /** The NG protocol's wire format: cookie, blank, bencoded dictionary. */
  const BaseClient: {
    decodeMessage(datagram: Buffer): { id: string; data: Record<string, unknown> };
  };
  export default BaseClient;
}

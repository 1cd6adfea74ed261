import { respondTo } from '../../../src/sip/response.js';
import { serialize } from '../../../src/sip/serialize.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';

/** Answers every OPTIONS that reaches the peer in the same way. */
export class OptionsAnswerer {
  asked = 0;
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly peer: SipPeer,
    /** 0: silence. */
    public status: number,
    private readonly headers: Readonly<Record<string, string>> = {},
    private readonly body = '',
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const arrival = await this.peer.expectRequest('OPTIONS', { milliseconds: 200 }).catch(() => undefined);
      if (arrival === undefined) continue;
      this.asked++;
      if (this.status === 0) continue;
      const headers = Object.entries(this.headers);
      arrival.route.send(
        serialize(respondTo(arrival.message, this.status, { toTag: 'probed', headers, body: this.body })),
      );
    }
  }
}

import type { SipRequest } from '../../../src/sip/message.js';
import { respondTo } from '../../../src/sip/response.js';
import type { Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause } from '../../../src/testkit/waiting.js';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription } from '../media/descriptions.js';

/**
 * The agent's side of every call that reaches a peer: each INVITE is answered 200, again and again (timer G's rhythm) until
 * its ACK where the transport may lose, everything else 200. What it takes is not left for the test.
 */
export class AutomaticAgent {
  /** INVITEs, each counted once. */
  invited = 0;
  private readonly seen = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly peer: SipPeer,
    private readonly t1: number,
  ) {
    this.timer = setInterval(() => this.serve(), 5);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private serve(): void {
    for (const arrival of this.peer.everything.splice(0)) {
      const { message } = arrival;
      if (message.kind !== 'request') continue;
      const callId = message.headers.get('Call-ID')!;
      if (message.method === 'ACK') this.seen.add(`ACK ${callId}`);
      else if (message.method !== 'INVITE') void this.peer.send(respondTo(message, 200), arrival.route);
      else if (!this.seen.has(`INVITE ${callId}`)) {
        this.seen.add(`INVITE ${callId}`);
        this.invited++;
        void this.answer(arrival as Arrival<SipRequest>, () => this.seen.has(`ACK ${callId}`));
      }
    }
  }

  private async answer(invite: Arrival<SipRequest>, isAcknowledged: () => boolean): Promise<void> {
    const call = PeerCall.from(this.peer, invite.message);
    const body = agentDescription();
    await call.respond(invite, 200, { body });
    if (this.peer.protocol !== 'udp') return;
    const longest = 8 * this.t1;
    for (let wait = this.t1, waited = 0; waited < 64 * this.t1; wait = Math.min(2 * wait, longest)) {
      await pause(wait);
      waited += wait;
      if (isAcknowledged()) return;
      await call.respond(invite, 200, { body });
    }
  }
}

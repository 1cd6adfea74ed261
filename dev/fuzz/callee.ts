import type { SipRequest } from '../../src/sip/message.js';
import type { Arrival, SipPeer } from '../../src/testkit/sip-peer.js';
import { pause } from '../../src/testkit/waiting.js';
import { PeerCall } from '../../test/support/peer-call.js';
import type { Chance } from './chance.js';
import { act } from './in-dialog.js';
import type { Side } from './odd-descriptions.js';
import { branchOf, type Dialog } from './party.js';
import type { Story } from './story.js';
import { UserAgent } from './user-agent.js';

const refusals = [
  302, 400, 401, 403, 404, 407, 408, 410, 415, 420, 422, 480, 486, 487, 488, 491, 500, 503, 600, 603,
];
const longestRetransmission = 500;

/** The agent, or a PBX that we call: it is invited. */
export class Callee extends UserAgent {
  private readonly root: PeerCall;
  private isCancelled = false;
  private isFinal = false;

  constructor(
    story: Story,
    peer: SipPeer,
    side: Side,
    chance: Chance,
    private readonly invite: Arrival<SipRequest>,
  ) {
    super(story, peer, side, chance);
    this.root = PeerCall.from(peer, invite.message);
    this.root.localTag = chance.token();
  }

  protected override rootOf(): PeerCall {
    return this.root;
  }

  async run(): Promise<void> {
    const { chance } = this;
    if (chance.happens(0.9)) this.respond(this.root, this.invite, 100);
    await pause(chance.between(0, 120));
    for (let count = chance.pick([0, 0, 1, 1, 2, 5]); count > 0; count--) {
      this.ring();
      await pause(chance.between(0, 100));
    }
    if (chance.happens(0.03)) return;
    if (this.isFinal && chance.happens(0.95)) return;
    this.isFinal = true;
    if (chance.happens(0.12)) {
      const headers = { Contact: '<sip:x@127.0.0.1:9>', 'Min-SE': '2000' };
      this.respond(this.root, this.invite, chance.pick(refusals), { headers });
      return;
    }
    const dialog: Dialog = { call: this.root, isConfirmed: false, isOver: false };
    this.dialogs.push(dialog);
    await this.accept(dialog);
    for (let count = chance.between(0, 4); count > 0 && !dialog.isOver; count--) {
      act(this, dialog, chance);
      await pause(chance.between(1, 250));
    }
    if (chance.happens(0.25) && !this.story.isAbandoned) this.hangUp();
  }

  private ring(): void {
    const { chance } = this;
    const headers: Record<string, string> = {};
    if (chance.happens(0.3))
      Object.assign(headers, { Require: '100rel', RSeq: String(chance.between(1, 9)) });
    const tag = chance.happens(0.85) ? {} : { tag: chance.token() };
    const localTag = tag.tag ?? this.root.localTag;
    this.early.push(Object.assign(Object.create(PeerCall.prototype) as PeerCall, this.root, { localTag }));
    const body = chance.happens(0.5) ? { body: this.description() } : {};
    this.respond(this.root, this.invite, chance.pick([180, 183, 183, 181, 199]), {
      headers,
      ...tag,
      ...body,
    });
  }

  /** 200, over UDP again and again until its ACK. */
  private async accept(dialog: Dialog): Promise<void> {
    const { chance } = this;
    const headers: Record<string, string | null> = {};
    if (chance.happens(0.03)) headers.Contact = null;
    if (chance.happens(0.05))
      headers['Session-Expires'] = chance.pick(['0;refresher=uac', '90;refresher=uas']);
    const body = chance.happens(0.95) ? { body: this.description() } : {};
    const send = (tag = this.root.localTag): void =>
      this.respond(this.root, this.invite, 200, { headers, ...body, tag });
    send();
    if (chance.happens(0.04)) send(chance.token());
    for (let wait = 60; wait < longestRetransmission && !dialog.isConfirmed; wait *= 2) {
      await pause(wait);
      if (!dialog.isConfirmed && this.peer.protocol === 'udp') send();
    }
  }

  protected override isAckOfFailure(ack: SipRequest): boolean {
    return branchOf(ack) === branchOf(this.invite.message);
  }

  protected override onInvite(): void {
    // A copy: the answer to it comes, or came.
  }

  protected override onCancel(arrival: Arrival<SipRequest>): void {
    const chance = this.chance.derive('CANCEL');
    if (chance.happens(0.05)) return;
    this.respond(this.root, arrival, 200);
    if (this.isFinal || this.isCancelled || chance.happens(0.1)) return;
    this.isCancelled = true;
    this.isFinal = true;
    this.respond(this.root, this.invite, 487);
  }
}

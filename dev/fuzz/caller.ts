import { tagOf } from '../../src/sip/address.js';
import type { SipRequest } from '../../src/sip/message.js';
import type { Arrival, SipPeer } from '../../src/testkit/sip-peer.js';
import { pause } from '../../src/testkit/waiting.js';
import { PeerCall } from '../../test/support/peer-call.js';
import type { Chance } from './chance.js';
import { act } from './in-dialog.js';
import type { Directory, Story } from './story.js';
import { UserAgent } from './user-agent.js';

const longest = 'x'.repeat(200);

function someTag(chance: Chance): string {
  const tag = chance.token();
  return chance.happens(0.9)
    ? tag
    : chance.pick([`${tag}|1|2`, `${tag}.!%*_+\`'~-`, `${tag}${longest}`, `"${tag}"`, `${tag}@x`]);
}

/** The party that calls a number. */
export class Caller extends UserAgent {
  private readonly root: PeerCall;
  private readonly invites: SipRequest[] = [];

  constructor(story: Story, peer: SipPeer, chance: Chance, number: string, directory: Directory) {
    super(story, peer, 'trunk', chance);
    this.root = PeerCall.to(peer, number);
    this.root.callId = `story-${story.index}-${chance.token()}@127.0.0.1`;
    this.root.localUri = `sip:${story.who}@127.0.0.1`;
    this.root.localTag = someTag(chance);
    this.isTagless = chance.happens(0.03);
    if (this.isTagless) this.alwaysHeaders = { From: `<${this.root.localUri}>` };
    directory.enter(this.root.callId, this);
  }

  async run(): Promise<void> {
    const { chance } = this;
    this.invite();
    // A gateway that redials under one Call-ID; the merged requests of RFC 3261 §8.2.2.2 have the same CSeq.
    if (chance.happens(0.08)) {
      for (let count = chance.between(1, 2); count > 0; count--) {
        await pause(chance.between(0, 40));
        this.invite(chance.happens(0.8) ? undefined : this.root.cseq);
      }
    }
    if (chance.happens(0.2)) await this.giveUp();
    await pause(chance.between(100, 500));
    for (let count = chance.between(0, 6); count > 0; count--) {
      for (const dialog of this.dialogs) {
        if (!dialog.isOver || chance.happens(0.05)) act(this, dialog, chance);
      }
      if (chance.happens(0.6)) await pause(chance.between(1, 150));
    }
    await pause(chance.between(0, 400));
    if (this.story.isAbandoned) return;
    this.end();
    // What was answered meanwhile, by a 200 that crossed the CANCEL.
    await pause(600);
    this.end();
  }

  private end(): void {
    this.hangUp();
    for (const invite of this.invites) if (!this.isAnswered(invite)) this.cancel(invite, true);
  }

  private invite(cseq?: number): void {
    const { chance, root } = this;
    const headers: Record<string, string> = {};
    if (chance.happens(0.35)) headers.Supported = chance.pick(['100rel', 'timer', '100rel, timer, replaces']);
    if (chance.happens(0.08)) headers.Require = '100rel';
    if (chance.happens(0.05)) headers['Session-Expires'] = chance.pick(['90', '1', '1800;refresher=uac']);
    const body = chance.happens(0.8) ? { body: this.description() } : {};
    this.invites.push(
      this.request(root, 'INVITE', { headers, ...body, ...(cseq === undefined ? {} : { cseq }) }),
    );
  }

  private async giveUp(): Promise<void> {
    const { chance } = this;
    await pause(chance.between(0, 300));
    for (const invite of this.invites) this.cancel(invite);
    if (chance.happens(0.2)) this.request(this.root, 'BYE');
  }

  protected override rootOf(): PeerCall {
    return this.root;
  }

  protected override onInvite(arrival: Arrival<SipRequest>): void {
    // Nothing calls a caller: its number is reached at the PBX.
    this.respond(this.root, arrival, 481, { tag: tagOf(arrival.message.headers.get('From') ?? '') ?? 'x' });
  }
}

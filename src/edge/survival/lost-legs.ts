import type { Logger } from '../../base/log.js';
import { parseAddress } from '../../sip/address.js';
import { splitList } from '../../sip/text.js';
import type { Call } from '../call/call.js';
import { describeLeg } from '../call/held-call.js';
import type { EngineLink } from '../sip/engine-link.js';
import { failureText, type OfferedDialog, type ReceivedResponse } from '../sip/messages.js';
import { restoreDocument } from '../sip/restore-dialogs.js';

/** In one `release`: some hundred kilobytes. */
const atOnce = 100;

/**
 * What calls have left at peers that were not established when the connection to the engine was lost, or ended before it was back. If the
 * engine was restarted, no other process ends them: phones would keep ringing, and peers wait in calls that are over.
 */
export class LostLegs {
  private invites: object[] = [];
  private dialogs: object[] = [];

  constructor(
    private readonly engine: EngineLink,
    private readonly log: Logger,
  ) {}

  /** Before the calls have forgotten their legs. */
  note(calls: readonly Call[]): void {
    if (!this.engine.releasesLegs) return;
    this.invites.push(...this.engine.unansweredInvites());
    this.noteDialogs(calls);
  }

  /** Calls that ended while the engine was lost. */
  noteDialogs(calls: readonly Call[]): void {
    if (!this.engine.releasesLegs) return;
    for (const call of calls) this.dialogs.push(...dialogsOf(call));
  }

  /** The engine has ended them itself. */
  forget(): void {
    this.invites = [];
    this.dialogs = [];
  }

  /** CANCEL or BYE to each by an engine that does not know them. Never rejects. */
  async release(): Promise<void> {
    const { engine, log, invites, dialogs } = this;
    this.forget();
    if (invites.length + dialogs.length === 0 || !engine.releasesLegs) return;
    const counts = { invites: invites.length, dialogs: dialogs.length };
    try {
      while (invites.length + dialogs.length > 0) {
        const portion = { invites: invites.splice(0, atOnce), dialogs: dialogs.splice(0, atOnce) };
        await engine.command('release', JSON.stringify(portion));
      }
      log.info(counts, 'Ended the legs of calls that were lost with the SIP engine.');
    } catch (error) {
      // The answered calls matter more.
      log.warn(
        { error: failureText(error) },
        'Ending the legs of lost calls failed; their phones may ring on.',
      );
    }
  }
}

function dialogsOf(call: Call): object[] {
  return (['trunk', 'agent'] as const).flatMap((side) => {
    const leg = describeLeg(call, side);
    if (leg !== null) return restoreDocument(leg, call.state.startedAt);
    const offered = call.legs.offered[side];
    return offered === undefined ? [] : unacknowledged(offered);
  });
}

/** The peer's answer waits for the other side's; the ACK with it was never sent. */
function unacknowledged({ res }: OfferedDialog): object[] {
  const answer = res as ReceivedResponse;
  const invite = answer.req;
  const remoteTarget = parseAddress(answer.get('Contact') ?? '')?.uri;
  // The engine has ended it when it came.
  if (remoteTarget === undefined) return [];
  const sequence = Number.parseInt(invite.get('CSeq') ?? '1', 10);
  const { protocol, source_address: address, source_port: port } = answer;
  const document = {
    role: 'uac',
    call_id: invite.get('Call-ID'),
    local_party: invite.get('From'),
    remote_party: answer.get('To'),
    route_set: splitList(answer.get('Record-Route') ?? '')
      .filter((route) => route !== '')
      .reverse(),
    remote_target: remoteTarget,
    local_contact: invite.get('Contact'),
    local_sequence: sequence,
    remote_sequence: null,
    flow: { protocol, address, port },
    next_hop: protocol === 'tls' ? invite.uri : null,
    session_timer: null,
    allows_update: false,
    local_description: null,
    unacknowledged: sequence,
  };
  return [document];
}

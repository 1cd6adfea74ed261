import { capabilityHeaders, supportedWithoutReliability } from './capabilities.js';
import type {
  Dialog,
  EngineLink,
  InviteProgress,
  OfferedDialog,
  ReceivedResponse,
  SentRequest,
} from './engine-link.js';
import { isMadeUp } from './engine-link.js';
import { SessionProposal } from './session-timer.js';

interface TimedInvite {
  readonly headers: Record<string, string>;
  /** Absent: late offer. */
  readonly localSdp?: string;
  /** The session interval to propose. */
  readonly sessionSeconds: number;
}

/**
 * As `EngineLink.invite`, with a session timer proposed. Answered 422, the INVITE is sent again with a longer interval: same
 * Call-ID, From and To, CSeq counted up (RFC 4028 §7.3). `progress.sent` runs for each INVITE, `done` once.
 */
export function inviteWithTimer(
  engine: Pick<EngineLink, 'invite'>,
  uri: string,
  { headers, localSdp, sessionSeconds }: TimedInvite,
  progress: InviteProgress,
  done: (error: unknown, dialog?: Dialog | OfferedDialog) => void,
): void {
  const proposal = new SessionProposal(sessionSeconds);
  const supported = localSdp === undefined ? supportedWithoutReliability : capabilityHeaders.Supported!;
  const send = (identity: Record<string, string>): void => {
    let sent: SentRequest | undefined;
    engine.invite(
      uri,
      {
        headers: { ...headers, Supported: supported, ...proposal.headers(), ...identity },
        ...(localSdp === undefined ? {} : { localSdp }),
      },
      {
        sent: (request) => {
          sent = request;
          progress.sent(request);
        },
        provisional: (response) => progress.provisional(response),
      },
      (error, dialog) => {
        const refusal = (error as { res?: ReceivedResponse } | null | undefined)?.res;
        if (refusal === undefined || sent === undefined || isMadeUp(refusal) || !proposal.accept(refusal)) {
          done(error, dialog);
          return;
        }
        send(following(sent));
      },
    );
  };
  send({});
}

/** What a repeated INVITE has of the one before it. */
function following(sent: SentRequest): Record<string, string> {
  const sequence = Number.parseInt(sent.get('CSeq') ?? '0', 10);
  return {
    From: sent.get('From') ?? '',
    'Call-ID': sent.get('Call-ID') ?? '',
    CSeq: `${sequence + 1} INVITE`,
  };
}

import { capabilityHeaders, supportedWithoutReliability } from './capabilities.js';
import type { DigestExchange } from './digest-client.js';
import type { EngineLink, InviteProgress } from './engine-link.js';
import type { Dialog, OfferedDialog, ReceivedResponse, SentRequest } from './messages.js';
import { isMadeUp } from './messages.js';
import { SessionProposal } from './session-timer.js';

interface TimedInvite {
  readonly headers: Record<string, string>;
  /** Absent: late offer. */
  readonly localSdp?: string | undefined;
  /** The session interval to propose. */
  readonly sessionSeconds: number;
  /** Absent: challenges are final. */
  readonly digest?: DigestExchange | undefined;
  /** SIP URI of the next hop, where it is not the Request-URI's. */
  readonly proxy?: string | undefined;
  /** Trusted certificates in PEM for TLS. */
  readonly tlsCa?: string | undefined;
}

interface TimedInviteProgress extends InviteProgress {
  /** A final response that another INVITE would answer. False: it is final all the same. */
  mayRepeat?(response: ReceivedResponse): boolean;
}

/**
 * As `EngineLink.invite`, with a session timer proposed. Answered 422, the INVITE is sent again with a longer interval (RFC 4028
 * §7.3), and challenged, with credentials (RFC 3261 §22.2): same Call-ID, From and To, CSeq counted up. `progress.sent` runs
 * for each INVITE, `done` once.
 */
export function inviteWithTimer(
  engine: Pick<EngineLink, 'invite'>,
  uri: string,
  { headers, localSdp, sessionSeconds, digest, proxy, tlsCa }: TimedInvite,
  progress: TimedInviteProgress,
  done: (error: unknown, dialog?: Dialog | OfferedDialog) => void,
): void {
  const proposal = new SessionProposal(sessionSeconds);
  const supported = localSdp === undefined ? supportedWithoutReliability : capabilityHeaders.Supported!;
  const send = (identity: Record<string, string>): void => {
    let sent: SentRequest | undefined;
    engine.invite(
      uri,
      {
        headers: {
          ...headers,
          Supported: supported,
          ...proposal.headers(),
          ...digest?.headers({ method: 'INVITE', uri, body: localSdp ?? '' }),
          ...identity,
        },
        ...(localSdp === undefined ? {} : { localSdp }),
        ...(proxy === undefined ? {} : { proxy }),
        tlsCa,
      },
      {
        sent: (request) => {
          sent = request;
          progress.sent(request);
        },
        trying: () => progress.trying?.(),
        provisional: (response) => progress.provisional(response),
        ...(progress.update === undefined ? {} : { update: progress.update }),
      },
      (error, dialog) => {
        const refusal = (error as { res?: ReceivedResponse } | null | undefined)?.res;
        const isRepeatable =
          refusal !== undefined &&
          !isMadeUp(refusal) &&
          (digest?.accept(refusal) === true || proposal.accept(refusal));
        if (sent !== undefined && isRepeatable && progress.mayRepeat?.(refusal) !== false) {
          send(following(sent));
        } else done(error, dialog);
      },
    );
  };
  send({});
}

/** Headers that a repeated INVITE takes from the one before. */
function following(sent: SentRequest): Record<string, string> {
  const sequence = Number.parseInt(sent.get('CSeq') ?? '0', 10);
  return {
    From: sent.get('From') ?? '',
    'Call-ID': sent.get('Call-ID') ?? '',
    CSeq: `${sequence + 1} INVITE`,
  };
}

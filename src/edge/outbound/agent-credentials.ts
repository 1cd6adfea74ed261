import type { AgentCallSettings } from '../../config/edge-settings.js';
import type { NumberDocument } from '../../contract/number.js';
import { agentCredentialPlace } from '../../contract/secret.js';
import { normalAddress } from '../../naming/address.js';
import { fromText } from '../../sip/message.js';
import type { Refusal } from '../admission/admission.js';
import { accountsOf } from '../admission/digest-accounts.js';
import type { DigestAccount, DigestGate } from '../admission/digest-gate.js';
import { inboundRequest } from '../admission/inbound-request.js';
import { headerIndex } from '../sip/message-reading.js';
import type { ReceivedRequest } from '../sip/messages.js';

/**
 * Decides who may call from a number by INVITE: an agent that answers a digest challenge as a user of the number's organization
 * or as the operator. Neither the source nor From proves that.
 */
export class AgentCredentials {
  private readonly operators: readonly DigestAccount<'operator'>[];

  constructor(
    private readonly settings: Pick<AgentCallSettings, 'trust' | 'operator'>,
    private readonly digest: DigestGate,
  ) {
    const { operator } = settings;
    this.operators =
      operator === undefined
        ? []
        : [
            {
              username: fromText(operator.username),
              password: { plain: operator.password },
              owner: 'operator',
            },
          ];
  }

  /**
   * Undefined: the agent may call. An unknown number is challenged like a known one.
   * @param document of the number in From
   */
  refusal(request: ReceivedRequest, document: NumberDocument | undefined): Refusal | undefined {
    if (this.settings.trust === 'address') return undefined;
    const verdict = this.digest.check<'operator' | 'organization'>({
      request: inboundRequest(request, headerIndex(request), undefined),
      source: normalAddress(request.source_address) ?? request.source_address,
      accounts: [
        ...this.operators,
        ...accountsOf(
          document?.agent_credentials ?? [],
          'organization' as const,
          agentCredentialPlace(document?.organization ?? ''),
        ),
      ],
      organization: document?.organization ?? '',
    });
    if (verdict.ok) return undefined;
    const { refusal } = verdict;
    return { ...refusal, detail: `${refusal.detail} ${advice}` };
  }
}

const advice = "Use agent credentials of the number's organization (POST /v1/sip/agent-credentials).";

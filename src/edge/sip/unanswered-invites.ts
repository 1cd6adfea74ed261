import { splitList } from '../../sip/text.js';
import type { ReceivedResponse, SentRequest } from './messages.js';
import { isMadeUp } from './messages.js';

/** An INVITE without a final response. */
export class UnansweredInvite {
  /** The last of the peer; undefined: it may not have the INVITE, and RFC 3261 §9.1 forbids a CANCEL. */
  response: ReceivedResponse | undefined;

  constructor(
    private readonly request: SentRequest,
    private readonly nextHop: string,
  ) {}

  /** As the engine's `release` takes it; undefined: there is nothing to cancel. */
  get document(): object | undefined {
    const { request, response, nextHop } = this;
    if (response === undefined || isMadeUp(response)) return undefined;
    const header = (name: string): string => request.get(name) ?? '';
    return {
      request_uri: response.req.uri,
      // The request of the engine's reply has none while a name was being resolved, and another branch after a failover.
      via: ownVia(response.get('Via') ?? ''),
      routes: splitList(header('Route')).filter((route) => route !== ''),
      from: header('From'),
      to: header('To'),
      call_id: header('Call-ID'),
      sequence: Number.parseInt(header('CSeq'), 10),
      flow: {
        protocol: response.protocol,
        address: response.source_address,
        port: response.source_port,
      },
      next_hop: nextHop,
    };
  }
}

/** Without what the peer has added to it. */
function ownVia(via: string): string {
  const [sentBy = '', ...parameters] = (splitList(via)[0] ?? '').split(';');
  const branch = parameters.find((parameter) => /^\s*branch\s*=/i.test(parameter)) ?? '';
  const rport = /\/\s*UDP\s/i.test(sentBy) ? ';rport' : '';
  return `${sentBy.trim()}${rport};${branch.trim()}`;
}

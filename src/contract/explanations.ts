import type { EndReason } from './call-record.js';
import type { UnreachableReason } from './health.js';

/** For people who watch trunks: what happened, in plain words, and what to do about it. */
export interface Explanation {
  readonly cause: string;
  readonly advice: string;
}

const nothing = 'Nothing is wrong.';

/** Every reason for which a call ends or never begins. */
export const endReasonExplanations: Readonly<Record<EndReason, Explanation>> = {
  caller_hung_up: { cause: 'The caller hung up.', advice: nothing },
  agent_hung_up: { cause: 'The voice agent ended the call.', advice: nothing },
  callee_hung_up: { cause: 'The called person hung up.', advice: nothing },
  caller_cancelled: {
    cause: 'The caller gave up before the call was answered.',
    advice: 'When it happens often, look at how long the agent takes to answer.',
  },
  test_completed: {
    cause: 'The test call was answered, and the announcement played to its end.',
    advice: nothing,
  },
  stopped: { cause: 'The call was ended by the API.', advice: nothing },
  target_hung_up: { cause: 'The party that the call had been transferred to hung up.', advice: nothing },
  transferred: { cause: 'The call was transferred and went on elsewhere.', advice: nothing },
  refused_draining: {
    cause: 'The edge was shutting down and took no new calls.',
    advice: 'Nothing during a deployment: the trunk tries another edge, or this one again after Retry-After.',
  },
  refused_too_many_hops: {
    cause: 'The call had passed too many SIP servers (Max-Forwards reached 0).',
    advice: 'Look for a routing loop between the PBX, the carrier and this service.',
  },
  refused_loop: {
    cause: 'The call had passed this edge before and came back.',
    advice: 'The agent or the trunk sends our own calls back to us: correct its routing.',
  },
  refused_unknown_number: {
    cause: 'The called number is not attached here, or not for that direction.',
    advice: 'Attach the number, or correct the number that the PBX or carrier sends (E.164 digits).',
  },
  refused_source: {
    cause: 'The call came from an address that the number does not list.',
    advice: "Add the address to the number's allowed IPs, or use digest credentials.",
  },
  refused_credentials: {
    cause: 'The caller did not answer the digest challenge, or answered it wrongly.',
    advice:
      'The detail says what was wrong. User or password: compare those in the PBX with those of the number. uri: the digest must name the called number at our host, or our host alone.',
  },
  refused_guessing: {
    cause:
      'Too many wrong digest answers came before, so that this one was not checked: it may have been right.',
    advice:
      'The detail names the user and the address. Correct the user name or password there; answers are checked again within a minute.',
  },
  refused_limit: {
    cause: 'The number, its organization, the source or the edge had as many calls as allowed.',
    advice: 'Raise the limit that the detail names, or find out who calls so often.',
  },
  refused_unavailable: {
    cause: 'The configuration of the number could not be read in time.',
    advice: 'Look at Redis: the edge knew no earlier copy of the number and got no answer.',
  },
  refused_media: {
    cause:
      "The caller's media offer cannot be used: no SRTP with AES_CM_128_HMAC_SHA1_80, or no common codec.",
    advice: 'Turn SRTP (SDES) on in the PBX for this trunk, and enable a codec that the number has.',
  },
  refused_bad_request: {
    cause: 'The INVITE lacked something that a call needs, or had it in a form that cannot be used.',
    advice: 'The detail names the header or body; correct it in the PBX.',
  },
  agent_refused: {
    cause: 'The voice agent refused the call.',
    advice: "Look at the agent's log; its SIP status is in the ladder.",
  },
  agent_unreachable: {
    cause: 'The voice agent did not answer at all.',
    advice: 'Check that the agent runtime runs, and that its SIP address is right.',
  },
  agent_no_answer: {
    cause: 'The voice agent rang but did not answer in time.',
    advice: 'Check the load of the agent runtime: it takes too long to accept calls.',
  },
  agent_lost: {
    cause: 'The voice agent died or hung during the call: it sent no audio and answered no SIP request.',
    advice: "Look at the agent runtime's log and memory at that time, and whether it was restarted.",
  },
  trunk_refused: {
    cause: "The trunk's server refused the call.",
    advice: 'Its SIP status tells why; ask the carrier or look at the PBX log with the Call-ID.',
  },
  trunk_unreachable: {
    cause: "The trunk's server could not be reached.",
    advice: 'Look at the health of the trunk: address, port, transport, firewall, certificate.',
  },
  trunk_no_answer: {
    cause: 'Nobody answered the phone, or the server sent no final answer in time.',
    advice: 'Nothing when the phone rang; else look at the health of the trunk.',
  },
  media_failed: {
    cause: 'The media of the call could not be set up, or was lost.',
    advice: 'Look at the rtpengine nodes, and at the detail for a description that cannot be used.',
  },
  media_timeout: {
    cause: 'No audio packets came from the trunk for too long.',
    advice: 'Open the RTP ports in the firewall, and check NAT: the PBX must send to the address in our SDP.',
  },
  one_way_audio: {
    cause: 'Only one side could be heard: no usable audio came from the other one during the whole call.',
    advice:
      'The detail names the silent side. Trunk: open the RTP ports in the firewall, check NAT and the SRTP keys. Agent: check that it sends RTP to the address in our SDP.',
  },
  dead_air: {
    cause: 'Nobody could be heard: no usable audio came from either side during the whole call.',
    advice:
      'Check that RTP of both sides reaches the media node: its address in our SDP, firewall and NAT, and the network between agent and node.',
  },
  ack_timeout: {
    cause: 'The caller never confirmed our answer (no ACK).',
    advice: 'ACK goes to the Contact address of our 200: a firewall, NAT or a SIP ALG keeps it away.',
  },
  session_expired: {
    cause: 'The session timer ran out: the other side no longer answered refreshes.',
    advice: 'The PBX crashed, was restarted, or lost its connection during the call.',
  },
  max_duration: {
    cause: 'The call reached its longest duration.',
    advice: "Raise the number's max_duration_seconds when calls may be longer.",
  },
  drained: {
    cause: 'The edge was shut down and the time for calls to finish was over.',
    advice: 'Raise DEMARC_DRAIN_SECONDS when calls are longer than that.',
  },
  engine_lost: {
    cause: 'The SIP engine of the edge was lost, and the call with it.',
    advice: "Look at the engine's log and memory; it is started again by itself.",
  },
  edge_lost: {
    cause: 'The edge that had the call died, or lost Redis, before it told how the call ended.',
    advice:
      'Look at the edge and its log; started again with its state directory, it may still tell. The call is not dialled again: order it anew when nobody was reached.',
  },
  order_not_taken: {
    cause: 'The call was not dialled: no edge took the order within a minute.',
    advice: 'Look at /readyz of the edges and at Redis, then order the call again.',
  },
  order_expired: {
    cause: 'The call was not dialled: its turn did not come in time.',
    advice:
      "Raise the number's concurrent_calls or calls_per_second, or DEMARC_CALL_QUEUE_SECONDS, or order fewer calls at once.",
  },
  internal_error: {
    cause: 'A mistake of ours ended the call.',
    advice: 'Report it with the call id; the log has the error.',
  },
};

/** Every reason for which a server of a trunk does not count as healthy. */
export const unreachableExplanations: Readonly<Record<UnreachableReason, Explanation>> = {
  timeout: {
    cause: 'The server does not answer.',
    advice:
      'Let our addresses through its firewall, check address and port, and that it answers OPTIONS; is it running?',
  },
  refused: {
    cause: 'Nobody listens on that port of the server.',
    advice: 'Check port and transport, and whether the SIP service runs.',
  },
  dns: { cause: 'The name of the server has no address.', advice: 'Correct the name, or its DNS records.' },
  certificate: {
    cause: "The server's TLS certificate is not trusted, has expired, or is for another name.",
    advice:
      'The detail says which. Self-signed, or issued by a CA of its own: give that CA, or the certificate itself, as options.tls_ca of the trunk, or to all trunks by DEMARC_TLS_CA. Expired, for another name, or without its chain: renew it, with the whole chain, for the name in sip_endpoint.',
  },
  mutual_tls_required: {
    cause: 'The server demands a client certificate and does not trust ours.',
    advice: 'Let it accept connections without one, or make it trust our certificate.',
  },
  tls: {
    cause: 'The TLS handshake failed.',
    advice: 'The server must speak TLS 1.2 or 1.3 on that port; is it perhaps a plain TCP port?',
  },
  service_unavailable: {
    cause: 'The server answers 503: it says itself that it takes no calls.',
    advice: 'Look at its load and its log, or ask the carrier; it is asked again after its Retry-After.',
  },
  network: {
    cause: 'There is no route to the server, or it closed the connection.',
    advice: 'Check the routing and the firewall between us and the server.',
  },
  no_transport: {
    cause: 'The edge has no listener of that transport to send from.',
    advice: 'Use TLS, or turn the transport on (DEMARC_SIP_UDP_PORT, DEMARC_SIP_TCP_PORT).',
  },
};

/** Final statuses that are met often (RFC 3261 §21); the others are explained by their class. */
const statuses: Readonly<Record<number, Explanation>> = {
  300: {
    cause: 'The server offers several other addresses.',
    advice: 'Configure one of them as the endpoint.',
  },
  301: {
    cause: 'The number has moved to another address.',
    advice: 'Configure the new address as the endpoint.',
  },
  302: {
    cause: 'The server sends the call to another address.',
    advice: 'Redirections are not followed: configure the address of the Contact header as the endpoint.',
  },
  400: {
    cause: 'The server finds the request malformed.',
    advice: 'Its reason phrase or Warning tells what it misses.',
  },
  401: {
    cause: 'The server asks for credentials.',
    advice: 'Configure the user name and password of the trunk; when they are there, they are wrong.',
  },
  402: { cause: 'The carrier wants to be paid first.', advice: 'Look at the balance of the account.' },
  403: {
    cause: 'The server forbids the call.',
    advice:
      'Is our address allowed there, is the account active, may it call this destination with this caller id?',
  },
  404: {
    cause: 'The called number does not exist there.',
    advice: 'Check the number and the form the server wants (with or without +).',
  },
  405: {
    cause: 'The server does not take this method.',
    advice: 'Point the trunk at the address for calls, not at a registrar.',
  },
  406: {
    cause: 'The server cannot answer in a form that the request accepts.',
    advice: 'Look at the Accept headers in the ladder.',
  },
  407: {
    cause: 'The proxy asks for credentials.',
    advice: 'Configure the user name and password of the trunk; when they are there, they are wrong.',
  },
  408: {
    cause: 'The server waited too long for somebody behind it.',
    advice: 'The phone or the next server is not reachable from there.',
  },
  410: { cause: 'The number no longer exists there.', advice: 'Remove it from whatever calls it.' },
  413: {
    cause: 'The request is too large for the server.',
    advice: 'Use TCP or TLS, or fewer codecs and headers.',
  },
  414: {
    cause: 'The address in the request is too long for the server.',
    advice: 'Check the endpoint configuration.',
  },
  415: {
    cause: 'The server does not take the kind of body that was sent.',
    advice: 'Look at Content-Type and Accept in the ladder.',
  },
  416: {
    cause: 'The server does not know the scheme of the address.',
    advice: 'Use sip: instead of sips: or tel:.',
  },
  420: {
    cause: 'The request demands an extension that the server lacks.',
    advice: 'The Unsupported header names it: turn it off.',
  },
  421: {
    cause: 'The server demands an extension that was not offered.',
    advice: 'The Require header names it: turn it off there.',
  },
  422: {
    cause: 'The session timer is too short for the server.',
    advice: 'Raise the session interval (Min-SE tells the least).',
  },
  423: {
    cause: 'The registration is too short for the registrar.',
    advice: 'Min-Expires tells the least that it takes.',
  },
  428: {
    cause: 'The server demands a signed caller identity (STIR).',
    advice: 'Ask the carrier to sign calls from this trunk.',
  },
  433: { cause: 'Anonymous calls are not taken.', advice: 'Send a caller id.' },
  436: {
    cause: 'The signed caller identity could not be checked.',
    advice: 'The certificate of the Identity header is not reachable.',
  },
  437: {
    cause: 'The certificate of the caller identity is not trusted.',
    advice: 'Ask whoever signs the calls.',
  },
  438: {
    cause: 'The signed caller identity is wrong.',
    advice: 'Something on the way changed the signed headers.',
  },
  480: {
    cause: 'The called phone is not available now.',
    advice: 'It is not registered, switched off, or set to do not disturb.',
  },
  481: {
    cause: 'The other side does not know this call.',
    advice: 'It was restarted, or a request reached the wrong server of a cluster.',
  },
  482: {
    cause: 'The server saw the same call before: a loop.',
    advice: 'Correct the routing between the servers.',
  },
  483: { cause: 'The call passed too many servers.', advice: 'Look for a routing loop.' },
  484: { cause: 'The number is incomplete.', advice: 'Send all digits, with the country code.' },
  485: { cause: 'The called address is ambiguous there.', advice: 'Use the full number.' },
  486: { cause: 'The called line is busy.', advice: 'Nothing: try again later.' },
  487: { cause: 'The call was cancelled before it was answered.', advice: nothing },
  488: {
    cause: 'The media offer is not acceptable: codec or encryption.',
    advice:
      'Both sides need a common codec, and the same view of SRTP (SDES, AES_CM_128_HMAC_SHA1_80). Warning tells more.',
  },
  491: { cause: 'Two changes of the call crossed each other.', advice: 'Nothing: it is repeated by itself.' },
  493: { cause: 'The server could not decrypt the body.', advice: 'Turn S/MIME off.' },
  494: { cause: 'The server demands a security agreement.', advice: 'Turn sec-agree off for this trunk.' },
  500: { cause: 'The server had an internal error.', advice: 'Look at its log with the Call-ID.' },
  501: {
    cause: 'The server does not know how to do that.',
    advice: 'Check that the endpoint is a SIP server for calls.',
  },
  502: {
    cause: 'The server got a bad answer from the next one.',
    advice: 'Ask the carrier, with the Call-ID.',
  },
  503: {
    cause: 'The server takes no calls now: overloaded, in maintenance, or its own trunk is down.',
    advice: 'Look at its load and its log, or ask the carrier; configure a backup for failover.',
  },
  504: {
    cause: 'The server got no answer from the next one in time.',
    advice: 'The agent or the next server hangs or is not reachable.',
  },
  505: { cause: 'The server does not speak SIP 2.0.', advice: 'Check that the endpoint is a SIP server.' },
  513: {
    cause: 'The message is too large for the server.',
    advice: 'Use TCP or TLS, or fewer codecs and headers.',
  },
  580: { cause: 'The conditions for media were not met.', advice: 'Turn preconditions off for this trunk.' },
  600: { cause: 'The called person is busy everywhere.', advice: 'Nothing: try again later.' },
  603: {
    cause: 'The call was declined.',
    advice: 'A person, a policy or an analytics service said no; it is not repeated.',
  },
  604: { cause: 'The number exists nowhere.', advice: 'Check the number.' },
  606: {
    cause: 'The media offer is acceptable nowhere.',
    advice: 'Enable a common codec and SRTP on both sides.',
  },
  607: { cause: 'The called person marked such calls as unwanted.', advice: 'Do not call again.' },
  608: {
    cause: 'An analytics service rejected the call.',
    advice: 'The Call-Info header names whom to ask for redress.',
  },
};

const classes: Readonly<Record<number, Explanation>> = {
  3: {
    cause: 'The server sends the call elsewhere.',
    advice: 'Redirections are not followed: configure the other address.',
  },
  4: {
    cause: 'The server does not accept the request.',
    advice: 'Its reason phrase and Warning tell more; look at its log with the Call-ID.',
  },
  5: { cause: 'The server failed.', advice: 'Look at its log with the Call-ID, or ask the carrier.' },
  6: {
    cause: 'The call is refused everywhere.',
    advice: 'It is not repeated; ask the carrier, with the Call-ID.',
  },
};

/** Undefined for 1xx and 2xx, which need no explanation. */
export const explainSipStatus = (status: number): Explanation | undefined =>
  statuses[status] ?? classes[Math.floor(status / 100)];

/** Why a server does not answer, and what to do. */
export const explainUnreachable = (reason: UnreachableReason): Explanation => unreachableExplanations[reason];

/** Ends that say little without the status that the other side gave. */
const byStatus: readonly EndReason[] = ['agent_refused', 'trunk_refused'];

/** Why a call ended; with the final SIP status of the trunk's INVITE where that tells more. */
export function explainEndReason(reason: EndReason, sipStatus: number | null = null): Explanation {
  const general = endReasonExplanations[reason];
  const ofStatus = sipStatus !== null && byStatus.includes(reason) ? explainSipStatus(sipStatus) : undefined;
  if (ofStatus === undefined) return general;
  return {
    cause: `${general.cause.slice(0, -1)} (${sipStatus}). ${ofStatus.cause}`,
    advice: ofStatus.advice,
  };
}

/** The statuses with a text of their own. */
export const sipStatusExplanations: Readonly<Record<string, Explanation>> = statuses;

import type { EndReason } from './call-record.js';
import type { UnreachableReason } from './health.js';

/** What happened and what to do about it, for people who watch trunks. */
export interface Explanation {
  readonly cause: string;
  readonly advice: string;
}

const nothing = 'No action needed.';

/** Every reason why a call ends or does not begin. */
export const endReasonExplanations: Readonly<Record<EndReason, Explanation>> = {
  caller_hung_up: { cause: 'The caller hung up.', advice: nothing },
  agent_hung_up: { cause: 'The voice agent ended the call.', advice: nothing },
  callee_hung_up: { cause: 'The called person hung up.', advice: nothing },
  caller_cancelled: {
    cause: 'The caller hung up before the call was answered.',
    advice: 'If this happens often, check how long the agent takes to answer.',
  },
  test_completed: {
    cause: 'The test call was answered and the announcement played to the end.',
    advice: nothing,
  },
  stopped: { cause: 'The API ended the call.', advice: nothing },
  target_hung_up: { cause: 'The transfer target hung up.', advice: nothing },
  transferred: { cause: 'The call was transferred and continues elsewhere.', advice: nothing },
  refused_draining: {
    cause: 'The edge was draining and took no new calls.',
    advice: 'Normal during a deployment: the trunk tries another edge, or this one after Retry-After.',
  },
  refused_too_many_hops: {
    cause: 'The call passed too many SIP servers (Max-Forwards reached 0).',
    advice: 'Look for a routing loop between the PBX, the carrier and Demarc.',
  },
  refused_loop: {
    cause: 'The call had passed this edge before.',
    advice: "The agent or the trunk sends Demarc's own calls back: correct its routing.",
  },
  refused_unknown_number: {
    cause: 'The called number is not attached, or not for this direction.',
    advice: 'Attach the number, or correct the number that the PBX or carrier sends (E.164 digits).',
  },
  refused_source: {
    cause: "The call came from an address that is not in the number's allowed IPs.",
    advice: "Add the address to the number's allowed IPs, or use digest credentials.",
  },
  refused_credentials: {
    cause: 'The caller did not answer the digest challenge, or answered it wrongly.',
    advice:
      "The detail says what was wrong. User or password: they must match the number's. uri: the digest must name the called number at Demarc's host, or the host alone.",
  },
  refused_guessing: {
    cause: 'Too many wrong digest answers preceded this one, so it was refused unchecked.',
    advice:
      'The detail names the user and the address. Correct the user name or password there; answers are checked again within a minute.',
  },
  refused_limit: {
    cause: 'The number, its organization, the source or the edge was at its limit.',
    advice: 'Raise the limit named in the detail, or find out where the calls come from.',
  },
  refused_unavailable: {
    cause: "The number's configuration could not be read in time.",
    advice: 'Check Redis: it did not answer, and the edge has no cached copy of the number.',
  },
  refused_media: {
    cause:
      "The caller's SDP offer was not acceptable: no audio, no SRTP with AES_CM_128_HMAC_SHA1_80, no common codec, or no usable address.",
    advice:
      'The detail says which. Without audio: enable a codec in the PBX for this trunk. Without SRTP: turn on SDES. Otherwise: use a codec that the number enables, and an address that Demarc can reach.',
  },
  refused_bad_request: {
    cause: 'The INVITE lacked a required header or body, or had an invalid one.',
    advice: 'The detail names the header or body; correct it in the PBX.',
  },
  agent_refused: {
    cause: 'The voice agent refused the call.',
    advice: "Check the agent's log; the ladder shows its SIP status.",
  },
  agent_unreachable: {
    cause: 'The voice agent did not respond at all.',
    advice: 'Check that the agent runtime is running and that its SIP address is correct.',
  },
  agent_no_answer: {
    cause: 'The voice agent rang but did not answer in time.',
    advice: 'Check the load of the agent runtime: it takes too long to accept calls.',
  },
  agent_lost: {
    cause: 'The voice agent died or hung during the call: it sent no audio and answered no SIP request.',
    advice: "Check the agent runtime's log and memory at that time, and whether it restarted.",
  },
  trunk_refused: {
    cause: "The trunk's server refused the call.",
    advice: 'Its SIP status says why; ask the carrier, or find the Call-ID in the PBX log.',
  },
  trunk_unreachable: {
    cause: "The trunk's server was unreachable.",
    advice: 'Check the health of the trunk: address, port, transport, firewall, certificate.',
  },
  trunk_no_answer: {
    cause: 'The callee did not answer, or the server sent no final response in time.',
    advice: 'Normal if the phone rang; otherwise check the health of the trunk.',
  },
  media_failed: {
    cause: "The call's media could not be set up, or was lost.",
    advice: 'Check the rtpengine nodes, and the detail for invalid SDP.',
  },
  media_timeout: {
    cause: 'No audio packets arrived from the trunk for too long.',
    advice:
      "Open the RTP ports in the firewall, and check NAT: the PBX must send to the address in Demarc's SDP.",
  },
  one_way_audio: {
    cause: 'Only one side was heard: no usable audio arrived from the other during the whole call.',
    advice:
      "The detail names the silent side. Trunk: open the RTP ports in the firewall, check NAT and the SRTP keys. Agent: check that it sends RTP to the address in Demarc's SDP.",
  },
  dead_air: {
    cause: 'No usable audio arrived from either side during the whole call.',
    advice:
      "Check that RTP of both sides reaches the media node: its address in Demarc's SDP, firewall and NAT, and the network between agent and node.",
  },
  ack_timeout: {
    cause: 'The caller never confirmed the answer (no ACK).',
    advice: "The ACK goes to the Contact address of Demarc's 200: a firewall, NAT or SIP ALG blocks it.",
  },
  session_expired: {
    cause: 'The session timer expired: the other side stopped answering refreshes.',
    advice: 'The PBX crashed, restarted, or lost its connection during the call.',
  },
  max_duration: {
    cause: 'The call reached its maximum duration.',
    advice: "Raise the number's max_duration_seconds if calls may be longer.",
  },
  drained: {
    cause: 'The edge shut down before the call finished.',
    advice: 'Raise DEMARC_DRAIN_SECONDS if calls last longer than that.',
  },
  engine_lost: {
    cause:
      'The edge lost the SIP engine, and the call could not be continued: it was not answered yet, or the engine was not back in time.',
    advice: "Check the engine's log and memory; the edge restarts it automatically.",
  },
  edge_lost: {
    cause:
      'The edge that had the call died, or lost Redis, before it reported how the call ended, and no other edge continued the call.',
    advice:
      'Check the edge and its log. If it restarts with its state directory, it may still report the end. The call is not dialled again: order it again if the callee was not reached.',
  },
  order_not_taken: {
    cause: 'The call was not dialled: no edge took the order within a minute.',
    advice: 'Check /readyz of the edges and Redis, then order the call again.',
  },
  order_expired: {
    cause: 'The call was not dialled: it waited too long in the queue.',
    advice:
      "Raise the number's concurrent_calls or calls_per_second, or DEMARC_CALL_QUEUE_SECONDS, or order fewer calls at once.",
  },
  internal_error: {
    cause: 'Internal error.',
    advice: 'Report it with the call id; the log has the details.',
  },
};

/** Every reason why a trunk's server is unhealthy. */
export const unreachableExplanations: Readonly<Record<UnreachableReason, Explanation>> = {
  timeout: {
    cause: 'The server does not respond.',
    advice:
      "Check that the server is running and answers OPTIONS, check address and port, and allow Demarc's addresses in its firewall.",
  },
  refused: {
    cause: "Connection refused: nothing listens on the server's port.",
    advice: 'Check port and transport, and whether the SIP service is running.',
  },
  dns: { cause: "The server's name has no address.", advice: 'Correct the name, or its DNS records.' },
  certificate: {
    cause: "The server's TLS certificate is not trusted, has expired, or is for another name.",
    advice:
      'The detail says which. Self-signed, or issued by a private CA: set that CA, or the certificate itself, as options.tls_ca of the trunk, or for all trunks as DEMARC_TLS_CA. Expired, for another name, or without its chain: renew it, with the full chain, for the name in sip_endpoint.',
  },
  mutual_tls_required: {
    cause: "The server requires a client certificate and does not trust Demarc's.",
    advice: "Make the server accept connections without a client certificate, or trust Demarc's certificate.",
  },
  tls: {
    cause: 'The TLS handshake failed.',
    advice: 'The server must support TLS 1.2 or 1.3 on that port; check that it is not a plain TCP port.',
  },
  service_unavailable: {
    cause: 'The server answers 503: it accepts no calls.',
    advice: 'Check its load and log, or ask the carrier; the next probe follows after its Retry-After.',
  },
  network: {
    cause: 'There is no route to the server, or it closed the connection.',
    advice: 'Check routing and firewall between Demarc and the server.',
  },
  no_transport: {
    cause: 'The edge has no listener for that transport.',
    advice: 'Use TLS, or enable the transport (DEMARC_SIP_UDP_PORT, DEMARC_SIP_TCP_PORT).',
  },
};

/** Common final statuses (RFC 3261 §21); others are explained by their class. */
const statuses: Readonly<Record<number, Explanation>> = {
  300: {
    cause: 'The server offers several other addresses.',
    advice: 'Set one of them as the endpoint.',
  },
  301: {
    cause: 'The number has moved to another address.',
    advice: 'Set the new address as the endpoint.',
  },
  302: {
    cause: 'The server redirects the call to another address.',
    advice: 'Demarc does not follow redirects: set the address in the Contact header as the endpoint.',
  },
  400: {
    cause: 'The server considers the request malformed.',
    advice: 'Its reason phrase or Warning says what is missing.',
  },
  401: {
    cause: 'The server requires credentials.',
    advice: "Set the trunk's user name and password; if they are set, they are wrong.",
  },
  402: { cause: 'Payment required by the carrier.', advice: 'Check the balance of the account.' },
  403: {
    cause: 'The server forbids the call.',
    advice:
      "Check that the carrier allows Demarc's address, that the account is active, and that it may call this destination with this caller id.",
  },
  404: {
    cause: 'The called number does not exist there.',
    advice: 'Check the number and the format that the server expects (with or without +).',
  },
  405: {
    cause: 'The server does not support this method.',
    advice: 'Set the endpoint to the address for calls, not to a registrar.',
  },
  406: {
    cause: 'The server cannot respond in a format that the request accepts.',
    advice: 'Check the Accept headers in the ladder.',
  },
  407: {
    cause: 'The proxy requires credentials.',
    advice: "Set the trunk's user name and password; if they are set, they are wrong.",
  },
  408: {
    cause: 'The server got no response from the next hop in time.',
    advice: 'The phone or the next server is unreachable from there.',
  },
  410: {
    cause: 'The number no longer exists there.',
    advice: 'Remove the number from the list or program that calls it.',
  },
  413: {
    cause: 'The request is too large for the server.',
    advice: 'Use TCP or TLS, or fewer codecs and headers.',
  },
  414: {
    cause: 'The address in the request is too long for the server.',
    advice: 'Check the endpoint configuration.',
  },
  415: {
    cause: 'The server does not support the content type of the body.',
    advice: 'Check Content-Type and Accept in the ladder.',
  },
  416: {
    cause: 'The server does not support the URI scheme.',
    advice: 'Use sip: instead of sips: or tel:.',
  },
  420: {
    cause: 'The request requires an extension that the server does not support.',
    advice: 'The Unsupported header names it: turn it off.',
  },
  421: {
    cause: 'The server requires an extension that was not offered.',
    advice: 'The Require header names it: turn it off on the server.',
  },
  422: {
    cause: 'The session timer is too short for the server.',
    advice: 'Raise the session interval (Min-SE gives the minimum).',
  },
  423: {
    cause: 'The registration interval is too short for the registrar.',
    advice: 'Min-Expires gives the minimum.',
  },
  428: {
    cause: 'The server requires a signed caller identity (STIR).',
    advice: 'Ask the carrier to sign calls from this trunk.',
  },
  433: { cause: 'Anonymous calls are not accepted.', advice: 'Send a caller id.' },
  436: {
    cause: 'The signed caller identity could not be verified.',
    advice: 'The certificate in the Identity header is not reachable.',
  },
  437: {
    cause: 'The certificate of the caller identity is not trusted.',
    advice: 'Ask the provider that signs the calls.',
  },
  438: {
    cause: 'The signed caller identity is invalid.',
    advice: 'A server on the path changed the signed headers.',
  },
  480: {
    cause: 'The called phone is not available.',
    advice: 'It is not registered, is switched off, or is set to do not disturb.',
  },
  481: {
    cause: 'The other side does not know this call.',
    advice: 'It restarted, or a request reached the wrong server of a cluster.',
  },
  482: {
    cause: 'The server detected a loop: it has seen this call before.',
    advice: 'Correct the routing between the servers.',
  },
  483: { cause: 'The call passed too many servers.', advice: 'Look for a routing loop.' },
  484: { cause: 'The number is incomplete.', advice: 'Send all digits, with the country code.' },
  485: { cause: 'The called address is ambiguous there.', advice: 'Use the full number.' },
  486: { cause: 'The called line is busy.', advice: 'Try again later.' },
  487: { cause: 'The call was cancelled before it was answered.', advice: nothing },
  488: {
    cause: 'The SDP offer is not acceptable: codec or encryption.',
    advice:
      'Both sides need a common codec and the same SRTP setting (SDES, AES_CM_128_HMAC_SHA1_80). The Warning header may say more.',
  },
  491: { cause: 'Two changes to the call crossed each other.', advice: 'No action needed: Demarc retries.' },
  493: { cause: 'The server could not decrypt the body.', advice: 'Turn S/MIME off.' },
  494: { cause: 'The server requires a security agreement.', advice: 'Turn sec-agree off for this trunk.' },
  500: { cause: 'The server had an internal error.', advice: 'Check its log for the Call-ID.' },
  501: {
    cause: 'The server does not implement the request.',
    advice: 'Check that the endpoint is a SIP server for calls.',
  },
  502: {
    cause: 'The server got an invalid response from the next hop.',
    advice: 'Ask the carrier, with the Call-ID.',
  },
  503: {
    cause: 'The server accepts no calls now: overloaded, in maintenance, or its own trunk is down.',
    advice: 'Check its load and log, or ask the carrier; set a backup for failover.',
  },
  504: {
    cause: 'The server got no response from the next hop in time.',
    advice: 'The agent or the next server hangs or is unreachable.',
  },
  505: { cause: 'The server does not support SIP 2.0.', advice: 'Check that the endpoint is a SIP server.' },
  513: {
    cause: 'The message is too large for the server.',
    advice: 'Use TCP or TLS, or fewer codecs and headers.',
  },
  580: { cause: 'The media preconditions were not met.', advice: 'Turn preconditions off for this trunk.' },
  600: { cause: 'The called person is busy everywhere.', advice: 'Try again later.' },
  603: {
    cause: 'The call was declined.',
    advice: 'A person, a policy or an analytics service declined; Demarc does not retry.',
  },
  604: { cause: 'The number does not exist.', advice: 'Check the number.' },
  606: {
    cause: 'The SDP offer is not acceptable to any device.',
    advice: 'Enable a common codec and SRTP on both sides.',
  },
  607: { cause: 'The called person marked these calls as unwanted.', advice: 'Do not call again.' },
  608: {
    cause: 'An analytics service rejected the call.',
    advice: 'The Call-Info header names a contact for redress.',
  },
};

const classes: Readonly<Record<number, Explanation>> = {
  3: {
    cause: 'The server redirects the call.',
    advice: 'Demarc does not follow redirects: set the other address as the endpoint.',
  },
  4: {
    cause: 'The server rejected the request.',
    advice: 'Its reason phrase and Warning say more; check its log for the Call-ID.',
  },
  5: { cause: 'The server failed.', advice: 'Check its log for the Call-ID, or ask the carrier.' },
  6: {
    cause: 'All devices of the callee refused the call.',
    advice: 'Demarc does not retry; ask the carrier, with the Call-ID.',
  },
};

/** Undefined for 1xx and 2xx, which need no explanation. */
export const explainSipStatus = (status: number): Explanation | undefined =>
  statuses[status] ?? classes[Math.floor(status / 100)];

/** Why a server is unreachable, and what to do. */
export const explainUnreachable = (reason: UnreachableReason): Explanation => unreachableExplanations[reason];

/** Reasons that need the other side's status to be meaningful. */
const byStatus: readonly EndReason[] = ['agent_refused', 'trunk_refused'];

/** Why a call ended, combined with the final SIP status of the trunk's INVITE where it says more. */
export function explainEndReason(reason: EndReason, sipStatus: number | null = null): Explanation {
  const general = endReasonExplanations[reason];
  const ofStatus = sipStatus !== null && byStatus.includes(reason) ? explainSipStatus(sipStatus) : undefined;
  if (ofStatus === undefined) return general;
  return {
    cause: `${general.cause.slice(0, -1)} (${sipStatus}). ${ofStatus.cause}`,
    advice: ofStatus.advice,
  };
}

/** The statuses that have their own text. */
export const sipStatusExplanations: Readonly<Record<string, Explanation>> = statuses;

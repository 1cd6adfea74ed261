/** What one kind of failure means to everybody who meets it. */
export interface ErrorDefinition {
  /** Status of an HTTP answer that reports it. */
  readonly http: number;
  /** Status of a SIP answer that reports it; null where it never reaches SIP. */
  readonly sip: number | null;
  /** What a stranger may read: names no configuration. */
  readonly text: string;
  /** What it means and what to do, for the documentation. */
  readonly docs: string;
}

const define = <const Registry extends Record<string, ErrorDefinition>>(registry: Registry): Registry =>
  registry;

/** Every expected failure, once. Codes are stable: programs may compare them. */
export const errors = define({
  draining: {
    http: 503,
    sip: 503,
    text: 'Service is being taken out of use',
    docs: 'This edge is shutting down. Another one takes the call; Retry-After tells when to try this one again.',
  },
  too_many_hops: {
    http: 400,
    sip: 483,
    text: 'Too many hops',
    docs: 'Max-Forwards reached 0 (RFC 3261 §16.3): look for a routing loop between the peers.',
  },
  loop: {
    http: 400,
    sip: 482,
    text: 'Loop detected',
    docs: 'The call has passed this edge before: the agent or the trunk sends our own calls back to us.',
  },
  bad_request: {
    http: 400,
    sip: 400,
    text: 'Bad request',
    docs: 'The request lacks something that a call needs, or has it in a form that cannot be used.',
  },
  unknown_number: {
    http: 404,
    sip: 404,
    text: 'No such number',
    docs: 'The called number has no configuration: attach one (POST /v1/sip/attach), or correct the number that the trunk sends.',
  },
  not_a_calling_number: {
    http: 403,
    sip: 403,
    text: 'Not a number to call from',
    docs: 'From names no attached number with an outbound direction. Attach it (POST /v1/sip/attach), or let the agent runtime call from another.',
  },
  not_a_number: {
    http: 404,
    sip: 484,
    text: 'Address incomplete',
    docs: 'An INVITE of the agent runtime whose Request-URI names no number of 3 to 15 digits.',
  },
  AGENT_CREDENTIALS_FULL: {
    http: 409,
    sip: null,
    text: 'The organization has as many agent credentials as it may',
    docs: 'Revoke one that is not needed any more (DELETE /v1/sip/agent-credentials/{credential_id}).',
  },
  source_not_allowed: {
    http: 403,
    sip: 403,
    text: 'Source not allowed',
    docs: 'The call came from an address that no configuration of the number lists. Add it to allowed_sources, or give credentials.',
  },
  credentials_required: {
    http: 401,
    sip: 401,
    text: 'Unauthorized',
    docs: 'The caller must answer the digest challenge (RFC 3261 §22) with a user name and password of the number.',
  },
  too_many_wrong_credentials: {
    http: 403,
    sip: 403,
    text: 'Forbidden',
    docs: 'Too many wrong digest answers: twice in one call, or too many a minute for this user from this address (IPv6: /64), for many users from it, or for this user from everywhere. They are not checked until the minute passes; other users of the address are not affected.',
  },
  source_too_fast: {
    http: 429,
    sip: 503,
    text: 'Too many calls from this source',
    docs: 'The address attempts more calls a second than DEMARC_SOURCE_CALLS_PER_SECOND.',
  },
  edge_full: {
    http: 503,
    sip: 503,
    text: 'No capacity',
    docs: 'The edge carries as many calls as DEMARC_MAX_CALLS allows.',
  },
  number_full: {
    http: 429,
    sip: 503,
    text: 'Number has too many calls',
    docs: 'The number carries as many calls as its limits.concurrent_calls allows.',
  },
  edge_overloaded: {
    http: 503,
    sip: 503,
    text: 'Busy, try again later',
    docs: 'Setting calls up takes longer than DEMARC_SETUP_DELAY_MS: the edge admits fewer calls a second until it does not.',
  },
  number_too_fast: {
    http: 429,
    sip: 503,
    text: 'Number is called too often',
    docs: 'The number gets more calls a second than its limits.calls_per_second allows.',
  },
  organization_full: {
    http: 429,
    sip: 503,
    text: 'Too many calls',
    docs: 'All numbers of the organization together carry as many calls as they may.',
  },
  organization_too_fast: {
    http: 429,
    sip: 503,
    text: 'Too many calls',
    docs: 'All numbers of the organization together get more calls a second than they may.',
  },
  configuration_unavailable: {
    http: 503,
    sip: 503,
    text: 'Configuration is not available',
    docs: 'Redis did not answer in time and this edge holds no earlier copy of the number: try again, or look at /readyz.',
  },
  media_not_acceptable: {
    http: 488,
    sip: 488,
    text: 'Not acceptable here',
    docs: 'The offer has no SRTP with AES_CM_128_HMAC_SHA1_80, or no codec that the number enables.',
  },

  // The HTTP API's own; the keys are what its answers carry.
  VALIDATION_ERROR: {
    http: 400,
    sip: null,
    text: 'The request is not valid',
    docs: 'A field is unknown, missing, of the wrong type, too long, or contradicts another one: `path` names it. Nothing was changed.',
  },
  UNAUTHORIZED: {
    http: 401,
    sip: null,
    text: 'Unauthorized',
    docs: 'The `Authorization` header is missing, or its API key is unknown, revoked or expired; the message says which. Send `Authorization: Bearer KEY` or the bare key.',
  },
  SIP_NOT_ENABLED: {
    http: 403,
    sip: null,
    text: 'SIP is not enabled for this organization',
    docs: 'The organization lacks the SIP entitlement: `demarc org entitle` gives it.',
  },
  NOT_FOUND: {
    http: 404,
    sip: null,
    text: 'Not found',
    docs: 'There is no such path, or your organization has no such number, configuration or call.',
  },
  FOREIGN_ORIGIN: {
    http: 403,
    sip: null,
    text: 'Not from here',
    docs: 'With the dashboard’s cookie only its own pages may change something: `Sec-Fetch-Site` or `Origin` must say so. Programs send the key instead. Behind a proxy, `Host` must arrive as the browser sent it.',
  },
  OPERATOR_ONLY: {
    http: 403,
    sip: null,
    text: 'For operators',
    docs: 'The fleet and other organizations are shown to keys of operators: `demarc key operator` makes one.',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    sip: null,
    text: 'Method not allowed',
    docs: 'The path exists with another method; `Allow` names them.',
  },
  AMBIGUOUS_CONFIGURATION: {
    http: 409,
    sip: null,
    text: 'Several configurations match',
    docs: 'The number has several configurations of that direction: name one by its `id` (GET /v1/sip lists them).',
  },
  DUPLICATE_CONFIGURATION: {
    http: 409,
    sip: null,
    text: 'Another configuration is for the same calls',
    docs: 'The change would give the number two configurations for one server (outbound), or for the same callers (inbound): change the other one, or detach it. Nothing was changed.',
  },
  NO_BACKUP_SERVER: {
    http: 409,
    sip: null,
    text: 'The number has one server',
    docs: 'There is nothing to fail back from: give the outbound direction backups (`failover_config` of `PATCH /v1/sip/config`), or a second outbound configuration.',
  },
  DISCOVERY_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Discovery is unavailable',
    docs: 'Redis, through which the edges take discoveries up, does not answer. No discovery was started: repeat the request after `Retry-After` seconds.',
  },
  DISCOVERY_RUNNING: {
    http: 409,
    sip: null,
    text: 'A discovery is running',
    docs: 'An organization runs one discovery at a time: wait for the end of the one that GET /v1/sip/discover/status shows.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    http: 415,
    sip: null,
    text: 'Unsupported media type',
    docs: 'Bodies are JSON: send `Content-Type: application/json`.',
  },
  TOO_MANY_REQUESTS: {
    http: 429,
    sip: null,
    text: 'Too many requests',
    docs: 'The key, or the address without a valid key, sends more requests than allowed; `Retry-After` tells the seconds to wait.',
  },
  INTERNAL_SERVER_ERROR: {
    http: 500,
    sip: null,
    text: 'Internal server error',
    docs: "A mistake of ours; it is in the log under the answer's `x-request-id`.",
  },
  PRECONDITION_FAILED: {
    http: 412,
    sip: null,
    text: 'The configuration has changed since it was read',
    docs: '`If-Match` names another version than the number has now: read it again (`GET /v1/sip`, header `ETag`), and repeat the change with its tag. Nothing was changed.',
  },
  INSUFFICIENT_SCOPE: {
    http: 403,
    sip: null,
    text: 'The API key lacks a scope',
    docs: 'The key is limited to other scopes than the request needs; the message names the one that is missing. `GET /v1/keys` shows the scopes of each key, `POST /v1/keys` makes another one.',
  },
  TOO_MANY_KEYS: {
    http: 409,
    sip: null,
    text: 'Too many API keys',
    docs: 'An organization has at most 1,000 keys that are neither revoked nor expired: revoke some first.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    http: 409,
    sip: null,
    text: 'The Idempotency-Key was used for another request',
    docs: 'The same `Idempotency-Key` came with another body or query within its 24 hours (DEMARC_IDEMPOTENCY_HOURS). Use a new key for a new request. Nothing was changed.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    http: 409,
    sip: null,
    text: 'A request with this Idempotency-Key is still running',
    docs: 'The first request with the key has no answer yet, or the process that ran it died a moment ago. Repeat the request with the same key after `Retry-After` seconds.',
  },
  SECRET_KEY_MISSING: {
    http: 503,
    sip: null,
    text: 'Secrets cannot be stored',
    docs: 'The service runs without DEMARC_SECRET_KEY: it cannot seal secrets, so it takes no passwords and no `Idempotency-Key`.',
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Service unavailable',
    docs: 'PostgreSQL or Redis does not answer. Repeat the request after `Retry-After` seconds. With an `Idempotency-Key` no request takes effect twice.',
  },

  CALL_NOT_READY: {
    http: 409,
    sip: null,
    text: 'The call is in no state for that now',
    docs: 'Digits, hold and resume need an answered call that is not being transferred; the message says what stands in the way.',
  },
  CALL_ACTION_FAILED: {
    http: 502,
    sip: null,
    text: 'The call took the request, but it could not be carried out',
    docs: 'The media server or the trunk refused: the message says which. The call goes on as before.',
  },
  TRANSFER_NOT_POSSIBLE: {
    http: 409,
    sip: null,
    text: 'The call cannot be transferred now',
    docs: 'The call is not answered yet, is over, or is being transferred already.',
  },
  TRANSFER_FORBIDDEN: {
    http: 403,
    sip: null,
    text: 'The call may not be transferred there',
    docs: 'The target is neither at a server of the number nor among its allowed_targets, or the number has no outbound direction.',
  },
  CALLS_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Calls cannot be placed or stopped now',
    docs: 'Redis, which takes orders to the edges, does not answer. In a rare case (its answer was lost) the order was taken nevertheless: repeat the request with its `Idempotency-Key`, and it is not dialled twice; `GET /v1/calls` tells.',
  },
  LIVE_STATE_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Live state is unavailable',
    docs: 'Redis, where the edges tell which calls go on, does not answer. Calls are not touched by that.',
  },
  LIVE_CALL_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'The call cannot be looked at now',
    docs: 'The edge that has the call, or may have it, does not answer in time, or too many look at calls, or the call has just ended and its record is not stored yet. Calls are not touched by that: repeat the request after `Retry-After` seconds.',
  },
  TOO_MANY_CALLS_WAITING: {
    http: 503,
    sip: null,
    text: 'Too many calls wait to be dialled',
    docs: 'The edges do not keep up with the orders. Nothing was ordered: repeat the request after `Retry-After` seconds.',
  },
  NO_EDGE_READY: {
    http: 503,
    sip: null,
    text: 'No edge can take calls now',
    docs: 'No edge is running with its SIP engine and media in order: its `/readyz` tells. Nothing was ordered: repeat the request after `Retry-After` seconds.',
  },
  NUMBER_QUEUE_FULL: {
    http: 429,
    sip: null,
    text: 'Too many calls from the number wait for their turn',
    docs: 'The limits of the number (`concurrent_calls`, `calls_per_second`) let no call out now, and as many wait already as DEMARC_CALL_QUEUE_LENGTH allows. Nothing was ordered: repeat the request after `Retry-After` seconds.',
  },

  FAILOVER_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Failover cannot be changed now',
    docs: 'Redis, by which the edges agree on the server in use, does not answer. Repeat the request.',
  },

  // Why a number of an attach request failed, or is configured with a warning.
  INVALID_PHONE_NUMBER: {
    http: 400,
    sip: null,
    text: 'Not an E.164 number',
    docs: 'The number cannot exist: an unknown country code, or too few or too many digits for its country.',
  },
  NUMBER_TAKEN: {
    http: 409,
    sip: null,
    text: 'The number cannot be attached',
    docs: 'The number belongs to another organization.',
  },
  NUMBER_NOT_PROVEN: {
    http: 403,
    sip: null,
    text: 'The number is not proven to be yours',
    docs: 'The service requires proof before a number is attached (DEMARC_NUMBER_PROOF): ask its operator, who notes it with `POST /v1/sip/numbers/prove`. The answer is the same whether somebody has the number or nobody.',
  },
  TOO_MANY_CONFIGURATIONS: {
    http: 409,
    sip: null,
    text: 'Too many configurations',
    docs: 'A number takes at most 10 configurations, both directions together: detach some first.',
  },
  NUMBER_USES_TRUNK: {
    http: 409,
    sip: null,
    text: 'The number uses a trunk that it shares with others',
    docs: 'Change the trunk (PATCH /v1/trunks/{trunk_id}), or detach the number with all its directions first.',
  },
  TRUNK_IN_USE: {
    http: 409,
    sip: null,
    text: 'Numbers use the trunk',
    docs: 'Detach them (POST /v1/sip/detach), or attach them to another trunk, then delete it.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    http: 409,
    sip: null,
    text: 'An organization can have 20 webhook endpoints',
    docs: 'Delete an endpoint (DELETE /v1/webhooks/{webhook_id}), or let one receive more events.',
  },
  WEBHOOK_DISABLED: {
    http: 409,
    sip: null,
    text: 'The webhook endpoint is disabled',
    docs: 'Enable it first: PATCH /v1/webhooks/{webhook_id} with enabled true.',
  },
  DELIVERY_NOT_REPLAYABLE: {
    http: 409,
    sip: null,
    text: 'Only a webhook that is delivered or failed can be replayed',
    docs: 'A pending delivery is sent by itself; mails and SMS are not sent again.',
  },
  TOO_MANY_UPCOMING_CALLS: {
    http: 429,
    sip: null,
    text: 'Too many upcoming calls: an organization can have 50,000 that are scheduled or wait in batches',
    docs: 'Wait until some have been dialled, or stop a batch (POST /v1/batches/{batch_id}/stop).',
  },
  TEST_CALL_LIMIT: {
    http: 429,
    sip: null,
    text: 'Too many test calls',
    docs: 'The organization had 10 test calls within the last 15 minutes. Retry-After tells when the next one is allowed.',
  },
  CARRIER_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'The carrier does not answer',
    docs: 'The API of the carrier that numbers are ported to is down, slow, or refuses more requests for now. Nothing was changed: repeat the request after `Retry-After` seconds.',
  },
  DOCUMENTS_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Documents cannot be stored or read',
    docs: 'The folder (DEMARC_DOCUMENT_DIRECTORY) or the S3 store (DEMARC_DOCUMENT_S3_URL) of documents does not work; the log says why. Repeat the request after `Retry-After` seconds.',
  },
  NUMBER_PORTING: {
    http: 409,
    sip: null,
    text: 'The number is being ported already',
    docs: 'A number is in one port request at a time: wait for the end of the other one, or cancel it (DELETE /v1/sip/port/{id}). Nothing was changed.',
  },
  PORT_MOVE_NOT_ALLOWED: {
    http: 409,
    sip: null,
    text: 'The port request is in no state for that',
    docs: 'Completed, failed and canceled are final; the message names the present state. `GET /v1/sip/port/{id}` shows every move.',
  },
  NO_REGISTRAR: {
    http: 200,
    sip: null,
    text: 'Nowhere to register',
    docs: 'A warning: auth_mode is register, but neither the inbound direction has a registrar nor the number an outbound server.',
  },
  NO_ALLOWED_IPS: {
    http: 200,
    sip: null,
    text: 'No allowed_ips',
    docs: 'A warning: an inbound configuration names no sources; the message says who may call nevertheless, and why.',
  },
});

export type ErrorCode = keyof typeof errors;

/** An expected failure with its code; `detail` is for operators and may name configuration. */
export class DemarcError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly detail?: string,
  ) {
    super(detail === undefined ? errors[code].text : `${errors[code].text}: ${detail}`);
    this.name = 'DemarcError';
  }

  get definition(): ErrorDefinition {
    return errors[this.code];
  }
}

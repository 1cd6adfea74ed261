/** One kind of failure: its statuses and texts. */
export interface ErrorDefinition {
  /** Status of an HTTP response that reports it. */
  readonly http: number;
  /** Status of a SIP response that reports it; null if it never reaches SIP. */
  readonly sip: number | null;
  /** Public text: reveals no configuration. */
  readonly text: string;
  /** Meaning and remedy, for the documentation. */
  readonly docs: string;
  /** HTTP responses show the detail to the caller; other details are for operators only. */
  readonly showsDetail?: true;
}

const define = <const Registry extends Record<string, ErrorDefinition>>(registry: Registry): Registry =>
  registry;

/** Every expected failure, once. Codes are stable: programs may compare them. */
export const errors = define({
  draining: {
    http: 503,
    sip: 503,
    text: 'Service is shutting down',
    docs: 'This edge is draining. Another edge takes the call; Retry-After says when to try this one again.',
  },
  too_many_hops: {
    http: 400,
    sip: 483,
    text: 'Too many hops',
    docs: 'Max-Forwards reached 0 (RFC 3261 §16.3). Look for a routing loop between the peers.',
  },
  loop: {
    http: 400,
    sip: 482,
    text: 'Loop detected',
    docs: "The call has passed this edge before: the agent or the trunk sends Demarc's own calls back. Correct its routing.",
  },
  bad_request: {
    http: 400,
    sip: 400,
    text: 'Bad request',
    docs: 'The request lacks a required header or body, or has an invalid one; the detail names it.',
  },
  unknown_number: {
    http: 404,
    sip: 404,
    text: 'No such number',
    docs: 'The called number has no inbound configuration. Attach it (POST /v1/sip/attach), or correct the number that the trunk sends.',
  },
  not_a_calling_number: {
    http: 403,
    sip: 403,
    text: 'Not a number to call from',
    docs: 'From is not an attached number with an outbound direction. Attach it (POST /v1/sip/attach), or call from another number.',
  },
  not_a_number: {
    http: 404,
    sip: 484,
    text: 'Address incomplete',
    docs: "The Request-URI of the agent runtime's INVITE is not a number of 3 to 15 digits.",
  },
  AGENT_CREDENTIALS_FULL: {
    http: 409,
    sip: null,
    text: 'Too many agent credentials',
    docs: 'The organization has reached the maximum number of agent credentials. Revoke an unused one (DELETE /v1/sip/agent-credentials/{credential_id}).',
  },
  source_not_allowed: {
    http: 403,
    sip: 403,
    text: 'Source not allowed',
    docs: "The call came from an address that is not in the number's allowed_ips. Add the address, or use digest credentials.",
  },
  credentials_required: {
    http: 401,
    sip: 401,
    text: 'Unauthorized',
    docs: "The caller must answer the digest challenge (RFC 3261 §22) with the number's user name and password.",
  },
  too_many_wrong_credentials: {
    http: 403,
    sip: 403,
    text: 'Forbidden',
    docs: 'Too many wrong digest answers: two in one call, or too many per minute for this user from this address (IPv6: /64), for different users from it, or for this user from all addresses. Answers are refused unchecked until the minute is over; other users at the address are not affected.',
  },
  source_too_fast: {
    http: 429,
    sip: 503,
    text: 'Too many calls from this source',
    docs: 'The address attempts more calls per second than DEMARC_SOURCE_CALLS_PER_SECOND.',
  },
  edge_full: {
    http: 503,
    sip: 503,
    text: 'No capacity',
    docs: 'The edge has DEMARC_MAX_CALLS active calls.',
  },
  number_full: {
    http: 429,
    sip: 503,
    text: 'Number has too many calls',
    docs: 'The number has limits.concurrent_calls active calls. Raise the limit, or retry after Retry-After.',
  },
  edge_overloaded: {
    http: 503,
    sip: 503,
    text: 'Busy, try again later',
    docs: 'The edge is overloaded: the call waited longer for its setup than DEMARC_SETUP_DELAY_MS allows.',
  },
  number_too_fast: {
    http: 429,
    sip: 503,
    text: 'Number is called too often',
    docs: 'The number gets more calls per second than its limits.calls_per_second.',
  },
  organization_full: {
    http: 429,
    sip: 503,
    text: 'Too many calls',
    docs: 'The organization has DEMARC_ORGANIZATION_MAX_CALLS active calls across all its numbers.',
  },
  organization_too_fast: {
    http: 429,
    sip: 503,
    text: 'Too many calls',
    docs: 'The organization gets more calls per second than DEMARC_ORGANIZATION_CALLS_PER_SECOND across all its numbers.',
  },
  configuration_unavailable: {
    http: 503,
    sip: 503,
    text: 'Configuration unavailable',
    docs: 'Redis did not answer in time and this edge has no cached copy of the number. Retry; if it persists, check /readyz.',
  },
  media_not_acceptable: {
    http: 488,
    sip: 488,
    text: 'Not acceptable here',
    docs: 'The offer has no SRTP with AES_CM_128_HMAC_SHA1_80, or no codec that the number enables.',
  },

  // The HTTP API's error codes.
  VALIDATION_ERROR: {
    http: 400,
    sip: null,
    text: 'Invalid request',
    docs: 'A field is unknown, missing, too long, of the wrong type, or contradicts another field; `path` names it. Nothing was changed.',
    showsDetail: true,
  },
  UNAUTHORIZED: {
    http: 401,
    sip: null,
    text: 'Unauthorized',
    docs: 'The `Authorization` header is missing, or its API key is unknown, revoked or expired; the message says which. Send `Authorization: Bearer KEY` or the bare key.',
    showsDetail: true,
  },
  CALL_TOKEN_INVALID: {
    http: 401,
    sip: null,
    text: 'The call token is not valid',
    docs: 'This service did not sign the value of `X-Demarc-Token`, or it has expired: a token works during its call and for DEMARC_CALL_TOKEN_GRACE_SECONDS after it; the message says which. Send the value of the same header of the INVITE, unchanged.',
    showsDetail: true,
  },
  CALL_TOKEN_NOT_ACCEPTED: {
    http: 403,
    sip: null,
    text: 'The operation does not accept a call token',
    docs: 'A call token (`X-Demarc-Token`) reaches only operations on the data of its call; the API reference names them. Send `Authorization: Bearer KEY` alone for any other.',
  },
  SIP_NOT_ENABLED: {
    http: 403,
    sip: null,
    text: 'SIP is not enabled for this organization',
    docs: 'The organization lacks the SIP entitlement. An operator grants it with `demarc org entitle`.',
  },
  NOT_FOUND: {
    http: 404,
    sip: null,
    text: 'Not found',
    docs: 'The path does not exist, or your organization has no such number, configuration or call.',
    showsDetail: true,
  },
  FOREIGN_ORIGIN: {
    http: 403,
    sip: null,
    text: 'Cross-origin request refused',
    docs: 'Requests with the dashboard’s session cookie must come from its own pages (`Sec-Fetch-Site` or `Origin`). Programs must send an API key instead. A reverse proxy must forward `Host` unchanged.',
  },
  OPERATOR_ONLY: {
    http: 403,
    sip: null,
    text: 'Operator key required',
    docs: 'Only operator keys can see the fleet and other organizations. `demarc key operator` turns a key into one.',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    sip: null,
    text: 'Method not allowed',
    docs: 'The path exists with other methods; `Allow` lists them.',
  },
  AMBIGUOUS_CONFIGURATION: {
    http: 409,
    sip: null,
    text: 'Several configurations match',
    docs: 'The number has several configurations for that direction. Pass the `id` of one (GET /v1/sip lists them).',
    showsDetail: true,
  },
  DUPLICATE_CONFIGURATION: {
    http: 409,
    sip: null,
    text: 'Duplicate configuration',
    docs: 'The change would give the number two configurations for the same server (outbound) or the same callers (inbound). Change or detach the other one. Nothing was changed.',
  },
  NO_BACKUP_SERVER: {
    http: 409,
    sip: null,
    text: 'The number has only one server',
    docs: 'There is no other server to fail back from. Add backups to the outbound direction (`failover_config` of `PATCH /v1/sip/config`), or a second outbound configuration.',
  },
  DISCOVERY_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Discovery is unavailable',
    docs: 'Redis does not answer. No discovery was started. Retry after `Retry-After` seconds.',
  },
  DISCOVERY_RUNNING: {
    http: 409,
    sip: null,
    text: 'A discovery is already running',
    docs: 'Each organization can run one discovery at a time. Wait until GET /v1/sip/discover/status reports its end.',
    showsDetail: true,
  },
  RANGE_NOT_SATISFIABLE: {
    http: 416,
    sip: null,
    text: 'The range begins behind the end of the file',
    docs: 'The `Range` header asks for octets that the file does not have; `Content-Range` of the answer has its length.',
    showsDetail: true,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    http: 415,
    sip: null,
    text: 'Unsupported media type',
    docs: 'Request bodies must be JSON: send `Content-Type: application/json`.',
  },
  TOO_MANY_REQUESTS: {
    http: 429,
    sip: null,
    text: 'Too many requests',
    docs: 'The key, or the address without a valid key, exceeded its request rate. Retry after `Retry-After` seconds.',
    showsDetail: true,
  },
  INTERNAL_SERVER_ERROR: {
    http: 500,
    sip: null,
    text: 'Internal server error',
    docs: 'An unexpected failure. Report it with the `x-request-id` of the response; the log has the details under that id.',
  },
  PRECONDITION_FAILED: {
    http: 412,
    sip: null,
    text: 'The configuration has changed since it was read',
    docs: '`If-Match` does not match the current version. Read the number again (`GET /v1/sip`, header `ETag`) and repeat the change with the new tag. Nothing was changed.',
    showsDetail: true,
  },
  INSUFFICIENT_SCOPE: {
    http: 403,
    sip: null,
    text: 'The API key lacks a scope',
    docs: 'The message names the missing scope. `GET /v1/keys` shows the scopes of each key; `POST /v1/keys` creates a key with others.',
    showsDetail: true,
  },
  TOO_MANY_KEYS: {
    http: 409,
    sip: null,
    text: 'Too many API keys',
    docs: 'The organization has 1,000 active keys, the maximum. Revoke some first.',
  },
  WRONG_PASSWORD: {
    http: 401,
    sip: null,
    text: 'The email address or the password is wrong',
    docs: 'No account has this email address and password. The response is the same whether or not the address has an account. Ask an owner of your organization for a reset link.',
  },
  LINK_NOT_VALID: {
    http: 410,
    sip: null,
    text: 'The link is not valid',
    docs: 'The link of the invitation, password reset or shared call was used, replaced or withdrawn, or has expired: invitations are valid for 72 hours, reset links for two. Ask for a new one.',
  },
  LAST_OWNER: {
    http: 409,
    sip: null,
    text: 'The last owner cannot be removed or get another role',
    docs: 'An organization with members keeps at least one owner. Make another member owner first (PATCH /v1/members/{member_id}).',
  },
  ALREADY_MEMBER: {
    http: 409,
    sip: null,
    text: 'This person is a member already',
    docs: 'Change the role of the member instead (PATCH /v1/members/{member_id}).',
  },
  MEMBER_ELSEWHERE: {
    http: 409,
    sip: null,
    text: 'The account also belongs to another organization',
    docs: 'A reset link would open the other organization too. The person requests a link by mail (POST /v1/password/reset), or the operator of the service creates one with `demarc member reset`.',
  },
  MEMBERS_ONLY: {
    http: 403,
    sip: null,
    text: 'Only members can do this',
    docs: 'The request concerns the account of a person: sign in with email and password instead of an API key.',
  },
  TOO_MANY_MEMBERS: {
    http: 409,
    sip: null,
    text: 'Too many members',
    docs: 'The organization has 500 members and open invitations, the maximum. Remove some first.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    http: 409,
    sip: null,
    text: 'The Idempotency-Key was used for another request',
    docs: 'A request with the same `Idempotency-Key` and a different body or query was made within the last 24 hours (DEMARC_IDEMPOTENCY_HOURS). Use a new key for a new request. Nothing was changed.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    http: 409,
    sip: null,
    text: 'A request with this Idempotency-Key is still running',
    docs: 'The first request with this key has no response yet, or its process has just died. Retry with the same key after `Retry-After` seconds.',
  },
  SECRET_KEY_MISSING: {
    http: 503,
    sip: null,
    text: 'Secrets cannot be stored',
    docs: 'The service has no DEMARC_SECRET_KEY, so it cannot encrypt secrets and accepts neither passwords nor `Idempotency-Key`. The operator must set it.',
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Service unavailable',
    docs: 'PostgreSQL or Redis does not answer. Retry after `Retry-After` seconds; with an `Idempotency-Key` the request takes effect only once.',
  },

  CALL_NOT_READY: {
    http: 409,
    sip: null,
    text: 'The call is not ready for this request',
    docs: 'DTMF, hold, resume, play and listening require an answered call that is not being transferred, play an agent by WebSocket, and listening a free place; completing or cancelling a warm transfer requires one in progress. The message gives the state.',
    showsDetail: true,
  },
  CALL_ACTION_FAILED: {
    http: 502,
    sip: null,
    text: 'The request to the call failed',
    docs: 'The media server, a side of the call, a transfer target or the server of a file refused it; the message says which. The call continues unchanged.',
    showsDetail: true,
  },
  TRANSFER_NOT_POSSIBLE: {
    http: 409,
    sip: null,
    text: 'The call cannot be transferred now',
    docs: 'The call is not answered yet, has ended, or is already being transferred.',
    showsDetail: true,
  },
  TRANSFER_FORBIDDEN: {
    http: 403,
    sip: null,
    text: 'The transfer target is not allowed',
    docs: "The target is neither at one of the number's servers nor in its allowed_targets, or the number has no outbound direction.",
    showsDetail: true,
  },
  CALLS_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Placing and stopping calls is temporarily unavailable',
    docs: 'Redis does not answer. In rare cases (only its response was lost) the order was accepted. Retry with the same `Idempotency-Key` to avoid a second call, or check `GET /v1/calls`.',
  },
  LIVE_STATE_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Live state is unavailable',
    docs: 'Redis, which holds the state of active calls, does not answer. Calls are not affected.',
  },
  LIVE_CALL_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'The active call cannot be read now',
    docs: 'The edge that has the call does not answer in time, too many trace requests are in progress, or the call has just ended and its record is not stored yet. The call is not affected. Retry after `Retry-After` seconds.',
    showsDetail: true,
  },
  TRACE_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'The trace of the call cannot be read now',
    docs: 'The trace is in the object store (`DEMARC_TRACE_STORE`), which does not respond; the log says why. `format=json` returns the call without its trace. Retry after `Retry-After` seconds.',
  },
  TOO_MANY_CALLS_WAITING: {
    http: 503,
    sip: null,
    text: 'Too many calls are waiting to be dialled',
    docs: 'The edges cannot keep up with the orders. The call was not ordered. Retry after `Retry-After` seconds.',
  },
  NO_EDGE_READY: {
    http: 503,
    sip: null,
    text: 'No edge is ready',
    docs: 'No edge has a working SIP engine and media server; check `/readyz` of the edges. The call was not ordered. Retry after `Retry-After` seconds.',
  },
  NUMBER_QUEUE_FULL: {
    http: 429,
    sip: null,
    text: 'Queue full: too many calls from the number are waiting',
    docs: 'The number is at its limits (`concurrent_calls`, `calls_per_second`) and DEMARC_CALL_QUEUE_LENGTH calls are waiting. The call was not ordered. Retry after `Retry-After` seconds.',
  },

  FAILOVER_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'Failover cannot be changed now',
    docs: 'Redis, which holds the failover state, does not answer. Retry the request.',
  },

  // Failures and warnings of the numbers in an attach request.
  INVALID_PHONE_NUMBER: {
    http: 400,
    sip: null,
    text: 'Not an E.164 number',
    docs: 'The number has an unknown country code, or too few or too many digits for its country.',
    showsDetail: true,
  },
  NUMBER_TAKEN: {
    http: 409,
    sip: null,
    text: 'The number cannot be attached',
    docs: 'The number belongs to another organization.',
    showsDetail: true,
  },
  NUMBER_NOT_PROVEN: {
    http: 403,
    sip: null,
    text: 'Ownership of the number is not confirmed',
    docs: 'The service requires proof of ownership before a number is attached (DEMARC_NUMBER_PROOF). Ask the operator to confirm it with `POST /v1/sip/numbers/prove`. The response is the same whether or not another organization has the number.',
  },
  TOO_MANY_CONFIGURATIONS: {
    http: 409,
    sip: null,
    text: 'Too many configurations',
    docs: 'A number can have at most 10 configurations, inbound and outbound together. Detach some first.',
    showsDetail: true,
  },
  NUMBER_USES_TRUNK: {
    http: 409,
    sip: null,
    text: 'The number uses a shared trunk',
    docs: 'Change the trunk (PATCH /v1/trunks/{trunk_id}), or detach the number with all its directions first.',
    showsDetail: true,
  },
  TRUNK_IN_USE: {
    http: 409,
    sip: null,
    text: 'The trunk is in use',
    docs: 'Numbers still use it. Detach them (POST /v1/sip/detach), or attach them to another trunk, then delete it.',
    showsDetail: true,
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    http: 409,
    sip: null,
    text: 'Too many webhook endpoints: the maximum is 20',
    docs: 'Delete one (DELETE /v1/webhooks/{webhook_id}), or add the events to an existing one.',
  },
  TOO_MANY_MAINTENANCE_WINDOWS: {
    http: 409,
    sip: null,
    text: 'Too many maintenance windows: the maximum is 200',
    docs: 'Delete those that are over (DELETE /v1/sip/maintenance-windows/{window_id}).',
  },
  WEBHOOK_DISABLED: {
    http: 409,
    sip: null,
    text: 'The webhook endpoint is disabled',
    docs: 'Enable it first: PATCH /v1/webhooks/{webhook_id} with `{"enabled": true}`.',
  },
  DELIVERY_NOT_REPLAYABLE: {
    http: 409,
    sip: null,
    text: 'Only delivered or failed webhooks can be replayed',
    docs: 'Pending ones are sent automatically; email and SMS are not sent again.',
  },
  TOO_MANY_UPCOMING_CALLS: {
    http: 429,
    sip: null,
    text: 'Too many upcoming calls: 50,000 are scheduled or waiting, the maximum',
    docs: 'Wait until some have been dialled, or stop a batch (POST /v1/batches/{batch_id}/stop).',
  },
  TOO_MANY_PERSONAS: {
    http: 409,
    sip: null,
    text: 'Too many personas: the maximum is 1,000',
    docs: 'Delete personas that no call needs (DELETE /v1/personas/{id}).',
  },
  TOO_MANY_AGENTS: {
    http: 409,
    sip: null,
    text: 'Too many web agents: the maximum is 1,000',
    docs: 'Delete agents that are not used (DELETE /v1/agents/{agent_id}).',
  },
  TOO_MANY_SCENARIOS: {
    http: 409,
    sip: null,
    text: 'Too many test scenarios: the maximum is 5,000',
    docs: 'Delete scenarios that are no longer run (DELETE /v1/agent-testing/scenarios/{id}).',
  },
  TOO_MANY_TEST_SCHEDULES: {
    http: 409,
    sip: null,
    text: 'Too many test schedules: the maximum is 50',
    docs: 'Delete schedules that are no longer needed (DELETE /v1/agent-testing/schedules/{id}), or add their scenarios to another one.',
  },
  TOO_MANY_TEST_MONITORS: {
    http: 409,
    sip: null,
    text: 'Too many test monitors: the maximum is 50',
    docs: 'Delete monitors that are no longer needed (DELETE /v1/agent-testing/monitors/{id}).',
  },
  CALL_NOT_JUDGED: {
    http: 409,
    sip: null,
    text: 'Not a run of a real call',
    docs: 'Only runs that judge a real call (call_id) become a scenario. Of any other call, draft one with POST /v1/agent-testing/scenarios/generate-from-call.',
  },
  SCENARIO_NAME_TAKEN: {
    http: 409,
    sip: null,
    text: 'Another scenario of the same target has this name',
    docs: 'Names of scenarios are unique within their pathway or persona, and among the scenarios of agents at their own address. Choose another name.',
  },
  RUN_NOT_JUDGEABLE: {
    http: 409,
    sip: null,
    text: 'The test run cannot be judged again',
    docs: 'Only runs that have ended and in which something was said can be judged again. Start another run instead.',
    showsDetail: true,
  },
  RUN_ENDED: {
    http: 409,
    sip: null,
    text: 'The test run has ended',
    docs: 'Only runs that are pending or running can be cancelled. Read its result (GET /v1/agent-testing/runs/{id}).',
    showsDetail: true,
  },
  RUN_NOT_FAILED: {
    http: 409,
    sip: null,
    text: 'Only failed test runs can be analyzed',
    docs: 'The run passed, was cancelled or has not ended: there is no failure to analyze.',
    showsDetail: true,
  },
  RUN_QUEUE_FULL: {
    http: 429,
    sip: null,
    text: 'Queue full: too many test runs are waiting',
    docs: 'DEMARC_AGENT_TEST_QUEUE_LENGTH runs of the organization are waiting or running. Wait until some have ended, or cancel them.',
    showsDetail: true,
  },
  TOKEN_BUDGET_TOO_LOW: {
    http: 409,
    sip: null,
    text: 'Token budget too low',
    docs: 'The runs would be stopped by their budget: the latest runs of the same scenarios took more tokens than it allows. Start fewer runs, or raise token_budget of the request, or tokens_per_run, tokens_per_set or tokens_per_gate (PUT /v1/agent-testing/budget).',
    showsDetail: true,
  },
  TOKEN_BUDGET_USED: {
    http: 409,
    sip: null,
    text: 'Token budget used up',
    docs: 'The models of agent tests have taken as many tokens for the organization as its budget allows for the day or the month (GET /v1/agent-testing/budget), and the message says when the next period begins; or a run, or runs that were started together, have taken what they may. Raise the limit (PUT /v1/agent-testing/budget); above the limit of the service, ask its operator.',
    showsDetail: true,
  },
  COST_BUDGET_TOO_LOW: {
    http: 409,
    sip: null,
    text: 'Budget in money too low',
    docs: 'The runs would be stopped by their budget: the latest runs of the same scenarios cost more than it allows. Start fewer runs, or raise cost_budget of the request, or cost_per_run, cost_per_set or cost_per_gate (PUT /v1/agent-testing/budget).',
    showsDetail: true,
  },
  COST_BUDGET_USED: {
    http: 409,
    sip: null,
    text: 'Budget in money used up',
    docs: 'The models of agent tests have cost the organization as much as its budget allows for the day or the month (GET /v1/agent-testing/budget), and the message says when the next period begins; or a run, or runs that were started together, have cost what they may. Raise the limit (PUT /v1/agent-testing/budget).',
    showsDetail: true,
  },
  MODEL_PRICE_UNKNOWN: {
    http: 409,
    sip: null,
    text: 'Price of a model unknown',
    docs: 'A budget in money can only be kept where each model has a price in the currency of the organization. Set the price (PUT /v1/agent-testing/prices), or remove the budget in money.',
    showsDetail: true,
  },
  NO_TRANSCRIPT: {
    http: 409,
    sip: null,
    text: 'The call has no transcript',
    docs: 'Demarc does not transcribe calls. Send `transcript`, or let the agent of a call store its messages (POST /v1/contacts/{contact_id}/memories).',
  },
  MODEL_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'The language model is unavailable',
    docs: 'No language model is configured (DEMARC_LLM_URL), or it failed; the message says which. Retry later, or ask the operator to correct it.',
    showsDetail: true,
  },
  PERSONA_IN_USE: {
    http: 409,
    sip: null,
    text: 'The persona answers numbers',
    docs: 'Detach the numbers that the message names (POST /v1/personas/{id}/inbound/detach), then delete it.',
    showsDetail: true,
  },
  PATHWAY_IN_USE: {
    http: 409,
    sip: null,
    text: 'Calls follow the pathway',
    docs: 'Detach the numbers that the message names (POST /v1/pathways/{id}/inbound/detach), and remove the pathway from the personas that it names, then delete it.',
    showsDetail: true,
  },
  NO_DRAFT_VERSION: {
    http: 409,
    sip: null,
    text: 'There is no draft to promote',
    docs: 'Nothing changed since the last promotion, or the version is live already. Change it first (PATCH /v1/personas/{id}, PATCH /v1/pathways/{id}).',
    showsDetail: true,
  },
  PERSONA_CHANGED: {
    http: 409,
    sip: null,
    text: 'The draft changed during its promotion',
    docs: 'Another request changed it. Read the persona again and promote it if the draft is right. Nothing was promoted.',
  },
  TOO_MANY_PATHWAYS: {
    http: 409,
    sip: null,
    text: 'Too many pathways: the maximum is 1,000',
    docs: 'Delete pathways that are no longer used (DELETE /v1/pathways/{id}).',
  },
  TOO_MANY_FORKS: {
    http: 409,
    sip: null,
    text: 'Too many forks: the maximum is 200 per pathway',
    docs: 'Delete forks that are no longer used (DELETE /v1/pathways/{id}/versions/{version_number}).',
  },
  PATHWAY_CHANGED: {
    http: 409,
    sip: null,
    text: 'The version changed meanwhile',
    docs: 'Another request changed the version after it was read, or during its promotion. Read it again and repeat the request if it is still right. Nothing was changed.',
    showsDetail: true,
  },
  VERSION_NOT_CHANGEABLE: {
    http: 409,
    sip: null,
    text: 'This version is read-only',
    docs: 'Only the draft and forks change, and only forks can be deleted. Change the draft (PATCH /v1/pathways/{id}), or fork the version first.',
    showsDetail: true,
  },
  TORNADO_ACTIVE: {
    http: 409,
    sip: null,
    text: 'A tornado session is active for the pathway',
    docs: 'Each pathway has one at a time. Wait until it has ended (GET /v1/agent-testing/tornado/{id}/status) or cancel it.',
  },
  LOAD_TEST_RUNNING: {
    http: 409,
    sip: null,
    text: 'A load test is running',
    docs: 'An organization runs one at a time. Wait until it has ended (GET /v1/agent-testing/load-tests) or cancel it.',
  },
  FIX_NOT_UNDONE: {
    http: 409,
    sip: null,
    text: 'The fix cannot be undone',
    docs: 'The fork does not have the fix, or the field that it changed was changed since; the message says which. Change the fork by hand (PUT /v1/pathways/{id}/versions/{version_number}).',
    showsDetail: true,
  },
  PROMOTION_RUNNING: {
    http: 409,
    sip: null,
    text: 'A promotion is waiting for its tests',
    docs: 'The required scenarios of an earlier promotion run. Wait until its status is PROMOTED or REFUSED (`promotion` of GET /v1/pathways/{id} or /v1/personas/{id}).',
  },
  PROMOTION_REFUSED: {
    http: 409,
    sip: null,
    text: 'The version cannot be promoted',
    docs: 'A check that is required before promotion did not pass; the message names it. Nothing was promoted.',
    showsDetail: true,
  },
  TEST_CALL_LIMIT: {
    http: 429,
    sip: null,
    text: 'Too many test calls',
    docs: 'The organization has placed 10 test calls in the last 15 minutes. Retry after `Retry-After` seconds.',
    showsDetail: true,
  },
  CARRIER_UNAVAILABLE: {
    http: 503,
    sip: null,
    text: 'The carrier does not answer',
    docs: 'The API of the carrier that numbers are ported to is down, slow, or refuses more requests for now. Nothing was changed: repeat the request after `Retry-After` seconds.',
    showsDetail: true,
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
    showsDetail: true,
  },
  WEBHOOK_NOT_SIGNED: {
    http: 403,
    sip: null,
    text: 'The webhook is not signed by the carrier',
    docs: 'A request to /carrier/port-events without the carrier’s signature. Check DEMARC_TWILIO_AUTH_TOKEN, and that DEMARC_PUBLIC_URL is the address that the carrier calls.',
  },
  PORT_MOVE_NOT_ALLOWED: {
    http: 409,
    sip: null,
    text: 'The port request is in no state for that',
    docs: 'Completed, failed and canceled are final; the message names the present state. `GET /v1/sip/port/{id}` shows every move.',
    showsDetail: true,
  },
  BAD_REQUEST: {
    http: 400,
    sip: null,
    text: 'Bad request',
    docs: 'A request to find or resolve a contact has no identifier, or a request to merge names the same contact twice; the message says which.',
    showsDetail: true,
  },
  CONTACT_IDENTIFIER_TAKEN: {
    http: 409,
    sip: null,
    text: 'The identifier belongs to another contact',
    docs: 'An identifier has one contact; the message names it. Merge the two with POST /v1/contacts/merge, or leave the identifier out.',
    showsDetail: true,
  },
  TOO_MANY_CONTACTS: {
    http: 409,
    sip: null,
    text: 'Too many contacts',
    docs: 'An organization has at most 1,000,000 contacts, and a number gets at most 5,000 from new callers a day. Delete contacts that are not needed (DELETE /v1/contacts/{contact_id}).',
  },
  KB_ERROR: {
    http: 404,
    sip: null,
    text: 'Knowledge base not found',
    docs: 'No knowledge base of the organization has that id, or it was deleted; the message names it. `GET /v1/knowledge` lists the ids.',
    showsDetail: true,
  },
  KB_UPLOAD_LIMIT_EXCEEDED: {
    http: 409,
    sip: null,
    text: 'Too many knowledge bases',
    docs: 'The organization has as many knowledge bases as DEMARC_KNOWLEDGE_BASES allows. Delete one (DELETE /v1/knowledge/{id}), or put several texts into one.',
    showsDetail: true,
  },
  INVALID_INPUT: {
    http: 400,
    sip: null,
    text: 'The text cannot be learned',
    docs: 'The text of POST /v1/knowledge/learn is larger than 1 MB (1,048,576 octets in UTF-8), or has no words. Split a large text into several knowledge bases.',
    showsDetail: true,
  },
});

/** What a successful response reports about numbers: codes of `warnings`. */
export interface WarningDefinition {
  readonly text: string;
  /** Meaning and remedy, for the documentation. */
  readonly docs: string;
}

/** Every warning, once; codes are as stable as those of errors. */
export const warnings = {
  NO_REGISTRAR: {
    text: 'No registrar',
    docs: '`auth_mode` is register, but the inbound direction has no registrar and the number has no outbound server. Set one of them.',
  },
  ALERT_NEVER_FIRES: {
    text: 'Alert never fires',
    docs: '`alert_config` is enabled without a threshold. Set unreachable_minutes, failure_rate_percent or response_time_ms.',
  },
  CHANGE_NOT_CONFIRMED: {
    text: 'Not all edges have confirmed the change',
    docs: 'The change is stored, but not all edges confirmed it within five seconds, or Redis is down. Edges get it as soon as they respond, and when Redis is back; do not repeat the request.',
  },
  NO_ALLOWED_IPS: {
    text: 'No allowed_ips',
    docs: 'The inbound configuration lists no source addresses; the message says which callers are admitted anyway, and why.',
  },
} satisfies Record<string, WarningDefinition>;

export type WarningCode = keyof typeof warnings;

export type ErrorCode = keyof typeof errors;

/** `Not found: the number has no trunk`, and not `Not found: Trunk not found`. */
function messageOf(text: string, detail: string | undefined): string {
  if (detail === undefined) return text;
  return detail.toLowerCase().includes(text.toLowerCase()) ? detail : `${text}: ${detail}`;
}

/** Codes whose detail an HTTP response shows to the caller. */
export type DetailedCode = {
  [Code in ErrorCode]: (typeof errors)[Code] extends { readonly showsDetail: true } ? Code : never;
}[ErrorCode];

interface DetailedFacts {
  readonly detail?: string | undefined;
  /** The error that this one reports. */
  readonly cause?: unknown;
}

interface OperatorFacts {
  /** For logs alone; it may name configuration. */
  readonly operatorDetail?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure with its code. A detail reaches the caller if the code shows it; any other one is for operators, and is called so. */
export class DemarcError extends Error {
  readonly detail: string | undefined;

  /** @param facts a string is the detail */
  constructor(code: DetailedCode, facts?: string | DetailedFacts);
  constructor(code: ErrorCode, facts?: OperatorFacts);
  constructor(
    readonly code: ErrorCode,
    facts: string | (DetailedFacts & OperatorFacts) = {},
  ) {
    const { detail, operatorDetail, ...options }: DetailedFacts & OperatorFacts =
      typeof facts === 'string' ? { detail: facts } : facts;
    const shown = detail ?? operatorDetail;
    super(messageOf(errors[code].text, shown), options);
    this.name = 'DemarcError';
    this.detail = shown;
  }

  get definition(): ErrorDefinition {
    return errors[this.code];
  }
}

/* Generated from the description of the API: npm run client:typescript. Do not edit. */

import { type CallOptions, Requests } from './requests.js';

export type AcceptInvitationAnswer = {
  /** The answer. */
  data: Session;
  /** Null: the request succeeded. */
  errors: null;
};

export type AddAgentMetadataAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
  /** All values that the record will have */
  agent_metadata: Record<string, string>;
};

export type Alert = {
  /** Id of an alert. */
  alert_id: string;
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** Kind. */
  kind: "unreachable" | "failure_rate" | "response_time";
  /** `active`, `recovered`, or `closed`: its threshold was removed while it was active; no notice is sent */
  state: "active" | "recovered" | "closed";
  /** Title of the alert. */
  title: string;
  /** What happened, with measured values */
  summary: string;
  /** The likely cause */
  cause: string;
  /** What to do */
  advice: string;
  /** When it began */
  since: string;
  /** When the alert fired, ISO 8601 in UTC. */
  fired_at: string;
  /** When it ended, ISO 8601 in UTC; null: it is active. */
  recovered_at: string | null;
  /** Measured value; null: none. */
  measured: number | null;
  /** Threshold at which the alert fires. */
  threshold: number;
  /** Unit of `measured` and `threshold`. */
  unit: "minutes" | "percent" | "milliseconds";
  /** Page of the trunk on the dashboard. */
  dashboard_url: string;
  /** When it was acknowledged; null: not */
  acknowledged_at: string | null;
  /** Name of the member or key that acknowledged it; null: not acknowledged */
  acknowledged_by: string | null;
  /** Note for colleagues */
  note: string | null;
  /** No notices of this number, direction and kind until then; null: not muted */
  muted_until: string | null;
  /** When it was muted; null: not muted */
  muted_at: string | null;
  /** Name of the member or key that muted it; null: not muted */
  muted_by: string | null;
  /** The maintenance window that was open when it fired; null: none */
  maintenance: {
    /** window_id of the window */
    window_id: string;
    /** Name of the window when the alert fired */
    name: string;
    /** True: not sent yet; it is sent if it persists after the window */
    withheld: boolean;
  } | null;
  /** Notices sent, with their deliveries. */
  notices: Delivery[];
};

export type AlertConfig = {
  /** False: stored but not used. Default true. */
  enabled: boolean;
  /** Thresholds at which an alert fires. */
  thresholds: {
    /** Fires when the trunk has been unreachable for this many minutes. */
    unreachable_minutes?: number | undefined;
    /** Fires when at least this percentage of calls fails. */
    failure_rate_percent?: number | undefined;
    /** Minutes over which the failure rate is measured. */
    failure_rate_window_minutes?: number | undefined;
    /** Fires when the mean response time of probes exceeds this, in milliseconds. */
    response_time_ms?: number | undefined;
  };
  /** Channels of notices. */
  channels: {
    /** True: by email. */
    email?: boolean | undefined;
    /** True: by SMS. */
    sms?: boolean | undefined;
    /** URL to post to. */
    webhook?: string | undefined;
  };
};

export type AlertSettings = {
  /** False: stored but not used. Default true. */
  enabled?: boolean | undefined;
  /** Thresholds at which an alert fires. */
  thresholds?: {
    /** Fires when the trunk has been unreachable for this many minutes. */
    unreachable_minutes?: number | undefined;
    /** Fires when at least this percentage of calls fails. */
    failure_rate_percent?: number | undefined;
    /** Minutes over which the failure rate is measured. */
    failure_rate_window_minutes?: number | undefined;
    /** Fires when the mean response time of probes exceeds this, in milliseconds. */
    response_time_ms?: number | undefined;
  } | undefined;
  /** Channels of notices. */
  channels?: {
    /** True: by email. */
    email?: boolean | undefined;
    /** True: by SMS. */
    sms?: boolean | undefined;
    /** URL to post to. */
    webhook?: string | undefined;
  } | undefined;
};

export type AnalyzeTestRunAnswer = {
  /** The answer. */
  data: {
    /** The analysis. */
    analysis: TestAnalysis;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type AttachNumbersAnswer = {
  /** The answer. */
  data: {
    /** Numbers that were configured. */
    configured: string[];
    /** Numbers that could not be configured, each with its reason. */
    failed: {
      /** E.164 with +, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: string;
      /** Why the number was not configured. */
      message: string;
    }[];
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
    /** Shown once, when a registration was attached that was not before */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type AttachNumbersToTrunkAnswer = {
  /** The answer. */
  data: {
    /** Numbers that were configured. */
    configured: string[];
    /** Numbers that could not be configured, each with its reason. */
    failed: {
      /** E.164 with +, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: string;
      /** Why the number was not configured. */
      message: string;
    }[];
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
    /** Shown once, when a registration was attached that was not before */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type AttachPathwayNumbersAnswer = {
  /** The answer. */
  data: ChangedPathway;
  /** Null: the request succeeded. */
  errors: null;
};

export type AttachPersonaNumbersAnswer = {
  /** The answer. */
  data: ChangedPersona;
  /** Null: the request succeeded. */
  errors: null;
};

export type AttachedDirection = {
  /** One of your numbers, E.164 with +. */
  number: string;
  /** Its id. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
  sip_endpoint: string | null;
  /** Agent of calls to the number, or with outbound of calls that it places; null: not set. */
  agent: string | null;
  /** Where the service registers; null: at the first outbound server, or not at all. */
  registrar: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Mappings of SIP headers and variables. */
  headers: {
    /** Same as that of the configuration. */
    direction: "inbound" | "outbound";
    /** The mappings, at most 15. */
    headers: Record<string, unknown>[];
  } | null;
  /** Settings of the agents that are WebSocket servers */
  agent_streams: WebSocketAgentView[];
  /** Other connection settings. */
  options: {
    /** How callers are recognized: `ip` by source address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** Port, 1–65535. */
    port?: number | undefined;
    /** SIP transport: udp, tcp or tls. */
    transport?: "udp" | "tcp" | "tls" | undefined;
    /** True: SRTP; false: plain RTP. */
    secure_media?: boolean | undefined;
    /** True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting. */
    symmetric_rtp?: boolean | undefined;
    /** User name for digest challenges. */
    sip_username?: string | undefined;
    /** Password for digest challenges; stored passwords read `[redacted]`. */
    sip_password?: "[redacted]" | undefined;
    /** Realm that the credentials are for. Default: any. */
    sip_realm?: string | undefined;
    /** PEM: the server’s CA or its own certificate, which replaces the default authorities. Default: the authorities that the edge trusts. */
    tls_ca?: string | undefined;
    /** Agents that ring together, in place of `agent`. */
    agents?: {
      /** `ring_all`: all ring at once; the first that answers has the call. */
      strategy: "ring_all";
      /** Servers; of `agents`, the agents. */
      endpoints: string[];
    } | undefined;
  };
  /** User name and password of the registration; null: none. */
  register_auth: {
    /** The user name. */
    username: string;
    /** The password; stored passwords read `[redacted]`. */
    password: "[redacted]";
  } | null;
  /** Addresses and CIDRs that may call; null: not configured. */
  allowed_ips: string[] | null;
  /** Backup servers of the outbound direction; null: none. */
  failover_config: FailoverConfig | null;
  /** Codecs of the direction; null: the default ones. */
  codec_config: CodecConfig | null;
  /** Thresholds and channels of alerts; null: not configured. */
  alert_config: AlertConfig | null;
  /** Call limits; null: the defaults. */
  limits: TrunkLimits | null;
  /** How calls are transferred; null: the defaults. */
  transfer_config: TransferConfig | null;
};

export type AuditEvent = {
  /** Id of an event of the audit log. */
  audit_event_id: string;
  /** When it was done */
  occurred_at: string;
  /** Who did it */
  actor: {
    /** `key`: an API key; `member`: a person; `command`: the command line of the service */
    kind: "key" | "member" | "command";
    /** Id of the key or member */
    id: string;
    /** Name of the key or person at that time */
    name: string;
  };
  /** operationId of the request, or the name of the action */
  action: string;
  /** The action in words */
  summary: string;
  /** What was changed: ids and names, of contacts and calls only ids; may be empty */
  subject: string;
  /** Names of the fields in the request, without their values */
  fields: string;
  /** Remote address; null: command line */
  address: string | null;
};

export type Call = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Call-ID header of the trunk's leg */
  sip_call_id: string;
  /** E.164 with +, such as +14155550100. */
  phone_number: string | null;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** The caller. */
  from: string;
  /** The callee. */
  to: string;
  /** Its state. */
  status: string | null;
  /** SIP status of the final response; null: none. */
  sip_code: number | null;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`. */
  outcome: "completed" | "cancelled" | "refused" | "failed";
  /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
  /** Side that ended it. */
  ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api";
  /** Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known. */
  audio_problem: "one_way" | "none" | "lost" | null;
  /** Why the call ended */
  cause: string;
  /** Recommended action */
  advice: string;
  /** From answer to end; 0 if not answered */
  duration_seconds: number;
  /** ISO 8601 in UTC */
  started_at: string;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** ISO 8601 in UTC */
  ended_at: string;
  /** Address that the call came from, or went to. */
  source_ip: string;
  /** Display name of the other party; null: none was sent */
  party_name: string | null;
  /** The lower mean opinion score of both sides, 1.0 to 5.0; null: not reported */
  mos: number | null;
  /** Null: no organization has the number */
  organization_id: string | null;
  /** The call rang when its edge was lost, and another edge began it again as this call, with the same `sip_call_id`; statistics count that one alone. null: it was not */
  continued_as: string | null;
  /** Test run that placed the call; null: none. Tests count neither as usage nor in statistics. */
  test_run_id: string | null;
};

export type CallAttempt = {
  /** The server, as `host:port;transport=…`. */
  server: string;
  /** Call-ID header of the trunk's leg; null: there was none. */
  sip_call_id: string;
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string;
  /** Duration in milliseconds. */
  duration_milliseconds: number;
  /** SIP status; null: no response. */
  sip_status: number | null;
  /** Reason phrase of the SIP status. */
  sip_reason: string | null;
  /** True: no server answered; Demarc set the status. */
  is_local: boolean;
  /** Why the next server was tried; null: no other was tried. */
  trigger: "unreachable" | "timeout" | "auth_failure" | null;
};

export type CallBatch = {
  /** Id of the batch */
  batch_id: string;
  /** Free text */
  name: string;
  /** The calling number */
  from: string;
  /** scheduled: its start is in the future; stopping: no more calls are dialled, some are active; completed: every call has ended */
  status: "scheduled" | "running" | "stopping" | "stopped" | "completed";
  /** Calls of the batch */
  total: number;
  /** Calls by progress; they add up to total */
  progress: {
    /** Not dialled yet */
    waiting: number;
    /** Being dialled, ringing or answered */
    active: number;
    /** Answered and ended */
    completed: number;
    /** Ended without an answer */
    failed: number;
    /** Stopped before they were answered */
    cancelled: number;
  };
  /** Time of the order */
  created_at: string;
  /** Earliest time to dial; null: at once */
  scheduled_at: string | null;
  /** Calls not dialled by then are given up */
  until: string;
  /** Time of the stop; null: not stopped */
  stopped_at: string | null;
};

export type CallDetail = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Call-ID header of the trunk's leg */
  sip_call_id: string;
  /** E.164 with +, such as +14155550100. */
  phone_number: string | null;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** The caller. */
  from: string;
  /** The callee. */
  to: string;
  /** Its state. */
  status: string | null;
  /** SIP status of the final response; null: none. */
  sip_code: number | null;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`. */
  outcome: "completed" | "cancelled" | "refused" | "failed";
  /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
  /** Side that ended it. */
  ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api";
  /** Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known. */
  audio_problem: "one_way" | "none" | "lost" | null;
  /** Why the call ended */
  cause: string;
  /** Recommended action */
  advice: string;
  /** From answer to end; 0 if not answered */
  duration_seconds: number;
  /** ISO 8601 in UTC */
  started_at: string;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** ISO 8601 in UTC */
  ended_at: string;
  /** Address that the call came from, or went to. */
  source_ip: string;
  /** Display name of the other party; null: none was sent */
  party_name: string | null;
  /** The lower mean opinion score of both sides, 1.0 to 5.0; null: not reported */
  mos: number | null;
  /** Null: no organization has the number */
  organization_id: string | null;
  /** The call rang when its edge was lost, and another edge began it again as this call, with the same `sip_call_id`; statistics count that one alone. null: it was not */
  continued_as: string | null;
  /** Test run that placed the call; null: none. Tests count neither as usage nor in statistics. */
  test_run_id: string | null;
  /** Its state. */
  state: "ended";
  /** Id of the edge process that has or had the call. */
  edge_id: string;
  /** When it first rang, ISO 8601 in UTC; null: it did not. */
  ringing_at: string | null;
  /** Port at that address. */
  source_port: number;
  /** SIP transport: udp, tcp or tls. */
  source_protocol: string;
  /** The From header of the INVITE. */
  from_header: string;
  /** The To header of the INVITE. */
  to_header: string;
  /** Further details, such as the rule that refused the call */
  detail: string | null;
  /** Call-ID header of the agent's leg; null: there was none. */
  agent_sip_call_id: string | null;
  /** Codecs, encryption and RTP statistics; null: no media was negotiated. */
  media: CallMedia | null;
  /** Each requested transfer with its outcome */
  transfers: CallTransfer[];
  /** Edges that held the call before `edge_id`, and when another one took it over from each; messages of about that moment may be missing in `trace` */
  adoptions: {
    /** ISO 8601 in UTC */
    at: string;
    /** Id of the edge process that has or had the call. */
    edge_id: string;
  }[];
  /** Id of the call of a lost edge that this one continues, see its `continued_as`; null: none */
  continues: string | null;
  /** When the audio moved to another media server because its own was lost */
  media_moves: {
    /** ISO 8601 in UTC */
    at: string;
    /** Lost media server; null: unknown */
    from: string | null;
    /** Media server that has the audio since then; the same as `from`: it was restarted */
    to: string;
    /** From the finding of the loss to the move */
    milliseconds: number;
  }[];
  /** Outbound calls: servers tried, in order */
  attempts: CallAttempt[];
  /** Values that the agent set during the call */
  agent_metadata: Record<string, string>;
  /** Every SIP message of the call, in order. */
  trace: TraceMessage[];
  /** True: messages are missing from the trace. */
  trace_truncated: boolean;
  /** True: the trace is in the object store, which does not respond. Repeat the request later. */
  trace_unavailable: boolean;
};

export type CallEvent = {
  /** What happened to the call. */
  change: "began" | "ringing" | "answered" | "ended";
  /** The call. */
  call: LiveCall;
  /** How it ended; null: it is active. */
  end: {
    /** When, ISO 8601 in UTC. */
    at: string;
    /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
    end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
    /** Side that ended it. */
    ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api";
    /** How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`. */
    outcome: "completed" | "cancelled" | "refused" | "failed";
    /** SIP status; null: no response. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** Further details; null: none. */
    detail: string | null;
    /** The cause in plain words. */
    cause: string;
    /** Recommended action. */
    advice: string;
  } | null;
};

export type CallFigures = {
  /** Answered and not ended, as in the list of active calls; null while Redis is down */
  active: number | null;
  /** Calls that are not answered yet; null: unknown. */
  ringing: number | null;
  /** New calls, mean of the last ten seconds */
  calls_per_second: number | null;
  /** Of the calls that ended within it; null while the database is down */
  windows: {
    /** Of the last five minutes. */
    "5m": WindowFigures;
    /** Of the last hour. */
    "1h": WindowFigures;
    /** Of the last 24 hours. */
    "24h": WindowFigures;
  } | null;
};

export type CallGroup = {
  /** Id of the organization; null: the number belongs to none. */
  organization_id: string | null;
  /** E.164 with +, such as +14155550100. */
  phone_number: string | null;
  /** Operator keys only */
  edge_id: string | null;
  /** Answered and not ended */
  active: number;
  /** Calls that are not answered yet; null: unknown. */
  ringing: number;
};

export type CallMedia = {
  /** Codec on the trunk's side. */
  trunk_codec: string | null;
  /** Codec on the agent's side. */
  agent_codec: string | null;
  /** SRTP suite on the trunk's side; null: plain RTP. */
  srtp_suite: string | null;
  /** Why audio was converted. `no_common_codec`: the offering side had none of the number’s codecs. `agent_chose`, `trunk_chose`: that side answered another codec than the offering side’s. null: not converted */
  transcoded_because: "no_common_codec" | "agent_chose" | "trunk_chose" | null;
  /** RTP statistics of both sides. */
  rtp: {
    /** RTP on the trunk's side; null: unknown. */
    trunk: RtpSide | null;
    /** RTP on the agent's side; null: unknown. */
    agent: RtpSide | null;
  };
  /** Quality over time. Sampled by the edge while the call is watched or bad, otherwise from about ten RTCP reports; null: no reports */
  quality: CallQuality | null;
  /** How soon the agent replied; null: not measured, as the call was not watched */
  turns: CallTurns | null;
};

export type CallQuality = {
  /** Length of the sampled intervals: 5 s, and twice, four times … that for long calls; each figure is then the worst 5 s. null: only RTCP reports are known */
  every_seconds: number | null;
  /** What came from the trunk, oldest first */
  trunk: MediaSample[];
  /** What came from the agent, oldest first */
  agent: MediaSample[];
};

export type CallSeries = {
  /** Time range. */
  window: "1h" | "24h" | "7d" | "30d";
  /** Seconds that one bucket covers. */
  bucket_seconds: number;
  /** Statistics over time, oldest first, without gaps. */
  buckets: {
    /** When, ISO 8601 in UTC. */
    at: string;
    /** Servers tried, in order. */
    attempts: number;
    /** Answered calls. */
    answered: number;
    /** How many failed. */
    failed: number;
    /** Answered calls with bad audio: the audio of a side was missing or stopped */
    bad_audio: number;
    /** Share of attempts that were answered, in percent; null: no attempts. */
    answer_rate_percent: number | null;
    /** Mean milliseconds from INVITE to its 200; null: none was answered. */
    average_setup_ms: number | null;
    /** Mean milliseconds from INVITE to the first ringing; null: none rang. */
    average_post_dial_delay_ms: number | null;
  }[];
};

export type CallShare = {
  /** Id of a link to a call. */
  share_id: string;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Name of the member or key */
  created_by: string;
  /** When it expires, ISO 8601 in UTC; null: it does not. */
  expires_at: string;
};

export type CallTestSuite = {
  /** Calls that were read. */
  examined_calls: number;
  /** Calls among them of which the agent stored no messages of a caller. */
  unheard_calls: number;
  /** Calls left out because their caller says nearly what that of another one says. */
  similar_calls: number;
  /** One scenario for each other call. */
  scenarios: GeneratedTestScenario[];
};

export type CallTransfer = {
  /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
  mode: "refer" | "bridge" | "attended" | "replaced";
  /** Side that requested it. */
  requested_by: "trunk" | "agent" | "api";
  /** Target, as it was requested. */
  target: string;
  /** Outcome of the transfer. */
  status: "completed" | "failed" | "unknown";
  /** Why it ended so. */
  reason: "completed" | "rejected" | "forbidden" | "no_answer" | "unreachable" | "call_ended" | "subscription_terminated" | "media_failed" | "cancelled" | "limit" | "internal_error";
  /** SIP status; null: no response. */
  sip_status: number | null;
  /** Reason phrase of the SIP status. */
  sip_reason: string | null;
  /** Further details; null: none. */
  detail: string | null;
  /** When it was requested, ISO 8601 in UTC. */
  requested_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string;
  /** Call-ID header of the trunk's leg; null: there was none. */
  sip_call_id: string | null;
  /** Id of the other call of an attended transfer. */
  other_call_id: string | null;
};

export type CallTurns = {
  /** Replies measured */
  count: number;
  /** From the end of the caller’s speech to the first audio of the agent, as they pass Demarc; half of the replies were as fast or faster */
  p50_milliseconds: number;
  /** 95th percentile of the same */
  p95_milliseconds: number;
  /** Slowest reply */
  worst_milliseconds: number;
  /** How often the agent began while the caller spoke; not among the replies */
  interruptions: number;
  /** For how long the call was measured */
  measured_seconds: number;
  /** At most 40, oldest first; of more, the slower one of each two */
  replies: {
    /** ISO 8601 in UTC */
    at: string;
    /** Duration in milliseconds. */
    milliseconds: number;
  }[];
};

export type CancelLoadTestAnswer = {
  /** The answer. */
  data: LoadTest;
  /** Null: the request succeeded. */
  errors: null;
};

export type CancelPortAnswer = {
  /** The answer. */
  data: {
    /** Always true. */
    canceled: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CancelSimulationSetAnswer = {
  /** The answer. */
  data: SimulationSet;
  /** Null: the request succeeded. */
  errors: null;
};

export type CancelTestBatchAnswer = {
  /** The answer. */
  data: TestBatch;
  /** Null: the request succeeded. */
  errors: null;
};

export type CancelTestRunAnswer = {
  /** The answer. */
  data: TestRun;
  /** Null: the request succeeded. */
  errors: null;
};

export type CancelTornadoAnswer = {
  /** The answer. */
  data: {
    /** Always true: the session is cancelled. */
    cancelled: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CancelWarmTransferAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type CertificateAuthority = {
  /** PEM. */
  certificate: string;
  /** Fingerprint of the certificate, hexadecimal with colons. */
  sha256: string;
  /** Distinguished name. */
  subject: string;
  /** When it expires. */
  not_after: string;
};

export type ChangePasswordAnswer = {
  /** The answer. */
  data: Session;
  /** Null: the request succeeded. */
  errors: null;
};

export type ChangedPathway = {
  /** Id of the pathway, a UUID. */
  id: string;
  /** Its name. */
  name: string;
  /** Free text; null: not set. */
  description: string | null;
  /** Numbers whose inbound calls follow the pathway. */
  numbers: {
    /** The number, E.164 with +. */
    phone_number: string;
    /** The version that its calls follow; null: the live one. */
    version_number: number | null;
  }[];
  /** The live version; null: none. */
  current_production_version: PathwayVersionSummary | null;
  /** What the next promotion makes live; null: nothing. */
  current_draft_version: PathwayVersionSummary | null;
  /** The latest promotion that required tests; null: none. */
  promotion: Promotion | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Warnings about what was configured. */
  warnings: {
    /** E.164 with +; null: the warning is about all numbers of the request */
    phone_number: string | null;
    /** A code of docs/errors.md */
    warning: string;
    /** The warning in plain words. */
    message: string;
  }[];
};

export type ChangedPersona = {
  /** Id of the persona, a UUID. */
  id: string;
  /** Its name. */
  name: string;
  /** Its role, free text; null: not set. */
  role: string | null;
  /** Free text; null: not set. */
  description: string | null;
  /** Your labels. */
  tags: string[];
  /** Your data, returned unchanged; null: not set. */
  metadata: Record<string, unknown> | null;
  /** Numbers whose inbound calls it answers, E.164 with +. */
  inbound_numbers: string[];
  /** Id of the live version; null: it was never promoted. */
  current_production_version_id: string | null;
  /** Id of the draft; null: nothing changed since the last promotion. */
  current_draft_version_id: string | null;
  /** The version that calls get; null: none. */
  current_production_version: PersonaVersion | null;
  /** What the next promotion makes live; null: nothing. */
  current_draft_version: PersonaVersion | null;
  /** The latest promotion that required tests; null: none. */
  promotion: Promotion | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Warnings about what was configured. */
  warnings: {
    /** E.164 with +; null: the warning is about all numbers of the request */
    phone_number: string | null;
    /** A code of docs/errors.md */
    warning: string;
    /** The warning in plain words. */
    message: string;
  }[];
};

export type ChangedTestScenario = {
  /** Id of the scenario, a UUID. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Its name. */
  name: string;
  /** Pathway under test; null: another target. */
  pathway_id: string | null;
  /** Persona under test; null: another target. */
  persona_id: string | null;
  /** Agent at its own address; null: another target. */
  agent: TestAgent | null;
  /** Free text; null: none. */
  description: string | null;
  /** Kind of caller. Default CUSTOM. */
  category: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM";
  /** AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT. */
  scenario_type: "AGENT" | "REPLAY" | "HISTORICAL";
  /** How it is run unless the run says otherwise: text or voice (a real call). Default text. */
  channel: "text" | "voice";
  /** How the simulated caller behaves and what it wants; required with AGENT. */
  tester_persona_prompt: string;
  /** Name of the simulated caller; null: none. */
  tester_persona_name: string | null;
  /** Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL. */
  first_speaker: "agent" | "caller" | null;
  /** Most turns of the caller. Default 20, range 1–50. */
  max_turns: number;
  /** Variables that the conversation begins with, as in `request_data` of a call. */
  request_data: Record<string, unknown>;
  /** Node that the conversation begins at; null: the start node of the pathway. */
  start_node_id: string | null;
  /** Whether runs get a tone score. Default false. */
  service_tone_enabled: boolean;
  /** Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false. */
  is_required_for_promotion: boolean;
  /** How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50. */
  promotion_runs: number;
  /** Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95. */
  required_pass_rate: number;
  /** False: gates and tornado skip it. Default true. */
  enabled: boolean;
  /** Recorded conversation for REPLAY and HISTORICAL, at most 200 lines. */
  input_messages: TestChatLine[];
  /** Further instructions for the simulated caller; null: none. */
  advanced_instructions: string | null;
  /** Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used. */
  webhook_mocks: TestWebhookMock[];
  /** How it is run as a call; null: the defaults. */
  voice: TestVoiceSettings | null;
  /** Your data, returned unchanged. */
  metadata: Record<string, unknown>;
  /** What must hold after the conversation. */
  assertions: TestAssertion[];
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Assertions that its runs cannot evaluate, and why. */
  warnings: string[];
};

export type ChatWithKnowledgeAnswer = {
  /** The answer. */
  data: {
    /** The answer; null: there is none. */
    response: string | null;
    /** The passages as the language model got them, numbered. */
    context: string;
    /** The passages, best first. */
    sources: KnowledgePassage[];
    /** What the answer lacks and why; null: nothing. */
    note: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CheckNumberAnswer = {
  /** The answer. */
  data: {
    /** E.164 with +, such as +14155550100. */
    phone_number: string;
    /** ISO 3166 code of the country; null: none, such as +800 */
    country: string | null;
    /** `available`: it can be attached; `attached`: your organization has it; `taken`: another organization has it; `proof_required`: an operator must confirm your ownership first */
    state: "available" | "attached" | "taken" | "proof_required";
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CheckPortabilityAnswer = {
  /** The answer. */
  data: {
    /** One entry for each number. */
    results: PortCheck[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CloneTestTemplateAnswer = {
  /** The answer. */
  data: {
    /** The scenario. */
    scenario: TestScenario;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CodecConfig = {
  /** Codecs, in order of preference. */
  codecs: string[];
  /** True: transcode if the two sides have no common codec. Default false. */
  transcode: boolean;
};

export type CodecSettings = {
  /** Enabled codecs, in order of preference */
  codecs: ("PCMU" | "PCMA" | "G.729" | "Opus" | "G.722")[];
  /** True: transcode if the two sides have no common codec. Default false. */
  transcode?: boolean | undefined;
};

export type ComparePathwayVersionsAnswer = {
  /** The answer. */
  data: {
    /** Number of the earlier version. */
    from_version: number;
    /** Number of the later version. */
    to_version: number;
    /** The changes; empty: none. */
    changes: PathwayChange[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CompareSimulationSetsAnswer = {
  /** The answer. */
  data: SetComparison;
  /** Null: the request succeeded. */
  errors: null;
};

export type ComparedSet = {
  /** Id of the set. */
  id: string;
  /** Versions of the pathway or persona that ran. */
  versions: number[];
  /** Models that spoke for the agent. */
  agent_models: string[];
  /** Whether the stand-in took part. */
  is_stand_in: boolean;
};

export type ComparedSide = {
  /** Runs that passed. */
  passed: number;
  /** Runs that failed. */
  failed: number;
  /** Runs that could not be completed or judged. */
  errors: number;
  /** Share that passed, 0–1; null: no runs. */
  pass_rate: number | null;
  /** Wilson interval of the pass rate at 95 %; null: no runs. */
  pass_rate_interval: {
    /** Lower bound. */
    lower: number;
    /** Upper bound. */
    upper: number;
  } | null;
};

export type CompleteWarmTransferAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type Configuration = {
  /** One of your numbers, E.164 with +. */
  number: string;
  /** Its id. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
  sip_endpoint: string | null;
  /** Agent of calls to the number, or with outbound of calls that it places; null: not set. */
  agent: string | null;
  /** Where the service registers; null: at the first outbound server, or not at all. */
  registrar: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Mappings of SIP headers and variables. */
  headers: {
    /** Same as that of the configuration. */
    direction: "inbound" | "outbound";
    /** The mappings, at most 15. */
    headers: Record<string, unknown>[];
  } | null;
  /** Settings of the agents that are WebSocket servers */
  agent_streams: WebSocketAgentView[];
  /** Other connection settings. */
  options: {
    /** How callers are recognized: `ip` by source address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** Port, 1–65535. */
    port?: number | undefined;
    /** SIP transport: udp, tcp or tls. */
    transport?: "udp" | "tcp" | "tls" | undefined;
    /** True: SRTP; false: plain RTP. */
    secure_media?: boolean | undefined;
    /** True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting. */
    symmetric_rtp?: boolean | undefined;
    /** User name for digest challenges. */
    sip_username?: string | undefined;
    /** Password for digest challenges; stored passwords read `[redacted]`. */
    sip_password?: "[redacted]" | undefined;
    /** Realm that the credentials are for. Default: any. */
    sip_realm?: string | undefined;
    /** PEM: the server’s CA or its own certificate, which replaces the default authorities. Default: the authorities that the edge trusts. */
    tls_ca?: string | undefined;
    /** Agents that ring together, in place of `agent`. */
    agents?: {
      /** `ring_all`: all ring at once; the first that answers has the call. */
      strategy: "ring_all";
      /** Servers; of `agents`, the agents. */
      endpoints: string[];
    } | undefined;
  };
  /** User name and password of the registration; null: none. */
  register_auth: {
    /** The user name. */
    username: string;
    /** The password; stored passwords read `[redacted]`. */
    password: "[redacted]";
  } | null;
  /** Addresses and CIDRs that may call; null: not configured. */
  allowed_ips: string[] | null;
};

export type ConfigureDirectionAnswer = {
  /** The answer. */
  data: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config: FailoverConfig | null;
    /** Codecs of the direction; null: the default ones. */
    codec_config: CodecConfig | null;
    /** Thresholds and channels of alerts; null: not configured. */
    alert_config: AlertConfig | null;
    /** Call limits; null: the defaults. */
    limits: TrunkLimits | null;
    /** How calls are transferred; null: the defaults. */
    transfer_config: TransferConfig | null;
    /** E.164 with +, such as +14155550100. */
    phone_number: string;
    /** `inbound`: to the number; `outbound`: from the number. */
    direction: "inbound" | "outbound";
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type Contact = {
  /** Id of the contact, a UUID. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Name of the contact; empty: unknown. */
  name: string;
  /** Your own data. */
  metadata: Record<string, unknown>;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** What the contact is recognized by. */
  identifiers: ContactIdentifier[];
  /** One for each persona or number. */
  memories: ContactMemory[];
};

export type ContactEntity = {
  /** Kind of entity, such as order. */
  entity_type: string;
  /** Id of the entity. */
  entity_id: string;
  /** What is known, by name. */
  facts: Record<string, string | number | boolean>;
  /** Its status; empty: unknown. */
  status: string;
  /** ISO 8601 in UTC */
  last_discussed_at: string;
  /** Further notes; null: none. */
  notes: string | null;
};

export type ContactExport = {
  /** ISO 8601 in UTC */
  exported_at: string;
  /** The contact, with all messages that are kept. */
  contact: Contact;
  /** Contacts that were merged into it. */
  merges: ContactMerge[];
  /** Calls to the contact, as they were ordered. */
  orders: ContactOrder[];
  /** Ended calls with the contact, with their SIP traces. */
  calls: CallDetail[];
};

export type ContactIdentifier = {
  /** Its id. */
  id: string;
  /** Id of the contact, a UUID. */
  contact_id: string;
  /** Kind of identifier. */
  identifier_type: "phone_number" | "email" | "external_id";
  /** A number in E.164 with +, an email address, or your own id. */
  identifier_value: string;
  /** True: the first one of its kind. */
  is_primary: boolean;
};

export type ContactMemory = {
  /** Its id. */
  id: string;
  /** Id of the contact, a UUID. */
  contact_id: string;
  /** The persona that remembers; empty: an agent without one. */
  persona_id: string;
  /** The number whose agent remembers, E.164 with +; null: all numbers. */
  agent_number: string | null;
  /** The conversations so far; empty: none. */
  summary: string;
  /** What is known, by name. */
  facts: Record<string, string | number | boolean>;
  /** The last messages, oldest first. */
  recent_messages: ContactMessage[];
  /** What is left to do. */
  open_items: ContactOpenItem[];
  /** What the contact talks about, such as orders. */
  entities: ContactEntity[];
};

export type ContactMemoryChanges = {
  /** The persona that remembers. With a call token: that of the call. */
  persona_id?: string | undefined;
  /** Without a persona: the number whose agent remembers, E.164 with +. */
  agent_number?: string | undefined;
  /** Replaces the summary. At most 8,000 characters. */
  summary?: string | undefined;
  /** Facts to add or change, by name: text of at most 1,000 characters, numbers, true or false; null removes one. */
  facts?: Record<string, string | number | boolean | null> | undefined;
  /** Messages to add, at most 100. */
  messages?: {
    /** user: the contact. assistant: the agent. */
    role: "user" | "assistant";
    /** What was said. At most 4,000 characters. */
    content: string;
    /** How it was said. Default call. */
    channel?: "call" | "sms" | undefined;
    /** When, ISO 8601 with a time zone. Default: now. A repeated message counts once. */
    timestamp?: string | undefined;
  }[] | undefined;
  /** Items to add; one with the same type and description is replaced. At most 100. */
  open_items?: {
    /** Kind of item, such as follow_up. */
    type: string;
    /** What is left to do. */
    description: string;
    /** Its priority. Default medium. */
    priority?: "low" | "medium" | "high" | undefined;
    /** When it came up, ISO 8601. Default: now. */
    created_at?: string | undefined;
    /** The entity that it is about; null: none. */
    related_to?: {
      /** Kind of entity, such as order. */
      entity_type: string;
      /** Id of the entity. */
      entity_id: string;
    } | null | undefined;
  }[] | undefined;
  /** Open items that are done, by type and description. At most 100. */
  closed_items?: {
    /** Kind of item, such as follow_up. */
    type: string;
    /** What is left to do. */
    description: string;
  }[] | undefined;
  /** Entities to add or change, by type and id: omitted fields keep their value. At most 100. */
  entities?: {
    /** Kind of entity, such as order. */
    entity_type: string;
    /** Id of the entity. */
    entity_id: string;
    /** Facts to add or change, by name: text of at most 1,000 characters, numbers, true or false; null removes one. */
    facts?: Record<string, string | number | boolean | null> | undefined;
    /** Its status. At most 100 characters. */
    status?: string | undefined;
    /** When it was last talked about, ISO 8601. Default: now. */
    last_discussed_at?: string | undefined;
    /** Further notes; null clears them. */
    notes?: string | null | undefined;
  }[] | undefined;
  /** Entities to forget, by type and id. At most 100. */
  removed_entities?: {
    /** Kind of entity, such as order. */
    entity_type: string;
    /** Id of the entity. */
    entity_id: string;
  }[] | undefined;
};

export type ContactMerge = {
  /** Its id. */
  id: string;
  /** The contact that was merged into this one. */
  merged_contact_id: string;
  /** Id of the API key or member that did it. */
  merged_by: string;
  /** ISO 8601 in UTC */
  merged_at: string;
  /** The merged contact as it was. */
  merged: MergedContact;
};

export type ContactMessage = {
  /** user: the contact. assistant: the agent. */
  role: "user" | "assistant";
  /** What was said. */
  content: string;
  /** How it was said. */
  channel: "call" | "sms";
  /** ISO 8601 in UTC */
  timestamp: string;
};

export type ContactOpenItem = {
  /** Kind of item, such as follow_up. */
  type: string;
  /** What is left to do. */
  description: string;
  /** ISO 8601 in UTC */
  created_at: string;
  /** Its priority. */
  priority: "low" | "medium" | "high";
  /** The entity that it is about; null: none. */
  related_to: {
    /** Kind of entity. */
    entity_type: string;
    /** Id of the entity. */
    entity_id: string;
  } | null;
};

export type ContactOrder = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** The agent’s task. */
  task: string;
  /** Variables of the agent; null: none. */
  request_data: Record<string, unknown> | null;
  /** Your own data; null: none. */
  metadata: Record<string, unknown> | null;
  /** ISO 8601 in UTC */
  created_at: string;
  /** When the call was to begin; null: at once. */
  scheduled_at: string | null;
};

/** What was removed. */
export type ContactRemoval = {
  /** Number of its numbers. */
  identifiers: number;
  /** Number of memories deleted. */
  memories: number;
  /** Number of call records that no longer name the contact. */
  calls: number;
  /** Number of call orders that no longer name the contact. */
  orders: number;
  /** Number of SIP messages deleted from traces. */
  trace_messages: number;
  /** Number of calls that were active; their records will not name the contact. */
  active_calls: number;
};

export type ContactSummary = {
  /** Id of the contact, a UUID. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Name of the contact; empty: unknown. */
  name: string;
  /** Your own data. */
  metadata: Record<string, unknown>;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** What the contact is recognized by. */
  identifiers: ContactIdentifier[];
};

export type CreateAgentAnswer = {
  /** The answer. */
  data: WebAgent;
  /** Null: the request succeeded. */
  errors: null;
  /** The agent's leg. */
  agent: WebAgent;
};

export type CreateAgentCredentialAnswer = {
  /** The answer. */
  data: {
    /** Id of the credentials of an agent; its digest user name. */
    credential_id: string;
    /** Its name. */
    name: string;
    /** The digest user name. */
    username: string;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
    /** Returned only this once. */
    password: string;
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateAgentStreamSecretAnswer = {
  /** The answer. */
  data: {
    /** Id of the signing secret */
    secret_id: string;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
    /** Key of the HMAC, as text. Returned only this once. */
    secret: string;
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateBatchAnswer = {
  /** The answer. */
  data: CallBatch;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateCallAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Id of the batch that the call belongs to; null: none. */
  batch_id: null;
};

export type CreateKeyAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** Purpose of the key. */
    name: string;
    /** Its first characters, to identify it. */
    prefix: string;
    /** Scopes of the key; null: all rights of its organization. */
    scopes: ("calls:listen" | "trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "personas:read" | "personas:write" | "pathways:read" | "pathways:write" | "calls:read" | "calls:write" | "knowledge:read" | "knowledge:write" | "contacts:read" | "contacts:write" | "agent-testing:read" | "agent-testing:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "organizations:read" | "organizations:write")[] | null;
    /** Sees the fleet and the totals of all organizations. */
    operator: boolean;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
    /** Expiry time; null: does not expire. */
    expires_at: string | null;
    /** Time of the last request with the key, to the minute; null: never used. */
    last_used_at: string | null;
    /** When the key was revoked; null: not revoked. */
    revoked_at: string | null;
    /** The API key, returned only this once. */
    key: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateKeyForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** Purpose of the key. */
    name: string;
    /** Its first characters, to identify it. */
    prefix: string;
    /** Scopes of the key; null: all rights of its organization. */
    scopes: ("calls:listen" | "trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "personas:read" | "personas:write" | "pathways:read" | "pathways:write" | "calls:read" | "calls:write" | "knowledge:read" | "knowledge:write" | "contacts:read" | "contacts:write" | "agent-testing:read" | "agent-testing:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "organizations:read" | "organizations:write")[] | null;
    /** Sees the fleet and the totals of all organizations. */
    operator: boolean;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
    /** Expiry time; null: does not expire. */
    expires_at: string | null;
    /** Time of the last request with the key, to the minute; null: never used. */
    last_used_at: string | null;
    /** When the key was revoked; null: not revoked. */
    revoked_at: string | null;
    /** The API key, returned only this once. */
    key: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateMaintenanceWindowAnswer = {
  /** The answer. */
  data: MaintenanceWindow;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateOrganizationAnswer = {
  /** The answer. */
  data: ManagedOrganization;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreatePathwayAnswer = {
  /** The answer. */
  data: Pathway;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreatePersonaAnswer = {
  /** The answer. */
  data: Persona;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateResetLinkAnswer = {
  /** The answer. */
  data: {
    /** Id of a member. */
    member_id: string;
    /** The link, returned only this once */
    link: string;
    /** The link is valid until then */
    expires_at: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateResetLinkForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** Id of a member. */
    member_id: string;
    /** The link, returned only this once */
    link: string;
    /** The link is valid until then */
    expires_at: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateSessionAnswer = {
  /** The answer. */
  data: Session;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateTestMonitorAnswer = {
  /** The answer. */
  data: TestMonitor;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateTestScenarioAnswer = {
  /** The answer. */
  data: ChangedTestScenario;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateTestScenarioFromRunAnswer = {
  /** The answer. */
  data: TestScenario;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateTestScheduleAnswer = {
  /** The answer. */
  data: TestSchedule;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateTrunkAnswer = {
  /** The answer. */
  data: {
    /** Id of the trunk */
    trunk_id: string;
    /** Free text */
    name: string;
    /** As configured, with [redacted] for each password */
    directions: Record<string, unknown>[];
    /** Codecs, alerts, limits and transfers of calls to the numbers */
    inbound: {
      /** Codecs of the direction; null: the default ones. */
      codec_config: CodecConfig | null;
      /** Thresholds and channels of alerts; null: not configured. */
      alert_config: AlertConfig | null;
      /** Call limits; null: the defaults. */
      limits: TrunkLimits | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: TransferConfig | null;
    };
    /** Failover, codecs, alerts, limits and transfers of calls from the numbers */
    outbound: {
      /** Backup servers of the outbound direction; null: none. */
      failover_config: FailoverConfig | null;
      /** Codecs of the direction; null: the default ones. */
      codec_config: CodecConfig | null;
      /** Thresholds and channels of alerts; null: not configured. */
      alert_config: AlertConfig | null;
      /** Call limits; null: the defaults. */
      limits: TrunkLimits | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: TransferConfig | null;
    };
    /** Numbers that use the trunk */
    number_count: number;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
    /** Time of the last change, ISO 8601 in UTC. */
    updated_at: string;
    /** Password to set in your PBX; returned only once, when the registration is new or changed */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateWebhookAnswer = {
  /** The answer. */
  data: {
    /** Id of a webhook endpoint. */
    webhook_id: string;
    /** URL that receives the events */
    url: string;
    /** Free text */
    description: string;
    /** Events to send: types, areas (call.*), or * for all */
    events: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "usage.*" | "persona.*" | "pathway.*" | "agent_test.*" | "webhook.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped")[];
    /** False: disabled; events that occur meanwhile are not kept */
    enabled: boolean;
    /** request: disabled through the API; failing: no delivery succeeded for days */
    disabled_reason: "request" | "failing" | null;
    /** When it was disabled */
    disabled_at: string | null;
    /** First failed attempt since the last successful delivery */
    failing_since: string | null;
    /** Time since which attempts have had no response within the time limit; null: the endpoint responds */
    silent_since: string | null;
    /** Set while the endpoint is paused because it does not respond: time of the next attempt; other deliveries wait. null: not paused */
    paused_until: string | null;
    /** Deliveries that wait for the endpoint */
    pending_deliveries: number;
    /** Deliveries that failed because too many were waiting (DEMARC_DELIVERY_PENDING) */
    dropped_deliveries: number;
    /** Until then deliveries are also signed with the previous secret */
    previous_secret_until: string | null;
    /** Creation time */
    created_at: string;
    /** Last change */
    updated_at: string;
    /** Signing secret, returned only this once */
    secret: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateWebhookSecretAnswer = {
  /** The answer. */
  data: {
    /** The secret, returned only once. */
    secret: string;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteAgentAnswer = {
  /** The answer. */
  data: {
    /** Id of a web agent. */
    agent_id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteContactAnswer = {
  /** The answer. */
  data: {
    /** True: deleted. */
    deleted: true;
    /** Names the deletion in the audit log. */
    deletion_id: string;
    /** What was removed. */
    removed: ContactRemoval;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteKnowledgeAnswer = {
  /** The answer. */
  data: {
    /** Always true. */
    success: true;
    /** What was done. */
    message: string;
    /** Id of the knowledge base. */
    knowledge_base_id: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteMaintenanceWindowAnswer = {
  /** The answer. */
  data: {
    /** Id of a maintenance window. */
    window_id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeletePathwayAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeletePathwayForkAnswer = {
  /** The answer. */
  data: {
    /** Number of the version. */
    version_number: number;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeletePersonaAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteSessionAnswer = {
  /** The answer. */
  data: {
    /** Always true. */
    ended: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteTestMonitorAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteTestScenarioAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteTestScheduleAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteTrunkAnswer = {
  /** The answer. */
  data: {
    /** Id of a trunk that numbers share. */
    trunk_id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteWebhookAnswer = {
  /** The answer. */
  data: {
    /** Id of a webhook endpoint. */
    webhook_id: string;
    /** True: deleted. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type Delivery = {
  /** Id of a delivery. */
  delivery_id: string;
  /** What happened. */
  event: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped" | "webhook.test" | "alert.test" | "call.lost" | "port.signature_request" | "port.signed_copy" | "agent_test.run_completed" | "agent_test.batch_completed" | "agent_test.simulation_set_completed" | "agent_test.load_test_completed";
  /** Subject of the event: call_id, alert_id, server, or the name of a registration */
  subject: string;
  /** The endpoint; null: the webhook of an order or alert, an email or an SMS */
  webhook_id: string | null;
  /** event_id of the body, for an endpoint’s delivery */
  event_id: string | null;
  /** Channel of a notice. */
  channel: "email" | "sms" | "webhook";
  /** Address, number or URL without its query */
  target: string;
  /** Its state. */
  status: "pending" | "delivered" | "failed";
  /** Attempts so far. */
  attempts: number;
  /** HTTP or SMTP status of the last attempt */
  last_status: number | null;
  /** Last error; null: none. */
  last_error: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last attempt, ISO 8601 in UTC; null: not yet. */
  last_attempt_at: string | null;
  /** Time of the next attempt, ISO 8601 in UTC; null: none. */
  next_attempt_at: string | null;
  /** When the recipient accepted it, ISO 8601 in UTC; null: not yet. */
  delivered_at: string | null;
};

export type DeliveryDetail = {
  /** Id of a delivery. */
  delivery_id: string;
  /** What happened. */
  event: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped" | "webhook.test" | "alert.test" | "call.lost" | "port.signature_request" | "port.signed_copy" | "agent_test.run_completed" | "agent_test.batch_completed" | "agent_test.simulation_set_completed" | "agent_test.load_test_completed";
  /** Subject of the event: call_id, alert_id, server, or the name of a registration */
  subject: string;
  /** The endpoint; null: the webhook of an order or alert, an email or an SMS */
  webhook_id: string | null;
  /** event_id of the body, for an endpoint’s delivery */
  event_id: string | null;
  /** Channel of a notice. */
  channel: "email" | "sms" | "webhook";
  /** Address, number or URL without its query */
  target: string;
  /** Its state. */
  status: "pending" | "delivered" | "failed";
  /** Servers tried, in order. */
  attempts: number;
  /** HTTP or SMTP status of the last attempt */
  last_status: number | null;
  /** Last error; null: none. */
  last_error: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last attempt, ISO 8601 in UTC; null: not yet. */
  last_attempt_at: string | null;
  /** Time of the next attempt, ISO 8601 in UTC; null: none. */
  next_attempt_at: string | null;
  /** When the recipient accepted it, ISO 8601 in UTC; null: not yet. */
  delivered_at: string | null;
  /** The body; null: created from the call when sent */
  body: Record<string, unknown> | null;
  /** Attempts including those before a replay, latest first, at most 100 */
  attempt_log: {
    /** When the attempt ended */
    at: string;
    /** HTTP or SMTP status; null: no response */
    status: number | null;
    /** Why it failed; null: delivered */
    error: string | null;
    /** Duration of the attempt in milliseconds */
    milliseconds: number;
    /** Request line and headers of a webhook, without the query; null: not sent, or older than 7 days */
    request_head: string | null;
    /** Status line and headers of the response, without cookies; null: no response, older than 7 days, or from a private address (DEMARC_WEBHOOK_SHOW_PRIVATE) */
    response_head: string | null;
    /** First 2 KB of the response; null like `response_head` */
    response_body: string | null;
  }[];
};

export type DetachNumberAnswer = {
  /** The answer. */
  data: {
    /** E.164 with +, such as +14155550100. */
    phone_number: string;
    /** Directions from which configurations were removed. */
    detached: ("inbound" | "outbound")[];
    /** Directions that still have a configuration. */
    remaining: ("inbound" | "outbound")[];
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DetachNumbersAnswer = {
  /** The answer. */
  data: {
    /** The numbers with the removed directions. */
    detached: {
      /** E.164 with +, such as +14155550100. */
      phone_number: string;
      /** Directions from which configurations were removed. */
      detached: ("inbound" | "outbound")[];
      /** Directions that still have a configuration. */
      remaining: ("inbound" | "outbound")[];
    }[];
    /** The numbers that were not changed, each with the reason. */
    failed: {
      /** E.164 with +, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: ErrorCode;
      /** Why the number was not configured. */
      message: string;
    }[];
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DetachPathwayNumbersAnswer = {
  /** The answer. */
  data: ChangedPathway;
  /** Null: the request succeeded. */
  errors: null;
};

export type DetachPersonaNumbersAnswer = {
  /** The answer. */
  data: ChangedPersona;
  /** Null: the request succeeded. */
  errors: null;
};

export type DirectionOptionChanges = {
  /** Agents that ring together, in place of `agent`. */
  agents?: {
    /** All ring at once; the first that answers has the call */
    strategy: "ring_all";
    /** Servers; of `agents`, the agents. */
    endpoints: (string | WebSocketAgent)[];
  } | null | undefined;
  /** Port, 1–65535. */
  port?: number | null | undefined;
  /** SIP transport: udp, tcp or tls. */
  transport?: "udp" | "tcp" | "tls" | null | undefined;
  /** True: SRTP; false: plain RTP. */
  secure_media?: boolean | null | undefined;
  /** True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting. */
  symmetric_rtp?: boolean | null | undefined;
  /** User name for digest challenges. */
  sip_username?: string | null | undefined;
  /** Password for digest challenges; stored passwords read `[redacted]`. */
  sip_password?: string | null | undefined;
  /** Realm that the credentials are for. Default: any. */
  sip_realm?: string | null | undefined;
  /** PEM: the server’s CA or its own certificate, which replaces the default authorities. Default: the authorities that the edge trusts. */
  tls_ca?: string | null | undefined;
};

export type DirectionOptions = {
  /** Inbound: agents in place of `agent`, which ring together */
  agents?: {
    /** All ring at once; the first that answers has the call */
    strategy: "ring_all";
    /** Servers; of `agents`, the agents. */
    endpoints: (string | WebSocketAgent)[];
  } | undefined;
  /** Overrides the port in sip_endpoint */
  port?: number | undefined;
  /** Overrides the transport in sip_endpoint */
  transport?: "udp" | "tcp" | "tls" | undefined;
  /** True: SRTP; false: plain RTP. */
  secure_media?: boolean | undefined;
  /** True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting. */
  symmetric_rtp?: boolean | undefined;
  /** User name for digest challenges. */
  sip_username?: string | undefined;
  /** Password for digest challenges; stored passwords read `[redacted]`. */
  sip_password?: string | undefined;
  /** Realm that the credentials are for. Default: any */
  sip_realm?: string | undefined;
  /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
  tls_ca?: string | undefined;
};

export type Discovery = {
  /** Id of a discovery. */
  discovery_id: string;
  /** Its state. */
  status: "running" | "completed" | "failed";
  /** Why the discovery failed; null: it has not. */
  failure: "dns" | "forbidden_address" | "no_edge" | "interrupted" | null;
  /** Further details; null: none. */
  detail: string | null;
  /** Host name or address. */
  host: string;
  /** Port, 1–65535. */
  port: number | null;
  /** SIP transport: udp, tcp or tls. */
  transport: "udp" | "tcp" | "tls" | null;
  /** Progress. */
  progress: {
    /** Completed steps. */
    done: number;
    /** Total number. */
    total: number;
  };
  /** Addresses of the host. */
  resolved_addresses: string[];
  /** SRV records of the host. */
  srv_records: {
    /** Name of the record. */
    service: string;
    /** Host that it points to. */
    target: string;
    /** Port, 1–65535. */
    port: number;
    /** Lower values go first. */
    priority: number;
    /** Weight among records of the same priority. */
    weight: number;
  }[];
  /** Servers tried, in order. */
  attempts: {
    /** Address and port. */
    address: string;
    /** Port, 1–65535. */
    port: number;
    /** SIP transport: udp, tcp or tls. */
    transport: "udp" | "tcp" | "tls";
    /** Response time in milliseconds; null: no response. */
    response_time_ms: number | null;
    /** SIP status of the response; null: no response. */
    response_code: number | null;
    /** Product name from its User-Agent or Server header; null: not sent. */
    user_agent: string | null;
    /** Reason, a stable code; null: none. */
    reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
    /** Further details; null: none. */
    detail: string | null;
  }[];
  /** Recommended settings; null: nothing answered. */
  recommended: {
    /** Port, 1–65535. */
    port: number | null;
    /** SIP transport: udp, tcp or tls. */
    transport: "udp" | "tcp" | "tls";
    /** Product name from its User-Agent or Server header; null: not sent. */
    user_agent: string | null;
    /** Kind of PBX; null: not recognized. */
    detected_system: string | null;
    /** Codecs, in order of preference. */
    codecs: string[];
    /** SIP methods that the server allows. */
    methods: string[];
    /** True: the server asks for a client certificate. */
    mutual_tls: boolean;
  } | null;
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
};

export type EdgeSummary = {
  /** Its id. */
  id: string;
  /** Version of the software. */
  version: string;
  /** Since when, ISO 8601 in UTC. */
  since: string;
  /** When it was last seen, ISO 8601 in UTC. */
  seen_at: string;
  /** Its state. */
  state: "up" | "degraded" | "draining" | "down";
  /** The SIP engine. */
  engine: {
    /** Its state. */
    up: boolean;
    /** `embedded` or `drachtio` (drachtio-server). */
    kind: "embedded" | "drachtio";
    /** Where it listens for SIP. */
    listeners: string[];
  };
  /** The media servers. */
  rtpengine: {
    /** Its name. */
    name: string;
    /** Its state. */
    state: "up" | "down" | "unknown";
    /** Round trip in milliseconds; null: no answer. */
    round_trip_ms: number | null;
  }[];
  /** True: the edge is connected to Redis. */
  redis_up: boolean;
  /** Calls and records of the edge. */
  counts: {
    /** Active calls. */
    calls: number;
    /** Calls that are not answered yet. */
    ringing: number;
    /** Answered calls that have not ended. */
    answered: number;
    /** Calls whose legs are being torn down. */
    ending: number;
    /** Call records not yet written to Redis. */
    records_waiting: number;
    /** Media sessions waiting to be deleted. */
    owed_deletions: number;
  };
  /** Maximum new calls per second. */
  calls_per_second: number;
  /** 99th percentile of event loop delay since the last heartbeat, in milliseconds. */
  event_loop_delay_ms: number;
  /** Resident memory in bytes. */
  memory_bytes: number;
  /** Answered calls taken over from other edges since its start, the latest first */
  takeovers: {
    /** When, ISO 8601 in UTC. */
    at: string;
    /** Id of the edge that had the calls. */
    from_edge_id: string;
    /** How many it took over. */
    calls: number;
  }[];
};

export type EnhancedTestAnalytics = {
  /** Runs that ended within the days, without cancelled ones. */
  total_runs: number;
  /** Runs that passed. */
  passed: number;
  /** Runs that ended in FAILED or ERROR. */
  failed: number;
  /** Share of runs that passed, 0–1; null: no runs. */
  pass_rate: number | null;
  /** Share that did not pass, 0–1; null: no runs. */
  failure_rate: number | null;
  /** Mean overall score, 0–1; null: no scores. */
  avg_score: number | null;
  /** The latest runs, newest first. */
  runs: {
    /** Id of the run. */
    id: string;
    /** Id of a test scenario. */
    scenario_id: string;
    /** Name of the scenario. */
    scenario_name: string;
    /** How it ended. */
    status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
    /** Overall score, 0–1; null: none. */
    score: number | null;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
  }[];
  /** Health, 0–1; null: no runs. */
  health_score: number | null;
  /** Reliability, 0–1; null: no runs. */
  reliability_score: number | null;
  /** Pass rate over time. */
  trend: {
    /** Last seven days compared with the seven before. */
    weekly: "improving" | "declining" | "stable";
    /** Days with runs, oldest first. */
    daily_pass_rates: {
      /** Day in UTC, YYYY-MM-DD. */
      date: string;
      /** Share of runs that passed, 0–1. */
      rate: number;
      /** Runs of the day. */
      count: number;
    }[];
  };
  /** Nodes, the most blamed first. */
  node_failure_heatmap: {
    /** Id of the node. */
    node_id: string;
    /** Name of the node. */
    node_name: string;
    /** Failed runs that visited it. */
    failure_count: number;
    /** Runs that visited it. */
    total_traversals: number;
    /** Share of its visitors that failed, 0–1. */
    failure_rate: number;
    /** Lower end of the 95 % interval of the failure rate, 0–1. */
    lower: number;
    /** Upper end of the interval, 0–1. */
    upper: number;
    /** Failed runs that ended at it. */
    stopped_count: number;
    /** Share of the other runs that failed, 0–1; null: every run visited it. */
    failure_rate_elsewhere: number | null;
    /** By how much its visitors fail more often than other runs, 0–1; null: every run visited it, so that the failures are of the path and not of the node. */
    blame: number | null;
  }[];
  /** Node most responsible for failures; null: the runs blame none. */
  weakest_link: {
    /** Id of the node. */
    node_id: string;
    /** Name of the node. */
    node_name: string;
    /** Share of its visitors that failed, 0–1. */
    failure_rate: number;
    /** Lower end of the 95 % interval of the failure rate, 0–1. */
    lower: number;
    /** Upper end of the interval, 0–1. */
    upper: number;
    /** `visitors_fail_more`: more often than other runs, with 95 % intervals that do not overlap; `failed_runs_stop`: no node stands out so, and most failed runs ended at this one, before an end of the pathway. */
    reason: "visitors_fail_more" | "failed_runs_stop";
  } | null;
  /** Flow from scenarios over nodes to outcomes. */
  sankey_data: {
    /** Scenarios, nodes and outcomes. */
    nodes: {
      /** Its id. */
      id: string;
      /** Its name. */
      name: string;
      /** What it stands for. */
      type: "scenario" | "node" | "outcome";
      /** Its position in the flow. */
      category: "start" | "middle" | "end" | "error";
    }[];
    /** Flows between them. */
    links: {
      /** Id of the node that it leaves. */
      source: string;
      /** Id of the node that it enters. */
      target: string;
      /** Runs. */
      value: number;
      /** Runs that passed. */
      pass_count: number;
      /** Runs that did not. */
      fail_count: number;
    }[];
  };
};

/** Stable error code; see docs/errors.md. */
export type ErrorCode = "AGENT_CREDENTIALS_FULL" | "VALIDATION_ERROR" | "UNAUTHORIZED" | "CALL_TOKEN_INVALID" | "CALL_TOKEN_NOT_ACCEPTED" | "SIP_NOT_ENABLED" | "NOT_FOUND" | "FOREIGN_ORIGIN" | "OPERATOR_ONLY" | "METHOD_NOT_ALLOWED" | "AMBIGUOUS_CONFIGURATION" | "DUPLICATE_CONFIGURATION" | "NO_BACKUP_SERVER" | "DISCOVERY_UNAVAILABLE" | "DISCOVERY_RUNNING" | "RANGE_NOT_SATISFIABLE" | "UNSUPPORTED_MEDIA_TYPE" | "TOO_MANY_REQUESTS" | "INTERNAL_SERVER_ERROR" | "PRECONDITION_FAILED" | "INSUFFICIENT_SCOPE" | "TOO_MANY_KEYS" | "WRONG_PASSWORD" | "LINK_NOT_VALID" | "LAST_OWNER" | "ALREADY_MEMBER" | "MEMBER_ELSEWHERE" | "MEMBERS_ONLY" | "TOO_MANY_MEMBERS" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "SECRET_KEY_MISSING" | "SERVICE_UNAVAILABLE" | "CALL_NOT_READY" | "CALL_ACTION_FAILED" | "TRANSFER_NOT_POSSIBLE" | "TRANSFER_FORBIDDEN" | "CALLS_UNAVAILABLE" | "LIVE_STATE_UNAVAILABLE" | "LIVE_CALL_UNAVAILABLE" | "TRACE_UNAVAILABLE" | "TOO_MANY_CALLS_WAITING" | "NO_EDGE_READY" | "NUMBER_QUEUE_FULL" | "FAILOVER_UNAVAILABLE" | "INVALID_PHONE_NUMBER" | "NUMBER_TAKEN" | "NUMBER_NOT_PROVEN" | "TOO_MANY_CONFIGURATIONS" | "NUMBER_USES_TRUNK" | "TRUNK_IN_USE" | "TOO_MANY_WEBHOOK_ENDPOINTS" | "TOO_MANY_MAINTENANCE_WINDOWS" | "WEBHOOK_DISABLED" | "DELIVERY_NOT_REPLAYABLE" | "TOO_MANY_UPCOMING_CALLS" | "TOO_MANY_PERSONAS" | "TOO_MANY_AGENTS" | "TOO_MANY_SCENARIOS" | "TOO_MANY_TEST_SCHEDULES" | "TOO_MANY_TEST_MONITORS" | "CALL_NOT_JUDGED" | "SCENARIO_NAME_TAKEN" | "RUN_NOT_JUDGEABLE" | "RUN_ENDED" | "RUN_NOT_FAILED" | "RUN_QUEUE_FULL" | "TOKEN_BUDGET_TOO_LOW" | "TOKEN_BUDGET_USED" | "COST_BUDGET_TOO_LOW" | "COST_BUDGET_USED" | "MODEL_PRICE_UNKNOWN" | "NO_TRANSCRIPT" | "MODEL_UNAVAILABLE" | "PERSONA_IN_USE" | "PATHWAY_IN_USE" | "NO_DRAFT_VERSION" | "PERSONA_CHANGED" | "TOO_MANY_PATHWAYS" | "TOO_MANY_FORKS" | "PATHWAY_CHANGED" | "VERSION_NOT_CHANGEABLE" | "TORNADO_ACTIVE" | "LOAD_TEST_RUNNING" | "FIX_NOT_UNDONE" | "PROMOTION_RUNNING" | "PROMOTION_REFUSED" | "TEST_CALL_LIMIT" | "CARRIER_UNAVAILABLE" | "DOCUMENTS_UNAVAILABLE" | "NUMBER_PORTING" | "WEBHOOK_NOT_SIGNED" | "PORT_MOVE_NOT_ALLOWED" | "BAD_REQUEST" | "CONTACT_IDENTIFIER_TAKEN" | "TOO_MANY_CONTACTS" | "KB_ERROR" | "KB_UPLOAD_LIMIT_EXCEEDED" | "INVALID_INPUT" | "NO_REGISTRAR" | "ALERT_NEVER_FIRES" | "CHANGE_NOT_CONFIRMED" | "NO_ALLOWED_IPS";

export type EstimateTestTokensAnswer = {
  /** The answer. */
  data: TestEstimate;
  /** Null: the request succeeded. */
  errors: null;
};

export type ExportContactAnswer = {
  /** The answer. */
  data: ContactExport;
  /** Null: the request succeeded. */
  errors: null;
};

export type FailBackAnswer = {
  /** The answer. */
  data: {
    /** E.164 with +, such as +14155550100. */
    phone_number: string;
    /** Which server is in use, and why. */
    failover: FailoverState;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type FailoverConfig = {
  /** False: stored but not used. Default true. */
  enabled: boolean;
  /** Servers; of `agents`, the agents. */
  endpoints: {
    /** Host name or address. */
    host: string;
    /** Port, 1–65535. */
    port?: number | undefined;
    /** SIP transport: udp, tcp or tls. */
    transport?: "udp" | "tcp" | "tls" | undefined;
    /** Lower values go first. */
    priority: number;
  }[];
  /** Failures after which the next server is tried. */
  triggers: ("unreachable" | "auth_failure" | "timeout")[];
  /** When calls return to the preferred server: `auto` after successful probes, `manual` on request. Default `auto`. */
  failback: "auto" | "manual";
};

export type FailoverSettings = {
  /** False: stored but not used. Default true. */
  enabled?: boolean | undefined;
  /** Backup servers; the preferred server is the direction’s sip_endpoint */
  endpoints: {
    /** Host name or address. */
    host: string;
    /** Port, 1–65535. */
    port?: number | undefined;
    /** SIP transport: udp, tcp or tls. */
    transport?: "udp" | "tcp" | "tls" | undefined;
    /** Lower values go first. */
    priority: number;
  }[];
  /** Failures after which the next server is tried. */
  triggers?: ("unreachable" | "auth_failure" | "timeout")[] | undefined;
  /** When calls return to the preferred server: `auto` after successful probes, `manual` on request. Default `auto`. */
  failback?: "auto" | "manual" | undefined;
};

export type FailoverState = {
  /** The preferred server */
  active: string;
  /** True: not the preferred server */
  failed_over: boolean;
  /** When the preferred server failed */
  since: string | null;
  /** Reason, a stable code; null: none. */
  reason: "unreachable" | "timeout" | "auth_failure" | null;
  /** Further details; null: none. */
  detail: string | null;
  /** When calls return to the preferred server: `auto` after successful probes, `manual` on request. Default `auto`. */
  failback: "auto" | "manual";
  /** Servers out of use */
  out: {
    /** The server, as `host:port;transport=…`; null: none. */
    endpoint: string;
    /** Since when, ISO 8601 in UTC. */
    since: string;
    /** Reason, a stable code; null: none. */
    reason: "unreachable" | "timeout" | "auth_failure";
    /** Further details; null: none. */
    detail: string;
    /** Successful probes in a row since the failure */
    healthy_probes: number;
  }[];
};

export type Failure = {
  /** The answer. */
  data: null;
  /** Null: the request succeeded. */
  errors: {
    /** A stable code; see docs/errors.md. */
    error: ErrorCode;
    /** The problem in plain words. */
    message: string;
    /** The invalid field, such as `directions.0.options.port`. */
    path?: string | undefined;
  }[];
  /** Identifies the request in the log; same as the header `x-request-id`. */
  request_id?: string | undefined;
};

export type FailureCount = {
  /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
  /** SIP status; null: no response. */
  sip_status: number | null;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** How many. */
  count: number;
  /** Whom it concerns. caller: a mistake of the sender; customer: a setting, limit or PBX of the organization; service: the agent, the trunk’s server or the network to them; fleet: Demarc; none: a person did not take the call. */
  concerns: "none" | "caller" | "customer" | "service" | "fleet";
  /** The cause in plain words. */
  cause: string;
  /** Recommended action. */
  advice: string;
};

export type FindContactAnswer = {
  /** The answer. */
  data: Contact | null;
  /** Null: the request succeeded. */
  errors: null;
};

export type Fleet = {
  /** The edges. */
  edges: EdgeSummary[];
  /** Redis. */
  redis: {
    /** Its state. */
    state: "up" | "degraded" | "down" | "unknown";
    /** Round trip in milliseconds; null: no answer. */
    round_trip_ms: number | null;
    /** Further details; null: none. */
    detail: string;
  };
  /** PostgreSQL. */
  database: {
    /** Its state. */
    state: "up" | "degraded" | "down" | "unknown";
    /** Round trip in milliseconds; null: no answer. */
    round_trip_ms: number | null;
    /** Further details; null: none. */
    detail: string;
  };
  /** The responding control process. */
  control: {
    /** Version of the software. */
    version: string;
    /** Since when, ISO 8601 in UTC. */
    since: string;
    /** State of each component. */
    parts: {
      /** Its name. */
      name: string;
      /** Its state. */
      ready: boolean;
      /** Further details; null: none. */
      detail: string;
    }[];
  };
  /** Calls of all organizations. */
  calls: CallFigures;
  /** Those whose calls fail first, then the busiest; at most 100 */
  organizations: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
    /** Answered calls that have not ended; null: unknown. */
    active: number;
    /** Attempts of the last hour. */
    attempts_1h: number;
    /** Answered calls of the last hour. */
    answered_1h: number;
    /** Failed calls of the last hour. */
    failed_1h: number;
    /** How the organization’s calls ended */
    judged: {
      /** Of the last five minutes, or of the hour if there were fewer than five calls. failing: half or more fail; degraded: a fifth; quiet: fewer than five calls */
      state: "failing" | "degraded" | "working" | "quiet";
      /** What decided the state */
      window: "5m" | "1h";
      /** The calls. */
      calls: number;
      /** How many failed. */
      failed: number;
      /** The most frequent cause of failure within the window; null: none */
      worst: FailureCount | null;
    };
  }[];
  /** Of the first 2,000 numbers of all organizations; null: unknown */
  trunk_counts: {
    /** Total number. */
    total: number;
    /** Number of reachable servers. */
    healthy: number;
    /** Number of unreachable servers. */
    unreachable: number;
    /** Number of servers that are not probed. */
    unchecked: number;
    /** Half of their calls or more fail */
    failing: number;
    /** A fifth of their calls or more fail, or a server is unreachable */
    degraded: number;
    /** A registration failed or is missing */
    unregistered: number;
  } | null;
  /** Of all organizations, worst first, at most 50 */
  trunks: {
    /** E.164 with +, such as +14155550100. */
    phone_number: string;
    /** Directions of the number. */
    directions: ("inbound" | "outbound")[];
    /** Its state. */
    status: "healthy" | "unreachable" | "unchecked";
    /** The server, as `host:port;transport=…`; null: none. */
    endpoint: string | null;
    /** Reason, a stable code; null: none. */
    reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
    /** Further details; null: none. */
    detail: string | null;
    /** The cause in plain words. */
    cause: string | null;
    /** Recommended action. */
    advice: string | null;
    /** Response time in milliseconds; null: no response. */
    response_time_ms: number | null;
    /** Time of the last check, ISO 8601 in UTC; null: never. */
    checked_at: string | null;
    /** State of the number’s trunk; a healthy trunk with an unreachable first server uses a backup */
    servers: {
      /** Total number. */
      total: number;
      /** Number of unreachable servers. */
      unreachable: number;
    };
    /** The worst state of its registrations; null: none; unknown while Redis is down */
    registration: "registering" | "registered" | "failed" | "unregistered" | "unknown" | null;
    /** The calls. */
    calls: TrunkCalls;
    /** The organization. */
    organization: {
      /** Its id. */
      id: string;
      /** Its name. */
      name: string;
    };
  }[];
};

export type ForkPathwayVersionAnswer = {
  /** The answer. */
  data: PathwayVersion;
  /** Null: the request succeeded. */
  errors: null;
};

export type GeneratePasswordAnswer = {
  /** The answer. */
  data: {
    /** The password; stored passwords read `[redacted]`. */
    password: string;
    /** Number of characters. */
    length: number;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GenerateTestScenarioAnswer = {
  /** The answer. */
  data: TestScenarioDraft;
  /** Null: the request succeeded. */
  errors: null;
};

export type GenerateTestScenariosFromCallsAnswer = {
  /** The answer. */
  data: CallTestSuite;
  /** Null: the request succeeded. */
  errors: null;
};

export type GenerateTestScenariosFromPersonaAnswer = {
  /** The answer. */
  data: PersonaTestSuite;
  /** Null: the request succeeded. */
  errors: null;
};

export type GeneratedTestScenario = {
  /** Not stored: `POST /v1/agent-testing/scenarios` takes it as it is once it has a target. */
  scenario: SuiteScenario;
  /** What its assertions are based on. */
  evidence: SuiteEvidence[];
};

export type GetActiveTornadoAnswer = {
  /** The answer. */
  data: TornadoSession;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetAgentAnswer = {
  /** The answer. */
  data: WebAgent;
  /** Null: the request succeeded. */
  errors: null;
  /** The agent's leg. */
  agent: WebAgent;
};

export type GetAlertAnswer = {
  /** The answer. */
  data: Alert;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetAlertContactsAnswer = {
  /** The answer. */
  data: {
    /** Email addresses. */
    emails: string[];
    /** Numbers, E.164 with +. */
    phone_numbers: string[];
    /** False if the channel is not configured */
    available: {
      /** True: by email. */
      email: boolean;
      /** True: by SMS. */
      sms: boolean;
    };
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetBatchAnswer = {
  /** The answer. */
  data: CallBatch;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetCallRecordAnswer = {
  /** The answer. */
  data: CallDetail | LiveCallDetail;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetCallSeriesAnswer = {
  /** The answer. */
  data: CallSeries;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetContactAnswer = {
  /** The answer. */
  data: Contact;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetDeliveryAnswer = {
  /** The answer. */
  data: DeliveryDetail;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetDiscoveryAnswer = {
  /** The answer. */
  data: Discovery;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetEnhancedTestAnalyticsAnswer = {
  /** The answer. */
  data: EnhancedTestAnalytics;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetExplanationsAnswer = {
  /** The answer. */
  data: {
    /** Each `end_reason`. */
    end_reasons: Record<string, {
      /** The cause in plain words. */
      cause: string;
      /** Recommended action. */
      advice: string;
    }>;
    /** Each reason why a server is unreachable. */
    unreachable_reasons: Record<string, {
      /** The cause in plain words. */
      cause: string;
      /** Recommended action. */
      advice: string;
    }>;
    /** Each SIP status. */
    sip_statuses: Record<string, {
      /** The cause in plain words. */
      cause: string;
      /** Recommended action. */
      advice: string;
    }>;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetFirewallAnswer = {
  /** The answer. */
  data: {
    /** Region of the service. */
    region: string;
    /** Demarc's addresses, for your firewall. */
    ip_addresses: string[];
    /** All regions; calls may come from any of them. Demarc extension */
    regions: {
      /** Region of the service. */
      region: string;
      /** SIP host name of the service. */
      sip_server: string;
      /** Demarc's addresses, for your firewall. */
      ip_addresses: string[];
    }[];
    /** Ports to open in your firewall. */
    ports: {
      /** Signaling port and transport. */
      sip: string;
      /** RTP statistics of both sides. */
      rtp: string;
    };
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetHealthHistoryAnswer = {
  /** The answer. */
  data: HealthHistory;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetIncidentAnswer = {
  /** The answer. */
  data: IncidentStory;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetJudgeCalibrationAnswer = {
  /** The answer. */
  data: TestCalibration;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetKeyAnswer = {
  /** The answer. */
  data: Key;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetKeyForOrganizationAnswer = {
  /** The answer. */
  data: Key;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetKnowledgeAnswer = {
  /** The answer. */
  data: KnowledgeBase;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetLoadTestAnswer = {
  /** The answer. */
  data: LoadTest;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetMaintenanceWindowAnswer = {
  /** The answer. */
  data: MaintenanceWindow;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetNumberAnswer = {
  /** The answer. */
  data: {
    /** First inbound configuration; null: none. */
    inbound: AttachedDirection | null;
    /** First outbound configuration; null: none. */
    outbound: AttachedDirection | null;
    /** All configurations of the number. */
    configurations: AttachedDirection[];
    /** Shared trunk that the number uses, which is changed instead; null: none */
    trunk_id: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetOperatorPortAnswer = {
  /** The answer. */
  data: OperatorPort;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetOrganizationAnswer = {
  /** The answer. */
  data: ManagedOrganization;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetOutboundSetupAnswer = {
  /** The answer. */
  data: {
    /** SIP host name of the service. */
    sip_server: string;
    /** Port, 1–65535. */
    port: number;
    /** SIP transport: udp, tcp or tls. */
    transport: "tls";
    /** PBX setup instructions. */
    instructions: string;
    /** CA that the PBX must trust; null: the certificate is from a well-known authority. Demarc extension */
    certificate_authority: CertificateAuthority | null;
    /** Credentials for the PBX. */
    credentials?: {
      /** The user name. */
      username: string;
      /** The password; stored passwords read `[redacted]`. */
      password: string;
    } | undefined;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetPathwayAnswer = {
  /** The answer. */
  data: Pathway;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetPathwayCoverageAnswer = {
  /** The answer. */
  data: PathwayCoverage;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetPathwayVersionAnswer = {
  /** The answer. */
  data: PathwayVersion;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetPersonaAnswer = {
  /** The answer. */
  data: Persona;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetPersonaVersionAnswer = {
  /** The answer. */
  data: PersonaVersion;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetPortAnswer = {
  /** The answer. */
  data: PortRequestDetail;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetSessionAnswer = {
  /** The answer. */
  data: Session;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetSimulationSetAnswer = {
  /** The answer. */
  data: SimulationSet;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetSummaryAnswer = {
  /** The answer. */
  data: NocSummary;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestAnalyticsAnswer = {
  /** The answer. */
  data: TestAnalytics;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestBatchAnswer = {
  /** The answer. */
  data: TestBatch;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestBudgetAnswer = {
  /** The answer. */
  data: TestTokenBudget;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestCallAnswer = {
  /** The answer. */
  data: TestCall;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestLabelsAnswer = {
  /** The answer. */
  data: TestReview;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestMonitorAnswer = {
  /** The answer. */
  data: TestMonitor;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestPricesAnswer = {
  /** The answer. */
  data: TestPrices;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestRunAnswer = {
  /** The answer. */
  data: TestRun;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestScenarioAnswer = {
  /** The answer. */
  data: TestScenario;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestScheduleAnswer = {
  /** The answer. */
  data: TestSchedule;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTornadoStatusAnswer = {
  /** The answer. */
  data: TornadoProgress;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTrunkAnswer = {
  /** The answer. */
  data: Trunk;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTrunkStatusAnswer = {
  /** The answer. */
  data: {
    /** Its state. */
    status: "healthy" | "unreachable" | "unchecked";
    /** Reason, a stable code; null: none. */
    reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
    /** Further details; null: none. */
    detail: string | null;
    /** The likely cause */
    cause: string | null;
    /** Recommended action */
    advice: string | null;
    /** Response time in milliseconds; null: no response. */
    response_time_ms: number | null;
    /** Time of the last check, ISO 8601 in UTC; null: never. */
    checked_at: string | null;
    /** Share of probes that found it reachable, in percent; null: no probes. */
    uptime_percent: {
      /** Of the last 24 hours. */
      "24h": number | null;
      /** Of the last seven days. */
      "7d": number | null;
      /** Of the last 30 days. */
      "30d": number | null;
    };
    /** Mean response time of probes in milliseconds; null: no response. */
    average_response_time_ms: {
      /** Of the last 24 hours. */
      "24h": number | null;
      /** Of the last seven days. */
      "7d": number | null;
      /** Of the last 30 days. */
      "30d": number | null;
    };
    /** `completed`: all probes finished; `unanswered`: some did not; null: none was requested. */
    probe: "completed" | "unanswered" | null;
    /** Null: at most one server, or Redis is down */
    failover: FailoverState | null;
    /** Of the first inbound configuration with auth_mode register; null: none */
    registration: Registration | null;
    /** Registrations with your PBX. */
    registrations: Registration[];
    /** Servers; of `agents`, the agents. */
    endpoints: {
      /** The server, as `host:port;transport=…`; null: none. */
      endpoint: string;
      /** Since when the server is checked, to the hour; null: not checked */
      checked_since: string | null;
      /** Its state. */
      status: "healthy" | "unreachable" | "unchecked";
      /** Reason, a stable code; null: none. */
      reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
      /** Further details; null: none. */
      detail: string | null;
      /** The likely cause */
      cause: string | null;
      /** Recommended action */
      advice: string | null;
      /** Response time in milliseconds; null: no response. */
      response_time_ms: number | null;
      /** Time of the last check, ISO 8601 in UTC; null: never. */
      checked_at: string | null;
      /** Share of probes that found it reachable, in percent; null: no probes. */
      uptime_percent: {
        /** Of the last 24 hours. */
        "24h": number | null;
        /** Of the last seven days. */
        "7d": number | null;
        /** Of the last 30 days. */
        "30d": number | null;
      };
      /** Mean response time of probes in milliseconds; null: no response. */
      average_response_time_ms: {
        /** Of the last 24 hours. */
        "24h": number | null;
        /** Of the last seven days. */
        "7d": number | null;
        /** Of the last 30 days. */
        "30d": number | null;
      };
      /** SIP status of the final response; null: none. */
      sip_code: number | null;
      /** Source of the state: a `probe`, or a `call` that the server took. */
      evidence: "probe" | "call" | null;
      /** Addresses of the server, each with its state. */
      targets: {
        /** Address and port. */
        address: string;
        /** Its state. */
        status: "healthy" | "unreachable";
        /** Reason, a stable code; null: none. */
        reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
        /** Further details; null: none. */
        detail: string | null;
        /** The likely cause */
        cause: string | null;
        /** Recommended action */
        advice: string | null;
        /** SIP status of the final response; null: none. */
        sip_code: number | null;
        /** Response time in milliseconds; null: no response. */
        response_time_ms: number | null;
        /** Earliest time of the next probe, ISO 8601 in UTC; null: no restriction. */
        retry_at: string | null;
      }[];
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetUsageAnswer = {
  /** The answer. */
  data: Usage;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetUsageBreakdownAnswer = {
  /** The answer. */
  data: {
    /** First day, in UTC. */
    from: string;
    /** Last day, in UTC. */
    to: string;
    /** Numbers or agents. */
    groups: {
      /** The number; null: none, or grouped by agent. */
      phone_number: string | null;
      /** SIP URI or URL of the agent, without parameters; null: none, unknown, or grouped by number. */
      agent: string | null;
      /** Calls that started on the day, answered or not. */
      calls: number;
      /** Calls that were answered. */
      answered_calls: number;
      /** Minutes from answer to end, of the answered calls. */
      minutes: number;
      /** Calls to your numbers. */
      inbound: {
        /** Calls that started on the day, answered or not. */
        calls: number;
        /** Calls that were answered. */
        answered_calls: number;
        /** Minutes from answer to end, of the answered calls. */
        minutes: number;
      };
      /** Calls from your numbers. */
      outbound: {
        /** Calls that started on the day, answered or not. */
        calls: number;
        /** Calls that were answered. */
        answered_calls: number;
        /** Minutes from answer to end, of the answered calls. */
        minutes: number;
      };
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetUsageBreakdownForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** First day, in UTC. */
    from: string;
    /** Last day, in UTC. */
    to: string;
    /** Numbers or agents. */
    groups: {
      /** The number; null: none, or grouped by agent. */
      phone_number: string | null;
      /** SIP URI or URL of the agent, without parameters; null: none, unknown, or grouped by number. */
      agent: string | null;
      /** Calls that started on the day, answered or not. */
      calls: number;
      /** Calls that were answered. */
      answered_calls: number;
      /** Minutes from answer to end, of the answered calls. */
      minutes: number;
      /** Calls to your numbers. */
      inbound: {
        /** Calls that started on the day, answered or not. */
        calls: number;
        /** Calls that were answered. */
        answered_calls: number;
        /** Minutes from answer to end, of the answered calls. */
        minutes: number;
      };
      /** Calls from your numbers. */
      outbound: {
        /** Calls that started on the day, answered or not. */
        calls: number;
        /** Calls that were answered. */
        answered_calls: number;
        /** Minutes from answer to end, of the answered calls. */
        minutes: number;
      };
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetUsageForOrganizationAnswer = {
  /** The answer. */
  data: Usage;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetWebhookAnswer = {
  /** The answer. */
  data: WebhookEndpoint;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetWebhookSecretAnswer = {
  /** The answer. */
  data: {
    /** True: one exists. */
    exists: boolean;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type HealthHistory = {
  /** Time range. */
  window: "24h" | "7d" | "30d";
  /** Seconds that one bucket covers. */
  bucket_seconds: number;
  /** Servers; of `agents`, the agents. */
  endpoints: {
    /** The server, as `host:port;transport=…`; null: none. */
    endpoint: string;
    /** Since when the server is checked, to the hour; null: not checked */
    checked_since: string | null;
    /** Share of probes that found it reachable, in percent; null: no probes. */
    uptime_percent: number | null;
    /** Statistics over time, oldest first, without gaps. */
    buckets: {
      /** When, ISO 8601 in UTC. */
      at: string;
      /** Probes within the bucket. */
      checks: number;
      /** Share of probes that found it reachable, in percent; null: no probes. */
      uptime_percent: number | null;
      /** Mean of the answered probes */
      response_time_ms: number | null;
    }[];
  }[];
};

export type HoldCallAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type InboundChanges = {
  /** Direction. */
  type: "inbound";
  /** Which configuration, when the number has several of the direction */
  id?: string | undefined;
  /** How callers are recognized: `ip` by source address, `register` by registration. */
  auth_mode?: "ip" | "register" | undefined;
  /** Credentials that your PBX and Demarc share */
  register_auth?: {
    /** The user name. */
    username: string;
    /** The password; stored passwords read `[redacted]`. */
    password: string;
  } | undefined;
  /** Addresses and CIDRs that may call, IPv4 or IPv6. Demarc extension */
  allowed_ips?: string[] | undefined;
  /** The agent's leg. */
  agent?: string | WebSocketAgent | null | undefined;
  /** Registrar; null: none. */
  registrar?: string | null | undefined;
  /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
  sip_endpoint?: string | null | undefined;
  /** Other connection settings. */
  options?: DirectionOptionChanges | null | undefined;
  /** Mappings of SIP headers and variables. */
  headers?: InboundHeaders | null | undefined;
};

export type InboundDirection = {
  /** Direction. */
  type: "inbound";
  /** How callers are recognized: `ip` by source address, `register` by registration. */
  auth_mode?: "ip" | "register" | undefined;
  /** Credentials that your PBX and Demarc share */
  register_auth?: {
    /** The user name. */
    username: string;
    /** The password; stored passwords read `[redacted]`. */
    password: string;
  } | undefined;
  /** Addresses and CIDRs that may call, IPv4 or IPv6. Demarc extension */
  allowed_ips?: string[] | undefined;
  /** Agent that calls are sent to: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the service’s agent. */
  agent?: string | WebSocketAgent | undefined;
  /** PBX to register with; requires auth_mode register. Default: the number’s first outbound server. */
  registrar?: string | undefined;
  /** Older name of `registrar` with auth_mode register, else of `agent`. */
  sip_endpoint?: string | undefined;
  /** Other connection settings. */
  options?: DirectionOptions | undefined;
  /** Mappings of SIP headers and variables. */
  headers?: InboundHeaders | undefined;
};

export type InboundHeaders = {
  /** Same as that of the configuration. */
  direction: "inbound";
  /** The mappings, at most 15. */
  headers: ({
    /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
    type: "custom";
    /** Inbound: SIP header name. Outbound: variable name. */
    key: string;
    /** Inbound: variable name. Outbound: SIP header name. With `passthrough`: the constant. */
    value: string;
    /** True: the value is constant. */
    passthrough?: boolean | undefined;
  } | {
    /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
    type: "uui";
    /** Variable that holds the User-to-User content. */
    target: string;
    /** The `purpose` parameter of User-to-User (RFC 7433). */
    purpose?: string | undefined;
    /** Encoding of User-to-User: `hex` or `ascii`. */
    encoding?: "hex" | "ascii" | undefined;
    /** The `content` parameter of User-to-User (RFC 7433). */
    content?: string | undefined;
  })[];
};

export type Incident = {
  /** Id of an incident. */
  incident_id: string;
  /** Null: of the service, for all organizations */
  organization: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
  } | null;
  /** Its state. */
  state: "open" | "recovered";
  /** The first reason in words */
  title: string;
  /** When the verdict turned red */
  opened_at: string;
  /** Since when the verdict was no longer red, for at least a minute; null: not yet */
  recovered_at: string | null;
  /** The first call that failed for the first reason; null: none did, or it is not known */
  first_call: {
    /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
    call_id: string;
    /** When it started, ISO 8601 in UTC; null: not yet. */
    started_at: string;
  } | null;
  /** Why the verdict was red, the first one first */
  reasons: {
    /** Kind. */
    kind: "component" | "trunk" | "registration" | "calls" | "alert";
    /** The reason in words */
    text: string;
    /** The cause in plain words. */
    cause: string | null;
    /** Recommended action. */
    advice: string | null;
    /** E.164 with +, such as +14155550100. */
    phone_number: string | null;
    /** Of `calls`: how most of them ended */
    end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | null;
    /** SIP status; null: no response. */
    sip_status: number | null;
    /** When the verdict was first red for it */
    first_seen_at: string;
    /** When it last was */
    last_seen_at: string;
  }[];
  /** When it was acknowledged; null: not */
  acknowledged_at: string | null;
  /** Name of the member or key that acknowledged it; null: not acknowledged */
  acknowledged_by: string | null;
  /** Note for colleagues */
  note: string | null;
};

export type IncidentStory = {
  /** Id of an incident. */
  incident_id: string;
  /** Null: of the service, for all organizations */
  organization: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
  } | null;
  /** Its state. */
  state: "open" | "recovered";
  /** The first reason in words */
  title: string;
  /** When the verdict turned red */
  opened_at: string;
  /** Since when the verdict was no longer red, for at least a minute; null: not yet */
  recovered_at: string | null;
  /** The first call that failed for the first reason; null: none did, or it is not known */
  first_call: {
    /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
    call_id: string;
    /** When it started, ISO 8601 in UTC; null: not yet. */
    started_at: string;
  } | null;
  /** Why the verdict was red, the first one first */
  reasons: {
    /** Kind. */
    kind: "component" | "trunk" | "registration" | "calls" | "alert";
    /** The reason in words */
    text: string;
    /** The cause in plain words. */
    cause: string | null;
    /** Recommended action. */
    advice: string | null;
    /** E.164 with +, such as +14155550100. */
    phone_number: string | null;
    /** Of `calls`: how most of them ended */
    end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | null;
    /** SIP status; null: no response. */
    sip_status: number | null;
    /** When the verdict was first red for it */
    first_seen_at: string;
    /** When it last was */
    last_seen_at: string;
  }[];
  /** When it was acknowledged; null: not */
  acknowledged_at: string | null;
  /** Name of the member or key that acknowledged it; null: not acknowledged */
  acknowledged_by: string | null;
  /** Note for colleagues */
  note: string | null;
  /** The audit log of the day before the first failed call, newest first, at most 20; empty for incidents of the service; null without the scope members:read */
  changes: {
    /** When, ISO 8601 in UTC. */
    at: string;
    /** Name of the member or key */
    by: string;
    /** In one line. */
    summary: string;
    /** What was changed: ids and names; may be empty */
    subject: string;
    /** Names of the fields, without their values */
    fields: string;
  }[] | null;
  /** Alerts that fired during the incident, with who was notified; at most 20; null without the scope alerts:read */
  alerts: {
    /** Id of an alert. */
    alert_id: string;
    /** Title of the alert. */
    title: string;
    /** When the alert fired, ISO 8601 in UTC. */
    fired_at: string;
    /** Notices sent, with their deliveries. */
    notices: Delivery[];
  }[] | null;
};

export type InitiatePortAnswer = {
  /** The answer. */
  data: {
    /** Id of the port request. */
    port_request_id: string;
    /** Its state. */
    status: PortStatus;
    /** Where the letter is signed; null: it is signed already. */
    signature_url: string | null;
    /** Its numbers, E.164 with +. */
    phone_numbers: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type Invitation = {
  /** Id of an invitation. */
  invitation_id: string;
  /** Address of the invited person */
  email: string;
  /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
  role: "owner" | "operator" | "viewer";
  /** Name of the member or key that invites */
  invited_by: string;
  /** When it was created */
  created_at: string;
  /** The link is valid until then */
  expires_at: string;
};

export type InviteMemberAnswer = {
  /** The answer. */
  data: {
    /** Id of an invitation. */
    invitation_id: string;
    /** Address of the invited person */
    email: string;
    /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
    role: "owner" | "operator" | "viewer";
    /** Name of the member or key that invites */
    invited_by: string;
    /** When it was created */
    created_at: string;
    /** The link is valid until then */
    expires_at: string;
    /** The link, returned only this once */
    link: string;
    /** True: the mail server accepted the mail */
    mailed: boolean;
    /** Why the invitation was not mailed; null: it was */
    mail_error: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type InviteMemberForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** Id of an invitation. */
    invitation_id: string;
    /** Address of the invited person */
    email: string;
    /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
    role: "owner" | "operator" | "viewer";
    /** Name of the member or key that invites */
    invited_by: string;
    /** When it was created */
    created_at: string;
    /** The link is valid until then */
    expires_at: string;
    /** The link, returned only this once */
    link: string;
    /** True: the mail server accepted the mail */
    mailed: boolean;
    /** Why the invitation was not mailed; null: it was */
    mail_error: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type JudgeTestRunAnswer = {
  /** The answer. */
  data: TestJudgement;
  /** Null: the request succeeded. */
  errors: null;
};

export type Key = {
  /** Its id. */
  id: string;
  /** Purpose of the key. */
  name: string;
  /** Its first characters, to identify it. */
  prefix: string;
  /** Scopes of the key; null: all rights of its organization. */
  scopes: ("calls:listen" | "trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "personas:read" | "personas:write" | "pathways:read" | "pathways:write" | "calls:read" | "calls:write" | "knowledge:read" | "knowledge:write" | "contacts:read" | "contacts:write" | "agent-testing:read" | "agent-testing:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "organizations:read" | "organizations:write")[] | null;
  /** Sees the fleet and the totals of all organizations. */
  operator: boolean;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Expiry time; null: does not expire. */
  expires_at: string | null;
  /** Time of the last request with the key, to the minute; null: never used. */
  last_used_at: string | null;
  /** When the key was revoked; null: not revoked. */
  revoked_at: string | null;
};

export type KnowledgeBase = {
  /** Id of the knowledge base, a UUID. */
  id: string;
  /** Its name. */
  name: string;
  /** Present if provided. */
  description?: string | undefined;
  /** PROCESSING: it is being learned. COMPLETED: it can be searched. FAILED: error_message says what to do. DELETED: its text is deleted. */
  status: "PROCESSING" | "COMPLETED" | "FAILED" | "DELETED";
  /** TEXT. */
  type: "TEXT";
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Why learning failed, and what to do; only with FAILED. */
  error_message?: string | undefined;
  /** Share that is learned, 0–1; only with PROCESSING. */
  progress?: number | undefined;
  /** Octets of the text in UTF-8. */
  text_size: number;
  /** Detected language, ISO 639-1; und: not detected. Present once it is split. */
  language?: string | undefined;
  /** Passages that the text was split into. Present once it is split. */
  passages?: number | undefined;
  /** Model of its vectors; absent: it is searched by words alone. */
  embedding_model?: string | undefined;
};

export type KnowledgePassage = {
  /** Id of the passage: its knowledge base and its position. */
  id: string;
  /** The passage. */
  content: string;
  /** Where it comes from, and how it was found. */
  metadata: {
    /** Id of its knowledge base. */
    knowledge_base_id: string;
    /** Name of its knowledge base. */
    name: string;
    /** Headings above it, separated by ›; empty: none. */
    heading: string;
    /** Position in the text, from 0. */
    position: number;
    /** Fused rank, 0–1; 1: first in every index. Comparable within one answer only. */
    score: number;
    /** Rank by words, from 1; null: not found by words. */
    word_rank: number | null;
    /** Rank in the semantic search (1 = best); null: not found by it, or there are no vectors. */
    vector_rank: number | null;
  };
};

export type LearnKnowledgeAnswer = {
  /** The answer. */
  data: KnowledgeBase;
  /** Null: the request succeeded. */
  errors: null;
};

export type ListAgentCredentialsAnswer = {
  /** The answer. */
  data: {
    /** Credentials of agents that place calls by SIP. */
    agent_credentials: {
      /** Id of the credentials of an agent; its digest user name. */
      credential_id: string;
      /** Its name. */
      name: string;
      /** The digest user name. */
      username: string;
      /** Creation time, ISO 8601 in UTC. */
      created_at: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListAgentStreamSecretsAnswer = {
  /** The answer. */
  data: {
    /** The current secret first */
    signing_secrets: {
      /** Id of the signing secret */
      secret_id: string;
      /** Creation time, ISO 8601 in UTC. */
      created_at: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ListAgentsAnswer = {
  /** The answer. */
  data: {
    /** The agents. */
    agents: WebAgent[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListAlertsAnswer = {
  /** The answer. */
  data: {
    /** The alerts. */
    alerts: Alert[];
    /** Whether more entries follow. */
    has_more: boolean;
    /** Number of active alerts. */
    active_count: number;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListAuditEventsAnswer = {
  /** The answer. */
  data: {
    /** The events, newest first. */
    events: AuditEvent[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListAuditEventsForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** The events, newest first. */
    events: AuditEvent[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListBatchesAnswer = {
  /** The answer. */
  data: {
    /** The batches */
    batches: CallBatch[];
    /** Whether more entries follow. */
    has_more: boolean;
    /** Pass as `after` to get the next page; null on the last page. */
    next: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListCallRecordsAnswer = {
  /** The answer. */
  data: {
    /** The calls. */
    calls: Call[];
    /** Names of the organizations of these calls, by id; empty without scope=fleet */
    organizations: Record<string, string>;
    /** Whether more entries follow. */
    has_more: boolean;
    /** Null without `include_total`. */
    total: {
      /** Matching calls, at most 10000. */
      calls: number;
      /** False: there are more. */
      is_complete: boolean;
    } | null;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListCallSharesAnswer = {
  /** The answer. */
  data: {
    /** The links */
    shares: CallShare[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListCallsAnswer = {
  /** The calls of this page. */
  calls: OrderedCall[];
  /** How many. */
  count: number;
  /** Total number of matches. */
  total_count: number;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
  /** Null: the request succeeded. */
  errors: null;
};

export type ListContactCallsAnswer = {
  /** The answer. */
  data: {
    /** The calls. */
    calls: Call[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListContactDeletionsAnswer = {
  /** The answer. */
  data: {
    /** The deletions. */
    deletions: {
      /** Names the deletion in the audit log. */
      deletion_id: string;
      /** Id of the API key or member that did it. */
      deleted_by: string;
      /** ISO 8601 in UTC */
      deleted_at: string;
      /** What was removed. */
      removed: ContactRemoval;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListContactMergesAnswer = {
  /** The answer. */
  data: {
    /** The merges. */
    merges: ContactMerge[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ListContactsAnswer = {
  /** The answer. */
  data: {
    /** The contacts. */
    contacts: ContactSummary[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListDeliveriesAnswer = {
  /** The answer. */
  data: {
    /** The deliveries, newest first. */
    deliveries: Delivery[];
    /** Whether more entries follow. */
    has_more: boolean;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListIncidentsAnswer = {
  /** The answer. */
  data: {
    /** The incidents, newest first */
    incidents: Incident[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListInvitationsAnswer = {
  /** The answer. */
  data: {
    /** The invitations. */
    invitations: Invitation[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListInvitationsForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** The invitations. */
    invitations: Invitation[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListKeysAnswer = {
  /** The answer. */
  data: {
    /** The keys. */
    keys: Key[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListKeysForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** The keys. */
    keys: Key[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListKnowledgeAnswer = {
  /** The answer. */
  data: {
    /** The knowledge bases. */
    kbs: KnowledgeBase[];
    /** Number of knowledge bases of the organization. */
    total: number;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListLiveCallsAnswer = {
  /** The answer. */
  data: LiveCalls;
  /** Null: the request succeeded. */
  errors: null;
};

export type ListLoadTestsAnswer = {
  /** The answer. */
  data: {
    /** The load tests. */
    load_tests: ListedLoadTest[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListMaintenanceWindowsAnswer = {
  /** The answer. */
  data: {
    /** The windows, newest first. */
    windows: MaintenanceWindow[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListMembersAnswer = {
  /** The answer. */
  data: {
    /** The members. */
    members: Member[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListMembersForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** The members. */
    members: Member[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListNumbersAnswer = {
  /** The answer. */
  data: {
    /** The numbers. */
    numbers: {
      /** E.164 with +, such as +14155550100. */
      phone_number: string;
      /** Directions of the number. */
      directions: ("inbound" | "outbound")[];
      /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
      sip_endpoint: string | null;
      /** State of the trunk. */
      health_status: "healthy" | "unreachable" | "unchecked";
    }[];
    /** Pass as `after` to get the next page; null on the last page. */
    next: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListNumbersOfTrunkAnswer = {
  /** The answer. */
  data: {
    /** Numbers, E.164 with +. */
    phone_numbers: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListOperatorPortsAnswer = {
  /** The answer. */
  data: {
    /** The requests. */
    port_requests: QueuedPort[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListOrganizationsAnswer = {
  /** The answer. */
  data: {
    /** The organizations. */
    organizations: ManagedOrganization[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListPathwayVersionsAnswer = {
  /** The answer. */
  data: {
    /** The versions. */
    versions: PathwayVersionSummary[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListPathwaysAnswer = {
  /** The answer. */
  data: {
    /** The pathways. */
    pathways: Pathway[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListPersonaVersionsAnswer = {
  /** The answer. */
  data: {
    /** The versions. */
    versions: PersonaVersion[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListPersonasAnswer = {
  /** The answer. */
  data: {
    /** The personas. */
    personas: Persona[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListPortsAnswer = {
  /** The answer. */
  data: {
    /** The requests. */
    port_requests: PortRequest[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListSightingsAnswer = {
  /** The answer. */
  data: {
    /** What arrived, newest first. */
    sightings: Sighting[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ListSimulationSetsAnswer = {
  /** The answer. */
  data: {
    /** The sets. */
    simulation_sets: ListedSimulationSet[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTestBatchesAnswer = {
  /** The answer. */
  data: {
    /** The batches. */
    batches: ListedTestBatch[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTestMonitorsAnswer = {
  /** The answer. */
  data: {
    /** The monitors. */
    monitors: TestMonitor[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTestRunsAnswer = {
  /** The answer. */
  data: {
    /** The runs. */
    runs: TestRunSummary[];
    /** Total number of matches. */
    total_count: number;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTestScenariosAnswer = {
  /** The answer. */
  data: {
    /** The scenarios. */
    scenarios: ListedTestScenario[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTestSchedulesAnswer = {
  /** The answer. */
  data: {
    /** The schedules. */
    schedules: TestSchedule[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTestTemplatesAnswer = {
  /** The answer. */
  data: {
    /** The templates. */
    templates: TestTemplate[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ListTornadoSessionsAnswer = {
  /** The answer. */
  data: {
    /** The sessions. */
    sessions: ListedTornadoSession[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTrunkHealthAnswer = {
  /** The answer. */
  data: {
    /** Worst first */
    trunks: TrunkSummary[];
    /** Calls and records of the edge. */
    counts: {
      /** Total number. */
      total: number;
      /** Number of reachable servers. */
      healthy: number;
      /** Number of unreachable servers. */
      unreachable: number;
      /** Number of servers that are not probed. */
      unchecked: number;
      /** Half of their calls or more fail */
      failing: number;
      /** A fifth of their calls or more fail, or a server is unreachable */
      degraded: number;
      /** A registration failed or is missing */
      unregistered: number;
    };
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListTrunksAnswer = {
  /** The answer. */
  data: {
    /** The trunks */
    trunks: Trunk[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListWebhooksAnswer = {
  /** The answer. */
  data: {
    /** The endpoints, newest first. */
    webhooks: WebhookEndpoint[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** True: there are more entries after this page. */
  has_more: boolean;
  /** Pass as `after` to get the next page; null on the last page. */
  next: string | null;
};

export type ListedLoadTest = {
  /** Id of the load test, a UUID. */
  id: string;
  /** COMPLETED: all steps ran, or it stopped where the agent broke. ERROR: error_message says why. */
  status: "RUNNING" | "COMPLETED" | "CANCELLED" | "ERROR";
  /** Scenarios that the callers take in turn. */
  scenario_ids: string[];
  /** text or voice; null: that of each scenario. */
  channel: "text" | "voice" | null;
  /** Callers at once in each step. */
  concurrency: number[];
  /** Steps that ended. */
  completed_steps: number;
  /** Callers at once of the first step at which the agent breaks; null: not reached so far. */
  breaks_at: number | null;
  /** Why it breaks; null: not reached. */
  break_reason: "success_rate" | "latency" | null;
  /** Callers at once of the last step before it, which the agent held without refusals by limits; null: none. */
  holds_at: number | null;
  /** Why it ended in ERROR; null: it did not. */
  error_message: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
};

export type ListedSimulationSet = {
  /** Id of the set, a UUID. */
  id: string;
  /** State of the set. */
  status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
  /** Runs of each scenario. */
  simulations_per_scenario: number;
  /** Number of scenarios. */
  total_scenarios: number;
  /** Number of runs. */
  total_runs: number;
  /** Runs that ended. */
  completed_runs: number;
  /** Id of the schedule that started it, which may have been deleted since; null: none did. */
  schedule_id: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
  /** Runs that passed. */
  passed_runs: number;
  /** What started it. */
  trigger_source: "api" | "dashboard" | "ci" | "schedule";
  /** Its scenarios, by name. */
  scenarios: {
    /** Id of the scenario. */
    id: string;
    /** Its name. */
    name: string;
  }[];
};

export type ListedTestBatch = {
  /** Id of the batch, a UUID. */
  id: string;
  /** PASSED: all runs passed. ERROR: a run ended in ERROR. FAILED: a run failed. CANCELLED: a run was cancelled and none failed. */
  status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
  /** Number of runs. */
  total_scenarios: number;
  /** Runs that passed. */
  passed_scenarios: number;
  /** Runs that ended otherwise. */
  failed_scenarios: number;
  /** What started it. */
  trigger_source: "api" | "dashboard" | "ci" | "gate" | "simulation" | "tornado";
  /** Whether the version becomes live when the batch passes. */
  publish_on_pass: boolean;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
  /** Its scenarios, by name. */
  scenarios: {
    /** Id of the scenario. */
    id: string;
    /** Its name. */
    name: string;
  }[];
};

export type ListedTestScenario = {
  /** Id of the scenario, a UUID. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Its name. */
  name: string;
  /** Pathway under test; null: another target. */
  pathway_id: string | null;
  /** Persona under test; null: another target. */
  persona_id: string | null;
  /** Agent at its own address; null: another target. */
  agent: TestAgent | null;
  /** Free text; null: none. */
  description: string | null;
  /** Kind of caller. Default CUSTOM. */
  category: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM";
  /** AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT. */
  scenario_type: "AGENT" | "REPLAY" | "HISTORICAL";
  /** How it is run unless the run says otherwise: text or voice (a real call). Default text. */
  channel: "text" | "voice";
  /** How the simulated caller behaves and what it wants; required with AGENT. */
  tester_persona_prompt: string;
  /** Name of the simulated caller; null: none. */
  tester_persona_name: string | null;
  /** Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL. */
  first_speaker: "agent" | "caller" | null;
  /** Most turns of the caller. Default 20, range 1–50. */
  max_turns: number;
  /** Variables that the conversation begins with, as in `request_data` of a call. */
  request_data: Record<string, unknown>;
  /** Node that the conversation begins at; null: the start node of the pathway. */
  start_node_id: string | null;
  /** Whether runs get a tone score. Default false. */
  service_tone_enabled: boolean;
  /** Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false. */
  is_required_for_promotion: boolean;
  /** How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50. */
  promotion_runs: number;
  /** Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95. */
  required_pass_rate: number;
  /** False: gates and tornado skip it. Default true. */
  enabled: boolean;
  /** Recorded conversation for REPLAY and HISTORICAL, at most 200 lines. */
  input_messages: TestChatLine[];
  /** Further instructions for the simulated caller; null: none. */
  advanced_instructions: string | null;
  /** Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used. */
  webhook_mocks: TestWebhookMock[];
  /** How it is run as a call; null: the defaults. */
  voice: TestVoiceSettings | null;
  /** Your data, returned unchanged. */
  metadata: Record<string, unknown>;
  /** What must hold after the conversation. */
  assertions: TestAssertion[];
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Latest run; null: never run. */
  most_recent_run: {
    /** Id of the run. */
    id: string;
    /** State of the run. */
    status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
    /** Overall score, 0–1; null: none. */
    score: number | null;
    /** When it ended, ISO 8601 in UTC; null: it has not. */
    completed_at: string | null;
  } | null;
};

export type ListedTornadoSession = {
  /** Id of the session, a UUID. */
  session_id: string;
  /** State of the session. */
  status: "RUNNING" | "COMPLETED_ALL_PASSED" | "COMPLETED_PARTIAL" | "TIMEOUT" | "STUCK" | "CANCELLED" | "ERROR";
  /** Pathway that it improves. */
  pathway_id: string;
  /** Persona of the session; null: none. */
  persona_id: string | null;
  /** Iteration in progress or the last one, from 1. */
  current_iteration: number;
  /** Most iterations. */
  max_iterations: number;
  /** Runs of each scenario in each iteration. */
  runs_per_scenario: number;
  /** What the lower end of the interval of a scenario’s pass rate must reach. */
  required_pass_rate: number;
  /** Number of scenarios. */
  total_scenarios: number;
  /** Scenarios that passed in the last iteration. */
  passed_scenarios: number;
  /** Scenarios that did not. */
  failed_scenarios: number;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Version with the fixes; null: none yet. */
  forked_version: number | null;
  /** Why it ended in ERROR; null: it did not. */
  error_message: string | null;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
};

export type LiveCall = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** The caller. */
  from: string;
  /** The callee. */
  to: string;
  /** Its state. */
  state: "setup" | "ringing" | "answered";
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string;
  /** When it first rang, ISO 8601 in UTC; null: it did not. */
  ringing_at: string | null;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** The trunk's leg. */
  trunk: {
    /** Remote address of the trunk's leg, `address:port`; empty: not known yet. */
    address: string;
    /** SIP transport. */
    protocol: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string;
  };
  /** Codecs, encryption and RTP statistics; null: no media was negotiated. */
  media: {
    /** Codec on the trunk's side; null: not negotiated yet. */
    codec: string | null;
    /** SRTP suite on the trunk's side; null: plain RTP. */
    srtp_suite: string | null;
  } | null;
  /** Id of the organization; null: the number belongs to none. */
  organization_id: string | null;
  /** E.164 with +, such as +14155550100. */
  phone_number: string | null;
  /** The From header of the INVITE. */
  from_header: string;
  /** The To header of the INVITE. */
  to_header: string;
  /** Operator keys only */
  edge_id: string | null;
};

export type LiveCallDetail = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Call-ID header of the trunk's leg */
  sip_call_id: string;
  /** E.164 with +, such as +14155550100. */
  phone_number: string | null;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** The caller. */
  from: string;
  /** The callee. */
  to: string;
  /** Its state. */
  status: string | null;
  /** SIP status of the final response; null: none. */
  sip_code: number | null;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`. */
  outcome: "completed" | "cancelled" | "refused" | "failed" | null;
  /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | null;
  /** Side that ended it. */
  ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api" | null;
  /** Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known. */
  audio_problem: "one_way" | "none" | "lost" | null;
  /** The cause in plain words. */
  cause: string | null;
  /** Recommended action. */
  advice: string | null;
  /** From answer to end; 0 if not answered */
  duration_seconds: number;
  /** ISO 8601 in UTC */
  started_at: string;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** When the call ended, ISO 8601 in UTC; null: it is active. */
  ended_at: string | null;
  /** Address that the call came from, or went to. */
  source_ip: string;
  /** Display name of the other party; null: none was sent */
  party_name: string | null;
  /** The lower mean opinion score of both sides, 1.0 to 5.0; null: not reported */
  mos: number | null;
  /** Null: no organization has the number */
  organization_id: string | null;
  /** The call rang when its edge was lost, and another edge began it again as this call, with the same `sip_call_id`; statistics count that one alone. null: it was not */
  continued_as: string | null;
  /** Test run that placed the call; null: none. Tests count neither as usage nor in statistics. */
  test_run_id: string | null;
  /** `ending`: over, but the record is not stored yet */
  state: "setup" | "ringing" | "answered" | "ending";
  /** Id of the edge process that has or had the call. */
  edge_id: string;
  /** When it first rang, ISO 8601 in UTC; null: it did not. */
  ringing_at: string | null;
  /** Port at that address. */
  source_port: number;
  /** SIP transport: udp, tcp or tls. */
  source_protocol: string;
  /** The From header of the INVITE. */
  from_header: string;
  /** The To header of the INVITE. */
  to_header: string;
  /** Further details, such as the rule that refused the call */
  detail: string | null;
  /** Call-ID header of the agent's leg; null: there was none. */
  agent_sip_call_id: string | null;
  /** Codecs, encryption and RTP statistics; null: no media was negotiated. */
  media: CallMedia | null;
  /** Each requested transfer with its outcome */
  transfers: CallTransfer[];
  /** Edges that held the call before `edge_id`, and when another one took it over from each; messages of about that moment may be missing in `trace` */
  adoptions: {
    /** ISO 8601 in UTC */
    at: string;
    /** Id of the edge process that has or had the call. */
    edge_id: string;
  }[];
  /** Id of the call of a lost edge that this one continues, see its `continued_as`; null: none */
  continues: string | null;
  /** When the audio moved to another media server because its own was lost */
  media_moves: {
    /** ISO 8601 in UTC */
    at: string;
    /** Lost media server; null: unknown */
    from: string | null;
    /** Media server that has the audio since then; the same as `from`: it was restarted */
    to: string;
    /** From the finding of the loss to the move */
    milliseconds: number;
  }[];
  /** Outbound calls: servers tried, in order */
  attempts: CallAttempt[];
  /** Values that the agent set during the call */
  agent_metadata: Record<string, string>;
  /** Every SIP message of the call, in order. */
  trace: TraceMessage[];
  /** True: messages are missing from the trace. */
  trace_truncated: boolean;
  /** True: the trace is in the object store, which does not respond. Repeat the request later. */
  trace_unavailable: boolean;
  /** Time of this data */
  at: string;
  /** The transfer in progress; finished ones are in `transfers` */
  open_transfer: {
    /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
    mode: "refer" | "bridge" | "attended" | "replaced";
    /** Side that requested it. */
    requested_by: "trunk" | "agent" | "api";
    /** Recipient. */
    target: string;
    /** When it was requested, ISO 8601 in UTC. */
    requested_at: string;
  } | null;
  /** Stage of the warm transfer in progress: `calling` the target, `connecting` it to the agent, `consulting`, `joining` caller and target, or `returning` the caller to the agent; null: there is none */
  consultation: "calling" | "connecting" | "consulting" | "joining" | "returning" | null;
  /** True: on hold through the API. */
  on_hold: boolean;
  /** Who listens to the call now */
  listeners: {
    /** Name of the person or API key */
    name: string;
    /** ISO 8601 in UTC */
    since: string;
  }[];
  /** Connection to an agent by WebSocket; null: the agent is another one */
  bot: {
    /** URL of the bot */
    url: string;
    /** False: the connection is being made, or made again */
    connected: boolean;
    /** How often the connection was lost and made again */
    reconnects: number;
    /** Milliseconds of the round trip of the last ping; null: not measured yet */
    latency_ms: number | null;
    /** Milliseconds of the bot’s audio that wait to be played */
    queued_ms: number;
  } | null;
};

export type LiveCalls = {
  /** Newest first, at most 1,000 */
  calls: LiveCall[];
  /** Counts of the calls beyond those in `calls`, by organization, number and edge */
  unlisted: CallGroup[];
  /** Active calls, with those in `unlisted` */
  total: number;
  /** True: there are calls in `unlisted` */
  truncated: boolean;
  /** When, ISO 8601 in UTC. */
  at: string;
};

export type LoadTest = {
  /** Id of the load test, a UUID. */
  id: string;
  /** COMPLETED: all steps ran, or it stopped where the agent broke. ERROR: error_message says why. */
  status: "RUNNING" | "COMPLETED" | "CANCELLED" | "ERROR";
  /** Scenarios that the callers take in turn. */
  scenario_ids: string[];
  /** text or voice; null: that of each scenario. */
  channel: "text" | "voice" | null;
  /** Callers at once in each step. */
  concurrency: number[];
  /** Steps that ended. */
  completed_steps: number;
  /** Callers at once of the first step at which the agent breaks; null: not reached so far. */
  breaks_at: number | null;
  /** Why it breaks; null: not reached. */
  break_reason: "success_rate" | "latency" | null;
  /** Callers at once of the last step before it, which the agent held without refusals by limits; null: none. */
  holds_at: number | null;
  /** Why it ended in ERROR; null: it did not. */
  error_message: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
  /** Version as ordered; null: the default. */
  version_number: number | null;
  /** As ordered; null: by callers. */
  seconds_per_step: number | null;
  /** As ordered. */
  required_success_rate: number;
  /** As ordered; null: none. */
  maximum_latency_ms: number | null;
  /** As ordered; null: it stops at the break. */
  stop_below: number | null;
  /** Token budget of its runs together; null: none. */
  token_budget: {
    /** Tokens that its runs may take together. */
    limit: number;
    /** Tokens that its runs have taken. */
    used: number;
  } | null;
  /** Budget in money of its runs together; null: none. */
  cost_budget: {
    /** What its runs may cost together. */
    limit: number;
    /** What its runs have cost. */
    used: number;
    /** Currency code of ISO 4217. */
    currency: string;
  } | null;
  /** Tokens and cost of the runs that have ended. */
  usage: TestUsageSum;
  /** Each step, in the order of the plan. */
  steps: LoadTestStep[];
};

export type LoadTestStep = {
  /** Callers at once. */
  concurrency: number;
  /** STOPPED: the load test ended during the step. SKIPPED: it ended before. The figures of a RUNNING step are those so far. */
  status: "PENDING" | "RUNNING" | "COMPLETED" | "STOPPED" | "SKIPPED";
  /** Callers in all; with seconds_per_step, the most that may begin. */
  planned_callers: number;
  /** Callers that ended, without cancelled ones. */
  callers: number;
  /** Most callers that were in a conversation at once. */
  peak_callers: number;
  /** Runs that passed. */
  passed: number;
  /** Runs that failed. */
  failed: number;
  /** Callers whom the agent did not answer, refused, or failed. They count as not passed. */
  agent_errors: number;
  /** Callers whom a limit of Demarc refused before the agent was asked. They do not count, and a step with any is not held. */
  limit_refusals: number;
  /** Callers who failed for other reasons, such as their own model, the judge or the token budget. They say nothing about the agent and do not count. */
  test_errors: number;
  /** passed ÷ (passed + failed + agent_errors), 0–1; null: no callers. */
  success_rate: number | null;
  /** Wilson interval of the success rate at 95 %; null: no callers. */
  success_rate_interval: {
    /** Lower bound. */
    lower: number;
    /** Upper bound. */
    upper: number;
  } | null;
  /** From the INVITE to the answer of the call; by text there is none. */
  answer_ms: {
    /** How many were measured. */
    count: number;
    /** Median, in milliseconds; null: none was measured. */
    p50: number | null;
    /** 95th percentile, in milliseconds; null: none was measured. */
    p95: number | null;
    /** 99th percentile, in milliseconds; null: none was measured. */
    p99: number | null;
  };
  /** From a line of the caller to the answer of the agent, over all turns. */
  latency_ms: {
    /** How many were measured. */
    count: number;
    /** Median, in milliseconds; null: none was measured. */
    p50: number | null;
    /** 95th percentile, in milliseconds; null: none was measured. */
    p95: number | null;
    /** 99th percentile, in milliseconds; null: none was measured. */
    p99: number | null;
  };
  /** Why callers did not pass, most frequent first, at most ten. */
  reasons: {
    /** Failed assertion, or error. */
    reason: string;
    /** A failed assertion, an error of the agent, a refusal by a limit of Demarc, or an error of the test itself. */
    kind: "assertion" | "agent" | "limit" | "test";
    /** Final SIP response to a call that was refused; null: none. */
    sip_status: number | null;
    /** Callers that it happened to. */
    callers: number;
  }[];
  /** True: the stand-in that answers by rules took part, so that the result says nothing. */
  is_stand_in: boolean;
  /** success_rate: the upper end of the interval is below required_success_rate. latency: the 95th percentile exceeds maximum_latency_ms. Null: neither, or not completed. */
  breaks: "success_rate" | "latency" | null;
  /** Number of times that it was begun; more than 1 after a process was killed. */
  attempts: number;
  /** When it began; null: not yet. */
  started_at: string | null;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
};

export type LookUpInvitationAnswer = {
  /** The answer. */
  data: {
    /** Name of the organization */
    organization: string;
    /** Address of the invited person */
    email: string;
    /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
    role: "owner" | "operator" | "viewer";
    /** Name of the member or key that invites */
    invited_by: string;
    /** The link is valid until then */
    expires_at: string;
    /** True: accept with the password of the account */
    has_account: boolean;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type MaintenanceWindow = {
  /** Id of a maintenance window. */
  window_id: string;
  /** What is done */
  name: string;
  /** Only this number; null: not limited */
  phone_number: string | null;
  /** Only this shared trunk; null: not limited */
  trunk_id: string | null;
  /** Kinds of alerts that are not sent */
  kinds: ("unreachable" | "failure_rate" | "response_time")[];
  /** IANA time zone of the schedule */
  time_zone: string;
  /** When the window is open */
  schedule: {
    /** One time */
    type: "once";
    /** Start */
    starts_at: string;
    /** End */
    ends_at: string;
  } | {
    /** Every week */
    type: "weekly";
    /** Days on which it starts */
    weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
    /** HH:MM in `time_zone` */
    start_time: string;
    /** Elapsed minutes */
    duration_minutes: number;
  };
  /** False: the window is ignored */
  enabled: boolean;
  /** Whether it is open now */
  is_open: boolean;
  /** Start of the present or next time; null: it is over */
  starts_at: string | null;
  /** End of the present or next time; null: it is over */
  ends_at: string | null;
  /** Creation time */
  created_at: string;
  /** Name of the member or key that created it */
  created_by: string;
  /** Last change */
  updated_at: string;
  /** Name of the member or key that changed it last */
  updated_by: string;
};

export type ManagedOrganization = {
  /** Id of the organization; null: the number belongs to none. */
  organization_id: string;
  /** Name of the organization. */
  name: string;
  /** Has the SIP entitlement. */
  sip_enabled: boolean;
  /** Key of `DEMARC_REGIONS`; null: the first region. */
  region: string | null;
  /** Limits of this organization, which replace those of the service. */
  limits: {
    /** Concurrent calls on all edges together; null: `DEMARC_ORGANIZATION_MAX_CALLS`. */
    concurrent_calls: number | null;
    /** New calls per second; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`. */
    calls_per_second: number | null;
    /** Days that call records are kept; null: `DEMARC_CALL_RETENTION_DAYS`. */
    call_retention_days: number | null;
    /** Minutes of answered calls a calendar month (UTC); above it calls continue. Null: none. */
    minutes_per_month: number | null;
  };
  /** Phone numbers. */
  numbers: number;
  /** People. */
  members: number;
  /** Of these, owners. */
  owners: number;
  /** API keys that are neither revoked nor expired. */
  keys: number;
  /** When it was created. */
  created_at: string;
};

export type MediaSample = {
  /** End of the interval */
  at: string;
  /** False: an RTCP report of the other end */
  is_sampled: boolean;
  /** RTP packets received from the side; null: unknown */
  packets_per_second: number | null;
  /** Packets lost, in percent; null: unknown */
  loss_percent: number | null;
  /** Mean jitter in milliseconds. */
  jitter_milliseconds: number | null;
  /** Between rtpengine and the side; null: not reported */
  round_trip_milliseconds: number | null;
  /** By the E-model (ITU-T G.107), 1.0 to 4.5; null: unknown */
  mos: number | null;
  /** Of loss and MOS. `rtcp`: reports of the other end. `sequence`: sequence numbers that rtpengine missed; MOS from loss alone. `estimate`: packets against time; MOS from that loss alone. null: neither is known */
  quality_source: "rtcp" | "sequence" | "estimate" | null;
};

export type Member = {
  /** Id of a member. */
  member_id: string;
  /** Name of the person */
  name: string;
  /** Email address of the person */
  email: string;
  /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
  role: "owner" | "operator" | "viewer";
  /** Sees the fleet and the totals of all organizations */
  operator: boolean;
  /** When the person joined */
  created_at: string;
  /** Last sign-in to this organization; null: never */
  signed_in_at: string | null;
};

export type MergeContactsAnswer = {
  /** The answer. */
  data: Contact;
  /** Null: the request succeeded. */
  errors: null;
};

/** That contact as it was; its messages are in this one. */
export type MergedContact = {
  /** Id of the contact, a UUID. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Name of the contact; empty: unknown. */
  name: string;
  /** Your own data. */
  metadata: Record<string, unknown>;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** What the contact is recognized by. */
  identifiers: ContactIdentifier[];
  /** What agents remember of the contact. */
  memories: {
    /** Its id. */
    id: string;
    /** Id of the contact, a UUID. */
    contact_id: string;
    /** The persona that remembers; empty: an agent without one. */
    persona_id: string;
    /** The number whose agent remembers, E.164 with +; null: all numbers. */
    agent_number: string | null;
    /** The conversations so far; empty: none. */
    summary: string;
    /** What is known, by name. */
    facts: Record<string, string | number | boolean>;
    /** What is left to do. */
    open_items: ContactOpenItem[];
    /** What the contact talks about, such as orders. */
    entities: ContactEntity[];
  }[];
};

export type MovePortAnswer = {
  /** The answer. */
  data: OperatorPort;
  /** Null: the request succeeded. */
  errors: null;
};

export type NocSummary = {
  /** When, ISO 8601 in UTC. */
  at: string;
  /** State of each component. */
  parts: {
    /** The edges. */
    edges: "up" | "degraded" | "down" | "unknown";
    /** Codecs, encryption and RTP statistics; null: no media was negotiated. */
    media: "up" | "degraded" | "down" | "unknown";
    /** Redis. */
    redis: "up" | "degraded" | "down" | "unknown";
    /** PostgreSQL. */
    database: "up" | "degraded" | "down" | "unknown";
  };
  /** Trunks by state. */
  trunk_counts: {
    /** Total number. */
    total: number;
    /** Number of reachable servers. */
    healthy: number;
    /** Number of unreachable servers. */
    unreachable: number;
    /** Number of servers that are not probed. */
    unchecked: number;
    /** Half of their calls or more fail */
    failing: number;
    /** A fifth of their calls or more fail, or a server is unreachable */
    degraded: number;
    /** A registration failed or is missing */
    unregistered: number;
  };
  /** Worst first, at most 200 */
  trunks: TrunkSummary[];
  /** How current the windows of calls, and the trunks with their counts, are */
  figures: {
    /** Of `calls.windows` */
    calls: {
      /** late: PostgreSQL is slow or down, these are the last ones. unknown: there are none yet, so that 0 or null says nothing. */
      state: "current" | "late" | "unknown";
      /** Of late ones */
      as_of: string | null;
    };
    /** Of `trunks` and `trunk_counts` */
    trunks: {
      /** late: PostgreSQL is slow or down, these are the last ones. unknown: there are none yet, so that 0 or null says nothing. */
      state: "current" | "late" | "unknown";
      /** Of late ones */
      as_of: string | null;
    };
  };
  /** Null while the database is down */
  alerts: {
    /** Answered calls that have not ended; null: unknown. */
    active: number;
    /** Active alerts of which no notice was delivered two minutes after they fired, or for which there is no recipient */
    unnoticed: number;
  } | null;
  /** The calls. */
  calls: CallFigures;
  /** Null: none */
  registrations: {
    /** Total number. */
    total: number;
    /** Number of registered ones. */
    registered: number;
    /** How many failed. */
    failed: number;
  } | null;
  /** Operator keys only */
  fleet: Fleet | null;
};

export type OperatorPort = {
  /** Id of the request. */
  id: string;
  /** Its state. */
  status: PortStatus;
  /** Its numbers, each with its own state; some may be ported before others. */
  phone_numbers: PortNumber[];
  /** Who signs the Letter of Authorization. */
  authorized_rep_email: string;
  /** Addresses notified of each change of state. */
  notification_emails: string[];
  /** Requested day, in the carrier’s time zone. */
  target_port_date: string;
  /** Who carries the request out: the API of a carrier, or an operator by hand (manual). */
  carrier: "manual" | "twilio";
  /** The carrier’s id of the request; null: the carrier has not confirmed it. */
  carrier_reference: string | null;
  /** Why the carrier could not be contacted, or what it is waiting for; null: none. */
  carrier_problem: string | null;
  /** When it was requested, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Every move, oldest first. */
  timeline: PortMove[];
  /** Its documents, while they are kept. */
  documents: PortDocument[];
  /** Signature of the Letter of Authorization. */
  signature: {
    /** Where the link was sent. */
    email: string;
    /** When the link expires, ISO 8601 in UTC. */
    expires_at: string;
    /** When it was signed; null: it was not. */
    signed_at: string | null;
    /** Name under the signature; null: none. */
    signer_name: string | null;
  };
  /** Organization that asks for the port. */
  organization_id: string;
  /** Its name. */
  organization: string;
  /** What the losing carrier compares. Each access is logged. */
  losing_carrier: {
    /** Kind of account. */
    customer_type: "business" | "personal";
    /** Name of the business; null: none. */
    business_name: string | null;
    /** First name of the authorized representative. */
    first_name: string | null;
    /** Last name of the authorized representative. */
    last_name: string | null;
    /** Account number; null: none was given. */
    account_number: string | null;
    /** Port-out PIN; null: none was given. */
    pin: string | null;
    /** Service address in the records of the losing carrier. */
    address: Record<string, string>;
  };
  /** Moves that an operator can make now, for at least one number. */
  allowed_moves: ("sign" | "progress" | "complete" | "fail" | "cancel")[];
};

export type OrderedCall = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** The callee. */
  to: string;
  /** The caller. */
  from: string;
  /** True: the call came to the number; false: it left from it. */
  inbound: false;
  /** Id of its batch; null: none */
  batch_id: string | null;
  /** Earliest time to dial; null: at once */
  scheduled_at: string | null;
  /** ISO 8601 in UTC */
  created_at: string;
  /** `queued`, `dialing` (the agent or the trunk is being called), `ringing`, `in_progress` (answered), `ending` (over, record not stored yet); then how it ended: `completed` (answered), `busy`, `no_answer`, `cancelled`, `failed`, or `unknown` (its edge died, or live state is unavailable while `completed` is false). */
  state: "queued" | "dialing" | "ringing" | "in_progress" | "ending" | "completed" | "busy" | "no_answer" | "cancelled" | "failed" | "unknown";
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string | null;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** When the call ended, ISO 8601 in UTC; null: it is active. */
  ended_at: string | null;
  /** Seconds from the answer to the end; null until the call has ended. */
  duration_seconds: number | null;
  /** Seconds from the answer after which the call is ended. */
  max_duration_seconds: number;
  /** True: on hold through the API. */
  on_hold: boolean;
  /** The same as `ended_at`. */
  end_at: string | null;
  /** True: the call has ended, with any outcome */
  completed: boolean;
  /** Null until the call has ended; `state` shows its progress. */
  status: "completed" | "failed" | "busy" | "no-answer" | "canceled" | "unknown" | null;
  /** Progress of the order. */
  queue_status: "new" | "queued" | "allocated" | "started" | "complete" | "queue_error" | "call_error" | "complete_error";
  /** Who answered: `unknown` (Demarc does not detect answering machines) or `no-answer`; null: not known yet. */
  answered_by: "unknown" | "no-answer" | null;
  /** ASSISTANT: the agent hung up; USER: the callee; null: neither, or the call is active. */
  call_ended_by: "ASSISTANT" | "USER" | null;
  /** The same as `duration_seconds`, in minutes. */
  call_length: number | null;
  /** The same as `duration_seconds`, whole seconds as text. */
  corrected_duration: string | null;
  /** The same as `max_duration_seconds`, in minutes. */
  max_duration: number;
  /** Error; null: none. */
  error_message: string | null;
  /** Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known. */
  audio_problem: "one_way" | "none" | "lost" | null;
  /** Why the call ended; null while it is active */
  cause: string | null;
  /** Recommended action */
  advice: string | null;
  /** Final response to the trunk's INVITE; null while the call is active */
  sip: {
    /** SIP status; null: none. */
    code: number | null;
    /** Reason, a stable code; null: none. */
    reason: string | null;
    /** Side that ended it: callee, agent, edge, api */
    side: string;
    /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
    end_reason: string;
  } | null;
  /** Data for the agent, and variables for the header mappings. */
  request_data: Record<string, unknown> | null;
  /** Your data, returned unchanged. */
  metadata: Record<string, unknown> | null;
};

export type OrderedCallDetail = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** The callee. */
  to: string;
  /** The caller. */
  from: string;
  /** True: the call came to the number; false: it left from it. */
  inbound: false;
  /** Id of its batch; null: none */
  batch_id: string | null;
  /** Earliest time to dial; null: at once */
  scheduled_at: string | null;
  /** ISO 8601 in UTC */
  created_at: string;
  /** `queued`, `dialing` (the agent or the trunk is being called), `ringing`, `in_progress` (answered), `ending` (over, record not stored yet); then how it ended: `completed` (answered), `busy`, `no_answer`, `cancelled`, `failed`, or `unknown` (its edge died, or live state is unavailable while `completed` is false). */
  state: "queued" | "dialing" | "ringing" | "in_progress" | "ending" | "completed" | "busy" | "no_answer" | "cancelled" | "failed" | "unknown";
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string | null;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** When the call ended, ISO 8601 in UTC; null: it is active. */
  ended_at: string | null;
  /** Seconds from the answer to the end; null until the call has ended. */
  duration_seconds: number | null;
  /** Seconds from the answer after which the call is ended. */
  max_duration_seconds: number;
  /** True: on hold through the API. */
  on_hold: boolean;
  /** The same as `ended_at`. */
  end_at: string | null;
  /** True: the call has ended, with any outcome */
  completed: boolean;
  /** Null until the call has ended; `state` shows its progress. */
  status: "completed" | "failed" | "busy" | "no-answer" | "canceled" | "unknown" | null;
  /** Progress of the order. */
  queue_status: "new" | "queued" | "allocated" | "started" | "complete" | "queue_error" | "call_error" | "complete_error";
  /** Who answered: `unknown` (Demarc does not detect answering machines) or `no-answer`; null: not known yet. */
  answered_by: "unknown" | "no-answer" | null;
  /** ASSISTANT: the agent hung up; USER: the callee; null: neither, or the call is active. */
  call_ended_by: "ASSISTANT" | "USER" | null;
  /** The same as `duration_seconds`, in minutes. */
  call_length: number | null;
  /** The same as `duration_seconds`, whole seconds as text. */
  corrected_duration: string | null;
  /** The same as `max_duration_seconds`, in minutes. */
  max_duration: number;
  /** Error; null: none. */
  error_message: string | null;
  /** Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known. */
  audio_problem: "one_way" | "none" | "lost" | null;
  /** Why the call ended; null while it is active */
  cause: string | null;
  /** Recommended action */
  advice: string | null;
  /** Final response to the trunk's INVITE; null while the call is active */
  sip: {
    /** SIP status; null: none. */
    code: number | null;
    /** Reason, a stable code; null: none. */
    reason: string | null;
    /** Side that ended it: callee, agent, edge, api */
    side: string;
    /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
    end_reason: string;
  } | null;
  /** Data for the agent, and variables for the header mappings. */
  request_data: Record<string, unknown> | null;
  /** Your data, returned unchanged. */
  metadata: Record<string, unknown> | null;
  /** Instructions for the agent. */
  task: string;
  /** Ids of knowledge bases and tools of the order */
  tools: string[] | null;
  /** Id of the persona of the order */
  persona_id: string | null;
  /** Id of the pathway of the order; null: that of the persona, if it has one */
  pathway_id: string | null;
  /** Version of the pathway that the order names; null: the one that is live */
  pathway_version: number | null;
  /** Voice that the order names; null: that of the persona, if it has one */
  voice: string | null;
  /** When it first rang, ISO 8601 in UTC; null: it did not. */
  ringing_at: string | null;
  /** Servers tried, in order; the last one has no status while the attempt runs. */
  attempts: CallAttempt[];
  /** Target of the successful transfer */
  transferred_to: string | null;
  /** When the transfer was completed, ISO 8601 in UTC. */
  transferred_at: string | null;
  /** The last transfer, with its outcome */
  transfer: CallTransfer | null;
};

export type OutboundChanges = {
  /** Direction. */
  type: "outbound";
  /** Which configuration, when the number has several of the direction */
  id?: string | undefined;
  /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
  sip_endpoint?: string | undefined;
  /** The agent's leg. */
  agent?: string | WebSocketAgent | null | undefined;
  /** Other connection settings. */
  options?: DirectionOptionChanges | null | undefined;
  /** Mappings of SIP headers and variables. */
  headers?: OutboundHeaders | null | undefined;
};

export type OutboundDirection = {
  /** Direction. */
  type: "outbound";
  /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
  sip_endpoint: string;
  /** Agent of calls that the number places: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the inbound direction, else the service’s agent. */
  agent?: string | WebSocketAgent | undefined;
  /** Other connection settings. */
  options?: DirectionOptions | undefined;
  /** Mappings of SIP headers and variables. */
  headers?: OutboundHeaders | undefined;
};

export type OutboundHeaders = {
  /** Same as that of the configuration. */
  direction: "outbound";
  /** The mappings, at most 15. */
  headers: ({
    /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
    type: "custom";
    /** Inbound: SIP header name. Outbound: variable name. */
    key: string;
    /** Inbound: variable name. Outbound: SIP header name. With `passthrough`: the constant. */
    value: string;
    /** True: the value is constant. */
    passthrough?: boolean | undefined;
  } | {
    /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
    type: "uui";
    /** Variable that holds the User-to-User content. */
    target: string;
    /** The `purpose` parameter of User-to-User (RFC 7433). */
    purpose?: string | undefined;
    /** Encoding of User-to-User: `hex` or `ascii`. */
    encoding?: "hex" | "ascii" | undefined;
    /** The `content` parameter of User-to-User (RFC 7433). */
    content?: string | undefined;
  })[];
};

export type ParseCertificatesAnswer = {
  /** The answer. */
  data: {
    /** Whether `tls_ca` takes the text */
    valid: boolean;
    /** Why it is not valid; null: it is */
    reason: string | null;
    /** The certificates in order; empty if the text is not valid */
    certificates: TrustedCertificate[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ParseDestinationAnswer = {
  /** The answer. */
  data: {
    /** True: a valid destination. */
    valid: boolean;
    /** The parsed destination; null: invalid. */
    parsed: {
      /** Host name or address. */
      host: string;
      /** Port, 1–65535. */
      port?: number | undefined;
      /** User part of the URI. */
      user?: string | undefined;
      /** SIP transport: udp, tcp or tls. */
      transport?: "udp" | "tcp" | "tls" | undefined;
      /** True: a private or loopback address. */
      is_private_ip: boolean;
      /** The destination as a SIP URI. */
      normalized: string;
    } | null;
    /** Reason, a stable code; null: none. */
    reason: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type Pathway = {
  /** Id of the pathway, a UUID. */
  id: string;
  /** Its name. */
  name: string;
  /** Free text; null: not set. */
  description: string | null;
  /** Numbers whose inbound calls follow the pathway. */
  numbers: {
    /** The number, E.164 with +. */
    phone_number: string;
    /** The version that its calls follow; null: the live one. */
    version_number: number | null;
  }[];
  /** The live version; null: none. */
  current_production_version: PathwayVersionSummary | null;
  /** What the next promotion makes live; null: nothing. */
  current_draft_version: PathwayVersionSummary | null;
  /** The latest promotion that required tests; null: none. */
  promotion: Promotion | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

export type PathwayChange = {
  /** What happened to it. */
  kind: "added" | "removed" | "changed";
  /** The part of the document. */
  element: "node" | "edge" | "settings" | "start_node_id";
  /** Id of the node or edge; null: neither. */
  id: string | null;
  /** Name of the node or label of the edge; null: neither. */
  name: string | null;
  /** The field that differs; null: the whole node or edge. */
  field: string | null;
  /** `layout`: the node was only moved in the graph, and conversations stay the same. */
  affects: "conversation" | "layout";
  /** Its earlier value; null: it had none. */
  before: unknown;
  /** Its later value; null: it has none. */
  after: unknown;
};

export type PathwayCoverage = {
  /** Id of a pathway. */
  pathway_id: string;
  /** Version whose runs are counted. */
  version_number: number;
  /** Runs by text of this version that passed or failed, at most the latest 10,000. */
  runs: number;
  /** Coverage of nodes. */
  nodes: {
    /** Number of nodes in the document. */
    total: number;
    /** Those that a run visited. */
    covered: number;
    /** Share of those, 0–100; 100 if there are none. */
    percent: number;
  };
  /** Coverage of edges. */
  edges: {
    /** Number of edges in the document. */
    total: number;
    /** Those that a run visited. */
    covered: number;
    /** Share of those, 0–100; 100 if there are none. */
    percent: number;
  };
  /** Nodes that no run visited. */
  missing_nodes: {
    /** Id of the node. */
    id: string;
    /** Name of the node. */
    name: string;
  }[];
  /** Edges that no run took. Edges between the same two nodes are covered together. */
  missing_edges: {
    /** Id of the edge. */
    id: string;
    /** Node that it leaves. */
    source: string;
    /** Node that it leads to. */
    target: string;
    /** When it is taken. */
    label: string;
    /** False: no path leads there from the start node. */
    is_reachable: boolean;
  }[];
  /** Scenarios that together take all missing edges that can be reached, at most 50; `POST /v1/agent-testing/scenarios` takes each. */
  suggested_scenarios: SuggestedTestScenario[];
};

export type PathwayDocument = {
  /** Id of the node that a conversation begins at. */
  start_node_id: string;
  /** The nodes, 1–500. */
  nodes: PathwayNode[];
  /** The edges, at most 2000, in the order in which they are tried. */
  edges: PathwayEdge[];
  /** Settings that apply to all nodes. */
  settings: {
    /** Instructions for every node; null: none. */
    global_prompt: string | null;
    /** Variables that a conversation begins with, from `request_data`. */
    variables: {
      /** Name of the variable. */
      name: string;
      /** Type of its value. Default `string`. */
      type: "string" | "number" | "boolean";
      /** Meaning of the variable. */
      description?: string | undefined;
      /** Its value if `request_data` has none. */
      value?: string | number | boolean | undefined;
    }[];
  };
};

export type PathwayDocumentInput = {
  /** Id of the node that a conversation begins at. */
  start_node_id: string;
  /** The nodes, 1–500. */
  nodes: PathwayNodeInput[];
  /** The edges, at most 2000, in the order in which they are tried. */
  edges?: PathwayEdgeInput[] | undefined;
  /** Settings that apply to all nodes. */
  settings?: {
    /** Instructions for every node; null: none. */
    global_prompt?: string | null | undefined;
    /** Variables that a conversation begins with, from `request_data`. */
    variables?: {
      /** Name of the variable. */
      name: string;
      /** Type of its value. Default `string`. */
      type?: "string" | "number" | "boolean" | undefined;
      /** Meaning of the variable. */
      description?: string | undefined;
      /** Its value if `request_data` has none. */
      value?: string | number | boolean | undefined;
    }[] | undefined;
  } | undefined;
};

export type PathwayEdge = {
  /** Id of the edge, unique in the document. */
  id: string;
  /** Id of the node that it leaves. */
  source: string;
  /** Id of the node that it leads to. */
  target: string;
  /** When to take it, in a few words. */
  label: string;
  /** When to take it, in detail, for the model. */
  condition?: string | undefined;
  /** Comparisons of variables which must all hold; the model is not asked. */
  when?: {
    /** Name of the variable. */
    variable: string;
    /** How it is compared. Text is compared without case. */
    operator: "equals" | "not_equals" | "contains" | "greater_than" | "less_than" | "is_set" | "is_not_set";
    /** Operand; omit for is_set and is_not_set. */
    value?: string | number | boolean | undefined;
  }[] | undefined;
};

export type PathwayEdgeInput = {
  /** Id of the edge, unique in the document. */
  id: string;
  /** Id of the node that it leaves. */
  source: string;
  /** Id of the node that it leads to. */
  target: string;
  /** When to take it, in a few words. */
  label: string;
  /** When to take it, in detail, for the model. */
  condition?: string | undefined;
  /** Comparisons of variables which must all hold; the model is not asked. */
  when?: {
    /** Name of the variable. */
    variable: string;
    /** How it is compared. Text is compared without case. */
    operator: "equals" | "not_equals" | "contains" | "greater_than" | "less_than" | "is_set" | "is_not_set";
    /** Operand; omit for is_set and is_not_set. */
    value?: string | number | boolean | undefined;
  }[] | undefined;
};

export type PathwayNode = {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Says something and listens. */
  type: "default";
  /** Instructions from which the model makes what the agent says; `{{name}}` is a variable. */
  prompt?: string | undefined;
  /** What the agent says, word for word, in place of a prompt. */
  text?: string | undefined;
  /** What must be true before the conversation leaves the node. Omitted: one answer is enough. */
  condition?: string | undefined;
  /** Variables that the model reads from the conversation. */
  extract: {
    /** Name of the variable. */
    name: string;
    /** Type of its value. Default `string`. */
    type: "string" | "number" | "boolean";
    /** What the model looks for in the conversation. */
    description: string;
  }[];
  /** Knowledge bases that the agent may search at this node, UUIDs; at most 50. */
  kb_ids: string[];
} | {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Calls a webhook and continues at once. */
  type: "webhook";
  /** The request. */
  webhook: {
    /** HTTP or HTTPS address; `{{name}}` is a variable, escaped. */
    url: string;
    /** HTTP method. Default `POST`. */
    method: "GET" | "POST" | "PUT" | "PATCH";
    /** JSON body, not with GET; `{{name}}` within its strings is a variable. */
    body?: Record<string, unknown> | undefined;
    /** Milliseconds until the call is given up. Default 5000, range 100–30000. */
    timeout_ms: number;
    /** Variables that the response sets; values of more than 10000 characters of JSON set none. `webhook_status` is always set: the HTTP status, 0 without a response. */
    response_variables: {
      /** Name of the variable. */
      name: string;
      /** Where its value is in the JSON response: names and positions with dots. */
      path: string;
    }[];
  };
} | {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Transfers the call. */
  type: "transfer";
  /** Instructions from which the model makes what the agent says; `{{name}}` is a variable. */
  prompt?: string | undefined;
  /** What the agent says, word for word, in place of a prompt. */
  text?: string | undefined;
  /** E.164 number or SIP URI; `{{name}}` is a variable. */
  transfer_to: string;
} | {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Ends the call. */
  type: "end";
  /** Instructions from which the model makes what the agent says; `{{name}}` is a variable. */
  prompt?: string | undefined;
  /** What the agent says, word for word, in place of a prompt. */
  text?: string | undefined;
};

export type PathwayNodeInput = {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Says something and listens. */
  type: "default";
  /** Instructions from which the model makes what the agent says; `{{name}}` is a variable. */
  prompt?: string | undefined;
  /** What the agent says, word for word, in place of a prompt. */
  text?: string | undefined;
  /** What must be true before the conversation leaves the node. Omitted: one answer is enough. */
  condition?: string | undefined;
  /** Variables that the model reads from the conversation. */
  extract?: {
    /** Name of the variable. */
    name: string;
    /** Type of its value. Default `string`. */
    type?: "string" | "number" | "boolean" | undefined;
    /** What the model looks for in the conversation. */
    description: string;
  }[] | undefined;
  /** Knowledge bases that the agent may search at this node, UUIDs; at most 50. */
  kb_ids?: string[] | undefined;
} | {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Calls a webhook and continues at once. */
  type: "webhook";
  /** The request. */
  webhook: {
    /** HTTP or HTTPS address; `{{name}}` is a variable, escaped. */
    url: string;
    /** HTTP method. Default `POST`. */
    method?: "GET" | "POST" | "PUT" | "PATCH" | undefined;
    /** JSON body, not with GET; `{{name}}` within its strings is a variable. */
    body?: Record<string, unknown> | undefined;
    /** Milliseconds until the call is given up. Default 5000, range 100–30000. */
    timeout_ms?: number | undefined;
    /** Variables that the response sets; values of more than 10000 characters of JSON set none. `webhook_status` is always set: the HTTP status, 0 without a response. */
    response_variables?: {
      /** Name of the variable. */
      name: string;
      /** Where its value is in the JSON response: names and positions with dots. */
      path: string;
    }[] | undefined;
  };
} | {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Transfers the call. */
  type: "transfer";
  /** Instructions from which the model makes what the agent says; `{{name}}` is a variable. */
  prompt?: string | undefined;
  /** What the agent says, word for word, in place of a prompt. */
  text?: string | undefined;
  /** E.164 number or SIP URI; `{{name}}` is a variable. */
  transfer_to: string;
} | {
  /** Id of the node, unique in the document. */
  id: string;
  /** Name of the node. */
  name: string;
  /** Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically. */
  position?: {
    /** Pixels to the right, −100000 to 100000. */
    x: number;
    /** Pixels down, −100000 to 100000. */
    y: number;
  } | undefined;
  /** Ends the call. */
  type: "end";
  /** Instructions from which the model makes what the agent says; `{{name}}` is a variable. */
  prompt?: string | undefined;
  /** What the agent says, word for word, in place of a prompt. */
  text?: string | undefined;
};

export type PathwayVersion = {
  /** Id of the version. */
  id: string;
  /** Id of a pathway. */
  pathway_id: string;
  /** draft: takes changes; production: live; archived: was live; fork: a copy that takes changes beside the draft. */
  version_type: "draft" | "production" | "archived" | "fork";
  /** Counts the versions of the pathway from 1. */
  version_number: number;
  /** Number of the version that it was copied from; null: it is no fork. */
  forked_from: number | null;
  /** Why it was copied; null: not set. */
  note: string | null;
  /** Counts the changes of the version from 1. */
  revision: number;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** When it became live; null: it never was. */
  promoted_at: string | null;
  /** Id of the API key or member that promoted it; null: it never was live. */
  promoted_by: string | null;
  /** What a conversation follows. */
  document: PathwayDocument;
  /** Nodes that cannot be reached or left, and variables that not every path sets. */
  warnings: {
    /** Id of the node. */
    node_id: string;
    /** What is probably a mistake, in plain words. */
    message: string;
  }[];
};

export type PathwayVersionSummary = {
  /** Id of the version. */
  id: string;
  /** Id of a pathway. */
  pathway_id: string;
  /** draft: takes changes; production: live; archived: was live; fork: a copy that takes changes beside the draft. */
  version_type: "draft" | "production" | "archived" | "fork";
  /** Counts the versions of the pathway from 1. */
  version_number: number;
  /** Number of the version that it was copied from; null: it is no fork. */
  forked_from: number | null;
  /** Why it was copied; null: not set. */
  note: string | null;
  /** Counts the changes of the version from 1. */
  revision: number;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** When it became live; null: it never was. */
  promoted_at: string | null;
  /** Id of the API key or member that promoted it; null: it never was live. */
  promoted_by: string | null;
};

export type Persona = {
  /** Id of the persona, a UUID. */
  id: string;
  /** Its name. */
  name: string;
  /** Its role, free text; null: not set. */
  role: string | null;
  /** Free text; null: not set. */
  description: string | null;
  /** Your labels. */
  tags: string[];
  /** Your data, returned unchanged; null: not set. */
  metadata: Record<string, unknown> | null;
  /** Numbers whose inbound calls it answers, E.164 with +. */
  inbound_numbers: string[];
  /** Id of the live version; null: it was never promoted. */
  current_production_version_id: string | null;
  /** Id of the draft; null: nothing changed since the last promotion. */
  current_draft_version_id: string | null;
  /** The version that calls get; null: none. */
  current_production_version: PersonaVersion | null;
  /** What the next promotion makes live; null: nothing. */
  current_draft_version: PersonaVersion | null;
  /** The latest promotion that required tests; null: none. */
  promotion: Promotion | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

export type PersonaTestSuite = {
  /** Id of a persona. */
  persona_id: string;
  /** Version whose texts were read. */
  version_number: number;
  /** Model that wrote the scenarios; null: rules, because no model or the stand-in is configured. */
  generated_by: string | null;
  /** Coverage of prompts. */
  prompts: {
    /** Statements in the prompts. */
    total: number;
    /** Those that the present scenarios of the persona quote in their description. */
    covered: number;
    /** Share of those, 0–100; 100 if there are none. */
    percent: number;
  };
  /** Coverage of knowledge. */
  knowledge: {
    /** Passages of the knowledge bases with a statement: all of them up to 500, of more passages every n-th. */
    total: number;
    /** Those that the present scenarios of the persona quote in their description. */
    covered: number;
    /** Share of those, 0–100; 100 if there are none. */
    percent: number;
  };
  /** Scenarios that test what is not covered. */
  scenarios: GeneratedTestScenario[];
};

export type PersonaVersion = {
  /** Id of the version. */
  id: string;
  /** Id of a persona. */
  persona_id: string;
  /** draft: takes changes; production: live; archived: was live. */
  version_type: "draft" | "production" | "archived";
  /** Counts the versions of the persona from 1. */
  version_number: number;
  /** What the agent does in a call; null: not set. */
  orchestration_prompt: string | null;
  /** How the agent speaks; null: not set. */
  personality_prompt: string | null;
  /** Knowledge bases that the agent of a call may search, UUIDs. */
  kb_ids: string[];
  /** Agent of its calls: a SIP URI, a wss:// URL, or a WebSocket server with its settings; null: the agent of the number. */
  agent: string | WebSocketAgentView | null;
  /** Pathway that its calls follow; null: none. A number’s own pathway takes precedence. */
  pathway_id: string | null;
  /** Number of the pathway’s version; null: the one that is live when a call begins. */
  pathway_version: number | null;
  /** Voice that the agent speaks with, passed on to it unchecked; null: not set. */
  voice: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** When it became live; null: it never was. */
  promoted_at: string | null;
  /** Id of the API key or member that promoted it; null: it never was live. */
  promoted_by: string | null;
};

export type PlayToCallAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
  /** Length of the audio */
  duration_seconds: number;
};

export type PortCheck = {
  /** The number in E.164 with +, or the text as sent if it is not a phone number. */
  phone_number: string;
  /** Whether it can be ported. */
  portable: boolean;
  /** Kind of number; unknown: North American plans do not tell mobile numbers from landlines. */
  number_type: "mobile" | "landline" | "toll-free" | "voip" | "unknown";
  /** Whether the losing carrier requires a PIN. */
  pin_required: boolean;
  /** Why it is not portable; null: it is. */
  reason: string | null;
  /** Source of the result. numbering_plan: no carrier was asked, so the port may still be refused. */
  source: "carrier" | "numbering_plan";
};

export type PortDocument = {
  /** Id of the document. */
  document_sid: string;
  /** proof: uploaded; letter: Letter of Authorization; signed_letter: with signature. */
  kind: "proof" | "letter" | "signed_letter";
  /** Its type, detected from its content. */
  media_type: "application/pdf" | "image/jpeg" | "image/png" | "image/gif" | "image/webp";
  /** Octets. */
  size: number;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
};

export type PortMove = {
  /** When it moved, ISO 8601 in UTC. */
  at: string;
  /** Number that moved; null: the request as a whole. */
  number: string | null;
  /** State before; null: it began. */
  from: PortStatus | null;
  /** State after. */
  to: PortStatus;
  /** Who moved it. */
  by: "customer" | "signer" | "carrier" | "operator" | "service";
  /** Why. */
  reason: string;
};

export type PortNumber = {
  /** The number, E.164 with +. */
  number: string;
  /** Its state. */
  status: PortStatus;
  /** Kind of number; unknown: the carrier did not say. */
  number_type: "mobile" | "landline" | "toll-free" | "voip" | "unknown";
  /** Why it failed or was canceled; null: neither. */
  reason: string | null;
  /** True: it is now an inbound number of the organization. */
  active: boolean;
};

export type PortRequest = {
  /** Id of the request. */
  id: string;
  /** Its state. */
  status: PortStatus;
  /** Its numbers, each with its own state; some may be ported before others. */
  phone_numbers: PortNumber[];
  /** Who signs the Letter of Authorization. */
  authorized_rep_email: string;
  /** Addresses notified of each change of state. */
  notification_emails: string[];
  /** Requested day, in the carrier’s time zone. */
  target_port_date: string;
  /** Who carries the request out: the API of a carrier, or an operator by hand (manual). */
  carrier: "manual" | "twilio";
  /** The carrier’s id of the request; null: the carrier has not confirmed it. */
  carrier_reference: string | null;
  /** Why the carrier could not be contacted, or what it is waiting for; null: none. */
  carrier_problem: string | null;
  /** When it was requested, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

export type PortRequestDetail = {
  /** Id of the request. */
  id: string;
  /** Its state. */
  status: PortStatus;
  /** Its numbers, each with its own state; some may be ported before others. */
  phone_numbers: PortNumber[];
  /** Who signs the Letter of Authorization. */
  authorized_rep_email: string;
  /** Addresses notified of each change of state. */
  notification_emails: string[];
  /** Requested day, in the carrier’s time zone. */
  target_port_date: string;
  /** Who carries the request out: the API of a carrier, or an operator by hand (manual). */
  carrier: "manual" | "twilio";
  /** The carrier’s id of the request; null: the carrier has not confirmed it. */
  carrier_reference: string | null;
  /** Why the carrier could not be contacted, or what it is waiting for; null: none. */
  carrier_problem: string | null;
  /** When it was requested, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Every move, oldest first. */
  timeline: PortMove[];
  /** Its documents, while they are kept. */
  documents: PortDocument[];
  /** Signature of the Letter of Authorization. */
  signature: {
    /** Where the link was sent. */
    email: string;
    /** When the link expires, ISO 8601 in UTC. */
    expires_at: string;
    /** When it was signed; null: it was not. */
    signed_at: string | null;
    /** Name under the signature; null: none. */
    signer_name: string | null;
  };
};

/** waiting_for_signature → submitted → in_progress → completed or failed; canceled from any state before completed. */
export type PortStatus = "waiting_for_signature" | "submitted" | "in_progress" | "completed" | "failed" | "canceled";

/** waiting_for_signature → submitted → in_progress → completed or failed; canceled from any state before completed. */
export type PortStatusInput = "waiting_for_signature" | "submitted" | "in_progress" | "completed" | "failed" | "canceled";

export type PromotePathwayAnswer = {
  /** The answer. */
  data: ChangedPathway;
  /** Null: the request succeeded. */
  errors: null;
};

export type PromotePersonaAnswer = {
  /** The answer. */
  data: ChangedPersona;
  /** Null: the request succeeded. */
  errors: null;
};

export type Promotion = {
  /** Id of the promotion. */
  id: string;
  /** RUNNING: the required scenarios run; PROMOTED: all passed often enough and the version became live; REFUSED: it did not. */
  status: "RUNNING" | "PROMOTED" | "REFUSED";
  /** Version that is to become live. */
  version_number: number;
  /** Batch of the required scenarios. */
  batch_id: string;
  /** Why it was refused; empty: it was not. */
  reasons: string[];
  /** True: the stand-in that answers by rules took part in the tests, because no language model is configured. */
  is_stand_in: boolean;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
};

export type ProveNumbersAnswer = {
  /** The answer. */
  data: {
    /** The confirmed numbers. */
    proven: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type QualitySample = {
  /** Unix time in seconds */
  at: number;
  /** Estimated mean opinion score, 1 to 5. */
  mos?: number | undefined;
  /** Mean jitter in milliseconds. */
  jitter_milliseconds?: number | undefined;
  /** Packets lost since the report before, in percent */
  loss_percent?: number | undefined;
};

export type QueuedPort = {
  /** Id of the request. */
  id: string;
  /** Its state. */
  status: PortStatus;
  /** Its numbers, each with its own state; some may be ported before others. */
  phone_numbers: PortNumber[];
  /** Who signs the Letter of Authorization. */
  authorized_rep_email: string;
  /** Addresses notified of each change of state. */
  notification_emails: string[];
  /** Requested day, in the carrier’s time zone. */
  target_port_date: string;
  /** Who carries the request out: the API of a carrier, or an operator by hand (manual). */
  carrier: "manual" | "twilio";
  /** The carrier’s id of the request; null: the carrier has not confirmed it. */
  carrier_reference: string | null;
  /** Why the carrier could not be contacted, or what it is waiting for; null: none. */
  carrier_problem: string | null;
  /** When it was requested, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
  /** Organization that asks for the port. */
  organization_id: string;
  /** Its name. */
  organization: string;
};

export type ReadSharedCallAnswer = {
  /** The answer. */
  data: SharedCall;
  /** Null: the request succeeded. */
  errors: null;
};

export type Registration = {
  /** unknown: the edges cannot be queried now */
  state: "registering" | "registered" | "failed" | "unregistered" | "unknown";
  /** Registrar; null: none. */
  registrar: string | null;
  /** The user name. */
  username: string;
  /** Since when, ISO 8601 in UTC. */
  since: string | null;
  /** When the binding expires unless refreshed */
  expires_at: string | null;
  /** Time of the last attempt, ISO 8601 in UTC. */
  attempted_at: string | null;
  /** Time of the next attempt, ISO 8601 in UTC; null: none. */
  next_attempt_at: string | null;
  /** Final response to the last REGISTER; null: none */
  sip_code: number | null;
  /** Last error; null: none. */
  last_error: string | null;
  /** Id of the edge process. */
  edge: string | null;
};

export type RemoveAgentStreamSecretAnswer = {
  /** The answer. */
  data: {
    /** Id of the signing secret */
    secret_id: string;
    /** True: deleted. */
    deleted: true;
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RemoveMemberAnswer = {
  /** The answer. */
  data: {
    /** Id of a member. */
    member_id: string;
    /** What was removed. */
    removed: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RemoveMemberForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** Id of a member. */
    member_id: string;
    /** What was removed. */
    removed: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ReplacePathwayDocumentAnswer = {
  /** The answer. */
  data: PathwayVersion;
  /** Null: the request succeeded. */
  errors: null;
};

export type ReplayDeliveryAnswer = {
  /** The answer. */
  data: DeliveryDetail;
  /** Null: the request succeeded. */
  errors: null;
};

export type ReplayFailedDeliveriesAnswer = {
  /** The answer. */
  data: {
    /** Number of deliveries that are sent again */
    replayed: number;
    /** False: there may be more; repeat the request once these are sent */
    is_complete: boolean;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RequestPasswordResetAnswer = {
  /** The answer. */
  data: {
    /** False: this service is not configured to send mail; ask an owner for a link */
    sends_mail: boolean;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ResendPortSignatureAnswer = {
  /** The answer. */
  data: {
    /** Where the letter is signed. */
    signature_url: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ResolveContactAnswer = {
  /** The answer. */
  data: {
    /** The contact. */
    contact: Contact;
    /** False: it existed. */
    created: boolean;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ResumeCallAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type RevokeAgentCredentialAnswer = {
  /** The answer. */
  data: {
    /** Id of the credentials of an agent; its digest user name. */
    credential_id: string;
    /** True: deleted. */
    deleted: true;
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RevokeCallShareAnswer = {
  /** The answer. */
  data: {
    /** The link is revoked */
    revoked: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RevokeKeyAnswer = {
  /** The answer. */
  data: Key;
  /** Null: the request succeeded. */
  errors: null;
};

export type RevokeKeyForOrganizationAnswer = {
  /** The answer. */
  data: Key;
  /** Null: the request succeeded. */
  errors: null;
};

export type RotateWebhookSecretAnswer = {
  /** The answer. */
  data: {
    /** Id of a webhook endpoint. */
    webhook_id: string;
    /** Signing secret, returned only this once */
    secret: string;
    /** The previous secret is valid until then */
    previous_secret_until: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RtpSide = {
  /** RTP packets received. */
  packets_received: number;
  /** RTP packets sent. */
  packets_sent: number;
  /** RTP octets received. */
  octets_received: number;
  /** RTP octets sent. */
  octets_sent: number;
  /** RTP packets with errors. */
  errors: number;
  /** RTP packets lost. */
  packets_lost?: number | undefined;
  /** Mean jitter in milliseconds. */
  jitter_milliseconds?: number | undefined;
  /** Mean round trip in milliseconds. */
  round_trip_milliseconds?: number | undefined;
  /** Estimated mean opinion score, 1 to 5. */
  mos?: number | undefined;
  /** Of loss and MOS. `rtcp`: reports of the other end. `sequence`: sequence numbers that rtpengine missed; MOS from loss alone. `estimate`: packets against time; MOS from that loss alone. Absent: neither is known, or the edge was older and the source RTCP */
  quality_source?: "rtcp" | "sequence" | "estimate" | undefined;
  /** Reports of the other end over time, oldest first, about ten, evenly spread over the call */
  progression?: QualitySample[] | undefined;
};

export type RunTestBatchAnswer = {
  /** The answer. */
  data: {
    /** Id of the batch. */
    batch_id: string;
    /** State of the batch. */
    status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
    /** Its runs. */
    runs: {
      /** Id of the run. */
      run_id: string;
      /** Id of a test scenario. */
      scenario_id: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RunTestScenarioAnswer = {
  /** The answer. */
  data: {
    /** Id of the run. */
    run_id: string;
    /** RUNNING: it has begun. PENDING: it waits for a free slot. */
    status: "PENDING" | "RUNNING";
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ScenarioStatistics = {
  /** Id of a test scenario. */
  scenario_id: string;
  /** Name of the scenario. */
  scenario_name: string;
  /** Runs that ended. */
  total_runs: number;
  /** Runs that passed. */
  passed: number;
  /** Runs that failed. */
  failed: number;
  /** Runs that could not be completed or judged. */
  errors: number;
  /** Share that passed, 0–1; null: no runs. */
  pass_rate: number | null;
  /** Wilson interval of the pass rate at 95 %; null: no runs. */
  pass_rate_interval: {
    /** Lower bound. */
    lower: number;
    /** Upper bound. */
    upper: number;
  } | null;
  /** Whether some runs passed and some did not. */
  is_flaky: boolean;
  /** Distribution of the overall scores. */
  scores: {
    /** Mean; null: no scores. */
    mean: number | null;
    /** Median; null: no scores. */
    median: number | null;
    /** Standard deviation of the sample; null: fewer than two. */
    stddev: number | null;
    /** Lowest; null: no scores. */
    min: number | null;
    /** Highest; null: no scores. */
    max: number | null;
  };
  /** Run with the lowest score; null: none. */
  worst_run_id: string | null;
  /** Most frequent reasons for failures, at most five. */
  common_failure_modes: string[];
  /** From the width of pass_rate_interval. */
  confidence: "low" | "medium" | "high";
};

export type SearchKnowledgeAnswer = {
  /** The answer. */
  data: {
    /** The passages, best first. */
    results: KnowledgePassage[];
    /** What the answer lacks and why; null: nothing. */
    note: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type SendDigitsAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type ServiceToneScore = {
  /** How natural the agent sounds, 0–1. */
  naturalness: number;
  /** How concise its answers are, 0–1. */
  conciseness: number;
  /** How well it responds to feelings, 0–1. */
  empathy: number;
  /** How well it keeps the conversation flowing, 0–1. */
  flow_preservation: number;
  /** How well it signals that it listens, 0–1. */
  back_channeling: number;
  /** How smoothly it changes the topic, 0–1. */
  topic_transitions: number;
  /** Overall tone, 0–1. */
  overall_tone_score: number;
  /** What sounded unnatural. */
  issues: string[];
  /** Lines that are examples of a dimension. */
  examples: {
    /** Position of the line in chat_history, from 0. */
    turn: number;
    /** Dimension that it is an example of. */
    category: string;
    /** What was said. */
    text: string;
    /** Good example (positive) or bad example (negative) of the dimension. */
    sentiment: "positive" | "negative";
  }[];
};

export type Session = {
  /** The organization. */
  organization: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
    /** Whether the organization has the SIP entitlement. */
    sip_enabled: boolean;
    /** Region of the service. */
    region: string | null;
  };
  /** The API key; null: a member signed in with a password */
  key: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
    /** Its first characters */
    prefix: string;
  } | null;
  /** The person who signed in with a password; null: an API key */
  member: {
    /** Its id. */
    id: string;
    /** Name of the person */
    name: string;
    /** Email address of the person */
    email: string;
    /** Role in this organization */
    role: "owner" | "operator" | "viewer";
  } | null;
  /** Organizations that the person belongs to; of an API key, its own */
  organizations: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
  }[];
  /** What the key or role allows; null: everything that the organization may do */
  scopes: ("calls:listen" | "trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "personas:read" | "personas:write" | "pathways:read" | "pathways:write" | "calls:read" | "calls:write" | "knowledge:read" | "knowledge:write" | "contacts:read" | "contacts:write" | "agent-testing:read" | "agent-testing:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "organizations:read" | "organizations:write")[] | null;
  /** Sees the fleet and the totals of all organizations */
  operator: boolean;
  /** Authentication method of the request. */
  via: "cookie" | "key";
  /** Null with a key */
  expires_at: string | null;
  /** When the session ends if idle */
  idle_expires_at: string | null;
};

export type SetComparison = {
  /** The set. */
  set: ComparedSet;
  /** The one that it is compared with. */
  other: ComparedSet;
  /** Scenarios that both sets have. */
  scenarios: {
    /** Id of a test scenario. */
    scenario_id: string;
    /** Name of the scenario. */
    scenario_name: string;
    /** Runs of the set. */
    set: ComparedSide;
    /** Runs of the other set. */
    other: ComparedSide;
    /** Chance of such a difference if both pass alike: Fisher’s exact test, two-sided, corrected by Holm for the number of scenarios; null: a side has no runs. */
    p_value: number | null;
    /** Whether the set passes more often than the other one: better, worse; not_shown: the difference may be chance; no_runs: one side has none that ended. */
    verdict: "better" | "worse" | "not_shown" | "no_runs";
  }[];
  /** Scenarios that the other set lacks. */
  only_set: string[];
  /** Scenarios that only the other set has. */
  only_other: string[];
  /** Over all common scenarios: better, if at least one is better and none worse; worse, if one is worse; else not_shown, or no_runs. */
  verdict: "better" | "worse" | "not_shown" | "no_runs";
};

export type SetPasswordAnswer = {
  /** The answer. */
  data: {
    /** Address of the account */
    email: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type SetTestBudgetAnswer = {
  /** The answer. */
  data: TestTokenBudget;
  /** Null: the request succeeded. */
  errors: null;
};

export type SetTestLabelsAnswer = {
  /** The answer. */
  data: TestReview;
  /** Null: the request succeeded. */
  errors: null;
};

export type SetTestPricesAnswer = {
  /** The answer. */
  data: TestPrices;
  /** Null: the request succeeded. */
  errors: null;
};

export type ShareCallAnswer = {
  /** The answer. */
  data: {
    /** Id of a link to a call. */
    share_id: string;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
    /** Name of the member or key */
    created_by: string;
    /** When it expires, ISO 8601 in UTC; null: it does not. */
    expires_at: string;
    /** The link, returned only this once */
    url: string;
    /** Text for a ticket, with Call-IDs, times and the link */
    ticket: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type SharedCall = {
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** The last digits of the caller’s number */
  from: string;
  /** The last digits of the callee’s number */
  to: string;
  /** Call-ID headers of the trunk’s leg */
  sip_call_ids: string[];
  /** Final status */
  status: string | null;
  /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
  /** The cause in plain words. */
  cause: string;
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** When the call ended, ISO 8601 in UTC; null: it is active. */
  ended_at: string;
  /** The link is valid until then */
  expires_at: string;
  /** SIP messages of the trunk’s leg without bodies; numbers and names are masked */
  trace: {
    /** When it was sent or received, ISO 8601 in UTC. */
    at: string;
    /** Which side of the call the message belongs to. */
    leg: "trunk" | "agent" | "unknown";
    /** `in`: received by Demarc; `out`: sent by Demarc. */
    direction: "received" | "sent";
    /** SIP transport. */
    protocol: "udp" | "tcp" | "tls";
    /** Where the message came from, `address:port`. */
    source: string;
    /** Where the message went, `address:port`. */
    destination: string;
    /** In one line. */
    summary: string;
    /** The message as sent on the wire, secrets redacted. */
    message: string;
  }[];
  /** True: messages are missing from the trace. */
  trace_truncated: boolean;
  /** The same messages for Wireshark or sngrep, base64 */
  pcap: string;
};

export type Sighting = {
  /** When, ISO 8601 in UTC. */
  at: string;
  /** `handshake`: a TLS handshake that failed, so that no request came. */
  kind: "request" | "handshake";
  /** Address that it came from. */
  source_address: string;
  /** Null: not known. */
  source_port: number | null;
  /** `tls`, `tcp` or `udp`. */
  protocol: string;
  /** The TLS session; null: none, or the engine does not report it. */
  tls: {
    /** Version of the software. */
    version: string;
    /** Name of the cipher suite. */
    cipher: string;
    /** Certificate of the peer; null: it presented none. */
    certificate: {
      /** Id of the call or alert. */
      subject: string;
      /** Distinguished name of the issuer. */
      issuer: string;
      /** When it expires. */
      not_after: string;
      /** Fingerprint, hexadecimal with colons. */
      sha256: string;
    } | null;
  } | null;
  /** SIP method; null: no request came. */
  method: string | null;
  /** Product name from its User-Agent or Server header; null: not sent. */
  user_agent: string | null;
  /** User part of the Request-URI. */
  called: string | null;
  /** Your number that it names; null: none. */
  phone_number: string | null;
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string | null;
  /** SIP status that Demarc answered; null: an admitted INVITE, or a failed handshake. */
  status: number | null;
  /** Why it ended, a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | null;
  /** The cause in plain words. */
  cause: string;
  /** Empty: nothing to do. */
  advice: string;
  /** Further details; null: none. */
  detail: string | null;
};

export type SignInAnswer = {
  /** The answer. */
  data: Session;
  /** Null: the request succeeded. */
  errors: null;
};

export type SimulationSet = {
  /** Id of the set, a UUID. */
  id: string;
  /** State of the set. */
  status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
  /** Runs of each scenario. */
  simulations_per_scenario: number;
  /** Number of scenarios. */
  total_scenarios: number;
  /** Number of runs. */
  total_runs: number;
  /** Runs that ended. */
  completed_runs: number;
  /** Id of the schedule that started it, which may have been deleted since; null: none did. */
  schedule_id: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
  /** Token budget of its runs together; null: none. */
  token_budget: {
    /** Tokens that its runs may take together. */
    limit: number;
    /** Tokens that its runs have taken. */
    used: number;
  } | null;
  /** Budget in money of its runs together; null: none. */
  cost_budget: {
    /** What its runs may cost together. */
    limit: number;
    /** What its runs have cost. */
    used: number;
    /** Currency code of ISO 4217. */
    currency: string;
  } | null;
  /** Tokens and cost of the runs that have ended. */
  usage: TestUsageSum;
  /** What was varied, and the result of each variation; null: nothing was. */
  matrix: TestMatrixResult | null;
  /** Statistics of the runs that ended. */
  statistics: {
    /** By id of the scenario. */
    per_scenario: Record<string, ScenarioStatistics>;
    /** Over all scenarios. */
    overall: {
      /** Mean of the pass rates, 0–1; null: no runs. */
      avg_pass_rate: number | null;
      /** Flaky scenarios. */
      flaky_count: number;
      /** Scenarios whose runs all passed. */
      reliable_count: number;
      /** Runs that ended. */
      total_runs: number;
    };
  };
};

export type StartDiscoveryAnswer = {
  /** The answer. */
  data: Discovery;
  /** Null: the request succeeded. */
  errors: null;
};

export type StartLoadTestAnswer = {
  /** The answer. */
  data: {
    /** Id of the load test. */
    load_test_id: string;
    /** State of the load test. */
    status: "RUNNING" | "COMPLETED" | "CANCELLED" | "ERROR";
    /** Callers at once in each step. */
    concurrency: number[];
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type StartSimulationSetAnswer = {
  /** The answer. */
  data: {
    /** Id of the set. */
    simulation_set_id: string;
    /** State of the set. */
    status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
    /** Runs of each scenario. */
    simulations_per_scenario: number;
    /** Number of scenarios. */
    total_scenarios: number;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type StartTestCallAnswer = {
  /** The answer. */
  data: {
    /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
    call_id: string;
    /** Result in plain words. */
    message: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type StartTornadoAnswer = {
  /** The answer. */
  data: {
    /** Id of the session, a UUID. */
    session_id: string;
    /** State of the session. */
    status: "RUNNING" | "COMPLETED_ALL_PASSED" | "COMPLETED_PARTIAL" | "TIMEOUT" | "STUCK" | "CANCELLED" | "ERROR";
    /** Pathway that it improves. */
    pathway_id: string;
    /** Most iterations. */
    max_iterations: number;
    /** Runs of each scenario in each iteration. */
    runs_per_scenario: number;
    /** What the lower end of the interval of a scenario’s pass rate must reach. */
    required_pass_rate: number;
    /** Milliseconds until the session ends in TIMEOUT. */
    timeout_ms: number;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type StartWarmTransferAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type StopBatchAnswer = {
  /** The answer. */
  data: CallBatch;
  /** Null: the request succeeded. */
  errors: null;
};

export type StopCallAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type SuggestedTestScenario = {
  /** Name of the scenario. */
  name: string;
  /** Id of a pathway. */
  pathway_id: string;
  /** How the caller leads the agent there. */
  tester_persona_prompt: string;
  /** Most turns of the caller. */
  max_turns: number;
  /** That the path was taken. */
  assertions: {
    /** Direction. */
    type: "TRAVERSAL_MATCH";
    /** Its name in results. */
    name: string;
    /** What is checked. */
    config: {
      /** Nodes in their order. */
      reference_path: string[];
      /** Other nodes may come between them. */
      mode: "subsequence";
    };
  }[];
};

export type SuiteEvidence = {
  /** Position of the assertion in the scenario, from 0. */
  assertion: number;
  /** Where the quote is from: a prompt of the persona, its knowledge, what was said in the call, its record, or what its agent reported of itself. */
  source: "orchestration_prompt" | "personality_prompt" | "knowledge" | "transcript" | "call_record" | "agent_report";
  /** What the assertion is based on, word for word. */
  quote: string;
  /** Knowledge base of the quote; null: another source. */
  kb_id: string | null;
  /** Name of the knowledge base; null: another source. */
  kb_name: string | null;
  /** Call of the quote; null: another source. */
  call_id: string | null;
};

export type SuiteScenario = {
  /** Its name. */
  name: string;
  /** What it tests. */
  description: string;
  /** Pathway under test; null: not chosen. */
  pathway_id: string | null;
  /** Persona under test; null: not chosen. */
  persona_id: string | null;
  /** Kind of caller. */
  category: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM";
  /** Where the caller's words come from. */
  scenario_type: "AGENT" | "REPLAY" | "HISTORICAL";
  /** How it is run unless the run says otherwise. */
  channel: "text" | "voice";
  /** How the simulated caller behaves and what it wants; empty with REPLAY. */
  tester_persona_prompt: string;
  /** Name of the simulated caller; null: none. */
  tester_persona_name: string | null;
  /** Most turns of the caller. */
  max_turns: number;
  /** Variables that the conversation begins with. */
  request_data: Record<string, unknown>;
  /** What is said with REPLAY. */
  input_messages: TestChatLine[];
  /** What must hold after the conversation. */
  assertions: UnsavedTestAssertion[];
};

export type SwitchOrganizationAnswer = {
  /** The answer. */
  data: Session;
  /** Null: the request succeeded. */
  errors: null;
};

export type TestAgent = {
  /** Base URL for runs by text; null: none. */
  url: string | null;
  /** Name that requests send as `model`. */
  model: string;
  /** Whether an API key is stored. */
  has_api_key: boolean;
  /** SIP URI for runs by voice; null: none. */
  sip_uri: string | null;
};

export type TestAgreement = {
  /** Runs with a label and a verdict. */
  compared: number;
  /** Runs with a label that could not be judged; not compared. */
  errors: number;
  /** Both say that it passes. */
  both_passed: number;
  /** Both say that it fails. */
  both_failed: number;
  /** The judge is too lenient: the person says that it fails. */
  only_judge_passed: number;
  /** The judge is too strict: the person says that it passes. */
  only_person_passed: number;
  /** Share of equal verdicts, 0–1; null: none compared. */
  agreement: number | null;
  /** Cohen’s kappa: agreement beyond chance, at most 1; 0 is chance. Null: none compared, or both gave the same one verdict throughout. */
  kappa: number | null;
  /** Its 95 % interval; null: no kappa. */
  kappa_interval: {
    /** Lower end. */
    lower: number;
    /** Upper end. */
    upper: number;
  } | null;
};

export type TestAlertContactAnswer = {
  /** The answer. */
  data: {
    /** Channel of a notice. */
    channel: "email" | "sms" | "webhook";
    /** Recipient. */
    target: string | null;
    /** Its state. */
    status: "delivered" | "failed" | "not_configured";
    /** Further details; null: none. */
    detail: string;
    /** HTTP or SMTP status of the last attempt; null: no response. */
    last_status: number | null;
    /** Duration in milliseconds. */
    milliseconds: number;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type TestAlertsAnswer = {
  /** The answer. */
  data: {
    /** Channels of notices. */
    channels: {
      /** Channel of a notice. */
      channel: "email" | "sms" | "webhook";
      /** Recipient. */
      target: string | null;
      /** Its state. */
      status: "delivered" | "failed" | "not_configured";
      /** Further details; null: none. */
      detail: string;
      /** HTTP or SMTP status of the last attempt; null: no response. */
      last_status: number | null;
      /** Duration in milliseconds. */
      milliseconds: number;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type TestAnalysis = {
  /** Why the run failed. */
  root_cause: string;
  /** Changes, the most promising first. */
  suggestions: TestSuggestion[];
  /** Names of the nodes of the pathway. */
  node_id_to_name: Record<string, string>;
  /** Model that analyzed the run. */
  analyzed_by: string;
  /** True: the stand-in that answers by rules wrote it, because no language model is configured. */
  is_stand_in: boolean;
};

export type TestAnalytics = {
  /** Runs that ended within the days, without cancelled ones. */
  total_runs: number;
  /** Runs that passed. */
  passed: number;
  /** Runs that ended in FAILED or ERROR. */
  failed: number;
  /** Share of runs that passed, 0–1; null: no runs. */
  pass_rate: number | null;
  /** Share that did not pass, 0–1; null: no runs. */
  failure_rate: number | null;
  /** Mean overall score, 0–1; null: no scores. */
  avg_score: number | null;
  /** The latest runs, newest first. */
  runs: {
    /** Id of the run. */
    id: string;
    /** Id of a test scenario. */
    scenario_id: string;
    /** Name of the scenario. */
    scenario_name: string;
    /** How it ended. */
    status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
    /** Overall score, 0–1; null: none. */
    score: number | null;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
  }[];
};

export type TestArgument = {
  /** Where the value is in the arguments: names and positions with dots. Default: all arguments. */
  path?: string | undefined;
  /** equals: the same JSON; contains: a text with this part, ignoring case, a list with this element, or an object with these fields; matches: text that matches the RE2 pattern; present, absent: whether there is a value. Default equals. */
  operator?: "equals" | "contains" | "matches" | "present" | "absent" | undefined;
  /** JSON to compare with; not with present and absent. */
  value?: unknown | undefined;
};

export type TestAssertion = {
  /** Id of the assertion, a UUID. */
  id: string;
  /** Type of the assertion. */
  type: "LLM_JUDGE" | "SERVICE_TONE" | "VARIABLE_EXTRACTED" | "NODE_REACHED" | "NODES_VISITED" | "WEBHOOK_TRIGGERED" | "REGEX_MATCH" | "STRING_CHECK" | "CUSTOM_LLM" | "TRAVERSAL_MATCH" | "VOICE_METRIC" | "TOOL_CALLED" | "TOOL_ORDER" | "PHRASES" | "LATENCY" | "CALL_OUTCOME";
  /** Its name in results; null: none. */
  name: string | null;
  /** What is checked, by type. */
  config: Record<string, unknown>;
  /** Whether the run fails when the assertion fails. */
  is_required: boolean;
  /** Its weight in the overall score, 0–100. */
  weight: number;
  /** Its position in the scenario, from 0. */
  order: number;
};

export type TestAssertionResult = {
  /** Id of the assertion. */
  assertion_id: string;
  /** Type of the assertion. */
  type: "LLM_JUDGE" | "SERVICE_TONE" | "VARIABLE_EXTRACTED" | "NODE_REACHED" | "NODES_VISITED" | "WEBHOOK_TRIGGERED" | "REGEX_MATCH" | "STRING_CHECK" | "CUSTOM_LLM" | "TRAVERSAL_MATCH" | "VOICE_METRIC" | "TOOL_CALLED" | "TOOL_ORDER" | "PHRASES" | "LATENCY" | "CALL_OUTCOME";
  /** Name of the assertion; null: none. */
  name: string | null;
  /** ERROR: it could not be evaluated; reasoning says why. */
  status: "PASSED" | "FAILED" | "ERROR";
  /** Whether status is PASSED. */
  passed: boolean;
  /** Whether the run fails when the assertion fails. */
  is_required: boolean;
  /** Its weight in the overall score. */
  weight: number;
  /** Score, 0–1; null: not evaluated. */
  score: number | null;
  /** Why it passed or failed. */
  reasoning: string;
  /** What was expected; null: see reasoning. */
  expected: string | null;
  /** What was found; null: see reasoning. */
  actual: string | null;
  /** Positions in chat_history of the lines that decide it; null: none in particular. */
  turns: number[] | null;
  /** Model that judged it; null: evaluated without a model. */
  judged_by: string | null;
};

export type TestBargeIn = {
  /** Reply that is interrupted: to this turn of the caller; 0: the greeting. Default 0. */
  turn: number;
  /** Milliseconds from the first audio of the reply. Default 1000. */
  after_ms: number;
  /** What the caller says. */
  text: string;
};

export type TestBargeInInput = {
  /** Reply that is interrupted: to this turn of the caller; 0: the greeting. Default 0. */
  turn?: number | undefined;
  /** Milliseconds from the first audio of the reply. Default 1000. */
  after_ms?: number | undefined;
  /** What the caller says. */
  text: string;
};

export type TestBatch = {
  /** Id of the batch, a UUID. */
  id: string;
  /** PASSED: all runs passed. ERROR: a run ended in ERROR. FAILED: a run failed. CANCELLED: a run was cancelled and none failed. */
  status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
  /** Number of runs. */
  total_scenarios: number;
  /** Runs that passed. */
  passed_scenarios: number;
  /** Runs that ended otherwise. */
  failed_scenarios: number;
  /** What started it. */
  trigger_source: "api" | "dashboard" | "ci" | "gate" | "simulation" | "tornado";
  /** Whether the version becomes live when the batch passes. */
  publish_on_pass: boolean;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
  /** Token budget of its runs together; null: none. */
  token_budget: {
    /** Tokens that its runs may take together. */
    limit: number;
    /** Tokens that its runs have taken. */
    used: number;
  } | null;
  /** Budget in money of its runs together; null: none. */
  cost_budget: {
    /** What its runs may cost together. */
    limit: number;
    /** What its runs have cost. */
    used: number;
    /** Currency code of ISO 4217. */
    currency: string;
  } | null;
  /** Tokens and cost of the runs that have ended. */
  usage: TestUsageSum;
  /** Its runs. */
  runs: TestRunSummary[];
};

export type TestCalibration = {
  /** Assertions of the scenario that have labels. */
  assertions: {
    /** Id of the assertion. */
    assertion_id: string;
    /** Type of the assertion. */
    type: "LLM_JUDGE" | "SERVICE_TONE" | "VARIABLE_EXTRACTED" | "NODE_REACHED" | "NODES_VISITED" | "WEBHOOK_TRIGGERED" | "REGEX_MATCH" | "STRING_CHECK" | "CUSTOM_LLM" | "TRAVERSAL_MATCH" | "VOICE_METRIC" | "TOOL_CALLED" | "TOOL_ORDER" | "PHRASES" | "LATENCY" | "CALL_OUTCOME";
    /** Name of the assertion; null: none. */
    name: string | null;
    /** Labels and the verdicts of the runs. */
    run: TestAgreement;
    /** Labels and the verdicts of runs that were judged again. */
    judged_again: TestAgreement;
  }[];
  /** Runs with labels, the last labelled first; at most 500. */
  labelled_run_ids: string[];
};

export type TestCall = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Its state. */
  status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "failed" | "busy" | "no-answer";
  /** How it ended; `pending` until then. */
  result: "pending" | "connected" | "failed" | "busy" | "no_answer";
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Seconds from the answer to the end; 0: not answered. */
  duration_seconds: number;
  /** SIP status of the final response; null: none. */
  sip_code: number | null;
  /** Reason phrase of the SIP status. */
  sip_reason: string | null;
  /** The cause in plain words. */
  cause: string | null;
  /** Recommended action. */
  advice: string | null;
  /** Call-ID header of the trunk's leg; null: there was none. */
  sip_call_id: string | null;
  /** What happened, in order. */
  timeline: {
    /** What happened. */
    event: "queued" | "initiated" | "attempt_failed" | "progress" | "ringing" | "answered" | "announcement" | "announcement_failed" | "media" | "completed" | "failed";
    /** When, ISO 8601 in UTC. */
    at: string;
    /** Further details; null: none. */
    detail: string | null;
  }[];
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** For `/v1/sip/calls/{call_id}`, once the call has ended */
  history_call_id: string;
};

export type TestCallerStep = {
  /** Turn of the caller, from 1, that the step takes the place of. Or when_heard. */
  turn?: number | undefined;
  /** The step takes the place of the turn after these words of the agent, once; case and punctuation do not matter. Or turn. */
  when_heard?: string | undefined;
  /** Keys that are pressed (RFC 4733); w waits a second. Or silence_ms, hold_ms. */
  digits?: string | undefined;
  /** Milliseconds that the caller says nothing. Or digits, hold_ms. */
  silence_ms?: number | undefined;
  /** Milliseconds that the caller holds the call. Or digits, silence_ms. */
  hold_ms?: number | undefined;
};

export type TestCallerStepInput = {
  /** Turn of the caller, from 1, that the step takes the place of. Or when_heard. */
  turn?: number | undefined;
  /** The step takes the place of the turn after these words of the agent, once; case and punctuation do not matter. Or turn. */
  when_heard?: string | undefined;
  /** Keys that are pressed (RFC 4733); w waits a second. Or silence_ms, hold_ms. */
  digits?: string | undefined;
  /** Milliseconds that the caller says nothing. Or digits, hold_ms. */
  silence_ms?: number | undefined;
  /** Milliseconds that the caller holds the call. Or digits, silence_ms. */
  hold_ms?: number | undefined;
};

export type TestChatLine = {
  /** user: the caller; assistant: the agent. */
  role: "user" | "assistant";
  /** What was said. */
  content: string;
};

export type TestChatLineInput = {
  /** user: the caller; assistant: the agent. */
  role: "user" | "assistant";
  /** What was said. */
  content: string;
};

export type TestCost = {
  /** Amount in the currency. */
  amount: number;
  /** Currency code of ISO 4217. */
  currency: string;
};

export type TestEnding = {
  /** Who ended the conversation. test: neither side; turns, time or recorded lines ran out, or the agent fell silent. */
  ended_by: "agent" | "caller" | "test";
  /** Whether the agent transferred the caller; unknown: an agent at its own URL, or the record of the call is missing. */
  transfer: "none" | "transferred" | "unknown";
  /** Number or URI that the caller was transferred to; null: none. */
  transferred_to: string | null;
};

export type TestEstimate = {
  /** Number of runs. */
  total_runs: number;
  /** Tokens of all runs; null: a scenario has not been run by this channel. */
  tokens: number | null;
  /** Cost of all runs; null: the cost of an earlier run is not known, or there is none. */
  cost: TestCost | null;
  /** The cost in US dollars; null: not known, or in another currency. */
  cost_usd: number | null;
  /** Each scenario, in the order of the request. */
  scenarios: {
    /** Id of a test scenario. */
    scenario_id: string;
    /** Mean tokens of a run; null: none. */
    tokens_per_run: number | null;
    /** Mean cost of a run; null: not known. */
    cost_per_run: TestCost | null;
    /** Runs that this is the mean of: the latest, at most 20. */
    measured_runs: number;
  }[];
};

export type TestJudgement = {
  /** What the run would be now. */
  status: "PASSED" | "FAILED" | "ERROR";
  /** Weighted mean of the scores of the assertions, 0–1; null: none. */
  overall_score: number | null;
  /** Result in plain words. */
  reasoning: string;
  /** Result of each assertion. */
  assertion_results: TestAssertionResult[];
  /** Model that judged; null: none. */
  judge_model: string | null;
  /** True: the stand-in that answers by rules judged. It says nothing. */
  is_stand_in: boolean;
  /** Requests to models, their tokens and cost. */
  usage: TestModelUsage;
  /** When, ISO 8601 in UTC. */
  judged_at: string;
};

export type TestLabel = {
  /** Id of the assertion. */
  assertion_id: string;
  /** Whether it passes in the opinion of a person. */
  passed: boolean;
  /** Why; null: no note. */
  note: string | null;
  /** Name of the person or key. */
  labelled_by: string;
  /** When, ISO 8601 in UTC. */
  labelled_at: string;
};

export type TestLineConditions = {
  /** Gain of the caller’s voice in decibels. Default 0, range -30–20. */
  gain_db: number;
  /** Noise around the caller. Default: none. */
  noise?: {
    /** babble: people who talk; street: traffic; office: ventilation and keys. */
    kind: "babble" | "street" | "office";
    /** Mean level in dBov; speech has about -25. Default -40, range -60–-15. */
    level_dbov: number;
  } | undefined;
  /** Share of the caller's packets that are lost, 0–0.5. Default 0. */
  loss_share: number;
  /** Longest delay of single packets of the caller in milliseconds. Default 0, range 0–200. */
  jitter_ms: number;
  /** The same seed gives the same noise, losses and delays. Default 1. */
  seed: number;
};

export type TestLineConditionsInput = {
  /** Gain of the caller’s voice in decibels. Default 0, range -30–20. */
  gain_db?: number | undefined;
  /** Noise around the caller. Default: none. */
  noise?: {
    /** babble: people who talk; street: traffic; office: ventilation and keys. */
    kind: "babble" | "street" | "office";
    /** Mean level in dBov; speech has about -25. Default -40, range -60–-15. */
    level_dbov?: number | undefined;
  } | undefined;
  /** Share of the caller's packets that are lost, 0–0.5. Default 0. */
  loss_share?: number | undefined;
  /** Longest delay of single packets of the caller in milliseconds. Default 0, range 0–200. */
  jitter_ms?: number | undefined;
  /** The same seed gives the same noise, losses and delays. Default 1. */
  seed?: number | undefined;
};

export type TestMatrixResult = {
  /** Values by field, as ordered. */
  fields: Record<string, unknown[]>;
  /** How many combinations were drawn; null: all are run. */
  sample: number | null;
  /** Seed of the draw, and of noise, losses and delays. */
  seed: number;
  /** Result of each combination over all scenarios, lowest pass rate first. */
  variations: TestVariationResult[];
  /** Result of each value over all combinations, lowest pass rate first. */
  by_value: TestVariationResult[];
};

export type TestModelPrice = {
  /** Name of the model, as its endpoint is asked for it. */
  model: string;
  /** Price of one million tokens sent to it. */
  prompt_price: number;
  /** Price of one million tokens received from it. */
  completion_price: number;
};

export type TestModelPriceInput = {
  /** Name of the model, as its endpoint is asked for it. */
  model: string;
  /** Price of one million tokens sent to it. */
  prompt_price: number;
  /** Price of one million tokens received from it. */
  completion_price: number;
};

export type TestModelUsage = {
  /** Requests to models. */
  requests: number;
  /** Tokens sent, as far as the endpoints count them. */
  prompt_tokens: number;
  /** Tokens received, as far as the endpoints count them. */
  completion_tokens: number;
  /** Cost of all requests; null: not ended, or the cost of a request is not known, because its model has no price or its endpoint does not count tokens. */
  cost: TestCost | null;
  /** The cost in US dollars; null: not known, or in another currency. */
  cost_usd: number | null;
};

export type TestModels = {
  /** Model that spoke for the agent; null: none. */
  agent: string | null;
  /** Model that spoke for the caller; null: none. */
  tester: string | null;
  /** Model that judged; null: none. */
  judge: string | null;
  /** True: the stand-in that answers by rules was used, because no language model is configured. Its results say nothing about the agent. */
  is_stand_in: boolean;
};

export type TestMonitor = {
  /** Id of the monitor, a UUID. */
  id: string;
  /** Name in the dashboard and in alerts, 1–100 characters. */
  name: string;
  /** Scenario whose assertions judge the calls. */
  scenario_id: string;
  /** Number whose calls are judged; null: of a persona. */
  number: string | null;
  /** Persona whose calls are judged; null: of a number. */
  persona_id: string | null;
  /** Share of the answered calls that is judged, above 0, at most 1. Default 0.1. */
  share: number;
  /** It fails when the upper end of the 95 % interval of the latest calls is below this rate, above 0, at most 1. Default 0.8. */
  required_pass_rate: number;
  /** Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true. */
  notify_contacts: boolean;
  /** False: it is paused. Default true. */
  enabled: boolean;
  /** The latest 50 calls that were judged. Those that could not be judged do not count. */
  recent: {
    /** Calls that passed. */
    passed: number;
    /** Calls that failed. */
    failed: number;
    /** Share that passed, 0–1; null: no calls. */
    pass_rate: number | null;
  };
  /** The 200 calls before them. */
  earlier: {
    /** Calls that passed. */
    passed: number;
    /** Calls that failed. */
    failed: number;
    /** Share that passed, 0–1; null: no calls. */
    pass_rate: number | null;
  };
  /** Whether the latest calls pass more or less often than those before, by Fisher’s exact test at 0.1 %. */
  drift: "better" | "worse" | "not_shown";
  /** Sampled calls that could not be judged, because their agent stored no messages of them. */
  unheard_calls: number;
  /** Tokens and cost of judging calls since the first of the month, UTC. */
  usage_this_month: TestUsageSum;
  /** `failing`: below the required rate, or worse than before. Null: no call has been judged. */
  state: "passing" | "failing" | null;
  /** Since when; null: no state. */
  state_since: string | null;
  /** Why it is failing, or why calls are not judged; null: neither. */
  problem: string | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

export type TestPrices = {
  /** Currency of ISO 4217 of these prices and of all budgets in money. The service’s prices count where it is theirs. */
  currency: string;
  /** Prices by model, at most 100: those of the service, and of agents at their own URL. */
  models: TestModelPrice[];
  /** Models of the service with their prices per million tokens in the currency, yours before the service’s; null: not known. */
  service_models: {
    /** Name of the model. */
    model: string;
    /** What tests ask it for. */
    use: "conversation" | "judge";
    /** Price of one million tokens sent to it; null: not known. */
    prompt_price: number | null;
    /** Price of one million tokens received from it; null: not known. */
    completion_price: number | null;
  }[];
};

export type TestReview = {
  /** What people say of the assertions. */
  labels: TestLabel[];
  /** Result of the last time that the run was judged again; null: never. */
  judgement: TestJudgement | null;
};

export type TestRun = {
  /** Id of the run, a UUID. */
  id: string;
  /** Id of a test scenario. */
  scenario_id: string;
  /** The scenario that it ran. */
  scenario: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
  };
  /** Pathway under test; null: another target. */
  pathway_id: string | null;
  /** Persona under test; null: another target. */
  persona_id: string | null;
  /** Version of the pathway or persona; null: an agent at its own address. */
  version_number: number | null;
  /** Batch that it belongs to; null: none. */
  batch_id: string | null;
  /** Simulation set that it belongs to; null: none. */
  simulation_set_id: string | null;
  /** Tornado session that it belongs to; null: none. */
  tornado_session_id: string | null;
  /** Real call that it judges, in place of a conversation with a simulated caller; null: none. */
  call_id: string | null;
  /** Monitor that started it; null: none. */
  monitor_id: string | null;
  /** Load test whose caller it is; null: none. */
  load_test_id: string | null;
  /** Milliseconds until the agent answered the call; null: by text, or not answered. */
  answer_ms: number | null;
  /** Final SIP response to a call that the agent did not answer; null: none. */
  sip_status: number | null;
  /** Values of the scenario that its simulation set replaced, by field; null: none. */
  variation: Record<string, unknown> | null;
  /** text, or voice: a real call. */
  channel: "text" | "voice";
  /** What started it. */
  origin: "api" | "dashboard" | "ci" | "gate" | "simulation" | "tornado";
  /** PASSED: every required assertion passed. FAILED: one did not. ERROR: the run could not be completed or judged; error_message says why. */
  status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
  /** Turns of the caller. */
  turn_count: number;
  /** Duration in milliseconds; null: not ended. */
  duration_ms: number | null;
  /** Weighted mean of the scores of the assertions, 0–1; null: none. */
  overall_score: number | null;
  /** Overall tone score, 0–1; null: not scored. */
  tone_score: number | null;
  /** Nodes in the order of the visits. */
  nodes_visited: string[];
  /** Node at which the conversation is or ended; null: no pathway. */
  current_node_id: string | null;
  /** Models that took part. */
  models: TestModels;
  /** Why it ended in ERROR; null: it did not. */
  error_message: string | null;
  /** Requests to models, their tokens and cost; zero until it has ended. */
  usage: TestModelUsage;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it began; null: not yet. */
  started_at: string | null;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
  /** The conversation so far. */
  chat_history: TestChatLine[];
  /** Variables that the pathway extracted. */
  variables_extracted: Record<string, unknown>;
  /** Webhooks that the pathway called, and tools that the agent asked for or reported. */
  webhooks: TestWebhookCall[];
  /** Tone of the agent; null: not scored. */
  service_tone_score: ServiceToneScore | null;
  /** Result of each assertion. */
  assertion_results: TestAssertionResult[];
  /** Result in plain words; null: not ended. */
  reasoning: string | null;
  /** How the conversation ended; null: it did not. */
  end_reason: "agent_ended" | "caller_ended" | "max_turns" | "replay_ended" | "recorded" | null;
  /** Who ended it, and transfers; null: not ended, recorded, or run by an earlier release. */
  ending: TestEnding | null;
  /** Tokens that the models of the service may take for it; null: no separate limit. */
  token_budget: number | null;
  /** What the models of the service may cost for it; null: no separate limit. */
  cost_budget: TestCost | null;
  /** What was measured in the call; null: a run by text. */
  voice: TestVoiceMeasurements | null;
  /** Recording of the call, at `/v1/agent-testing/runs/{id}/recording`; null: a run by text, not recorded, or deleted. */
  recording: {
    /** Milliseconds from the answer to its end; at most ten minutes. */
    duration_ms: number;
    /** Size of the file. */
    octets: number;
  } | null;
  /** Number of times that the run was begun; more than 1 after a process was killed. */
  attempts: number;
  /** Names of nodes and details of turns. */
  metadata: {
    /** Names of the nodes of the pathway. */
    node_id_to_name: Record<string, string>;
    /** Details of each line. */
    turn_details: TestTurnDetail[];
  };
};

export type TestRunSummary = {
  /** Id of the run, a UUID. */
  id: string;
  /** Id of a test scenario. */
  scenario_id: string;
  /** The scenario that it ran. */
  scenario: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
  };
  /** Pathway under test; null: another target. */
  pathway_id: string | null;
  /** Persona under test; null: another target. */
  persona_id: string | null;
  /** Version of the pathway or persona; null: an agent at its own address. */
  version_number: number | null;
  /** Batch that it belongs to; null: none. */
  batch_id: string | null;
  /** Simulation set that it belongs to; null: none. */
  simulation_set_id: string | null;
  /** Tornado session that it belongs to; null: none. */
  tornado_session_id: string | null;
  /** Real call that it judges, in place of a conversation with a simulated caller; null: none. */
  call_id: string | null;
  /** Monitor that started it; null: none. */
  monitor_id: string | null;
  /** Load test whose caller it is; null: none. */
  load_test_id: string | null;
  /** Milliseconds until the agent answered the call; null: by text, or not answered. */
  answer_ms: number | null;
  /** Final SIP response to a call that the agent did not answer; null: none. */
  sip_status: number | null;
  /** Values of the scenario that its simulation set replaced, by field; null: none. */
  variation: Record<string, unknown> | null;
  /** text, or voice: a real call. */
  channel: "text" | "voice";
  /** What started it. */
  origin: "api" | "dashboard" | "ci" | "gate" | "simulation" | "tornado";
  /** PASSED: every required assertion passed. FAILED: one did not. ERROR: the run could not be completed or judged; error_message says why. */
  status: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED";
  /** Turns of the caller. */
  turn_count: number;
  /** Duration in milliseconds; null: not ended. */
  duration_ms: number | null;
  /** Weighted mean of the scores of the assertions, 0–1; null: none. */
  overall_score: number | null;
  /** Overall tone score, 0–1; null: not scored. */
  tone_score: number | null;
  /** Nodes in the order of the visits. */
  nodes_visited: string[];
  /** Node at which the conversation is or ended; null: no pathway. */
  current_node_id: string | null;
  /** Models that took part. */
  models: TestModels;
  /** Why it ended in ERROR; null: it did not. */
  error_message: string | null;
  /** Requests to models, their tokens and cost; zero until it has ended. */
  usage: TestModelUsage;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** When it began; null: not yet. */
  started_at: string | null;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
};

export type TestScenario = {
  /** Id of the scenario, a UUID. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Its name. */
  name: string;
  /** Pathway under test; null: another target. */
  pathway_id: string | null;
  /** Persona under test; null: another target. */
  persona_id: string | null;
  /** Agent at its own address; null: another target. */
  agent: TestAgent | null;
  /** Free text; null: none. */
  description: string | null;
  /** Kind of caller. Default CUSTOM. */
  category: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM";
  /** AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT. */
  scenario_type: "AGENT" | "REPLAY" | "HISTORICAL";
  /** How it is run unless the run says otherwise: text or voice (a real call). Default text. */
  channel: "text" | "voice";
  /** How the simulated caller behaves and what it wants; required with AGENT. */
  tester_persona_prompt: string;
  /** Name of the simulated caller; null: none. */
  tester_persona_name: string | null;
  /** Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL. */
  first_speaker: "agent" | "caller" | null;
  /** Most turns of the caller. Default 20, range 1–50. */
  max_turns: number;
  /** Variables that the conversation begins with, as in `request_data` of a call. */
  request_data: Record<string, unknown>;
  /** Node that the conversation begins at; null: the start node of the pathway. */
  start_node_id: string | null;
  /** Whether runs get a tone score. Default false. */
  service_tone_enabled: boolean;
  /** Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false. */
  is_required_for_promotion: boolean;
  /** How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50. */
  promotion_runs: number;
  /** Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95. */
  required_pass_rate: number;
  /** False: gates and tornado skip it. Default true. */
  enabled: boolean;
  /** Recorded conversation for REPLAY and HISTORICAL, at most 200 lines. */
  input_messages: TestChatLine[];
  /** Further instructions for the simulated caller; null: none. */
  advanced_instructions: string | null;
  /** Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used. */
  webhook_mocks: TestWebhookMock[];
  /** How it is run as a call; null: the defaults. */
  voice: TestVoiceSettings | null;
  /** Your data, returned unchanged. */
  metadata: Record<string, unknown>;
  /** What must hold after the conversation. */
  assertions: TestAssertion[];
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

export type TestScenarioDraft = {
  /** Its name. */
  name: string;
  /** What it tests. */
  description: string;
  /** Kind of caller. */
  category: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM";
  /** How the simulated caller behaves and what it wants. */
  tester_persona_prompt: string;
  /** Name of the simulated caller. */
  tester_persona_name: string;
  /** Pathway under test; null: not chosen. */
  pathway_id: string | null;
  /** Persona under test; null: not chosen. */
  persona_id: string | null;
  /** Node to begin at; null: the start node. */
  start_node_id: string | null;
  /** Request data of the call, without phone numbers, webhook URLs and keys. */
  request_data: Record<string, unknown>;
  /** The conversation of the call, for REPLAY. */
  input_messages: TestChatLine[];
  /** What must hold after the conversation. */
  assertions: UnsavedTestAssertion[];
  /** Model that wrote it. */
  generated_by: string;
};

export type TestSchedule = {
  /** Id of the schedule, a UUID. */
  id: string;
  /** Name in the dashboard and in alerts, 1–100 characters. */
  name: string;
  /** Scenarios that it runs. */
  scenario_ids: string[];
  /** Runs of each scenario. */
  simulations_per_scenario: number;
  /** Version of the pathways or personas that runs test: `live`, or `draft`: the draft if there is one, else the live version. Default live. */
  version: "live" | "draft";
  /** text or voice; null: that of each scenario. Default null. */
  channel: "text" | "voice" | null;
  /** Fields of the scenarios that are varied; null: they run as they are. Default null. */
  matrix: {
    /** Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default. */
    fields: Record<string, unknown[]>;
    /** Runs only so many combinations, drawn by seed. Default: all. */
    sample?: number | undefined;
    /** The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1. */
    seed: number;
  } | null;
  /** When its runs are started. */
  recurrence: {
    /** At regular intervals */
    type: "interval";
    /** Minutes between two starts. Range 15–10080. */
    minutes: number;
  } | {
    /** Once a day */
    type: "daily";
    /** HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts. */
    time: string;
    /** IANA time zone of `time`. */
    time_zone: string;
  };
  /** Share of the runs of each scenario that must pass, above 0, at most 1; runs that could not be judged do not count. Default 0.8. */
  required_pass_rate: number;
  /** Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true. */
  notify_contacts: boolean;
  /** What all its runs of a period may take. Once it is used up, no runs are started until the period ends, and the schedule is `failing`; runs in progress end in ERROR. Null (default): none. */
  budget: {
    /** Period in UTC, a week from Monday. Default month. */
    period: "day" | "week" | "month";
    /** Tokens that its runs of a period may take; null (default): no limit. */
    tokens: number | null;
    /** What its runs of a period may cost, in the currency of your organization; null (default): no limit. */
    cost: number | null;
  } | null;
  /** False: it is paused. Default true. */
  enabled: boolean;
  /** What its runs have taken in the present period. */
  usage: {
    /** That of the budget; without one, the month. */
    period: "day" | "week" | "month";
    /** Tokens that models took, as far as the endpoints count them. */
    tokens: number;
    /** Cost of these tokens; null: the cost of a run is not known, because a model has no price or its endpoint does not count tokens. */
    cost: TestCost | null;
    /** When the next period begins. */
    period_ends_at: string;
  };
  /** When its next runs are started; null: it is paused. */
  next_run_at: string | null;
  /** When its last runs were started; null: not yet. */
  last_run_at: string | null;
  /** Id of the simulation set that was started last; null: none. */
  last_simulation_set_id: string | null;
  /** `failing`: a scenario passed less often than required, or could not be run or judged. Null: no runs have ended. */
  state: "passing" | "failing" | null;
  /** Since when; null: no state. */
  state_since: string | null;
  /** Why it is failing, by scenario; null: it is not failing. */
  problem: string | null;
  /** Share of runs that passed of the scenario that passed least often in its last runs; null: none was judged. */
  lowest_pass_rate: number | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

export type TestSuggestion = {
  /** Kind of change. */
  type: "prompt_change" | "node_config" | "flow_change" | "tone_improvement";
  /** Node to change; null: the agent as a whole. */
  target_node_id: string | null;
  /** Name of the node; null: none. */
  target_node_name: string | null;
  /** What to change, and why. */
  description: string;
  /** New text or setting. */
  suggested_change: string;
  /** How sure the model is, 0–1. */
  confidence: number;
};

export type TestTemplate = {
  /** Id of the template. */
  id: string;
  /** Its name. */
  name: string;
  /** What it tests. */
  description: string;
  /** Kind of caller. */
  category: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM";
  /** How the simulated caller behaves and what it wants. */
  tester_persona_prompt: string;
  /** Name of the simulated caller. */
  tester_persona_name: string;
  /** Most turns of the caller. */
  max_turns: number;
  /** Whether runs get a tone score. */
  service_tone_enabled: boolean;
  /** What must hold after the conversation. */
  assertions: UnsavedTestAssertion[];
};

export type TestTokenBudget = {
  /** Tokens per day in UTC; null: no limit of your own. */
  tokens_per_day: number | null;
  /** Tokens per month in UTC; null: no limit of your own. */
  tokens_per_month: number | null;
  /** Tokens that one run may take; null (default): no limit. */
  tokens_per_run: number | null;
  /** Tokens that the runs of a batch or simulation set together may take; null (default): no limit. */
  tokens_per_set: number | null;
  /** Tokens that the runs of a promotion together may take; null (default): no limit. */
  tokens_per_gate: number | null;
  /** What all tests of a day (UTC) may cost, in `currency`; null (default): no limit. */
  cost_per_day: number | null;
  /** What all tests of a month (UTC) may cost, in `currency`; null (default): no limit. */
  cost_per_month: number | null;
  /** What one run may cost, in `currency`; null (default): no limit. */
  cost_per_run: number | null;
  /** What the runs of a batch or simulation set together may cost, in `currency`; null (default): no limit. */
  cost_per_set: number | null;
  /** What the runs of a promotion together may cost, in `currency`; null (default): no limit. */
  cost_per_gate: number | null;
  /** Currency of all amounts. */
  currency: string;
  /** Limit per day: the lower of yours and the service's; null: none. */
  limit_per_day: number | null;
  /** Limit per month: the lower of yours and the service's; null: none. */
  limit_per_month: number | null;
  /** Tokens used since 0:00 UTC. */
  used_today: number;
  /** Tokens used since the first of the month, UTC. */
  used_this_month: number;
  /** Cost since 0:00 UTC of the requests to models that have a price in the currency. */
  cost_today: number;
  /** The same since the first of the month, UTC. */
  cost_this_month: number;
  /** When the next day begins. */
  day_ends_at: string;
  /** When the next month begins. */
  month_ends_at: string;
  /** True: a limit is reached, and no run is started. */
  is_used_up: boolean;
};

export type TestTurnDetail = {
  /** Position of the line in chat_history, from 0. */
  turn: number;
  /** Node that spoke; null: the caller, or no pathway. */
  node_id: string | null;
  /** Milliseconds until the answer; null: not measured. */
  latency_ms: number | null;
  /** Names of the variables extracted before this line was spoken. */
  extracted: string[];
};

export type TestUsageSum = {
  /** Tokens that models took, as far as the endpoints count them. */
  tokens: number;
  /** Cost of these tokens; null: the cost of a run is not known, because a model has no price or its endpoint does not count tokens. */
  cost: TestCost | null;
};

export type TestVariationResult = {
  /** Values by field. */
  values: Record<string, unknown>;
  /** Runs that passed. */
  passed: number;
  /** Runs that failed. */
  failed: number;
  /** Runs that could not be completed or judged. */
  errors: number;
  /** Share that passed, 0–1; null: no runs. */
  pass_rate: number | null;
  /** Wilson interval of the pass rate at 95 %; null: no runs. */
  pass_rate_interval: {
    /** Lower bound. */
    lower: number;
    /** Upper bound. */
    upper: number;
  } | null;
};

export type TestVoiceMeasurements = {
  /** Id of the call; null: its record is not stored yet. */
  call_id: string | null;
  /** Call-ID header of the caller's leg. */
  sip_call_id: string;
  /** What spoke for the caller. */
  speech: "espeak-ng" | "flite" | "service" | "tones";
  /** What transcribed the agent; tones: the tone code alone, not speech. */
  transcription: "service" | "tones";
  /** Codec of the caller's leg. */
  codec: string | null;
  /** Milliseconds from the answer to the end. */
  duration_ms: number;
  /** Milliseconds from the answer to the first audio of the agent; null: none. */
  first_audio_ms: number | null;
  /** Mean of the latencies of all turns in milliseconds; null: none. */
  mean_latency_ms: number | null;
  /** Median of the latencies in milliseconds; null: none. */
  p50_latency_ms: number | null;
  /** 95th percentile of the latencies in milliseconds; null: none. */
  p95_latency_ms: number | null;
  /** Highest latency in milliseconds; null: none. */
  maximum_latency_ms: number | null;
  /** Turns of the caller after which the agent said nothing. */
  unanswered_turns: number;
  /** How often the agent began while the caller spoke. */
  interruptions: number;
  /** Longest time until the agent was silent after the caller interrupted it; null: not interrupted, or it did not stop. */
  barge_in_stop_ms: number | null;
  /** Longest time that the call waited for the agent to speak; the time that the caller needs to reply does not count. */
  longest_silence_ms: number | null;
  /** Share of the call that waited for the agent, 0–1. */
  silence_share: number;
  /** Milliseconds in which both spoke; null: not measured. */
  talk_over_ms: number | null;
  /** Share of the call in which both spoke, 0–1. */
  talk_over_share: number;
  /** The agent's share of all speech, 0–1; null: neither side spoke. */
  agent_talk_share: number | null;
  /** Words of the agent for each minute of its speech; null: its speech was not transcribed. */
  agent_words_per_minute: number | null;
  /** Mean level of the agent's speech in dBov, 0 being the loudest possible; null: it said nothing. */
  agent_loudness_dbov: number | null;
  /** The same of the caller, as the agent got it from Demarc; null: it said nothing. */
  caller_loudness_dbov: number | null;
  /** Lost packets of the agent's audio. */
  packets_lost: number;
  /** Highest interarrival jitter of the agent's audio in milliseconds. */
  jitter_ms: number;
  /** Who spoke when, in the order of time. */
  turns: TestVoiceTurn[];
};

export type TestVoiceSettings = {
  /** E.164 number or SIP URI that is called. Default: the SIP URI of agent, or the first inbound number of the persona or pathway. */
  destination?: string | undefined;
  /** Language of the simulated caller, BCP 47. Default en-US. */
  language: string;
  /** Voice of the simulated caller. Without a speech service also a variant of the language with espeak-ng, such as +f3, or a voice of flite, such as flite-slt (English). Default: that of the speech service for the language. */
  speaker?: string | undefined;
  /** How fast the caller speaks: 1 is the usual speed of the voice, 160 words a minute with espeak-ng. Default 1, range 0.5–2. */
  speed?: number | undefined;
  /** Number that the agent sees as caller, E.164. Default: an anonymous caller. */
  caller_number?: string | undefined;
  /** Silence in milliseconds that ends the agent's turn. Default 700, range 200–5000. */
  end_of_turn_ms: number;
  /** Milliseconds that the caller waits for the greeting, and for each reply, before it speaks. Default 10000. */
  reply_timeout_ms: number;
  /** Longest duration of the call. Default 300, range 5–1800. */
  max_duration_seconds: number;
  /** How the caller sounds, and its line. Default: as the speech service speaks. */
  conditions?: TestLineConditions | undefined;
  /** What the caller does in single turns in place of speaking: keys, silence, hold. Also in runs by text, where the agent reads it. At most 50. Default: none. */
  steps?: TestCallerStep[] | undefined;
  /** Interrupts the agent once. Default: never. */
  barge_in?: TestBargeIn | undefined;
};

export type TestVoiceSettingsInput = {
  /** E.164 number or SIP URI that is called. Default: the SIP URI of agent, or the first inbound number of the persona or pathway. */
  destination?: string | undefined;
  /** Language of the simulated caller, BCP 47. Default en-US. */
  language?: string | undefined;
  /** Voice of the simulated caller. Without a speech service also a variant of the language with espeak-ng, such as +f3, or a voice of flite, such as flite-slt (English). Default: that of the speech service for the language. */
  speaker?: string | undefined;
  /** How fast the caller speaks: 1 is the usual speed of the voice, 160 words a minute with espeak-ng. Default 1, range 0.5–2. */
  speed?: number | undefined;
  /** Number that the agent sees as caller, E.164. Default: an anonymous caller. */
  caller_number?: string | undefined;
  /** Silence in milliseconds that ends the agent's turn. Default 700, range 200–5000. */
  end_of_turn_ms?: number | undefined;
  /** Milliseconds that the caller waits for the greeting, and for each reply, before it speaks. Default 10000. */
  reply_timeout_ms?: number | undefined;
  /** Longest duration of the call. Default 300, range 5–1800. */
  max_duration_seconds?: number | undefined;
  /** How the caller sounds, and its line. Default: as the speech service speaks. */
  conditions?: TestLineConditionsInput | undefined;
  /** What the caller does in single turns in place of speaking: keys, silence, hold. Also in runs by text, where the agent reads it. At most 50. Default: none. */
  steps?: TestCallerStepInput[] | undefined;
  /** Interrupts the agent once. Default: never. */
  barge_in?: TestBargeInInput | undefined;
};

export type TestVoiceTurn = {
  /** Who spoke. */
  speaker: "caller" | "agent";
  /** Milliseconds from the answer to its beginning. */
  from_ms: number;
  /** Milliseconds from the answer to its end. */
  to_ms: number;
  /** What was said; null: not understood. */
  text: string | null;
  /** The caller interrupted the agent on purpose. */
  is_barge_in: boolean;
};

export type TestWebhookAnswer = {
  /** The answer. */
  data: {
    /** Id of an event, the same for every endpoint and every attempt. */
    event_id: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type TestWebhookCall = {
  /** Node that called it, or name of the tool that an agent asked for or reported. */
  node_id: string;
  /** URL without its query; empty: a tool of an agent. */
  url: string;
  /** What it was called with: the JSON body; with GET, the parameters of the query that hold variables. Secrets are `[masked]`. Null: not kept, because they have more than 10,000 characters, or those of the run more than 200,000. */
  arguments: Record<string, unknown> | null;
  /** HTTP status; null: no answer, or not known. */
  status: number | null;
  /** Whether the scenario answered in its place. */
  is_mocked: boolean;
  /** Why there was no answer; null: there was one, or it is not known. */
  error: string | null;
  /** Milliseconds until the answer. */
  duration_ms: number;
  /** Position of the next line in chat_history, from 0; null: not reported by an agent that was called. */
  turn: number | null;
};

export type TestWebhookMock = {
  /** Node whose webhook is replaced, or name of the tool that the agent asks for. */
  node_id: string;
  /** Answers this call of the node or tool and later ones. Default 1: from the first. */
  from_call?: number | undefined;
  /** Answers from this turn of the caller on. Default 0: from the beginning. */
  from_turn?: number | undefined;
  /** HTTP status. Default 200. */
  status: number;
  /** JSON of the answer. Default none. */
  body?: unknown | undefined;
};

export type TestWebhookMockInput = {
  /** Node whose webhook is replaced, or name of the tool that the agent asks for. */
  node_id: string;
  /** Answers this call of the node or tool and later ones. Default 1: from the first. */
  from_call?: number | undefined;
  /** Answers from this turn of the caller on. Default 0: from the beginning. */
  from_turn?: number | undefined;
  /** HTTP status. Default 200. */
  status?: number | undefined;
  /** JSON of the answer. Default none. */
  body?: unknown | undefined;
};

export type TornadoIteration = {
  /** Counts the iterations from 1. */
  iteration: number;
  /** Id of the batch that the call belongs to; null: none. */
  batch_id: string;
  /** Version of the pathway that it ran. */
  version_number: number;
  /** When it began. */
  started_at: string;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
  /** Scenarios that passed. */
  passed_ids: string[];
  /** Scenarios that did not pass. */
  failed_ids: string[];
  /** Scenarios given up in this iteration. */
  newly_unfixable_ids: string[];
  /** Changes that the next iteration runs with; null: none. */
  fix_plan: {
    /** The changes. */
    fixes: {
      /** Id of the fix. */
      id: string;
      /** Node that it changes; null: the pathway. */
      target_node: string | null;
      /** What it changes, and why. */
      description: string;
      /** Kind of change. */
      type: "prompt_edit" | "config_change" | "flow_change";
      /** Field of the document that it changes. */
      path: string;
      /** Value before the change. */
      before: unknown;
      /** Value after the change. */
      after: unknown;
      /** Whether the fork has it: it was applied, and not undone. */
      is_applied: boolean;
      /** Why it could not be applied; null: it could. */
      problem: string | null;
    }[];
    /** Ids of the fixes, the most important first. */
    priority_order: string[];
  } | null;
  /** Beginning of the prompt of the analyzer; null: it was not asked. */
  analyzer_prompt_excerpt: string | null;
};

export type TornadoProgress = {
  /** Id of the session, a UUID. */
  session_id: string;
  /** State of the session. */
  status: "RUNNING" | "COMPLETED_ALL_PASSED" | "COMPLETED_PARTIAL" | "TIMEOUT" | "STUCK" | "CANCELLED" | "ERROR";
  /** Pathway that it improves. */
  pathway_id: string;
  /** Persona of the session; null: none. */
  persona_id: string | null;
  /** Iteration in progress or the last one, from 1. */
  current_iteration: number;
  /** Most iterations. */
  max_iterations: number;
  /** Runs of each scenario in each iteration. */
  runs_per_scenario: number;
  /** What the lower end of the interval of a scenario’s pass rate must reach. */
  required_pass_rate: number;
  /** Number of scenarios. */
  total_scenarios: number;
  /** Scenarios that passed in the last iteration. */
  passed_scenarios: number;
  /** Scenarios that did not. */
  failed_scenarios: number;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Number of scenarios given up. */
  unfixable_count: number;
  /** Scenarios that fail by the same cause after several fixes. */
  unfixable_ids: string[];
  /** The iterations, oldest first. */
  iterations: TornadoIteration[];
  /** Milliseconds since the start. */
  elapsed_ms: number;
  /** Milliseconds until the session ends in TIMEOUT. */
  timeout_ms: number;
  /** Version with the fixes; null: none yet. */
  forked_version: number | null;
  /** Why it ended in ERROR; null: it did not. */
  error_message: string | null;
  /** When it ended, ISO 8601 in UTC; null: it has not. */
  completed_at: string | null;
};

export type TornadoSession = {
  /** Id of the session, a UUID. */
  session_id: string;
  /** State of the session. */
  status: "RUNNING" | "COMPLETED_ALL_PASSED" | "COMPLETED_PARTIAL" | "TIMEOUT" | "STUCK" | "CANCELLED" | "ERROR";
  /** Pathway that it improves. */
  pathway_id: string;
  /** Persona of the session; null: none. */
  persona_id: string | null;
  /** Iteration in progress or the last one, from 1. */
  current_iteration: number;
  /** Most iterations. */
  max_iterations: number;
  /** Runs of each scenario in each iteration. */
  runs_per_scenario: number;
  /** What the lower end of the interval of a scenario’s pass rate must reach. */
  required_pass_rate: number;
  /** Number of scenarios. */
  total_scenarios: number;
  /** Scenarios that passed in the last iteration. */
  passed_scenarios: number;
  /** Scenarios that did not. */
  failed_scenarios: number;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
};

export type TraceMessage = {
  /** When it was sent or received, ISO 8601 in UTC. */
  at: string;
  /** Which side of the call the message belongs to. */
  leg: "trunk" | "agent" | "unknown";
  /** `in`: received by Demarc; `out`: sent by Demarc. */
  direction: "received" | "sent";
  /** SIP transport. */
  protocol: "udp" | "tcp" | "tls";
  /** Where the message came from, `address:port`. */
  source: string;
  /** Where the message went, `address:port`. */
  destination: string;
  /** In one line. */
  summary: string;
  /** The message as sent on the wire, secrets redacted. */
  message: string;
};

export type TransferCallAnswer = {
  /** Its state. */
  status: "success";
  /** Result in plain words. */
  message: string;
};

export type TransferConfig = {
  /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
  mode: "refer" | "bridge";
  /** True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
  fallback: boolean;
  /** Allowed transfer targets: prefixes of E.164 numbers, and hosts. */
  allowed_targets?: string[] | undefined;
};

export type Trunk = {
  /** Id of the trunk */
  trunk_id: string;
  /** Free text */
  name: string;
  /** As configured, with [redacted] for each password */
  directions: Record<string, unknown>[];
  /** Codecs, alerts, limits and transfers of calls to the numbers */
  inbound: {
    /** Codecs of the direction; null: the default ones. */
    codec_config: CodecConfig | null;
    /** Thresholds and channels of alerts; null: not configured. */
    alert_config: AlertConfig | null;
    /** Call limits; null: the defaults. */
    limits: TrunkLimits | null;
    /** How calls are transferred; null: the defaults. */
    transfer_config: TransferConfig | null;
  };
  /** Failover, codecs, alerts, limits and transfers of calls from the numbers */
  outbound: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config: FailoverConfig | null;
    /** Codecs of the direction; null: the default ones. */
    codec_config: CodecConfig | null;
    /** Thresholds and channels of alerts; null: not configured. */
    alert_config: AlertConfig | null;
    /** Call limits; null: the defaults. */
    limits: TrunkLimits | null;
    /** How calls are transferred; null: the defaults. */
    transfer_config: TransferConfig | null;
  };
  /** Numbers that use the trunk */
  number_count: number;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

/** Calls of the number but those that were the mistake of their caller */
export type TrunkCalls = {
  /** Of the last five minutes, or of the hour if there were fewer than five calls. failing: half or more fail; degraded: a fifth; quiet: fewer than five calls */
  state: "failing" | "degraded" | "working" | "quiet";
  /** What decided the state */
  window: "5m" | "1h";
  /** The calls. */
  calls: number;
  /** How many failed. */
  failed: number;
  /** The most frequent cause of failure within the window; null: none */
  worst: FailureCount | null;
  /** Five-minute intervals, oldest first */
  hour: {
    /** The calls. */
    calls: number;
    /** How many failed. */
    failed: number;
  }[];
};

export type TrunkLimits = {
  /** Maximum concurrent calls of the number, both directions together. */
  concurrent_calls?: number | undefined;
  /** Maximum new calls per second. */
  calls_per_second?: number | undefined;
  /** Seconds from the answer after which the call is ended. */
  max_duration_seconds?: number | undefined;
};

export type TrunkSummary = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** Directions of the number. */
  directions: ("inbound" | "outbound")[];
  /** Its state. */
  status: "healthy" | "unreachable" | "unchecked";
  /** The server, as `host:port;transport=…`; null: none. */
  endpoint: string | null;
  /** Reason, a stable code; null: none. */
  reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
  /** Further details; null: none. */
  detail: string | null;
  /** The cause in plain words. */
  cause: string | null;
  /** Recommended action. */
  advice: string | null;
  /** Response time in milliseconds; null: no response. */
  response_time_ms: number | null;
  /** Time of the last check, ISO 8601 in UTC; null: never. */
  checked_at: string | null;
  /** State of the number’s trunk; a healthy trunk with an unreachable first server uses a backup */
  servers: {
    /** Total number. */
    total: number;
    /** Number of unreachable servers. */
    unreachable: number;
  };
  /** The worst state of its registrations; null: none; unknown while Redis is down */
  registration: "registering" | "registered" | "failed" | "unregistered" | "unknown" | null;
  /** The calls. */
  calls: TrunkCalls;
};

export type TrustedCertificate = {
  /** Distinguished name of the holder */
  subject: string;
  /** Distinguished name of the authority that signed it */
  issuer: string;
  /** Start of its validity, ISO 8601 in UTC */
  valid_from: string;
  /** Expiry, ISO 8601 in UTC */
  valid_to: string;
  /** SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it */
  fingerprint_sha256: string;
  /** Whether it may sign other certificates */
  is_ca: boolean;
};

export type UndoTornadoFixAnswer = {
  /** The answer. */
  data: TornadoProgress;
  /** Null: the request succeeded. */
  errors: null;
};

export type UnsavedTestAssertion = {
  /** Type of the assertion. */
  type: "LLM_JUDGE" | "SERVICE_TONE" | "VARIABLE_EXTRACTED" | "NODE_REACHED" | "NODES_VISITED" | "WEBHOOK_TRIGGERED" | "REGEX_MATCH" | "STRING_CHECK" | "CUSTOM_LLM" | "TRAVERSAL_MATCH" | "VOICE_METRIC" | "TOOL_CALLED" | "TOOL_ORDER" | "PHRASES" | "LATENCY" | "CALL_OUTCOME";
  /** Its name in results; null: none. */
  name: string | null;
  /** What is checked, by type. */
  config: Record<string, unknown>;
  /** Whether the run fails when the assertion fails. */
  is_required: boolean;
  /** Its weight in the overall score, 0–100. */
  weight: number;
  /** Its position in the scenario, from 0. */
  order: number;
};

export type UpdateAgentAnswer = {
  /** The answer. */
  data: WebAgent;
  /** Null: the request succeeded. */
  errors: null;
  /** The agent's leg. */
  agent: WebAgent;
};

export type UpdateAlertAnswer = {
  /** The answer. */
  data: Alert;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateAlertContactsAnswer = {
  /** The answer. */
  data: {
    /** Email addresses. */
    emails: string[];
    /** Numbers, E.164 with +. */
    phone_numbers: string[];
    /** False if the channel is not configured */
    available: {
      /** True: by email. */
      email: boolean;
      /** True: by SMS. */
      sms: boolean;
    };
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateContactAnswer = {
  /** The answer. */
  data: Contact;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateContactMemoryAnswer = {
  /** The answer. */
  data: ContactMemory;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateDirectionAnswer = {
  /** The answer. */
  data: {
    /** The configuration after the change. */
    configuration: Configuration;
    /** Password to set in the PBX, returned only once; null: unchanged. */
    register_password_for_pbx: string | null;
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateIncidentAnswer = {
  /** The answer. */
  data: IncidentStory;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateKnowledgeAnswer = {
  /** The answer. */
  data: KnowledgeBase;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateMaintenanceWindowAnswer = {
  /** The answer. */
  data: MaintenanceWindow;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateMemberAnswer = {
  /** The answer. */
  data: Member;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateMemberForOrganizationAnswer = {
  /** The answer. */
  data: Member;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateNumbersAnswer = {
  /** The answer. */
  data: {
    /** The changed numbers. */
    updated: string[];
    /** The numbers that were not changed, each with the reason. */
    failed: {
      /** E.164 with +, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: ErrorCode;
      /** Why the number was not configured. */
      message: string;
    }[];
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
    /** Password to set in the PBX, returned only once; null: unchanged. */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateOrganizationAnswer = {
  /** The answer. */
  data: {
    /** Id of the organization; null: the number belongs to none. */
    organization_id: string;
    /** Name of the organization. */
    name: string;
    /** Has the SIP entitlement. */
    sip_enabled: boolean;
    /** Key of `DEMARC_REGIONS`; null: the first region. */
    region: string | null;
    /** Limits of this organization, which replace those of the service. */
    limits: {
      /** Concurrent calls on all edges together; null: `DEMARC_ORGANIZATION_MAX_CALLS`. */
      concurrent_calls: number | null;
      /** New calls per second; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`. */
      calls_per_second: number | null;
      /** Days that call records are kept; null: `DEMARC_CALL_RETENTION_DAYS`. */
      call_retention_days: number | null;
      /** Minutes of answered calls a calendar month (UTC); above it calls continue. Null: none. */
      minutes_per_month: number | null;
    };
    /** Phone numbers. */
    numbers: number;
    /** People. */
    members: number;
    /** Of these, owners. */
    owners: number;
    /** API keys that are neither revoked nor expired. */
    keys: number;
    /** When it was created. */
    created_at: string;
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdatePathwayAnswer = {
  /** The answer. */
  data: Pathway;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdatePersonaAnswer = {
  /** The answer. */
  data: Persona;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateTestMonitorAnswer = {
  /** The answer. */
  data: TestMonitor;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateTestScenarioAnswer = {
  /** The answer. */
  data: ChangedTestScenario;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateTestScheduleAnswer = {
  /** The answer. */
  data: TestSchedule;
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateTrunkAnswer = {
  /** The answer. */
  data: {
    /** Id of the trunk */
    trunk_id: string;
    /** Free text */
    name: string;
    /** As configured, with [redacted] for each password */
    directions: Record<string, unknown>[];
    /** Codecs, alerts, limits and transfers of calls to the numbers */
    inbound: {
      /** Codecs of the direction; null: the default ones. */
      codec_config: CodecConfig | null;
      /** Thresholds and channels of alerts; null: not configured. */
      alert_config: AlertConfig | null;
      /** Call limits; null: the defaults. */
      limits: TrunkLimits | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: TransferConfig | null;
    };
    /** Failover, codecs, alerts, limits and transfers of calls from the numbers */
    outbound: {
      /** Backup servers of the outbound direction; null: none. */
      failover_config: FailoverConfig | null;
      /** Codecs of the direction; null: the default ones. */
      codec_config: CodecConfig | null;
      /** Thresholds and channels of alerts; null: not configured. */
      alert_config: AlertConfig | null;
      /** Call limits; null: the defaults. */
      limits: TrunkLimits | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: TransferConfig | null;
    };
    /** Numbers that use the trunk */
    number_count: number;
    /** Creation time, ISO 8601 in UTC. */
    created_at: string;
    /** Time of the last change, ISO 8601 in UTC. */
    updated_at: string;
    /** Password to set in your PBX; returned only once, when the registration is new or changed */
    register_password_for_pbx: string | null;
    /** Warnings about what was configured. */
    warnings: {
      /** E.164 with +; null: the warning is about all numbers of the request */
      phone_number: string | null;
      /** A code of docs/errors.md */
      warning: string;
      /** The warning in plain words. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateWebhookAnswer = {
  /** The answer. */
  data: WebhookEndpoint;
  /** Null: the request succeeded. */
  errors: null;
};

export type UploadPortDocumentAnswer = {
  /** The answer. */
  data: {
    /** Id of the document. */
    document_sid: string;
    /** Its type, detected from its content. */
    media_type: "application/pdf" | "image/jpeg" | "image/png" | "image/gif" | "image/webp";
    /** Octets. */
    size: number;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type Usage = {
  /** First day, in UTC. */
  from: string;
  /** Last day, in UTC. */
  to: string;
  /** All days together. */
  total: {
    /** Calls that started on the day, answered or not. */
    calls: number;
    /** Calls that were answered. */
    answered_calls: number;
    /** Minutes from answer to end, of the answered calls. */
    minutes: number;
  };
  /** Each day, oldest first. */
  days: {
    /** The day, in UTC. */
    date: string;
    /** Calls that started on the day, answered or not. */
    calls: number;
    /** Calls that were answered. */
    answered_calls: number;
    /** Minutes from answer to end, of the answered calls. */
    minutes: number;
    /** Calls to your numbers. */
    inbound: {
      /** Calls that started on the day, answered or not. */
      calls: number;
      /** Calls that were answered. */
      answered_calls: number;
      /** Minutes from answer to end, of the answered calls. */
      minutes: number;
    };
    /** Calls from your numbers. */
    outbound: {
      /** Calls that started on the day, answered or not. */
      calls: number;
      /** Calls that were answered. */
      answered_calls: number;
      /** Minutes from answer to end, of the answered calls. */
      minutes: number;
    };
    /** Peak concurrent calls of the day, ringing included; null before the call history begins. */
    peak_concurrent_calls: number | null;
  }[];
  /** Limits of the organization, whatever the days of the request. */
  limits: {
    /** `concurrent_calls`: peak of today; `minutes_per_month`: answered calls of this month. */
    kind: "concurrent_calls" | "minutes_per_month";
    /** The present day or month, in UTC. */
    period: string;
    /** What is used. */
    measured: number;
    /** What may be used. */
    limit: number;
    /** Share of the limit that is used. */
    percent: number;
    /** When alert contacts were notified that 80 % is reached; null: not in this period. */
    notified_at: string | null;
  }[];
  /** Numbers whose active calls reached 80 % of their limit today (UTC), the fullest first, at most 100; compared every 15 seconds. */
  number_limits: {
    /** The number; null: the limit is that of a shared trunk. */
    phone_number: string | null;
    /** The trunk that numbers share; null: the limit is that of a number. */
    trunk_id: string | null;
    /** `inbound`: to the number; `outbound`: from the number. */
    direction: "inbound" | "outbound";
    /** Highest number of active calls seen today. */
    measured: number;
    /** `concurrent_calls` in the limits of the direction. */
    limit: number;
    /** Share of the limit that was used. */
    percent: number;
    /** When alert contacts were notified; null: not yet, at most once in 15 minutes. */
    notified_at: string | null;
  }[];
};

export type WebAgent = {
  /** Id of the agent, a UUID. */
  agent_id: string;
  /** Ids of knowledge bases and tools, as they were sent. */
  tools: string[];
  /** The knowledge bases among them, UUIDs. */
  kb_ids: string[];
  /** Your data, returned unchanged; null: not set. */
  metadata: Record<string, unknown> | null;
  /** Creation time, ISO 8601 in UTC. */
  created_at: string;
  /** Time of the last change, ISO 8601 in UTC. */
  updated_at: string;
};

export type WebSocketAgent = {
  /** Direction. */
  type: "websocket";
  /** wss:// URL without a query */
  url: string;
  /** media-streams: the message shapes of Twilio Media Streams. pcm: JSON and linear samples. Default: media-streams */
  format?: "media-streams" | "pcm" | undefined;
  /** Hertz, of pcm. Default: 16000 */
  sample_rate?: 8000 | 16000 | 24000 | undefined;
  /** Of pcm. listen: the messages of jambonz listen. Default: demarc */
  preamble?: "demarc" | "listen" | undefined;
  /** Passed to the bot in its first message. Default: none */
  parameters?: Record<string, string> | undefined;
  /** Headers of the handshake, such as Authorization. Stored encrypted; responses show [redacted]. Default: none */
  headers?: Record<string, string> | undefined;
  /** When the call is answered. Default: start, once the bot is connected */
  answer_on?: "start" | "first_audio" | undefined;
  /** Whether callers hear a soft tone until the first audio. Default: false */
  comfort_tone?: boolean | undefined;
  /** SIP agent that takes calls when the bot cannot be reached. Default: the call fails */
  fallback?: string | undefined;
};

export type WebSocketAgentView = {
  /** Kind of agent */
  type: "websocket";
  /** wss:// URL */
  url: string;
  /** Messages: media-streams or pcm */
  format: "media-streams" | "pcm";
  /** Hertz; of pcm */
  sample_rate?: number | undefined;
  /** listen: the messages of jambonz listen; of pcm */
  preamble?: "demarc" | "listen" | undefined;
  /** Passed to the bot in its first message */
  parameters: Record<string, string>;
  /** Headers of the handshake, without their values */
  headers: Record<string, "[redacted]">;
  /** When calls are answered */
  answer_on: "start" | "first_audio";
  /** True: callers hear a soft tone until the first audio */
  comfort_tone: boolean;
  /** SIP agent that takes calls when the bot cannot be reached; null: none */
  fallback: string | null;
};

export type WebhookEndpoint = {
  /** Id of a webhook endpoint. */
  webhook_id: string;
  /** URL that receives the events */
  url: string;
  /** Free text */
  description: string;
  /** Events to send: types, areas (call.*), or * for all */
  events: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "usage.*" | "persona.*" | "pathway.*" | "agent_test.*" | "webhook.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped")[];
  /** False: disabled; events that occur meanwhile are not kept */
  enabled: boolean;
  /** request: disabled through the API; failing: no delivery succeeded for days */
  disabled_reason: "request" | "failing" | null;
  /** When it was disabled */
  disabled_at: string | null;
  /** First failed attempt since the last successful delivery */
  failing_since: string | null;
  /** Time since which attempts have had no response within the time limit; null: the endpoint responds */
  silent_since: string | null;
  /** Set while the endpoint is paused because it does not respond: time of the next attempt; other deliveries wait. null: not paused */
  paused_until: string | null;
  /** Deliveries that wait for the endpoint */
  pending_deliveries: number;
  /** Deliveries that failed because too many were waiting (DEMARC_DELIVERY_PENDING) */
  dropped_deliveries: number;
  /** Until then deliveries are also signed with the previous secret */
  previous_secret_until: string | null;
  /** Creation time */
  created_at: string;
  /** Last change */
  updated_at: string;
};

export type WebhookEvent = {
  /** The same for every endpoint and attempt: use it to detect duplicates */
  event_id: string;
  /** What happened */
  event: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped" | "webhook.test";
  /** When it happened */
  occurred_at: string;
  /** Order among events of the same call, alert, server or registration; gaps have no meaning */
  sequence: number;
  /** The subject of the event; its shape depends on the type */
  data: Record<string, unknown>;
};

export type WindowFigures = {
  /** Servers tried, in order. */
  attempts: number;
  /** Answered calls. */
  answered: number;
  /** Share of attempts that were answered, in percent; null: no attempts. */
  answer_rate_percent: number | null;
  /** INVITE to 200, of answered calls */
  average_setup_ms: number | null;
  /** INVITE to the first ringing */
  average_post_dial_delay_ms: number | null;
  /** Failed or refused, without those in `bad_audio` */
  failed: number;
  /** Answered calls with bad audio: the audio of a side was missing or stopped */
  bad_audio: number;
  /** What the verdict judges: all calls but those that were the mistake of their caller, and how many of them concern the customer, the service or the fleet */
  judged: {
    /** The calls. */
    calls: number;
    /** How many failed. */
    failed: number;
    /** Calls that only their senders can correct; not in `calls` */
    caller_errors: number;
    /** The most frequent cause of the calls in `failed`; null: none */
    worst: FailureCount | null;
  };
  /** Most frequent first */
  failures: FailureCount[];
  /** The same window one day earlier, for comparison */
  day_before: {
    /** Servers tried, in order. */
    attempts: number;
    /** Answered calls. */
    answered: number;
    /** Share of attempts that were answered, in percent; null: no attempts. */
    answer_rate_percent: number | null;
    /** How many failed. */
    failed: number;
    /** Mean milliseconds from INVITE to the first ringing; null: none rang. */
    average_post_dial_delay_ms: number | null;
  };
};

export type WithdrawInvitationAnswer = {
  /** The answer. */
  data: {
    /** Id of an invitation. */
    invitation_id: string;
    /** True: withdrawn */
    withdrawn: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type WithdrawInvitationForOrganizationAnswer = {
  /** The answer. */
  data: {
    /** Id of an invitation. */
    invitation_id: string;
    /** True: withdrawn */
    withdrawn: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type AcceptInvitationBody = {
  /** The part of the link after # */
  token: string;
  /** Name that colleagues see, 1–100 characters. */
  name?: string | undefined;
  /** A new password of 12–256 characters, or the password of the existing account */
  password: string;
};

export type AddAgentMetadataPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type AddAgentMetadataBody = {
  /** Names of up to 64 letters, digits, _ . - with texts of up to 500 characters. */
  values: Record<string, string>;
};

export type AnalyzeTestRunPath = {
  /** Id of the run. */
  id: string;
};

export type AnalyzeTestRunBody = Record<string, never> | null;

export type AttachNumbersBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number?: string | undefined;
  /** Numbers, E.164 with +. */
  phone_numbers?: string[] | undefined;
  /** Directions of the number. */
  directions?: (InboundDirection | OutboundDirection)[] | undefined;
  /** Shared trunk for the numbers, instead of directions */
  trunk_id?: string | undefined;
  /** Always `sip`. */
  service: "sip";
};

export type AttachNumbersToTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type AttachNumbersToTrunkBody = {
  /** Numbers, E.164 with +. */
  phone_numbers: string[];
};

export type AttachPathwayNumbersPath = {
  /** Id of the pathway. */
  id: string;
};

export type AttachPathwayNumbersBody = {
  /** Your numbers, E.164; at most 100. */
  inbound_numbers: string[];
  /** Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins */
  version_number?: number | undefined;
};

export type AttachPersonaNumbersPath = {
  /** Id of the persona. */
  id: string;
};

export type AttachPersonaNumbersBody = {
  /** Your numbers, E.164; at most 100. */
  inbound_numbers: string[];
};

export type CancelLoadTestPath = {
  /** Id of the load test. */
  id: string;
};

export type CancelLoadTestBody = Record<string, never> | null;

export type CancelPortPath = {
  /** Id of the port request. */
  id: string;
};

export type CancelSimulationSetPath = {
  /** Id of the simulation set. */
  id: string;
};

export type CancelSimulationSetBody = Record<string, never> | null;

export type CancelTestBatchPath = {
  /** Id of the batch. */
  id: string;
};

export type CancelTestBatchBody = Record<string, never> | null;

export type CancelTestRunPath = {
  /** Id of the run. */
  id: string;
};

export type CancelTestRunBody = Record<string, never> | null;

export type CancelTornadoPath = {
  /** Id of the session. */
  id: string;
};

export type CancelTornadoBody = Record<string, never> | null;

export type CancelWarmTransferPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type ChangePasswordBody = {
  /** The present password */
  current_password: string;
  /** The password, 12–256 characters. */
  password: string;
};

export type ChatWithKnowledgeBody = {
  /** Knowledge base to answer from. */
  knowledge_base_id: string;
  /** The conversation; its last message is the user’s question. */
  messages: {
    /** Who said it. */
    role: "user" | "assistant";
    /** What was said. */
    content: string;
  }[];
};

export type CheckNumberQuery = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
};

export type CheckPortabilityQuery = {
  /** Numbers to check, E.164 with +; repeat the parameter. At most 100. */
  "phone_numbers[]": string[];
};

export type CloneTestTemplatePath = {
  /** Id of the template. */
  id: string;
};

export type CloneTestTemplateBody = {
  /** Pathway under test. */
  pathway_id?: string | null | undefined;
  /** Persona under test. */
  persona_id?: string | null | undefined;
  /** Agent under test at its own address. */
  agent?: {
    /** Base URL of an OpenAI-compatible interface, to which `/chat/completions` is added; for runs by text. */
    url?: string | undefined;
    /** Name that requests send as `model`. Default agent. */
    model?: string | undefined;
    /** Sent as bearer token; never returned. Omit it to keep the stored one. */
    api_key?: string | undefined;
    /** SIP URI that is called; for runs by voice. */
    sip_uri?: string | undefined;
  } | null | undefined;
  /** Default: the template's name. */
  name?: string | undefined;
  /** Free text. */
  description?: string | undefined;
  /** How the simulated caller behaves. Default: the template's. */
  tester_persona_prompt?: string | undefined;
  /** Most turns of the caller, 1–50. Default: the template's. */
  max_turns?: number | undefined;
  /** Variables that the conversation begins with. */
  request_data?: Record<string, unknown> | undefined;
  /** Node that the conversation begins at. Default: the start node. */
  start_node_id?: string | undefined;
  /** Whether runs get a tone score. */
  service_tone_enabled?: boolean | undefined;
  /** Whether it must pass before a version is promoted. Default false. */
  is_required_for_promotion?: boolean | undefined;
};

export type ComparePathwayVersionsPath = {
  /** Id of the pathway. */
  id: string;
  /** Number of the version. */
  version_number: string;
};

export type ComparePathwayVersionsQuery = {
  /** Number of the earlier version. */
  from: number;
};

export type CompareSimulationSetsPath = {
  /** Id of the simulation set. */
  id: string;
};

export type CompareSimulationSetsQuery = {
  /** Id of the other simulation set. */
  other: string;
};

export type CompleteWarmTransferPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type ConfigureDirectionBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
  /** Backup servers of the outbound direction; null: none. */
  failover_config?: FailoverSettings | null | undefined;
  /** Codecs of the direction; null: the default ones. */
  codec_config?: CodecSettings | null | undefined;
  /** Thresholds and channels of alerts; null: not configured. */
  alert_config?: AlertSettings | null | undefined;
  /** Demarc extension */
  limits?: {
    /** Maximum concurrent calls of the number, both directions together. */
    concurrent_calls?: number | undefined;
    /** Maximum new calls per second. */
    calls_per_second?: number | undefined;
    /** Seconds from the answer after which the call is ended. */
    max_duration_seconds?: number | undefined;
  } | null | undefined;
  /** Demarc extension */
  transfer_config?: {
    /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
    mode: "refer" | "bridge";
    /** True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
    fallback?: boolean | undefined;
    /** Allowed transfer targets: prefixes of E.164 numbers, and hosts. */
    allowed_targets?: string[] | undefined;
  } | null | undefined;
};

export type CreateAgentBody = {
  /** Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. */
  tools?: string[] | undefined;
  /** Your data, returned unchanged; null clears it. At most 16384 octets of JSON. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateAgentCredentialBody = {
  /** Its name. */
  name?: string | undefined;
};

export type CreateBatchBody = {
  /** One of your numbers, with an outbound direction */
  from: string;
  /** Free text, at most 200 characters */
  name?: string | undefined;
  /** Earliest time to dial, at most 30 days ahead */
  scheduled_at?: string | undefined;
  /** Calls not dialled by then are given up. Default 24 hours after the start, at most 7 days after it */
  until?: string | undefined;
  /** Instructions for the agent, which reads them with the call */
  task?: string | undefined;
  /** Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. Knowledge bases add to those of the persona; ids of tools are passed to the agent unchecked */
  tools?: string[] | undefined;
  /** Id of the agent’s persona, which must have a live version. The call gets the version that is live when an edge takes it */
  persona_id?: string | undefined;
  /** Pathway that the calls follow, which needs a live version unless `pathway_version` names one. Default: that of the persona */
  pathway_id?: string | undefined;
  /** Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins */
  pathway_version?: number | undefined;
  /** Voice that the agent speaks with, passed on to it unchecked. Default: that of the persona */
  voice?: string | undefined;
  /** Agent of the call: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the number */
  agent?: string | WebSocketAgent | undefined;
  /** Maximum duration in minutes from the answer */
  max_duration?: number | undefined;
  /** DTMF sent to the callee before it hears the agent: 0-9, *, #; w waits half a second */
  precall_dtmf_sequence?: string | undefined;
  /** URL that receives the result when the call has ended */
  webhook?: string | undefined;
  /** The calls in dialling order, 1 to 1000 */
  calls: {
    /** The called number, E.164 */
    phone_number: string;
    /** Data for the agent, and variables for the trunk’s header mappings */
    request_data?: Record<string, unknown> | undefined;
    /** Your data, returned unchanged */
    metadata?: Record<string, unknown> | undefined;
    /** Instructions for the agent, which reads them with the call */
    task?: string | undefined;
    /** Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. Knowledge bases add to those of the persona; ids of tools are passed to the agent unchecked */
    tools?: string[] | undefined;
    /** Id of the agent’s persona, which must have a live version. The call gets the version that is live when an edge takes it */
    persona_id?: string | undefined;
    /** Pathway that the calls follow, which needs a live version unless `pathway_version` names one. Default: that of the persona */
    pathway_id?: string | undefined;
    /** Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins */
    pathway_version?: number | undefined;
    /** Voice that the agent speaks with, passed on to it unchecked. Default: that of the persona */
    voice?: string | undefined;
    /** Agent of the call: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the number */
    agent?: string | WebSocketAgent | undefined;
  }[];
};

export type CreateCallBody = {
  /** The called number, E.164 */
  phone_number: string;
  /** Data for the agent, and variables for the trunk’s header mappings */
  request_data?: Record<string, unknown> | undefined;
  /** Your data, returned unchanged */
  metadata?: Record<string, unknown> | undefined;
  /** One of your numbers, with an outbound direction */
  from: string;
  /** Instructions for the agent, which reads them with the call */
  task: string;
  /** Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. Knowledge bases add to those of the persona; ids of tools are passed to the agent unchecked */
  tools?: string[] | undefined;
  /** Id of the agent’s persona, which must have a live version. The call gets the version that is live when an edge takes it */
  persona_id?: string | undefined;
  /** Pathway that the calls follow, which needs a live version unless `pathway_version` names one. Default: that of the persona */
  pathway_id?: string | undefined;
  /** Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins */
  pathway_version?: number | undefined;
  /** Voice that the agent speaks with, passed on to it unchecked. Default: that of the persona */
  voice?: string | undefined;
  /** Agent of the call: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the number */
  agent?: string | WebSocketAgent | undefined;
  /** Maximum duration in minutes from the answer */
  max_duration?: number | undefined;
  /** DTMF sent to the callee before it hears the agent: 0-9, *, #; w waits half a second */
  precall_dtmf_sequence?: string | undefined;
  /** URL that receives the result when the call has ended */
  webhook?: string | undefined;
  /** Earliest time to dial, at most 30 days ahead */
  scheduled_at?: string | undefined;
};

export type CreateKeyBody = {
  /** Purpose of the key, 1–64 characters. */
  name: string;
  /** Scopes of the key: an area with `read` or `write`, which includes `read`. Default: the scopes of the requesting key. */
  scopes?: ("calls:listen" | "trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "personas:read" | "personas:write" | "pathways:read" | "pathways:write" | "calls:read" | "calls:write" | "knowledge:read" | "knowledge:write" | "contacts:read" | "contacts:write" | "agent-testing:read" | "agent-testing:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "organizations:read" | "organizations:write")[] | undefined;
  /** When the key expires. Default: when the requesting key expires. */
  expires_at?: string | undefined;
};

export type CreateKeyForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type CreateKeyForOrganizationBody = {
  /** Purpose of the key, 1–64 characters. */
  name: string;
  /** Scopes of the key: an area with `read` or `write`, which includes `read`. Default: the scopes of the requesting key. */
  scopes?: ("calls:listen" | "trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "personas:read" | "personas:write" | "pathways:read" | "pathways:write" | "calls:read" | "calls:write" | "knowledge:read" | "knowledge:write" | "contacts:read" | "contacts:write" | "agent-testing:read" | "agent-testing:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "organizations:read" | "organizations:write")[] | undefined;
  /** When the key expires. Default: when the requesting key expires. */
  expires_at?: string | undefined;
};

export type CreateMaintenanceWindowBody = {
  /** Name of the planned work, 1–100 characters */
  name: string;
  /** Only this number; null: not limited to a number */
  phone_number?: string | null | undefined;
  /** Only numbers of this shared trunk; null: not limited to a trunk */
  trunk_id?: string | null | undefined;
  /** Kinds of alerts that are not sent. Default all */
  kinds?: ("unreachable" | "failure_rate" | "response_time")[] | undefined;
  /** IANA time zone of the schedule */
  time_zone: string;
  /** When the window is open */
  schedule: {
    /** One time */
    type: "once";
    /** ISO 8601; without offset in `time_zone` */
    starts_at: string;
    /** ISO 8601; without offset in `time_zone`. At most 30 days later */
    ends_at: string;
  } | {
    /** Every week */
    type: "weekly";
    /** Days on which it starts */
    weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
    /** HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts */
    start_time: string;
    /** Elapsed minutes. Range 1–1440 */
    duration_minutes: number;
  };
  /** False: the window is ignored. Default true */
  enabled?: boolean | undefined;
};

export type CreateOrganizationBody = {
  /** Name, unique, 1–64 characters; it must not begin with `org_`. */
  name: unknown & unknown;
  /** With the SIP entitlement. Default true. */
  sip_enabled?: boolean | undefined;
  /** Key of `DEMARC_REGIONS`. Default: the first region. */
  region?: string | undefined;
  /** Limits in place of those of the service. */
  limits?: {
    /** Concurrent calls on all edges together, 1–100,000; null: `DEMARC_ORGANIZATION_MAX_CALLS`. */
    concurrent_calls?: number | null | undefined;
    /** New calls per second, 1–10,000; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`. */
    calls_per_second?: number | null | undefined;
    /** Days that call records are kept, 1–36500, no longer than `DEMARC_CALL_RETENTION_DAYS`; null: as long. A lower value deletes older records within the hour. */
    call_retention_days?: number | null | undefined;
    /** Minutes of answered calls a calendar month (UTC). Calls above it are not refused; alert contacts are notified at 80 %. Null: none. */
    minutes_per_month?: number | null | undefined;
  } | undefined;
};

export type CreatePathwayBody = {
  /** Its name, at most 200 characters. */
  name: string;
  /** Free text; null clears it. */
  description?: string | null | undefined;
  /** What a conversation follows. */
  document: PathwayDocumentInput;
};

export type CreatePersonaBody = {
  /** Its name, at most 200 characters. */
  name: string;
  /** Its role, free text; null clears it. */
  role?: string | null | undefined;
  /** Free text; null clears it. */
  description?: string | null | undefined;
  /** Your labels, at most 50. */
  tags?: string[] | undefined;
  /** Your data, returned unchanged; null clears it. At most 16384 octets of JSON. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Knowledge bases that the agent of a call may search, at most 50. UUIDs; `KB-…` ids of an earlier system are stored as the UUIDs that they resolve to. */
  kb_ids?: string[] | undefined;
  /** What the agent does in a call; null clears it. */
  orchestration_prompt?: string | null | undefined;
  /** How the agent speaks; null clears it. */
  personality_prompt?: string | null | undefined;
  /** Agent of its calls, in place of the agent of the number: a SIP URI, a wss:// URL, or an object for a WebSocket server, whose omitted headers keep their values; null clears it. */
  agent?: string | WebSocketAgent | null | undefined;
  /** Pathway that the calls of the persona follow, which needs a live version unless `pathway_version` names one; null clears it. A number’s own pathway takes precedence. */
  pathway_id?: string | null | undefined;
  /** Number of the pathway’s version, also of a draft or fork, which no gate has tested; null: the version that is live when a call begins. */
  pathway_version?: number | null | undefined;
  /** Voice that the agent speaks with, passed on to it unchecked as `X-Demarc-Voice`; null clears it. */
  voice?: string | null | undefined;
};

export type CreateResetLinkPath = {
  /** member_id of the member */
  member_id: string;
};

export type CreateResetLinkForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
  /** member_id of the member */
  member_id: string;
};

export type CreateSessionBody = {
  /** The API key. */
  api_key: string;
};

export type CreateTestMonitorBody = {
  /** Name in the dashboard and in alerts, 1–100 characters. */
  name: string;
  /** Scenario whose assertions judge the calls; how its caller behaves does not matter. */
  scenario_id: string;
  /** Number of yours whose calls are judged, E.164; null: those of persona_id. */
  number?: string | null | undefined;
  /** Persona whose numbers’ calls are judged; null: those of number. */
  persona_id?: string | null | undefined;
  /** Share of the answered calls that is judged, above 0, at most 1. Default 0.1. */
  share?: number | undefined;
  /** It fails when the upper end of the 95 % interval of the latest calls is below this rate, above 0, at most 1. Default 0.8. */
  required_pass_rate?: number | undefined;
  /** Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true. */
  notify_contacts?: boolean | undefined;
  /** False: it is paused. Default true. */
  enabled?: boolean | undefined;
};

export type CreateTestScenarioBody = {
  /** Its name, at most 200 characters, unique among the scenarios of its target. */
  name: string;
  /** Pathway under test. */
  pathway_id?: string | null | undefined;
  /** Persona under test. */
  persona_id?: string | null | undefined;
  /** Agent under test at its own address. */
  agent?: {
    /** Base URL of an OpenAI-compatible interface, to which `/chat/completions` is added; for runs by text. */
    url?: string | undefined;
    /** Name that requests send as `model`. Default agent. */
    model?: string | undefined;
    /** Sent as bearer token; never returned. Omit it to keep the stored one. */
    api_key?: string | undefined;
    /** SIP URI that is called; for runs by voice. */
    sip_uri?: string | undefined;
  } | null | undefined;
  /** Free text; null: none. */
  description?: string | null | undefined;
  /** Kind of caller. Default CUSTOM. */
  category?: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM" | undefined;
  /** AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT. */
  scenario_type?: "AGENT" | "REPLAY" | "HISTORICAL" | undefined;
  /** How it is run unless the run says otherwise: text or voice (a real call). Default text. */
  channel?: "text" | "voice" | undefined;
  /** How the simulated caller behaves and what it wants; required with AGENT. */
  tester_persona_prompt?: string | undefined;
  /** Name of the simulated caller; null: none. */
  tester_persona_name?: string | null | undefined;
  /** Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL. */
  first_speaker?: "agent" | "caller" | null | undefined;
  /** Most turns of the caller. Default 20, range 1–50. */
  max_turns?: number | undefined;
  /** Variables that the conversation begins with, as in `request_data` of a call. */
  request_data?: Record<string, unknown> | undefined;
  /** Node that the conversation begins at; null: the start node of the pathway. */
  start_node_id?: string | null | undefined;
  /** Whether runs get a tone score. Default false. */
  service_tone_enabled?: boolean | undefined;
  /** Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false. */
  is_required_for_promotion?: boolean | undefined;
  /** How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50. */
  promotion_runs?: number | undefined;
  /** Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95. */
  required_pass_rate?: number | undefined;
  /** False: gates and tornado skip it. Default true. */
  enabled?: boolean | undefined;
  /** Recorded conversation for REPLAY and HISTORICAL, at most 200 lines. */
  input_messages?: TestChatLineInput[] | undefined;
  /** Further instructions for the simulated caller; null: none. */
  advanced_instructions?: string | null | undefined;
  /** Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used. */
  webhook_mocks?: TestWebhookMockInput[] | undefined;
  /** How it is run as a call; null: the defaults. */
  voice?: TestVoiceSettingsInput | null | undefined;
  /** Your data, returned unchanged. */
  metadata?: Record<string, unknown> | undefined;
  /** What must hold after the conversation, at most 50. */
  assertions?: ({
    /** Type of the assertion. */
    type: "LLM_JUDGE";
    /** What is checked, by type. */
    config: {
      /** What the judge is asked about the conversation. */
      prompt: string;
      /** When each verdict is to be given. Default: as the question says. */
      rubric?: string | undefined;
      /** Conversations with the right verdict, at most 10. Default: none. */
      examples?: {
        /** What was said, or the part that decides. */
        conversation: string;
        /** The right verdict on it. */
        verdict: string;
        /** Why. Default: none. */
        reasoning?: string | undefined;
      }[] | undefined;
      /** boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean. */
      output_type?: "boolean" | "score" | "categorical" | undefined;
      /** With boolean: whether true passes. Default true. */
      pass_on_true?: boolean | undefined;
      /** With score: the lowest that passes. Default 0.7. */
      threshold?: number | undefined;
      /** With categorical: the possible answers, 2–20. */
      categories?: string[] | undefined;
      /** With categorical: the answers that pass; some of categories. */
      passing_categories?: string[] | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "SERVICE_TONE";
    /** What is checked, by type. */
    config: {
      /** Lowest overall tone score that passes. Default 0.7. */
      threshold?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "VARIABLE_EXTRACTED";
    /** What is checked, by type. */
    config: {
      /** Variable that must have been extracted. */
      variable_name: string;
      /** Value that it must have; absent: any but an empty one. */
      expected_value?: string | number | boolean | undefined;
      /** How the value is compared as text; contains ignores case; regex: expected_value is an RE2 pattern. Default case_insensitive. */
      match?: "exact" | "case_insensitive" | "contains" | "regex" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "NODE_REACHED";
    /** What is checked, by type. */
    config: {
      /** Node that the conversation must visit. */
      node_id: string;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "NODES_VISITED";
    /** What is checked, by type. */
    config: {
      /** Nodes of the pathway, at most 200. */
      node_ids: string[];
      /** Whether all of them must be visited, or any one. Default all. */
      mode?: "all" | "any" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "WEBHOOK_TRIGGERED";
    /** What is checked, by type. */
    config: {
      /** Only webhooks whose URL contains this text. Absent: any. */
      url?: string | undefined;
      /** Only webhooks of this node. Absent: any. */
      node_id?: string | undefined;
      /** Fewest calls of the webhook. Default 1. */
      min_count?: number | undefined;
      /** True: only calls that got a 2xx answer count. Default false. */
      must_succeed?: boolean | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "REGEX_MATCH";
    /** What is checked, by type. */
    config: {
      /** Regular expression in RE2 syntax: no look-around, no back-references; at most 10,000 instructions, which repetition counts multiply. */
      pattern: string;
      /** i: ignore case; m: ^ and $ match at lines; s: the dot matches line ends. Default none. */
      flags?: string | undefined;
      /** Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript. */
      target?: "transcript" | "agent" | "caller" | "variable" | undefined;
      /** Required when target is variable. */
      variable_name?: string | undefined;
      /** False: passes when nothing matches. Default true. */
      must_match?: boolean | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "STRING_CHECK";
    /** What is checked, by type. */
    config: {
      /** Text to compare with. */
      value: string;
      /** How the text is compared. Default contains. */
      operator?: "equals" | "contains" | "not_contains" | undefined;
      /** Whether upper and lower case differ. Default false. */
      case_sensitive?: boolean | undefined;
      /** Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript. */
      target?: "transcript" | "agent" | "caller" | "variable" | undefined;
      /** Required when target is variable. */
      variable_name?: string | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "CUSTOM_LLM";
    /** What is checked, by type. */
    config: {
      /** System prompt of the evaluating model. */
      system_prompt: string;
      /** Model at the judge endpoint. Default: the configured judge. */
      model?: string | undefined;
      /** Temperature of the model, 0–2. Default 0. */
      temperature?: number | undefined;
      /** boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean. */
      output_type?: "boolean" | "score" | "categorical" | undefined;
      /** With boolean: whether true passes. Default true. */
      pass_on_true?: boolean | undefined;
      /** With score: the lowest that passes. Default 0.7. */
      threshold?: number | undefined;
      /** With categorical: the possible answers, 2–20. */
      categories?: string[] | undefined;
      /** With categorical: the answers that pass; some of categories. */
      passing_categories?: string[] | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "TRAVERSAL_MATCH";
    /** What is checked, by type. */
    config: {
      /** Nodes in the expected order, at most 500. */
      reference_path: string[];
      /** exact: other nodes between them lower the score; subsequence: they do not. Default exact. */
      mode?: "exact" | "subsequence" | undefined;
      /** Lowest score that passes, from the longest common subsequence (LCS) of both paths: exact 2·LCS ÷ (lengths together), subsequence LCS ÷ length of the reference. Default 1. */
      threshold?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "VOICE_METRIC";
    /** What is checked, by type. */
    config: {
      /** What was measured in the call. */
      metric: "first_audio_ms" | "mean_latency_ms" | "p50_latency_ms" | "p95_latency_ms" | "maximum_latency_ms" | "unanswered_turns" | "interruptions" | "barge_in_stop_ms" | "longest_silence_ms" | "silence_share" | "talk_over_ms" | "talk_over_share" | "agent_talk_share" | "agent_words_per_minute" | "agent_loudness_dbov" | "packets_lost" | "jitter_ms";
      /** Lowest value that passes. */
      minimum?: number | undefined;
      /** Highest value that passes. */
      maximum?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "TOOL_CALLED";
    /** What is checked, by type. */
    config: {
      /** Only calls of this webhook node, or of the tool of this name that an agent asks for or reports. Absent: any. */
      node_id?: string | undefined;
      /** Only calls whose URL contains this text. Absent: any. */
      url?: string | undefined;
      /** What must hold for the arguments of a call so that it counts, at most 50. Default: nothing. */
      arguments?: TestArgument[] | undefined;
      /** Only calls after this turn of the caller; 0: also before its first. Default 0. */
      from_turn?: number | undefined;
      /** Only calls until the answer to this turn of the caller. Default: to the end. */
      to_turn?: number | undefined;
      /** True: only calls that got a 2xx answer count. Default false. */
      must_succeed?: boolean | undefined;
      /** Fewest calls that count. Default 1. */
      min_count?: number | undefined;
      /** Most calls that count; 0 with min_count 0: none may. Default: no limit. */
      max_count?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "TOOL_ORDER";
    /** What is checked, by type. */
    config: {
      /** Webhook nodes, or names of tools that an agent asks for or reports, in the order of their calls, at most 100. */
      node_ids: string[];
      /** subsequence: other calls may come between them; exact: these calls and no others. Default subsequence. */
      mode?: "subsequence" | "exact" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "PHRASES";
    /** What is checked, by type. */
    config: {
      /** Phrases that must be said, at most 50. Case, punctuation and spaces do not matter. */
      required?: string[] | undefined;
      /** Phrases that must not be said, at most 50. */
      forbidden?: string[] | undefined;
      /** Whose lines are read; transcript: both. Default agent. */
      target?: "agent" | "caller" | "transcript" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "LATENCY";
    /** What is checked, by type. */
    config: {
      /** Percentile of the latencies, 1–100; 100: the highest. Default 95. */
      percentile?: number | undefined;
      /** Highest value of it that passes, in milliseconds. */
      maximum_ms: number;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "CALL_OUTCOME";
    /** What is checked, by type. */
    config: {
      /** Who must end the conversation, as in `ending` of a run. Default any. */
      ended_by?: "any" | "agent" | "caller" | "test" | undefined;
      /** Whether the agent must transfer the caller, or must not. Default any. */
      transfer?: "any" | "required" | "none" | undefined;
      /** Number or SIP URI that the caller must be transferred to. Default: any. */
      transfer_to?: string | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  })[] | undefined;
};

export type CreateTestScenarioFromRunPath = {
  /** Id of the run. */
  id: string;
};

export type CreateTestScenarioFromRunBody = Record<string, never> | null;

export type CreateTestScheduleBody = {
  /** Name in the dashboard and in alerts, 1–100 characters. */
  name: string;
  /** Scenarios to run, at most 50. */
  scenario_ids: string[];
  /** Runs of each scenario, with a matrix of each of its combinations, 1–100. Default 5. */
  simulations_per_scenario?: number | undefined;
  /** Version of the pathways or personas that runs test: `live`, or `draft`: the draft if there is one, else the live version. Default live. */
  version?: "live" | "draft" | undefined;
  /** text or voice; null: that of each scenario. Default null. */
  channel?: "text" | "voice" | null | undefined;
  /** Fields of the scenarios that are varied; null: they run as they are. Default null. */
  matrix?: {
    /** Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default. */
    fields: Record<string, unknown[]>;
    /** Runs only so many combinations, drawn by seed. Default: all. */
    sample?: number | undefined;
    /** The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1. */
    seed?: number | undefined;
  } | null | undefined;
  /** When its runs are started. */
  recurrence: {
    /** At regular intervals */
    type: "interval";
    /** Minutes between two starts. Range 15–10080. */
    minutes: number;
  } | {
    /** Once a day */
    type: "daily";
    /** HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts. */
    time: string;
    /** IANA time zone of `time`. */
    time_zone: string;
  };
  /** Share of the runs of each scenario that must pass, above 0, at most 1; runs that could not be judged do not count. Default 0.8. */
  required_pass_rate?: number | undefined;
  /** Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true. */
  notify_contacts?: boolean | undefined;
  /** What all its runs of a period may take. Once it is used up, no runs are started until the period ends, and the schedule is `failing`; runs in progress end in ERROR. Null (default): none. */
  budget?: {
    /** Period in UTC, a week from Monday. Default month. */
    period?: "day" | "week" | "month" | undefined;
    /** Tokens that its runs of a period may take; null (default): no limit. */
    tokens?: number | null | undefined;
    /** What its runs of a period may cost, in the currency of your organization; null (default): no limit. */
    cost?: number | null | undefined;
  } | null | undefined;
  /** False: it is paused. Default true. */
  enabled?: boolean | undefined;
};

export type CreateTrunkBody = {
  /** Free text, at most 200 characters */
  name?: string | undefined;
  /** As in POST /v1/sip/attach. In a PATCH the list replaces the current one; a password sent as [redacted] keeps its value */
  directions: (InboundDirection | OutboundDirection)[];
  /** Codecs, alerts, limits and transfers of calls to the numbers; null clears a section */
  inbound?: {
    /** Codecs of the direction; null: the default ones. */
    codec_config?: CodecSettings | null | undefined;
    /** Thresholds and channels of alerts; null: not configured. */
    alert_config?: AlertSettings | null | undefined;
    /** Demarc extension */
    limits?: {
      /** Maximum concurrent calls of the number, both directions together. */
      concurrent_calls?: number | undefined;
      /** Maximum new calls per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** Demarc extension */
    transfer_config?: {
      /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Allowed transfer targets: prefixes of E.164 numbers, and hosts. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
  /** Failover, codecs, alerts, limits and transfers of calls from the numbers; null clears a section */
  outbound?: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config?: FailoverSettings | null | undefined;
    /** Codecs of the direction; null: the default ones. */
    codec_config?: CodecSettings | null | undefined;
    /** Thresholds and channels of alerts; null: not configured. */
    alert_config?: AlertSettings | null | undefined;
    /** Demarc extension */
    limits?: {
      /** Maximum concurrent calls of the number, both directions together. */
      concurrent_calls?: number | undefined;
      /** Maximum new calls per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** Demarc extension */
    transfer_config?: {
      /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Allowed transfer targets: prefixes of E.164 numbers, and hosts. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
};

export type CreateWebhookBody = {
  /** URL that receives the events */
  url: string;
  /** Free text, at most 200 characters */
  description?: string | undefined;
  /** Events to send: types, areas (call.*), or * for all. Default * */
  events?: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "usage.*" | "persona.*" | "pathway.*" | "agent_test.*" | "webhook.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped")[] | undefined;
  /** False: disabled. Default true */
  enabled?: boolean | undefined;
};

export type DeleteAgentPath = {
  /** Id of the agent. */
  agent_id: string;
};

export type DeleteContactPath = {
  /** Id of the contact; ids of contacts merged into it lead to it too. */
  contact_id: string;
};

export type DeleteKnowledgePath = {
  /** Id of the knowledge base: a UUID, or a `KB-…` id of an earlier system. */
  id: string;
};

export type DeleteMaintenanceWindowPath = {
  /** window_id of the window */
  window_id: string;
};

export type DeletePathwayPath = {
  /** Id of the pathway. */
  id: string;
};

export type DeletePathwayForkPath = {
  /** Id of the pathway. */
  id: string;
  /** Number of the version. */
  version_number: string;
};

export type DeletePersonaPath = {
  /** Id of the persona. */
  id: string;
};

export type DeleteTestMonitorPath = {
  /** Id of the monitor. */
  id: string;
};

export type DeleteTestScenarioPath = {
  /** Id of the scenario. */
  id: string;
};

export type DeleteTestSchedulePath = {
  /** Id of the schedule. */
  id: string;
};

export type DeleteTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type DeleteWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type DetachNumberBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** Directions of the number. */
  directions: {
    /** Direction. */
    type: "inbound" | "outbound";
    /** Remove only this configuration of the direction */
    id?: string | undefined;
  }[];
  /** Always `sip`. */
  service?: "sip" | undefined;
};

export type DetachNumbersBody = {
  /** Directions of the number. */
  directions: {
    /** Direction. */
    type: "inbound" | "outbound";
    /** Remove only this configuration of the direction */
    id?: string | undefined;
  }[];
  /** Always `sip`. */
  service?: "sip" | undefined;
  /** Your numbers, E.164 with +. At most 100. */
  phone_numbers: string[];
};

export type DetachPathwayNumbersPath = {
  /** Id of the pathway. */
  id: string;
};

export type DetachPathwayNumbersBody = {
  /** Your numbers, E.164; at most 100. */
  inbound_numbers: string[];
};

export type DetachPersonaNumbersPath = {
  /** Id of the persona. */
  id: string;
};

export type DetachPersonaNumbersBody = {
  /** Your numbers, E.164; at most 100. */
  inbound_numbers: string[];
};

export type EstimateTestTokensBody = {
  /** Scenarios, at most 100. */
  scenario_ids: string[];
  /** Runs of each scenario, 1–1,000. Default 1. */
  runs_per_scenario?: number | undefined;
  /** text or voice. Default: that of each scenario. */
  channel?: "text" | "voice" | undefined;
};

export type ExportCallRecordsQuery = {
  /** Only calls with this part of the caller, the callee or the display name, this part of the Call-ID (at least 8 characters), or exactly this Call-ID, call id or source address. A number may have blanks, brackets and dashes; at least three characters. */
  q?: string | undefined;
  /** Only calls whose trace has this header with these words, such as `X-Tenant: acme`. Words are whole; capitals, order and punctuation do not matter. */
  header?: string | undefined;
  /** fleet: calls of all organizations, and of numbers that none has; operator keys only. */
  scope?: "organization" | "fleet" | undefined;
  /** Only calls of this organization; with scope=fleet. */
  organization_id?: string | undefined;
  /** Only calls of this number of your organization. */
  phone_number?: string | undefined;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction?: "inbound" | "outbound" | undefined;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`. */
  outcome?: "completed" | "cancelled" | "refused" | "failed" | undefined;
  /** audio: only answered calls in which the audio of a side was missing or stopped, or with a MOS below 3.6. any: also failed and refused calls. */
  problem?: "any" | "audio" | undefined;
  /** SIP status of the final response; null: none. */
  sip_code?: number | undefined;
  /** Only those started at this time or later. */
  started_after?: string | undefined;
  /** Only those started before this time. */
  started_before?: string | undefined;
  /** Only calls that ended at that time or later. */
  ended_after?: string | undefined;
  /** Only calls that ended before that time. */
  ended_before?: string | undefined;
  /** Only calls from this caller: a number or a name. */
  from?: string | undefined;
  /** Only calls to this callee: a number or a name. */
  to?: string | undefined;
  /** Only calls with this end reason. */
  end_reason?: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | undefined;
  /** Only calls with this Call-ID header on the trunk's leg. */
  sip_call_id?: string | undefined;
  /** Only calls from or to this address, or this network, such as `198.51.100.0/24`. */
  source_ip?: string | undefined;
  /** Only calls ordered with all of these values: `metadata[campaign]=spring`. Matches text, numbers, true and false. */
  metadata?: Record<string, string> | undefined;
};

export type ExportContactPath = {
  /** Id of the contact; ids of contacts merged into it lead to it too. */
  contact_id: string;
};

export type FailBackBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
};

export type FindContactBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number?: string | undefined;
  /** Email address; case is ignored. */
  email?: string | undefined;
  /** Id of the contact in your own system. */
  external_id?: string | undefined;
};

export type ForkPathwayVersionPath = {
  /** Id of the pathway. */
  id: string;
  /** Number of the version. */
  version_number: string;
};

export type ForkPathwayVersionBody = {
  /** Why you copy it. */
  note?: string | undefined;
} | null;

export type GeneratePasswordQuery = {
  /** Characters, clamped to 8–256; overrides `strength`. */
  length?: number | undefined;
  /** `standard`: 16 characters; `long`: 32. Default `standard`. */
  strength?: "standard" | "long" | undefined;
};

export type GenerateTestScenarioBody = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Pathway under test. */
  pathway_id?: string | null | undefined;
  /** Persona under test. */
  persona_id?: string | null | undefined;
  /** What was said in the call. Default: the messages that the agent of the call stored in the memory of the contact. */
  transcript?: TestChatLineInput[] | undefined;
};

export type GenerateTestScenariosFromCallsBody = {
  /** Number of yours whose answered calls are read, newest first. Default: the numbers of persona_id. */
  number?: string | undefined;
  /** Calls that are read in place of those of a number, at most 50. */
  call_ids?: string[] | undefined;
  /** Pathway that the scenarios test. Default: not chosen. */
  pathway_id?: string | null | undefined;
  /** Persona that the scenarios test. Default: not chosen. */
  persona_id?: string | null | undefined;
  /** Days back from now in which the calls ended. Default 7, range 1–90. */
  days?: number | undefined;
  /** Most scenarios of the suite. Default 10, range 1–50. */
  maximum_scenarios?: number | undefined;
};

export type GenerateTestScenariosFromPersonaBody = {
  /** Persona whose prompts and knowledge are tested. */
  persona_id: string;
  /** Version of the pathway or persona. Default: the draft if there is one, else the live version. */
  version_number?: number | undefined;
  /** Most scenarios of the suite. Default 10, range 1–50. */
  maximum_scenarios?: number | undefined;
};

export type GetActiveTornadoQuery = {
  /** Pathway that a session improves. */
  pathway_id?: string | undefined;
  /** Persona of the session: sessions improve pathways, so the answer is 404. */
  persona_id?: string | undefined;
};

export type GetAgentPath = {
  /** Id of the agent. */
  agent_id: string;
};

export type GetAlertPath = {
  /** Id of an alert. */
  alert_id: string;
};

export type GetBatchPath = {
  /** batch_id of the batch */
  batch_id: string;
};

export type GetCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type GetCallAnswer = OrderedCallDetail;

export type GetCallRecordPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type GetCallRecordQuery = {
  /** Form of the answer. Default `json`. */
  format?: "json" | "text" | "pcap" | undefined;
};

export type GetCallSeriesQuery = {
  /** Time range. */
  window?: "1h" | "24h" | "7d" | "30d" | undefined;
  /** `organization`: yours; `fleet`: all organizations, for operators. Default `organization`. */
  scope?: "organization" | "fleet" | undefined;
};

export type GetContactPath = {
  /** Id of the contact; ids of contacts merged into it lead to it too. */
  contact_id: string;
};

export type GetDeliveryPath = {
  /** delivery_id of the list */
  delivery_id: string;
};

export type GetDiscoveryQuery = {
  /** Id of a discovery. */
  discovery_id: string;
};

export type GetEnhancedTestAnalyticsPath = {
  /** Id of the pathway, or of a persona. */
  pathwayId: string;
};

export type GetEnhancedTestAnalyticsQuery = {
  /** Days in UTC up to today. Default 30, range 1–365. */
  days?: number | undefined;
};

export type GetHealthHistoryQuery = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** Time range. */
  window?: "24h" | "7d" | "30d" | undefined;
};

export type GetIncidentPath = {
  /** Id of an incident. */
  incident_id: string;
};

export type GetJudgeCalibrationPath = {
  /** Id of the scenario. */
  id: string;
};

export type GetKeyPath = {
  /** Id of an API key. */
  key_id: string;
};

export type GetKeyForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
  /** Id of an API key. */
  key_id: string;
};

export type GetKnowledgePath = {
  /** Id of the knowledge base: a UUID, or a `KB-…` id of an earlier system. */
  id: string;
};

export type GetLoadTestPath = {
  /** Id of the load test. */
  id: string;
};

export type GetMaintenanceWindowPath = {
  /** window_id of the window */
  window_id: string;
};

export type GetNumberQuery = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
};

export type GetOperatorPortPath = {
  /** Id of the port request. */
  id: string;
};

export type GetOperatorPortDocumentPath = {
  /** Id of the port request. */
  id: string;
  /** Id of the document. */
  document_id: string;
};

export type GetOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type GetOutboundSetupQuery = {
  /** E.164 with +, such as +14155550100. */
  phone_number?: string | undefined;
};

export type GetPathwayPath = {
  /** Id of the pathway. */
  id: string;
};

export type GetPathwayCoveragePath = {
  /** Id of the pathway. */
  pathwayId: string;
};

export type GetPathwayCoverageQuery = {
  /** Version of the pathway or persona. Default: the draft if there is one, else the live version. */
  version_number?: number | undefined;
  /** Only runs of this batch. Default: all runs. */
  batch_id?: string | undefined;
};

export type GetPathwayVersionPath = {
  /** Id of the pathway. */
  id: string;
  /** Number of the version. */
  version_number: string;
};

export type GetPersonaPath = {
  /** Id of the persona. */
  id: string;
};

export type GetPersonaVersionPath = {
  /** Id of the persona. */
  id: string;
  /** Number of the version. */
  version_number: string;
};

export type GetPortPath = {
  /** Id of the port request. */
  id: string;
};

export type GetSimulationSetPath = {
  /** Id of the simulation set. */
  id: string;
};

export type GetTestAnalyticsPath = {
  /** Id of the pathway, or of a persona. */
  pathwayId: string;
};

export type GetTestAnalyticsQuery = {
  /** Days in UTC up to today. Default 30, range 1–365. */
  days?: number | undefined;
};

export type GetTestBatchPath = {
  /** Id of the batch. */
  id: string;
};

export type GetTestCallQuery = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type GetTestLabelsPath = {
  /** Id of the run. */
  id: string;
};

export type GetTestMonitorPath = {
  /** Id of the monitor. */
  id: string;
};

export type GetTestRecordingPath = {
  /** Id of the run. */
  id: string;
};

export type GetTestRunPath = {
  /** Id of the run. */
  id: string;
};

export type GetTestScenarioPath = {
  /** Id of the scenario. */
  id: string;
};

export type GetTestSchedulePath = {
  /** Id of the schedule. */
  id: string;
};

export type GetTornadoStatusPath = {
  /** Id of the session. */
  id: string;
};

export type GetTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type GetTrunkStatusQuery = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** `now`: probe at once and wait for the results. */
  probe?: "now" | undefined;
};

export type GetUsageQuery = {
  /** First day. Default 29 days before `to`. */
  from?: string | undefined;
  /** Last day. Default today. */
  to?: string | undefined;
};

export type GetUsageBreakdownQuery = {
  /** What calls are grouped by. */
  by: "number" | "agent";
  /** First day. Default 29 days before `to`. */
  from?: string | undefined;
  /** Last day. Default today. */
  to?: string | undefined;
  /** Maximum entries per page. Default 100, range 1–500. */
  limit?: number | undefined;
};

export type GetUsageBreakdownForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type GetUsageBreakdownForOrganizationQuery = {
  /** What calls are grouped by. */
  by: "number" | "agent";
  /** First day. Default 29 days before `to`. */
  from?: string | undefined;
  /** Last day. Default today. */
  to?: string | undefined;
  /** Maximum entries per page. Default 100, range 1–500. */
  limit?: number | undefined;
};

export type GetUsageForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type GetUsageForOrganizationQuery = {
  /** First day. Default 29 days before `to`. */
  from?: string | undefined;
  /** Last day. Default today. */
  to?: string | undefined;
};

export type GetWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type HoldCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type HoldCallBody = {
  /** False plays silence instead of music. Default true. */
  music?: boolean | undefined;
};

export type InitiatePortBody = {
  /** Numbers to port, E.164 with +. 1–100. */
  phone_numbers: string[];
  /** Port-out PIN of the losing carrier, if it requires one. Never returned. */
  pin?: string | undefined;
  /** The account at the losing carrier; it must match the carrier’s records. */
  losing_carrier_information: {
    /** Kind of account at the losing carrier. */
    customer_type: "business" | "personal";
    /** Name of the business on the bill. Required for customer_type business. */
    business_name?: string | undefined;
    /** First name of the authorized representative. */
    first_name: string;
    /** Last name of the authorized representative. */
    last_name: string;
    /** Account number at the losing carrier. Required if a PIN is required. */
    account_number?: string | undefined;
    /** Where the Letter of Authorization is sent for signature. */
    authorized_representative_email: string;
    /** Addresses notified of each change of state. At most 10. */
    notification_emails?: string[] | undefined;
    /** Service address in the records of the losing carrier. */
    address: {
      /** Street and house number. */
      street: string;
      /** Floor, suite or apartment. */
      street2?: string | undefined;
      /** City. */
      city: string;
      /** State or province, written as the losing carrier writes it. */
      state: string;
      /** Postal code. */
      zip: string;
      /** ISO 3166-1 alpha-2 code of the country. */
      country: unknown & unknown;
    };
  };
  /** When the numbers move: at least 7 days ahead, counted in the carrier’s time zone. Default: the earliest day. */
  target_port_date?: string | undefined;
  /** document_sid of bills or invoices with account name and service address. 1–10. */
  documents: string[];
};

export type InviteMemberBody = {
  /** Email address. */
  email: string;
  /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
  role: "owner" | "operator" | "viewer";
};

export type InviteMemberForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type InviteMemberForOrganizationBody = {
  /** Email address. */
  email: string;
  /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
  role: "owner" | "operator" | "viewer";
};

export type JudgeTestRunPath = {
  /** Id of the run. */
  id: string;
};

export type JudgeTestRunBody = Record<string, never> | null;

export type LearnKnowledgeBody = {
  /** Must be text. */
  type?: "text" | undefined;
  /** Its name. */
  name: string;
  /** What the text is about. */
  description?: string | undefined;
  /** The text, at most 1 MB (1,048,576 octets in UTF-8); Markdown headings are understood. */
  text: string;
};

export type ListAgentCredentialsQuery = {
  /** Maximum entries per page. Default 100, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListAgentsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListAlertsQuery = {
  /** E.164 with +, such as +14155550100. */
  phone_number?: string | undefined;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction?: "inbound" | "outbound" | undefined;
  /** Its state. */
  state?: "active" | "recovered" | "closed" | undefined;
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Older name of `after`. */
  before?: string | undefined;
};

export type ListAuditEventsQuery = {
  /** Only of this key or member */
  actor_id?: string | undefined;
  /** Only this action */
  action?: string | undefined;
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListAuditEventsForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type ListAuditEventsForOrganizationQuery = {
  /** Only of this key or member */
  actor_id?: string | undefined;
  /** Only this action */
  action?: string | undefined;
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListBatchesQuery = {
  /** Maximum entries per page. Default 20, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page */
  after?: string | undefined;
};

export type ListCallRecordsQuery = {
  /** Only calls with this part of the caller, the callee or the display name, this part of the Call-ID (at least 8 characters), or exactly this Call-ID, call id or source address. A number may have blanks, brackets and dashes; at least three characters. */
  q?: string | undefined;
  /** Only calls whose trace has this header with these words, such as `X-Tenant: acme`. Words are whole; capitals, order and punctuation do not matter. */
  header?: string | undefined;
  /** fleet: calls of all organizations, and of numbers that none has; operator keys only. */
  scope?: "organization" | "fleet" | undefined;
  /** Only calls of this organization; with scope=fleet. */
  organization_id?: string | undefined;
  /** Only calls of this number of your organization. */
  phone_number?: string | undefined;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction?: "inbound" | "outbound" | undefined;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`. */
  outcome?: "completed" | "cancelled" | "refused" | "failed" | undefined;
  /** audio: only answered calls in which the audio of a side was missing or stopped, or with a MOS below 3.6. any: also failed and refused calls. */
  problem?: "any" | "audio" | undefined;
  /** SIP status of the final response; null: none. */
  sip_code?: number | undefined;
  /** Only those started at this time or later. */
  started_after?: string | undefined;
  /** Only those started before this time. */
  started_before?: string | undefined;
  /** Only calls that ended at that time or later. */
  ended_after?: string | undefined;
  /** Only calls that ended before that time. */
  ended_before?: string | undefined;
  /** Only calls from this caller: a number or a name. */
  from?: string | undefined;
  /** Only calls to this callee: a number or a name. */
  to?: string | undefined;
  /** Only calls with this end reason. */
  end_reason?: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | undefined;
  /** Only calls with this Call-ID header on the trunk's leg. */
  sip_call_id?: string | undefined;
  /** Only calls from or to this address, or this network, such as `198.51.100.0/24`. */
  source_ip?: string | undefined;
  /** Only calls ordered with all of these values: `metadata[campaign]=spring`. Matches text, numbers, true and false. */
  metadata?: Record<string, string> | undefined;
  /** Also count the matching calls of all pages. Default false. */
  include_total?: boolean | undefined;
  /** Maximum entries per page. Default 50, range 1–500. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Older name of `after`. */
  before?: string | undefined;
};

export type ListCallSharesPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type ListCallsQuery = {
  /** Only calls in this state; `active`: all that have not ended. */
  state?: "active" | "queued" | "dialing" | "ringing" | "in_progress" | "ending" | "completed" | "busy" | "no_answer" | "cancelled" | "failed" | "unknown" | undefined;
  /** Only calls with this end reason. */
  end_reason?: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | undefined;
  /** Only calls ordered with all of these values: `metadata[campaign]=spring`. Matches text, numbers, true and false. */
  metadata?: Record<string, string> | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only calls from this number. */
  from_number?: string | undefined;
  /** Only calls to this number. */
  to_number?: string | undefined;
  /** Only those created at this time or later. */
  start_date?: string | undefined;
  /** Only those created before this time. */
  end_date?: string | undefined;
  /** Only calls of this batch */
  batch_id?: string | undefined;
  /** Oldest first. Default false. */
  ascending?: boolean | undefined;
  /** Maximum entries per page. Default 1000, range 1–1000. */
  limit?: number | undefined;
};

export type ListContactCallsPath = {
  /** Id of the contact; ids of contacts merged into it lead to it too. */
  contact_id: string;
};

export type ListContactCallsQuery = {
  /** Maximum entries per page. Default 20, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListContactDeletionsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListContactMergesPath = {
  /** Id of the contact; ids of contacts merged into it lead to it too. */
  contact_id: string;
};

export type ListContactsQuery = {
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only contacts with all of these words: the beginnings of names, email addresses and your ids, the first or last digits of numbers. */
  search?: string | undefined;
};

export type ListDeliveriesQuery = {
  /** A call_id or alert_id */
  subject?: string | undefined;
  /** Only for this endpoint */
  webhook_id?: string | undefined;
  /** Only for this event */
  event_id?: string | undefined;
  /** Only with this event type */
  event?: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped" | "webhook.test" | "alert.test" | "call.lost" | "port.signature_request" | "port.signed_copy" | "agent_test.run_completed" | "agent_test.batch_completed" | "agent_test.simulation_set_completed" | "agent_test.load_test_completed" | undefined;
  /** Only with this status */
  status?: "pending" | "delivered" | "failed" | undefined;
  /** Only by this channel */
  channel?: "email" | "sms" | "webhook" | undefined;
  /** Only created at or after this time */
  created_after?: string | undefined;
  /** Only created before this time */
  created_before?: string | undefined;
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Older name of `after`. */
  before?: string | undefined;
};

export type ListIncidentsQuery = {
  /** fleet: of all organizations and of the service; operator keys only. */
  scope?: "organization" | "fleet" | undefined;
  /** Its state. */
  state?: "open" | "recovered" | undefined;
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListInvitationsQuery = {
  /** Maximum entries per page. Default 100, range 1–500. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListInvitationsForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type ListInvitationsForOrganizationQuery = {
  /** Maximum entries per page. Default 100, range 1–500. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListKeysQuery = {
  /** Maximum entries per page. Default 100, range 1–1000. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListKeysForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type ListKeysForOrganizationQuery = {
  /** Maximum entries per page. Default 100, range 1–1000. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListKnowledgeQuery = {
  /** Maximum entries per page. Default 20, range 1–100. */
  limit?: number | undefined;
  /** Page, from 1. `after` is faster for long lists, and goes before it. */
  page?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListLiveCallsQuery = {
  /** `organization`: yours; `fleet`: all organizations, for operators. Default `organization`. */
  scope?: "organization" | "fleet" | undefined;
};

export type ListLoadTestsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only those in this state. */
  status?: "RUNNING" | "COMPLETED" | "CANCELLED" | "ERROR" | undefined;
};

export type ListMaintenanceWindowsQuery = {
  /** True: only those that are open now */
  open?: boolean | undefined;
  /** Only those that cover this number, its trunk, or all numbers */
  phone_number?: string | undefined;
  /** Maximum entries per page. Default 200, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListMembersQuery = {
  /** Maximum entries per page. Default 100, range 1–500. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListMembersForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type ListMembersForOrganizationQuery = {
  /** Maximum entries per page. Default 100, range 1–500. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListNumbersQuery = {
  /** Maximum entries per page. Default 10000, range 1–10000. */
  limit?: number | undefined;
  /** `next` of the previous page */
  after?: string | undefined;
};

export type ListNumbersOfTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type ListNumbersOfTrunkQuery = {
  /** Maximum entries per page. Default 100, range 1–1000. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListOperatorPortsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Its state. */
  status?: PortStatusInput | undefined;
};

export type ListOrganizationsQuery = {
  /** Part of the name, or the id. */
  q?: string | undefined;
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListPathwayVersionsPath = {
  /** Id of the pathway. */
  id: string;
};

export type ListPathwayVersionsQuery = {
  /** Maximum entries per page. Default 20, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListPathwaysQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListPersonaVersionsPath = {
  /** Id of the persona. */
  id: string;
};

export type ListPersonaVersionsQuery = {
  /** Maximum entries per page. Default 20, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListPersonasQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListPortsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Its state. */
  status?: PortStatusInput | undefined;
};

export type ListSightingsQuery = {
  /** Only those of this number, or of none. */
  phone_number?: string | undefined;
  /** Maximum entries. Default 20, range 1–100. */
  limit?: number | undefined;
};

export type ListSimulationSetsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only those in this state. */
  status?: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED" | undefined;
  /** Only those that this schedule started. */
  schedule_id?: string | undefined;
};

export type ListTestBatchesQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only those in this state. */
  status?: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED" | undefined;
  /** Only those that this has started. */
  trigger_source?: "api" | "dashboard" | "ci" | "gate" | "simulation" | "tornado" | undefined;
};

export type ListTestMonitorsQuery = {
  /** Maximum entries per page. Default 50, range 1–50. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListTestRunsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** Entries to skip. `after` is faster for long lists, and goes before it. */
  offset?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only those of this scenario. */
  scenario_id?: string | undefined;
  /** Only those of this pathway. */
  pathway_id?: string | undefined;
  /** Only those of this persona. */
  persona_id?: string | undefined;
  /** Only those of this batch. */
  batch_id?: string | undefined;
  /** Only those of this simulation set. */
  simulation_set_id?: string | undefined;
  /** Only those of this tornado session. */
  tornado_session_id?: string | undefined;
  /** Only those of this monitor. */
  monitor_id?: string | undefined;
  /** Only those of this load test. */
  load_test_id?: string | undefined;
  /** Only those that judge this real call. */
  call_id?: string | undefined;
  /** Only those in this state. */
  status?: "PENDING" | "RUNNING" | "PASSED" | "FAILED" | "ERROR" | "CANCELLED" | undefined;
};

export type ListTestScenariosQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only those of this pathway. */
  pathway_id?: string | undefined;
  /** Only those of this persona. */
  persona_id?: string | undefined;
  /** Only those of this category. */
  category?: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM" | undefined;
  /** Only enabled ones, or only others. */
  enabled?: boolean | undefined;
};

export type ListTestSchedulesQuery = {
  /** Maximum entries per page. Default 50, range 1–50. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListTestTemplatesQuery = {
  /** Only those of this category. */
  category?: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM" | undefined;
};

export type ListTornadoSessionsQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Only those of this pathway. */
  pathway_id?: string | undefined;
  /** Only those in this state. */
  status?: "RUNNING" | "COMPLETED_ALL_PASSED" | "COMPLETED_PARTIAL" | "TIMEOUT" | "STUCK" | "CANCELLED" | "ERROR" | undefined;
};

export type ListTrunkHealthQuery = {
  /** Only trunks in this state. */
  state?: "unreachable" | "failing" | "degraded" | "unregistered" | undefined;
  /** Maximum entries per page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListTrunksQuery = {
  /** Maximum entries per page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListWebhooksQuery = {
  /** Maximum entries per page. Default 100, range 1–100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
};

export type ListenToCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type LookUpInvitationBody = {
  /** The part of the link after # */
  token: string;
};

export type MergeContactsBody = {
  /** The contact that stays. */
  primary_contact_id: string;
  /** The contact that goes into it. */
  duplicate_contact_id: string;
};

export type MovePortPath = {
  /** Id of the port request. */
  id: string;
};

export type MovePortBody = {
  /** sign: signed on paper; progress: the losing carrier works on it; complete: ported; fail: refused; cancel. */
  move: "sign" | "progress" | "complete" | "fail" | "cancel";
  /** Why; customers read it. */
  reason: string;
  /** Numbers that move. Default: all of the request. */
  phone_numbers?: string[] | undefined;
};

export type ParseCertificatesBody = {
  /** One or more certificates in PEM */
  pem: string;
};

export type ParseDestinationBody = {
  /** A destination in any supported notation. */
  input: string;
};

export type PlayToCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type PlayToCallBody = {
  /** WAV (16-bit linear or G.711, 8 to 192 kHz) or μ-law (`audio/basic`), at most 4 MiB, received within 5 s. `http://` and private addresses require `DEMARC_STREAM_ALLOW_PRIVATE`. */
  url: string;
};

export type PromotePathwayPath = {
  /** Id of the pathway. */
  id: string;
};

export type PromotePathwayBody = {
  /** Number of the version. Default: the draft. */
  version_number?: number | undefined;
} | null;

export type PromotePersonaPath = {
  /** Id of the persona. */
  id: string;
};

export type PromotePersonaBody = Record<string, never> | null;

export type ProveNumbersBody = {
  /** Organization that owns the numbers. */
  organization_id: string;
  /** Numbers, E.164 with +. At most 100. */
  phone_numbers: string[];
};

export type ReadSharedCallBody = {
  /** The part of the link after # */
  token: string;
};

export type RemoveAgentStreamSecretPath = {
  /** Id of the secret */
  secret_id: string;
};

export type RemoveMemberPath = {
  /** member_id of the member */
  member_id: string;
};

export type RemoveMemberForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
  /** member_id of the member */
  member_id: string;
};

export type ReplacePathwayDocumentPath = {
  /** Id of the pathway. */
  id: string;
  /** Number of the version. */
  version_number: string;
};

export type ReplacePathwayDocumentBody = {
  /** What a conversation follows. */
  document: PathwayDocumentInput;
  /** The revision that you changed; if it is no longer the present one, the request is refused. Default: not checked. */
  revision?: number | undefined;
};

export type ReplayDeliveryPath = {
  /** delivery_id of the list */
  delivery_id: string;
};

export type ReplayFailedDeliveriesPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type ReplayFailedDeliveriesBody = {
  /** Only deliveries created at or after this time */
  created_after: string;
  /** Only deliveries created before this time. Default: now */
  created_before?: string | undefined;
  /** Only with this event type */
  event?: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped" | "webhook.test" | "alert.test" | "call.lost" | "port.signature_request" | "port.signed_copy" | "agent_test.run_completed" | "agent_test.batch_completed" | "agent_test.simulation_set_completed" | "agent_test.load_test_completed" | undefined;
};

export type RequestPasswordResetBody = {
  /** Email address. */
  email: string;
};

export type ResendPortSignaturePath = {
  /** Id of the port request. */
  id: string;
};

export type ResolveContactBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number?: string | undefined;
  /** Email address; case is ignored. */
  email?: string | undefined;
  /** Id of the contact in your own system. */
  external_id?: string | undefined;
  /** Its name. */
  name?: string | undefined;
  /** Creates the memory of this persona. */
  persona_id?: string | undefined;
  /** Creates the memory of the agent of this number, E.164 with +. */
  agent_number?: string | undefined;
  /** Your own data; merged into what is there, null removes a field. At most 16384 octets of JSON. */
  metadata?: Record<string, unknown> | undefined;
};

export type ResumeCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type RevokeAgentCredentialPath = {
  /** Id of the credentials of an agent; its digest user name. */
  credential_id: string;
};

export type RevokeCallSharePath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Id of a link to a call. */
  share_id: string;
};

export type RevokeKeyPath = {
  /** Id of an API key. */
  key_id: string;
};

export type RevokeKeyForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
  /** Id of an API key. */
  key_id: string;
};

export type RotateWebhookSecretPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type RunTestBatchBody = {
  /** Scenarios to run, at most 100. */
  scenario_ids: string[];
  /** Version of the pathway or persona. Default: the draft if there is one, else the live version. */
  version_number?: number | undefined;
  /** text or voice. Default: that of each scenario. */
  channel?: "text" | "voice" | undefined;
  /** Replaces single fields of request_data of each scenario. */
  request_data_override?: Record<string, unknown> | undefined;
  /** Gets the batch when all runs have ended, signed. */
  webhook_url?: string | undefined;
  /** Tokens that its runs together may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts. */
  token_budget?: number | undefined;
  /** What its runs together may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts. */
  cost_budget?: number | undefined;
  /** What starts it: api, dashboard or ci. Default api. */
  trigger_source?: "api" | "dashboard" | "ci" | undefined;
};

export type RunTestScenarioPath = {
  /** Id of the scenario. */
  id: string;
};

export type RunTestScenarioBody = {
  /** Version of the pathway or persona. Default: the draft if there is one, else the live version. */
  version_number?: number | undefined;
  /** text or voice. Default: that of the scenario. */
  channel?: "text" | "voice" | undefined;
  /** Ended call of yours to judge with the assertions of the scenario, in place of a conversation. Its agent must have stored messages of it in the memory of a contact. */
  call_id?: string | undefined;
  /** Replaces single fields of request_data of the scenario. */
  request_data_override?: Record<string, unknown> | undefined;
  /** Gets the run when it has ended, signed. */
  webhook_url?: string | undefined;
  /** Tokens that the run may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts. */
  token_budget?: number | undefined;
  /** What the run may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts. */
  cost_budget?: number | undefined;
  /** What starts it: api, dashboard or ci. Default api. */
  trigger_source?: "api" | "dashboard" | "ci" | undefined;
};

export type SearchKnowledgeBody = {
  /** The question, in plain words. */
  query: string;
  /** Knowledge bases to search. Default: all of the organization; with a call token, all of the call. */
  knowledge_base_ids?: string[] | undefined;
  /** Maximum passages. Default 5, range 1–50. */
  limit?: number | undefined;
};

export type SendDigitsPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type SendDigitsBody = {
  /** 0-9, *, #; w waits half a second. 1 to 64 characters. */
  digits: string;
};

export type SetPasswordBody = {
  /** The part of the link after # */
  token: string;
  /** The password, 12–256 characters. */
  password: string;
};

export type SetTestBudgetBody = {
  /** Tokens per day in UTC; null: no limit of your own. */
  tokens_per_day: number | null;
  /** Tokens per month in UTC; null: no limit of your own. */
  tokens_per_month: number | null;
  /** Tokens that one run may take; null (default): no limit. */
  tokens_per_run?: number | null | undefined;
  /** Tokens that the runs of a batch or simulation set together may take; null (default): no limit. */
  tokens_per_set?: number | null | undefined;
  /** Tokens that the runs of a promotion together may take; null (default): no limit. */
  tokens_per_gate?: number | null | undefined;
  /** What all tests of a day (UTC) may cost, in `currency`; null (default): no limit. */
  cost_per_day?: number | null | undefined;
  /** What all tests of a month (UTC) may cost, in `currency`; null (default): no limit. */
  cost_per_month?: number | null | undefined;
  /** What one run may cost, in `currency`; null (default): no limit. */
  cost_per_run?: number | null | undefined;
  /** What the runs of a batch or simulation set together may cost, in `currency`; null (default): no limit. */
  cost_per_set?: number | null | undefined;
  /** What the runs of a promotion together may cost, in `currency`; null (default): no limit. */
  cost_per_gate?: number | null | undefined;
};

export type SetTestLabelsPath = {
  /** Id of the run. */
  id: string;
};

export type SetTestLabelsBody = {
  /** Labels to set, 1–50. Others stay. */
  labels: {
    /** Id of the assertion. */
    assertion_id: string;
    /** Whether it passes in your opinion; null removes the label. */
    passed: boolean | null;
    /** Why; null: no note. */
    note?: string | null | undefined;
  }[];
};

export type SetTestPricesBody = {
  /** Currency of ISO 4217 of these prices and of all budgets in money. The service’s prices count where it is theirs. */
  currency: string;
  /** Prices by model, at most 100: those of the service, and of agents at their own URL. */
  models: TestModelPriceInput[];
};

export type ShareCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type ShareCallBody = {
  /** Hours until the link expires. Default 168, range 1–720. */
  expires_in_hours?: number | undefined;
};

export type SignInBody = {
  /** Email address. */
  email: string;
  /** The password; stored passwords read `[redacted]`. */
  password: string;
};

export type StartDiscoveryBody = {
  /** Host name, address or SIP URI */
  host: string;
  /** Port, 1–65535. */
  port?: number | undefined;
  /** SIP transport: udp, tcp or tls. */
  transport?: "udp" | "tcp" | "tls" | undefined;
  /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
  tls_ca?: string | undefined;
};

export type StartLoadTestBody = {
  /** Scenarios that the callers take in turn, at most 50. */
  scenario_ids: string[];
  /** Callers at once in each step, ascending, at most 20 steps of 1–500. Omit it with maximum_concurrency. */
  concurrency?: number[] | undefined;
  /** Callers at once in the last step, in place of concurrency. */
  maximum_concurrency?: number | undefined;
  /** With maximum_concurrency: how many callers each step adds. Default: a fifth of maximum_concurrency. */
  concurrency_step?: number | undefined;
  /** Callers of each step in all, 1–500: as soon as one ends, the next one begins. Default: twice its concurrency, at least 20. */
  callers_per_step?: number | undefined;
  /** Seconds in which callers of a step begin, 5–600, in place of callers_per_step; at most 500 callers. */
  seconds_per_step?: number | undefined;
  /** Version of the pathway or persona. Default: the draft if there is one, else the live version. */
  version_number?: number | undefined;
  /** text or voice. Default: that of each scenario. */
  channel?: "text" | "voice" | undefined;
  /** The agent breaks at the first step whose success rate is lower with 95 % certainty: the upper end of its Wilson interval is below this. 0.05–1. Default 0.9. */
  required_success_rate?: number | undefined;
  /** The agent also breaks at the first step in which the 95th percentile of its latencies is higher. Default: latencies break nothing. */
  maximum_latency_ms?: number | undefined;
  /** The load test stops after a step with a lower success rate, 0–1; 0 runs all steps. Default: it stops after the step at which the agent breaks. */
  stop_below?: number | undefined;
  /** Gets the load test when it has ended, signed. */
  webhook_url?: string | undefined;
  /** Tokens that its callers together may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts. */
  token_budget?: number | undefined;
  /** What its callers together may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts. */
  cost_budget?: number | undefined;
};

export type StartSimulationSetBody = {
  /** Scenarios to run, at most 50. */
  scenario_ids: string[];
  /** Runs of each scenario, with a matrix of each of its combinations, 1–100. */
  simulations_per_scenario: number;
  /** Pathway of all scenarios. */
  pathway_id?: string | undefined;
  /** Persona of all scenarios. */
  persona_id?: string | undefined;
  /** Version of the pathway or persona. Default: the draft if there is one, else the live version. */
  version_number?: number | undefined;
  /** text or voice. Default: that of each scenario. */
  channel?: "text" | "voice" | undefined;
  /** Fields of the scenarios that are varied. Default: they run as they are. */
  matrix?: {
    /** Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default. */
    fields: Record<string, unknown[]>;
    /** Runs only so many combinations, drawn by seed. Default: all. */
    sample?: number | undefined;
    /** The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1. */
    seed?: number | undefined;
  } | undefined;
  /** Gets the set when all runs have ended, signed. */
  webhook_url?: string | undefined;
  /** Tokens that its runs together may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts. */
  token_budget?: number | undefined;
  /** What its runs together may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts. */
  cost_budget?: number | undefined;
  /** What starts it: api, dashboard or ci. Default api. */
  trigger_source?: "api" | "dashboard" | "ci" | undefined;
};

export type StartTestCallBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
};

export type StartTornadoBody = {
  /** Pathway to improve. */
  pathway_id: string;
  /** Not accepted: scenarios of a persona do not depend on a pathway, so that no fix changes them. */
  persona_id?: string | undefined;
  /** Scenarios that must pass, at most 50. Default: all enabled ones. */
  scenario_ids?: string[] | undefined;
  /** Version of the pathway or persona. Default: the draft if there is one, else the live version. */
  version_number?: number | undefined;
  /** Most iterations. Default 5, range 1–20. */
  max_iterations?: number | undefined;
  /** Runs of each scenario in each iteration. Default 5, range 1–20. */
  runs_per_scenario?: number | undefined;
  /** A scenario passes when the lower end of the 95 % interval of its pass rate reaches it: with 5 runs and 0.5 all must pass. Default 0.5, range 0–0.8. */
  required_pass_rate?: number | undefined;
  /** Milliseconds until the session ends in TIMEOUT. Default 900,000, range 1,000–7,200,000. */
  timeout_ms?: number | undefined;
};

export type StartWarmTransferPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type StartWarmTransferBody = {
  /** An E.164 number with +, or a SIP URI */
  target: string;
};

export type StopBatchPath = {
  /** batch_id of the batch */
  batch_id: string;
};

export type StopBatchBody = {
  /** Also end active calls. Default false */
  end_calls?: boolean | undefined;
};

export type StopCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type StreamEventsQuery = {
  /** `organization`: yours; `fleet`: all organizations, for operators. Default `organization`. */
  scope?: "organization" | "fleet" | undefined;
};

export type SwitchOrganizationBody = {
  /** One of `organizations` */
  organization_id: string;
};

export type TestAlertContactBody = {
  /** True: by email. */
  email?: string | undefined;
  /** E.164 with +, such as +14155550100. */
  phone_number?: string | undefined;
};

export type TestAlertsBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** `inbound`: to the number; `outbound`: from the number. */
  direction: "inbound" | "outbound";
};

export type TestWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type TransferCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type TransferCallBody = {
  /** An E.164 number with +, or a SIP URI */
  target: string;
  /** Overrides the number's setting */
  mode?: "refer" | "bridge" | undefined;
};

export type UndoTornadoFixPath = {
  /** Id of the session. */
  id: string;
  /** Id of the fix. */
  fix_id: string;
};

export type UndoTornadoFixBody = Record<string, never> | null;

export type UpdateAgentPath = {
  /** Id of the agent. */
  agent_id: string;
};

export type UpdateAgentBody = {
  /** Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. */
  tools?: string[] | undefined;
  /** Your data, returned unchanged; null clears it. At most 16384 octets of JSON. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type UpdateAlertPath = {
  /** Id of an alert. */
  alert_id: string;
};

export type UpdateAlertBody = {
  /** True: you handle it; your name, or the key’s, and the time are stored. False: withdraws that. */
  acknowledged?: boolean | undefined;
  /** A note for colleagues, at most 1,000 characters; null clears it. */
  note?: string | null | undefined;
  /** No notices about this alert, its recovery, or new alerts of the same kind for so long. Range 1–10080; null ends it. */
  mute_minutes?: number | null | undefined;
};

export type UpdateAlertContactsBody = {
  /** Email addresses. */
  emails?: string[] | undefined;
  /** Numbers, E.164 with +. */
  phone_numbers?: string[] | undefined;
};

export type UpdateContactPath = {
  /** Id of the contact; ids of contacts merged into it lead to it too. */
  contact_id: string;
};

export type UpdateContactBody = {
  /** Its name. */
  name?: string | undefined;
  /** True: by email. */
  email?: string | null | undefined;
  /** Id of the contact in your own system. */
  external_id?: string | null | undefined;
  /** Your own data; merged into what is there, null removes a field. At most 16384 octets of JSON. */
  metadata?: Record<string, unknown> | undefined;
};

export type UpdateContactMemoryPath = {
  /** Id of the contact; ids of contacts merged into it lead to it too. */
  contact_id: string;
};

export type UpdateContactMemoryBody = ContactMemoryChanges;

export type UpdateDirectionBody = {
  /** E.164 with +, such as +14155550100. */
  phone_number: string;
  /** Fields to change. Omitted fields keep their value; null clears a field. */
  updates: InboundChanges | OutboundChanges;
};

export type UpdateIncidentPath = {
  /** Id of an incident. */
  incident_id: string;
};

export type UpdateIncidentBody = {
  /** True: you handle it; your name, or the key’s, and the time are stored. False: withdraws that. */
  acknowledged?: boolean | undefined;
  /** A note for colleagues, at most 1,000 characters; null clears it. */
  note?: string | null | undefined;
};

export type UpdateKnowledgePath = {
  /** Id of the knowledge base: a UUID, or a `KB-…` id of an earlier system. */
  id: string;
};

export type UpdateKnowledgeBody = {
  /** Its name. */
  name?: string | undefined;
  /** What the text is about; null clears it. */
  description?: string | null | undefined;
};

export type UpdateMaintenanceWindowPath = {
  /** window_id of the window */
  window_id: string;
};

export type UpdateMaintenanceWindowBody = {
  /** Name of the planned work, 1–100 characters */
  name?: string | undefined;
  /** Only this number; null: not limited to a number */
  phone_number?: string | null | undefined;
  /** Only numbers of this shared trunk; null: not limited to a trunk */
  trunk_id?: string | null | undefined;
  /** Kinds of alerts that are not sent. Default all */
  kinds?: ("unreachable" | "failure_rate" | "response_time")[] | undefined;
  /** IANA time zone of the schedule */
  time_zone?: string | undefined;
  /** When the window is open */
  schedule?: {
    /** One time */
    type: "once";
    /** ISO 8601; without offset in `time_zone` */
    starts_at: string;
    /** ISO 8601; without offset in `time_zone`. At most 30 days later */
    ends_at: string;
  } | {
    /** Every week */
    type: "weekly";
    /** Days on which it starts */
    weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
    /** HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts */
    start_time: string;
    /** Elapsed minutes. Range 1–1440 */
    duration_minutes: number;
  } | undefined;
  /** False: the window is ignored. Default true */
  enabled?: boolean | undefined;
};

export type UpdateMemberPath = {
  /** member_id of the member */
  member_id: string;
};

export type UpdateMemberBody = {
  /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
  role: "owner" | "operator" | "viewer";
};

export type UpdateMemberForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
  /** member_id of the member */
  member_id: string;
};

export type UpdateMemberForOrganizationBody = {
  /** `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything. */
  role: "owner" | "operator" | "viewer";
};

export type UpdateNumbersBody = {
  /** Fields to change. Omitted fields keep their value; null clears a field. */
  updates: InboundChanges | OutboundChanges;
  /** Your numbers, E.164 with +. At most 100. */
  phone_numbers: string[];
};

export type UpdateOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
};

export type UpdateOrganizationBody = {
  /** With the SIP entitlement. */
  sip_enabled?: boolean | undefined;
  /** Limits in place of those of the service. */
  limits?: {
    /** Concurrent calls on all edges together, 1–100,000; null: `DEMARC_ORGANIZATION_MAX_CALLS`. */
    concurrent_calls?: number | null | undefined;
    /** New calls per second, 1–10,000; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`. */
    calls_per_second?: number | null | undefined;
    /** Days that call records are kept, 1–36500, no longer than `DEMARC_CALL_RETENTION_DAYS`; null: as long. A lower value deletes older records within the hour. */
    call_retention_days?: number | null | undefined;
    /** Minutes of answered calls a calendar month (UTC). Calls above it are not refused; alert contacts are notified at 80 %. Null: none. */
    minutes_per_month?: number | null | undefined;
  } | undefined;
};

export type UpdatePathwayPath = {
  /** Id of the pathway. */
  id: string;
};

export type UpdatePathwayBody = {
  /** Its name, at most 200 characters. */
  name?: string | undefined;
  /** Free text; null clears it. */
  description?: string | null | undefined;
  /** What a conversation follows. */
  document?: PathwayDocumentInput | undefined;
  /** The revision that you changed; if it is no longer the present one, the request is refused. Default: not checked. */
  revision?: number | undefined;
};

export type UpdatePersonaPath = {
  /** Id of the persona. */
  id: string;
};

export type UpdatePersonaBody = {
  /** Its name, at most 200 characters. */
  name?: string | undefined;
  /** Its role, free text; null clears it. */
  role?: string | null | undefined;
  /** Free text; null clears it. */
  description?: string | null | undefined;
  /** Your labels, at most 50. */
  tags?: string[] | undefined;
  /** Your data, returned unchanged; null clears it. At most 16384 octets of JSON. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Knowledge bases that the agent of a call may search, at most 50. UUIDs; `KB-…` ids of an earlier system are stored as the UUIDs that they resolve to. */
  kb_ids?: string[] | undefined;
  /** What the agent does in a call; null clears it. */
  orchestration_prompt?: string | null | undefined;
  /** How the agent speaks; null clears it. */
  personality_prompt?: string | null | undefined;
  /** Agent of its calls, in place of the agent of the number: a SIP URI, a wss:// URL, or an object for a WebSocket server, whose omitted headers keep their values; null clears it. */
  agent?: string | WebSocketAgent | null | undefined;
  /** Pathway that the calls of the persona follow, which needs a live version unless `pathway_version` names one; null clears it. A number’s own pathway takes precedence. */
  pathway_id?: string | null | undefined;
  /** Number of the pathway’s version, also of a draft or fork, which no gate has tested; null: the version that is live when a call begins. */
  pathway_version?: number | null | undefined;
  /** Voice that the agent speaks with, passed on to it unchecked as `X-Demarc-Voice`; null clears it. */
  voice?: string | null | undefined;
};

export type UpdateTestMonitorPath = {
  /** Id of the monitor. */
  id: string;
};

export type UpdateTestMonitorBody = {
  /** Name in the dashboard and in alerts, 1–100 characters. */
  name?: string | undefined;
  /** Share of the answered calls that is judged, above 0, at most 1. Default 0.1. */
  share?: number | undefined;
  /** It fails when the upper end of the 95 % interval of the latest calls is below this rate, above 0, at most 1. Default 0.8. */
  required_pass_rate?: number | undefined;
  /** Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true. */
  notify_contacts?: boolean | undefined;
  /** False: it is paused. Default true. */
  enabled?: boolean | undefined;
};

export type UpdateTestScenarioPath = {
  /** Id of the scenario. */
  id: string;
};

export type UpdateTestScenarioBody = {
  /** Its name, at most 200 characters, unique among the scenarios of its target. */
  name?: string | undefined;
  /** Agent under test; only for scenarios that have one. */
  agent?: {
    /** Base URL of an OpenAI-compatible interface, to which `/chat/completions` is added; for runs by text. */
    url?: string | undefined;
    /** Name that requests send as `model`. Default agent. */
    model?: string | undefined;
    /** Sent as bearer token; never returned. Omit it to keep the stored one. */
    api_key?: string | undefined;
    /** SIP URI that is called; for runs by voice. */
    sip_uri?: string | undefined;
  } | undefined;
  /** Free text; null: none. */
  description?: string | null | undefined;
  /** Kind of caller. Default CUSTOM. */
  category?: "CUSTOM" | "VOICEMAIL" | "VOICEMAIL_SCREENER" | "ANGRY_CALLER" | "BELLIGERENT_CALLER" | "CONFUSED_CALLER" | "CALL_SCREENER" | "HAPPY_PATH" | "EDGE_CASE" | "RED_TEAM" | undefined;
  /** AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT. */
  scenario_type?: "AGENT" | "REPLAY" | "HISTORICAL" | undefined;
  /** How it is run unless the run says otherwise: text or voice (a real call). Default text. */
  channel?: "text" | "voice" | undefined;
  /** How the simulated caller behaves and what it wants; required with AGENT. */
  tester_persona_prompt?: string | undefined;
  /** Name of the simulated caller; null: none. */
  tester_persona_name?: string | null | undefined;
  /** Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL. */
  first_speaker?: "agent" | "caller" | null | undefined;
  /** Most turns of the caller. Default 20, range 1–50. */
  max_turns?: number | undefined;
  /** Variables that the conversation begins with, as in `request_data` of a call. */
  request_data?: Record<string, unknown> | undefined;
  /** Node that the conversation begins at; null: the start node of the pathway. */
  start_node_id?: string | null | undefined;
  /** Whether runs get a tone score. Default false. */
  service_tone_enabled?: boolean | undefined;
  /** Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false. */
  is_required_for_promotion?: boolean | undefined;
  /** How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50. */
  promotion_runs?: number | undefined;
  /** Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95. */
  required_pass_rate?: number | undefined;
  /** False: gates and tornado skip it. Default true. */
  enabled?: boolean | undefined;
  /** Recorded conversation for REPLAY and HISTORICAL, at most 200 lines. */
  input_messages?: TestChatLineInput[] | undefined;
  /** Further instructions for the simulated caller; null: none. */
  advanced_instructions?: string | null | undefined;
  /** Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used. */
  webhook_mocks?: TestWebhookMockInput[] | undefined;
  /** How it is run as a call; null: the defaults. */
  voice?: TestVoiceSettingsInput | null | undefined;
  /** Your data, returned unchanged. */
  metadata?: Record<string, unknown> | undefined;
  /** What must hold after the conversation, at most 50. */
  assertions?: ({
    /** Type of the assertion. */
    type: "LLM_JUDGE";
    /** What is checked, by type. */
    config: {
      /** What the judge is asked about the conversation. */
      prompt: string;
      /** When each verdict is to be given. Default: as the question says. */
      rubric?: string | undefined;
      /** Conversations with the right verdict, at most 10. Default: none. */
      examples?: {
        /** What was said, or the part that decides. */
        conversation: string;
        /** The right verdict on it. */
        verdict: string;
        /** Why. Default: none. */
        reasoning?: string | undefined;
      }[] | undefined;
      /** boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean. */
      output_type?: "boolean" | "score" | "categorical" | undefined;
      /** With boolean: whether true passes. Default true. */
      pass_on_true?: boolean | undefined;
      /** With score: the lowest that passes. Default 0.7. */
      threshold?: number | undefined;
      /** With categorical: the possible answers, 2–20. */
      categories?: string[] | undefined;
      /** With categorical: the answers that pass; some of categories. */
      passing_categories?: string[] | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "SERVICE_TONE";
    /** What is checked, by type. */
    config: {
      /** Lowest overall tone score that passes. Default 0.7. */
      threshold?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "VARIABLE_EXTRACTED";
    /** What is checked, by type. */
    config: {
      /** Variable that must have been extracted. */
      variable_name: string;
      /** Value that it must have; absent: any but an empty one. */
      expected_value?: string | number | boolean | undefined;
      /** How the value is compared as text; contains ignores case; regex: expected_value is an RE2 pattern. Default case_insensitive. */
      match?: "exact" | "case_insensitive" | "contains" | "regex" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "NODE_REACHED";
    /** What is checked, by type. */
    config: {
      /** Node that the conversation must visit. */
      node_id: string;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "NODES_VISITED";
    /** What is checked, by type. */
    config: {
      /** Nodes of the pathway, at most 200. */
      node_ids: string[];
      /** Whether all of them must be visited, or any one. Default all. */
      mode?: "all" | "any" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "WEBHOOK_TRIGGERED";
    /** What is checked, by type. */
    config: {
      /** Only webhooks whose URL contains this text. Absent: any. */
      url?: string | undefined;
      /** Only webhooks of this node. Absent: any. */
      node_id?: string | undefined;
      /** Fewest calls of the webhook. Default 1. */
      min_count?: number | undefined;
      /** True: only calls that got a 2xx answer count. Default false. */
      must_succeed?: boolean | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "REGEX_MATCH";
    /** What is checked, by type. */
    config: {
      /** Regular expression in RE2 syntax: no look-around, no back-references; at most 10,000 instructions, which repetition counts multiply. */
      pattern: string;
      /** i: ignore case; m: ^ and $ match at lines; s: the dot matches line ends. Default none. */
      flags?: string | undefined;
      /** Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript. */
      target?: "transcript" | "agent" | "caller" | "variable" | undefined;
      /** Required when target is variable. */
      variable_name?: string | undefined;
      /** False: passes when nothing matches. Default true. */
      must_match?: boolean | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "STRING_CHECK";
    /** What is checked, by type. */
    config: {
      /** Text to compare with. */
      value: string;
      /** How the text is compared. Default contains. */
      operator?: "equals" | "contains" | "not_contains" | undefined;
      /** Whether upper and lower case differ. Default false. */
      case_sensitive?: boolean | undefined;
      /** Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript. */
      target?: "transcript" | "agent" | "caller" | "variable" | undefined;
      /** Required when target is variable. */
      variable_name?: string | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "CUSTOM_LLM";
    /** What is checked, by type. */
    config: {
      /** System prompt of the evaluating model. */
      system_prompt: string;
      /** Model at the judge endpoint. Default: the configured judge. */
      model?: string | undefined;
      /** Temperature of the model, 0–2. Default 0. */
      temperature?: number | undefined;
      /** boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean. */
      output_type?: "boolean" | "score" | "categorical" | undefined;
      /** With boolean: whether true passes. Default true. */
      pass_on_true?: boolean | undefined;
      /** With score: the lowest that passes. Default 0.7. */
      threshold?: number | undefined;
      /** With categorical: the possible answers, 2–20. */
      categories?: string[] | undefined;
      /** With categorical: the answers that pass; some of categories. */
      passing_categories?: string[] | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "TRAVERSAL_MATCH";
    /** What is checked, by type. */
    config: {
      /** Nodes in the expected order, at most 500. */
      reference_path: string[];
      /** exact: other nodes between them lower the score; subsequence: they do not. Default exact. */
      mode?: "exact" | "subsequence" | undefined;
      /** Lowest score that passes, from the longest common subsequence (LCS) of both paths: exact 2·LCS ÷ (lengths together), subsequence LCS ÷ length of the reference. Default 1. */
      threshold?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "VOICE_METRIC";
    /** What is checked, by type. */
    config: {
      /** What was measured in the call. */
      metric: "first_audio_ms" | "mean_latency_ms" | "p50_latency_ms" | "p95_latency_ms" | "maximum_latency_ms" | "unanswered_turns" | "interruptions" | "barge_in_stop_ms" | "longest_silence_ms" | "silence_share" | "talk_over_ms" | "talk_over_share" | "agent_talk_share" | "agent_words_per_minute" | "agent_loudness_dbov" | "packets_lost" | "jitter_ms";
      /** Lowest value that passes. */
      minimum?: number | undefined;
      /** Highest value that passes. */
      maximum?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "TOOL_CALLED";
    /** What is checked, by type. */
    config: {
      /** Only calls of this webhook node, or of the tool of this name that an agent asks for or reports. Absent: any. */
      node_id?: string | undefined;
      /** Only calls whose URL contains this text. Absent: any. */
      url?: string | undefined;
      /** What must hold for the arguments of a call so that it counts, at most 50. Default: nothing. */
      arguments?: TestArgument[] | undefined;
      /** Only calls after this turn of the caller; 0: also before its first. Default 0. */
      from_turn?: number | undefined;
      /** Only calls until the answer to this turn of the caller. Default: to the end. */
      to_turn?: number | undefined;
      /** True: only calls that got a 2xx answer count. Default false. */
      must_succeed?: boolean | undefined;
      /** Fewest calls that count. Default 1. */
      min_count?: number | undefined;
      /** Most calls that count; 0 with min_count 0: none may. Default: no limit. */
      max_count?: number | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "TOOL_ORDER";
    /** What is checked, by type. */
    config: {
      /** Webhook nodes, or names of tools that an agent asks for or reports, in the order of their calls, at most 100. */
      node_ids: string[];
      /** subsequence: other calls may come between them; exact: these calls and no others. Default subsequence. */
      mode?: "subsequence" | "exact" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "PHRASES";
    /** What is checked, by type. */
    config: {
      /** Phrases that must be said, at most 50. Case, punctuation and spaces do not matter. */
      required?: string[] | undefined;
      /** Phrases that must not be said, at most 50. */
      forbidden?: string[] | undefined;
      /** Whose lines are read; transcript: both. Default agent. */
      target?: "agent" | "caller" | "transcript" | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "LATENCY";
    /** What is checked, by type. */
    config: {
      /** Percentile of the latencies, 1–100; 100: the highest. Default 95. */
      percentile?: number | undefined;
      /** Highest value of it that passes, in milliseconds. */
      maximum_ms: number;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  } | {
    /** Type of the assertion. */
    type: "CALL_OUTCOME";
    /** What is checked, by type. */
    config: {
      /** Who must end the conversation, as in `ending` of a run. Default any. */
      ended_by?: "any" | "agent" | "caller" | "test" | undefined;
      /** Whether the agent must transfer the caller, or must not. Default any. */
      transfer?: "any" | "required" | "none" | undefined;
      /** Number or SIP URI that the caller must be transferred to. Default: any. */
      transfer_to?: string | undefined;
    };
    /** Its name in results; null: none. */
    name?: string | null | undefined;
    /** Whether the run fails when the assertion fails. Default true. */
    is_required?: boolean | undefined;
    /** Its weight in the overall score, 0–100. Default 1. */
    weight?: number | undefined;
    /** Id of the assertion, to keep it in a changed list. Default: a new one. */
    id?: string | undefined;
    /** Its position among the others. Default: that in the list. */
    order?: number | undefined;
  })[] | undefined;
};

export type UpdateTestSchedulePath = {
  /** Id of the schedule. */
  id: string;
};

export type UpdateTestScheduleBody = {
  /** Name in the dashboard and in alerts, 1–100 characters. */
  name?: string | undefined;
  /** Scenarios to run, at most 50. */
  scenario_ids?: string[] | undefined;
  /** Runs of each scenario, with a matrix of each of its combinations, 1–100. */
  simulations_per_scenario?: number | undefined;
  /** Version of the pathways or personas that runs test: `live`, or `draft`: the draft if there is one, else the live version. Default live. */
  version?: "live" | "draft" | undefined;
  /** text or voice; null: that of each scenario. Default null. */
  channel?: "text" | "voice" | null | undefined;
  /** Fields of the scenarios that are varied; null: they run as they are. Default null. */
  matrix?: {
    /** Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default. */
    fields: Record<string, unknown[]>;
    /** Runs only so many combinations, drawn by seed. Default: all. */
    sample?: number | undefined;
    /** The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1. */
    seed?: number | undefined;
  } | null | undefined;
  /** When its runs are started. */
  recurrence?: {
    /** At regular intervals */
    type: "interval";
    /** Minutes between two starts. Range 15–10080. */
    minutes: number;
  } | {
    /** Once a day */
    type: "daily";
    /** HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts. */
    time: string;
    /** IANA time zone of `time`. */
    time_zone: string;
  } | undefined;
  /** Share of the runs of each scenario that must pass, above 0, at most 1; runs that could not be judged do not count. Default 0.8. */
  required_pass_rate?: number | undefined;
  /** Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true. */
  notify_contacts?: boolean | undefined;
  /** What all its runs of a period may take. Once it is used up, no runs are started until the period ends, and the schedule is `failing`; runs in progress end in ERROR. Null (default): none. */
  budget?: {
    /** Period in UTC, a week from Monday. Default month. */
    period?: "day" | "week" | "month" | undefined;
    /** Tokens that its runs of a period may take; null (default): no limit. */
    tokens?: number | null | undefined;
    /** What its runs of a period may cost, in the currency of your organization; null (default): no limit. */
    cost?: number | null | undefined;
  } | null | undefined;
  /** False: it is paused. Default true. */
  enabled?: boolean | undefined;
};

export type UpdateTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type UpdateTrunkBody = {
  /** Free text, at most 200 characters */
  name?: string | undefined;
  /** As in POST /v1/sip/attach. In a PATCH the list replaces the current one; a password sent as [redacted] keeps its value */
  directions?: (InboundDirection | OutboundDirection)[] | undefined;
  /** Codecs, alerts, limits and transfers of calls to the numbers; null clears a section */
  inbound?: {
    /** Codecs of the direction; null: the default ones. */
    codec_config?: CodecSettings | null | undefined;
    /** Thresholds and channels of alerts; null: not configured. */
    alert_config?: AlertSettings | null | undefined;
    /** Demarc extension */
    limits?: {
      /** Maximum concurrent calls of the number, both directions together. */
      concurrent_calls?: number | undefined;
      /** Maximum new calls per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** Demarc extension */
    transfer_config?: {
      /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Allowed transfer targets: prefixes of E.164 numbers, and hosts. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
  /** Failover, codecs, alerts, limits and transfers of calls from the numbers; null clears a section */
  outbound?: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config?: FailoverSettings | null | undefined;
    /** Codecs of the direction; null: the default ones. */
    codec_config?: CodecSettings | null | undefined;
    /** Thresholds and channels of alerts; null: not configured. */
    alert_config?: AlertSettings | null | undefined;
    /** Demarc extension */
    limits?: {
      /** Maximum concurrent calls of the number, both directions together. */
      concurrent_calls?: number | undefined;
      /** Maximum new calls per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** Demarc extension */
    transfer_config?: {
      /** `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Allowed transfer targets: prefixes of E.164 numbers, and hosts. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
};

export type UpdateWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type UpdateWebhookBody = {
  /** URL that receives the events */
  url?: string | undefined;
  /** Free text, at most 200 characters */
  description?: string | undefined;
  /** Events to send: types, areas (call.*), or * for all. Default * */
  events?: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "usage.*" | "persona.*" | "pathway.*" | "agent_test.*" | "webhook.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "usage.near_limit" | "persona.promoted" | "pathway.promoted" | "agent_test.schedule_failed" | "agent_test.schedule_recovered" | "agent_test.monitor_failed" | "agent_test.monitor_recovered" | "webhook.paused" | "webhook.resumed" | "webhook.deliveries_dropped")[] | undefined;
  /** True also enables an endpoint that was disabled because of failures */
  enabled?: boolean | undefined;
};

export type UploadPortDocumentBody = {
  /** The document. */
  file: Blob;
};

export type WithdrawInvitationPath = {
  /** invitation_id of the invitation */
  invitation_id: string;
};

export type WithdrawInvitationForOrganizationPath = {
  /** organization_id of the organization */
  organization_id: string;
  /** invitation_id of the invitation */
  invitation_id: string;
};

/** The body of a webhook, by its `event`. */
export type WebhookNotification =
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "call.initiated"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "call.ringing"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "call.answered"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "call.completed"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "call.failed"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "trunk.unreachable"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "trunk.recovered"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "registration.registered"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "registration.failed"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "alert.fired"; data: Alert })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "alert.recovered"; data: Alert })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "port.waiting_for_signature"; data: PortRequest })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "port.submitted"; data: PortRequest })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "port.in_progress"; data: PortRequest })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "port.completed"; data: PortRequest })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "port.failed"; data: PortRequest })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "port.canceled"; data: PortRequest })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "usage.near_limit"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "persona.promoted"; data: PersonaVersion })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "pathway.promoted"; data: PathwayVersionSummary })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "agent_test.schedule_failed"; data: TestSchedule })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "agent_test.schedule_recovered"; data: TestSchedule })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "agent_test.monitor_failed"; data: TestMonitor })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "agent_test.monitor_recovered"; data: TestMonitor })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "webhook.paused"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "webhook.resumed"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "webhook.deliveries_dropped"; data: Record<string, unknown> })
  | (Omit<WebhookEvent, 'event' | 'data'> & { event: "webhook.test"; data: Record<string, unknown> });

/** The API, a method for each operation. Methods reject with `DemarcError`. */
export class Operations extends Requests {
  /** Accept an invitation. Uses up the link, creates the account or adds the organization to an existing one (whose password is then required), and signs in. */
  acceptInvitation(body: AcceptInvitationBody, options: CallOptions = {}): Promise<AcceptInvitationAnswer> {
    return this.json('POST', '/v1/invitations/accept', { body, ...options });
  }

  /** Add values to the record of an active call. Works for any active call. The values become part of `agent_metadata` of the call’s record and of `call.completed`, as if the agent had set them; a value replaces an earlier one of the same name. At most 50 names, 8,000 octets together. */
  addAgentMetadata(path: AddAgentMetadataPath, body: AddAgentMetadataBody, options: CallOptions = {}): Promise<AddAgentMetadataAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/agent-metadata', { path, body, ...options });
  }

  /** Analyze a failed test run. Asks the judging model why the run failed and what to change. The answer is stored: a second request returns the same. */
  analyzeTestRun(path: AnalyzeTestRunPath, body: AnalyzeTestRunBody = {}, options: CallOptions = {}): Promise<AnalyzeTestRunAnswer> {
    return this.json('POST', '/v1/agent-testing/runs/{id}/analyze', { path, body, ...options });
  }

  /** Attach numbers. Gives numbers their SIP configurations. A configuration for the same server (outbound) or the same callers (inbound) is replaced, any other is added, at most 10 per number. Repeating a request changes nothing. */
  attachNumbers(body: AttachNumbersBody, options: CallOptions = {}): Promise<AttachNumbersAnswer> {
    return this.json('POST', '/v1/sip/attach', { body, ...options });
  }

  /** Attach numbers to a shared trunk. Replaces a number’s own configurations or its former trunk in one step. Remove numbers with POST /v1/sip/detach. */
  attachNumbersToTrunk(path: AttachNumbersToTrunkPath, body: AttachNumbersToTrunkBody, options: CallOptions = {}): Promise<AttachNumbersToTrunkAnswer> {
    return this.json('POST', '/v1/trunks/{trunk_id}/numbers', { path, body, ...options });
  }

  /** Let calls to numbers follow a pathway. All of them or none. The numbers must have an inbound direction; a number of another pathway moves to this one. The agent of the next call gets the version; before the first promotion, none, unless you name one. */
  attachPathwayNumbers(path: AttachPathwayNumbersPath, body: AttachPathwayNumbersBody, options: CallOptions = {}): Promise<AttachPathwayNumbersAnswer> {
    return this.json('POST', '/v1/pathways/{id}/inbound/attach', { path, body, ...options });
  }

  /** Let a persona answer numbers. All of them or none. The numbers must have an inbound direction; a number of another persona moves to this one. The next call to them gets the live version; before the first promotion, none. */
  attachPersonaNumbers(path: AttachPersonaNumbersPath, body: AttachPersonaNumbersBody, options: CallOptions = {}): Promise<AttachPersonaNumbersAnswer> {
    return this.json('POST', '/v1/personas/{id}/inbound/attach', { path, body, ...options });
  }

  /** Cancel a load test. No more callers begin, and those in a conversation stop within a second. The figures of what has ended stay. */
  cancelLoadTest(path: CancelLoadTestPath, body: CancelLoadTestBody = {}, options: CallOptions = {}): Promise<CancelLoadTestAnswer> {
    return this.json('POST', '/v1/agent-testing/load-tests/{id}/cancel', { path, body, ...options });
  }

  /** Cancel a port request. Allowed in any state before completed. Numbers that were ported already stay ported. Canceling again changes nothing. */
  cancelPort(path: CancelPortPath, options: CallOptions = {}): Promise<CancelPortAnswer> {
    return this.json('DELETE', '/v1/sip/port/{id}', { path, ...options });
  }

  /** Cancel a simulation set. Cancels those of its runs that have not ended; the statistics keep those that have. */
  cancelSimulationSet(path: CancelSimulationSetPath, body: CancelSimulationSetBody = {}, options: CallOptions = {}): Promise<CancelSimulationSetAnswer> {
    return this.json('POST', '/v1/agent-testing/simulation-sets/{id}/cancel', { path, body, ...options });
  }

  /** Cancel a test batch. Cancels those of its runs that have not ended. */
  cancelTestBatch(path: CancelTestBatchPath, body: CancelTestBatchBody = {}, options: CallOptions = {}): Promise<CancelTestBatchAnswer> {
    return this.json('POST', '/v1/agent-testing/batches/{id}/cancel', { path, body, ...options });
  }

  /** Cancel a test run. Pending or running; a conversation in progress stops within a second. What was said so far stays. */
  cancelTestRun(path: CancelTestRunPath, body: CancelTestRunBody = {}, options: CallOptions = {}): Promise<CancelTestRunAnswer> {
    return this.json('POST', '/v1/agent-testing/runs/{id}/cancel', { path, body, ...options });
  }

  /** Cancel a tornado session. Its runs are cancelled too; the fork stays. A session that has ended stays as it is. */
  cancelTornado(path: CancelTornadoPath, body: CancelTornadoBody = {}, options: CallOptions = {}): Promise<CancelTornadoAnswer> {
    return this.json('POST', '/v1/agent-testing/tornado/{id}/cancel', { path, body, ...options });
  }

  /** Cancel a warm transfer. Hangs up on the target, or stops calling it, and connects the caller or callee with the agent again. 409 if no warm transfer is in progress. */
  cancelWarmTransfer(path: CancelWarmTransferPath, options: CallOptions = {}): Promise<CancelWarmTransferAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/warm-transfer/cancel', { path, ...options });
  }

  /** Change your password. Ends all other sessions of the person. This session gets a new cookie. */
  changePassword(body: ChangePasswordBody, options: CallOptions = {}): Promise<ChangePasswordAnswer> {
    return this.json('PUT', '/v1/session/password', { body, ...options });
  }

  /** Answer a question from a knowledge base. Finds passages for the last message and lets the language model answer from them alone. Without a language model, or when it fails, `response` is null and `note` says why. */
  chatWithKnowledge(body: ChatWithKnowledgeBody, options: CallOptions = {}): Promise<ChatWithKnowledgeAnswer> {
    return this.json('POST', '/v1/knowledge/chat', { body, ...options });
  }

  /** Check whether a number can be attached. Changes nothing. While the service requires proof of ownership, an unconfirmed number is `proof_required`, whether or not another organization has it. */
  checkNumber(query: CheckNumberQuery, options: CallOptions = {}): Promise<CheckNumberAnswer> {
    return this.json('GET', '/v1/sip/numbers/check', { query, ...options });
  }

  /** Check whether numbers can be ported. Asks the carrier about each number; without a carrier’s API, the numbering plan, as `source` says. */
  checkPortability(query: CheckPortabilityQuery, options: CallOptions = {}): Promise<CheckPortabilityAnswer> {
    return this.json('GET', '/v1/sip/port/check', { query, ...options });
  }

  /** Clone a scenario template. Creates a scenario from the template, for one pathway, persona or agent. You can change the scenario afterwards. */
  cloneTestTemplate(path: CloneTestTemplatePath, body: CloneTestTemplateBody = {}, options: CallOptions = {}): Promise<CloneTestTemplateAnswer> {
    return this.json('POST', '/v1/agent-testing/templates/{id}/clone', { path, body, ...options });
  }

  /** Compare two versions of a pathway. The changes that lead from the version in `from` to this one, by node, edge and field. */
  comparePathwayVersions(path: ComparePathwayVersionsPath, query: ComparePathwayVersionsQuery, options: CallOptions = {}): Promise<ComparePathwayVersionsAnswer> {
    return this.json('GET', '/v1/pathways/{id}/versions/{version_number}/diff', { path, query, ...options });
  }

  /** Compare two simulation sets. Says of each scenario that both sets have whether the set passes more often than the other one, and how sure that is: run the same scenarios with two versions or models. */
  compareSimulationSets(path: CompareSimulationSetsPath, query: CompareSimulationSetsQuery, options: CallOptions = {}): Promise<CompareSimulationSetsAnswer> {
    return this.json('GET', '/v1/agent-testing/simulation-sets/{id}/comparison', { path, query, ...options });
  }

  /** Complete a warm transfer. Connects the caller or callee with the target, and ends the agent’s leg. Returns when they are connected. 409 while the target has not answered, and after a transfer that failed, with the reason. 502 if one of them refuses; the caller then returns to the agent. */
  completeWarmTransfer(path: CompleteWarmTransferPath, options: CallOptions = {}): Promise<CompleteWarmTransferAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/warm-transfer/complete', { path, ...options });
  }

  /** Change failover, codecs, alerts, limits or transfers of a direction. Applies to all configurations of the direction. Sections you include replace the current value; null removes a section. */
  configureDirection(body: ConfigureDirectionBody, options: CallOptions = {}): Promise<ConfigureDirectionAnswer> {
    return this.json('PATCH', '/v1/sip/config', { body, ...options });
  }

  /** Create a web agent. Stores a list of knowledge bases and tools under an id, for programs that keep it here. Demarc does not run web agents: no call, search or token uses the list, and GET returns it. Agents of calls get theirs from personas, pathways and orders. At most 1000 per organization. */
  createAgent(body: CreateAgentBody = {}, options: CallOptions = {}): Promise<CreateAgentAnswer> {
    return this.json('POST', '/v1/agents', { body, ...options });
  }

  /** Create credentials for an agent. Digest credentials for agents that place calls by INVITE: each INVITE is challenged and needs credentials of the organization that owns the number in From. The password is returned only once. At most 20 per organization. */
  createAgentCredential(body: CreateAgentCredentialBody = {}, options: CallOptions = {}): Promise<CreateAgentCredentialAnswer> {
    return this.json('POST', '/v1/sip/agent-credentials', { body, ...options });
  }

  /** Create or rotate the signing secret of WebSocket agents. Handshakes with WebSocket agents are signed with the new secret, and with the one before it until that is removed or the secret is rotated again. The secret is returned only once. */
  createAgentStreamSecret(options: CallOptions = {}): Promise<CreateAgentStreamSecretAnswer> {
    return this.json('POST', '/v1/agent-streams/signing-secrets', { ...options });
  }

  /** Order a batch of calls. At most 1000 calls from one of your numbers, stored together or not at all. They are dialled in order, as fast as the number’s limits allow, each at most once. Fields of a call override those of the batch. */
  createBatch(body: CreateBatchBody, options: CallOptions = {}): Promise<CreateBatchAnswer> {
    return this.json('POST', '/v1/calls/batch', { body, ...options });
  }

  /** Place a call. Calls a phone number from one of your numbers. Returns once the order is stored. One edge dials it, at most once, when the number’s limits allow; it is given up if no edge takes it within a minute, or if it waits too long in the queue. Only after `CALLS_UNAVAILABLE` the order may have been stored anyway: retry with the same `Idempotency-Key`. */
  createCall(body: CreateCallBody, options: CallOptions = {}): Promise<CreateCallAnswer> {
    return this.json('POST', '/v1/calls', { body, ...options });
  }

  /** Create an API key. The key itself is returned only this once. It cannot have more rights or a later expiry than the requesting key. Operator keys are created only on the command line. */
  createKey(body: CreateKeyBody, options: CallOptions = {}): Promise<CreateKeyAnswer> {
    return this.json('POST', '/v1/keys', { body, ...options });
  }

  /** Create an API key. For operators only. The key itself is returned only this once. It cannot have more rights or a later expiry than the requesting key. Operator keys are created only on the command line. */
  createKeyForOrganization(path: CreateKeyForOrganizationPath, body: CreateKeyForOrganizationBody, options: CallOptions = {}): Promise<CreateKeyForOrganizationAnswer> {
    return this.json('POST', '/v1/operator/organizations/{organization_id}/keys', { path, body, ...options });
  }

  /** Create a maintenance window. While it is open, alerts of its kinds are recorded but not sent. An alert that persists after it is sent then. For one number, the numbers of one shared trunk, or all numbers. */
  createMaintenanceWindow(body: CreateMaintenanceWindowBody, options: CallOptions = {}): Promise<CreateMaintenanceWindowAnswer> {
    return this.json('POST', '/v1/sip/maintenance-windows', { body, ...options });
  }

  /** Create an organization. For operators only. Then invite its first owner, or create a key for it. The name cannot be changed later. */
  createOrganization(body: CreateOrganizationBody, options: CallOptions = {}): Promise<CreateOrganizationAnswer> {
    return this.json('POST', '/v1/operator/organizations', { body, ...options });
  }

  /** Create a pathway. Stores it with a draft, which takes effect once it is promoted (POST /v1/pathways/{id}/versions/promote). At most 1000 per organization. */
  createPathway(body: CreatePathwayBody, options: CallOptions = {}): Promise<CreatePathwayAnswer> {
    return this.json('POST', '/v1/pathways', { body, ...options });
  }

  /** Create a persona. Stores it with a draft, which takes effect once it is promoted (POST /v1/personas/{id}/versions/promote). At most 1000 per organization. */
  createPersona(body: CreatePersonaBody, options: CallOptions = {}): Promise<CreatePersonaAnswer> {
    return this.json('POST', '/v1/personas', { body, ...options });
  }

  /** Create a password reset link for a member. For a member who forgot the password; pass the link on. It works once, for 2 hours, and is returned only this once. Refused if the person belongs to another organization too, or sees the fleet. */
  createResetLink(path: CreateResetLinkPath, options: CallOptions = {}): Promise<CreateResetLinkAnswer> {
    return this.json('POST', '/v1/members/{member_id}/reset-link', { path, ...options });
  }

  /** Create a password reset link for a member. For operators only. For a member who forgot the password; pass the link on. It works once, for 2 hours, and is returned only this once. Refused if the person belongs to another organization too, or sees the fleet. */
  createResetLinkForOrganization(path: CreateResetLinkForOrganizationPath, options: CallOptions = {}): Promise<CreateResetLinkForOrganizationAnswer> {
    return this.json('POST', '/v1/operator/organizations/{organization_id}/members/{member_id}/reset-link', { path, ...options });
  }

  /** Log in with an API key. Sets a session cookie for the dashboard, HttpOnly and SameSite=Strict. Changes with the cookie must come from the dashboard’s own pages. */
  createSession(body: CreateSessionBody, options: CallOptions = {}): Promise<CreateSessionAnswer> {
    return this.json('POST', '/v1/session', { body, ...options });
  }

  /** Create a test monitor. Judges a share of the answered calls of a number or persona with the assertions of a scenario, a minute after their end, and alerts when they pass less often than required, or than before. Calls whose agent stored no messages in the memory of a contact are not judged. At most 50 per organization. */
  createTestMonitor(body: CreateTestMonitorBody, options: CallOptions = {}): Promise<CreateTestMonitorAnswer> {
    return this.json('POST', '/v1/agent-testing/monitors', { body, ...options });
  }

  /** Create a test scenario. A test case for a pathway, a persona or an agent at its own address: how the simulated caller behaves, and what must hold afterwards. It stays across versions. At most 5,000 per organization. */
  createTestScenario(body: CreateTestScenarioBody, options: CallOptions = {}): Promise<CreateTestScenarioAnswer> {
    return this.json('POST', '/v1/agent-testing/scenarios', { body, ...options });
  }

  /** Make a scenario of a judged call. Stores a scenario whose caller says what the caller of the real call said, to the same agent and with the same assertions. Phone numbers, URLs and keys are removed. */
  createTestScenarioFromRun(path: CreateTestScenarioFromRunPath, body: CreateTestScenarioFromRunBody = {}, options: CallOptions = {}): Promise<CreateTestScenarioFromRunAnswer> {
    return this.json('POST', '/v1/agent-testing/runs/{id}/scenario', { path, body, ...options });
  }

  /** Create a test schedule. Runs scenarios again and again, each time as a simulation set, and alerts when one of them passes less often than required. At most 50 per organization. A time at which the runs before have not ended is skipped. */
  createTestSchedule(body: CreateTestScheduleBody, options: CallOptions = {}): Promise<CreateTestScheduleAnswer> {
    return this.json('POST', '/v1/agent-testing/schedules', { body, ...options });
  }

  /** Create a shared trunk. Its limits apply to all its numbers together. Attach numbers to it afterwards. */
  createTrunk(body: CreateTrunkBody, options: CallOptions = {}): Promise<CreateTrunkAnswer> {
    return this.json('POST', '/v1/trunks', { body, ...options });
  }

  /** Register a webhook endpoint. At most 20 per organization. The signing secret is returned only this once. */
  createWebhook(body: CreateWebhookBody, options: CallOptions = {}): Promise<CreateWebhookAnswer> {
    return this.json('POST', '/v1/webhooks', { body, ...options });
  }

  /** Create or rotate the signing secret. Signs the webhooks of orders and alerts; endpoints have their own secrets. The new secret is returned only this once. For 24 hours X-Demarc-Signature also has a v1 value for the previous secret. */
  createWebhookSecret(options: CallOptions = {}): Promise<CreateWebhookSecretAnswer> {
    return this.json('POST', '/v1/webhooks/secret', { ...options });
  }

  /** Delete a web agent. Its knowledge bases stay. */
  deleteAgent(path: DeleteAgentPath, options: CallOptions = {}): Promise<DeleteAgentAnswer> {
    return this.json('DELETE', '/v1/agents/{agent_id}', { path, ...options });
  }

  /** Delete a contact and its data. For a request for erasure under privacy law; it cannot be undone. Deletes the contact with memories and merges, replaces it in call records and orders by `removed`, and deletes SIP traces, texts and webhooks of its calls. Times, outcomes and media figures stay, as do the totals. Upcoming calls to it are cancelled; active ones continue, and their records will not name it. A later call creates a new contact. */
  deleteContact(path: DeleteContactPath, options: CallOptions = {}): Promise<DeleteContactAnswer> {
    return this.json('DELETE', '/v1/contacts/{contact_id}', { path, ...options });
  }

  /** Delete a knowledge base. Deletes its text and its index for good; searches no longer find it. The record stays, with status DELETED. Deleting again changes nothing. */
  deleteKnowledge(path: DeleteKnowledgePath, options: CallOptions = {}): Promise<DeleteKnowledgeAnswer> {
    return this.json('DELETE', '/v1/knowledge/{id}', { path, ...options });
  }

  /** Delete a maintenance window. Alerts that it held back and that persist are sent within seconds. */
  deleteMaintenanceWindow(path: DeleteMaintenanceWindowPath, options: CallOptions = {}): Promise<DeleteMaintenanceWindowAnswer> {
    return this.json('DELETE', '/v1/sip/maintenance-windows/{window_id}', { path, ...options });
  }

  /** Delete a pathway. Detach its numbers, and remove it from personas, first. Results of its tests stay, and calls that are ordered already keep its last live version. */
  deletePathway(path: DeletePathwayPath, options: CallOptions = {}): Promise<DeletePathwayAnswer> {
    return this.json('DELETE', '/v1/pathways/{id}', { path, ...options });
  }

  /** Delete a fork. Only forks can be deleted; other versions are deleted with their pathway. */
  deletePathwayFork(path: DeletePathwayForkPath, options: CallOptions = {}): Promise<DeletePathwayForkAnswer> {
    return this.json('DELETE', '/v1/pathways/{id}/versions/{version_number}', { path, ...options });
  }

  /** Delete a persona. Detach its numbers first. Calls that are ordered already keep its last live version. */
  deletePersona(path: DeletePersonaPath, options: CallOptions = {}): Promise<DeletePersonaAnswer> {
    return this.json('DELETE', '/v1/personas/{id}', { path, ...options });
  }

  /** Log out. Ends the cookie’s session and clears the cookie. Does nothing without a session. */
  deleteSession(options: CallOptions = {}): Promise<DeleteSessionAnswer> {
    return this.json('DELETE', '/v1/session', { ...options });
  }

  /** Delete a test monitor. The runs of the calls that it judged stay. */
  deleteTestMonitor(path: DeleteTestMonitorPath, options: CallOptions = {}): Promise<DeleteTestMonitorAnswer> {
    return this.json('DELETE', '/v1/agent-testing/monitors/{id}', { path, ...options });
  }

  /** Delete a test scenario. Runs are kept. */
  deleteTestScenario(path: DeleteTestScenarioPath, options: CallOptions = {}): Promise<DeleteTestScenarioAnswer> {
    return this.json('DELETE', '/v1/agent-testing/scenarios/{id}', { path, ...options });
  }

  /** Delete a test schedule. Runs in progress continue; the simulation sets that it started stay. */
  deleteTestSchedule(path: DeleteTestSchedulePath, options: CallOptions = {}): Promise<DeleteTestScheduleAnswer> {
    return this.json('DELETE', '/v1/agent-testing/schedules/{id}', { path, ...options });
  }

  /** Delete a shared trunk. Refused (409) while numbers use it. */
  deleteTrunk(path: DeleteTrunkPath, options: CallOptions = {}): Promise<DeleteTrunkAnswer> {
    return this.json('DELETE', '/v1/trunks/{trunk_id}', { path, ...options });
  }

  /** Delete a webhook endpoint. Pending deliveries are dropped; finished ones stay in the list. */
  deleteWebhook(path: DeleteWebhookPath, options: CallOptions = {}): Promise<DeleteWebhookAnswer> {
    return this.json('DELETE', '/v1/webhooks/{webhook_id}', { path, ...options });
  }

  /** Remove directions of a number. Removing the last configuration frees the number. Directions without a configuration are skipped. */
  detachNumber(body: DetachNumberBody, options: CallOptions = {}): Promise<DetachNumberAnswer> {
    return this.json('POST', '/v1/sip/detach', { body, ...options });
  }

  /** Remove directions of many numbers. Like `/v1/sip/detach`, for up to 100 numbers. Removing its last configuration frees a number. */
  detachNumbers(body: DetachNumbersBody, options: CallOptions = {}): Promise<DetachNumbersAnswer> {
    return this.json('POST', '/v1/sip/numbers/detach', { body, ...options });
  }

  /** Detach numbers from a pathway. The next call to them follows the pathway of their persona, or none. Numbers that do not follow the pathway are ignored. */
  detachPathwayNumbers(path: DetachPathwayNumbersPath, body: DetachPathwayNumbersBody, options: CallOptions = {}): Promise<DetachPathwayNumbersAnswer> {
    return this.json('POST', '/v1/pathways/{id}/inbound/detach', { path, body, ...options });
  }

  /** Detach numbers from a persona. The next call to them has no persona. Numbers that the persona does not have are ignored. */
  detachPersonaNumbers(path: DetachPersonaNumbersPath, body: DetachPersonaNumbersBody, options: CallOptions = {}): Promise<DetachPersonaNumbersAnswer> {
    return this.json('POST', '/v1/personas/{id}/inbound/detach', { path, body, ...options });
  }

  /** Estimate the tokens and the cost of agent tests. Tokens and cost of runs before they are started, by the latest runs of the same scenarios. Starts nothing. */
  estimateTestTokens(body: EstimateTestTokensBody, options: CallOptions = {}): Promise<EstimateTestTokensAnswer> {
    return this.json('POST', '/v1/agent-testing/budget/estimate', { body, ...options });
  }

  /** Export calls as CSV. All matching calls, newest first, one per line after a header line. Filters are those of `GET /v1/sip/calls`. The file is streamed and can have any length; calls that end during the export are not included. */
  exportCallRecords(query: ExportCallRecordsQuery = {}, options: CallOptions = {}): Promise<Response> {
    return this.raw('GET', '/v1/sip/calls.csv', { query, ...options });
  }

  /** Export all data of a contact. One JSON document for a request for information under privacy law: the contact, its memories and merges, orders, and calls with their SIP traces. It can have any length; active calls are not included. */
  exportContact(path: ExportContactPath, options: CallOptions = {}): Promise<ExportContactAnswer> {
    return this.json('GET', '/v1/contacts/{contact_id}/export', { path, ...options });
  }

  /** Fail back to a number’s preferred server. For `failback: manual`, or to skip the probes of `auto`. Active calls stay on their server. Repeating the request changes nothing. */
  failBack(body: FailBackBody, options: CallOptions = {}): Promise<FailBackAnswer> {
    return this.json('POST', '/v1/sip/failback', { body, ...options });
  }

  /** Find a contact by an identifier. With several identifiers, the contact of the first one that any contact has, in the order phone_number, email, external_id. `data` is null if there is none. */
  findContact(body: FindContactBody = {}, options: CallOptions = {}): Promise<FindContactAnswer> {
    return this.json('POST', '/v1/contacts/find', { body, ...options });
  }

  /** Fork a version. Copies it to a new version that takes changes beside the draft and can be promoted. At most 200 forks per pathway. */
  forkPathwayVersion(path: ForkPathwayVersionPath, body: ForkPathwayVersionBody = {}, options: CallOptions = {}): Promise<ForkPathwayVersionAnswer> {
    return this.json('POST', '/v1/pathways/{id}/versions/{version_number}/fork', { path, body, ...options });
  }

  /** Generate a password for register_auth. The password is random and not stored. */
  generatePassword(query: GeneratePasswordQuery = {}, options: CallOptions = {}): Promise<GeneratePasswordAnswer> {
    return this.json('GET', '/v1/sip/generate-password', { query, ...options });
  }

  /** Generate a test scenario from a call. Drafts a scenario from what was said in a call, without storing it. Phone numbers, URLs and keys are removed from its request data and conversation. */
  generateTestScenario(body: GenerateTestScenarioBody, options: CallOptions = {}): Promise<GenerateTestScenarioAnswer> {
    return this.json('POST', '/v1/agent-testing/scenarios/generate-from-call', { body, ...options });
  }

  /** Generate test scenarios from calls. Drafts a scenario for each of the latest answered calls of a number, without storing it: the caller says what that of the call said, and assertions say what the agent did. Whether that was right is yours to confirm. Phone numbers, URLs and keys are removed. No model is asked. Calls of which the target has a scenario, and calls like another one, are left out. */
  generateTestScenariosFromCalls(body: GenerateTestScenariosFromCallsBody = {}, options: CallOptions = {}): Promise<GenerateTestScenariosFromCallsAnswer> {
    return this.json('POST', '/v1/agent-testing/scenarios/generate-from-calls', { body, ...options });
  }

  /** Generate test scenarios from a persona. Drafts scenarios for what the prompts of the persona promise and its knowledge bases hold, without storing them. Each assertion has the sentence that it is based on. Sentences that the description of a scenario of the persona quotes are left out, so that a second request continues where the first one ended. The judging model writes them; without one, rules do. */
  generateTestScenariosFromPersona(body: GenerateTestScenariosFromPersonaBody, options: CallOptions = {}): Promise<GenerateTestScenariosFromPersonaAnswer> {
    return this.json('POST', '/v1/agent-testing/scenarios/generate-from-persona', { body, ...options });
  }

  /** Get the active tornado session. The session that runs for the pathway; 404 if none does. */
  getActiveTornado(query: GetActiveTornadoQuery = {}, options: CallOptions = {}): Promise<GetActiveTornadoAnswer> {
    return this.json('GET', '/v1/agent-testing/tornado/active', { query, ...options });
  }

  /** Get a web agent. With its knowledge bases and tools. */
  getAgent(path: GetAgentPath, options: CallOptions = {}): Promise<GetAgentAnswer> {
    return this.json('GET', '/v1/agents/{agent_id}', { path, ...options });
  }

  /** Get an alert with its deliveries. `notices` lists each delivery. */
  getAlert(path: GetAlertPath, options: CallOptions = {}): Promise<GetAlertAnswer> {
    return this.json('GET', '/v1/sip/alerts/{alert_id}', { path, ...options });
  }

  /** Get the alert contacts. Used by every trunk whose `alert_config` enables email or SMS. */
  getAlertContacts(options: CallOptions = {}): Promise<GetAlertContactsAnswer> {
    return this.json('GET', '/v1/sip/alerts/contacts', { ...options });
  }

  /** Get a batch with its progress. `GET /v1/calls?batch_id=…` lists its calls. */
  getBatch(path: GetBatchPath, options: CallOptions = {}): Promise<GetBatchAnswer> {
    return this.json('GET', '/v1/batches/{batch_id}', { path, ...options });
  }

  /** Get a call placed through the API. The order and its result. The agent reads its task and `request_data` here, with the `X-Demarc-Call-ID` and `X-Demarc-Token` of its INVITE. */
  getCall(path: GetCallPath, options: CallOptions = {}): Promise<GetCallAnswer> {
    return this.json('GET', '/v1/calls/{call_id}', { path, ...options });
  }

  /** Get a call with its SIP trace. RTP statistics and every SIP message, also for active calls. `format=text` draws the ladder, `format=pcap` is a file for Wireshark or sngrep. While `state` is not `ended`, the data is what the call’s edge currently knows. */
  getCallRecord(path: GetCallRecordPath, query: GetCallRecordQuery = {}, options: CallOptions = {}): Promise<GetCallRecordAnswer> {
    return this.json('GET', '/v1/sip/calls/{call_id}', { path, query, ...options });
  }

  /** Get call statistics over time. Calls, answer rate and failures by the minute in which calls ended, in buckets of a minute (1h), 15 minutes (24h), two hours (7d) or six hours (30d), oldest first, without gaps. */
  getCallSeries(query: GetCallSeriesQuery = {}, options: CallOptions = {}): Promise<GetCallSeriesAnswer> {
    return this.json('GET', '/v1/noc/calls/series', { query, ...options });
  }

  /** Get a contact with its memories. Identifiers, and what each persona remembers. The agent of a call reads its contact with the call’s token. */
  getContact(path: GetContactPath, options: CallOptions = {}): Promise<GetContactAnswer> {
    return this.json('GET', '/v1/contacts/{contact_id}', { path, ...options });
  }

  /** Get a delivery with its body and attempts. Each attempt with what was sent and answered: heads and the first 2 KB of the response, kept for 7 days. */
  getDelivery(path: GetDeliveryPath, options: CallOptions = {}): Promise<GetDeliveryAnswer> {
    return this.json('GET', '/v1/deliveries/{delivery_id}', { path, ...options });
  }

  /** Get the progress and result of a discovery. Results are kept for ten minutes. */
  getDiscovery(query: GetDiscoveryQuery, options: CallOptions = {}): Promise<GetDiscoveryAnswer> {
    return this.json('GET', '/v1/sip/discover/status', { query, ...options });
  }

  /** Get enhanced analytics of tests. Adds health, reliability, the trend, failures by node, and the flow from scenarios over nodes to outcomes. */
  getEnhancedTestAnalytics(path: GetEnhancedTestAnalyticsPath, query: GetEnhancedTestAnalyticsQuery = {}, options: CallOptions = {}): Promise<GetEnhancedTestAnalyticsAnswer> {
    return this.json('GET', '/v1/agent-testing/analytics/{pathwayId}/enhanced', { path, query, ...options });
  }

  /** List the explanations of end reasons and SIP statuses. The source of `cause` and `advice` in other responses. */
  getExplanations(options: CallOptions = {}): Promise<GetExplanationsAnswer> {
    return this.json('GET', '/v1/noc/explanations', { ...options });
  }

  /** Get Demarc’s addresses and ports for your firewall. For your organization's region; `regions` has all regions. */
  getFirewall(options: CallOptions = {}): Promise<GetFirewallAnswer> {
    return this.json('GET', '/v1/sip/firewall-ips', { ...options });
  }

  /** Get the health history of a number’s servers. Uptime and response times in buckets of an hour (24h), six hours (7d) or a day (30d), oldest first, without gaps; the last bucket is incomplete. */
  getHealthHistory(query: GetHealthHistoryQuery, options: CallOptions = {}): Promise<GetHealthHistoryAnswer> {
    return this.json('GET', '/v1/sip/health/history', { query, ...options });
  }

  /** Get an incident with its story. The first call, the reasons with cause and advice, what the audit log has of the day before, who was notified, who acknowledged it, and when it recovered. */
  getIncident(path: GetIncidentPath, options: CallOptions = {}): Promise<GetIncidentAnswer> {
    return this.json('GET', '/v1/noc/incidents/{incident_id}', { path, ...options });
  }

  /** Compare the judge with labels. How far the verdicts on the assertions of a scenario agree with what people say: as the runs were judged, and as they were judged again. */
  getJudgeCalibration(path: GetJudgeCalibrationPath, options: CallOptions = {}): Promise<GetJudgeCalibrationAnswer> {
    return this.json('GET', '/v1/agent-testing/scenarios/{id}/calibration', { path, ...options });
  }

  /** Get an API key. The key itself is not returned. */
  getKey(path: GetKeyPath, options: CallOptions = {}): Promise<GetKeyAnswer> {
    return this.json('GET', '/v1/keys/{key_id}', { path, ...options });
  }

  /** Get an API key. For operators only. The key itself is not returned. */
  getKeyForOrganization(path: GetKeyForOrganizationPath, options: CallOptions = {}): Promise<GetKeyForOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}/keys/{key_id}', { path, ...options });
  }

  /** Get a knowledge base. Also shows how far learning is. A deleted one is shown with status DELETED. */
  getKnowledge(path: GetKnowledgePath, options: CallOptions = {}): Promise<GetKnowledgeAnswer> {
    return this.json('GET', '/v1/knowledge/{id}', { path, ...options });
  }

  /** Get a load test. With the figures of each step; those of the present one are those so far. `GET /v1/agent-testing/runs?load_test_id=` has the conversations of the callers. */
  getLoadTest(path: GetLoadTestPath, options: CallOptions = {}): Promise<GetLoadTestAnswer> {
    return this.json('GET', '/v1/agent-testing/load-tests/{id}', { path, ...options });
  }

  /** Get a maintenance window. With its present or next time. */
  getMaintenanceWindow(path: GetMaintenanceWindowPath, options: CallOptions = {}): Promise<GetMaintenanceWindowAnswer> {
    return this.json('GET', '/v1/sip/maintenance-windows/{window_id}', { path, ...options });
  }

  /** Get a number’s configurations. Passwords read `[redacted]`. Send the `ETag` as `If-Match` with a change to get 412 if the number has changed since. */
  getNumber(query: GetNumberQuery, options: CallOptions = {}): Promise<GetNumberAnswer> {
    return this.json('GET', '/v1/sip', { query, ...options });
  }

  /** One port request with what the losing carrier compares. For operators: includes account number and PIN, which no other response contains. */
  getOperatorPort(path: GetOperatorPortPath, options: CallOptions = {}): Promise<GetOperatorPortAnswer> {
    return this.json('GET', '/v1/operator/ports/{id}', { path, ...options });
  }

  /** A document of a port request. For operators. The file itself, with its media type. */
  getOperatorPortDocument(path: GetOperatorPortDocumentPath, options: CallOptions = {}): Promise<Response> {
    return this.raw('GET', '/v1/operator/ports/{id}/documents/{document_id}', { path, ...options });
  }

  /** Get an organization. For operators only. */
  getOrganization(path: GetOrganizationPath, options: CallOptions = {}): Promise<GetOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}', { path, ...options });
  }

  /** Get the settings for your PBX. What a PBX needs to send calls. With `phone_number`, `credentials` has the number’s credentials. */
  getOutboundSetup(query: GetOutboundSetupQuery = {}, options: CallOptions = {}): Promise<GetOutboundSetupAnswer> {
    return this.json('GET', '/v1/sip/outbound-setup', { query, ...options });
  }

  /** Get a pathway. With its draft and its live version; their documents are at GET /v1/pathways/{id}/versions/{version_number}. */
  getPathway(path: GetPathwayPath, options: CallOptions = {}): Promise<GetPathwayAnswer> {
    return this.json('GET', '/v1/pathways/{id}', { path, ...options });
  }

  /** Get the coverage of a pathway. Nodes and edges of a version that tests by text visited, those that they did not, and scenarios that would. */
  getPathwayCoverage(path: GetPathwayCoveragePath, query: GetPathwayCoverageQuery = {}, options: CallOptions = {}): Promise<GetPathwayCoverageAnswer> {
    return this.json('GET', '/v1/agent-testing/coverage/{pathwayId}', { path, query, ...options });
  }

  /** Get a version of a pathway. With its document, and warnings about probable mistakes. The agent of a call reads the version in its X-Demarc-Pathway-ID and X-Demarc-Pathway-Version with the token of the call. */
  getPathwayVersion(path: GetPathwayVersionPath, options: CallOptions = {}): Promise<GetPathwayVersionAnswer> {
    return this.json('GET', '/v1/pathways/{id}/versions/{version_number}', { path, ...options });
  }

  /** Get a persona. With its numbers, its draft and its live version. */
  getPersona(path: GetPersonaPath, options: CallOptions = {}): Promise<GetPersonaAnswer> {
    return this.json('GET', '/v1/personas/{id}', { path, ...options });
  }

  /** Get a version of a persona. Prompts and knowledge as calls got them. The agent of a call reads the version in its X-Demarc-Persona-ID and X-Demarc-Persona-Version with the token of the call. */
  getPersonaVersion(path: GetPersonaVersionPath, options: CallOptions = {}): Promise<GetPersonaVersionAnswer> {
    return this.json('GET', '/v1/personas/{id}/versions/{version_number}', { path, ...options });
  }

  /** Get a port request with its history. Every state change with time, actor and reason. Account number and PIN are not returned. */
  getPort(path: GetPortPath, options: CallOptions = {}): Promise<GetPortAnswer> {
    return this.json('GET', '/v1/sip/port/{id}', { path, ...options });
  }

  /** Get the current session. Organization, key and expiry of the request’s API key or session cookie. */
  getSession(options: CallOptions = {}): Promise<GetSessionAnswer> {
    return this.json('GET', '/v1/session', { ...options });
  }

  /** Get a simulation set. With the statistics of the runs that have ended. */
  getSimulationSet(path: GetSimulationSetPath, options: CallOptions = {}): Promise<GetSimulationSetAnswer> {
    return this.json('GET', '/v1/agent-testing/simulation-sets/{id}', { path, ...options });
  }

  /** Get the overview. Health of trunks and components, calls, and failures by cause of your organization. Operator keys also get `fleet`. If a component is down, unknown values are null. */
  getSummary(options: CallOptions = {}): Promise<GetSummaryAnswer> {
    return this.json('GET', '/v1/noc/summary', { ...options });
  }

  /** Get analytics of tests. Pass rate and mean score of the runs that ended within the days in UTC, and the latest runs. */
  getTestAnalytics(path: GetTestAnalyticsPath, query: GetTestAnalyticsQuery = {}, options: CallOptions = {}): Promise<GetTestAnalyticsAnswer> {
    return this.json('GET', '/v1/agent-testing/analytics/{pathwayId}', { path, query, ...options });
  }

  /** Get a test batch. With its runs, without their conversations. */
  getTestBatch(path: GetTestBatchPath, options: CallOptions = {}): Promise<GetTestBatchAnswer> {
    return this.json('GET', '/v1/agent-testing/batches/{id}', { path, ...options });
  }

  /** Get the budget of agent tests. What the models of agent tests have taken for the organization, in tokens and money, and how much they may take. */
  getTestBudget(options: CallOptions = {}): Promise<GetTestBudgetAnswer> {
    return this.json('GET', '/v1/agent-testing/budget', { ...options });
  }

  /** Get the result of a test call. Kept for an hour. The SIP messages are in `/v1/sip/calls/{history_call_id}` once the call has ended. */
  getTestCall(query: GetTestCallQuery, options: CallOptions = {}): Promise<GetTestCallAnswer> {
    return this.json('GET', '/v1/sip/test-call/status', { query, ...options });
  }

  /** Get the labels of a test run. What people say of its assertions, and the result of judging it again. */
  getTestLabels(path: GetTestLabelsPath, options: CallOptions = {}): Promise<GetTestLabelsAnswer> {
    return this.json('GET', '/v1/agent-testing/runs/{id}/labels', { path, ...options });
  }

  /** Get a test monitor. With what its latest calls show. `GET /v1/agent-testing/runs?monitor_id=` has the calls that it judged. */
  getTestMonitor(path: GetTestMonitorPath, options: CallOptions = {}): Promise<GetTestMonitorAnswer> {
    return this.json('GET', '/v1/agent-testing/monitors/{id}', { path, ...options });
  }

  /** Get the prices of the models of agent tests. Those that the organization set, and those that count for the models of the service. */
  getTestPrices(options: CallOptions = {}): Promise<GetTestPricesAnswer> {
    return this.json('GET', '/v1/agent-testing/prices', { ...options });
  }

  /** Get the recording of a test run by voice. A WAVE file: G.711 μ-law at 8000 Hz, the caller on the left channel, the agent on the right. One range of octets can be requested (`Range`, RFC 9110). */
  getTestRecording(path: GetTestRecordingPath, options: CallOptions = {}): Promise<Response> {
    return this.raw('GET', '/v1/agent-testing/runs/{id}/recording', { path, ...options });
  }

  /** Get a test run. With its conversation so far and, when it has ended, the result of each assertion. */
  getTestRun(path: GetTestRunPath, options: CallOptions = {}): Promise<GetTestRunAnswer> {
    return this.json('GET', '/v1/agent-testing/runs/{id}', { path, ...options });
  }

  /** Get a test scenario. With its assertions. */
  getTestScenario(path: GetTestScenarioPath, options: CallOptions = {}): Promise<GetTestScenarioAnswer> {
    return this.json('GET', '/v1/agent-testing/scenarios/{id}', { path, ...options });
  }

  /** Get a test schedule. With its state and next time. `GET /v1/agent-testing/simulation-sets?schedule_id=` has what it ran. */
  getTestSchedule(path: GetTestSchedulePath, options: CallOptions = {}): Promise<GetTestScheduleAnswer> {
    return this.json('GET', '/v1/agent-testing/schedules/{id}', { path, ...options });
  }

  /** Get the progress of a tornado session. With each iteration, its fixes, and the scenarios that were given up. */
  getTornadoStatus(path: GetTornadoStatusPath, options: CallOptions = {}): Promise<GetTornadoStatusAnswer> {
    return this.json('GET', '/v1/agent-testing/tornado/{id}/status', { path, ...options });
  }

  /** Get a shared trunk. Passwords are not returned. */
  getTrunk(path: GetTrunkPath, options: CallOptions = {}): Promise<GetTrunkAnswer> {
    return this.json('GET', '/v1/trunks/{trunk_id}', { path, ...options });
  }

  /** Get the health of a number’s trunk. Demarc probes the servers of the number’s outbound direction with OPTIONS; any response except 503 counts as reachable. healthy: at least one is reachable. unchecked: not probed; inbound-only trunks have no server to probe. Uptime and response times at the top level are those of the first server. `probe=now` probes at once and waits for the results; `probe` says whether all arrived. It also registers at once. With `auth_mode: register`, `registration` shows the registration. */
  getTrunkStatus(query: GetTrunkStatusQuery, options: CallOptions = {}): Promise<GetTrunkStatusAnswer> {
    return this.json('GET', '/v1/sip/status', { query, ...options });
  }

  /** Calls, minutes and peak concurrency by day. Of your organization, up to 92 days. A call counts once it has ended, on the day on which it started (UTC). */
  getUsage(query: GetUsageQuery = {}, options: CallOptions = {}): Promise<GetUsageAnswer> {
    return this.json('GET', '/v1/usage', { query, ...options });
  }

  /** Calls and minutes by number or agent. Of your organization, up to 92 days; those with the most minutes first. For one day, set `from` and `to` to it. Calls from before the upgrade to this version are not included. */
  getUsageBreakdown(query: GetUsageBreakdownQuery, options: CallOptions = {}): Promise<GetUsageBreakdownAnswer> {
    return this.json('GET', '/v1/usage/breakdown', { query, ...options });
  }

  /** Calls and minutes by number or agent. For operators only. Of the organization, up to 92 days; those with the most minutes first. For one day, set `from` and `to` to it. Calls from before the upgrade to this version are not included. */
  getUsageBreakdownForOrganization(path: GetUsageBreakdownForOrganizationPath, query: GetUsageBreakdownForOrganizationQuery, options: CallOptions = {}): Promise<GetUsageBreakdownForOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}/usage/breakdown', { path, query, ...options });
  }

  /** Calls, minutes and peak concurrency by day. For operators only. Of the organization, up to 92 days. A call counts once it has ended, on the day on which it started (UTC). */
  getUsageForOrganization(path: GetUsageForOrganizationPath, query: GetUsageForOrganizationQuery = {}, options: CallOptions = {}): Promise<GetUsageForOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}/usage', { path, query, ...options });
  }

  /** Get a webhook endpoint. Includes whether it is enabled and since when deliveries have failed. */
  getWebhook(path: GetWebhookPath, options: CallOptions = {}): Promise<GetWebhookAnswer> {
    return this.json('GET', '/v1/webhooks/{webhook_id}', { path, ...options });
  }

  /** Get the state of the signing secret. The secret itself is returned only when it is created. */
  getWebhookSecret(options: CallOptions = {}): Promise<GetWebhookSecretAnswer> {
    return this.json('GET', '/v1/webhooks/secret', { ...options });
  }

  /** Put a call on hold. Works for any answered call: until `resume`, the caller or callee hears music and the agent silence. No re-INVITE is sent. */
  holdCall(path: HoldCallPath, body: HoldCallBody = {}, options: CallOptions = {}): Promise<HoldCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/hold', { path, body, ...options });
  }

  /** Port numbers to this service. Sends the Letter of Authorization to the authorized representative for electronic signature. Once it is signed, the request goes to the carrier. A port takes 7 to 14 business days; keep the service at the losing carrier active until then. */
  initiatePort(body: InitiatePortBody, options: CallOptions = {}): Promise<InitiatePortAnswer> {
    return this.json('POST', '/v1/sip/port/initiate', { body, ...options });
  }

  /** Invite a person. Returns a link that works once, for 72 hours; it is returned only this once. If the service sends mail, it is also mailed. A new invitation of the same address replaces the earlier one. A key can invite only to roles with no more rights than its own. Limits per day: 10 emails to an address, 200 from an organization. */
  inviteMember(body: InviteMemberBody, options: CallOptions = {}): Promise<InviteMemberAnswer> {
    return this.json('POST', '/v1/invitations', { body, ...options });
  }

  /** Invite a person. For operators only. Returns a link that works once, for 72 hours; it is returned only this once. If the service sends mail, it is also mailed. A new invitation of the same address replaces the earlier one. A key can invite only to roles with no more rights than its own. Limits per day: 10 emails to an address, 200 from an organization. */
  inviteMemberForOrganization(path: InviteMemberForOrganizationPath, body: InviteMemberForOrganizationBody, options: CallOptions = {}): Promise<InviteMemberForOrganizationAnswer> {
    return this.json('POST', '/v1/operator/organizations/{organization_id}/invitations', { path, body, ...options });
  }

  /** Judge a test run again. Evaluates the present assertions of the scenario on the stored conversation, without a new one. The run keeps its result, which gates and statistics count; the last judgement is stored beside it. */
  judgeTestRun(path: JudgeTestRunPath, body: JudgeTestRunBody = {}, options: CallOptions = {}): Promise<JudgeTestRunAnswer> {
    return this.json('POST', '/v1/agent-testing/runs/{id}/judge', { path, body, ...options });
  }

  /** Create a knowledge base from a text. Returns immediately with the record in state PROCESSING; poll `GET /v1/knowledge/{id}` until it is COMPLETED or FAILED. The text is split at headings, paragraphs and sentences, and indexed by the words of its language; with an embeddings endpoint also by meaning. */
  learnKnowledge(body: LearnKnowledgeBody, options: CallOptions = {}): Promise<LearnKnowledgeAnswer> {
    return this.json('POST', '/v1/knowledge/learn', { body, ...options });
  }

  /** List agent credentials. Oldest first, without passwords. */
  listAgentCredentials(query: ListAgentCredentialsQuery = {}, options: CallOptions = {}): Promise<ListAgentCredentialsAnswer> {
    return this.json('GET', '/v1/sip/agent-credentials', { query, ...options });
  }

  /** List the signing secrets of WebSocket agents. The current one first, without their values; at most 2. */
  listAgentStreamSecrets(options: CallOptions = {}): Promise<ListAgentStreamSecretsAnswer> {
    return this.json('GET', '/v1/agent-streams/signing-secrets', { ...options });
  }

  /** List web agents. Newest first. */
  listAgents(query: ListAgentsQuery = {}, options: CallOptions = {}): Promise<ListAgentsAnswer> {
    return this.json('GET', '/v1/agents', { query, ...options });
  }

  /** List alerts. All trunks of the organization; active alerts first, then newest first. */
  listAlerts(query: ListAlertsQuery = {}, options: CallOptions = {}): Promise<ListAlertsAnswer> {
    return this.json('GET', '/v1/sip/alerts', { query, ...options });
  }

  /** List changes and who made them. Newest first: every change through the API and the dashboard, and sign-ins of members. Requires `members:write`, which owners have. Calls, contacts, knowledge and agent tests are recorded only when a person does them. Kept for 400 days. */
  listAuditEvents(query: ListAuditEventsQuery = {}, options: CallOptions = {}): Promise<ListAuditEventsAnswer> {
    return this.json('GET', '/v1/audit', { query, ...options });
  }

  /** List changes and who made them. For operators only. Newest first: every change through the API and the dashboard, and sign-ins of members. Requires `members:write`, which owners have. Calls, contacts, knowledge and agent tests are recorded only when a person does them. Kept for 400 days. */
  listAuditEventsForOrganization(path: ListAuditEventsForOrganizationPath, query: ListAuditEventsForOrganizationQuery = {}, options: CallOptions = {}): Promise<ListAuditEventsForOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}/audit', { path, query, ...options });
  }

  /** List batches. Newest first, each with its progress. */
  listBatches(query: ListBatchesQuery = {}, options: CallOptions = {}): Promise<ListBatchesAnswer> {
    return this.json('GET', '/v1/batches', { query, ...options });
  }

  /** List calls in the history. All calls of the organization, newest first: inbound, and placed through the API or by an agent. */
  listCallRecords(query: ListCallRecordsQuery = {}, options: CallOptions = {}): Promise<ListCallRecordsAnswer> {
    return this.json('GET', '/v1/sip/calls', { query, ...options });
  }

  /** List the links of a call. Links that have not expired, newest first, without the token. */
  listCallShares(path: ListCallSharesPath, options: CallOptions = {}): Promise<ListCallSharesAnswer> {
    return this.json('GET', '/v1/sip/calls/{call_id}/shares', { path, ...options });
  }

  /** List calls placed through the API. Newest first. `/v1/sip/calls` also has inbound calls, with traces. The list is in `calls`, beside `count` and `total_count`. */
  listCalls(query: ListCallsQuery = {}, options: CallOptions = {}): Promise<ListCallsAnswer> {
    return this.json('GET', '/v1/calls', { query, ...options });
  }

  /** List the calls with a contact. Ended calls from and to its numbers, newest first. */
  listContactCalls(path: ListContactCallsPath, query: ListContactCallsQuery = {}, options: CallOptions = {}): Promise<ListContactCallsAnswer> {
    return this.json('GET', '/v1/contacts/{contact_id}/calls', { path, query, ...options });
  }

  /** List deletions of contacts. The audit log: who deleted when, and how much, but not whom. Newest first. */
  listContactDeletions(query: ListContactDeletionsQuery = {}, options: CallOptions = {}): Promise<ListContactDeletionsAnswer> {
    return this.json('GET', '/v1/contacts/deletions', { query, ...options });
  }

  /** List the merges of a contact. Who merged which contact into it, when, and how that contact was. Newest first. */
  listContactMerges(path: ListContactMergesPath, options: CallOptions = {}): Promise<ListContactMergesAnswer> {
    return this.json('GET', '/v1/contacts/{contact_id}/merges', { path, ...options });
  }

  /** List and search contacts. Newest first, without their memories. */
  listContacts(query: ListContactsQuery = {}, options: CallOptions = {}): Promise<ListContactsAnswer> {
    return this.json('GET', '/v1/contacts', { query, ...options });
  }

  /** List deliveries. Webhooks, emails and SMS, sent and pending, newest first. */
  listDeliveries(query: ListDeliveriesQuery = {}, options: CallOptions = {}): Promise<ListDeliveriesAnswer> {
    return this.json('GET', '/v1/webhooks/deliveries', { query, ...options });
  }

  /** List incidents, newest first. An incident begins when the verdict of the overview turns red, within about ten seconds, and ends when it has not been red for a minute. Organizations see their own, and those of components such as Redis. Kept for 400 days. */
  listIncidents(query: ListIncidentsQuery = {}, options: CallOptions = {}): Promise<ListIncidentsAnswer> {
    return this.json('GET', '/v1/noc/incidents', { query, ...options });
  }

  /** List open invitations. Newest first, without links. */
  listInvitations(query: ListInvitationsQuery = {}, options: CallOptions = {}): Promise<ListInvitationsAnswer> {
    return this.json('GET', '/v1/invitations', { query, ...options });
  }

  /** List open invitations. For operators only. Newest first, without links. */
  listInvitationsForOrganization(path: ListInvitationsForOrganizationPath, query: ListInvitationsForOrganizationQuery = {}, options: CallOptions = {}): Promise<ListInvitationsForOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}/invitations', { path, query, ...options });
  }

  /** List API keys. Newest first, including revoked and expired keys. */
  listKeys(query: ListKeysQuery = {}, options: CallOptions = {}): Promise<ListKeysAnswer> {
    return this.json('GET', '/v1/keys', { query, ...options });
  }

  /** List API keys. For operators only. Newest first, including revoked and expired keys. */
  listKeysForOrganization(path: ListKeysForOrganizationPath, query: ListKeysForOrganizationQuery = {}, options: CallOptions = {}): Promise<ListKeysForOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}/keys', { path, query, ...options });
  }

  /** List knowledge bases. Newest first, without deleted ones. */
  listKnowledge(query: ListKnowledgeQuery = {}, options: CallOptions = {}): Promise<ListKnowledgeAnswer> {
    return this.json('GET', '/v1/knowledge', { query, ...options });
  }

  /** List active calls. At most 1,000, newest first, at most half a second old. `scope=fleet` requires an operator key. */
  listLiveCalls(query: ListLiveCallsQuery = {}, options: CallOptions = {}): Promise<ListLiveCallsAnswer> {
    return this.json('GET', '/v1/noc/calls/live', { query, ...options });
  }

  /** List load tests. Newest first, with where the agent breaks, without the figures of the steps. */
  listLoadTests(query: ListLoadTestsQuery = {}, options: CallOptions = {}): Promise<ListLoadTestsAnswer> {
    return this.json('GET', '/v1/agent-testing/load-tests', { query, ...options });
  }

  /** List maintenance windows. Newest first, including those that are over. */
  listMaintenanceWindows(query: ListMaintenanceWindowsQuery = {}, options: CallOptions = {}): Promise<ListMaintenanceWindowsAnswer> {
    return this.json('GET', '/v1/sip/maintenance-windows', { query, ...options });
  }

  /** List members. In the order in which they joined. */
  listMembers(query: ListMembersQuery = {}, options: CallOptions = {}): Promise<ListMembersAnswer> {
    return this.json('GET', '/v1/members', { query, ...options });
  }

  /** List members. For operators only. In the order in which they joined. */
  listMembersForOrganization(path: ListMembersForOrganizationPath, query: ListMembersForOrganizationQuery = {}, options: CallOptions = {}): Promise<ListMembersForOrganizationAnswer> {
    return this.json('GET', '/v1/operator/organizations/{organization_id}/members', { path, query, ...options });
  }

  /** List attached numbers. In numerical order. */
  listNumbers(query: ListNumbersQuery = {}, options: CallOptions = {}): Promise<ListNumbersAnswer> {
    return this.json('GET', '/v1/sip/numbers', { query, ...options });
  }

  /** List the numbers of a shared trunk. E.164 with +. */
  listNumbersOfTrunk(path: ListNumbersOfTrunkPath, query: ListNumbersOfTrunkQuery = {}, options: CallOptions = {}): Promise<ListNumbersOfTrunkAnswer> {
    return this.json('GET', '/v1/trunks/{trunk_id}/numbers', { path, query, ...options });
  }

  /** Port requests of all organizations. For operators. Newest first. */
  listOperatorPorts(query: ListOperatorPortsQuery = {}, options: CallOptions = {}): Promise<ListOperatorPortsAnswer> {
    return this.json('GET', '/v1/operator/ports', { query, ...options });
  }

  /** List organizations. For operators only. By name. */
  listOrganizations(query: ListOrganizationsQuery = {}, options: CallOptions = {}): Promise<ListOrganizationsAnswer> {
    return this.json('GET', '/v1/operator/organizations', { query, ...options });
  }

  /** List the versions of a pathway. Newest first, without documents: the draft, the live version, forks, and all that were live before. */
  listPathwayVersions(path: ListPathwayVersionsPath, query: ListPathwayVersionsQuery = {}, options: CallOptions = {}): Promise<ListPathwayVersionsAnswer> {
    return this.json('GET', '/v1/pathways/{id}/versions', { path, query, ...options });
  }

  /** List pathways. Newest first, each with its draft and its live version, without documents. */
  listPathways(query: ListPathwaysQuery = {}, options: CallOptions = {}): Promise<ListPathwaysAnswer> {
    return this.json('GET', '/v1/pathways', { query, ...options });
  }

  /** List the versions of a persona. Newest first: the draft, the live version, and all that were live before. */
  listPersonaVersions(path: ListPersonaVersionsPath, query: ListPersonaVersionsQuery = {}, options: CallOptions = {}): Promise<ListPersonaVersionsAnswer> {
    return this.json('GET', '/v1/personas/{id}/versions', { path, query, ...options });
  }

  /** List personas. Newest first, each with its draft and its live version. */
  listPersonas(query: ListPersonasQuery = {}, options: CallOptions = {}): Promise<ListPersonasAnswer> {
    return this.json('GET', '/v1/personas', { query, ...options });
  }

  /** List port requests. Newest first, each with its numbers and their states. */
  listPorts(query: ListPortsQuery = {}, options: CallOptions = {}): Promise<ListPortsAnswer> {
    return this.json('GET', '/v1/sip/port', { query, ...options });
  }

  /** Get what arrived from your PBX. The latest requests and failed TLS handshakes of your PBXs, and what Demarc answered, newest first; also those that were refused before a call began. You see what names one of your numbers, and what comes from an address that only your organization has configured. Sampled and kept for minutes to hours; the event `sighting` of `/v1/noc/events` brings new ones. */
  listSightings(query: ListSightingsQuery = {}, options: CallOptions = {}): Promise<ListSightingsAnswer> {
    return this.json('GET', '/v1/sip/sightings', { query, ...options });
  }

  /** List simulation sets. Newest first, with the number of runs that ended and passed, without statistics. */
  listSimulationSets(query: ListSimulationSetsQuery = {}, options: CallOptions = {}): Promise<ListSimulationSetsAnswer> {
    return this.json('GET', '/v1/agent-testing/simulation-sets', { query, ...options });
  }

  /** List test batches. Newest first, with the number of runs that passed and failed, without the runs. */
  listTestBatches(query: ListTestBatchesQuery = {}, options: CallOptions = {}): Promise<ListTestBatchesAnswer> {
    return this.json('GET', '/v1/agent-testing/batches', { query, ...options });
  }

  /** List test monitors. Newest first, with what their latest calls show. */
  listTestMonitors(query: ListTestMonitorsQuery = {}, options: CallOptions = {}): Promise<ListTestMonitorsAnswer> {
    return this.json('GET', '/v1/agent-testing/monitors', { query, ...options });
  }

  /** List test runs. Newest first, without their conversations. */
  listTestRuns(query: ListTestRunsQuery = {}, options: CallOptions = {}): Promise<ListTestRunsAnswer> {
    return this.json('GET', '/v1/agent-testing/runs', { query, ...options });
  }

  /** List test scenarios. Newest first, each with its latest run. */
  listTestScenarios(query: ListTestScenariosQuery = {}, options: CallOptions = {}): Promise<ListTestScenariosAnswer> {
    return this.json('GET', '/v1/agent-testing/scenarios', { query, ...options });
  }

  /** List test schedules. Newest first, with their state and next time. */
  listTestSchedules(query: ListTestSchedulesQuery = {}, options: CallOptions = {}): Promise<ListTestSchedulesAnswer> {
    return this.json('GET', '/v1/agent-testing/schedules', { query, ...options });
  }

  /** List scenario templates. The built-in templates; those of the category RED_TEAM attack the agent. Clone one to get a scenario that you can run. */
  listTestTemplates(query: ListTestTemplatesQuery = {}, options: CallOptions = {}): Promise<ListTestTemplatesAnswer> {
    return this.json('GET', '/v1/agent-testing/templates', { query, ...options });
  }

  /** List tornado sessions. Newest first, without their iterations. */
  listTornadoSessions(query: ListTornadoSessionsQuery = {}, options: CallOptions = {}): Promise<ListTornadoSessionsAnswer> {
    return this.json('GET', '/v1/agent-testing/tornado', { query, ...options });
  }

  /** List trunks, worst first. Reachability, registration and recent calls of the organization’s numbers, of 2,000 at most. Unreachable trunks come first, then those whose calls fail, then lost registrations. */
  listTrunkHealth(query: ListTrunkHealthQuery = {}, options: CallOptions = {}): Promise<ListTrunkHealthAnswer> {
    return this.json('GET', '/v1/noc/trunks', { query, ...options });
  }

  /** List shared trunks. Newest first. Numbers with their own configurations are only in GET /v1/sip/numbers. */
  listTrunks(query: ListTrunksQuery = {}, options: CallOptions = {}): Promise<ListTrunksAnswer> {
    return this.json('GET', '/v1/trunks', { query, ...options });
  }

  /** List webhook endpoints. Newest first, without secrets. */
  listWebhooks(query: ListWebhooksQuery = {}, options: CallOptions = {}): Promise<ListWebhooksAnswer> {
    return this.json('GET', '/v1/webhooks', { query, ...options });
  }

  /** Listen to an active call. Works for any answered call. The response is a WAVE file that continues until the call ends: G.711 μ-law at 8000 Hz, the caller or callee on the left channel, the agent on the right. It is also complete when the right is withdrawn, and after 60 minutes; it breaks off when the edge of the call ends. Neither side notices anything, and nothing is stored. The audit log has the beginning and the end with its duration; `listeners` of the active call shows who listens. Up to three listeners a call. Requires the scope `calls:listen`, which `calls:write` does not include. */
  listenToCall(path: ListenToCallPath, options: CallOptions = {}): Promise<Response> {
    return this.raw('GET', '/v1/calls/{call_id}/audio', { path, ...options });
  }

  /** Show what an invitation link invites to. Does not use up the link. */
  lookUpInvitation(body: LookUpInvitationBody, options: CallOptions = {}): Promise<LookUpInvitationAnswer> {
    return this.json('POST', '/v1/invitations/look-up', { body, ...options });
  }

  /** Merge two contacts. The primary contact gets the other one’s identifiers, memories and messages; where both have a value, the primary’s stays. The other id leads to the primary from then on, and the other contact, as it was, is kept in the history (`GET /v1/contacts/{contact_id}/merges`). Merging two that were merged already changes nothing. */
  mergeContacts(body: MergeContactsBody, options: CallOptions = {}): Promise<MergeContactsAnswer> {
    return this.json('POST', '/v1/contacts/merge', { body, ...options });
  }

  /** Move a port request, or some of its numbers. For operators, to record what happened at the carrier. Numbers for which the move is not possible keep their state; when it is possible for none, the answer is 409. */
  movePort(path: MovePortPath, body: MovePortBody, options: CallOptions = {}): Promise<MovePortAnswer> {
    return this.json('POST', '/v1/operator/ports/{id}/moves', { path, body, ...options });
  }

  /** Parse certificates for `tls_ca`. A text that `tls_ca` would refuse returns `valid: false` with the reason. */
  parseCertificates(body: ParseCertificatesBody, options: CallOptions = {}): Promise<ParseCertificatesAnswer> {
    return this.json('POST', '/v1/sip/parse-certificates', { body, ...options });
  }

  /** Parse a destination. Accepts host names, addresses, SIP URIs and shorthands such as `tls://203.0.113.5`. Invalid destinations return `valid: false` with the reason. */
  parseDestination(body: ParseDestinationBody, options: CallOptions = {}): Promise<ParseDestinationAnswer> {
    return this.json('POST', '/v1/sip/parse-destination', { body, ...options });
  }

  /** Play a file to the caller or callee. Works for an answered call whose agent is a WebSocket server. The media-stream process fetches the file and plays it in place of what the agent has queued; the agent gets its pending marks back. Returns when the file has begun. */
  playToCall(path: PlayToCallPath, body: PlayToCallBody, options: CallOptions = {}): Promise<PlayToCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/play', { path, body, ...options });
  }

  /** Make a version of a pathway live. The draft, a fork, or an archived version again. With required scenarios the answer is 202: they run first, and the version becomes live when all have passed (`promotion`). Of two promotions of a version at the same time one is refused. */
  promotePathway(path: PromotePathwayPath, body: PromotePathwayBody = {}, options: CallOptions = {}): Promise<PromotePathwayAnswer> {
    return this.json('POST', '/v1/pathways/{id}/versions/promote', { path, body, ...options });
  }

  /** Make the draft of a persona live. The next call gets it; calls that are active keep theirs. With required scenarios the answer is 202: they run first, and the draft becomes live when all have passed (`promotion`). Of two promotions at the same time one is refused. */
  promotePersona(path: PromotePersonaPath, body: PromotePersonaBody = {}, options: CallOptions = {}): Promise<PromotePersonaAnswer> {
    return this.json('POST', '/v1/personas/{id}/versions/promote', { path, body, ...options });
  }

  /** Confirm ownership of numbers. Operator key required. If the service requires proof (`DEMARC_NUMBER_PROOF`), organizations can attach only numbers confirmed for them. Numbers that are already attached stay attached. */
  proveNumbers(body: ProveNumbersBody, options: CallOptions = {}): Promise<ProveNumbersAnswer> {
    return this.json('POST', '/v1/sip/numbers/prove', { body, ...options });
  }

  /** Read the call of a link. What the page of the link shows. The token is in the body, so that no log has it. Needs no key. */
  readSharedCall(body: ReadSharedCallBody, options: CallOptions = {}): Promise<ReadSharedCallAnswer> {
    return this.json('POST', '/v1/shared-calls/read', { body, ...options });
  }

  /** Remove a signing secret of WebSocket agents. Handshakes are no longer signed with it. Without any secret they are not signed. */
  removeAgentStreamSecret(path: RemoveAgentStreamSecretPath, options: CallOptions = {}): Promise<RemoveAgentStreamSecretAnswer> {
    return this.json('DELETE', '/v1/agent-streams/signing-secrets/{secret_id}', { path, ...options });
  }

  /** Remove a member. The member’s sessions in this organization end at once. API keys that the member created stay: revoke them separately. */
  removeMember(path: RemoveMemberPath, options: CallOptions = {}): Promise<RemoveMemberAnswer> {
    return this.json('DELETE', '/v1/members/{member_id}', { path, ...options });
  }

  /** Remove a member. For operators only. The member’s sessions in this organization end at once. API keys that the member created stay: revoke them separately. */
  removeMemberForOrganization(path: RemoveMemberForOrganizationPath, options: CallOptions = {}): Promise<RemoveMemberForOrganizationAnswer> {
    return this.json('DELETE', '/v1/operator/organizations/{organization_id}/members/{member_id}', { path, ...options });
  }

  /** Replace the document of a draft or fork. Other versions take no changes: fork them, or change the draft. */
  replacePathwayDocument(path: ReplacePathwayDocumentPath, body: ReplacePathwayDocumentBody, options: CallOptions = {}): Promise<ReplacePathwayDocumentAnswer> {
    return this.json('PUT', '/v1/pathways/{id}/versions/{version_number}', { path, body, ...options });
  }

  /** Replay a webhook. Sends a delivered or failed webhook again with the same body, event_id and X-Webhook-Id, and a new signature; attempts restart at zero. A pending delivery is refused (409). */
  replayDelivery(path: ReplayDeliveryPath, options: CallOptions = {}): Promise<ReplayDeliveryAnswer> {
    return this.json('POST', '/v1/deliveries/{delivery_id}/replay', { path, ...options });
  }

  /** Replay all failed deliveries of an endpoint. Sends the failed webhooks that were created in a time range again, oldest first, at most 50 a second, each with its body, event_id and X-Webhook-Id and a new signature. At most 10000 per request. */
  replayFailedDeliveries(path: ReplayFailedDeliveriesPath, body: ReplayFailedDeliveriesBody, options: CallOptions = {}): Promise<ReplayFailedDeliveriesAnswer> {
    return this.json('POST', '/v1/webhooks/{webhook_id}/replay', { path, body, ...options });
  }

  /** Request a password reset link by mail. The response is the same whether or not the address has an account. The link works once, for 2 hours. */
  requestPasswordReset(body: RequestPasswordResetBody, options: CallOptions = {}): Promise<RequestPasswordResetAnswer> {
    return this.json('POST', '/v1/password/reset', { body, ...options });
  }

  /** Send the Letter of Authorization again. Mails a new link to the authorized representative. The earlier link stops working. */
  resendPortSignature(path: ResendPortSignaturePath, options: CallOptions = {}): Promise<ResendPortSignatureAnswer> {
    return this.json('POST', '/v1/sip/port/{id}/signature', { path, ...options });
  }

  /** Find or create a contact. A contact that exists gets the identifiers that it lacks, and the name if it has none; metadata is merged. Calls create the contacts of their callers and callees themselves. With persona_id or agent_number, the memory of that persona or number is created too. */
  resolveContact(body: ResolveContactBody = {}, options: CallOptions = {}): Promise<ResolveContactAnswer> {
    return this.json('POST', '/v1/contacts/resolve', { body, ...options });
  }

  /** Resume a call on hold. Reconnects the audio of both sides. 409 if the call is not on hold. */
  resumeCall(path: ResumeCallPath, options: CallOptions = {}): Promise<ResumeCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/resume', { path, ...options });
  }

  /** Revoke agent credentials. Edges refuse them from the response on, unless `warnings` has CHANGE_NOT_CONFIRMED. Active calls continue. */
  revokeAgentCredential(path: RevokeAgentCredentialPath, options: CallOptions = {}): Promise<RevokeAgentCredentialAnswer> {
    return this.json('DELETE', '/v1/sip/agent-credentials/{credential_id}', { path, ...options });
  }

  /** Revoke the link of a call. The link is invalid at once. */
  revokeCallShare(path: RevokeCallSharePath, options: CallOptions = {}): Promise<RevokeCallShareAnswer> {
    return this.json('DELETE', '/v1/sip/calls/{call_id}/shares/{share_id}', { path, ...options });
  }

  /** Revoke an API key. The key is refused from the next request on, and its sessions end. Revoking it again changes nothing. */
  revokeKey(path: RevokeKeyPath, options: CallOptions = {}): Promise<RevokeKeyAnswer> {
    return this.json('DELETE', '/v1/keys/{key_id}', { path, ...options });
  }

  /** Revoke an API key. For operators only. The key is refused from the next request on, and its sessions end. Revoking it again changes nothing. */
  revokeKeyForOrganization(path: RevokeKeyForOrganizationPath, options: CallOptions = {}): Promise<RevokeKeyForOrganizationAnswer> {
    return this.json('DELETE', '/v1/operator/organizations/{organization_id}/keys/{key_id}', { path, ...options });
  }

  /** Rotate an endpoint’s signing secret. The new secret is returned only this once. For 24 hours X-Demarc-Signature also has a v1 value for the previous secret. */
  rotateWebhookSecret(path: RotateWebhookSecretPath, options: CallOptions = {}): Promise<RotateWebhookSecretAnswer> {
    return this.json('POST', '/v1/webhooks/{webhook_id}/rotate-secret', { path, ...options });
  }

  /** Run several test scenarios. Runs each scenario once, all or none of them are started. Poll `GET /v1/agent-testing/batches/{id}` until it has ended, or send `webhook_url`. */
  runTestBatch(body: RunTestBatchBody, options: CallOptions = {}): Promise<RunTestBatchAnswer> {
    return this.json('POST', '/v1/agent-testing/batch-run', { body, ...options });
  }

  /** Run a test scenario. Returns immediately; poll `GET /v1/agent-testing/runs/{id}` until it has ended, or send `webhook_url`. The run keeps the scenario as it is now. */
  runTestScenario(path: RunTestScenarioPath, body: RunTestScenarioBody = {}, options: CallOptions = {}): Promise<RunTestScenarioAnswer> {
    return this.json('POST', '/v1/agent-testing/scenarios/{id}/run', { path, body, ...options });
  }

  /** Find passages that answer a question. Ranks by words and, with an embeddings endpoint, by meaning, and fuses both. The agent of a call may search with the call’s token (`X-Demarc-Token`): then only the knowledge bases of that call. */
  searchKnowledge(body: SearchKnowledgeBody, options: CallOptions = {}): Promise<SearchKnowledgeAnswer> {
    return this.json('POST', '/v1/knowledge/search', { body, ...options });
  }

  /** Send DTMF digits to the caller or callee. Works for any answered call, inbound or placed through the API: as telephone events (RFC 4733), by INFO if the trunk does not support them, or as tones. Returns when the first digit is sent; the others follow at five per second. */
  sendDigits(path: SendDigitsPath, body: SendDigitsBody, options: CallOptions = {}): Promise<SendDigitsAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/dtmf', { path, body, ...options });
  }

  /** Set a new password with a reset link. Uses up the link and ends all sessions of the person. Sign in afterwards. */
  setPassword(body: SetPasswordBody, options: CallOptions = {}): Promise<SetPasswordAnswer> {
    return this.json('POST', '/v1/password/set', { body, ...options });
  }

  /** Set the budget of agent tests. Once a limit per day or month is reached, nothing that asks a model is started, and runs in progress end in ERROR, with `TOKEN_BUDGET_USED` or `COST_BUDGET_USED` as the reason. So do those whose own limit, or that of the runs started with them, is reached. Limits in money need a price of each model in the currency of the organization (`PUT /v1/agent-testing/prices`). */
  setTestBudget(body: SetTestBudgetBody, options: CallOptions = {}): Promise<SetTestBudgetAnswer> {
    return this.json('PUT', '/v1/agent-testing/budget', { body, ...options });
  }

  /** Label the assertions of a test run. Says whether assertions pass in your opinion, so that the judge can be compared with people. The result of the run stays. */
  setTestLabels(path: SetTestLabelsPath, body: SetTestLabelsBody, options: CallOptions = {}): Promise<SetTestLabelsAnswer> {
    return this.json('PUT', '/v1/agent-testing/runs/{id}/labels', { path, body, ...options });
  }

  /** Set the prices of the models of agent tests. Replaces all prices of the organization; they count for requests from then on. They go before the prices of the service, and give agents at their own URL a price. The currency cannot change while a budget in money is set. */
  setTestPrices(body: SetTestPricesBody, options: CallOptions = {}): Promise<SetTestPricesAnswer> {
    return this.json('PUT', '/v1/agent-testing/prices', { body, ...options });
  }

  /** Share a call with a carrier. Creates a link that anyone can open until it expires or is revoked. It shows the SIP messages of the trunk’s leg without bodies, with numbers and names masked, and has them as pcap. `ticket` is the text for a ticket. Only of an ended call. */
  shareCall(path: ShareCallPath, body: ShareCallBody = {}, options: CallOptions = {}): Promise<ShareCallAnswer> {
    return this.json('POST', '/v1/sip/calls/{call_id}/shares', { path, body, ...options });
  }

  /** Sign in with email and password. Sets the session cookie, as `POST /v1/session` does for an API key. The session belongs to the organization that the person used last; `PATCH /v1/session` switches. */
  signIn(body: SignInBody, options: CallOptions = {}): Promise<SignInAnswer> {
    return this.json('POST', '/v1/sign-in', { body, ...options });
  }

  /** Start a discovery. Finds out how to reach a PBX: looks up A, AAAA and SRV records, then sends OPTIONS to ports 5060, 5061 and 5080 over TLS, TCP and UDP; `port` and `transport` narrow the search. Poll the status for progress. One discovery at a time (409); results are kept for ten minutes. */
  startDiscovery(body: StartDiscoveryBody, options: CallOptions = {}): Promise<StartDiscoveryAnswer> {
    return this.json('POST', '/v1/sip/discover', { body, ...options });
  }

  /** Start a load test. Many simulated callers converse with the agent at once, in steps with more and more of them, until it breaks. Each is judged by the assertions of its scenario. An organization runs one load test at a time; by voice it takes at most half of the concurrent calls of the organization and of the number. Poll `GET /v1/agent-testing/load-tests/{id}` until it has ended, or send `webhook_url`. */
  startLoadTest(body: StartLoadTestBody, options: CallOptions = {}): Promise<StartLoadTestAnswer> {
    return this.json('POST', '/v1/agent-testing/load-tests', { body, ...options });
  }

  /** Run scenarios many times. Repeated runs show how often a scenario passes and whether it is flaky. Poll `GET /v1/agent-testing/simulation-sets/{id}` until it has ended, or send `webhook_url`. */
  startSimulationSet(body: StartSimulationSetBody, options: CallOptions = {}): Promise<StartSimulationSetAnswer> {
    return this.json('POST', '/v1/agent-testing/simulation-sets', { body, ...options });
  }

  /** Place a test call. Calls the number through its own outbound servers, with the same order, credentials and media as any call from it. The callee hears a chime for seven seconds, then the call ends. Poll the status for the timeline. At most 10 per 15 minutes (429 with Retry-After). */
  startTestCall(body: StartTestCallBody, options: CallOptions = {}): Promise<StartTestCallAnswer> {
    return this.json('POST', '/v1/sip/test-call', { body, ...options });
  }

  /** Start tornado mode. Runs the scenarios, analyzes the failures, applies fixes to a fork of the version, and repeats this until all pass or the limit is reached. The fork becomes live only when you promote it. */
  startTornado(body: StartTornadoBody, options: CallOptions = {}): Promise<StartTornadoAnswer> {
    return this.json('POST', '/v1/agent-testing/tornado/start', { body, ...options });
  }

  /** Start a warm transfer. Puts the caller or callee on hold with music and calls the target, which then talks to the agent of the call. Works for any answered call, under the same rules for targets and limits as a bridged transfer. Returns once the target is being called; `consultation` of the active call has the stage. If the target does not answer, the caller returns to the agent, and `transfer` of the call has the reason. */
  startWarmTransfer(path: StartWarmTransferPath, body: StartWarmTransferBody, options: CallOptions = {}): Promise<StartWarmTransferAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/warm-transfer', { path, body, ...options });
  }

  /** Stop a batch. No further call is dialled; waiting calls end as cancelled within seconds. Active calls continue unless end_calls is true. */
  stopBatch(path: StopBatchPath, body: StopBatchBody = {}, options: CallOptions = {}): Promise<StopBatchAnswer> {
    return this.json('POST', '/v1/batches/{batch_id}/stop', { path, body, ...options });
  }

  /** Stop a call. Ends an answered call, cancels a ringing one, removes a queued one. Repeating the request changes nothing. */
  stopCall(path: StopCallPath, options: CallOptions = {}): Promise<StopCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/stop', { path, ...options });
  }

  /** Stream live events. Server-sent events: snapshot (everything; first, and after missed events), summary (changed parts of the overview), call, trunk, alert, test_call, registration, sighting (what arrived from your PBX), beat (every four seconds), end. Last-Event-ID resumes the stream if the missed events are still available. */
  streamEvents(query: StreamEventsQuery = {}, options: CallOptions = {}): Promise<Response> {
    return this.raw('GET', '/v1/noc/events', { query, ...options });
  }

  /** Switch to another organization. For people who belong to several organizations. The session gets a new cookie; the previous one ends. */
  switchOrganization(body: SwitchOrganizationBody, options: CallOptions = {}): Promise<SwitchOrganizationAnswer> {
    return this.json('PATCH', '/v1/session', { body, ...options });
  }

  /** Send a test notice to one alert contact. Set either `email` or `phone_number`, to one of the alert contacts. Returns when the mail server or SMS provider has responded, at most 20 seconds. At most 10 tests per 15 minutes for an organization. */
  testAlertContact(body: TestAlertContactBody = {}, options: CallOptions = {}): Promise<TestAlertContactAnswer> {
    return this.json('POST', '/v1/sip/alerts/contacts/test', { body, ...options });
  }

  /** Send a test notice to all channels of a direction. Returns when all recipients have responded, at most 20 seconds. At most 10 per 15 minutes for an organization. */
  testAlerts(body: TestAlertsBody, options: CallOptions = {}): Promise<TestAlertsAnswer> {
    return this.json('POST', '/v1/sip/alerts/test', { body, ...options });
  }

  /** Test a webhook endpoint. Sends the event webhook.test, regardless of the endpoint’s filter. The list of deliveries has the result under the event_id. */
  testWebhook(path: TestWebhookPath, options: CallOptions = {}): Promise<TestWebhookAnswer> {
    return this.json('POST', '/v1/webhooks/{webhook_id}/test', { path, ...options });
  }

  /** Transfer an active call. Same as a REFER from the agent. Works for any call, inbound or placed through the API, with the agent’s `X-Demarc-Call-ID`. Returns once the transfer has begun; the call’s record has the outcome. */
  transferCall(path: TransferCallPath, body: TransferCallBody, options: CallOptions = {}): Promise<TransferCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/transfer', { path, body, ...options });
  }

  /** Undo a fix of a tornado session. Restores the value before the fix in the fork, unless the field was changed since. */
  undoTornadoFix(path: UndoTornadoFixPath, body: UndoTornadoFixBody = {}, options: CallOptions = {}): Promise<UndoTornadoFixAnswer> {
    return this.json('POST', '/v1/agent-testing/tornado/{id}/fixes/{fix_id}/undo', { path, body, ...options });
  }

  /** Change a web agent. `tools` replaces the whole list. Omitted fields keep their value. */
  updateAgent(path: UpdateAgentPath, body: UpdateAgentBody = {}, options: CallOptions = {}): Promise<UpdateAgentAnswer> {
    return this.json('POST', '/v1/agents/{agent_id}', { path, body, ...options });
  }

  /** Acknowledge or mute an alert. Says who handles the alert, and mutes its notices. Omitted fields keep their value. */
  updateAlert(path: UpdateAlertPath, body: UpdateAlertBody = {}, options: CallOptions = {}): Promise<UpdateAlertAnswer> {
    return this.json('PATCH', '/v1/sip/alerts/{alert_id}', { path, body, ...options });
  }

  /** Change the alert contacts. Applies to every trunk whose `alert_config` enables email or SMS. A list you include replaces the current one; omitted lists are unchanged. */
  updateAlertContacts(body: UpdateAlertContactsBody = {}, options: CallOptions = {}): Promise<UpdateAlertContactsAnswer> {
    return this.json('PATCH', '/v1/sip/alerts/contacts', { body, ...options });
  }

  /** Change a contact. Omitted fields keep their value. `email` and `external_id` replace the primary one; null removes it. */
  updateContact(path: UpdateContactPath, body: UpdateContactBody = {}, options: CallOptions = {}): Promise<UpdateContactAnswer> {
    return this.json('PATCH', '/v1/contacts/{contact_id}', { path, body, ...options });
  }

  /** Add to the memory of a contact. What an agent needs to know in the next conversation: summary, facts, messages, open items, entities. Omitted fields keep their value, and lists add to what is there. Give messages a `timestamp`, or send an Idempotency-Key: then a repeated request adds none twice. The agent of a call writes with the call’s token, during the call and shortly after it; then the memory is that of the call’s persona. The last 50 messages are returned; 100 are kept. */
  updateContactMemory(path: UpdateContactMemoryPath, body: UpdateContactMemoryBody = {}, options: CallOptions = {}): Promise<UpdateContactMemoryAnswer> {
    return this.json('PATCH', '/v1/contacts/{contact_id}/memory', { path, body, ...options });
  }

  /** Change a direction of a number. Omitted fields keep their value; null clears a field. If the number has several configurations of the direction, pass `id`. */
  updateDirection(body: UpdateDirectionBody, options: CallOptions = {}): Promise<UpdateDirectionAnswer> {
    return this.json('POST', '/v1/sip/update', { body, ...options });
  }

  /** Acknowledge an incident. Says who handles it. Omitted fields keep their value. Incidents of the service are handled by operators. */
  updateIncident(path: UpdateIncidentPath, body: UpdateIncidentBody = {}, options: CallOptions = {}): Promise<UpdateIncidentAnswer> {
    return this.json('PATCH', '/v1/noc/incidents/{incident_id}', { path, body, ...options });
  }

  /** Rename or describe a knowledge base. Omitted fields keep their value; null clears the description. The text cannot be changed: learn a new one and delete this one. */
  updateKnowledge(path: UpdateKnowledgePath, body: UpdateKnowledgeBody = {}, options: CallOptions = {}): Promise<UpdateKnowledgeAnswer> {
    return this.json('PUT', '/v1/knowledge/{id}', { path, body, ...options });
  }

  /** Change a maintenance window. Omitted fields keep their value. Applies to alerts within seconds. */
  updateMaintenanceWindow(path: UpdateMaintenanceWindowPath, body: UpdateMaintenanceWindowBody = {}, options: CallOptions = {}): Promise<UpdateMaintenanceWindowAnswer> {
    return this.json('PATCH', '/v1/sip/maintenance-windows/{window_id}', { path, body, ...options });
  }

  /** Change the role of a member. Applies to the member’s next request. A key can give and take only roles with no more rights than its own. The last owner stays owner. */
  updateMember(path: UpdateMemberPath, body: UpdateMemberBody, options: CallOptions = {}): Promise<UpdateMemberAnswer> {
    return this.json('PATCH', '/v1/members/{member_id}', { path, body, ...options });
  }

  /** Change the role of a member. For operators only. Applies to the member’s next request. A key can give and take only roles with no more rights than its own. The last owner stays owner. */
  updateMemberForOrganization(path: UpdateMemberForOrganizationPath, body: UpdateMemberForOrganizationBody, options: CallOptions = {}): Promise<UpdateMemberForOrganizationAnswer> {
    return this.json('PATCH', '/v1/operator/organizations/{organization_id}/members/{member_id}', { path, body, ...options });
  }

  /** Change a direction of many numbers. Like `/v1/sip/update`, for up to 100 numbers. Each succeeds or fails on its own; `failed` lists the failures. */
  updateNumbers(body: UpdateNumbersBody, options: CallOptions = {}): Promise<UpdateNumbersAnswer> {
    return this.json('POST', '/v1/sip/numbers/update', { body, ...options });
  }

  /** Change the entitlement and limits of an organization. For operators only. Omitted fields keep their value; null in `limits` restores the value of the service. Active calls continue. Without the SIP entitlement the API and the dashboard refuse the organization; its numbers stay attached and take calls. */
  updateOrganization(path: UpdateOrganizationPath, body: UpdateOrganizationBody = {}, options: CallOptions = {}): Promise<UpdateOrganizationAnswer> {
    return this.json('PATCH', '/v1/operator/organizations/{organization_id}', { path, body, ...options });
  }

  /** Change a pathway. The document replaces that of the draft, which is created if missing, and takes effect with the next promotion. Name and description change at once. Omitted fields keep their value. */
  updatePathway(path: UpdatePathwayPath, body: UpdatePathwayBody = {}, options: CallOptions = {}): Promise<UpdatePathwayAnswer> {
    return this.json('PATCH', '/v1/pathways/{id}', { path, body, ...options });
  }

  /** Change a persona. kb_ids, prompts and agent change the draft, which is made from the live version if there is none: calls get them after the next promotion. Name, role, description, tags and metadata change at once. Omitted fields keep their value. */
  updatePersona(path: UpdatePersonaPath, body: UpdatePersonaBody = {}, options: CallOptions = {}): Promise<UpdatePersonaAnswer> {
    return this.json('PATCH', '/v1/personas/{id}', { path, body, ...options });
  }

  /** Change or pause a test monitor. Omitted fields keep their value. `enabled` false pauses it; calls that end meanwhile are not judged. Scenario, number and persona stay, so that results are comparable. */
  updateTestMonitor(path: UpdateTestMonitorPath, body: UpdateTestMonitorBody = {}, options: CallOptions = {}): Promise<UpdateTestMonitorAnswer> {
    return this.json('PATCH', '/v1/agent-testing/monitors/{id}', { path, body, ...options });
  }

  /** Change a test scenario. Omitted fields keep their value; `assertions` replaces all of them. Runs that were started before keep the scenario as it was. */
  updateTestScenario(path: UpdateTestScenarioPath, body: UpdateTestScenarioBody = {}, options: CallOptions = {}): Promise<UpdateTestScenarioAnswer> {
    return this.json('PUT', '/v1/agent-testing/scenarios/{id}', { path, body, ...options });
  }

  /** Change or pause a test schedule. Omitted fields keep their value. `enabled` false pauses it; runs in progress continue. A change of `recurrence` or `enabled` sets the next time again. */
  updateTestSchedule(path: UpdateTestSchedulePath, body: UpdateTestScheduleBody = {}, options: CallOptions = {}): Promise<UpdateTestScheduleAnswer> {
    return this.json('PATCH', '/v1/agent-testing/schedules/{id}', { path, body, ...options });
  }

  /** Change a shared trunk and all its numbers. Omitted fields keep their value. All numbers of the trunk change together, from the next call on; active calls continue. */
  updateTrunk(path: UpdateTrunkPath, body: UpdateTrunkBody = {}, options: CallOptions = {}): Promise<UpdateTrunkAnswer> {
    return this.json('PATCH', '/v1/trunks/{trunk_id}', { path, body, ...options });
  }

  /** Change, enable or disable a webhook endpoint. Omitted fields keep their value. Pending deliveries go to the new URL. */
  updateWebhook(path: UpdateWebhookPath, body: UpdateWebhookBody = {}, options: CallOptions = {}): Promise<UpdateWebhookAnswer> {
    return this.json('PATCH', '/v1/webhooks/{webhook_id}', { path, body, ...options });
  }

  /** Upload a bill or an invoice. A utility bill or an invoice of the losing carrier, not older than 30 days, with account name and service address. PDF, JPEG, PNG, GIF or WebP, at most 10 MB, recognized by its content. It is stored encrypted. An `Idempotency-Key` has no effect: each upload is a document, and unused ones are deleted after 30 days. */
  uploadPortDocument(body: UploadPortDocumentBody, options: CallOptions = {}): Promise<UploadPortDocumentAnswer> {
    return this.json('POST', '/v1/sip/port/document', { body, ...options });
  }

  /** Withdraw an invitation. Its link no longer works. */
  withdrawInvitation(path: WithdrawInvitationPath, options: CallOptions = {}): Promise<WithdrawInvitationAnswer> {
    return this.json('DELETE', '/v1/invitations/{invitation_id}', { path, ...options });
  }

  /** Withdraw an invitation. For operators only. Its link no longer works. */
  withdrawInvitationForOrganization(path: WithdrawInvitationForOrganizationPath, options: CallOptions = {}): Promise<WithdrawInvitationForOrganizationAnswer> {
    return this.json('DELETE', '/v1/operator/organizations/{organization_id}/invitations/{invitation_id}', { path, ...options });
  }
}


/* Generated from the description of the API: npm run client:typescript. Do not edit. */

import { type CallOptions, Requests } from './requests.js';

export type Alert = {
  /** Id of an alert. */
  alert_id: string;
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** What it is. */
  kind: "unreachable" | "failure_rate" | "response_time";
  /** closed: its threshold was taken away while it was active; nobody is told */
  state: "active" | "recovered" | "closed";
  /** Heading of the alert. */
  title: string;
  /** What, with figures */
  summary: string;
  /** The likely one */
  cause: string;
  /** What to do */
  advice: string;
  /** When it began */
  since: string;
  /** When the alert was raised, ISO 8601 in UTC. */
  fired_at: string;
  /** When it was over, ISO 8601 in UTC; null: it is active. */
  recovered_at: string | null;
  /** Value that was measured; null: none. */
  measured: number | null;
  /** Value from which the alert is raised. */
  threshold: number;
  /** Unit of `measured` and `threshold`. */
  unit: "minutes" | "percent" | "milliseconds";
  /** Page of the trunk on the dashboard. */
  dashboard_url: string;
  /** Who was told of it, and how that went. */
  notices: Delivery[];
};

export type AttachedDirection = {
  /** A number of yours, E.164 with plus. */
  number: string;
  /** Its id. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
  sip_endpoint: string | null;
  /** Where calls to the number are forwarded to; null: the service’s own agents. */
  agent: string | null;
  /** Where the service registers; null: at the first outbound server, or not at all. */
  registrar: string | null;
  /** When it was made, ISO 8601 in UTC. */
  created_at: string;
  /** When it was changed last, ISO 8601 in UTC. */
  updated_at: string;
  /** Mappings of SIP headers and variables. */
  headers: {
    /** Same as that of the configuration. */
    direction: "inbound" | "outbound";
    /** The mappings, at most 15. */
    headers: Record<string, unknown>[];
  } | null;
  /** Further settings of the connection. */
  options: {
    /** How the two sides know each other: `ip` by address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** Port, 1–65535. */
    port?: number | undefined;
    /** SIP transport: udp, tcp or tls. */
    transport?: "udp" | "tcp" | "tls" | undefined;
    /** True: SRTP; false: plain RTP. */
    secure_media?: boolean | undefined;
    /** User name for digest challenges. */
    sip_username?: string | undefined;
    /** Password for digest challenges; `[redacted]` where it is already stored. */
    sip_password?: "[redacted]" | undefined;
    /** The one realm whose challenges the credentials answer; absent: any. */
    sip_realm?: string | undefined;
    /** PEM: the CA of the server, or its own certificate, in place of the authorities that the edge trusts; absent: those. */
    tls_ca?: string | undefined;
  };
  /** User name and password of the registration; null: none. */
  register_auth: {
    /** The user name. */
    username: string;
    /** The password; `[redacted]` where it is already stored. */
    password: "[redacted]";
  } | null;
  /** Addresses and CIDRs that may call; null: not configured. */
  allowed_ips: string[] | null;
  /** Backup servers of the outbound direction; null: none. */
  failover_config: {
    /** False: kept, but not used. Default true. */
    enabled: boolean;
    /** Servers. */
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
    /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
    failback: "auto" | "manual";
  } | null;
  /** Codecs of the direction; null: the default ones. */
  codec_config: {
    /** Codecs, in order of preference. */
    codecs: string[];
    /** True: codecs that the other side lacks are converted. Default false. */
    transcode: boolean;
  } | null;
  /** When and how you are alerted; null: not configured. */
  alert_config: {
    /** False: kept, but not used. Default true. */
    enabled: boolean;
    /** Values from which an alert is raised. */
    thresholds: {
      /** Alert when the trunk is unreachable for this many minutes. */
      unreachable_minutes?: number | undefined;
      /** Alert when more than this share of calls fails, in percent. */
      failure_rate_percent?: number | undefined;
      /** Minutes over which the failure rate is measured. */
      failure_rate_window_minutes?: number | undefined;
      /** Alert when the trunk answers probes slower than this, in milliseconds. */
      response_time_ms?: number | undefined;
    };
    /** Channels of notices. */
    channels: {
      /** True: by mail. */
      email?: boolean | undefined;
      /** True: by SMS. */
      sms?: boolean | undefined;
      /** URL that is posted to. */
      webhook?: string | undefined;
    };
  } | null;
  /** Limits of calls; null: none of its own. */
  limits: {
    /** Most calls of the number at a time, both directions together. */
    concurrent_calls?: number | undefined;
    /** Calls begun per second. */
    calls_per_second?: number | undefined;
    /** Seconds from the answer after which the call is ended. */
    max_duration_seconds?: number | undefined;
  } | null;
  /** How calls are transferred; null: the defaults. */
  transfer_config: {
    /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
    mode: "refer" | "bridge";
    /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
    fallback: boolean;
    /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
    allowed_targets?: string[] | undefined;
  } | null;
};

export type Call = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Call-ID header of the trunk's leg */
  sip_call_id: string;
  /** E.164 with plus, such as +14155550100. */
  phone_number: string | null;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** Who calls. */
  from: string;
  /** Who is called. */
  to: string;
  /** Its state. */
  status: string | null;
  /** SIP status of the final answer; null: there was none. */
  sip_code: number | null;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by us) or `failed`. */
  outcome: "completed" | "cancelled" | "refused" | "failed";
  /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
  /** Who ended it. */
  ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api";
  /** Why it ended, in plain words */
  cause: string;
  /** What to do about it */
  advice: string;
  /** From answer to end; 0 when never answered */
  duration_seconds: number;
  /** ISO 8601 in UTC */
  started_at: string;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** ISO 8601 in UTC */
  ended_at: string;
  /** Address that the call came from, or went to. */
  source_ip: string;
};

export type CallBatch = {
  /** Id of the batch */
  batch_id: string;
  /** Your own text */
  name: string;
  /** The number that calls */
  from: string;
  /** scheduled: its time has not come; stopping: no more calls are dialled, some are active; completed: every call is over */
  status: "scheduled" | "running" | "stopping" | "stopped" | "completed";
  /** Calls of the batch */
  total: number;
  /** How far the calls have come; together they are total */
  progress: {
    /** Not dialled yet */
    waiting: number;
    /** Being dialled, ringing or answered */
    active: number;
    /** Answered and over */
    completed: number;
    /** Over without an answer */
    failed: number;
    /** Stopped before they were answered */
    cancelled: number;
  };
  /** When the batch was ordered */
  created_at: string;
  /** Not dialled before; null: at once */
  scheduled_at: string | null;
  /** Calls that could not be dialled by then are given up */
  until: string;
  /** When it was stopped; null: it was not */
  stopped_at: string | null;
};

export type CallDetail = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Call-ID header of the trunk's leg */
  sip_call_id: string;
  /** E.164 with plus, such as +14155550100. */
  phone_number: string | null;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** Who calls. */
  from: string;
  /** Who is called. */
  to: string;
  /** Its state. */
  status: string | null;
  /** SIP status of the final answer; null: there was none. */
  sip_code: number | null;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by us) or `failed`. */
  outcome: "completed" | "cancelled" | "refused" | "failed";
  /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
  /** Who ended it. */
  ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api";
  /** Why it ended, in plain words */
  cause: string;
  /** What to do about it */
  advice: string;
  /** From answer to end; 0 when never answered */
  duration_seconds: number;
  /** ISO 8601 in UTC */
  started_at: string;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** ISO 8601 in UTC */
  ended_at: string;
  /** Address that the call came from, or went to. */
  source_ip: string;
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
  /** What a person should know or do */
  detail: string | null;
  /** Call-ID header of the agent's leg; null: there was none. */
  agent_sip_call_id: string | null;
  /** Codecs, encryption and RTP statistics; null: no media was agreed. */
  media: {
    /** Codec on the trunk's side. */
    trunk_codec: string | null;
    /** Codec on the agent's side. */
    agent_codec: string | null;
    /** SRTP suite on the trunk's side; null: plain RTP. */
    srtp_suite: string | null;
    /** RTP statistics of both sides. */
    rtp: {
      /** RTP on the trunk's side; null: not known. */
      trunk: {
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
      } | null;
      /** RTP on the agent's side; null: not known. */
      agent: {
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
      } | null;
    };
  } | null;
  /** Each transfer that was asked for, with its outcome */
  transfers: {
    /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
    mode: "refer" | "bridge" | "attended" | "replaced";
    /** Who asked for it. */
    requested_by: "trunk" | "agent" | "api";
    /** Target, as it was requested. */
    target: string;
    /** Outcome of the transfer. */
    status: "completed" | "failed" | "unknown";
    /** Why it ended so. */
    reason: "completed" | "rejected" | "forbidden" | "no_answer" | "unreachable" | "call_ended" | "subscription_terminated" | "media_failed" | "limit" | "internal_error";
    /** SIP status; null: there was no answer. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** Further facts for people; null: none. */
    detail: string | null;
    /** When it was requested, ISO 8601 in UTC. */
    requested_at: string;
    /** When it was over, ISO 8601 in UTC; null: it is not. */
    completed_at: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string | null;
    /** Id of the other call of an attended transfer. */
    other_call_id: string | null;
  }[];
  /** Of a call from us: each server that was tried, in order */
  attempts: {
    /** The server, as `host:port;transport=…`. */
    server: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string;
    /** When it started, ISO 8601 in UTC; null: not yet. */
    started_at: string;
    /** Milliseconds that it took. */
    duration_milliseconds: number;
    /** SIP status; null: there was no answer. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** True: no server answered; the status is ours. */
    is_local: boolean;
    /** Why the next server was tried; null: it was not. */
    trigger: "unreachable" | "timeout" | "auth_failure" | null;
  }[];
  /** Every SIP message of the call, in order. */
  trace: {
    /** When it was sent or received, ISO 8601 in UTC. */
    at: string;
    /** Which side of the call the message belongs to. */
    leg: "trunk" | "agent" | "unknown";
    /** `in`: we received it; `out`: we sent it. */
    direction: "received" | "sent";
    /** SIP transport. */
    protocol: "udp" | "tcp" | "tls";
    /** Where the message came from, `address:port`. */
    source: string;
    /** Where the message went, `address:port`. */
    destination: string;
    /** In one line. */
    summary: string;
    /** The message as it was on the wire, without secrets. */
    message: string;
  }[];
  /** True: messages were left out because there were too many. */
  trace_truncated: boolean;
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
    /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
    end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
    /** Who ended it. */
    ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api";
    /** How it ended: `completed` (answered), `cancelled`, `refused` (by us) or `failed`. */
    outcome: "completed" | "cancelled" | "refused" | "failed";
    /** SIP status; null: there was no answer. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** Further facts for people; null: none. */
    detail: string | null;
    /** Why, in plain words. */
    cause: string;
    /** What to do about it. */
    advice: string;
  } | null;
};

export type CallFigures = {
  /** Answered and not ended; null while Redis is away */
  active: number | null;
  /** Calls that are not answered yet; null: not known. */
  ringing: number | null;
  /** Begun, mean of the last ten seconds */
  calls_per_second: number | null;
  /** Of the calls that ended within it; null while the database is away */
  windows: {
    /** Of the last five minutes. */
    "5m": {
      /** Servers that were tried, in order. */
      attempts: number;
      /** Answered calls. */
      answered: number;
      /** Share of attempts that were answered, in percent; null: no attempts. */
      answer_rate_percent: number | null;
      /** INVITE to 200, of answered calls */
      average_setup_ms: number | null;
      /** INVITE to the first ringing */
      average_post_dial_delay_ms: number | null;
      /** How many failed. */
      failed: number;
      /** Most frequent first */
      failures: {
        /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
        end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
        /** SIP status; null: there was no answer. */
        sip_status: number | null;
        /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
        direction: "inbound" | "outbound";
        /** How many. */
        count: number;
        /** Why, in plain words. */
        cause: string;
        /** What to do about it. */
        advice: string;
      }[];
    };
    /** Of the last hour. */
    "1h": {
      /** Servers that were tried, in order. */
      attempts: number;
      /** Answered calls. */
      answered: number;
      /** Share of attempts that were answered, in percent; null: no attempts. */
      answer_rate_percent: number | null;
      /** INVITE to 200, of answered calls */
      average_setup_ms: number | null;
      /** INVITE to the first ringing */
      average_post_dial_delay_ms: number | null;
      /** How many failed. */
      failed: number;
      /** Most frequent first */
      failures: {
        /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
        end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
        /** SIP status; null: there was no answer. */
        sip_status: number | null;
        /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
        direction: "inbound" | "outbound";
        /** How many. */
        count: number;
        /** Why, in plain words. */
        cause: string;
        /** What to do about it. */
        advice: string;
      }[];
    };
    /** Of the last 24 hours. */
    "24h": {
      /** Servers that were tried, in order. */
      attempts: number;
      /** Answered calls. */
      answered: number;
      /** Share of attempts that were answered, in percent; null: no attempts. */
      answer_rate_percent: number | null;
      /** INVITE to 200, of answered calls */
      average_setup_ms: number | null;
      /** INVITE to the first ringing */
      average_post_dial_delay_ms: number | null;
      /** How many failed. */
      failed: number;
      /** Most frequent first */
      failures: {
        /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
        end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error";
        /** SIP status; null: there was no answer. */
        sip_status: number | null;
        /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
        direction: "inbound" | "outbound";
        /** How many. */
        count: number;
        /** Why, in plain words. */
        cause: string;
        /** What to do about it. */
        advice: string;
      }[];
    };
  } | null;
};

export type CallSeries = {
  /** Time range that is looked back on. */
  window: "1h" | "24h" | "7d" | "30d";
  /** Seconds that one bucket covers. */
  bucket_seconds: number;
  /** Figures by time, oldest first, without gaps. */
  buckets: {
    /** When, ISO 8601 in UTC. */
    at: string;
    /** Servers that were tried, in order. */
    attempts: number;
    /** Answered calls. */
    answered: number;
    /** How many failed. */
    failed: number;
    /** Share of attempts that were answered, in percent; null: no attempts. */
    answer_rate_percent: number | null;
    /** Mean milliseconds from INVITE to its 200; null: none was answered. */
    average_setup_ms: number | null;
    /** Mean milliseconds from INVITE to the first ringing; null: none rang. */
    average_post_dial_delay_ms: number | null;
  }[];
};

export type Configuration = {
  /** A number of yours, E.164 with plus. */
  number: string;
  /** Its id. */
  id: string;
  /** Id of your organization. */
  org_id: string;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
  sip_endpoint: string | null;
  /** Where calls to the number are forwarded to; null: the service’s own agents. */
  agent: string | null;
  /** Where the service registers; null: at the first outbound server, or not at all. */
  registrar: string | null;
  /** When it was made, ISO 8601 in UTC. */
  created_at: string;
  /** When it was changed last, ISO 8601 in UTC. */
  updated_at: string;
  /** Mappings of SIP headers and variables. */
  headers: {
    /** Same as that of the configuration. */
    direction: "inbound" | "outbound";
    /** The mappings, at most 15. */
    headers: Record<string, unknown>[];
  } | null;
  /** Further settings of the connection. */
  options: {
    /** How the two sides know each other: `ip` by address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** Port, 1–65535. */
    port?: number | undefined;
    /** SIP transport: udp, tcp or tls. */
    transport?: "udp" | "tcp" | "tls" | undefined;
    /** True: SRTP; false: plain RTP. */
    secure_media?: boolean | undefined;
    /** User name for digest challenges. */
    sip_username?: string | undefined;
    /** Password for digest challenges; `[redacted]` where it is already stored. */
    sip_password?: "[redacted]" | undefined;
    /** The one realm whose challenges the credentials answer; absent: any. */
    sip_realm?: string | undefined;
    /** PEM: the CA of the server, or its own certificate, in place of the authorities that the edge trusts; absent: those. */
    tls_ca?: string | undefined;
  };
  /** User name and password of the registration; null: none. */
  register_auth: {
    /** The user name. */
    username: string;
    /** The password; `[redacted]` where it is already stored. */
    password: "[redacted]";
  } | null;
  /** Addresses and CIDRs that may call; null: not configured. */
  allowed_ips: string[] | null;
};

export type Delivery = {
  /** Id of a delivery. */
  delivery_id: string;
  /** What happened. */
  event: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "webhook.test" | "alert.test" | "call.lost" | "port.signature_request" | "port.signed_copy";
  /** What it is about: call_id, alert_id, server, or the name of a registration */
  subject: string;
  /** The endpoint of /v1/webhooks; null: the webhook of an order or alert, a mail or an SMS */
  webhook_id: string | null;
  /** Of an endpoint’s delivery: event_id of its body */
  event_id: string | null;
  /** Channel of a notice. */
  channel: "email" | "sms" | "webhook";
  /** Address, number or URL; the query of a URL is not shown */
  target: string;
  /** Its state. */
  status: "pending" | "delivered" | "failed";
  /** Servers that were tried, in order. */
  attempts: number;
  /** HTTP or SMTP status of the last attempt */
  last_status: number | null;
  /** What went wrong last; null: nothing did. */
  last_error: string | null;
  /** When it was made, ISO 8601 in UTC. */
  created_at: string;
  /** When it was tried last, ISO 8601 in UTC; null: not yet. */
  last_attempt_at: string | null;
  /** When it is tried next, ISO 8601 in UTC; null: no more. */
  next_attempt_at: string | null;
  /** When the recipient accepted it, ISO 8601 in UTC; null: not yet. */
  delivered_at: string | null;
};

export type DeliveryDetail = {
  /** Id of a delivery. */
  delivery_id: string;
  /** What happened. */
  event: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "webhook.test" | "alert.test" | "call.lost" | "port.signature_request" | "port.signed_copy";
  /** What it is about: call_id, alert_id, server, or the name of a registration */
  subject: string;
  /** The endpoint of /v1/webhooks; null: the webhook of an order or alert, a mail or an SMS */
  webhook_id: string | null;
  /** Of an endpoint’s delivery: event_id of its body */
  event_id: string | null;
  /** Channel of a notice. */
  channel: "email" | "sms" | "webhook";
  /** Address, number or URL; the query of a URL is not shown */
  target: string;
  /** Its state. */
  status: "pending" | "delivered" | "failed";
  /** Servers that were tried, in order. */
  attempts: number;
  /** HTTP or SMTP status of the last attempt */
  last_status: number | null;
  /** What went wrong last; null: nothing did. */
  last_error: string | null;
  /** When it was made, ISO 8601 in UTC. */
  created_at: string;
  /** When it was tried last, ISO 8601 in UTC; null: not yet. */
  last_attempt_at: string | null;
  /** When it is tried next, ISO 8601 in UTC; null: no more. */
  next_attempt_at: string | null;
  /** When the recipient accepted it, ISO 8601 in UTC; null: not yet. */
  delivered_at: string | null;
  /** What is sent; null: made of the call when it is sent */
  body: Record<string, unknown> | null;
  /** Each attempt, also those before a replay; latest first, at most 100 */
  attempt_log: {
    /** When the attempt ended */
    at: string;
    /** HTTP or SMTP status of the answer; null: none came */
    status: number | null;
    /** Why it failed; null: delivered */
    error: string | null;
    /** Duration of the attempt in milliseconds */
    milliseconds: number;
  }[];
};

export type EdgeSummary = {
  /** Its id. */
  id: string;
  /** Version of the software. */
  version: string;
  /** Since when, ISO 8601 in UTC. */
  since: string;
  /** When it was last heard of, ISO 8601 in UTC. */
  seen_at: string;
  /** Its state. */
  state: "up" | "degraded" | "draining" | "down";
  /** The SIP engine. */
  engine: {
    /** Whether it works. */
    up: boolean;
    /** `embedded`, or `drachtio` for a drachtio-server. */
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
  /** Whether the edge reaches Redis. */
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
    /** Call records not yet handed to Redis. */
    records_waiting: number;
    /** Media sessions still to be deleted. */
    owed_deletions: number;
  };
  /** Calls begun per second. */
  calls_per_second: number;
  /** 99th percentile of event loop delay since the last heartbeat, in milliseconds. */
  event_loop_delay_ms: number;
  /** Resident memory in bytes. */
  memory_bytes: number;
};

/** A stable code: programs may compare it. See docs/errors.md. */
export type ErrorCode = "AGENT_CREDENTIALS_FULL" | "VALIDATION_ERROR" | "UNAUTHORIZED" | "SIP_NOT_ENABLED" | "NOT_FOUND" | "FOREIGN_ORIGIN" | "OPERATOR_ONLY" | "METHOD_NOT_ALLOWED" | "AMBIGUOUS_CONFIGURATION" | "DUPLICATE_CONFIGURATION" | "NO_BACKUP_SERVER" | "DISCOVERY_UNAVAILABLE" | "DISCOVERY_RUNNING" | "UNSUPPORTED_MEDIA_TYPE" | "TOO_MANY_REQUESTS" | "INTERNAL_SERVER_ERROR" | "PRECONDITION_FAILED" | "INSUFFICIENT_SCOPE" | "TOO_MANY_KEYS" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "SECRET_KEY_MISSING" | "SERVICE_UNAVAILABLE" | "CALL_NOT_READY" | "CALL_ACTION_FAILED" | "TRANSFER_NOT_POSSIBLE" | "TRANSFER_FORBIDDEN" | "CALLS_UNAVAILABLE" | "LIVE_STATE_UNAVAILABLE" | "LIVE_CALL_UNAVAILABLE" | "TOO_MANY_CALLS_WAITING" | "NO_EDGE_READY" | "NUMBER_QUEUE_FULL" | "FAILOVER_UNAVAILABLE" | "INVALID_PHONE_NUMBER" | "NUMBER_TAKEN" | "NUMBER_NOT_PROVEN" | "TOO_MANY_CONFIGURATIONS" | "NUMBER_USES_TRUNK" | "TRUNK_IN_USE" | "TOO_MANY_WEBHOOK_ENDPOINTS" | "WEBHOOK_DISABLED" | "DELIVERY_NOT_REPLAYABLE" | "TOO_MANY_UPCOMING_CALLS" | "TEST_CALL_LIMIT" | "CARRIER_UNAVAILABLE" | "DOCUMENTS_UNAVAILABLE" | "NUMBER_PORTING" | "PORT_MOVE_NOT_ALLOWED" | "NO_REGISTRAR" | "NO_ALLOWED_IPS";

export type FailoverState = {
  /** The server that calls go to first */
  active: string;
  /** It is not the first one */
  failed_over: boolean;
  /** When the first server failed */
  since: string | null;
  /** Why, as a stable code; null: there is nothing to explain. */
  reason: "unreachable" | "timeout" | "auth_failure" | null;
  /** Further facts for people; null: none. */
  detail: string | null;
  /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
  failback: "auto" | "manual";
  /** The servers that calls go past */
  out: {
    /** The server, as `host:port;transport=…`; null: none. */
    endpoint: string;
    /** Since when, ISO 8601 in UTC. */
    since: string;
    /** Why, as a stable code; null: there is nothing to explain. */
    reason: "unreachable" | "timeout" | "auth_failure";
    /** Further facts for people; null: none. */
    detail: string;
    /** In a row since the failure */
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
    /** What was wrong, for people. */
    message: string;
    /** The field that is wrong, as `directions.0.options.port`. */
    path?: string | undefined;
  }[];
  /** Names the request in the log, as the header `x-request-id` does. */
  request_id?: string | undefined;
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
    /** Further facts for people; null: none. */
    detail: string;
  };
  /** PostgreSQL. */
  database: {
    /** Its state. */
    state: "up" | "degraded" | "down" | "unknown";
    /** Round trip in milliseconds; null: no answer. */
    round_trip_ms: number | null;
    /** Further facts for people; null: none. */
    detail: string;
  };
  /** The control process that answers. */
  control: {
    /** Version of the software. */
    version: string;
    /** Since when, ISO 8601 in UTC. */
    since: string;
    /** State of each component. */
    parts: {
      /** Its name. */
      name: string;
      /** Whether it works. */
      ready: boolean;
      /** Further facts for people; null: none. */
      detail: string;
    }[];
  };
  /** The calls. */
  calls: CallFigures;
  /** Totals of each organization. */
  organizations: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
    /** Answered calls that have not ended; null: not known. */
    active: number;
    /** Attempts of the last hour. */
    attempts_1h: number;
    /** Answered calls of the last hour. */
    answered_1h: number;
    /** Failed calls of the last hour. */
    failed_1h: number;
  }[];
};

export type HealthHistory = {
  /** Time range that is looked back on. */
  window: "24h" | "7d" | "30d";
  /** Seconds that one bucket covers. */
  bucket_seconds: number;
  /** Servers. */
  endpoints: {
    /** The server, as `host:port;transport=…`; null: none. */
    endpoint: string;
    /** Share of probes that found it reachable, in percent; null: no probes. */
    uptime_percent: number | null;
    /** Figures by time, oldest first, without gaps. */
    buckets: {
      /** When, ISO 8601 in UTC. */
      at: string;
      /** Probes within the bucket. */
      checks: number;
      /** Share of probes that found it reachable, in percent; null: no probes. */
      uptime_percent: number | null;
      /** Mean of the answered checks */
      response_time_ms: number | null;
    }[];
  }[];
};

export type Key = {
  /** Its id. */
  id: string;
  /** What the key is for. */
  name: string;
  /** Its first characters, to tell keys apart. */
  prefix: string;
  /** What the key may do; null: everything its organization may. */
  scopes: ("trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "calls:read" | "calls:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write")[] | null;
  /** Sees the fleet and the totals of all organizations. */
  operator: boolean;
  /** When it was made, ISO 8601 in UTC. */
  created_at: string;
  /** From then on the key is refused; null: it does not expire. */
  expires_at: string | null;
  /** Last request with the key, to the minute; null: none. */
  last_used_at: string | null;
  /** When the key was revoked; null: it was not. */
  revoked_at: string | null;
};

export type LiveCall = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** Who calls. */
  from: string;
  /** Who is called. */
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
    /** Other side of the trunk's leg, `address:port`; empty: not known yet. */
    address: string;
    /** SIP transport. */
    protocol: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string;
  };
  /** Codecs, encryption and RTP statistics; null: no media was agreed. */
  media: {
    /** Codec on the trunk's side; null: not agreed yet. */
    codec: string | null;
    /** SRTP suite on the trunk's side; null: plain RTP. */
    srtp_suite: string | null;
  } | null;
  /** Id of the organization; null: the number belongs to none. */
  organization_id: string | null;
  /** E.164 with plus, such as +14155550100. */
  phone_number: string | null;
  /** The From header of the INVITE. */
  from_header: string;
  /** The To header of the INVITE. */
  to_header: string;
  /** For operators only */
  edge_id: string | null;
};

export type LiveCallDetail = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Call-ID header of the trunk's leg */
  sip_call_id: string;
  /** E.164 with plus, such as +14155550100. */
  phone_number: string | null;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** Who calls. */
  from: string;
  /** Who is called. */
  to: string;
  /** Its state. */
  status: string | null;
  /** SIP status of the final answer; null: there was none. */
  sip_code: number | null;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by us) or `failed`. */
  outcome: "completed" | "cancelled" | "refused" | "failed" | null;
  /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
  end_reason: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | null;
  /** Who ended it. */
  ended_by: "caller" | "callee" | "agent" | "target" | "edge" | "api" | null;
  /** Why, in plain words. */
  cause: string | null;
  /** What to do about it. */
  advice: string | null;
  /** From answer to end; 0 when never answered */
  duration_seconds: number;
  /** ISO 8601 in UTC */
  started_at: string;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** When the call ended, ISO 8601 in UTC; null: it is active. */
  ended_at: string | null;
  /** Address that the call came from, or went to. */
  source_ip: string;
  /** `ending`: over, but the record is not written yet */
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
  /** What a person should know or do */
  detail: string | null;
  /** Call-ID header of the agent's leg; null: there was none. */
  agent_sip_call_id: string | null;
  /** Codecs, encryption and RTP statistics; null: no media was agreed. */
  media: {
    /** Codec on the trunk's side. */
    trunk_codec: string | null;
    /** Codec on the agent's side. */
    agent_codec: string | null;
    /** SRTP suite on the trunk's side; null: plain RTP. */
    srtp_suite: string | null;
    /** RTP statistics of both sides. */
    rtp: {
      /** RTP on the trunk's side; null: not known. */
      trunk: {
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
      } | null;
      /** RTP on the agent's side; null: not known. */
      agent: {
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
      } | null;
    };
  } | null;
  /** Each transfer that was asked for, with its outcome */
  transfers: {
    /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
    mode: "refer" | "bridge" | "attended" | "replaced";
    /** Who asked for it. */
    requested_by: "trunk" | "agent" | "api";
    /** Target, as it was requested. */
    target: string;
    /** Outcome of the transfer. */
    status: "completed" | "failed" | "unknown";
    /** Why it ended so. */
    reason: "completed" | "rejected" | "forbidden" | "no_answer" | "unreachable" | "call_ended" | "subscription_terminated" | "media_failed" | "limit" | "internal_error";
    /** SIP status; null: there was no answer. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** Further facts for people; null: none. */
    detail: string | null;
    /** When it was requested, ISO 8601 in UTC. */
    requested_at: string;
    /** When it was over, ISO 8601 in UTC; null: it is not. */
    completed_at: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string | null;
    /** Id of the other call of an attended transfer. */
    other_call_id: string | null;
  }[];
  /** Of a call from us: each server that was tried, in order */
  attempts: {
    /** The server, as `host:port;transport=…`. */
    server: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string;
    /** When it started, ISO 8601 in UTC; null: not yet. */
    started_at: string;
    /** Milliseconds that it took. */
    duration_milliseconds: number;
    /** SIP status; null: there was no answer. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** True: no server answered; the status is ours. */
    is_local: boolean;
    /** Why the next server was tried; null: it was not. */
    trigger: "unreachable" | "timeout" | "auth_failure" | null;
  }[];
  /** Every SIP message of the call, in order. */
  trace: {
    /** When it was sent or received, ISO 8601 in UTC. */
    at: string;
    /** Which side of the call the message belongs to. */
    leg: "trunk" | "agent" | "unknown";
    /** `in`: we received it; `out`: we sent it. */
    direction: "received" | "sent";
    /** SIP transport. */
    protocol: "udp" | "tcp" | "tls";
    /** Where the message came from, `address:port`. */
    source: string;
    /** Where the message went, `address:port`. */
    destination: string;
    /** In one line. */
    summary: string;
    /** The message as it was on the wire, without secrets. */
    message: string;
  }[];
  /** True: messages were left out because there were too many. */
  trace_truncated: boolean;
  /** When this was so */
  at: string;
  /** The transfer that goes on; those with an outcome are in `transfers` */
  open_transfer: {
    /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
    mode: "refer" | "bridge" | "attended" | "replaced";
    /** Who asked for it. */
    requested_by: "trunk" | "agent" | "api";
    /** Where it goes. */
    target: string;
    /** When it was requested, ISO 8601 in UTC. */
    requested_at: string;
  } | null;
  /** True: put on hold by the API. */
  on_hold: boolean;
};

export type LiveCalls = {
  /** Newest first, at most 1,000 */
  calls: LiveCall[];
  /** How many in all. */
  total: number;
  /** True: there are more than are listed. */
  truncated: boolean;
  /** When, ISO 8601 in UTC. */
  at: string;
};

export type NocSummary = {
  /** When, ISO 8601 in UTC. */
  at: string;
  /** State of each component. */
  parts: {
    /** The edges. */
    edges: "up" | "degraded" | "down" | "unknown";
    /** Codecs, encryption and RTP statistics; null: no media was agreed. */
    media: "up" | "degraded" | "down" | "unknown";
    /** Redis. */
    redis: "up" | "degraded" | "down" | "unknown";
    /** PostgreSQL. */
    database: "up" | "degraded" | "down" | "unknown";
  };
  /** Trunks by state. */
  trunk_counts: {
    /** How many in all. */
    total: number;
    /** How many are reachable. */
    healthy: number;
    /** How many are unreachable. */
    unreachable: number;
    /** How many are not probed. */
    unchecked: number;
  };
  /** Unreachable ones first, at most 200 */
  trunks: TrunkSummary[];
  /** The calls. */
  calls: CallFigures;
  /** Null: there are none */
  registrations: {
    /** How many in all. */
    total: number;
    /** How many are registered. */
    registered: number;
    /** How many failed. */
    failed: number;
  } | null;
  /** For operators only */
  fleet: Fleet | null;
};

export type OrderedCall = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Who is called. */
  to: string;
  /** Who calls. */
  from: string;
  /** True: the call came to the number; false: it left from it. */
  inbound: false;
  /** Id of the batch that ordered it; null: none */
  batch_id: string | null;
  /** Not dialled before; null: at once */
  scheduled_at: string | null;
  /** ISO 8601 in UTC */
  created_at: string;
  /** `queued` (waits for its turn), `dialing` (the agent or the trunk is called), `ringing`, `in_progress` (answered), `ending` (over, its record is not stored yet); then how it ended: `completed` (answered), `busy`, `no_answer`, `cancelled`, `failed`, or `unknown` (its edge died, or live state is unavailable while `completed` is false). */
  state: "queued" | "dialing" | "ringing" | "in_progress" | "ending" | "completed" | "busy" | "no_answer" | "cancelled" | "failed" | "unknown";
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string | null;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** When the call ended, ISO 8601 in UTC; null: it is active. */
  ended_at: string | null;
  /** Seconds from the answer to the end; null until the call is over. */
  duration_seconds: number | null;
  /** Seconds from the answer after which the call is ended. */
  max_duration_seconds: number;
  /** True: put on hold by the API. */
  on_hold: boolean;
  /** The same as `ended_at`. */
  end_at: string | null;
  /** The call is over, however it ended */
  completed: boolean;
  /** Null until the call is over; `state` tells how far it has come. */
  status: "completed" | "failed" | "busy" | "no-answer" | "canceled" | "unknown" | null;
  /** How far the order has come. */
  queue_status: "new" | "queued" | "allocated" | "started" | "complete" | "queue_error" | "call_error" | "complete_error";
  /** Who answered: `unknown` (nobody tells a person from a machine) or `no-answer`; null: not decided. */
  answered_by: "unknown" | "no-answer" | null;
  /** ASSISTANT: the agent hung up; USER: the callee; null: neither, or the call is active. */
  call_ended_by: "ASSISTANT" | "USER" | null;
  /** The same as `duration_seconds`, in minutes. */
  call_length: number | null;
  /** The same as `duration_seconds`, whole seconds as text. */
  corrected_duration: string | null;
  /** The same as `max_duration_seconds`, in minutes. */
  max_duration: number;
  /** What went wrong; null: nothing did. */
  error_message: string | null;
  /** Why it ended, in plain words, once it is over */
  cause: string | null;
  /** What to do about it */
  advice: string | null;
  /** Final answer to the trunk's INVITE, once the call is over */
  sip: {
    /** SIP status; null: there was none. */
    code: number | null;
    /** Why, as a stable code; null: there is nothing to explain. */
    reason: string | null;
    /** Who ended it: callee, agent, edge, api */
    side: string;
    /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
    end_reason: string;
  } | null;
  /** Facts for the agent, and variables of the header mappings. */
  request_data: Record<string, unknown> | null;
  /** Yours, returned unchanged. */
  metadata: Record<string, unknown> | null;
};

export type OrderedCallDetail = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Who is called. */
  to: string;
  /** Who calls. */
  from: string;
  /** True: the call came to the number; false: it left from it. */
  inbound: false;
  /** Id of the batch that ordered it; null: none */
  batch_id: string | null;
  /** Not dialled before; null: at once */
  scheduled_at: string | null;
  /** ISO 8601 in UTC */
  created_at: string;
  /** `queued` (waits for its turn), `dialing` (the agent or the trunk is called), `ringing`, `in_progress` (answered), `ending` (over, its record is not stored yet); then how it ended: `completed` (answered), `busy`, `no_answer`, `cancelled`, `failed`, or `unknown` (its edge died, or live state is unavailable while `completed` is false). */
  state: "queued" | "dialing" | "ringing" | "in_progress" | "ending" | "completed" | "busy" | "no_answer" | "cancelled" | "failed" | "unknown";
  /** When it started, ISO 8601 in UTC; null: not yet. */
  started_at: string | null;
  /** When the call was answered, ISO 8601 in UTC; null: not answered. */
  answered_at: string | null;
  /** When the call ended, ISO 8601 in UTC; null: it is active. */
  ended_at: string | null;
  /** Seconds from the answer to the end; null until the call is over. */
  duration_seconds: number | null;
  /** Seconds from the answer after which the call is ended. */
  max_duration_seconds: number;
  /** True: put on hold by the API. */
  on_hold: boolean;
  /** The same as `ended_at`. */
  end_at: string | null;
  /** The call is over, however it ended */
  completed: boolean;
  /** Null until the call is over; `state` tells how far it has come. */
  status: "completed" | "failed" | "busy" | "no-answer" | "canceled" | "unknown" | null;
  /** How far the order has come. */
  queue_status: "new" | "queued" | "allocated" | "started" | "complete" | "queue_error" | "call_error" | "complete_error";
  /** Who answered: `unknown` (nobody tells a person from a machine) or `no-answer`; null: not decided. */
  answered_by: "unknown" | "no-answer" | null;
  /** ASSISTANT: the agent hung up; USER: the callee; null: neither, or the call is active. */
  call_ended_by: "ASSISTANT" | "USER" | null;
  /** The same as `duration_seconds`, in minutes. */
  call_length: number | null;
  /** The same as `duration_seconds`, whole seconds as text. */
  corrected_duration: string | null;
  /** The same as `max_duration_seconds`, in minutes. */
  max_duration: number;
  /** What went wrong; null: nothing did. */
  error_message: string | null;
  /** Why it ended, in plain words, once it is over */
  cause: string | null;
  /** What to do about it */
  advice: string | null;
  /** Final answer to the trunk's INVITE, once the call is over */
  sip: {
    /** SIP status; null: there was none. */
    code: number | null;
    /** Why, as a stable code; null: there is nothing to explain. */
    reason: string | null;
    /** Who ended it: callee, agent, edge, api */
    side: string;
    /** Why it ended, as a stable code; `GET /v1/noc/explanations` explains each. */
    end_reason: string;
  } | null;
  /** Facts for the agent, and variables of the header mappings. */
  request_data: Record<string, unknown> | null;
  /** Yours, returned unchanged. */
  metadata: Record<string, unknown> | null;
  /** What the agent shall do. */
  task: string;
  /** Ids of knowledge bases and tools of the order */
  tools: string[] | null;
  /** Id of the persona of the order */
  persona_id: string | null;
  /** When it first rang, ISO 8601 in UTC; null: it did not. */
  ringing_at: string | null;
  /** Each server that was tried, in order; the last one has no status while it is tried. */
  attempts: {
    /** The server, as `host:port;transport=…`. */
    server: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string;
    /** When it started, ISO 8601 in UTC; null: not yet. */
    started_at: string;
    /** Milliseconds that it took. */
    duration_milliseconds: number;
    /** SIP status; null: there was no answer. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** True: no server answered; the status is ours. */
    is_local: boolean;
    /** Why the next server was tried; null: it was not. */
    trigger: "unreachable" | "timeout" | "auth_failure" | null;
  }[];
  /** Target of the transfer that succeeded */
  transferred_to: string | null;
  /** When the transfer was completed, ISO 8601 in UTC. */
  transferred_at: string | null;
  /** The last transfer, with its outcome */
  transfer: {
    /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
    mode: "refer" | "bridge" | "attended" | "replaced";
    /** Who asked for it. */
    requested_by: "trunk" | "agent" | "api";
    /** Target, as it was requested. */
    target: string;
    /** Outcome of the transfer. */
    status: "completed" | "failed" | "unknown";
    /** Why it ended so. */
    reason: "completed" | "rejected" | "forbidden" | "no_answer" | "unreachable" | "call_ended" | "subscription_terminated" | "media_failed" | "limit" | "internal_error";
    /** SIP status; null: there was no answer. */
    sip_status: number | null;
    /** Reason phrase of the SIP status. */
    sip_reason: string | null;
    /** Further facts for people; null: none. */
    detail: string | null;
    /** When it was requested, ISO 8601 in UTC. */
    requested_at: string;
    /** When it was over, ISO 8601 in UTC; null: it is not. */
    completed_at: string;
    /** Call-ID header of the trunk's leg; null: there was none. */
    sip_call_id: string | null;
    /** Id of the other call of an attended transfer. */
    other_call_id: string | null;
  } | null;
};

export type PortCheck = {
  /** The number, E.164 with plus. */
  phone_number: string;
  /** Whether it can be ported. */
  portable: boolean;
  /** Kind of number; unknown: North American plans do not tell mobile numbers from landlines. */
  number_type: "mobile" | "landline" | "toll-free" | "voip" | "unknown";
  /** Whether the losing carrier asks for a PIN. */
  pin_required: boolean;
  /** Why it is not portable; null: it is. */
  reason: string | null;
  /** Who says so. numbering_plan: no carrier was asked, so the port may still be refused. */
  source: "carrier" | "numbering_plan";
};

export type PortDocument = {
  /** Id of the document. */
  document_sid: string;
  /** proof: uploaded; letter: Letter of Authorization; signed_letter: with signature. */
  kind: "proof" | "letter" | "signed_letter";
  /** Its type, told by its content. */
  media_type: "application/pdf" | "image/jpeg" | "image/png" | "image/gif" | "image/webp";
  /** Octets. */
  size: number;
  /** When it was made, ISO 8601 in UTC. */
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
  /** The number, E.164 with plus. */
  number: string;
  /** Its state. */
  status: PortStatus;
  /** Kind of number; unknown: the carrier did not say. */
  number_type: "mobile" | "landline" | "toll-free" | "voip" | "unknown";
  /** Why it failed or was canceled; null: it did not. */
  reason: string | null;
  /** True: it is an inbound number of the organization now. */
  active: boolean;
};

export type PortRequest = {
  /** Id of the request. */
  id: string;
  /** Its state. */
  status: PortStatus;
  /** Its numbers, each with a state of its own: a part of them may be ported. */
  phone_numbers: PortNumber[];
  /** Who signs the Letter of Authorization. */
  authorized_rep_email: string;
  /** Addresses that hear of each change of state. */
  notification_emails: string[];
  /** Day that was asked for, in the carrier’s time zone. */
  target_port_date: string;
  /** Who carries the request out: the API of a carrier, or an operator by hand (manual). */
  carrier: "manual" | "twilio";
  /** The carrier’s id of the request; null: the carrier has not confirmed it. */
  carrier_reference: string | null;
  /** Why the carrier could not be asked, or what it waits for; null: nothing. */
  carrier_problem: string | null;
  /** When it was requested, ISO 8601 in UTC. */
  created_at: string;
  /** When it was changed last, ISO 8601 in UTC. */
  updated_at: string;
};

export type PortRequestDetail = {
  /** Id of the request. */
  id: string;
  /** Its state. */
  status: PortStatus;
  /** Its numbers, each with a state of its own: a part of them may be ported. */
  phone_numbers: PortNumber[];
  /** Who signs the Letter of Authorization. */
  authorized_rep_email: string;
  /** Addresses that hear of each change of state. */
  notification_emails: string[];
  /** Day that was asked for, in the carrier’s time zone. */
  target_port_date: string;
  /** Who carries the request out: the API of a carrier, or an operator by hand (manual). */
  carrier: "manual" | "twilio";
  /** The carrier’s id of the request; null: the carrier has not confirmed it. */
  carrier_reference: string | null;
  /** Why the carrier could not be asked, or what it waits for; null: nothing. */
  carrier_problem: string | null;
  /** When it was requested, ISO 8601 in UTC. */
  created_at: string;
  /** When it was changed last, ISO 8601 in UTC. */
  updated_at: string;
  /** Every move, oldest first. */
  timeline: PortMove[];
  /** Its documents, as long as they are kept. */
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

export type Registration = {
  /** unknown: the edges cannot be asked for now */
  state: "registering" | "registered" | "failed" | "unregistered" | "unknown";
  /** Server that we register at; null: none. */
  registrar: string | null;
  /** The user name. */
  username: string;
  /** Since when, ISO 8601 in UTC. */
  since: string | null;
  /** When the PBX forgets the binding unless it is refreshed */
  expires_at: string | null;
  /** When it was tried last, ISO 8601 in UTC. */
  attempted_at: string | null;
  /** When it is tried next, ISO 8601 in UTC; null: no more. */
  next_attempt_at: string | null;
  /** Final answer to the last REGISTER; null: there was none */
  sip_code: number | null;
  /** What went wrong last; null: nothing did. */
  last_error: string | null;
  /** Id of the edge process. */
  edge: string | null;
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
  /** The API key that asks. */
  key: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
    /** Its first characters */
    prefix: string;
  };
  /** Sees the fleet and the totals of all organizations */
  operator: boolean;
  /** What the request was authenticated by. */
  via: "cookie" | "key";
  /** Null with a key */
  expires_at: string | null;
  /** The end if nothing more is asked */
  idle_expires_at: string | null;
};

export type TestCall = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Its state. */
  status: "queued" | "initiated" | "ringing" | "in-progress" | "completed" | "failed" | "busy" | "no-answer";
  /** How it ended; `pending` until then. */
  result: "pending" | "connected" | "failed" | "busy" | "no_answer";
  /** When it was made, ISO 8601 in UTC. */
  created_at: string;
  /** Seconds from the answer to the end; 0: not answered. */
  duration_seconds: number;
  /** SIP status of the final answer; null: there was none. */
  sip_code: number | null;
  /** Reason phrase of the SIP status. */
  sip_reason: string | null;
  /** Why, in plain words. */
  cause: string | null;
  /** What to do about it. */
  advice: string | null;
  /** Call-ID header of the trunk's leg; null: there was none. */
  sip_call_id: string | null;
  /** What happened, in order. */
  timeline: {
    /** What happened. */
    event: "queued" | "initiated" | "attempt_failed" | "progress" | "ringing" | "answered" | "announcement" | "announcement_failed" | "media" | "completed" | "failed";
    /** When, ISO 8601 in UTC. */
    at: string;
    /** Further facts for people; null: none. */
    detail: string | null;
  }[];
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** For `/v1/sip/calls/{call_id}`, once the call is over */
  history_call_id: string;
};

export type Trunk = {
  /** Id of the trunk */
  trunk_id: string;
  /** Your own text */
  name: string;
  /** As they were given, with [redacted] for each password */
  directions: Record<string, unknown>[];
  /** Codecs, alerts, limits and transfers of calls to the numbers */
  inbound: {
    /** Codecs of the direction; null: the default ones. */
    codec_config: {
      /** Codecs, in order of preference. */
      codecs: string[];
      /** True: codecs that the other side lacks are converted. Default false. */
      transcode: boolean;
    } | null;
    /** When and how you are alerted; null: not configured. */
    alert_config: {
      /** False: kept, but not used. Default true. */
      enabled: boolean;
      /** Values from which an alert is raised. */
      thresholds: {
        /** Alert when the trunk is unreachable for this many minutes. */
        unreachable_minutes?: number | undefined;
        /** Alert when more than this share of calls fails, in percent. */
        failure_rate_percent?: number | undefined;
        /** Minutes over which the failure rate is measured. */
        failure_rate_window_minutes?: number | undefined;
        /** Alert when the trunk answers probes slower than this, in milliseconds. */
        response_time_ms?: number | undefined;
      };
      /** Channels of notices. */
      channels: {
        /** True: by mail. */
        email?: boolean | undefined;
        /** True: by SMS. */
        sms?: boolean | undefined;
        /** URL that is posted to. */
        webhook?: string | undefined;
      };
    } | null;
    /** Limits of calls; null: none of its own. */
    limits: {
      /** Most calls of the number at a time, both directions together. */
      concurrent_calls?: number | undefined;
      /** Calls begun per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null;
    /** How calls are transferred; null: the defaults. */
    transfer_config: {
      /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback: boolean;
      /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
      allowed_targets?: string[] | undefined;
    } | null;
  };
  /** Failover, codecs, alerts, limits and transfers of calls from the numbers */
  outbound: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config: {
      /** False: kept, but not used. Default true. */
      enabled: boolean;
      /** Servers. */
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
      /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
      failback: "auto" | "manual";
    } | null;
    /** Codecs of the direction; null: the default ones. */
    codec_config: {
      /** Codecs, in order of preference. */
      codecs: string[];
      /** True: codecs that the other side lacks are converted. Default false. */
      transcode: boolean;
    } | null;
    /** When and how you are alerted; null: not configured. */
    alert_config: {
      /** False: kept, but not used. Default true. */
      enabled: boolean;
      /** Values from which an alert is raised. */
      thresholds: {
        /** Alert when the trunk is unreachable for this many minutes. */
        unreachable_minutes?: number | undefined;
        /** Alert when more than this share of calls fails, in percent. */
        failure_rate_percent?: number | undefined;
        /** Minutes over which the failure rate is measured. */
        failure_rate_window_minutes?: number | undefined;
        /** Alert when the trunk answers probes slower than this, in milliseconds. */
        response_time_ms?: number | undefined;
      };
      /** Channels of notices. */
      channels: {
        /** True: by mail. */
        email?: boolean | undefined;
        /** True: by SMS. */
        sms?: boolean | undefined;
        /** URL that is posted to. */
        webhook?: string | undefined;
      };
    } | null;
    /** Limits of calls; null: none of its own. */
    limits: {
      /** Most calls of the number at a time, both directions together. */
      concurrent_calls?: number | undefined;
      /** Calls begun per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null;
    /** How calls are transferred; null: the defaults. */
    transfer_config: {
      /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback: boolean;
      /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
      allowed_targets?: string[] | undefined;
    } | null;
  };
  /** Numbers that use the trunk */
  number_count: number;
  /** When it was made, ISO 8601 in UTC. */
  created_at: string;
  /** When it was changed last, ISO 8601 in UTC. */
  updated_at: string;
};

export type TrunkSummary = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** Directions of the number. */
  directions: ("inbound" | "outbound")[];
  /** Its state. */
  status: "healthy" | "unreachable" | "unchecked";
  /** The server, as `host:port;transport=…`; null: none. */
  endpoint: string | null;
  /** Why, as a stable code; null: there is nothing to explain. */
  reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
  /** Further facts for people; null: none. */
  detail: string | null;
  /** Why, in plain words. */
  cause: string | null;
  /** What to do about it. */
  advice: string | null;
  /** Milliseconds until the answer; null: no answer. */
  response_time_ms: number | null;
  /** When it was checked last, ISO 8601 in UTC; null: never. */
  checked_at: string | null;
  /** Of the number; a healthy trunk whose first server is unreachable calls a backup */
  servers: {
    /** How many in all. */
    total: number;
    /** How many are unreachable. */
    unreachable: number;
  };
  /** The worst of its registrations; null: it has none; unknown while Redis is away */
  registration: "registering" | "registered" | "failed" | "unregistered" | "unknown" | null;
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
    /** Most calls of the day that were up at once, ringing ones included, of those that have ended; null: older than the call history. */
    peak_concurrent_calls: number | null;
  }[];
};

export type WebhookEndpoint = {
  /** Id of a webhook endpoint. */
  webhook_id: string;
  /** Receiver of the events */
  url: string;
  /** Your own text */
  description: string;
  /** Events that are sent: a type, all of an area (call.*), or * for all */
  events: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled")[];
  /** False: nothing is sent, and events that occur are not kept */
  enabled: boolean;
  /** request: disabled by the API; failing: no delivery got through for days */
  disabled_reason: "request" | "failing" | null;
  /** When it was disabled */
  disabled_at: string | null;
  /** First failed attempt since the last delivery that got through */
  failing_since: string | null;
  /** Until then deliveries are signed with the previous secret as well */
  previous_secret_until: string | null;
  /** Creation time */
  created_at: string;
  /** Last change */
  updated_at: string;
};

export type WebhookEvent = {
  /** The same for every endpoint and every attempt: what came twice is recognized by it */
  event_id: string;
  /** What happened */
  event: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "webhook.test";
  /** When it happened */
  occurred_at: string;
  /** Order among the events of the same call, alert, server or registration; gaps mean nothing */
  sequence: number;
  /** What it is about, by the type */
  data: Record<string, unknown>;
};

export type AttachNumbersBody = {
  /** E.164 with plus, such as +14155550100. */
  phone_number?: string | undefined;
  /** Numbers, E.164 with plus. */
  phone_numbers?: string[] | undefined;
  /** Directions of the number. */
  directions?: {
    /** Direction that it is for. */
    type: "inbound";
    /** How the two sides know each other: `ip` by address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** What the customer’s PBX and the service know each other by */
    register_auth?: {
      /** The user name. */
      username: string;
      /** The password; `[redacted]` where it is already stored. */
      password: string;
    } | undefined;
    /** Addresses and CIDRs that may call, IPv4 or IPv6; an extension of ours */
    allowed_ips?: string[] | undefined;
    /** Where calls are forwarded to. Default: the service’s own agents. */
    agent?: string | undefined;
    /** PBX to register at, with auth_mode register. Default: the number’s first outbound server. */
    registrar?: string | undefined;
    /** Another name of `registrar` with auth_mode register, and of `agent` otherwise. */
    sip_endpoint?: string | undefined;
    /** Further settings of the connection. */
    options?: {
      /** Goes before a port in sip_endpoint */
      port?: number | undefined;
      /** Goes before a transport in sip_endpoint */
      transport?: "udp" | "tcp" | "tls" | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | undefined;
      /** User name for digest challenges. */
      sip_username?: string | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | undefined;
      /** The one realm whose challenges the credentials answer; any when absent */
      sip_realm?: string | undefined;
      /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
      tls_ca?: string | undefined;
    } | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "inbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | undefined;
  } | {
    /** Direction that it is for. */
    type: "outbound";
    /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
    sip_endpoint: string;
    /** Further settings of the connection. */
    options?: {
      /** Goes before a port in sip_endpoint */
      port?: number | undefined;
      /** Goes before a transport in sip_endpoint */
      transport?: "udp" | "tcp" | "tls" | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | undefined;
      /** User name for digest challenges. */
      sip_username?: string | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | undefined;
      /** The one realm whose challenges the credentials answer; any when absent */
      sip_realm?: string | undefined;
      /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
      tls_ca?: string | undefined;
    } | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "outbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | undefined;
  }[] | undefined;
  /** Instead of directions: the trunk that the numbers share with others */
  trunk_id?: string | undefined;
  /** Always `sip`. */
  service: "sip";
};

export type AttachNumbersAnswer = {
  /** The answer. */
  data: {
    /** Numbers that were configured. */
    configured: string[];
    /** Numbers that could not be configured, each with its reason. */
    failed: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: string;
      /** Why the number was not configured. */
      message: string;
    }[];
    /** What was configured and still needs attention. */
    warnings: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** A code of docs/errors.md */
      warning: string;
      /** What needs attention, and why. */
      message: string;
    }[];
    /** Shown once, when a registration was attached that was not before */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type AttachNumbersToTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type AttachNumbersToTrunkBody = {
  /** Numbers, E.164 with plus. */
  phone_numbers: string[];
};

export type AttachNumbersToTrunkAnswer = {
  /** The answer. */
  data: {
    /** Numbers that were configured. */
    configured: string[];
    /** Numbers that could not be configured, each with its reason. */
    failed: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: string;
      /** Why the number was not configured. */
      message: string;
    }[];
    /** What was configured and still needs attention. */
    warnings: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** A code of docs/errors.md */
      warning: string;
      /** What needs attention, and why. */
      message: string;
    }[];
    /** Shown once, when a registration was attached that was not before */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CancelPortPath = {
  /** Id of the port request. */
  id: string;
};

export type CancelPortAnswer = {
  /** The answer. */
  data: {
    /** The request is canceled. */
    canceled: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CheckPortabilityQuery = {
  /** Numbers to check, E.164 with plus; repeat it. At most 100. */
  "phone_numbers[]": string[];
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

export type ConfigureDirectionBody = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
  /** Backup servers of the outbound direction; null: none. */
  failover_config?: {
    /** False: kept, but not used. Default true. */
    enabled?: boolean | undefined;
    /** The backups; the primary is the direction’s sip_endpoint */
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
    /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
    failback?: "auto" | "manual" | undefined;
  } | null | undefined;
  /** Codecs of the direction; null: the default ones. */
  codec_config?: {
    /** The enabled codecs in order of preference */
    codecs: ("PCMU" | "PCMA" | "G.729" | "Opus" | "G.722")[];
    /** True: codecs that the other side lacks are converted. Default false. */
    transcode?: boolean | undefined;
  } | null | undefined;
  /** When and how you are alerted; null: not configured. */
  alert_config?: {
    /** False: kept, but not used. Default true. */
    enabled?: boolean | undefined;
    /** Values from which an alert is raised. */
    thresholds?: {
      /** Alert when the trunk is unreachable for this many minutes. */
      unreachable_minutes?: number | undefined;
      /** Alert when more than this share of calls fails, in percent. */
      failure_rate_percent?: number | undefined;
      /** Minutes over which the failure rate is measured. */
      failure_rate_window_minutes?: number | undefined;
      /** Alert when the trunk answers probes slower than this, in milliseconds. */
      response_time_ms?: number | undefined;
    } | undefined;
    /** Channels of notices. */
    channels?: {
      /** True: by mail. */
      email?: boolean | undefined;
      /** True: by SMS. */
      sms?: boolean | undefined;
      /** URL that is posted to. */
      webhook?: string | undefined;
    } | undefined;
  } | null | undefined;
  /** An extension of ours */
  limits?: {
    /** Most calls of the number at a time, both directions together. */
    concurrent_calls?: number | undefined;
    /** Calls begun per second. */
    calls_per_second?: number | undefined;
    /** Seconds from the answer after which the call is ended. */
    max_duration_seconds?: number | undefined;
  } | null | undefined;
  /** An extension of ours */
  transfer_config?: {
    /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
    mode: "refer" | "bridge";
    /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
    fallback?: boolean | undefined;
    /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
    allowed_targets?: string[] | undefined;
  } | null | undefined;
};

export type ConfigureDirectionAnswer = {
  /** The answer. */
  data: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config: {
      /** False: kept, but not used. Default true. */
      enabled: boolean;
      /** Servers. */
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
      /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
      failback: "auto" | "manual";
    } | null;
    /** Codecs of the direction; null: the default ones. */
    codec_config: {
      /** Codecs, in order of preference. */
      codecs: string[];
      /** True: codecs that the other side lacks are converted. Default false. */
      transcode: boolean;
    } | null;
    /** When and how you are alerted; null: not configured. */
    alert_config: {
      /** False: kept, but not used. Default true. */
      enabled: boolean;
      /** Values from which an alert is raised. */
      thresholds: {
        /** Alert when the trunk is unreachable for this many minutes. */
        unreachable_minutes?: number | undefined;
        /** Alert when more than this share of calls fails, in percent. */
        failure_rate_percent?: number | undefined;
        /** Minutes over which the failure rate is measured. */
        failure_rate_window_minutes?: number | undefined;
        /** Alert when the trunk answers probes slower than this, in milliseconds. */
        response_time_ms?: number | undefined;
      };
      /** Channels of notices. */
      channels: {
        /** True: by mail. */
        email?: boolean | undefined;
        /** True: by SMS. */
        sms?: boolean | undefined;
        /** URL that is posted to. */
        webhook?: string | undefined;
      };
    } | null;
    /** Limits of calls; null: none of its own. */
    limits: {
      /** Most calls of the number at a time, both directions together. */
      concurrent_calls?: number | undefined;
      /** Calls begun per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null;
    /** How calls are transferred; null: the defaults. */
    transfer_config: {
      /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback: boolean;
      /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
      allowed_targets?: string[] | undefined;
    } | null;
    /** E.164 with plus, such as +14155550100. */
    phone_number: string;
    /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
    direction: "inbound" | "outbound";
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateAgentCredentialBody = {
  /** Its name. */
  name?: string | undefined;
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
    /** When it was made, ISO 8601 in UTC. */
    created_at: string;
    /** Shown this once. */
    password: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateBatchBody = {
  /** A number of yours with an outbound direction */
  from: string;
  /** Your own text, at most 200 characters */
  name?: string | undefined;
  /** Not dialled before this moment, at most 30 days ahead */
  scheduled_at?: string | undefined;
  /** Calls that could not be dialled by then are given up. Default 24 hours after the start, at most 7 days after it */
  until?: string | undefined;
  /** What the agent shall do; it reads it with the call */
  task?: string | undefined;
  /** Ids of knowledge bases and tools for the agent, at most 100; they are passed on, not looked up */
  tools?: string[] | undefined;
  /** Id of the persona that the agent takes on; it is passed on, not looked up */
  persona_id?: string | undefined;
  /** Minutes from the answer */
  max_duration?: number | undefined;
  /** Digits for the callee before the agent is heard: 0-9, *, #; w waits half a second */
  precall_dtmf_sequence?: string | undefined;
  /** Gets the result when the call is over */
  webhook?: string | undefined;
  /** The calls, 1 to 1000, in the order in which they are dialled */
  calls: {
    /** Who is called, E.164 */
    phone_number: string;
    /** Facts for the agent, and variables of the trunk’s header mappings */
    request_data?: Record<string, unknown> | undefined;
    /** Yours, given back unchanged */
    metadata?: Record<string, unknown> | undefined;
    /** What the agent shall do; it reads it with the call */
    task?: string | undefined;
    /** Ids of knowledge bases and tools for the agent, at most 100; they are passed on, not looked up */
    tools?: string[] | undefined;
    /** Id of the persona that the agent takes on; it is passed on, not looked up */
    persona_id?: string | undefined;
  }[];
};

export type CreateBatchAnswer = {
  /** The answer. */
  data: CallBatch;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateCallBody = {
  /** Who is called, E.164 */
  phone_number: string;
  /** Facts for the agent, and variables of the trunk’s header mappings */
  request_data?: Record<string, unknown> | undefined;
  /** Yours, given back unchanged */
  metadata?: Record<string, unknown> | undefined;
  /** A number of yours with an outbound direction */
  from: string;
  /** What the agent shall do; it reads it with the call */
  task: string;
  /** Ids of knowledge bases and tools for the agent, at most 100; they are passed on, not looked up */
  tools?: string[] | undefined;
  /** Id of the persona that the agent takes on; it is passed on, not looked up */
  persona_id?: string | undefined;
  /** Minutes from the answer */
  max_duration?: number | undefined;
  /** Digits for the callee before the agent is heard: 0-9, *, #; w waits half a second */
  precall_dtmf_sequence?: string | undefined;
  /** Gets the result when the call is over */
  webhook?: string | undefined;
  /** Not dialled before this moment, at most 30 days ahead */
  scheduled_at?: string | undefined;
};

export type CreateCallAnswer = {
  /** Its state. */
  status: "success";
  /** What was done, for people. */
  message: string;
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
  /** Id of the batch that the call belongs to; null: none. */
  batch_id: null;
};

export type CreateKeyBody = {
  /** What the key is for. 1–64 characters. */
  name: string;
  /** What the key may do: an area with `read` or `write`, which includes `read`. Default: the scopes of the key that asks. */
  scopes?: ("trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "calls:read" | "calls:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write")[] | undefined;
  /** When the key expires. Default: when the key that asks expires. */
  expires_at?: string | undefined;
};

export type CreateKeyAnswer = {
  /** The answer. */
  data: {
    /** Its id. */
    id: string;
    /** What the key is for. */
    name: string;
    /** Its first characters, to tell keys apart. */
    prefix: string;
    /** What the key may do; null: everything its organization may. */
    scopes: ("trunks:read" | "trunks:write" | "porting:read" | "porting:write" | "calls:read" | "calls:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "noc:read" | "noc:write" | "usage:read" | "usage:write" | "keys:read" | "keys:write")[] | null;
    /** Sees the fleet and the totals of all organizations. */
    operator: boolean;
    /** When it was made, ISO 8601 in UTC. */
    created_at: string;
    /** From then on the key is refused; null: it does not expire. */
    expires_at: string | null;
    /** Last request with the key, to the minute; null: none. */
    last_used_at: string | null;
    /** When the key was revoked; null: it was not. */
    revoked_at: string | null;
    /** The API key, shown this once. */
    key: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateSessionBody = {
  /** The API key. */
  api_key: string;
};

export type CreateSessionAnswer = {
  /** The answer. */
  data: Session;
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateTrunkBody = {
  /** Your own text, at most 200 characters */
  name?: string | undefined;
  /** As in POST /v1/sip/attach. In a change the list replaces the present one; a password sent back as [redacted] stays */
  directions: {
    /** Direction that it is for. */
    type: "inbound";
    /** How the two sides know each other: `ip` by address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** What the customer’s PBX and the service know each other by */
    register_auth?: {
      /** The user name. */
      username: string;
      /** The password; `[redacted]` where it is already stored. */
      password: string;
    } | undefined;
    /** Addresses and CIDRs that may call, IPv4 or IPv6; an extension of ours */
    allowed_ips?: string[] | undefined;
    /** Where calls are forwarded to. Default: the service’s own agents. */
    agent?: string | undefined;
    /** PBX to register at, with auth_mode register. Default: the number’s first outbound server. */
    registrar?: string | undefined;
    /** Another name of `registrar` with auth_mode register, and of `agent` otherwise. */
    sip_endpoint?: string | undefined;
    /** Further settings of the connection. */
    options?: {
      /** Goes before a port in sip_endpoint */
      port?: number | undefined;
      /** Goes before a transport in sip_endpoint */
      transport?: "udp" | "tcp" | "tls" | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | undefined;
      /** User name for digest challenges. */
      sip_username?: string | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | undefined;
      /** The one realm whose challenges the credentials answer; any when absent */
      sip_realm?: string | undefined;
      /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
      tls_ca?: string | undefined;
    } | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "inbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | undefined;
  } | {
    /** Direction that it is for. */
    type: "outbound";
    /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
    sip_endpoint: string;
    /** Further settings of the connection. */
    options?: {
      /** Goes before a port in sip_endpoint */
      port?: number | undefined;
      /** Goes before a transport in sip_endpoint */
      transport?: "udp" | "tcp" | "tls" | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | undefined;
      /** User name for digest challenges. */
      sip_username?: string | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | undefined;
      /** The one realm whose challenges the credentials answer; any when absent */
      sip_realm?: string | undefined;
      /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
      tls_ca?: string | undefined;
    } | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "outbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | undefined;
  }[];
  /** Codecs, alerts, limits and transfers of calls to the numbers; null clears a section */
  inbound?: {
    /** Codecs of the direction; null: the default ones. */
    codec_config?: {
      /** The enabled codecs in order of preference */
      codecs: ("PCMU" | "PCMA" | "G.729" | "Opus" | "G.722")[];
      /** True: codecs that the other side lacks are converted. Default false. */
      transcode?: boolean | undefined;
    } | null | undefined;
    /** When and how you are alerted; null: not configured. */
    alert_config?: {
      /** False: kept, but not used. Default true. */
      enabled?: boolean | undefined;
      /** Values from which an alert is raised. */
      thresholds?: {
        /** Alert when the trunk is unreachable for this many minutes. */
        unreachable_minutes?: number | undefined;
        /** Alert when more than this share of calls fails, in percent. */
        failure_rate_percent?: number | undefined;
        /** Minutes over which the failure rate is measured. */
        failure_rate_window_minutes?: number | undefined;
        /** Alert when the trunk answers probes slower than this, in milliseconds. */
        response_time_ms?: number | undefined;
      } | undefined;
      /** Channels of notices. */
      channels?: {
        /** True: by mail. */
        email?: boolean | undefined;
        /** True: by SMS. */
        sms?: boolean | undefined;
        /** URL that is posted to. */
        webhook?: string | undefined;
      } | undefined;
    } | null | undefined;
    /** An extension of ours */
    limits?: {
      /** Most calls of the number at a time, both directions together. */
      concurrent_calls?: number | undefined;
      /** Calls begun per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** An extension of ours */
    transfer_config?: {
      /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
  /** Failover, codecs, alerts, limits and transfers of calls from the numbers; null clears a section */
  outbound?: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config?: {
      /** False: kept, but not used. Default true. */
      enabled?: boolean | undefined;
      /** The backups; the primary is the direction’s sip_endpoint */
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
      /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
      failback?: "auto" | "manual" | undefined;
    } | null | undefined;
    /** Codecs of the direction; null: the default ones. */
    codec_config?: {
      /** The enabled codecs in order of preference */
      codecs: ("PCMU" | "PCMA" | "G.729" | "Opus" | "G.722")[];
      /** True: codecs that the other side lacks are converted. Default false. */
      transcode?: boolean | undefined;
    } | null | undefined;
    /** When and how you are alerted; null: not configured. */
    alert_config?: {
      /** False: kept, but not used. Default true. */
      enabled?: boolean | undefined;
      /** Values from which an alert is raised. */
      thresholds?: {
        /** Alert when the trunk is unreachable for this many minutes. */
        unreachable_minutes?: number | undefined;
        /** Alert when more than this share of calls fails, in percent. */
        failure_rate_percent?: number | undefined;
        /** Minutes over which the failure rate is measured. */
        failure_rate_window_minutes?: number | undefined;
        /** Alert when the trunk answers probes slower than this, in milliseconds. */
        response_time_ms?: number | undefined;
      } | undefined;
      /** Channels of notices. */
      channels?: {
        /** True: by mail. */
        email?: boolean | undefined;
        /** True: by SMS. */
        sms?: boolean | undefined;
        /** URL that is posted to. */
        webhook?: string | undefined;
      } | undefined;
    } | null | undefined;
    /** An extension of ours */
    limits?: {
      /** Most calls of the number at a time, both directions together. */
      concurrent_calls?: number | undefined;
      /** Calls begun per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** An extension of ours */
    transfer_config?: {
      /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
};

export type CreateTrunkAnswer = {
  /** The answer. */
  data: {
    /** Id of the trunk */
    trunk_id: string;
    /** Your own text */
    name: string;
    /** As they were given, with [redacted] for each password */
    directions: Record<string, unknown>[];
    /** Codecs, alerts, limits and transfers of calls to the numbers */
    inbound: {
      /** Codecs of the direction; null: the default ones. */
      codec_config: {
        /** Codecs, in order of preference. */
        codecs: string[];
        /** True: codecs that the other side lacks are converted. Default false. */
        transcode: boolean;
      } | null;
      /** When and how you are alerted; null: not configured. */
      alert_config: {
        /** False: kept, but not used. Default true. */
        enabled: boolean;
        /** Values from which an alert is raised. */
        thresholds: {
          /** Alert when the trunk is unreachable for this many minutes. */
          unreachable_minutes?: number | undefined;
          /** Alert when more than this share of calls fails, in percent. */
          failure_rate_percent?: number | undefined;
          /** Minutes over which the failure rate is measured. */
          failure_rate_window_minutes?: number | undefined;
          /** Alert when the trunk answers probes slower than this, in milliseconds. */
          response_time_ms?: number | undefined;
        };
        /** Channels of notices. */
        channels: {
          /** True: by mail. */
          email?: boolean | undefined;
          /** True: by SMS. */
          sms?: boolean | undefined;
          /** URL that is posted to. */
          webhook?: string | undefined;
        };
      } | null;
      /** Limits of calls; null: none of its own. */
      limits: {
        /** Most calls of the number at a time, both directions together. */
        concurrent_calls?: number | undefined;
        /** Calls begun per second. */
        calls_per_second?: number | undefined;
        /** Seconds from the answer after which the call is ended. */
        max_duration_seconds?: number | undefined;
      } | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: {
        /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
        mode: "refer" | "bridge";
        /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
        fallback: boolean;
        /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
        allowed_targets?: string[] | undefined;
      } | null;
    };
    /** Failover, codecs, alerts, limits and transfers of calls from the numbers */
    outbound: {
      /** Backup servers of the outbound direction; null: none. */
      failover_config: {
        /** False: kept, but not used. Default true. */
        enabled: boolean;
        /** Servers. */
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
        /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
        failback: "auto" | "manual";
      } | null;
      /** Codecs of the direction; null: the default ones. */
      codec_config: {
        /** Codecs, in order of preference. */
        codecs: string[];
        /** True: codecs that the other side lacks are converted. Default false. */
        transcode: boolean;
      } | null;
      /** When and how you are alerted; null: not configured. */
      alert_config: {
        /** False: kept, but not used. Default true. */
        enabled: boolean;
        /** Values from which an alert is raised. */
        thresholds: {
          /** Alert when the trunk is unreachable for this many minutes. */
          unreachable_minutes?: number | undefined;
          /** Alert when more than this share of calls fails, in percent. */
          failure_rate_percent?: number | undefined;
          /** Minutes over which the failure rate is measured. */
          failure_rate_window_minutes?: number | undefined;
          /** Alert when the trunk answers probes slower than this, in milliseconds. */
          response_time_ms?: number | undefined;
        };
        /** Channels of notices. */
        channels: {
          /** True: by mail. */
          email?: boolean | undefined;
          /** True: by SMS. */
          sms?: boolean | undefined;
          /** URL that is posted to. */
          webhook?: string | undefined;
        };
      } | null;
      /** Limits of calls; null: none of its own. */
      limits: {
        /** Most calls of the number at a time, both directions together. */
        concurrent_calls?: number | undefined;
        /** Calls begun per second. */
        calls_per_second?: number | undefined;
        /** Seconds from the answer after which the call is ended. */
        max_duration_seconds?: number | undefined;
      } | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: {
        /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
        mode: "refer" | "bridge";
        /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
        fallback: boolean;
        /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
        allowed_targets?: string[] | undefined;
      } | null;
    };
    /** Numbers that use the trunk */
    number_count: number;
    /** When it was made, ISO 8601 in UTC. */
    created_at: string;
    /** When it was changed last, ISO 8601 in UTC. */
    updated_at: string;
    /** What your PBX uses towards us; shown once, when the registration is new or changed */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateWebhookBody = {
  /** Receiver of the events */
  url: string;
  /** Your own text, at most 200 characters */
  description?: string | undefined;
  /** Events that are sent: types, all of an area (call.*), or * for all. Default * */
  events?: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled")[] | undefined;
  /** False: nothing is sent. Default true */
  enabled?: boolean | undefined;
};

export type CreateWebhookAnswer = {
  /** The answer. */
  data: {
    /** Id of a webhook endpoint. */
    webhook_id: string;
    /** Receiver of the events */
    url: string;
    /** Your own text */
    description: string;
    /** Events that are sent: a type, all of an area (call.*), or * for all */
    events: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled")[];
    /** False: nothing is sent, and events that occur are not kept */
    enabled: boolean;
    /** request: disabled by the API; failing: no delivery got through for days */
    disabled_reason: "request" | "failing" | null;
    /** When it was disabled */
    disabled_at: string | null;
    /** First failed attempt since the last delivery that got through */
    failing_since: string | null;
    /** Until then deliveries are signed with the previous secret as well */
    previous_secret_until: string | null;
    /** Creation time */
    created_at: string;
    /** Last change */
    updated_at: string;
    /** Signing secret, shown this once */
    secret: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type CreateWebhookSecretAnswer = {
  /** The answer. */
  data: {
    /** The secret, shown once. */
    secret: string;
    /** When it was made, ISO 8601 in UTC. */
    created_at: string;
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

export type DeleteTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type DeleteTrunkAnswer = {
  /** The answer. */
  data: {
    /** Id of a trunk that numbers share. */
    trunk_id: string;
    /** True: it is gone. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DeleteWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type DeleteWebhookAnswer = {
  /** The answer. */
  data: {
    /** Id of a webhook endpoint. */
    webhook_id: string;
    /** True: it is gone. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DetachNumberBody = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** Directions of the number. */
  directions: {
    /** Direction that it is for. */
    type: "inbound" | "outbound";
    /** Only this configuration of the direction */
    id?: string | undefined;
  }[];
  /** Always `sip`. */
  service?: "sip" | undefined;
};

export type DetachNumberAnswer = {
  /** The answer. */
  data: {
    /** E.164 with plus, such as +14155550100. */
    phone_number: string;
    /** Directions of which something was removed. */
    detached: ("inbound" | "outbound")[];
    /** Directions that still have a configuration. */
    remaining: ("inbound" | "outbound")[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type DetachNumbersBody = {
  /** Directions of the number. */
  directions: {
    /** Direction that it is for. */
    type: "inbound" | "outbound";
    /** Only this configuration of the direction */
    id?: string | undefined;
  }[];
  /** Always `sip`. */
  service?: "sip" | undefined;
  /** Numbers of yours, E.164 with plus. At most 100. */
  phone_numbers: string[];
};

export type DetachNumbersAnswer = {
  /** The answer. */
  data: {
    /** The numbers with what was removed of them. */
    detached: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** Directions of which something was removed. */
      detached: ("inbound" | "outbound")[];
      /** Directions that still have a configuration. */
      remaining: ("inbound" | "outbound")[];
    }[];
    /** The numbers that were left as they are, each with the reason. */
    failed: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: ErrorCode;
      /** Why the number was not configured. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ExportCallRecordsQuery = {
  /** Only calls of this number of yours. */
  phone_number?: string | undefined;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction?: "inbound" | "outbound" | undefined;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by us) or `failed`. */
  outcome?: "completed" | "cancelled" | "refused" | "failed" | undefined;
  /** SIP status of the final answer; null: there was none. */
  sip_code?: number | undefined;
  /** Only those started at this moment or later. */
  started_after?: string | undefined;
  /** Only those started before this moment. */
  started_before?: string | undefined;
  /** Only calls by this caller: a number, or a name. */
  from?: string | undefined;
  /** Only calls to this callee: a number, or a name. */
  to?: string | undefined;
  /** Only calls that ended for this reason. */
  end_reason?: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | undefined;
  /** Only calls with this Call-ID header on the trunk's leg. */
  sip_call_id?: string | undefined;
  /** Only calls from or to this address. */
  source_ip?: string | undefined;
  /** Only calls ordered with all of these: `metadata[campaign]=spring`. Texts, numbers, true and false match. */
  metadata?: Record<string, string> | undefined;
};

export type FailBackBody = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
};

export type FailBackAnswer = {
  /** The answer. */
  data: {
    /** E.164 with plus, such as +14155550100. */
    phone_number: string;
    /** Which server is in use, and why. */
    failover: FailoverState;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GeneratePasswordQuery = {
  /** Characters, clamped to 8–256; overrides `strength`. */
  length?: number | undefined;
  /** `standard`: 16 characters; `long`: 32. Default `standard`. */
  strength?: "standard" | "long" | undefined;
};

export type GeneratePasswordAnswer = {
  /** The answer. */
  data: {
    /** The password; `[redacted]` where it is already stored. */
    password: string;
    /** Number of characters. */
    length: number;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetAlertPath = {
  /** Id of an alert. */
  alert_id: string;
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
    /** Mail addresses. */
    emails: string[];
    /** Numbers, E.164 with plus. */
    phone_numbers: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetBatchPath = {
  /** batch_id of the batch */
  batch_id: string;
};

export type GetBatchAnswer = {
  /** The answer. */
  data: CallBatch;
  /** Null: the request succeeded. */
  errors: null;
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

export type GetCallRecordAnswer = {
  /** The answer. */
  data: CallDetail | LiveCallDetail;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetCallSeriesQuery = {
  /** Time range that is looked back on. */
  window?: "1h" | "24h" | "7d" | "30d" | undefined;
  /** `organization`: yours; `fleet`: all organizations, for operators. Default `organization`. */
  scope?: "organization" | "fleet" | undefined;
};

export type GetCallSeriesAnswer = {
  /** The answer. */
  data: CallSeries;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetDeliveryPath = {
  /** delivery_id of the list */
  delivery_id: string;
};

export type GetDeliveryAnswer = {
  /** The answer. */
  data: DeliveryDetail;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetDiscoveryQuery = {
  /** Id of a discovery. */
  discovery_id: string;
};

export type GetDiscoveryAnswer = {
  /** The answer. */
  data: {
    /** Id of a discovery. */
    discovery_id: string;
    /** Its state. */
    status: "running" | "completed" | "failed";
    /** Why the discovery failed; null: it did not. */
    failure: "dns" | "forbidden_address" | "no_edge" | "interrupted" | null;
    /** Further facts for people; null: none. */
    detail: string | null;
    /** Host name or address. */
    host: string;
    /** Port, 1–65535. */
    port: number | null;
    /** SIP transport: udp, tcp or tls. */
    transport: "udp" | "tcp" | "tls" | null;
    /** How far it has come. */
    progress: {
      /** Steps that are done. */
      done: number;
      /** How many in all. */
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
      /** Share of calls among records of one priority. */
      weight: number;
    }[];
    /** Servers that were tried, in order. */
    attempts: {
      /** Address and port. */
      address: string;
      /** Port, 1–65535. */
      port: number;
      /** SIP transport: udp, tcp or tls. */
      transport: "udp" | "tcp" | "tls";
      /** Milliseconds until the answer; null: no answer. */
      response_time_ms: number | null;
      /** SIP status of the answer; null: no answer. */
      response_code: number | null;
      /** What the server calls itself; null: it does not say. */
      user_agent: string | null;
      /** Why, as a stable code; null: there is nothing to explain. */
      reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
      /** Further facts for people; null: none. */
      detail: string | null;
    }[];
    /** What to enter; null: nothing answered. */
    recommended: {
      /** Port, 1–65535. */
      port: number | null;
      /** SIP transport: udp, tcp or tls. */
      transport: "udp" | "tcp" | "tls";
      /** What the server calls itself; null: it does not say. */
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
    /** When it was over, ISO 8601 in UTC; null: it is not. */
    completed_at: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetExplanationsAnswer = {
  /** The answer. */
  data: {
    /** Each `end_reason`. */
    end_reasons: Record<string, {
      /** Why, in plain words. */
      cause: string;
      /** What to do about it. */
      advice: string;
    }>;
    /** Each reason why a server is unreachable. */
    unreachable_reasons: Record<string, {
      /** Why, in plain words. */
      cause: string;
      /** What to do about it. */
      advice: string;
    }>;
    /** Each SIP status. */
    sip_statuses: Record<string, {
      /** Why, in plain words. */
      cause: string;
      /** What to do about it. */
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
    /** Our addresses, for your firewall. */
    ip_addresses: string[];
    /** All of them, an extension of ours; calls may come from any */
    regions: {
      /** Region of the service. */
      region: string;
      /** SIP host name of the service. */
      sip_server: string;
      /** Our addresses, for your firewall. */
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

export type GetHealthHistoryQuery = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** Time range that is looked back on. */
  window?: "24h" | "7d" | "30d" | undefined;
};

export type GetHealthHistoryAnswer = {
  /** The answer. */
  data: HealthHistory;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetKeyPath = {
  /** Id of an API key. */
  key_id: string;
};

export type GetKeyAnswer = {
  /** The answer. */
  data: Key;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetNumberQuery = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
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
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetOutboundSetupQuery = {
  /** E.164 with plus, such as +14155550100. */
  phone_number?: string | undefined;
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
    /** How to set up the PBX, in plain words. */
    instructions: string;
    /** What the PBX signs in with. */
    credentials?: {
      /** The user name. */
      username: string;
      /** The password; `[redacted]` where it is already stored. */
      password: string;
    } | undefined;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetPortPath = {
  /** Id of the port request. */
  id: string;
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

export type GetSummaryAnswer = {
  /** The answer. */
  data: NocSummary;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTestCallQuery = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type GetTestCallAnswer = {
  /** The answer. */
  data: TestCall;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type GetTrunkAnswer = {
  /** The answer. */
  data: Trunk;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetTrunkStatusQuery = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** `now`: probe at once and wait for the answers. */
  probe?: "now" | undefined;
};

export type GetTrunkStatusAnswer = {
  /** The answer. */
  data: {
    /** Its state. */
    status: "healthy" | "unreachable" | "unchecked";
    /** Why, as a stable code; null: there is nothing to explain. */
    reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
    /** Further facts for people; null: none. */
    detail: string | null;
    /** The reason in plain words */
    cause: string | null;
    /** What to do about it */
    advice: string | null;
    /** Milliseconds until the answer; null: no answer. */
    response_time_ms: number | null;
    /** When it was checked last, ISO 8601 in UTC; null: never. */
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
    /** Mean milliseconds of answers to probes; null: no answer. */
    average_response_time_ms: {
      /** Of the last 24 hours. */
      "24h": number | null;
      /** Of the last seven days. */
      "7d": number | null;
      /** Of the last 30 days. */
      "30d": number | null;
    };
    /** `completed`: all probes were answered; `unanswered`: some were not; null: none was asked for. */
    probe: "completed" | "unanswered" | null;
    /** Null: there is one server at most, or Redis does not answer */
    failover: FailoverState | null;
    /** Of the first inbound configuration with auth_mode register; null: there is none */
    registration: Registration | null;
    /** Registrations at your PBX. */
    registrations: Registration[];
    /** Servers. */
    endpoints: {
      /** The server, as `host:port;transport=…`; null: none. */
      endpoint: string;
      /** Its state. */
      status: "healthy" | "unreachable" | "unchecked";
      /** Why, as a stable code; null: there is nothing to explain. */
      reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
      /** Further facts for people; null: none. */
      detail: string | null;
      /** The reason in plain words */
      cause: string | null;
      /** What to do about it */
      advice: string | null;
      /** Milliseconds until the answer; null: no answer. */
      response_time_ms: number | null;
      /** When it was checked last, ISO 8601 in UTC; null: never. */
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
      /** Mean milliseconds of answers to probes; null: no answer. */
      average_response_time_ms: {
        /** Of the last 24 hours. */
        "24h": number | null;
        /** Of the last seven days. */
        "7d": number | null;
        /** Of the last 30 days. */
        "30d": number | null;
      };
      /** SIP status of the final answer; null: there was none. */
      sip_code: number | null;
      /** What shows its state: a `probe`, or a `call` that it took. */
      evidence: "probe" | "call" | null;
      /** Addresses of the server, each with its state. */
      targets: {
        /** Address and port. */
        address: string;
        /** Its state. */
        status: "healthy" | "unreachable";
        /** Why, as a stable code; null: there is nothing to explain. */
        reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
        /** Further facts for people; null: none. */
        detail: string | null;
        /** The reason in plain words */
        cause: string | null;
        /** What to do about it */
        advice: string | null;
        /** SIP status of the final answer; null: there was none. */
        sip_code: number | null;
        /** Milliseconds until the answer; null: no answer. */
        response_time_ms: number | null;
        /** Not asked again before this moment, ISO 8601 in UTC; null: no limit. */
        retry_at: string | null;
      }[];
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type GetUsageQuery = {
  /** First day. Default 29 days before `to`. */
  from?: string | undefined;
  /** Last day. Default today. */
  to?: string | undefined;
};

export type GetUsageAnswer = {
  /** The answer. */
  data: Usage;
  /** Null: the request succeeded. */
  errors: null;
};

export type GetWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
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
    /** Whether there is one. */
    exists: boolean;
    /** When it was made, ISO 8601 in UTC. */
    created_at: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type HoldCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type HoldCallBody = {
  /** False: silence instead of music. Default true. */
  music?: boolean | undefined;
};

export type HoldCallAnswer = {
  /** Its state. */
  status: "success";
  /** What was done, for people. */
  message: string;
};

export type InitiatePortBody = {
  /** Numbers to port, E.164 with plus. 1–100. */
  phone_numbers: string[];
  /** Port-out PIN of the losing carrier, where it asks for one. Never shown again. */
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
    /** Account number at the losing carrier. Required where a PIN is. */
    account_number?: string | undefined;
    /** Where the Letter of Authorization is sent for signature. */
    authorized_representative_email: string;
    /** Addresses that hear of each change of state. At most 10. */
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

export type InitiatePortAnswer = {
  /** The answer. */
  data: {
    /** Id of the port request. */
    port_request_id: string;
    /** Its state. */
    status: PortStatus;
    /** Where the letter is signed; null: it is signed already. */
    signature_url: string | null;
    /** Its numbers, E.164 with plus. */
    phone_numbers: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ListAgentCredentialsQuery = {
  /** Most entries of the page. Default 100, range 1–100. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
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
      /** When it was made, ISO 8601 in UTC. */
      created_at: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListAlertsQuery = {
  /** E.164 with plus, such as +14155550100. */
  phone_number?: string | undefined;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction?: "inbound" | "outbound" | undefined;
  /** Its state. */
  state?: "active" | "recovered" | "closed" | undefined;
  /** Most entries of the page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  /** Earlier name of `after`. */
  before?: string | undefined;
};

export type ListAlertsAnswer = {
  /** The answer. */
  data: {
    /** The alerts. */
    alerts: Alert[];
    /** Whether more entries follow. */
    has_more: boolean;
    /** Active alerts in all. */
    active_count: number;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListBatchesQuery = {
  /** Most entries of the page. Default 20, range 1–100. */
  limit?: number | undefined;
  /** `next` of the page before */
  after?: string | undefined;
};

export type ListBatchesAnswer = {
  /** The answer. */
  data: {
    /** The batches */
    batches: CallBatch[];
    /** Whether more entries follow. */
    has_more: boolean;
    /** Give it as `after` for the next page; null: this is the last one. */
    next: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListCallRecordsQuery = {
  /** Only calls of this number of yours. */
  phone_number?: string | undefined;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction?: "inbound" | "outbound" | undefined;
  /** How it ended: `completed` (answered), `cancelled`, `refused` (by us) or `failed`. */
  outcome?: "completed" | "cancelled" | "refused" | "failed" | undefined;
  /** SIP status of the final answer; null: there was none. */
  sip_code?: number | undefined;
  /** Only those started at this moment or later. */
  started_after?: string | undefined;
  /** Only those started before this moment. */
  started_before?: string | undefined;
  /** Only calls by this caller: a number, or a name. */
  from?: string | undefined;
  /** Only calls to this callee: a number, or a name. */
  to?: string | undefined;
  /** Only calls that ended for this reason. */
  end_reason?: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | undefined;
  /** Only calls with this Call-ID header on the trunk's leg. */
  sip_call_id?: string | undefined;
  /** Only calls from or to this address. */
  source_ip?: string | undefined;
  /** Only calls ordered with all of these: `metadata[campaign]=spring`. Texts, numbers, true and false match. */
  metadata?: Record<string, string> | undefined;
  /** Most entries of the page. Default 50, range 1–500. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  /** Earlier name of `after`. */
  before?: string | undefined;
};

export type ListCallRecordsAnswer = {
  /** The answer. */
  data: {
    /** The calls. */
    calls: Call[];
    /** Whether more entries follow. */
    has_more: boolean;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListCallsQuery = {
  /** Only calls in this state; `active`: all that are not over. */
  state?: "active" | "queued" | "dialing" | "ringing" | "in_progress" | "ending" | "completed" | "busy" | "no_answer" | "cancelled" | "failed" | "unknown" | undefined;
  /** Only calls that ended for this reason. */
  end_reason?: "caller_hung_up" | "agent_hung_up" | "callee_hung_up" | "caller_cancelled" | "stopped" | "target_hung_up" | "transferred" | "test_completed" | "refused_draining" | "refused_too_many_hops" | "refused_loop" | "refused_unknown_number" | "refused_source" | "refused_credentials" | "refused_guessing" | "refused_limit" | "refused_unavailable" | "refused_media" | "refused_bad_request" | "agent_refused" | "agent_unreachable" | "agent_no_answer" | "agent_lost" | "trunk_refused" | "trunk_unreachable" | "trunk_no_answer" | "media_failed" | "media_timeout" | "one_way_audio" | "dead_air" | "ack_timeout" | "session_expired" | "max_duration" | "drained" | "engine_lost" | "edge_lost" | "order_not_taken" | "order_expired" | "internal_error" | undefined;
  /** Only calls ordered with all of these: `metadata[campaign]=spring`. Texts, numbers, true and false match. */
  metadata?: Record<string, string> | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  /** Only calls from this number. */
  from_number?: string | undefined;
  /** Only calls to this number. */
  to_number?: string | undefined;
  /** Only those made at this moment or later. */
  start_date?: string | undefined;
  /** Only those made before this moment. */
  end_date?: string | undefined;
  /** Calls of this batch alone */
  batch_id?: string | undefined;
  /** Oldest first. Default false. */
  ascending?: boolean | undefined;
  /** Most entries of the page. Default 1000, range 1–1000. */
  limit?: number | undefined;
};

export type ListCallsAnswer = {
  /** The calls of the page. */
  data: OrderedCall[];
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
  /** Null: the request succeeded. */
  errors: null;
  /** How many. */
  count: number;
  /** How many match in all. */
  total_count: number;
  /** The calls. */
  calls: OrderedCall[];
};

export type ListDeliveriesQuery = {
  /** A call_id or alert_id */
  subject?: string | undefined;
  /** Of this endpoint alone */
  webhook_id?: string | undefined;
  /** Of this event alone */
  event_id?: string | undefined;
  /** Of this type alone */
  event?: "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled" | "webhook.test" | "alert.test" | "call.lost" | "port.signature_request" | "port.signed_copy" | undefined;
  /** With this status alone */
  status?: "pending" | "delivered" | "failed" | undefined;
  /** Most entries of the page. Default 50, range 1–200. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  /** Earlier name of `after`. */
  before?: string | undefined;
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
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListKeysQuery = {
  /** Most entries of the page. Default 100, range 1–1000. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
};

export type ListKeysAnswer = {
  /** The answer. */
  data: {
    /** The keys. */
    keys: Key[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListLiveCallsQuery = {
  /** `organization`: yours; `fleet`: all organizations, for operators. Default `organization`. */
  scope?: "organization" | "fleet" | undefined;
};

export type ListLiveCallsAnswer = {
  /** The answer. */
  data: LiveCalls;
  /** Null: the request succeeded. */
  errors: null;
};

export type ListNumbersQuery = {
  /** Most entries of the page. Default 10000, range 1–10000. */
  limit?: number | undefined;
  /** `next` of the previous page */
  after?: string | undefined;
};

export type ListNumbersAnswer = {
  /** The answer. */
  data: {
    /** The numbers. */
    numbers: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** Directions of the number. */
      directions: ("inbound" | "outbound")[];
      /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
      sip_endpoint: string | null;
      /** State of the trunk. */
      health_status: "healthy" | "unreachable" | "unchecked";
    }[];
    /** Give it as `after` for the next page; null: this is the last one. */
    next: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListNumbersOfTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type ListNumbersOfTrunkQuery = {
  /** Most entries of the page. Default 100, range 1–1000. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
};

export type ListNumbersOfTrunkAnswer = {
  /** The answer. */
  data: {
    /** Numbers, E.164 with plus. */
    phone_numbers: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListPortsQuery = {
  /** Most entries of the page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  /** Its state. */
  status?: PortStatusInput | undefined;
};

export type ListPortsAnswer = {
  /** The answer. */
  data: {
    /** The requests. */
    port_requests: PortRequest[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListTrunksQuery = {
  /** Most entries of the page. Default 50, range 1–100. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
};

export type ListTrunksAnswer = {
  /** The answer. */
  data: {
    /** The trunks */
    trunks: Trunk[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ListWebhooksQuery = {
  /** Most entries of the page. Default 100, range 1–100. */
  limit?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
};

export type ListWebhooksAnswer = {
  /** The answer. */
  data: {
    /** The endpoints, newest first. */
    webhooks: WebhookEndpoint[];
  };
  /** Null: the request succeeded. */
  errors: null;
  /** Whether entries follow those of this page. */
  has_more: boolean;
  /** Give it as `after` for the next page; null: this is the last one. */
  next: string | null;
};

export type ParseDestinationBody = {
  /** A destination as people write it. */
  input: string;
};

export type ParseDestinationAnswer = {
  /** The answer. */
  data: {
    /** Whether it is a destination. */
    valid: boolean;
    /** The parts of the destination; null: it is not valid. */
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
    /** Why, as a stable code; null: there is nothing to explain. */
    reason: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ProveNumbersBody = {
  /** Organization that holds the numbers. */
  organization_id: string;
  /** Numbers, E.164 with plus. At most 100. */
  phone_numbers: string[];
};

export type ProveNumbersAnswer = {
  /** The answer. */
  data: {
    /** The numbers that may be attached now. */
    proven: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type ReplayDeliveryPath = {
  /** delivery_id of the list */
  delivery_id: string;
};

export type ReplayDeliveryAnswer = {
  /** The answer. */
  data: DeliveryDetail;
  /** Null: the request succeeded. */
  errors: null;
};

export type ResendPortSignaturePath = {
  /** Id of the port request. */
  id: string;
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

export type ResumeCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type ResumeCallAnswer = {
  /** Its state. */
  status: "success";
  /** What was done, for people. */
  message: string;
};

export type RevokeAgentCredentialPath = {
  /** Id of the credentials of an agent; its digest user name. */
  credential_id: string;
};

export type RevokeAgentCredentialAnswer = {
  /** The answer. */
  data: {
    /** Id of the credentials of an agent; its digest user name. */
    credential_id: string;
    /** True: it is gone. */
    deleted: true;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type RevokeKeyPath = {
  /** Id of an API key. */
  key_id: string;
};

export type RevokeKeyAnswer = {
  /** The answer. */
  data: Key;
  /** Null: the request succeeded. */
  errors: null;
};

export type RotateWebhookSecretPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type RotateWebhookSecretAnswer = {
  /** The answer. */
  data: {
    /** Id of a webhook endpoint. */
    webhook_id: string;
    /** Signing secret, shown this once */
    secret: string;
    /** Until then the previous secret is valid */
    previous_secret_until: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type SendDigitsPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type SendDigitsBody = {
  /** 0-9, *, #; w waits half a second. 1 to 64 characters. */
  digits: string;
};

export type SendDigitsAnswer = {
  /** Its state. */
  status: "success";
  /** What was done, for people. */
  message: string;
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

export type StartDiscoveryAnswer = {
  /** The answer. */
  data: {
    /** Id of a discovery. */
    discovery_id: string;
    /** Its state. */
    status: "running" | "completed" | "failed";
    /** Why the discovery failed; null: it did not. */
    failure: "dns" | "forbidden_address" | "no_edge" | "interrupted" | null;
    /** Further facts for people; null: none. */
    detail: string | null;
    /** Host name or address. */
    host: string;
    /** Port, 1–65535. */
    port: number | null;
    /** SIP transport: udp, tcp or tls. */
    transport: "udp" | "tcp" | "tls" | null;
    /** How far it has come. */
    progress: {
      /** Steps that are done. */
      done: number;
      /** How many in all. */
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
      /** Share of calls among records of one priority. */
      weight: number;
    }[];
    /** Servers that were tried, in order. */
    attempts: {
      /** Address and port. */
      address: string;
      /** Port, 1–65535. */
      port: number;
      /** SIP transport: udp, tcp or tls. */
      transport: "udp" | "tcp" | "tls";
      /** Milliseconds until the answer; null: no answer. */
      response_time_ms: number | null;
      /** SIP status of the answer; null: no answer. */
      response_code: number | null;
      /** What the server calls itself; null: it does not say. */
      user_agent: string | null;
      /** Why, as a stable code; null: there is nothing to explain. */
      reason: "timeout" | "refused" | "dns" | "certificate" | "mutual_tls_required" | "tls" | "service_unavailable" | "network" | "no_transport" | null;
      /** Further facts for people; null: none. */
      detail: string | null;
    }[];
    /** What to enter; null: nothing answered. */
    recommended: {
      /** Port, 1–65535. */
      port: number | null;
      /** SIP transport: udp, tcp or tls. */
      transport: "udp" | "tcp" | "tls";
      /** What the server calls itself; null: it does not say. */
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
    /** When it was over, ISO 8601 in UTC; null: it is not. */
    completed_at: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type StartTestCallBody = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
};

export type StartTestCallAnswer = {
  /** The answer. */
  data: {
    /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
    call_id: string;
    /** What was done, for people. */
    message: string;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type StopBatchPath = {
  /** batch_id of the batch */
  batch_id: string;
};

export type StopBatchBody = {
  /** End its active calls as well. Default false */
  end_calls?: boolean | undefined;
};

export type StopBatchAnswer = {
  /** The answer. */
  data: CallBatch;
  /** Null: the request succeeded. */
  errors: null;
};

export type StopCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type StopCallAnswer = {
  /** Its state. */
  status: "success";
  /** What was done, for people. */
  message: string;
};

export type StreamEventsQuery = {
  /** `organization`: yours; `fleet`: all organizations, for operators. Default `organization`. */
  scope?: "organization" | "fleet" | undefined;
};

export type TestAlertsBody = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** Seen from the number: `inbound` calls come to it, `outbound` ones leave from it. */
  direction: "inbound" | "outbound";
};

export type TestAlertsAnswer = {
  /** The answer. */
  data: {
    /** Channels of notices. */
    channels: {
      /** Channel of a notice. */
      channel: "email" | "sms" | "webhook";
      /** Where it goes. */
      target: string | null;
      /** Its state. */
      status: "delivered" | "failed" | "not_configured";
      /** Further facts for people; null: none. */
      detail: string;
      /** HTTP or SMTP status of the last attempt; null: no answer. */
      last_status: number | null;
      /** Milliseconds that it took. */
      milliseconds: number;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type TestWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
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

export type TransferCallPath = {
  /** Id of a call; the agent gets it as `X-Demarc-Call-ID`. */
  call_id: string;
};

export type TransferCallBody = {
  /** An E.164 number with plus, or a SIP URI */
  target: string;
  /** Instead of the number's own */
  mode?: "refer" | "bridge" | undefined;
};

export type TransferCallAnswer = {
  /** Its state. */
  status: "success";
  /** What was done, for people. */
  message: string;
};

export type UpdateAlertContactsBody = {
  /** Mail addresses. */
  emails?: string[] | undefined;
  /** Numbers, E.164 with plus. */
  phone_numbers?: string[] | undefined;
};

export type UpdateAlertContactsAnswer = {
  /** The answer. */
  data: {
    /** Mail addresses. */
    emails: string[];
    /** Numbers, E.164 with plus. */
    phone_numbers: string[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateDirectionBody = {
  /** E.164 with plus, such as +14155550100. */
  phone_number: string;
  /** Only what is named changes; null takes a field away */
  updates: {
    /** Direction that it is for. */
    type: "inbound";
    /** Which configuration, when the number has several of the direction */
    id?: string | undefined;
    /** How the two sides know each other: `ip` by address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** What the customer’s PBX and the service know each other by */
    register_auth?: {
      /** The user name. */
      username: string;
      /** The password; `[redacted]` where it is already stored. */
      password: string;
    } | undefined;
    /** Addresses and CIDRs that may call, IPv4 or IPv6; an extension of ours */
    allowed_ips?: string[] | undefined;
    /** The agent's leg. */
    agent?: string | null | undefined;
    /** Server that we register at; null: none. */
    registrar?: string | null | undefined;
    /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
    sip_endpoint?: string | null | undefined;
    /** Further settings of the connection. */
    options?: {
      /** Port, 1–65535. */
      port?: number | null | undefined;
      /** SIP transport: udp, tcp or tls. */
      transport?: "udp" | "tcp" | "tls" | null | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | null | undefined;
      /** User name for digest challenges. */
      sip_username?: string | null | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | null | undefined;
      /** The one realm whose challenges the credentials answer; absent: any. */
      sip_realm?: string | null | undefined;
      /** PEM: the CA of the server, or its own certificate, in place of the authorities that the edge trusts; absent: those. */
      tls_ca?: string | null | undefined;
    } | null | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "inbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | null | undefined;
  } | {
    /** Direction that it is for. */
    type: "outbound";
    /** Which configuration, when the number has several of the direction */
    id?: string | undefined;
    /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
    sip_endpoint?: string | undefined;
    /** Further settings of the connection. */
    options?: {
      /** Port, 1–65535. */
      port?: number | null | undefined;
      /** SIP transport: udp, tcp or tls. */
      transport?: "udp" | "tcp" | "tls" | null | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | null | undefined;
      /** User name for digest challenges. */
      sip_username?: string | null | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | null | undefined;
      /** The one realm whose challenges the credentials answer; absent: any. */
      sip_realm?: string | null | undefined;
      /** PEM: the CA of the server, or its own certificate, in place of the authorities that the edge trusts; absent: those. */
      tls_ca?: string | null | undefined;
    } | null | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "outbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | null | undefined;
  };
};

export type UpdateDirectionAnswer = {
  /** The answer. */
  data: {
    /** The configuration after the change. */
    configuration: Configuration;
    /** Password to enter in the PBX, shown once; null: unchanged. */
    register_password_for_pbx: string | null;
    /** What was configured and still needs attention. */
    warnings: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** A code of docs/errors.md */
      warning: string;
      /** What needs attention, and why. */
      message: string;
    }[];
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateNumbersBody = {
  /** Only what is named changes; null takes a field away */
  updates: {
    /** Direction that it is for. */
    type: "inbound";
    /** Which configuration, when the number has several of the direction */
    id?: string | undefined;
    /** How the two sides know each other: `ip` by address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** What the customer’s PBX and the service know each other by */
    register_auth?: {
      /** The user name. */
      username: string;
      /** The password; `[redacted]` where it is already stored. */
      password: string;
    } | undefined;
    /** Addresses and CIDRs that may call, IPv4 or IPv6; an extension of ours */
    allowed_ips?: string[] | undefined;
    /** The agent's leg. */
    agent?: string | null | undefined;
    /** Server that we register at; null: none. */
    registrar?: string | null | undefined;
    /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
    sip_endpoint?: string | null | undefined;
    /** Further settings of the connection. */
    options?: {
      /** Port, 1–65535. */
      port?: number | null | undefined;
      /** SIP transport: udp, tcp or tls. */
      transport?: "udp" | "tcp" | "tls" | null | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | null | undefined;
      /** User name for digest challenges. */
      sip_username?: string | null | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | null | undefined;
      /** The one realm whose challenges the credentials answer; absent: any. */
      sip_realm?: string | null | undefined;
      /** PEM: the CA of the server, or its own certificate, in place of the authorities that the edge trusts; absent: those. */
      tls_ca?: string | null | undefined;
    } | null | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "inbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | null | undefined;
  } | {
    /** Direction that it is for. */
    type: "outbound";
    /** Which configuration, when the number has several of the direction */
    id?: string | undefined;
    /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
    sip_endpoint?: string | undefined;
    /** Further settings of the connection. */
    options?: {
      /** Port, 1–65535. */
      port?: number | null | undefined;
      /** SIP transport: udp, tcp or tls. */
      transport?: "udp" | "tcp" | "tls" | null | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | null | undefined;
      /** User name for digest challenges. */
      sip_username?: string | null | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | null | undefined;
      /** The one realm whose challenges the credentials answer; absent: any. */
      sip_realm?: string | null | undefined;
      /** PEM: the CA of the server, or its own certificate, in place of the authorities that the edge trusts; absent: those. */
      tls_ca?: string | null | undefined;
    } | null | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "outbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | null | undefined;
  };
  /** Numbers of yours, E.164 with plus. At most 100. */
  phone_numbers: string[];
};

export type UpdateNumbersAnswer = {
  /** The answer. */
  data: {
    /** The numbers that have the change. */
    updated: string[];
    /** The numbers that were left as they are, each with the reason. */
    failed: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** Code of the failure; see docs/errors.md. */
      error: ErrorCode;
      /** Why the number was not configured. */
      message: string;
    }[];
    /** What was configured and still needs attention. */
    warnings: {
      /** E.164 with plus, such as +14155550100. */
      phone_number: string;
      /** A code of docs/errors.md */
      warning: string;
      /** What needs attention, and why. */
      message: string;
    }[];
    /** Password to enter in the PBX, shown once; null: unchanged. */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateTrunkPath = {
  /** trunk_id of the trunk */
  trunk_id: string;
};

export type UpdateTrunkBody = {
  /** Your own text, at most 200 characters */
  name?: string | undefined;
  /** As in POST /v1/sip/attach. In a change the list replaces the present one; a password sent back as [redacted] stays */
  directions?: {
    /** Direction that it is for. */
    type: "inbound";
    /** How the two sides know each other: `ip` by address, `register` by registration. */
    auth_mode?: "ip" | "register" | undefined;
    /** What the customer’s PBX and the service know each other by */
    register_auth?: {
      /** The user name. */
      username: string;
      /** The password; `[redacted]` where it is already stored. */
      password: string;
    } | undefined;
    /** Addresses and CIDRs that may call, IPv4 or IPv6; an extension of ours */
    allowed_ips?: string[] | undefined;
    /** Where calls are forwarded to. Default: the service’s own agents. */
    agent?: string | undefined;
    /** PBX to register at, with auth_mode register. Default: the number’s first outbound server. */
    registrar?: string | undefined;
    /** Another name of `registrar` with auth_mode register, and of `agent` otherwise. */
    sip_endpoint?: string | undefined;
    /** Further settings of the connection. */
    options?: {
      /** Goes before a port in sip_endpoint */
      port?: number | undefined;
      /** Goes before a transport in sip_endpoint */
      transport?: "udp" | "tcp" | "tls" | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | undefined;
      /** User name for digest challenges. */
      sip_username?: string | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | undefined;
      /** The one realm whose challenges the credentials answer; any when absent */
      sip_realm?: string | undefined;
      /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
      tls_ca?: string | undefined;
    } | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "inbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | undefined;
  } | {
    /** Direction that it is for. */
    type: "outbound";
    /** SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`. */
    sip_endpoint: string;
    /** Further settings of the connection. */
    options?: {
      /** Goes before a port in sip_endpoint */
      port?: number | undefined;
      /** Goes before a transport in sip_endpoint */
      transport?: "udp" | "tcp" | "tls" | undefined;
      /** True: SRTP; false: plain RTP. */
      secure_media?: boolean | undefined;
      /** User name for digest challenges. */
      sip_username?: string | undefined;
      /** Password for digest challenges; `[redacted]` where it is already stored. */
      sip_password?: string | undefined;
      /** The one realm whose challenges the credentials answer; any when absent */
      sip_realm?: string | undefined;
      /** PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls */
      tls_ca?: string | undefined;
    } | undefined;
    /** Mappings of SIP headers and variables. */
    headers?: {
      /** Same as that of the configuration. */
      direction: "outbound";
      /** The mappings, at most 15. */
      headers: {
        /** `custom`: one header. `uui`: User-to-User (RFC 7433). */
        type: "custom";
        /** Inbound: name of the SIP header. Outbound: name of the variable. */
        key: string;
        /** Inbound: name of the variable. Outbound: name of the SIP header. Fixed text with `passthrough`. */
        value: string;
        /** True: the value is fixed text. */
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
      }[];
    } | undefined;
  }[] | undefined;
  /** Codecs, alerts, limits and transfers of calls to the numbers; null clears a section */
  inbound?: {
    /** Codecs of the direction; null: the default ones. */
    codec_config?: {
      /** The enabled codecs in order of preference */
      codecs: ("PCMU" | "PCMA" | "G.729" | "Opus" | "G.722")[];
      /** True: codecs that the other side lacks are converted. Default false. */
      transcode?: boolean | undefined;
    } | null | undefined;
    /** When and how you are alerted; null: not configured. */
    alert_config?: {
      /** False: kept, but not used. Default true. */
      enabled?: boolean | undefined;
      /** Values from which an alert is raised. */
      thresholds?: {
        /** Alert when the trunk is unreachable for this many minutes. */
        unreachable_minutes?: number | undefined;
        /** Alert when more than this share of calls fails, in percent. */
        failure_rate_percent?: number | undefined;
        /** Minutes over which the failure rate is measured. */
        failure_rate_window_minutes?: number | undefined;
        /** Alert when the trunk answers probes slower than this, in milliseconds. */
        response_time_ms?: number | undefined;
      } | undefined;
      /** Channels of notices. */
      channels?: {
        /** True: by mail. */
        email?: boolean | undefined;
        /** True: by SMS. */
        sms?: boolean | undefined;
        /** URL that is posted to. */
        webhook?: string | undefined;
      } | undefined;
    } | null | undefined;
    /** An extension of ours */
    limits?: {
      /** Most calls of the number at a time, both directions together. */
      concurrent_calls?: number | undefined;
      /** Calls begun per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** An extension of ours */
    transfer_config?: {
      /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
  /** Failover, codecs, alerts, limits and transfers of calls from the numbers; null clears a section */
  outbound?: {
    /** Backup servers of the outbound direction; null: none. */
    failover_config?: {
      /** False: kept, but not used. Default true. */
      enabled?: boolean | undefined;
      /** The backups; the primary is the direction’s sip_endpoint */
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
      /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
      failback?: "auto" | "manual" | undefined;
    } | null | undefined;
    /** Codecs of the direction; null: the default ones. */
    codec_config?: {
      /** The enabled codecs in order of preference */
      codecs: ("PCMU" | "PCMA" | "G.729" | "Opus" | "G.722")[];
      /** True: codecs that the other side lacks are converted. Default false. */
      transcode?: boolean | undefined;
    } | null | undefined;
    /** When and how you are alerted; null: not configured. */
    alert_config?: {
      /** False: kept, but not used. Default true. */
      enabled?: boolean | undefined;
      /** Values from which an alert is raised. */
      thresholds?: {
        /** Alert when the trunk is unreachable for this many minutes. */
        unreachable_minutes?: number | undefined;
        /** Alert when more than this share of calls fails, in percent. */
        failure_rate_percent?: number | undefined;
        /** Minutes over which the failure rate is measured. */
        failure_rate_window_minutes?: number | undefined;
        /** Alert when the trunk answers probes slower than this, in milliseconds. */
        response_time_ms?: number | undefined;
      } | undefined;
      /** Channels of notices. */
      channels?: {
        /** True: by mail. */
        email?: boolean | undefined;
        /** True: by SMS. */
        sms?: boolean | undefined;
        /** URL that is posted to. */
        webhook?: string | undefined;
      } | undefined;
    } | null | undefined;
    /** An extension of ours */
    limits?: {
      /** Most calls of the number at a time, both directions together. */
      concurrent_calls?: number | undefined;
      /** Calls begun per second. */
      calls_per_second?: number | undefined;
      /** Seconds from the answer after which the call is ended. */
      max_duration_seconds?: number | undefined;
    } | null | undefined;
    /** An extension of ours */
    transfer_config?: {
      /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
      mode: "refer" | "bridge";
      /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
      fallback?: boolean | undefined;
      /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
      allowed_targets?: string[] | undefined;
    } | null | undefined;
  } | undefined;
};

export type UpdateTrunkAnswer = {
  /** The answer. */
  data: {
    /** Id of the trunk */
    trunk_id: string;
    /** Your own text */
    name: string;
    /** As they were given, with [redacted] for each password */
    directions: Record<string, unknown>[];
    /** Codecs, alerts, limits and transfers of calls to the numbers */
    inbound: {
      /** Codecs of the direction; null: the default ones. */
      codec_config: {
        /** Codecs, in order of preference. */
        codecs: string[];
        /** True: codecs that the other side lacks are converted. Default false. */
        transcode: boolean;
      } | null;
      /** When and how you are alerted; null: not configured. */
      alert_config: {
        /** False: kept, but not used. Default true. */
        enabled: boolean;
        /** Values from which an alert is raised. */
        thresholds: {
          /** Alert when the trunk is unreachable for this many minutes. */
          unreachable_minutes?: number | undefined;
          /** Alert when more than this share of calls fails, in percent. */
          failure_rate_percent?: number | undefined;
          /** Minutes over which the failure rate is measured. */
          failure_rate_window_minutes?: number | undefined;
          /** Alert when the trunk answers probes slower than this, in milliseconds. */
          response_time_ms?: number | undefined;
        };
        /** Channels of notices. */
        channels: {
          /** True: by mail. */
          email?: boolean | undefined;
          /** True: by SMS. */
          sms?: boolean | undefined;
          /** URL that is posted to. */
          webhook?: string | undefined;
        };
      } | null;
      /** Limits of calls; null: none of its own. */
      limits: {
        /** Most calls of the number at a time, both directions together. */
        concurrent_calls?: number | undefined;
        /** Calls begun per second. */
        calls_per_second?: number | undefined;
        /** Seconds from the answer after which the call is ended. */
        max_duration_seconds?: number | undefined;
      } | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: {
        /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
        mode: "refer" | "bridge";
        /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
        fallback: boolean;
        /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
        allowed_targets?: string[] | undefined;
      } | null;
    };
    /** Failover, codecs, alerts, limits and transfers of calls from the numbers */
    outbound: {
      /** Backup servers of the outbound direction; null: none. */
      failover_config: {
        /** False: kept, but not used. Default true. */
        enabled: boolean;
        /** Servers. */
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
        /** When the first server is used again: `auto` after good probes, `manual` by request. Default `auto`. */
        failback: "auto" | "manual";
      } | null;
      /** Codecs of the direction; null: the default ones. */
      codec_config: {
        /** Codecs, in order of preference. */
        codecs: string[];
        /** True: codecs that the other side lacks are converted. Default false. */
        transcode: boolean;
      } | null;
      /** When and how you are alerted; null: not configured. */
      alert_config: {
        /** False: kept, but not used. Default true. */
        enabled: boolean;
        /** Values from which an alert is raised. */
        thresholds: {
          /** Alert when the trunk is unreachable for this many minutes. */
          unreachable_minutes?: number | undefined;
          /** Alert when more than this share of calls fails, in percent. */
          failure_rate_percent?: number | undefined;
          /** Minutes over which the failure rate is measured. */
          failure_rate_window_minutes?: number | undefined;
          /** Alert when the trunk answers probes slower than this, in milliseconds. */
          response_time_ms?: number | undefined;
        };
        /** Channels of notices. */
        channels: {
          /** True: by mail. */
          email?: boolean | undefined;
          /** True: by SMS. */
          sms?: boolean | undefined;
          /** URL that is posted to. */
          webhook?: string | undefined;
        };
      } | null;
      /** Limits of calls; null: none of its own. */
      limits: {
        /** Most calls of the number at a time, both directions together. */
        concurrent_calls?: number | undefined;
        /** Calls begun per second. */
        calls_per_second?: number | undefined;
        /** Seconds from the answer after which the call is ended. */
        max_duration_seconds?: number | undefined;
      } | null;
      /** How calls are transferred; null: the defaults. */
      transfer_config: {
        /** `refer`: the trunk transfers; `bridge`: we place a call and join the two. */
        mode: "refer" | "bridge";
        /** True: the edge bridges a transfer that the trunk refuses, by its answer to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false. */
        fallback: boolean;
        /** Beginnings of E.164 numbers, and hosts, that calls may be transferred to. */
        allowed_targets?: string[] | undefined;
      } | null;
    };
    /** Numbers that use the trunk */
    number_count: number;
    /** When it was made, ISO 8601 in UTC. */
    created_at: string;
    /** When it was changed last, ISO 8601 in UTC. */
    updated_at: string;
    /** What your PBX uses towards us; shown once, when the registration is new or changed */
    register_password_for_pbx: string | null;
  };
  /** Null: the request succeeded. */
  errors: null;
};

export type UpdateWebhookPath = {
  /** webhook_id of the endpoint */
  webhook_id: string;
};

export type UpdateWebhookBody = {
  /** Receiver of the events */
  url?: string | undefined;
  /** Your own text, at most 200 characters */
  description?: string | undefined;
  /** Events that are sent: types, all of an area (call.*), or * for all. Default * */
  events?: ("*" | "call.*" | "trunk.*" | "registration.*" | "alert.*" | "port.*" | "call.initiated" | "call.ringing" | "call.answered" | "call.completed" | "call.failed" | "trunk.unreachable" | "trunk.recovered" | "registration.registered" | "registration.failed" | "alert.fired" | "alert.recovered" | "port.waiting_for_signature" | "port.submitted" | "port.in_progress" | "port.completed" | "port.failed" | "port.canceled")[] | undefined;
  /** True also enables an endpoint that was disabled because it failed */
  enabled?: boolean | undefined;
};

export type UpdateWebhookAnswer = {
  /** The answer. */
  data: WebhookEndpoint;
  /** Null: the request succeeded. */
  errors: null;
};

export type UploadPortDocumentBody = {
  /** The document. */
  file: Blob;
};

export type UploadPortDocumentAnswer = {
  /** The answer. */
  data: {
    /** Id of the document. */
    document_sid: string;
    /** Its type, told by its content. */
    media_type: "application/pdf" | "image/jpeg" | "image/png" | "image/gif" | "image/webp";
    /** Octets. */
    size: number;
  };
  /** Null: the request succeeded. */
  errors: null;
};

/** The API, a method for each operation. Methods reject with `DemarcError`. */
export class Demarc extends Requests {
  /** Attach SIP configurations to numbers. Repeating a request changes nothing. A configuration for the same server (outbound) or the same callers (inbound) is replaced, another one is added, at most 10 a number. */
  attachNumbers(body: AttachNumbersBody, options: CallOptions = {}): Promise<AttachNumbersAnswer> {
    return this.json('POST', '/v1/sip/attach', { body, ...options });
  }

  /** Attach numbers to a trunk. Configurations that a number had of its own, or of another trunk, are replaced in one step. Numbers leave with POST /v1/sip/detach. */
  attachNumbersToTrunk(path: AttachNumbersToTrunkPath, body: AttachNumbersToTrunkBody, options: CallOptions = {}): Promise<AttachNumbersToTrunkAnswer> {
    return this.json('POST', '/v1/trunks/{trunk_id}/numbers', { path, body, ...options });
  }

  /** Cancel a port request. Allowed in any state before completed. Numbers that were ported already stay ported. Canceling again changes nothing. */
  cancelPort(path: CancelPortPath, options: CallOptions = {}): Promise<CancelPortAnswer> {
    return this.json('DELETE', '/v1/sip/port/{id}', { path, ...options });
  }

  /** Whether numbers can be ported. Asks the carrier about each number; without a carrier’s API, the numbering plan, as `source` says. */
  checkPortability(query: CheckPortabilityQuery, options: CallOptions = {}): Promise<CheckPortabilityAnswer> {
    return this.json('GET', '/v1/sip/port/check', { query, ...options });
  }

  /** Change failover, codecs, alerts, limits or transfers of a direction. A section that is named replaces the present one; null takes it away. */
  configureDirection(body: ConfigureDirectionBody, options: CallOptions = {}): Promise<ConfigureDirectionAnswer> {
    return this.json('PATCH', '/v1/sip/config', { body, ...options });
  }

  /** Create credentials for an agent that places calls by SIP. An INVITE of an agent is challenged; the answer must be of credentials of the organization whose number it calls from. The password is shown once. At most 20. */
  createAgentCredential(body: CreateAgentCredentialBody = {}, options: CallOptions = {}): Promise<CreateAgentCredentialAnswer> {
    return this.json('POST', '/v1/sip/agent-credentials', { body, ...options });
  }

  /** Call many phone numbers from one of yours. At most 1000 calls, all stored or none. They are dialled in their order, as fast as the limits of the number allow, each at most once. What a call says itself goes before what the batch says. */
  createBatch(body: CreateBatchBody, options: CallOptions = {}): Promise<CreateBatchAnswer> {
    return this.json('POST', '/v1/calls/batch', { body, ...options });
  }

  /** Call a phone number from one of yours. Answers once the order is stored. It is dialled at most once, by one edge, when the limits of the number allow it; or not at all when no edge takes it within a minute, or its turn does not come in time. Only after `CALLS_UNAVAILABLE` it may have been stored nevertheless: repeat the request with its `Idempotency-Key`. */
  createCall(body: CreateCallBody, options: CallOptions = {}): Promise<CreateCallAnswer> {
    return this.json('POST', '/v1/calls', { body, ...options });
  }

  /** Create an API key. The key itself is shown this once. It cannot do more than the key that asks, nor outlive it; keys of operators are made by the operator’s command line alone. */
  createKey(body: CreateKeyBody, options: CallOptions = {}): Promise<CreateKeyAnswer> {
    return this.json('POST', '/v1/keys', { body, ...options });
  }

  /** Log in with an API key: a session cookie for the dashboard. The cookie is HttpOnly and SameSite=Strict; with it, only requests of the dashboard’s own pages change something. */
  createSession(body: CreateSessionBody, options: CallOptions = {}): Promise<CreateSessionAnswer> {
    return this.json('POST', '/v1/session', { body, ...options });
  }

  /** Create a trunk that many numbers share. Its limits hold for all its numbers together. Numbers are attached to it afterwards. */
  createTrunk(body: CreateTrunkBody, options: CallOptions = {}): Promise<CreateTrunkAnswer> {
    return this.json('POST', '/v1/trunks', { body, ...options });
  }

  /** Register a webhook endpoint. At most 20 of an organization. The signing secret is shown this once. */
  createWebhook(body: CreateWebhookBody, options: CallOptions = {}): Promise<CreateWebhookAnswer> {
    return this.json('POST', '/v1/webhooks', { body, ...options });
  }

  /** Make a new signing secret. For the webhooks of orders and alerts; endpoints have their own. Shown this once. For 24 hours X-Demarc-Signature carries a v1 value of the previous secret as well. */
  createWebhookSecret(options: CallOptions = {}): Promise<CreateWebhookSecretAnswer> {
    return this.json('POST', '/v1/webhooks/secret', { ...options });
  }

  /** Log out. Ends the session of the cookie and clears the cookie. Without a session it does nothing. */
  deleteSession(options: CallOptions = {}): Promise<DeleteSessionAnswer> {
    return this.json('DELETE', '/v1/session', { ...options });
  }

  /** Delete a trunk that no number uses. Refused (409) while numbers use it. */
  deleteTrunk(path: DeleteTrunkPath, options: CallOptions = {}): Promise<DeleteTrunkAnswer> {
    return this.json('DELETE', '/v1/trunks/{trunk_id}', { path, ...options });
  }

  /** Delete a webhook endpoint. What waits for it is not sent; its deliveries stay in the list. */
  deleteWebhook(path: DeleteWebhookPath, options: CallOptions = {}): Promise<DeleteWebhookAnswer> {
    return this.json('DELETE', '/v1/webhooks/{webhook_id}', { path, ...options });
  }

  /** Remove directions of a number. With its last configuration the number becomes free. A direction that has no configuration is skipped. */
  detachNumber(body: DetachNumberBody, options: CallOptions = {}): Promise<DetachNumberAnswer> {
    return this.json('POST', '/v1/sip/detach', { body, ...options });
  }

  /** Remove directions of many numbers. As `/v1/sip/detach`, for up to 100 numbers. With its last configuration a number becomes free. */
  detachNumbers(body: DetachNumbersBody, options: CallOptions = {}): Promise<DetachNumbersAnswer> {
    return this.json('POST', '/v1/sip/numbers/detach', { body, ...options });
  }

  /** All calls that match, as CSV. The filters of `GET /v1/sip/calls`, without pages: newest first, one line a call, with a header line. The file is streamed, so that it may be of any length; calls that end meanwhile are not in it. */
  exportCallRecords(query: ExportCallRecordsQuery = {}, options: CallOptions = {}): Promise<Response> {
    return this.raw('GET', '/v1/sip/calls.csv', { query, ...options });
  }

  /** Use a number’s first server again. For failover with `failback: manual`, and for those who do not want to wait for the probes of `auto`. Calls that are going on stay where they are. Repeating the request changes nothing. */
  failBack(body: FailBackBody, options: CallOptions = {}): Promise<FailBackAnswer> {
    return this.json('POST', '/v1/sip/failback', { body, ...options });
  }

  /** A random password for register_auth. It is not stored. */
  generatePassword(query: GeneratePasswordQuery = {}, options: CallOptions = {}): Promise<GeneratePasswordAnswer> {
    return this.json('GET', '/v1/sip/generate-password', { query, ...options });
  }

  /** One alert, with who was told and how that went. `notices` has each delivery. */
  getAlert(path: GetAlertPath, options: CallOptions = {}): Promise<GetAlertAnswer> {
    return this.json('GET', '/v1/sip/alerts/{alert_id}', { path, ...options });
  }

  /** Whom alerts are told to. Used by every trunk whose `alert_config` turns mail or SMS on. */
  getAlertContacts(options: CallOptions = {}): Promise<GetAlertContactsAnswer> {
    return this.json('GET', '/v1/sip/alerts/contacts', { ...options });
  }

  /** One batch with its progress. `GET /v1/calls?batch_id=…` lists its calls. */
  getBatch(path: GetBatchPath, options: CallOptions = {}): Promise<GetBatchAnswer> {
    return this.json('GET', '/v1/batches/{batch_id}', { path, ...options });
  }

  /** One call placed by the API: what was ordered and what came of it. The agent finds its task and `request_data` here, by the `X-Demarc-Call-ID` of its INVITE. */
  getCall(path: GetCallPath, options: CallOptions = {}): Promise<GetCallAnswer> {
    return this.json('GET', '/v1/calls/{call_id}', { path, ...options });
  }

  /** One call with RTP statistics and every SIP message, also while it goes on. `format=text` is a page to read with the ladder of messages, `format=pcap` a file for Wireshark or sngrep. Of a call whose `state` is not `ended` it is what its edge knows at this moment. */
  getCallRecord(path: GetCallRecordPath, query: GetCallRecordQuery = {}, options: CallOptions = {}): Promise<GetCallRecordAnswer> {
    return this.json('GET', '/v1/sip/calls/{call_id}', { path, query, ...options });
  }

  /** Calls, answer rate and failures over time. By the minute in which calls ended. Buckets of a minute (1h), 15 minutes (24h), two hours (7d) or six (30d), oldest first, without gaps. */
  getCallSeries(query: GetCallSeriesQuery = {}, options: CallOptions = {}): Promise<GetCallSeriesAnswer> {
    return this.json('GET', '/v1/noc/calls/series', { query, ...options });
  }

  /** One delivery with its body and every attempt. What the receiver answered is stored as its status alone. */
  getDelivery(path: GetDeliveryPath, options: CallOptions = {}): Promise<GetDeliveryAnswer> {
    return this.json('GET', '/v1/deliveries/{delivery_id}', { path, ...options });
  }

  /** Progress and result of a discovery. Results are kept for ten minutes. */
  getDiscovery(query: GetDiscoveryQuery, options: CallOptions = {}): Promise<GetDiscoveryAnswer> {
    return this.json('GET', '/v1/sip/discover/status', { query, ...options });
  }

  /** Causes and advice in plain words, for every reason and SIP status. The `cause` and `advice` of other answers come from here. */
  getExplanations(options: CallOptions = {}): Promise<GetExplanationsAnswer> {
    return this.json('GET', '/v1/noc/explanations', { ...options });
  }

  /** Addresses and ports for the customer’s firewall. Of your organization's region, and of all regions under `regions`. */
  getFirewall(options: CallOptions = {}): Promise<GetFirewallAnswer> {
    return this.json('GET', '/v1/sip/firewall-ips', { ...options });
  }

  /** Uptime and response times of a number’s servers over time. Buckets of an hour (24h), six hours (7d) or a day (30d), oldest first, without gaps; the last one has just begun. */
  getHealthHistory(query: GetHealthHistoryQuery, options: CallOptions = {}): Promise<GetHealthHistoryAnswer> {
    return this.json('GET', '/v1/sip/health/history', { query, ...options });
  }

  /** One API key. The key itself is not shown. */
  getKey(path: GetKeyPath, options: CallOptions = {}): Promise<GetKeyAnswer> {
    return this.json('GET', '/v1/keys/{key_id}', { path, ...options });
  }

  /** What is attached to a number. Passwords are never returned; they read `[redacted]`. Give the `ETag` as `If-Match` with a change, and it is refused (412) when somebody else changed the number meanwhile. */
  getNumber(query: GetNumberQuery, options: CallOptions = {}): Promise<GetNumberAnswer> {
    return this.json('GET', '/v1/sip', { query, ...options });
  }

  /** What a PBX needs in order to send calls. With `phone_number`, `credentials` has what the number signs in with. */
  getOutboundSetup(query: GetOutboundSetupQuery = {}, options: CallOptions = {}): Promise<GetOutboundSetupAnswer> {
    return this.json('GET', '/v1/sip/outbound-setup', { query, ...options });
  }

  /** One port request with its history. Every move with its time, actor and reason. Account number and PIN are not shown. */
  getPort(path: GetPortPath, options: CallOptions = {}): Promise<GetPortAnswer> {
    return this.json('GET', '/v1/sip/port/{id}', { path, ...options });
  }

  /** Who is asking: organization, key, and until when. With a key as well as with the cookie of a session. */
  getSession(options: CallOptions = {}): Promise<GetSessionAnswer> {
    return this.json('GET', '/v1/session', { ...options });
  }

  /** The overview: health of trunks and parts, calls, failures by cause. Of your organization; keys of operators also get `fleet`. Parts that are away are shown as such, with null where nothing is known. */
  getSummary(options: CallOptions = {}): Promise<GetSummaryAnswer> {
    return this.json('GET', '/v1/noc/summary', { ...options });
  }

  /** What became of a test call. Known for an hour. The SIP messages are in `/v1/sip/calls/{history_call_id}` once the call is over. */
  getTestCall(query: GetTestCallQuery, options: CallOptions = {}): Promise<GetTestCallAnswer> {
    return this.json('GET', '/v1/sip/test-call/status', { query, ...options });
  }

  /** One trunk. Passwords are not shown. */
  getTrunk(path: GetTrunkPath, options: CallOptions = {}): Promise<GetTrunkAnswer> {
    return this.json('GET', '/v1/trunks/{trunk_id}', { path, ...options });
  }

  /** Health of a number’s trunk. The servers that calls from the number go to are asked by SIP OPTIONS again and again; any answer but 503 shows that one is there. healthy: one of them is reachable. unchecked: nothing probes it; inbound-only trunks have no server to probe. Uptime and response times at the top are those of the first server. `probe=now` asks at once and waits for the answers; `probe` then tells whether all of them came. It also registers at once. A trunk that we register at (`auth_mode: register`) has its `registration` as well. */
  getTrunkStatus(query: GetTrunkStatusQuery, options: CallOptions = {}): Promise<GetTrunkStatusAnswer> {
    return this.json('GET', '/v1/sip/status', { query, ...options });
  }

  /** Calls, minutes and peak concurrency by day. Of your organization, up to 92 days. A call counts once it has ended, on the day on which it started (UTC). */
  getUsage(query: GetUsageQuery = {}, options: CallOptions = {}): Promise<GetUsageAnswer> {
    return this.json('GET', '/v1/usage', { query, ...options });
  }

  /** One webhook endpoint. With its state: whether it is enabled, and since when nothing got through to it. */
  getWebhook(path: GetWebhookPath, options: CallOptions = {}): Promise<GetWebhookAnswer> {
    return this.json('GET', '/v1/webhooks/{webhook_id}', { path, ...options });
  }

  /** Whether there is a signing secret. The secret itself is shown only when it is made. */
  getWebhookSecret(options: CallOptions = {}): Promise<GetWebhookSecretAnswer> {
    return this.json('GET', '/v1/webhooks/secret', { ...options });
  }

  /** Put a call on hold. Of any answered call: the caller or callee hears music, the agent silence, until `resume`. Neither side gets a re-INVITE, so both stay as they are. */
  holdCall(path: HoldCallPath, body: HoldCallBody = {}, options: CallOptions = {}): Promise<HoldCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/hold', { path, body, ...options });
  }

  /** Port numbers to this service. Sends the Letter of Authorization to the authorized representative for electronic signature. Once it is signed, the request goes to the carrier. A port takes 7 to 14 business days; keep the service at the losing carrier active until then. */
  initiatePort(body: InitiatePortBody, options: CallOptions = {}): Promise<InitiatePortAnswer> {
    return this.json('POST', '/v1/sip/port/initiate', { body, ...options });
  }

  /** List the credentials of agents. Oldest first, without their passwords. */
  listAgentCredentials(query: ListAgentCredentialsQuery = {}, options: CallOptions = {}): Promise<ListAgentCredentialsAnswer> {
    return this.json('GET', '/v1/sip/agent-credentials', { query, ...options });
  }

  /** Alerts, active ones first, then the newest first. Alerts of all trunks of the organization. */
  listAlerts(query: ListAlertsQuery = {}, options: CallOptions = {}): Promise<ListAlertsAnswer> {
    return this.json('GET', '/v1/sip/alerts', { query, ...options });
  }

  /** Batches, newest first. With the progress of each. */
  listBatches(query: ListBatchesQuery = {}, options: CallOptions = {}): Promise<ListBatchesAnswer> {
    return this.json('GET', '/v1/batches', { query, ...options });
  }

  /** Calls of the organization, newest first. Inbound calls and those placed by the API or an agent. `next` of an answer, given as `after`, leads to the page behind it. */
  listCallRecords(query: ListCallRecordsQuery = {}, options: CallOptions = {}): Promise<ListCallRecordsAnswer> {
    return this.json('GET', '/v1/sip/calls', { query, ...options });
  }

  /** Calls placed by the API, newest first. `/v1/sip/calls` has the inbound ones as well, with traces. `data` and `calls` are the same list: `calls`, `count` and `total_count` are of the public shape. */
  listCalls(query: ListCallsQuery = {}, options: CallOptions = {}): Promise<ListCallsAnswer> {
    return this.json('GET', '/v1/calls', { query, ...options });
  }

  /** What was sent, or will be, and how it went; newest first. Results of calls and notices of alerts, by webhook, mail and SMS. */
  listDeliveries(query: ListDeliveriesQuery = {}, options: CallOptions = {}): Promise<ListDeliveriesAnswer> {
    return this.json('GET', '/v1/webhooks/deliveries', { query, ...options });
  }

  /** List API keys. Newest first, with those that are revoked or expired. */
  listKeys(query: ListKeysQuery = {}, options: CallOptions = {}): Promise<ListKeysAnswer> {
    return this.json('GET', '/v1/keys', { query, ...options });
  }

  /** Calls that go on. At most 1,000, newest first, known within half a second. `scope=fleet` needs the key of an operator. */
  listLiveCalls(query: ListLiveCallsQuery = {}, options: CallOptions = {}): Promise<ListLiveCallsAnswer> {
    return this.json('GET', '/v1/noc/calls/live', { query, ...options });
  }

  /** All numbers that have something attached. In the order of the numbers. */
  listNumbers(query: ListNumbersQuery = {}, options: CallOptions = {}): Promise<ListNumbersAnswer> {
    return this.json('GET', '/v1/sip/numbers', { query, ...options });
  }

  /** Numbers that use a trunk, in order. E.164 with plus. */
  listNumbersOfTrunk(path: ListNumbersOfTrunkPath, query: ListNumbersOfTrunkQuery = {}, options: CallOptions = {}): Promise<ListNumbersOfTrunkAnswer> {
    return this.json('GET', '/v1/trunks/{trunk_id}/numbers', { path, query, ...options });
  }

  /** Port requests, newest first. Each with its numbers and their states. */
  listPorts(query: ListPortsQuery = {}, options: CallOptions = {}): Promise<ListPortsAnswer> {
    return this.json('GET', '/v1/sip/port', { query, ...options });
  }

  /** Trunks that numbers share, newest first. Numbers with configurations of their own are in GET /v1/sip/numbers alone. */
  listTrunks(query: ListTrunksQuery = {}, options: CallOptions = {}): Promise<ListTrunksAnswer> {
    return this.json('GET', '/v1/trunks', { query, ...options });
  }

  /** Webhook endpoints, newest first. All of your organization. Secrets are not shown. */
  listWebhooks(query: ListWebhooksQuery = {}, options: CallOptions = {}): Promise<ListWebhooksAnswer> {
    return this.json('GET', '/v1/webhooks', { query, ...options });
  }

  /** Read a destination as people write it. Takes host names, addresses, SIP URIs and shorthands such as `tls://203.0.113.5`. What is no destination is `valid: false`, with the reason. */
  parseDestination(body: ParseDestinationBody, options: CallOptions = {}): Promise<ParseDestinationAnswer> {
    return this.json('POST', '/v1/sip/parse-destination', { body, ...options });
  }

  /** Note that an organization holds numbers. For operators. Where the service requires proof (`DEMARC_NUMBER_PROOF`), an organization attaches only numbers that were noted for it. Numbers that are attached already stay so. */
  proveNumbers(body: ProveNumbersBody, options: CallOptions = {}): Promise<ProveNumbersAnswer> {
    return this.json('POST', '/v1/sip/numbers/prove', { body, ...options });
  }

  /** Send a finished webhook once more. With the same body, event_id and X-Webhook-Id, signed anew; attempts are counted from zero. A delivery that is pending still is refused (409). */
  replayDelivery(path: ReplayDeliveryPath, options: CallOptions = {}): Promise<ReplayDeliveryAnswer> {
    return this.json('POST', '/v1/deliveries/{delivery_id}/replay', { path, ...options });
  }

  /** Send the Letter of Authorization again. Mails a new link to the authorized representative. The earlier link stops working. */
  resendPortSignature(path: ResendPortSignaturePath, options: CallOptions = {}): Promise<ResendPortSignatureAnswer> {
    return this.json('POST', '/v1/sip/port/{id}/signature', { path, ...options });
  }

  /** Resume a call that is on hold. The two parties hear each other again. 409 for a call that is not on hold. */
  resumeCall(path: ResumeCallPath, options: CallOptions = {}): Promise<ResumeCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/resume', { path, ...options });
  }

  /** Revoke credentials of an agent. Edges refuse them as soon as they hear of it, within a second; active calls go on. */
  revokeAgentCredential(path: RevokeAgentCredentialPath, options: CallOptions = {}): Promise<RevokeAgentCredentialAnswer> {
    return this.json('DELETE', '/v1/sip/agent-credentials/{credential_id}', { path, ...options });
  }

  /** Revoke an API key. From the next request on the key is refused, and its sessions end. Revoking it again changes nothing. */
  revokeKey(path: RevokeKeyPath, options: CallOptions = {}): Promise<RevokeKeyAnswer> {
    return this.json('DELETE', '/v1/keys/{key_id}', { path, ...options });
  }

  /** Make a new signing secret for an endpoint. Shown this once. For 24 hours X-Demarc-Signature carries a v1 value of the previous secret as well. */
  rotateWebhookSecret(path: RotateWebhookSecretPath, options: CallOptions = {}): Promise<RotateWebhookSecretAnswer> {
    return this.json('POST', '/v1/webhooks/{webhook_id}/rotate-secret', { path, ...options });
  }

  /** Send DTMF digits to the caller or callee. Of any answered call, inbound or placed by the API: as telephone events (RFC 4733), by INFO where the trunk has none, or as tones. Answers when the first digit is sent; the others follow, five a second. */
  sendDigits(path: SendDigitsPath, body: SendDigitsBody, options: CallOptions = {}): Promise<SendDigitsAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/dtmf', { path, body, ...options });
  }

  /** Find out how a PBX can be reached. Resolves A, AAAA and SRV records, then asks ports 5060, 5061 and 5080 over TLS, TCP and UDP by SIP OPTIONS; `port` and `transport` narrow that. Poll the status for progress. One discovery at a time (409); results are kept for ten minutes. */
  startDiscovery(body: StartDiscoveryBody, options: CallOptions = {}): Promise<StartDiscoveryAnswer> {
    return this.json('POST', '/v1/sip/discover', { body, ...options });
  }

  /** Call a number at its own trunk, and play an announcement. A real INVITE for the number goes to its outbound servers, as calls from it do: same order, credentials and media. Whoever answers hears a chime for seven seconds, then the call is ended. Poll the status for the timeline. At most 10 in 15 minutes (429 with Retry-After). */
  startTestCall(body: StartTestCallBody, options: CallOptions = {}): Promise<StartTestCallAnswer> {
    return this.json('POST', '/v1/sip/test-call', { body, ...options });
  }

  /** Dial no further call of a batch. Active calls go on, unless end_calls is true. The calls that were not dialled end as cancelled, within seconds. */
  stopBatch(path: StopBatchPath, body: StopBatchBody = {}, options: CallOptions = {}): Promise<StopBatchAnswer> {
    return this.json('POST', '/v1/batches/{batch_id}/stop', { path, body, ...options });
  }

  /** End a call, or keep it from being dialled. Ends an active call, cancels one that rings, and removes one that waits. Repeating the request changes nothing. */
  stopCall(path: StopCallPath, options: CallOptions = {}): Promise<StopCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/stop', { path, ...options });
  }

  /** What happens, as server-sent events. snapshot (everything, first and whenever something was missed), summary (what changed of the overview), call, trunk, alert, test_call, registration, end. Last-Event-ID brings what was missed, as long as that is known. */
  streamEvents(query: StreamEventsQuery = {}, options: CallOptions = {}): Promise<Response> {
    return this.raw('GET', '/v1/noc/events', { query, ...options });
  }

  /** Send a test notice to every channel of a direction. Answers when all of them have answered, within 20 seconds. At most 10 in 15 minutes for an organization. */
  testAlerts(body: TestAlertsBody, options: CallOptions = {}): Promise<TestAlertsAnswer> {
    return this.json('POST', '/v1/sip/alerts/test', { body, ...options });
  }

  /** Send the event webhook.test to an endpoint. Whatever its filter is. The outcome is in the list of deliveries, under the event_id. */
  testWebhook(path: TestWebhookPath, options: CallOptions = {}): Promise<TestWebhookAnswer> {
    return this.json('POST', '/v1/webhooks/{webhook_id}/test', { path, ...options });
  }

  /** Transfer a call that goes on, as if its agent had sent REFER. Of any call, inbound or placed by the API, by the `X-Demarc-Call-ID` that the agent was given. Answers once it has begun; the outcome is in the call’s record. */
  transferCall(path: TransferCallPath, body: TransferCallBody, options: CallOptions = {}): Promise<TransferCallAnswer> {
    return this.json('POST', '/v1/calls/{call_id}/transfer', { path, body, ...options });
  }

  /** Change whom alerts are told to. For all trunks of the organization whose `alert_config` turns mail or SMS on. A list that is named replaces the present one. */
  updateAlertContacts(body: UpdateAlertContactsBody = {}, options: CallOptions = {}): Promise<UpdateAlertContactsAnswer> {
    return this.json('PATCH', '/v1/sip/alerts/contacts', { body, ...options });
  }

  /** Change a direction of a number. Omitted fields keep their value; null clears a field. A number with several configurations of the direction needs `id`. */
  updateDirection(body: UpdateDirectionBody, options: CallOptions = {}): Promise<UpdateDirectionAnswer> {
    return this.json('POST', '/v1/sip/update', { body, ...options });
  }

  /** Change a direction of many numbers. As `/v1/sip/update`, for up to 100 numbers. Each is changed on its own: those that cannot be are in `failed`, the others are changed. */
  updateNumbers(body: UpdateNumbersBody, options: CallOptions = {}): Promise<UpdateNumbersAnswer> {
    return this.json('POST', '/v1/sip/numbers/update', { body, ...options });
  }

  /** Change a trunk and all its numbers. Omitted fields keep their value. All numbers of the trunk change together, for the next call; active calls go on. */
  updateTrunk(path: UpdateTrunkPath, body: UpdateTrunkBody = {}, options: CallOptions = {}): Promise<UpdateTrunkAnswer> {
    return this.json('PATCH', '/v1/trunks/{trunk_id}', { path, body, ...options });
  }

  /** Change, enable or disable a webhook endpoint. Omitted fields keep their value. What waits is sent to the new URL. */
  updateWebhook(path: UpdateWebhookPath, body: UpdateWebhookBody = {}, options: CallOptions = {}): Promise<UpdateWebhookAnswer> {
    return this.json('PATCH', '/v1/webhooks/{webhook_id}', { path, body, ...options });
  }

  /** Upload a bill or an invoice. A utility bill or an invoice of the losing carrier, not older than 30 days, with account name and service address. PDF, JPEG, PNG, GIF or WebP, at most 10 MB, recognized by its content. It is stored encrypted. */
  uploadPortDocument(body: UploadPortDocumentBody, options: CallOptions = {}): Promise<UploadPortDocumentAnswer> {
    return this.json('POST', '/v1/sip/port/document', { body, ...options });
  }
}


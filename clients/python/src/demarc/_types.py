# Generated from the description of the API: npm run client:python. Do not edit.
from typing import IO, Any, Dict, List, Literal, NotRequired, Tuple, TypedDict, Union

FileContent = Union[bytes, IO[bytes], Tuple[str, Union[bytes, IO[bytes]]]]

AcceptInvitationAnswer = TypedDict(
    "AcceptInvitationAnswer",
    {
        "data": "Session",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

AddAgentMetadataAnswer = TypedDict(
    "AddAgentMetadataAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
        "agent_metadata": "Dict[str, str]",  # All values that the record will have
    },
)

AlertMaintenance = TypedDict(
    "AlertMaintenance",
    {
        "window_id": "str",  # window_id of the window
        "name": "str",  # Name of the window when the alert fired
        "withheld": "bool",  # True: not sent yet; it is sent if it persists after the window
    },
)

Alert = TypedDict(
    "Alert",
    {
        "alert_id": "str",  # Id of an alert.
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "kind": "Literal[\"unreachable\", \"failure_rate\", \"response_time\"]",  # Kind.
        "state": "Literal[\"active\", \"recovered\", \"closed\"]",  # `active`, `recovered`, or `closed`: its threshold was removed while it was active; no notice is sent
        "title": "str",  # Title of the alert.
        "summary": "str",  # What happened, with measured values
        "cause": "str",  # The likely cause
        "advice": "str",  # What to do
        "since": "str",  # When it began
        "fired_at": "str",  # When the alert fired, ISO 8601 in UTC.
        "recovered_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it is active.
        "measured": "Union[float, None]",  # Measured value; null: none.
        "threshold": "float",  # Threshold at which the alert fires.
        "unit": "Literal[\"minutes\", \"percent\", \"milliseconds\"]",  # Unit of `measured` and `threshold`.
        "dashboard_url": "str",  # Page of the trunk on the dashboard.
        "acknowledged_at": "Union[str, None]",  # When it was acknowledged; null: not
        "acknowledged_by": "Union[str, None]",  # Name of the member or key that acknowledged it; null: not acknowledged
        "note": "Union[str, None]",  # Note for colleagues
        "muted_until": "Union[str, None]",  # No notices of this number, direction and kind until then; null: not muted
        "muted_at": "Union[str, None]",  # When it was muted; null: not muted
        "muted_by": "Union[str, None]",  # Name of the member or key that muted it; null: not muted
        "maintenance": "Union[AlertMaintenance, None]",  # The maintenance window that was open when it fired; null: none
        "notices": "List[Delivery]",  # Notices sent, with their deliveries.
    },
)

AlertConfigThresholds = TypedDict(
    "AlertConfigThresholds",
    {
        "unreachable_minutes": NotRequired["float"],  # Fires when the trunk has been unreachable for this many minutes.
        "failure_rate_percent": NotRequired["float"],  # Fires when at least this percentage of calls fails.
        "failure_rate_window_minutes": NotRequired["float"],  # Minutes over which the failure rate is measured.
        "response_time_ms": NotRequired["float"],  # Fires when the mean response time of probes exceeds this, in milliseconds.
    },
)

AlertConfigChannels = TypedDict(
    "AlertConfigChannels",
    {
        "email": NotRequired["bool"],  # True: by email.
        "sms": NotRequired["bool"],  # True: by SMS.
        "webhook": NotRequired["str"],  # URL to post to.
    },
)

AlertConfig = TypedDict(
    "AlertConfig",
    {
        "enabled": "bool",  # False: stored but not used. Default true.
        "thresholds": "AlertConfigThresholds",  # Thresholds at which an alert fires.
        "channels": "AlertConfigChannels",  # Channels of notices.
    },
)

AlertSettingsThresholds = TypedDict(
    "AlertSettingsThresholds",
    {
        "unreachable_minutes": NotRequired["int"],  # Fires when the trunk has been unreachable for this many minutes.
        "failure_rate_percent": NotRequired["float"],  # Fires when at least this percentage of calls fails.
        "failure_rate_window_minutes": NotRequired["int"],  # Minutes over which the failure rate is measured.
        "response_time_ms": NotRequired["int"],  # Fires when the mean response time of probes exceeds this, in milliseconds.
    },
)

AlertSettingsChannels = TypedDict(
    "AlertSettingsChannels",
    {
        "email": NotRequired["bool"],  # True: by email.
        "sms": NotRequired["bool"],  # True: by SMS.
        "webhook": NotRequired["str"],  # URL to post to.
    },
)

AlertSettings = TypedDict(
    "AlertSettings",
    {
        "enabled": NotRequired["bool"],  # False: stored but not used. Default true.
        "thresholds": NotRequired["AlertSettingsThresholds"],  # Thresholds at which an alert fires.
        "channels": NotRequired["AlertSettingsChannels"],  # Channels of notices.
    },
)

AnalyzeTestRunAnswerData = TypedDict(
    "AnalyzeTestRunAnswerData",
    {
        "analysis": "TestAnalysis",  # The analysis.
    },
)

AnalyzeTestRunAnswer = TypedDict(
    "AnalyzeTestRunAnswer",
    {
        "data": "AnalyzeTestRunAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

AttachNumbersAnswerDataFailedItem = TypedDict(
    "AttachNumbersAnswerDataFailedItem",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "error": "str",  # Code of the failure; see docs/errors.md.
        "message": "str",  # Why the number was not configured.
    },
)

AttachNumbersAnswerDataWarningsItem = TypedDict(
    "AttachNumbersAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

AttachNumbersAnswerData = TypedDict(
    "AttachNumbersAnswerData",
    {
        "configured": "List[str]",  # Numbers that were configured.
        "failed": "List[AttachNumbersAnswerDataFailedItem]",  # Numbers that could not be configured, each with its reason.
        "warnings": "List[AttachNumbersAnswerDataWarningsItem]",  # Warnings about what was configured.
        "register_password_for_pbx": "Union[str, None]",  # Shown once, when a registration was attached that was not before
    },
)

AttachNumbersAnswer = TypedDict(
    "AttachNumbersAnswer",
    {
        "data": "AttachNumbersAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

AttachNumbersToTrunkAnswerDataFailedItem = TypedDict(
    "AttachNumbersToTrunkAnswerDataFailedItem",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "error": "str",  # Code of the failure; see docs/errors.md.
        "message": "str",  # Why the number was not configured.
    },
)

AttachNumbersToTrunkAnswerDataWarningsItem = TypedDict(
    "AttachNumbersToTrunkAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

AttachNumbersToTrunkAnswerData = TypedDict(
    "AttachNumbersToTrunkAnswerData",
    {
        "configured": "List[str]",  # Numbers that were configured.
        "failed": "List[AttachNumbersToTrunkAnswerDataFailedItem]",  # Numbers that could not be configured, each with its reason.
        "warnings": "List[AttachNumbersToTrunkAnswerDataWarningsItem]",  # Warnings about what was configured.
        "register_password_for_pbx": "Union[str, None]",  # Shown once, when a registration was attached that was not before
    },
)

AttachNumbersToTrunkAnswer = TypedDict(
    "AttachNumbersToTrunkAnswer",
    {
        "data": "AttachNumbersToTrunkAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

AttachPathwayNumbersAnswer = TypedDict(
    "AttachPathwayNumbersAnswer",
    {
        "data": "ChangedPathway",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

AttachPersonaNumbersAnswer = TypedDict(
    "AttachPersonaNumbersAnswer",
    {
        "data": "ChangedPersona",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

AttachedDirectionHeaders = TypedDict(
    "AttachedDirectionHeaders",
    {
        "direction": "Literal[\"inbound\", \"outbound\"]",  # Same as that of the configuration.
        "headers": "List[Dict[str, Any]]",  # The mappings, at most 15.
    },
)

AttachedDirectionOptionsAgents = TypedDict(
    "AttachedDirectionOptionsAgents",
    {
        "strategy": "Literal[\"ring_all\"]",  # `ring_all`: all ring at once; the first that answers has the call.
        "endpoints": "List[str]",  # Servers; of `agents`, the agents.
    },
)

AttachedDirectionOptions = TypedDict(
    "AttachedDirectionOptions",
    {
        "auth_mode": NotRequired["Literal[\"ip\", \"register\"]"],  # How callers are recognized: `ip` by source address, `register` by registration.
        "port": NotRequired["int"],  # Port, 1–65535.
        "transport": NotRequired["Literal[\"udp\", \"tcp\", \"tls\"]"],  # SIP transport: udp, tcp or tls.
        "secure_media": NotRequired["bool"],  # True: SRTP; false: plain RTP.
        "symmetric_rtp": NotRequired["bool"],  # True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting.
        "sip_username": NotRequired["str"],  # User name for digest challenges.
        "sip_password": NotRequired["Literal[\"[redacted]\"]"],  # Password for digest challenges; stored passwords read `[redacted]`.
        "sip_realm": NotRequired["str"],  # Realm that the credentials are for. Default: any.
        "tls_ca": NotRequired["str"],  # PEM: the server’s CA or its own certificate, which replaces the default authorities. Default: the authorities that the edge trusts.
        "agents": NotRequired["AttachedDirectionOptionsAgents"],  # Agents that ring together, in place of `agent`.
    },
)

AttachedDirectionRegisterAuth = TypedDict(
    "AttachedDirectionRegisterAuth",
    {
        "username": "str",  # The user name.
        "password": "Literal[\"[redacted]\"]",  # The password; stored passwords read `[redacted]`.
    },
)

AttachedDirection = TypedDict(
    "AttachedDirection",
    {
        "number": "str",  # One of your numbers, E.164 with +.
        "id": "str",  # Its id.
        "org_id": "str",  # Id of your organization.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "sip_endpoint": "Union[str, None]",  # SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`.
        "agent": "Union[str, None]",  # Agent of calls to the number, or with outbound of calls that it places; null: not set.
        "registrar": "Union[str, None]",  # Where the service registers; null: at the first outbound server, or not at all.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "headers": "Union[AttachedDirectionHeaders, None]",  # Mappings of SIP headers and variables.
        "agent_streams": "List[WebSocketAgentView]",  # Settings of the agents that are WebSocket servers
        "options": "AttachedDirectionOptions",  # Other connection settings.
        "register_auth": "Union[AttachedDirectionRegisterAuth, None]",  # User name and password of the registration; null: none.
        "allowed_ips": "Union[List[str], None]",  # Addresses and CIDRs that may call; null: not configured.
        "failover_config": "Union[FailoverConfig, None]",  # Backup servers of the outbound direction; null: none.
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
    },
)

AuditEventActor = TypedDict(
    "AuditEventActor",
    {
        "kind": "Literal[\"key\", \"member\", \"command\"]",  # `key`: an API key; `member`: a person; `command`: the command line of the service
        "id": "str",  # Id of the key or member
        "name": "str",  # Name of the key or person at that time
    },
)

AuditEvent = TypedDict(
    "AuditEvent",
    {
        "audit_event_id": "str",  # Id of an event of the audit log.
        "occurred_at": "str",  # When it was done
        "actor": "AuditEventActor",  # Who did it
        "action": "str",  # operationId of the request, or the name of the action
        "summary": "str",  # The action in words
        "subject": "str",  # What was changed: ids and names, of contacts and calls only ids; may be empty
        "fields": "str",  # Names of the fields in the request, without their values
        "address": "Union[str, None]",  # Remote address; null: command line
    },
)

Call = TypedDict(
    "Call",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "sip_call_id": "str",  # Call-ID header of the trunk's leg
        "phone_number": "Union[str, None]",  # E.164 with +, such as +14155550100.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "from": "str",  # The caller.
        "to": "str",  # The callee.
        "status": "Union[str, None]",  # Its state.
        "sip_code": "Union[int, None]",  # SIP status of the final response; null: none.
        "outcome": "Literal[\"completed\", \"cancelled\", \"refused\", \"failed\"]",  # How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`.
        "end_reason": "Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"]",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
        "ended_by": "Literal[\"caller\", \"callee\", \"agent\", \"target\", \"edge\", \"api\"]",  # Side that ended it.
        "audio_problem": "Union[Literal[\"one_way\", \"none\", \"lost\"], None]",  # Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known.
        "cause": "str",  # Why the call ended
        "advice": "str",  # Recommended action
        "duration_seconds": "float",  # From answer to end; 0 if not answered
        "started_at": "str",  # ISO 8601 in UTC
        "answered_at": "Union[str, None]",  # When the call was answered, ISO 8601 in UTC; null: not answered.
        "ended_at": "str",  # ISO 8601 in UTC
        "source_ip": "str",  # Address that the call came from, or went to.
        "party_name": "Union[str, None]",  # Display name of the other party; null: none was sent
        "mos": "Union[float, None]",  # The lower mean opinion score of both sides, 1.0 to 5.0; null: not reported
        "organization_id": "Union[str, None]",  # Null: no organization has the number
        "continued_as": "Union[str, None]",  # The call rang when its edge was lost, and another edge began it again as this call, with the same `sip_call_id`; statistics count that one alone. null: it was not
        "test_run_id": "Union[str, None]",  # Test run that placed the call; null: none. Tests count neither as usage nor in statistics.
    },
)

CallAttempt = TypedDict(
    "CallAttempt",
    {
        "server": "str",  # The server, as `host:port;transport=…`.
        "sip_call_id": "str",  # Call-ID header of the trunk's leg; null: there was none.
        "started_at": "str",  # When it started, ISO 8601 in UTC; null: not yet.
        "duration_milliseconds": "int",  # Duration in milliseconds.
        "sip_status": "Union[int, None]",  # SIP status; null: no response.
        "sip_reason": "Union[str, None]",  # Reason phrase of the SIP status.
        "is_local": "bool",  # True: no server answered; Demarc set the status.
        "trigger": "Union[Literal[\"unreachable\", \"timeout\", \"auth_failure\"], None]",  # Why the next server was tried; null: no other was tried.
    },
)

CallBatchProgress = TypedDict(
    "CallBatchProgress",
    {
        "waiting": "int",  # Not dialled yet
        "active": "int",  # Being dialled, ringing or answered
        "completed": "int",  # Answered and ended
        "failed": "int",  # Ended without an answer
        "cancelled": "int",  # Stopped before they were answered
    },
)

CallBatch = TypedDict(
    "CallBatch",
    {
        "batch_id": "str",  # Id of the batch
        "name": "str",  # Free text
        "from": "str",  # The calling number
        "status": "Literal[\"scheduled\", \"running\", \"stopping\", \"stopped\", \"completed\"]",  # scheduled: its start is in the future; stopping: no more calls are dialled, some are active; completed: every call has ended
        "total": "int",  # Calls of the batch
        "progress": "CallBatchProgress",  # Calls by progress; they add up to total
        "created_at": "str",  # Time of the order
        "scheduled_at": "Union[str, None]",  # Earliest time to dial; null: at once
        "until": "str",  # Calls not dialled by then are given up
        "stopped_at": "Union[str, None]",  # Time of the stop; null: not stopped
    },
)

CallDetailAdoptionsItem = TypedDict(
    "CallDetailAdoptionsItem",
    {
        "at": "str",  # ISO 8601 in UTC
        "edge_id": "str",  # Id of the edge process that has or had the call.
    },
)

CallDetailMediaMovesItem = TypedDict(
    "CallDetailMediaMovesItem",
    {
        "at": "str",  # ISO 8601 in UTC
        "from": "Union[str, None]",  # Lost media server; null: unknown
        "to": "str",  # Media server that has the audio since then; the same as `from`: it was restarted
        "milliseconds": "int",  # From the finding of the loss to the move
    },
)

CallDetail = TypedDict(
    "CallDetail",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "sip_call_id": "str",  # Call-ID header of the trunk's leg
        "phone_number": "Union[str, None]",  # E.164 with +, such as +14155550100.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "from": "str",  # The caller.
        "to": "str",  # The callee.
        "status": "Union[str, None]",  # Its state.
        "sip_code": "Union[int, None]",  # SIP status of the final response; null: none.
        "outcome": "Literal[\"completed\", \"cancelled\", \"refused\", \"failed\"]",  # How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`.
        "end_reason": "Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"]",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
        "ended_by": "Literal[\"caller\", \"callee\", \"agent\", \"target\", \"edge\", \"api\"]",  # Side that ended it.
        "audio_problem": "Union[Literal[\"one_way\", \"none\", \"lost\"], None]",  # Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known.
        "cause": "str",  # Why the call ended
        "advice": "str",  # Recommended action
        "duration_seconds": "float",  # From answer to end; 0 if not answered
        "started_at": "str",  # ISO 8601 in UTC
        "answered_at": "Union[str, None]",  # When the call was answered, ISO 8601 in UTC; null: not answered.
        "ended_at": "str",  # ISO 8601 in UTC
        "source_ip": "str",  # Address that the call came from, or went to.
        "party_name": "Union[str, None]",  # Display name of the other party; null: none was sent
        "mos": "Union[float, None]",  # The lower mean opinion score of both sides, 1.0 to 5.0; null: not reported
        "organization_id": "Union[str, None]",  # Null: no organization has the number
        "continued_as": "Union[str, None]",  # The call rang when its edge was lost, and another edge began it again as this call, with the same `sip_call_id`; statistics count that one alone. null: it was not
        "test_run_id": "Union[str, None]",  # Test run that placed the call; null: none. Tests count neither as usage nor in statistics.
        "state": "Literal[\"ended\"]",  # Its state.
        "edge_id": "str",  # Id of the edge process that has or had the call.
        "ringing_at": "Union[str, None]",  # When it first rang, ISO 8601 in UTC; null: it did not.
        "source_port": "int",  # Port at that address.
        "source_protocol": "str",  # SIP transport: udp, tcp or tls.
        "from_header": "str",  # The From header of the INVITE.
        "to_header": "str",  # The To header of the INVITE.
        "detail": "Union[str, None]",  # Further details, such as the rule that refused the call
        "agent_sip_call_id": "Union[str, None]",  # Call-ID header of the agent's leg; null: there was none.
        "media": "Union[CallMedia, None]",  # Codecs, encryption and RTP statistics; null: no media was negotiated.
        "transfers": "List[CallTransfer]",  # Each requested transfer with its outcome
        "adoptions": "List[CallDetailAdoptionsItem]",  # Edges that held the call before `edge_id`, and when another one took it over from each; messages of about that moment may be missing in `trace`
        "continues": "Union[str, None]",  # Id of the call of a lost edge that this one continues, see its `continued_as`; null: none
        "media_moves": "List[CallDetailMediaMovesItem]",  # When the audio moved to another media server because its own was lost
        "attempts": "List[CallAttempt]",  # Outbound calls: servers tried, in order
        "agent_metadata": "Dict[str, str]",  # Values that the agent set during the call
        "trace": "List[TraceMessage]",  # Every SIP message of the call, in order.
        "trace_truncated": "bool",  # True: messages are missing from the trace.
        "trace_unavailable": "bool",  # True: the trace is in the object store, which does not respond. Repeat the request later.
    },
)

CallEventEnd = TypedDict(
    "CallEventEnd",
    {
        "at": "str",  # When, ISO 8601 in UTC.
        "end_reason": "Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"]",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
        "ended_by": "Literal[\"caller\", \"callee\", \"agent\", \"target\", \"edge\", \"api\"]",  # Side that ended it.
        "outcome": "Literal[\"completed\", \"cancelled\", \"refused\", \"failed\"]",  # How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`.
        "sip_status": "Union[int, None]",  # SIP status; null: no response.
        "sip_reason": "Union[str, None]",  # Reason phrase of the SIP status.
        "detail": "Union[str, None]",  # Further details; null: none.
        "cause": "str",  # The cause in plain words.
        "advice": "str",  # Recommended action.
    },
)

CallEvent = TypedDict(
    "CallEvent",
    {
        "change": "Literal[\"began\", \"ringing\", \"answered\", \"ended\"]",  # What happened to the call.
        "call": "LiveCall",  # The call.
        "end": "Union[CallEventEnd, None]",  # How it ended; null: it is active.
    },
)

CallFiguresWindows = TypedDict(
    "CallFiguresWindows",
    {
        "5m": "WindowFigures",  # Of the last five minutes.
        "1h": "WindowFigures",  # Of the last hour.
        "24h": "WindowFigures",  # Of the last 24 hours.
    },
)

CallFigures = TypedDict(
    "CallFigures",
    {
        "active": "Union[int, None]",  # Answered and not ended, as in the list of active calls; null while Redis is down
        "ringing": "Union[int, None]",  # Calls that are not answered yet; null: unknown.
        "calls_per_second": "Union[float, None]",  # New calls, mean of the last ten seconds
        "windows": "Union[CallFiguresWindows, None]",  # Of the calls that ended within it; null while the database is down
    },
)

CallGroup = TypedDict(
    "CallGroup",
    {
        "organization_id": "Union[str, None]",  # Id of the organization; null: the number belongs to none.
        "phone_number": "Union[str, None]",  # E.164 with +, such as +14155550100.
        "edge_id": "Union[str, None]",  # Operator keys only
        "active": "int",  # Answered and not ended
        "ringing": "int",  # Calls that are not answered yet; null: unknown.
    },
)

CallMediaRtp = TypedDict(
    "CallMediaRtp",
    {
        "trunk": "Union[RtpSide, None]",  # RTP on the trunk's side; null: unknown.
        "agent": "Union[RtpSide, None]",  # RTP on the agent's side; null: unknown.
    },
)

CallMedia = TypedDict(
    "CallMedia",
    {
        "trunk_codec": "Union[str, None]",  # Codec on the trunk's side.
        "agent_codec": "Union[str, None]",  # Codec on the agent's side.
        "srtp_suite": "Union[str, None]",  # SRTP suite on the trunk's side; null: plain RTP.
        "transcoded_because": "Union[Literal[\"no_common_codec\", \"agent_chose\", \"trunk_chose\"], None]",  # Why audio was converted. `no_common_codec`: the offering side had none of the number’s codecs. `agent_chose`, `trunk_chose`: that side answered another codec than the offering side’s. null: not converted
        "rtp": "CallMediaRtp",  # RTP statistics of both sides.
        "quality": "Union[CallQuality, None]",  # Quality over time. Sampled by the edge while the call is watched or bad, otherwise from about ten RTCP reports; null: no reports
        "turns": "Union[CallTurns, None]",  # How soon the agent replied; null: not measured, as the call was not watched
    },
)

CallQuality = TypedDict(
    "CallQuality",
    {
        "every_seconds": "Union[int, None]",  # Length of the sampled intervals: 5 s, and twice, four times … that for long calls; each figure is then the worst 5 s. null: only RTCP reports are known
        "trunk": "List[MediaSample]",  # What came from the trunk, oldest first
        "agent": "List[MediaSample]",  # What came from the agent, oldest first
    },
)

CallSeriesBucketsItem = TypedDict(
    "CallSeriesBucketsItem",
    {
        "at": "str",  # When, ISO 8601 in UTC.
        "attempts": "int",  # Servers tried, in order.
        "answered": "int",  # Answered calls.
        "failed": "int",  # How many failed.
        "bad_audio": "int",  # Answered calls with bad audio: the audio of a side was missing or stopped
        "answer_rate_percent": "Union[float, None]",  # Share of attempts that were answered, in percent; null: no attempts.
        "average_setup_ms": "Union[float, None]",  # Mean milliseconds from INVITE to its 200; null: none was answered.
        "average_post_dial_delay_ms": "Union[float, None]",  # Mean milliseconds from INVITE to the first ringing; null: none rang.
    },
)

CallSeries = TypedDict(
    "CallSeries",
    {
        "window": "Literal[\"1h\", \"24h\", \"7d\", \"30d\"]",  # Time range.
        "bucket_seconds": "int",  # Seconds that one bucket covers.
        "buckets": "List[CallSeriesBucketsItem]",  # Statistics over time, oldest first, without gaps.
    },
)

CallShare = TypedDict(
    "CallShare",
    {
        "share_id": "str",  # Id of a link to a call.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "created_by": "str",  # Name of the member or key
        "expires_at": "str",  # When it expires, ISO 8601 in UTC; null: it does not.
    },
)

CallTestSuite = TypedDict(
    "CallTestSuite",
    {
        "examined_calls": "int",  # Calls that were read.
        "unheard_calls": "int",  # Calls among them of which the agent stored no messages of a caller.
        "similar_calls": "int",  # Calls left out because their caller says nearly what that of another one says.
        "scenarios": "List[GeneratedTestScenario]",  # One scenario for each other call.
    },
)

CallTransfer = TypedDict(
    "CallTransfer",
    {
        "mode": "Literal[\"refer\", \"bridge\", \"attended\", \"replaced\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "requested_by": "Literal[\"trunk\", \"agent\", \"api\"]",  # Side that requested it.
        "target": "str",  # Target, as it was requested.
        "status": "Literal[\"completed\", \"failed\", \"unknown\"]",  # Outcome of the transfer.
        "reason": "Literal[\"completed\", \"rejected\", \"forbidden\", \"no_answer\", \"unreachable\", \"call_ended\", \"subscription_terminated\", \"media_failed\", \"cancelled\", \"limit\", \"internal_error\"]",  # Why it ended so.
        "sip_status": "Union[int, None]",  # SIP status; null: no response.
        "sip_reason": "Union[str, None]",  # Reason phrase of the SIP status.
        "detail": "Union[str, None]",  # Further details; null: none.
        "requested_at": "str",  # When it was requested, ISO 8601 in UTC.
        "completed_at": "str",  # When it ended, ISO 8601 in UTC; null: it has not.
        "sip_call_id": "Union[str, None]",  # Call-ID header of the trunk's leg; null: there was none.
        "other_call_id": "Union[str, None]",  # Id of the other call of an attended transfer.
    },
)

CallTurnsRepliesItem = TypedDict(
    "CallTurnsRepliesItem",
    {
        "at": "str",  # ISO 8601 in UTC
        "milliseconds": "int",  # Duration in milliseconds.
    },
)

CallTurns = TypedDict(
    "CallTurns",
    {
        "count": "int",  # Replies measured
        "p50_milliseconds": "int",  # From the end of the caller’s speech to the first audio of the agent, as they pass Demarc; half of the replies were as fast or faster
        "p95_milliseconds": "int",  # 95th percentile of the same
        "worst_milliseconds": "int",  # Slowest reply
        "interruptions": "int",  # How often the agent began while the caller spoke; not among the replies
        "measured_seconds": "int",  # For how long the call was measured
        "replies": "List[CallTurnsRepliesItem]",  # At most 40, oldest first; of more, the slower one of each two
    },
)

CancelLoadTestAnswer = TypedDict(
    "CancelLoadTestAnswer",
    {
        "data": "LoadTest",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CancelPortAnswerData = TypedDict(
    "CancelPortAnswerData",
    {
        "canceled": "Literal[True]",  # Always true.
    },
)

CancelPortAnswer = TypedDict(
    "CancelPortAnswer",
    {
        "data": "CancelPortAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CancelSimulationSetAnswer = TypedDict(
    "CancelSimulationSetAnswer",
    {
        "data": "SimulationSet",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CancelTestBatchAnswer = TypedDict(
    "CancelTestBatchAnswer",
    {
        "data": "TestBatch",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CancelTestRunAnswer = TypedDict(
    "CancelTestRunAnswer",
    {
        "data": "TestRun",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CancelTornadoAnswerData = TypedDict(
    "CancelTornadoAnswerData",
    {
        "cancelled": "Literal[True]",  # Always true: the session is cancelled.
    },
)

CancelTornadoAnswer = TypedDict(
    "CancelTornadoAnswer",
    {
        "data": "CancelTornadoAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CancelWarmTransferAnswer = TypedDict(
    "CancelWarmTransferAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

CertificateAuthority = TypedDict(
    "CertificateAuthority",
    {
        "certificate": "str",  # PEM.
        "sha256": "str",  # Fingerprint of the certificate, hexadecimal with colons.
        "subject": "str",  # Distinguished name.
        "not_after": "str",  # When it expires.
    },
)

ChangePasswordAnswer = TypedDict(
    "ChangePasswordAnswer",
    {
        "data": "Session",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ChangedPathwayNumbersItem = TypedDict(
    "ChangedPathwayNumbersItem",
    {
        "phone_number": "str",  # The number, E.164 with +.
        "version_number": "Union[int, None]",  # The version that its calls follow; null: the live one.
    },
)

ChangedPathwayWarningsItem = TypedDict(
    "ChangedPathwayWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

ChangedPathway = TypedDict(
    "ChangedPathway",
    {
        "id": "str",  # Id of the pathway, a UUID.
        "name": "str",  # Its name.
        "description": "Union[str, None]",  # Free text; null: not set.
        "numbers": "List[ChangedPathwayNumbersItem]",  # Numbers whose inbound calls follow the pathway.
        "current_production_version": "Union[PathwayVersionSummary, None]",  # The live version; null: none.
        "current_draft_version": "Union[PathwayVersionSummary, None]",  # What the next promotion makes live; null: nothing.
        "promotion": "Union[Promotion, None]",  # The latest promotion that required tests; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "warnings": "List[ChangedPathwayWarningsItem]",  # Warnings about what was configured.
    },
)

ChangedPersonaWarningsItem = TypedDict(
    "ChangedPersonaWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

ChangedPersona = TypedDict(
    "ChangedPersona",
    {
        "id": "str",  # Id of the persona, a UUID.
        "name": "str",  # Its name.
        "role": "Union[str, None]",  # Its role, free text; null: not set.
        "description": "Union[str, None]",  # Free text; null: not set.
        "tags": "List[str]",  # Your labels.
        "metadata": "Union[Dict[str, Any], None]",  # Your data, returned unchanged; null: not set.
        "inbound_numbers": "List[str]",  # Numbers whose inbound calls it answers, E.164 with +.
        "current_production_version_id": "Union[str, None]",  # Id of the live version; null: it was never promoted.
        "current_draft_version_id": "Union[str, None]",  # Id of the draft; null: nothing changed since the last promotion.
        "current_production_version": "Union[PersonaVersion, None]",  # The version that calls get; null: none.
        "current_draft_version": "Union[PersonaVersion, None]",  # What the next promotion makes live; null: nothing.
        "promotion": "Union[Promotion, None]",  # The latest promotion that required tests; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "warnings": "List[ChangedPersonaWarningsItem]",  # Warnings about what was configured.
    },
)

ChangedTestScenario = TypedDict(
    "ChangedTestScenario",
    {
        "id": "str",  # Id of the scenario, a UUID.
        "org_id": "str",  # Id of your organization.
        "name": "str",  # Its name.
        "pathway_id": "Union[str, None]",  # Pathway under test; null: another target.
        "persona_id": "Union[str, None]",  # Persona under test; null: another target.
        "agent": "Union[TestAgent, None]",  # Agent at its own address; null: another target.
        "description": "Union[str, None]",  # Free text; null: none.
        "category": "Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]",  # Kind of caller. Default CUSTOM.
        "scenario_type": "Literal[\"AGENT\", \"REPLAY\", \"HISTORICAL\"]",  # AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT.
        "channel": "Literal[\"text\", \"voice\"]",  # How it is run unless the run says otherwise: text or voice (a real call). Default text.
        "tester_persona_prompt": "str",  # How the simulated caller behaves and what it wants; required with AGENT.
        "tester_persona_name": "Union[str, None]",  # Name of the simulated caller; null: none.
        "first_speaker": "Union[Literal[\"agent\", \"caller\"], None]",  # Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL.
        "max_turns": "int",  # Most turns of the caller. Default 20, range 1–50.
        "request_data": "Dict[str, Any]",  # Variables that the conversation begins with, as in `request_data` of a call.
        "start_node_id": "Union[str, None]",  # Node that the conversation begins at; null: the start node of the pathway.
        "service_tone_enabled": "bool",  # Whether runs get a tone score. Default false.
        "is_required_for_promotion": "bool",  # Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false.
        "promotion_runs": "int",  # How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50.
        "required_pass_rate": "float",  # Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95.
        "enabled": "bool",  # False: gates and tornado skip it. Default true.
        "input_messages": "List[TestChatLine]",  # Recorded conversation for REPLAY and HISTORICAL, at most 200 lines.
        "advanced_instructions": "Union[str, None]",  # Further instructions for the simulated caller; null: none.
        "webhook_mocks": "List[TestWebhookMock]",  # Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used.
        "voice": "Union[TestVoiceSettings, None]",  # How it is run as a call; null: the defaults.
        "metadata": "Dict[str, Any]",  # Your data, returned unchanged.
        "assertions": "List[TestAssertion]",  # What must hold after the conversation.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "warnings": "List[str]",  # Assertions that its runs cannot evaluate, and why.
    },
)

ChatWithKnowledgeAnswerData = TypedDict(
    "ChatWithKnowledgeAnswerData",
    {
        "response": "Union[str, None]",  # The answer; null: there is none.
        "context": "str",  # The passages as the language model got them, numbered.
        "sources": "List[KnowledgePassage]",  # The passages, best first.
        "note": "Union[str, None]",  # What the answer lacks and why; null: nothing.
    },
)

ChatWithKnowledgeAnswer = TypedDict(
    "ChatWithKnowledgeAnswer",
    {
        "data": "ChatWithKnowledgeAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CheckNumberAnswerData = TypedDict(
    "CheckNumberAnswerData",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "country": "Union[str, None]",  # ISO 3166 code of the country; null: none, such as +800
        "state": "Literal[\"available\", \"attached\", \"taken\", \"proof_required\"]",  # `available`: it can be attached; `attached`: your organization has it; `taken`: another organization has it; `proof_required`: an operator must confirm your ownership first
    },
)

CheckNumberAnswer = TypedDict(
    "CheckNumberAnswer",
    {
        "data": "CheckNumberAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CheckPortabilityAnswerData = TypedDict(
    "CheckPortabilityAnswerData",
    {
        "results": "List[PortCheck]",  # One entry for each number.
    },
)

CheckPortabilityAnswer = TypedDict(
    "CheckPortabilityAnswer",
    {
        "data": "CheckPortabilityAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CloneTestTemplateAnswerData = TypedDict(
    "CloneTestTemplateAnswerData",
    {
        "scenario": "TestScenario",  # The scenario.
    },
)

CloneTestTemplateAnswer = TypedDict(
    "CloneTestTemplateAnswer",
    {
        "data": "CloneTestTemplateAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CodecConfig = TypedDict(
    "CodecConfig",
    {
        "codecs": "List[str]",  # Codecs, in order of preference.
        "transcode": "bool",  # True: transcode if the two sides have no common codec. Default false.
    },
)

CodecSettings = TypedDict(
    "CodecSettings",
    {
        "codecs": "List[Literal[\"PCMU\", \"PCMA\", \"G.729\", \"Opus\", \"G.722\"]]",  # Enabled codecs, in order of preference
        "transcode": NotRequired["bool"],  # True: transcode if the two sides have no common codec. Default false.
    },
)

ComparePathwayVersionsAnswerData = TypedDict(
    "ComparePathwayVersionsAnswerData",
    {
        "from_version": "int",  # Number of the earlier version.
        "to_version": "int",  # Number of the later version.
        "changes": "List[PathwayChange]",  # The changes; empty: none.
    },
)

ComparePathwayVersionsAnswer = TypedDict(
    "ComparePathwayVersionsAnswer",
    {
        "data": "ComparePathwayVersionsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CompareSimulationSetsAnswer = TypedDict(
    "CompareSimulationSetsAnswer",
    {
        "data": "SetComparison",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ComparedSet = TypedDict(
    "ComparedSet",
    {
        "id": "str",  # Id of the set.
        "versions": "List[int]",  # Versions of the pathway or persona that ran.
        "agent_models": "List[str]",  # Models that spoke for the agent.
        "is_stand_in": "bool",  # Whether the stand-in took part.
    },
)

ComparedSidePassRateInterval = TypedDict(
    "ComparedSidePassRateInterval",
    {
        "lower": "float",  # Lower bound.
        "upper": "float",  # Upper bound.
    },
)

ComparedSide = TypedDict(
    "ComparedSide",
    {
        "passed": "int",  # Runs that passed.
        "failed": "int",  # Runs that failed.
        "errors": "int",  # Runs that could not be completed or judged.
        "pass_rate": "Union[float, None]",  # Share that passed, 0–1; null: no runs.
        "pass_rate_interval": "Union[ComparedSidePassRateInterval, None]",  # Wilson interval of the pass rate at 95 %; null: no runs.
    },
)

CompleteWarmTransferAnswer = TypedDict(
    "CompleteWarmTransferAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

ConfigurationHeaders = TypedDict(
    "ConfigurationHeaders",
    {
        "direction": "Literal[\"inbound\", \"outbound\"]",  # Same as that of the configuration.
        "headers": "List[Dict[str, Any]]",  # The mappings, at most 15.
    },
)

ConfigurationOptionsAgents = TypedDict(
    "ConfigurationOptionsAgents",
    {
        "strategy": "Literal[\"ring_all\"]",  # `ring_all`: all ring at once; the first that answers has the call.
        "endpoints": "List[str]",  # Servers; of `agents`, the agents.
    },
)

ConfigurationOptions = TypedDict(
    "ConfigurationOptions",
    {
        "auth_mode": NotRequired["Literal[\"ip\", \"register\"]"],  # How callers are recognized: `ip` by source address, `register` by registration.
        "port": NotRequired["int"],  # Port, 1–65535.
        "transport": NotRequired["Literal[\"udp\", \"tcp\", \"tls\"]"],  # SIP transport: udp, tcp or tls.
        "secure_media": NotRequired["bool"],  # True: SRTP; false: plain RTP.
        "symmetric_rtp": NotRequired["bool"],  # True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting.
        "sip_username": NotRequired["str"],  # User name for digest challenges.
        "sip_password": NotRequired["Literal[\"[redacted]\"]"],  # Password for digest challenges; stored passwords read `[redacted]`.
        "sip_realm": NotRequired["str"],  # Realm that the credentials are for. Default: any.
        "tls_ca": NotRequired["str"],  # PEM: the server’s CA or its own certificate, which replaces the default authorities. Default: the authorities that the edge trusts.
        "agents": NotRequired["ConfigurationOptionsAgents"],  # Agents that ring together, in place of `agent`.
    },
)

ConfigurationRegisterAuth = TypedDict(
    "ConfigurationRegisterAuth",
    {
        "username": "str",  # The user name.
        "password": "Literal[\"[redacted]\"]",  # The password; stored passwords read `[redacted]`.
    },
)

Configuration = TypedDict(
    "Configuration",
    {
        "number": "str",  # One of your numbers, E.164 with +.
        "id": "str",  # Its id.
        "org_id": "str",  # Id of your organization.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "sip_endpoint": "Union[str, None]",  # SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`.
        "agent": "Union[str, None]",  # Agent of calls to the number, or with outbound of calls that it places; null: not set.
        "registrar": "Union[str, None]",  # Where the service registers; null: at the first outbound server, or not at all.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "headers": "Union[ConfigurationHeaders, None]",  # Mappings of SIP headers and variables.
        "agent_streams": "List[WebSocketAgentView]",  # Settings of the agents that are WebSocket servers
        "options": "ConfigurationOptions",  # Other connection settings.
        "register_auth": "Union[ConfigurationRegisterAuth, None]",  # User name and password of the registration; null: none.
        "allowed_ips": "Union[List[str], None]",  # Addresses and CIDRs that may call; null: not configured.
    },
)

ConfigureDirectionAnswerDataWarningsItem = TypedDict(
    "ConfigureDirectionAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

ConfigureDirectionAnswerData = TypedDict(
    "ConfigureDirectionAnswerData",
    {
        "failover_config": "Union[FailoverConfig, None]",  # Backup servers of the outbound direction; null: none.
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "warnings": "List[ConfigureDirectionAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

ConfigureDirectionAnswer = TypedDict(
    "ConfigureDirectionAnswer",
    {
        "data": "ConfigureDirectionAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

Contact = TypedDict(
    "Contact",
    {
        "id": "str",  # Id of the contact, a UUID.
        "org_id": "str",  # Id of your organization.
        "name": "str",  # Name of the contact; empty: unknown.
        "metadata": "Dict[str, Any]",  # Your own data.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "identifiers": "List[ContactIdentifier]",  # What the contact is recognized by.
        "memories": "List[ContactMemory]",  # One for each persona or number.
    },
)

ContactEntity = TypedDict(
    "ContactEntity",
    {
        "entity_type": "str",  # Kind of entity, such as order.
        "entity_id": "str",  # Id of the entity.
        "facts": "Dict[str, Union[str, float, bool]]",  # What is known, by name.
        "status": "str",  # Its status; empty: unknown.
        "last_discussed_at": "str",  # ISO 8601 in UTC
        "notes": "Union[str, None]",  # Further notes; null: none.
    },
)

ContactExport = TypedDict(
    "ContactExport",
    {
        "exported_at": "str",  # ISO 8601 in UTC
        "contact": "Contact",  # The contact, with all messages that are kept.
        "merges": "List[ContactMerge]",  # Contacts that were merged into it.
        "orders": "List[ContactOrder]",  # Calls to the contact, as they were ordered.
        "calls": "List[CallDetail]",  # Ended calls with the contact, with their SIP traces.
    },
)

ContactIdentifier = TypedDict(
    "ContactIdentifier",
    {
        "id": "str",  # Its id.
        "contact_id": "str",  # Id of the contact, a UUID.
        "identifier_type": "Literal[\"phone_number\", \"email\", \"external_id\"]",  # Kind of identifier.
        "identifier_value": "str",  # A number in E.164 with +, an email address, or your own id.
        "is_primary": "bool",  # True: the first one of its kind.
    },
)

ContactMemory = TypedDict(
    "ContactMemory",
    {
        "id": "str",  # Its id.
        "contact_id": "str",  # Id of the contact, a UUID.
        "persona_id": "str",  # The persona that remembers; empty: an agent without one.
        "agent_number": "Union[str, None]",  # The number whose agent remembers, E.164 with +; null: all numbers.
        "summary": "str",  # The conversations so far; empty: none.
        "facts": "Dict[str, Union[str, float, bool]]",  # What is known, by name.
        "recent_messages": "List[ContactMessage]",  # The last messages, oldest first.
        "open_items": "List[ContactOpenItem]",  # What is left to do.
        "entities": "List[ContactEntity]",  # What the contact talks about, such as orders.
    },
)

ContactMemoryChangesMessagesItem = TypedDict(
    "ContactMemoryChangesMessagesItem",
    {
        "role": "Literal[\"user\", \"assistant\"]",  # user: the contact. assistant: the agent.
        "content": "str",  # What was said. At most 4,000 characters.
        "channel": NotRequired["Literal[\"call\", \"sms\"]"],  # How it was said. Default call.
        "timestamp": NotRequired["str"],  # When, ISO 8601 with a time zone. Default: now. A repeated message counts once.
    },
)

ContactMemoryChangesOpenItemsItemRelatedTo = TypedDict(
    "ContactMemoryChangesOpenItemsItemRelatedTo",
    {
        "entity_type": "str",  # Kind of entity, such as order.
        "entity_id": "str",  # Id of the entity.
    },
)

ContactMemoryChangesOpenItemsItem = TypedDict(
    "ContactMemoryChangesOpenItemsItem",
    {
        "type": "str",  # Kind of item, such as follow_up.
        "description": "str",  # What is left to do.
        "priority": NotRequired["Literal[\"low\", \"medium\", \"high\"]"],  # Its priority. Default medium.
        "created_at": NotRequired["str"],  # When it came up, ISO 8601. Default: now.
        "related_to": NotRequired["Union[ContactMemoryChangesOpenItemsItemRelatedTo, None]"],  # The entity that it is about; null: none.
    },
)

ContactMemoryChangesClosedItemsItem = TypedDict(
    "ContactMemoryChangesClosedItemsItem",
    {
        "type": "str",  # Kind of item, such as follow_up.
        "description": "str",  # What is left to do.
    },
)

ContactMemoryChangesEntitiesItem = TypedDict(
    "ContactMemoryChangesEntitiesItem",
    {
        "entity_type": "str",  # Kind of entity, such as order.
        "entity_id": "str",  # Id of the entity.
        "facts": NotRequired["Dict[str, Union[str, float, bool, None]]"],  # Facts to add or change, by name: text of at most 1,000 characters, numbers, true or false; null removes one.
        "status": NotRequired["str"],  # Its status. At most 100 characters.
        "last_discussed_at": NotRequired["str"],  # When it was last talked about, ISO 8601. Default: now.
        "notes": NotRequired["Union[str, None]"],  # Further notes; null clears them.
    },
)

ContactMemoryChangesRemovedEntitiesItem = TypedDict(
    "ContactMemoryChangesRemovedEntitiesItem",
    {
        "entity_type": "str",  # Kind of entity, such as order.
        "entity_id": "str",  # Id of the entity.
    },
)

ContactMemoryChanges = TypedDict(
    "ContactMemoryChanges",
    {
        "persona_id": NotRequired["str"],  # The persona that remembers. With a call token: that of the call.
        "agent_number": NotRequired["str"],  # Without a persona: the number whose agent remembers, E.164 with +.
        "summary": NotRequired["str"],  # Replaces the summary. At most 8,000 characters.
        "facts": NotRequired["Dict[str, Union[str, float, bool, None]]"],  # Facts to add or change, by name: text of at most 1,000 characters, numbers, true or false; null removes one.
        "messages": NotRequired["List[ContactMemoryChangesMessagesItem]"],  # Messages to add, at most 100.
        "open_items": NotRequired["List[ContactMemoryChangesOpenItemsItem]"],  # Items to add; one with the same type and description is replaced. At most 100.
        "closed_items": NotRequired["List[ContactMemoryChangesClosedItemsItem]"],  # Open items that are done, by type and description. At most 100.
        "entities": NotRequired["List[ContactMemoryChangesEntitiesItem]"],  # Entities to add or change, by type and id: omitted fields keep their value. At most 100.
        "removed_entities": NotRequired["List[ContactMemoryChangesRemovedEntitiesItem]"],  # Entities to forget, by type and id. At most 100.
    },
)

ContactMerge = TypedDict(
    "ContactMerge",
    {
        "id": "str",  # Its id.
        "merged_contact_id": "str",  # The contact that was merged into this one.
        "merged_by": "str",  # Id of the API key or member that did it.
        "merged_at": "str",  # ISO 8601 in UTC
        "merged": "MergedContact",  # The merged contact as it was.
    },
)

ContactMessage = TypedDict(
    "ContactMessage",
    {
        "role": "Literal[\"user\", \"assistant\"]",  # user: the contact. assistant: the agent.
        "content": "str",  # What was said.
        "channel": "Literal[\"call\", \"sms\"]",  # How it was said.
        "timestamp": "str",  # ISO 8601 in UTC
    },
)

ContactOpenItemRelatedTo = TypedDict(
    "ContactOpenItemRelatedTo",
    {
        "entity_type": "str",  # Kind of entity.
        "entity_id": "str",  # Id of the entity.
    },
)

ContactOpenItem = TypedDict(
    "ContactOpenItem",
    {
        "type": "str",  # Kind of item, such as follow_up.
        "description": "str",  # What is left to do.
        "created_at": "str",  # ISO 8601 in UTC
        "priority": "Literal[\"low\", \"medium\", \"high\"]",  # Its priority.
        "related_to": "Union[ContactOpenItemRelatedTo, None]",  # The entity that it is about; null: none.
    },
)

ContactOrder = TypedDict(
    "ContactOrder",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "task": "str",  # The agent’s task.
        "request_data": "Union[Dict[str, Any], None]",  # Variables of the agent; null: none.
        "metadata": "Union[Dict[str, Any], None]",  # Your own data; null: none.
        "created_at": "str",  # ISO 8601 in UTC
        "scheduled_at": "Union[str, None]",  # When the call was to begin; null: at once.
    },
)

ContactRemoval = TypedDict(
    "ContactRemoval",
    {
        "identifiers": "int",  # Number of its numbers.
        "memories": "int",  # Number of memories deleted.
        "calls": "int",  # Number of call records that no longer name the contact.
        "orders": "int",  # Number of call orders that no longer name the contact.
        "trace_messages": "int",  # Number of SIP messages deleted from traces.
        "active_calls": "int",  # Number of calls that were active; their records will not name the contact.
    },
)

ContactSummary = TypedDict(
    "ContactSummary",
    {
        "id": "str",  # Id of the contact, a UUID.
        "org_id": "str",  # Id of your organization.
        "name": "str",  # Name of the contact; empty: unknown.
        "metadata": "Dict[str, Any]",  # Your own data.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "identifiers": "List[ContactIdentifier]",  # What the contact is recognized by.
    },
)

CreateAgentAnswer = TypedDict(
    "CreateAgentAnswer",
    {
        "data": "WebAgent",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "agent": "WebAgent",  # The agent's leg.
    },
)

CreateAgentCredentialAnswerDataWarningsItem = TypedDict(
    "CreateAgentCredentialAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

CreateAgentCredentialAnswerData = TypedDict(
    "CreateAgentCredentialAnswerData",
    {
        "credential_id": "str",  # Id of the credentials of an agent; its digest user name.
        "name": "str",  # Its name.
        "username": "str",  # The digest user name.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "password": "str",  # Returned only this once.
        "warnings": "List[CreateAgentCredentialAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

CreateAgentCredentialAnswer = TypedDict(
    "CreateAgentCredentialAnswer",
    {
        "data": "CreateAgentCredentialAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateAgentStreamSecretAnswerDataWarningsItem = TypedDict(
    "CreateAgentStreamSecretAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

CreateAgentStreamSecretAnswerData = TypedDict(
    "CreateAgentStreamSecretAnswerData",
    {
        "secret_id": "str",  # Id of the signing secret
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "secret": "str",  # Key of the HMAC, as text. Returned only this once.
        "warnings": "List[CreateAgentStreamSecretAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

CreateAgentStreamSecretAnswer = TypedDict(
    "CreateAgentStreamSecretAnswer",
    {
        "data": "CreateAgentStreamSecretAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateBatchAnswer = TypedDict(
    "CreateBatchAnswer",
    {
        "data": "CallBatch",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateCallAnswer = TypedDict(
    "CreateCallAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "batch_id": "None",  # Id of the batch that the call belongs to; null: none.
    },
)

CreateKeyAnswerData = TypedDict(
    "CreateKeyAnswerData",
    {
        "id": "str",  # Its id.
        "name": "str",  # Purpose of the key.
        "prefix": "str",  # Its first characters, to identify it.
        "scopes": "Union[List[Literal[\"calls:listen\", \"trunks:read\", \"trunks:write\", \"porting:read\", \"porting:write\", \"personas:read\", \"personas:write\", \"pathways:read\", \"pathways:write\", \"calls:read\", \"calls:write\", \"knowledge:read\", \"knowledge:write\", \"contacts:read\", \"contacts:write\", \"agent-testing:read\", \"agent-testing:write\", \"alerts:read\", \"alerts:write\", \"webhooks:read\", \"webhooks:write\", \"noc:read\", \"noc:write\", \"usage:read\", \"usage:write\", \"keys:read\", \"keys:write\", \"members:read\", \"members:write\", \"organizations:read\", \"organizations:write\"]], None]",  # Scopes of the key; null: all rights of its organization.
        "operator": "bool",  # Sees the fleet and the totals of all organizations.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "expires_at": "Union[str, None]",  # Expiry time; null: does not expire.
        "last_used_at": "Union[str, None]",  # Time of the last request with the key, to the minute; null: never used.
        "revoked_at": "Union[str, None]",  # When the key was revoked; null: not revoked.
        "key": "str",  # The API key, returned only this once.
    },
)

CreateKeyAnswer = TypedDict(
    "CreateKeyAnswer",
    {
        "data": "CreateKeyAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateKeyForOrganizationAnswerData = TypedDict(
    "CreateKeyForOrganizationAnswerData",
    {
        "id": "str",  # Its id.
        "name": "str",  # Purpose of the key.
        "prefix": "str",  # Its first characters, to identify it.
        "scopes": "Union[List[Literal[\"calls:listen\", \"trunks:read\", \"trunks:write\", \"porting:read\", \"porting:write\", \"personas:read\", \"personas:write\", \"pathways:read\", \"pathways:write\", \"calls:read\", \"calls:write\", \"knowledge:read\", \"knowledge:write\", \"contacts:read\", \"contacts:write\", \"agent-testing:read\", \"agent-testing:write\", \"alerts:read\", \"alerts:write\", \"webhooks:read\", \"webhooks:write\", \"noc:read\", \"noc:write\", \"usage:read\", \"usage:write\", \"keys:read\", \"keys:write\", \"members:read\", \"members:write\", \"organizations:read\", \"organizations:write\"]], None]",  # Scopes of the key; null: all rights of its organization.
        "operator": "bool",  # Sees the fleet and the totals of all organizations.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "expires_at": "Union[str, None]",  # Expiry time; null: does not expire.
        "last_used_at": "Union[str, None]",  # Time of the last request with the key, to the minute; null: never used.
        "revoked_at": "Union[str, None]",  # When the key was revoked; null: not revoked.
        "key": "str",  # The API key, returned only this once.
    },
)

CreateKeyForOrganizationAnswer = TypedDict(
    "CreateKeyForOrganizationAnswer",
    {
        "data": "CreateKeyForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateMaintenanceWindowAnswer = TypedDict(
    "CreateMaintenanceWindowAnswer",
    {
        "data": "MaintenanceWindow",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateOrganizationAnswer = TypedDict(
    "CreateOrganizationAnswer",
    {
        "data": "ManagedOrganization",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreatePathwayAnswer = TypedDict(
    "CreatePathwayAnswer",
    {
        "data": "Pathway",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreatePersonaAnswer = TypedDict(
    "CreatePersonaAnswer",
    {
        "data": "Persona",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateResetLinkAnswerData = TypedDict(
    "CreateResetLinkAnswerData",
    {
        "member_id": "str",  # Id of a member.
        "link": "str",  # The link, returned only this once
        "expires_at": "str",  # The link is valid until then
    },
)

CreateResetLinkAnswer = TypedDict(
    "CreateResetLinkAnswer",
    {
        "data": "CreateResetLinkAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateResetLinkForOrganizationAnswerData = TypedDict(
    "CreateResetLinkForOrganizationAnswerData",
    {
        "member_id": "str",  # Id of a member.
        "link": "str",  # The link, returned only this once
        "expires_at": "str",  # The link is valid until then
    },
)

CreateResetLinkForOrganizationAnswer = TypedDict(
    "CreateResetLinkForOrganizationAnswer",
    {
        "data": "CreateResetLinkForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateSessionAnswer = TypedDict(
    "CreateSessionAnswer",
    {
        "data": "Session",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateTestMonitorAnswer = TypedDict(
    "CreateTestMonitorAnswer",
    {
        "data": "TestMonitor",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateTestScenarioAnswer = TypedDict(
    "CreateTestScenarioAnswer",
    {
        "data": "ChangedTestScenario",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateTestScenarioFromRunAnswer = TypedDict(
    "CreateTestScenarioFromRunAnswer",
    {
        "data": "TestScenario",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateTestScheduleAnswer = TypedDict(
    "CreateTestScheduleAnswer",
    {
        "data": "TestSchedule",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateTrunkAnswerDataInbound = TypedDict(
    "CreateTrunkAnswerDataInbound",
    {
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
    },
)

CreateTrunkAnswerDataOutbound = TypedDict(
    "CreateTrunkAnswerDataOutbound",
    {
        "failover_config": "Union[FailoverConfig, None]",  # Backup servers of the outbound direction; null: none.
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
    },
)

CreateTrunkAnswerData = TypedDict(
    "CreateTrunkAnswerData",
    {
        "trunk_id": "str",  # Id of the trunk
        "name": "str",  # Free text
        "directions": "List[Dict[str, Any]]",  # As configured, with [redacted] for each password
        "inbound": "CreateTrunkAnswerDataInbound",  # Codecs, alerts, limits and transfers of calls to the numbers
        "outbound": "CreateTrunkAnswerDataOutbound",  # Failover, codecs, alerts, limits and transfers of calls from the numbers
        "number_count": "int",  # Numbers that use the trunk
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "register_password_for_pbx": "Union[str, None]",  # Password to set in your PBX; returned only once, when the registration is new or changed
    },
)

CreateTrunkAnswer = TypedDict(
    "CreateTrunkAnswer",
    {
        "data": "CreateTrunkAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateWebhookAnswerData = TypedDict(
    "CreateWebhookAnswerData",
    {
        "webhook_id": "str",  # Id of a webhook endpoint.
        "url": "str",  # URL that receives the events
        "description": "str",  # Free text
        "events": "List[Literal[\"*\", \"call.*\", \"trunk.*\", \"registration.*\", \"alert.*\", \"port.*\", \"usage.*\", \"persona.*\", \"pathway.*\", \"agent_test.*\", \"webhook.*\", \"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\"]]",  # Events to send: types, areas (call.*), or * for all
        "enabled": "bool",  # False: disabled; events that occur meanwhile are not kept
        "disabled_reason": "Union[Literal[\"request\", \"failing\"], None]",  # request: disabled through the API; failing: no delivery succeeded for days
        "disabled_at": "Union[str, None]",  # When it was disabled
        "failing_since": "Union[str, None]",  # First failed attempt since the last successful delivery
        "silent_since": "Union[str, None]",  # Time since which attempts have had no response within the time limit; null: the endpoint responds
        "paused_until": "Union[str, None]",  # Set while the endpoint is paused because it does not respond: time of the next attempt; other deliveries wait. null: not paused
        "pending_deliveries": "int",  # Deliveries that wait for the endpoint
        "dropped_deliveries": "int",  # Deliveries that failed because too many were waiting (DEMARC_DELIVERY_PENDING)
        "previous_secret_until": "Union[str, None]",  # Until then deliveries are also signed with the previous secret
        "created_at": "str",  # Creation time
        "updated_at": "str",  # Last change
        "secret": "str",  # Signing secret, returned only this once
    },
)

CreateWebhookAnswer = TypedDict(
    "CreateWebhookAnswer",
    {
        "data": "CreateWebhookAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

CreateWebhookSecretAnswerData = TypedDict(
    "CreateWebhookSecretAnswerData",
    {
        "secret": "str",  # The secret, returned only once.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

CreateWebhookSecretAnswer = TypedDict(
    "CreateWebhookSecretAnswer",
    {
        "data": "CreateWebhookSecretAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteAgentAnswerData = TypedDict(
    "DeleteAgentAnswerData",
    {
        "agent_id": "str",  # Id of a web agent.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeleteAgentAnswer = TypedDict(
    "DeleteAgentAnswer",
    {
        "data": "DeleteAgentAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteContactAnswerData = TypedDict(
    "DeleteContactAnswerData",
    {
        "deleted": "Literal[True]",  # True: deleted.
        "deletion_id": "str",  # Names the deletion in the audit log.
        "removed": "ContactRemoval",  # What was removed.
    },
)

DeleteContactAnswer = TypedDict(
    "DeleteContactAnswer",
    {
        "data": "DeleteContactAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteKnowledgeAnswerData = TypedDict(
    "DeleteKnowledgeAnswerData",
    {
        "success": "Literal[True]",  # Always true.
        "message": "str",  # What was done.
        "knowledge_base_id": "str",  # Id of the knowledge base.
    },
)

DeleteKnowledgeAnswer = TypedDict(
    "DeleteKnowledgeAnswer",
    {
        "data": "DeleteKnowledgeAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteMaintenanceWindowAnswerData = TypedDict(
    "DeleteMaintenanceWindowAnswerData",
    {
        "window_id": "str",  # Id of a maintenance window.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeleteMaintenanceWindowAnswer = TypedDict(
    "DeleteMaintenanceWindowAnswer",
    {
        "data": "DeleteMaintenanceWindowAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeletePathwayAnswerData = TypedDict(
    "DeletePathwayAnswerData",
    {
        "id": "str",  # Its id.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeletePathwayAnswer = TypedDict(
    "DeletePathwayAnswer",
    {
        "data": "DeletePathwayAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeletePathwayForkAnswerData = TypedDict(
    "DeletePathwayForkAnswerData",
    {
        "version_number": "int",  # Number of the version.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeletePathwayForkAnswer = TypedDict(
    "DeletePathwayForkAnswer",
    {
        "data": "DeletePathwayForkAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeletePersonaAnswerData = TypedDict(
    "DeletePersonaAnswerData",
    {
        "id": "str",  # Its id.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeletePersonaAnswer = TypedDict(
    "DeletePersonaAnswer",
    {
        "data": "DeletePersonaAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteSessionAnswerData = TypedDict(
    "DeleteSessionAnswerData",
    {
        "ended": "Literal[True]",  # Always true.
    },
)

DeleteSessionAnswer = TypedDict(
    "DeleteSessionAnswer",
    {
        "data": "DeleteSessionAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteTestMonitorAnswerData = TypedDict(
    "DeleteTestMonitorAnswerData",
    {
        "id": "str",  # Its id.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeleteTestMonitorAnswer = TypedDict(
    "DeleteTestMonitorAnswer",
    {
        "data": "DeleteTestMonitorAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteTestScenarioAnswerData = TypedDict(
    "DeleteTestScenarioAnswerData",
    {
        "id": "str",  # Its id.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeleteTestScenarioAnswer = TypedDict(
    "DeleteTestScenarioAnswer",
    {
        "data": "DeleteTestScenarioAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteTestScheduleAnswerData = TypedDict(
    "DeleteTestScheduleAnswerData",
    {
        "id": "str",  # Its id.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeleteTestScheduleAnswer = TypedDict(
    "DeleteTestScheduleAnswer",
    {
        "data": "DeleteTestScheduleAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteTrunkAnswerData = TypedDict(
    "DeleteTrunkAnswerData",
    {
        "trunk_id": "str",  # Id of a trunk that numbers share.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeleteTrunkAnswer = TypedDict(
    "DeleteTrunkAnswer",
    {
        "data": "DeleteTrunkAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DeleteWebhookAnswerData = TypedDict(
    "DeleteWebhookAnswerData",
    {
        "webhook_id": "str",  # Id of a webhook endpoint.
        "deleted": "Literal[True]",  # True: deleted.
    },
)

DeleteWebhookAnswer = TypedDict(
    "DeleteWebhookAnswer",
    {
        "data": "DeleteWebhookAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

Delivery = TypedDict(
    "Delivery",
    {
        "delivery_id": "str",  # Id of a delivery.
        "event": "Literal[\"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\", \"webhook.test\", \"alert.test\", \"call.lost\", \"port.signature_request\", \"port.signed_copy\", \"agent_test.run_completed\", \"agent_test.batch_completed\", \"agent_test.simulation_set_completed\", \"agent_test.load_test_completed\"]",  # What happened.
        "subject": "str",  # Subject of the event: call_id, alert_id, server, or the name of a registration
        "webhook_id": "Union[str, None]",  # The endpoint; null: the webhook of an order or alert, an email or an SMS
        "event_id": "Union[str, None]",  # event_id of the body, for an endpoint’s delivery
        "channel": "Literal[\"email\", \"sms\", \"webhook\"]",  # Channel of a notice.
        "target": "str",  # Address, number or URL without its query
        "status": "Literal[\"pending\", \"delivered\", \"failed\"]",  # Its state.
        "attempts": "int",  # Attempts so far.
        "last_status": "Union[int, None]",  # HTTP or SMTP status of the last attempt
        "last_error": "Union[str, None]",  # Last error; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "last_attempt_at": "Union[str, None]",  # Time of the last attempt, ISO 8601 in UTC; null: not yet.
        "next_attempt_at": "Union[str, None]",  # Time of the next attempt, ISO 8601 in UTC; null: none.
        "delivered_at": "Union[str, None]",  # When the recipient accepted it, ISO 8601 in UTC; null: not yet.
    },
)

DeliveryDetailAttemptLogItem = TypedDict(
    "DeliveryDetailAttemptLogItem",
    {
        "at": "str",  # When the attempt ended
        "status": "Union[int, None]",  # HTTP or SMTP status; null: no response
        "error": "Union[str, None]",  # Why it failed; null: delivered
        "milliseconds": "int",  # Duration of the attempt in milliseconds
        "request_head": "Union[str, None]",  # Request line and headers of a webhook, without the query; null: not sent, or older than 7 days
        "response_head": "Union[str, None]",  # Status line and headers of the response, without cookies; null: no response, older than 7 days, or from a private address (DEMARC_WEBHOOK_SHOW_PRIVATE)
        "response_body": "Union[str, None]",  # First 2 KB of the response; null like `response_head`
    },
)

DeliveryDetail = TypedDict(
    "DeliveryDetail",
    {
        "delivery_id": "str",  # Id of a delivery.
        "event": "Literal[\"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\", \"webhook.test\", \"alert.test\", \"call.lost\", \"port.signature_request\", \"port.signed_copy\", \"agent_test.run_completed\", \"agent_test.batch_completed\", \"agent_test.simulation_set_completed\", \"agent_test.load_test_completed\"]",  # What happened.
        "subject": "str",  # Subject of the event: call_id, alert_id, server, or the name of a registration
        "webhook_id": "Union[str, None]",  # The endpoint; null: the webhook of an order or alert, an email or an SMS
        "event_id": "Union[str, None]",  # event_id of the body, for an endpoint’s delivery
        "channel": "Literal[\"email\", \"sms\", \"webhook\"]",  # Channel of a notice.
        "target": "str",  # Address, number or URL without its query
        "status": "Literal[\"pending\", \"delivered\", \"failed\"]",  # Its state.
        "attempts": "int",  # Servers tried, in order.
        "last_status": "Union[int, None]",  # HTTP or SMTP status of the last attempt
        "last_error": "Union[str, None]",  # Last error; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "last_attempt_at": "Union[str, None]",  # Time of the last attempt, ISO 8601 in UTC; null: not yet.
        "next_attempt_at": "Union[str, None]",  # Time of the next attempt, ISO 8601 in UTC; null: none.
        "delivered_at": "Union[str, None]",  # When the recipient accepted it, ISO 8601 in UTC; null: not yet.
        "body": "Union[Dict[str, Any], None]",  # The body; null: created from the call when sent
        "attempt_log": "List[DeliveryDetailAttemptLogItem]",  # Attempts including those before a replay, latest first, at most 100
    },
)

DetachNumberAnswerDataWarningsItem = TypedDict(
    "DetachNumberAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

DetachNumberAnswerData = TypedDict(
    "DetachNumberAnswerData",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "detached": "List[Literal[\"inbound\", \"outbound\"]]",  # Directions from which configurations were removed.
        "remaining": "List[Literal[\"inbound\", \"outbound\"]]",  # Directions that still have a configuration.
        "warnings": "List[DetachNumberAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

DetachNumberAnswer = TypedDict(
    "DetachNumberAnswer",
    {
        "data": "DetachNumberAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DetachNumbersAnswerDataDetachedItem = TypedDict(
    "DetachNumbersAnswerDataDetachedItem",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "detached": "List[Literal[\"inbound\", \"outbound\"]]",  # Directions from which configurations were removed.
        "remaining": "List[Literal[\"inbound\", \"outbound\"]]",  # Directions that still have a configuration.
    },
)

DetachNumbersAnswerDataFailedItem = TypedDict(
    "DetachNumbersAnswerDataFailedItem",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "error": "ErrorCode",  # Code of the failure; see docs/errors.md.
        "message": "str",  # Why the number was not configured.
    },
)

DetachNumbersAnswerDataWarningsItem = TypedDict(
    "DetachNumbersAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

DetachNumbersAnswerData = TypedDict(
    "DetachNumbersAnswerData",
    {
        "detached": "List[DetachNumbersAnswerDataDetachedItem]",  # The numbers with the removed directions.
        "failed": "List[DetachNumbersAnswerDataFailedItem]",  # The numbers that were not changed, each with the reason.
        "warnings": "List[DetachNumbersAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

DetachNumbersAnswer = TypedDict(
    "DetachNumbersAnswer",
    {
        "data": "DetachNumbersAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DetachPathwayNumbersAnswer = TypedDict(
    "DetachPathwayNumbersAnswer",
    {
        "data": "ChangedPathway",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DetachPersonaNumbersAnswer = TypedDict(
    "DetachPersonaNumbersAnswer",
    {
        "data": "ChangedPersona",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

DirectionOptionChangesAgents = TypedDict(
    "DirectionOptionChangesAgents",
    {
        "strategy": "Literal[\"ring_all\"]",  # All ring at once; the first that answers has the call
        "endpoints": "List[Union[str, WebSocketAgent]]",  # Servers; of `agents`, the agents.
    },
)

DirectionOptionChanges = TypedDict(
    "DirectionOptionChanges",
    {
        "agents": NotRequired["Union[DirectionOptionChangesAgents, None]"],  # Agents that ring together, in place of `agent`.
        "port": NotRequired["Union[int, None]"],  # Port, 1–65535.
        "transport": NotRequired["Union[Literal[\"udp\", \"tcp\", \"tls\"], None]"],  # SIP transport: udp, tcp or tls.
        "secure_media": NotRequired["Union[bool, None]"],  # True: SRTP; false: plain RTP.
        "symmetric_rtp": NotRequired["Union[bool, None]"],  # True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting.
        "sip_username": NotRequired["Union[str, None]"],  # User name for digest challenges.
        "sip_password": NotRequired["Union[str, None]"],  # Password for digest challenges; stored passwords read `[redacted]`.
        "sip_realm": NotRequired["Union[str, None]"],  # Realm that the credentials are for. Default: any.
        "tls_ca": NotRequired["Union[str, None]"],  # PEM: the server’s CA or its own certificate, which replaces the default authorities. Default: the authorities that the edge trusts.
    },
)

DirectionOptionsAgents = TypedDict(
    "DirectionOptionsAgents",
    {
        "strategy": "Literal[\"ring_all\"]",  # All ring at once; the first that answers has the call
        "endpoints": "List[Union[str, WebSocketAgent]]",  # Servers; of `agents`, the agents.
    },
)

DirectionOptions = TypedDict(
    "DirectionOptions",
    {
        "agents": NotRequired["DirectionOptionsAgents"],  # Inbound: agents in place of `agent`, which ring together
        "port": NotRequired["int"],  # Overrides the port in sip_endpoint
        "transport": NotRequired["Literal[\"udp\", \"tcp\", \"tls\"]"],  # Overrides the transport in sip_endpoint
        "secure_media": NotRequired["bool"],  # True: SRTP; false: plain RTP.
        "symmetric_rtp": NotRequired["bool"],  # True: the agent, and a trunk without SRTP, may send audio from another address than their SDP names (NAT, containers), within the operator’s limits; needs rtpengine 26. Default: the operator’s setting.
        "sip_username": NotRequired["str"],  # User name for digest challenges.
        "sip_password": NotRequired["str"],  # Password for digest challenges; stored passwords read `[redacted]`.
        "sip_realm": NotRequired["str"],  # Realm that the credentials are for. Default: any
        "tls_ca": NotRequired["str"],  # PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls
    },
)

DiscoveryProgress = TypedDict(
    "DiscoveryProgress",
    {
        "done": "int",  # Completed steps.
        "total": "int",  # Total number.
    },
)

DiscoverySrvRecordsItem = TypedDict(
    "DiscoverySrvRecordsItem",
    {
        "service": "str",  # Name of the record.
        "target": "str",  # Host that it points to.
        "port": "int",  # Port, 1–65535.
        "priority": "int",  # Lower values go first.
        "weight": "int",  # Weight among records of the same priority.
    },
)

DiscoveryAttemptsItem = TypedDict(
    "DiscoveryAttemptsItem",
    {
        "address": "str",  # Address and port.
        "port": "int",  # Port, 1–65535.
        "transport": "Literal[\"udp\", \"tcp\", \"tls\"]",  # SIP transport: udp, tcp or tls.
        "response_time_ms": "Union[float, None]",  # Response time in milliseconds; null: no response.
        "response_code": "Union[int, None]",  # SIP status of the response; null: no response.
        "user_agent": "Union[str, None]",  # Product name from its User-Agent or Server header; null: not sent.
        "reason": "Union[Literal[\"timeout\", \"refused\", \"dns\", \"certificate\", \"mutual_tls_required\", \"tls\", \"service_unavailable\", \"network\", \"no_transport\"], None]",  # Reason, a stable code; null: none.
        "detail": "Union[str, None]",  # Further details; null: none.
    },
)

DiscoveryRecommended = TypedDict(
    "DiscoveryRecommended",
    {
        "port": "Union[int, None]",  # Port, 1–65535.
        "transport": "Literal[\"udp\", \"tcp\", \"tls\"]",  # SIP transport: udp, tcp or tls.
        "user_agent": "Union[str, None]",  # Product name from its User-Agent or Server header; null: not sent.
        "detected_system": "Union[str, None]",  # Kind of PBX; null: not recognized.
        "codecs": "List[str]",  # Codecs, in order of preference.
        "methods": "List[str]",  # SIP methods that the server allows.
        "mutual_tls": "bool",  # True: the server asks for a client certificate.
    },
)

Discovery = TypedDict(
    "Discovery",
    {
        "discovery_id": "str",  # Id of a discovery.
        "status": "Literal[\"running\", \"completed\", \"failed\"]",  # Its state.
        "failure": "Union[Literal[\"dns\", \"forbidden_address\", \"no_edge\", \"interrupted\"], None]",  # Why the discovery failed; null: it has not.
        "detail": "Union[str, None]",  # Further details; null: none.
        "host": "str",  # Host name or address.
        "port": "Union[int, None]",  # Port, 1–65535.
        "transport": "Union[Literal[\"udp\", \"tcp\", \"tls\"], None]",  # SIP transport: udp, tcp or tls.
        "progress": "DiscoveryProgress",  # Progress.
        "resolved_addresses": "List[str]",  # Addresses of the host.
        "srv_records": "List[DiscoverySrvRecordsItem]",  # SRV records of the host.
        "attempts": "List[DiscoveryAttemptsItem]",  # Servers tried, in order.
        "recommended": "Union[DiscoveryRecommended, None]",  # Recommended settings; null: nothing answered.
        "started_at": "str",  # When it started, ISO 8601 in UTC; null: not yet.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

EdgeSummaryEngine = TypedDict(
    "EdgeSummaryEngine",
    {
        "up": "bool",  # Its state.
        "kind": "Literal[\"embedded\", \"drachtio\"]",  # `embedded` or `drachtio` (drachtio-server).
        "listeners": "List[str]",  # Where it listens for SIP.
    },
)

EdgeSummaryRtpengineItem = TypedDict(
    "EdgeSummaryRtpengineItem",
    {
        "name": "str",  # Its name.
        "state": "Literal[\"up\", \"down\", \"unknown\"]",  # Its state.
        "round_trip_ms": "Union[float, None]",  # Round trip in milliseconds; null: no answer.
    },
)

EdgeSummaryCounts = TypedDict(
    "EdgeSummaryCounts",
    {
        "calls": "int",  # Active calls.
        "ringing": "int",  # Calls that are not answered yet.
        "answered": "int",  # Answered calls that have not ended.
        "ending": "int",  # Calls whose legs are being torn down.
        "records_waiting": "int",  # Call records not yet written to Redis.
        "owed_deletions": "int",  # Media sessions waiting to be deleted.
    },
)

EdgeSummaryTakeoversItem = TypedDict(
    "EdgeSummaryTakeoversItem",
    {
        "at": "str",  # When, ISO 8601 in UTC.
        "from_edge_id": "str",  # Id of the edge that had the calls.
        "calls": "int",  # How many it took over.
    },
)

EdgeSummary = TypedDict(
    "EdgeSummary",
    {
        "id": "str",  # Its id.
        "version": "str",  # Version of the software.
        "since": "str",  # Since when, ISO 8601 in UTC.
        "seen_at": "str",  # When it was last seen, ISO 8601 in UTC.
        "state": "Literal[\"up\", \"degraded\", \"draining\", \"down\"]",  # Its state.
        "engine": "EdgeSummaryEngine",  # The SIP engine.
        "rtpengine": "List[EdgeSummaryRtpengineItem]",  # The media servers.
        "redis_up": "bool",  # True: the edge is connected to Redis.
        "counts": "EdgeSummaryCounts",  # Calls and records of the edge.
        "calls_per_second": "float",  # Maximum new calls per second.
        "event_loop_delay_ms": "float",  # 99th percentile of event loop delay since the last heartbeat, in milliseconds.
        "memory_bytes": "int",  # Resident memory in bytes.
        "takeovers": "List[EdgeSummaryTakeoversItem]",  # Answered calls taken over from other edges since its start, the latest first
    },
)

EnhancedTestAnalyticsRunsItem = TypedDict(
    "EnhancedTestAnalyticsRunsItem",
    {
        "id": "str",  # Id of the run.
        "scenario_id": "str",  # Id of a test scenario.
        "scenario_name": "str",  # Name of the scenario.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # How it ended.
        "score": "Union[float, None]",  # Overall score, 0–1; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

EnhancedTestAnalyticsTrendDailyPassRatesItem = TypedDict(
    "EnhancedTestAnalyticsTrendDailyPassRatesItem",
    {
        "date": "str",  # Day in UTC, YYYY-MM-DD.
        "rate": "float",  # Share of runs that passed, 0–1.
        "count": "int",  # Runs of the day.
    },
)

EnhancedTestAnalyticsTrend = TypedDict(
    "EnhancedTestAnalyticsTrend",
    {
        "weekly": "Literal[\"improving\", \"declining\", \"stable\"]",  # Last seven days compared with the seven before.
        "daily_pass_rates": "List[EnhancedTestAnalyticsTrendDailyPassRatesItem]",  # Days with runs, oldest first.
    },
)

EnhancedTestAnalyticsNodeFailureHeatmapItem = TypedDict(
    "EnhancedTestAnalyticsNodeFailureHeatmapItem",
    {
        "node_id": "str",  # Id of the node.
        "node_name": "str",  # Name of the node.
        "failure_count": "int",  # Failed runs that visited it.
        "total_traversals": "int",  # Runs that visited it.
        "failure_rate": "float",  # Share of its visitors that failed, 0–1.
        "lower": "float",  # Lower end of the 95 % interval of the failure rate, 0–1.
        "upper": "float",  # Upper end of the interval, 0–1.
        "stopped_count": "int",  # Failed runs that ended at it.
        "failure_rate_elsewhere": "Union[float, None]",  # Share of the other runs that failed, 0–1; null: every run visited it.
        "blame": "Union[float, None]",  # By how much its visitors fail more often than other runs, 0–1; null: every run visited it, so that the failures are of the path and not of the node.
    },
)

EnhancedTestAnalyticsWeakestLink = TypedDict(
    "EnhancedTestAnalyticsWeakestLink",
    {
        "node_id": "str",  # Id of the node.
        "node_name": "str",  # Name of the node.
        "failure_rate": "float",  # Share of its visitors that failed, 0–1.
        "lower": "float",  # Lower end of the 95 % interval of the failure rate, 0–1.
        "upper": "float",  # Upper end of the interval, 0–1.
        "reason": "Literal[\"visitors_fail_more\", \"failed_runs_stop\"]",  # `visitors_fail_more`: more often than other runs, with 95 % intervals that do not overlap; `failed_runs_stop`: no node stands out so, and most failed runs ended at this one, before an end of the pathway.
    },
)

EnhancedTestAnalyticsSankeyDataNodesItem = TypedDict(
    "EnhancedTestAnalyticsSankeyDataNodesItem",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
        "type": "Literal[\"scenario\", \"node\", \"outcome\"]",  # What it stands for.
        "category": "Literal[\"start\", \"middle\", \"end\", \"error\"]",  # Its position in the flow.
    },
)

EnhancedTestAnalyticsSankeyDataLinksItem = TypedDict(
    "EnhancedTestAnalyticsSankeyDataLinksItem",
    {
        "source": "str",  # Id of the node that it leaves.
        "target": "str",  # Id of the node that it enters.
        "value": "int",  # Runs.
        "pass_count": "int",  # Runs that passed.
        "fail_count": "int",  # Runs that did not.
    },
)

EnhancedTestAnalyticsSankeyData = TypedDict(
    "EnhancedTestAnalyticsSankeyData",
    {
        "nodes": "List[EnhancedTestAnalyticsSankeyDataNodesItem]",  # Scenarios, nodes and outcomes.
        "links": "List[EnhancedTestAnalyticsSankeyDataLinksItem]",  # Flows between them.
    },
)

EnhancedTestAnalytics = TypedDict(
    "EnhancedTestAnalytics",
    {
        "total_runs": "int",  # Runs that ended within the days, without cancelled ones.
        "passed": "int",  # Runs that passed.
        "failed": "int",  # Runs that ended in FAILED or ERROR.
        "pass_rate": "Union[float, None]",  # Share of runs that passed, 0–1; null: no runs.
        "failure_rate": "Union[float, None]",  # Share that did not pass, 0–1; null: no runs.
        "avg_score": "Union[float, None]",  # Mean overall score, 0–1; null: no scores.
        "runs": "List[EnhancedTestAnalyticsRunsItem]",  # The latest runs, newest first.
        "health_score": "Union[float, None]",  # Health, 0–1; null: no runs.
        "reliability_score": "Union[float, None]",  # Reliability, 0–1; null: no runs.
        "trend": "EnhancedTestAnalyticsTrend",  # Pass rate over time.
        "node_failure_heatmap": "List[EnhancedTestAnalyticsNodeFailureHeatmapItem]",  # Nodes, the most blamed first.
        "weakest_link": "Union[EnhancedTestAnalyticsWeakestLink, None]",  # Node most responsible for failures; null: the runs blame none.
        "sankey_data": "EnhancedTestAnalyticsSankeyData",  # Flow from scenarios over nodes to outcomes.
    },
)

ErrorCode = Union["Literal[\"AGENT_CREDENTIALS_FULL\", \"VALIDATION_ERROR\", \"UNAUTHORIZED\", \"CALL_TOKEN_INVALID\", \"CALL_TOKEN_NOT_ACCEPTED\", \"SIP_NOT_ENABLED\", \"NOT_FOUND\", \"FOREIGN_ORIGIN\", \"OPERATOR_ONLY\", \"METHOD_NOT_ALLOWED\", \"AMBIGUOUS_CONFIGURATION\", \"DUPLICATE_CONFIGURATION\", \"NO_BACKUP_SERVER\", \"DISCOVERY_UNAVAILABLE\", \"DISCOVERY_RUNNING\", \"RANGE_NOT_SATISFIABLE\", \"UNSUPPORTED_MEDIA_TYPE\", \"TOO_MANY_REQUESTS\", \"INTERNAL_SERVER_ERROR\", \"PRECONDITION_FAILED\", \"INSUFFICIENT_SCOPE\", \"TOO_MANY_KEYS\", \"WRONG_PASSWORD\", \"LINK_NOT_VALID\", \"LAST_OWNER\", \"ALREADY_MEMBER\", \"MEMBER_ELSEWHERE\", \"MEMBERS_ONLY\", \"TOO_MANY_MEMBERS\", \"IDEMPOTENCY_KEY_REUSED\", \"IDEMPOTENCY_KEY_IN_USE\", \"SECRET_KEY_MISSING\", \"SERVICE_UNAVAILABLE\", \"CALL_NOT_READY\", \"CALL_ACTION_FAILED\", \"TRANSFER_NOT_POSSIBLE\", \"TRANSFER_FORBIDDEN\", \"CALLS_UNAVAILABLE\", \"LIVE_STATE_UNAVAILABLE\", \"LIVE_CALL_UNAVAILABLE\", \"TRACE_UNAVAILABLE\", \"TOO_MANY_CALLS_WAITING\", \"NO_EDGE_READY\", \"NUMBER_QUEUE_FULL\", \"FAILOVER_UNAVAILABLE\", \"INVALID_PHONE_NUMBER\", \"NUMBER_TAKEN\", \"NUMBER_NOT_PROVEN\", \"TOO_MANY_CONFIGURATIONS\", \"NUMBER_USES_TRUNK\", \"TRUNK_IN_USE\", \"TOO_MANY_WEBHOOK_ENDPOINTS\", \"TOO_MANY_MAINTENANCE_WINDOWS\", \"WEBHOOK_DISABLED\", \"DELIVERY_NOT_REPLAYABLE\", \"TOO_MANY_UPCOMING_CALLS\", \"TOO_MANY_PERSONAS\", \"TOO_MANY_AGENTS\", \"TOO_MANY_SCENARIOS\", \"TOO_MANY_TEST_SCHEDULES\", \"TOO_MANY_TEST_MONITORS\", \"CALL_NOT_JUDGED\", \"SCENARIO_NAME_TAKEN\", \"RUN_NOT_JUDGEABLE\", \"RUN_ENDED\", \"RUN_NOT_FAILED\", \"RUN_QUEUE_FULL\", \"TOKEN_BUDGET_TOO_LOW\", \"TOKEN_BUDGET_USED\", \"COST_BUDGET_TOO_LOW\", \"COST_BUDGET_USED\", \"MODEL_PRICE_UNKNOWN\", \"NO_TRANSCRIPT\", \"MODEL_UNAVAILABLE\", \"PERSONA_IN_USE\", \"PATHWAY_IN_USE\", \"NO_DRAFT_VERSION\", \"PERSONA_CHANGED\", \"TOO_MANY_PATHWAYS\", \"TOO_MANY_FORKS\", \"PATHWAY_CHANGED\", \"VERSION_NOT_CHANGEABLE\", \"TORNADO_ACTIVE\", \"LOAD_TEST_RUNNING\", \"FIX_NOT_UNDONE\", \"PROMOTION_RUNNING\", \"PROMOTION_REFUSED\", \"TEST_CALL_LIMIT\", \"CARRIER_UNAVAILABLE\", \"DOCUMENTS_UNAVAILABLE\", \"NUMBER_PORTING\", \"WEBHOOK_NOT_SIGNED\", \"PORT_MOVE_NOT_ALLOWED\", \"BAD_REQUEST\", \"CONTACT_IDENTIFIER_TAKEN\", \"TOO_MANY_CONTACTS\", \"KB_ERROR\", \"KB_UPLOAD_LIMIT_EXCEEDED\", \"INVALID_INPUT\", \"NO_REGISTRAR\", \"ALERT_NEVER_FIRES\", \"CHANGE_NOT_CONFIRMED\", \"NO_ALLOWED_IPS\"]"]

EstimateTestTokensAnswer = TypedDict(
    "EstimateTestTokensAnswer",
    {
        "data": "TestEstimate",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ExportContactAnswer = TypedDict(
    "ExportContactAnswer",
    {
        "data": "ContactExport",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

FailBackAnswerData = TypedDict(
    "FailBackAnswerData",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "failover": "FailoverState",  # Which server is in use, and why.
    },
)

FailBackAnswer = TypedDict(
    "FailBackAnswer",
    {
        "data": "FailBackAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

FailoverConfigEndpointsItem = TypedDict(
    "FailoverConfigEndpointsItem",
    {
        "host": "str",  # Host name or address.
        "port": NotRequired["int"],  # Port, 1–65535.
        "transport": NotRequired["Literal[\"udp\", \"tcp\", \"tls\"]"],  # SIP transport: udp, tcp or tls.
        "priority": "int",  # Lower values go first.
    },
)

FailoverConfig = TypedDict(
    "FailoverConfig",
    {
        "enabled": "bool",  # False: stored but not used. Default true.
        "endpoints": "List[FailoverConfigEndpointsItem]",  # Servers; of `agents`, the agents.
        "triggers": "List[Literal[\"unreachable\", \"auth_failure\", \"timeout\"]]",  # Failures after which the next server is tried.
        "failback": "Literal[\"auto\", \"manual\"]",  # When calls return to the preferred server: `auto` after successful probes, `manual` on request. Default `auto`.
    },
)

FailoverSettingsEndpointsItem = TypedDict(
    "FailoverSettingsEndpointsItem",
    {
        "host": "str",  # Host name or address.
        "port": NotRequired["int"],  # Port, 1–65535.
        "transport": NotRequired["Literal[\"udp\", \"tcp\", \"tls\"]"],  # SIP transport: udp, tcp or tls.
        "priority": "int",  # Lower values go first.
    },
)

FailoverSettings = TypedDict(
    "FailoverSettings",
    {
        "enabled": NotRequired["bool"],  # False: stored but not used. Default true.
        "endpoints": "List[FailoverSettingsEndpointsItem]",  # Backup servers; the preferred server is the direction’s sip_endpoint
        "triggers": NotRequired["List[Literal[\"unreachable\", \"auth_failure\", \"timeout\"]]"],  # Failures after which the next server is tried.
        "failback": NotRequired["Literal[\"auto\", \"manual\"]"],  # When calls return to the preferred server: `auto` after successful probes, `manual` on request. Default `auto`.
    },
)

FailoverStateOutItem = TypedDict(
    "FailoverStateOutItem",
    {
        "endpoint": "str",  # The server, as `host:port;transport=…`; null: none.
        "since": "str",  # Since when, ISO 8601 in UTC.
        "reason": "Literal[\"unreachable\", \"timeout\", \"auth_failure\"]",  # Reason, a stable code; null: none.
        "detail": "str",  # Further details; null: none.
        "healthy_probes": "int",  # Successful probes in a row since the failure
    },
)

FailoverState = TypedDict(
    "FailoverState",
    {
        "active": "str",  # The preferred server
        "failed_over": "bool",  # True: not the preferred server
        "since": "Union[str, None]",  # When the preferred server failed
        "reason": "Union[Literal[\"unreachable\", \"timeout\", \"auth_failure\"], None]",  # Reason, a stable code; null: none.
        "detail": "Union[str, None]",  # Further details; null: none.
        "failback": "Literal[\"auto\", \"manual\"]",  # When calls return to the preferred server: `auto` after successful probes, `manual` on request. Default `auto`.
        "out": "List[FailoverStateOutItem]",  # Servers out of use
    },
)

FailureErrorsItem = TypedDict(
    "FailureErrorsItem",
    {
        "error": "ErrorCode",  # A stable code; see docs/errors.md.
        "message": "str",  # The problem in plain words.
        "path": NotRequired["str"],  # The invalid field, such as `directions.0.options.port`.
    },
)

Failure = TypedDict(
    "Failure",
    {
        "data": "None",  # The answer.
        "errors": "List[FailureErrorsItem]",  # Null: the request succeeded.
        "request_id": NotRequired["str"],  # Identifies the request in the log; same as the header `x-request-id`.
    },
)

FailureCount = TypedDict(
    "FailureCount",
    {
        "end_reason": "Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"]",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
        "sip_status": "Union[int, None]",  # SIP status; null: no response.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "count": "int",  # How many.
        "concerns": "Literal[\"none\", \"caller\", \"customer\", \"service\", \"fleet\"]",  # Whom it concerns. caller: a mistake of the sender; customer: a setting, limit or PBX of the organization; service: the agent, the trunk’s server or the network to them; fleet: Demarc; none: a person did not take the call.
        "cause": "str",  # The cause in plain words.
        "advice": "str",  # Recommended action.
    },
)

FindContactAnswer = TypedDict(
    "FindContactAnswer",
    {
        "data": "Union[Contact, None]",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

FleetRedis = TypedDict(
    "FleetRedis",
    {
        "state": "Literal[\"up\", \"degraded\", \"down\", \"unknown\"]",  # Its state.
        "round_trip_ms": "Union[float, None]",  # Round trip in milliseconds; null: no answer.
        "detail": "str",  # Further details; null: none.
    },
)

FleetDatabase = TypedDict(
    "FleetDatabase",
    {
        "state": "Literal[\"up\", \"degraded\", \"down\", \"unknown\"]",  # Its state.
        "round_trip_ms": "Union[float, None]",  # Round trip in milliseconds; null: no answer.
        "detail": "str",  # Further details; null: none.
    },
)

FleetControlPartsItem = TypedDict(
    "FleetControlPartsItem",
    {
        "name": "str",  # Its name.
        "ready": "bool",  # Its state.
        "detail": "str",  # Further details; null: none.
    },
)

FleetControl = TypedDict(
    "FleetControl",
    {
        "version": "str",  # Version of the software.
        "since": "str",  # Since when, ISO 8601 in UTC.
        "parts": "List[FleetControlPartsItem]",  # State of each component.
    },
)

FleetOrganizationsItemJudged = TypedDict(
    "FleetOrganizationsItemJudged",
    {
        "state": "Literal[\"failing\", \"degraded\", \"working\", \"quiet\"]",  # Of the last five minutes, or of the hour if there were fewer than five calls. failing: half or more fail; degraded: a fifth; quiet: fewer than five calls
        "window": "Literal[\"5m\", \"1h\"]",  # What decided the state
        "calls": "int",  # The calls.
        "failed": "int",  # How many failed.
        "worst": "Union[FailureCount, None]",  # The most frequent cause of failure within the window; null: none
    },
)

FleetOrganizationsItem = TypedDict(
    "FleetOrganizationsItem",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
        "active": "int",  # Answered calls that have not ended; null: unknown.
        "attempts_1h": "int",  # Attempts of the last hour.
        "answered_1h": "int",  # Answered calls of the last hour.
        "failed_1h": "int",  # Failed calls of the last hour.
        "judged": "FleetOrganizationsItemJudged",  # How the organization’s calls ended
    },
)

FleetTrunkCounts = TypedDict(
    "FleetTrunkCounts",
    {
        "total": "int",  # Total number.
        "healthy": "int",  # Number of reachable servers.
        "unreachable": "int",  # Number of unreachable servers.
        "unchecked": "int",  # Number of servers that are not probed.
        "failing": "int",  # Half of their calls or more fail
        "degraded": "int",  # A fifth of their calls or more fail, or a server is unreachable
        "unregistered": "int",  # A registration failed or is missing
    },
)

FleetTrunksItemServers = TypedDict(
    "FleetTrunksItemServers",
    {
        "total": "int",  # Total number.
        "unreachable": "int",  # Number of unreachable servers.
    },
)

FleetTrunksItemOrganization = TypedDict(
    "FleetTrunksItemOrganization",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
    },
)

FleetTrunksItem = TypedDict(
    "FleetTrunksItem",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "directions": "List[Literal[\"inbound\", \"outbound\"]]",  # Directions of the number.
        "status": "Literal[\"healthy\", \"unreachable\", \"unchecked\"]",  # Its state.
        "endpoint": "Union[str, None]",  # The server, as `host:port;transport=…`; null: none.
        "reason": "Union[Literal[\"timeout\", \"refused\", \"dns\", \"certificate\", \"mutual_tls_required\", \"tls\", \"service_unavailable\", \"network\", \"no_transport\"], None]",  # Reason, a stable code; null: none.
        "detail": "Union[str, None]",  # Further details; null: none.
        "cause": "Union[str, None]",  # The cause in plain words.
        "advice": "Union[str, None]",  # Recommended action.
        "response_time_ms": "Union[float, None]",  # Response time in milliseconds; null: no response.
        "checked_at": "Union[str, None]",  # Time of the last check, ISO 8601 in UTC; null: never.
        "servers": "FleetTrunksItemServers",  # State of the number’s trunk; a healthy trunk with an unreachable first server uses a backup
        "registration": "Union[Literal[\"registering\", \"registered\", \"failed\", \"unregistered\", \"unknown\"], None]",  # The worst state of its registrations; null: none; unknown while Redis is down
        "calls": "TrunkCalls",  # The calls.
        "organization": "FleetTrunksItemOrganization",  # The organization.
    },
)

Fleet = TypedDict(
    "Fleet",
    {
        "edges": "List[EdgeSummary]",  # The edges.
        "redis": "FleetRedis",  # Redis.
        "database": "FleetDatabase",  # PostgreSQL.
        "control": "FleetControl",  # The responding control process.
        "calls": "CallFigures",  # Calls of all organizations.
        "organizations": "List[FleetOrganizationsItem]",  # Those whose calls fail first, then the busiest; at most 100
        "trunk_counts": "Union[FleetTrunkCounts, None]",  # Of the first 2,000 numbers of all organizations; null: unknown
        "trunks": "List[FleetTrunksItem]",  # Of all organizations, worst first, at most 50
    },
)

ForkPathwayVersionAnswer = TypedDict(
    "ForkPathwayVersionAnswer",
    {
        "data": "PathwayVersion",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GeneratePasswordAnswerData = TypedDict(
    "GeneratePasswordAnswerData",
    {
        "password": "str",  # The password; stored passwords read `[redacted]`.
        "length": "int",  # Number of characters.
    },
)

GeneratePasswordAnswer = TypedDict(
    "GeneratePasswordAnswer",
    {
        "data": "GeneratePasswordAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GenerateTestScenarioAnswer = TypedDict(
    "GenerateTestScenarioAnswer",
    {
        "data": "TestScenarioDraft",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GenerateTestScenariosFromCallsAnswer = TypedDict(
    "GenerateTestScenariosFromCallsAnswer",
    {
        "data": "CallTestSuite",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GenerateTestScenariosFromPersonaAnswer = TypedDict(
    "GenerateTestScenariosFromPersonaAnswer",
    {
        "data": "PersonaTestSuite",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GeneratedTestScenario = TypedDict(
    "GeneratedTestScenario",
    {
        "scenario": "SuiteScenario",  # Not stored: `POST /v1/agent-testing/scenarios` takes it as it is once it has a target.
        "evidence": "List[SuiteEvidence]",  # What its assertions are based on.
    },
)

GetActiveTornadoAnswer = TypedDict(
    "GetActiveTornadoAnswer",
    {
        "data": "TornadoSession",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetAgentAnswer = TypedDict(
    "GetAgentAnswer",
    {
        "data": "WebAgent",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "agent": "WebAgent",  # The agent's leg.
    },
)

GetAlertAnswer = TypedDict(
    "GetAlertAnswer",
    {
        "data": "Alert",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetAlertContactsAnswerDataAvailable = TypedDict(
    "GetAlertContactsAnswerDataAvailable",
    {
        "email": "bool",  # True: by email.
        "sms": "bool",  # True: by SMS.
    },
)

GetAlertContactsAnswerData = TypedDict(
    "GetAlertContactsAnswerData",
    {
        "emails": "List[str]",  # Email addresses.
        "phone_numbers": "List[str]",  # Numbers, E.164 with +.
        "available": "GetAlertContactsAnswerDataAvailable",  # False if the channel is not configured
    },
)

GetAlertContactsAnswer = TypedDict(
    "GetAlertContactsAnswer",
    {
        "data": "GetAlertContactsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetBatchAnswer = TypedDict(
    "GetBatchAnswer",
    {
        "data": "CallBatch",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetCallRecordAnswer = TypedDict(
    "GetCallRecordAnswer",
    {
        "data": "Union[CallDetail, LiveCallDetail]",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetCallSeriesAnswer = TypedDict(
    "GetCallSeriesAnswer",
    {
        "data": "CallSeries",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetContactAnswer = TypedDict(
    "GetContactAnswer",
    {
        "data": "Contact",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetDeliveryAnswer = TypedDict(
    "GetDeliveryAnswer",
    {
        "data": "DeliveryDetail",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetDiscoveryAnswer = TypedDict(
    "GetDiscoveryAnswer",
    {
        "data": "Discovery",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetEnhancedTestAnalyticsAnswer = TypedDict(
    "GetEnhancedTestAnalyticsAnswer",
    {
        "data": "EnhancedTestAnalytics",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetExplanationsAnswerDataEndReasonsValue = TypedDict(
    "GetExplanationsAnswerDataEndReasonsValue",
    {
        "cause": "str",  # The cause in plain words.
        "advice": "str",  # Recommended action.
    },
)

GetExplanationsAnswerDataUnreachableReasonsValue = TypedDict(
    "GetExplanationsAnswerDataUnreachableReasonsValue",
    {
        "cause": "str",  # The cause in plain words.
        "advice": "str",  # Recommended action.
    },
)

GetExplanationsAnswerDataSipStatusesValue = TypedDict(
    "GetExplanationsAnswerDataSipStatusesValue",
    {
        "cause": "str",  # The cause in plain words.
        "advice": "str",  # Recommended action.
    },
)

GetExplanationsAnswerData = TypedDict(
    "GetExplanationsAnswerData",
    {
        "end_reasons": "Dict[str, GetExplanationsAnswerDataEndReasonsValue]",  # Each `end_reason`.
        "unreachable_reasons": "Dict[str, GetExplanationsAnswerDataUnreachableReasonsValue]",  # Each reason why a server is unreachable.
        "sip_statuses": "Dict[str, GetExplanationsAnswerDataSipStatusesValue]",  # Each SIP status.
    },
)

GetExplanationsAnswer = TypedDict(
    "GetExplanationsAnswer",
    {
        "data": "GetExplanationsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetFirewallAnswerDataRegionsItem = TypedDict(
    "GetFirewallAnswerDataRegionsItem",
    {
        "region": "str",  # Region of the service.
        "sip_server": "str",  # SIP host name of the service.
        "ip_addresses": "List[str]",  # Demarc's addresses, for your firewall.
    },
)

GetFirewallAnswerDataPorts = TypedDict(
    "GetFirewallAnswerDataPorts",
    {
        "sip": "str",  # Signaling port and transport.
        "rtp": "str",  # RTP statistics of both sides.
    },
)

GetFirewallAnswerData = TypedDict(
    "GetFirewallAnswerData",
    {
        "region": "str",  # Region of the service.
        "ip_addresses": "List[str]",  # Demarc's addresses, for your firewall.
        "regions": "List[GetFirewallAnswerDataRegionsItem]",  # All regions; calls may come from any of them. Demarc extension
        "ports": "GetFirewallAnswerDataPorts",  # Ports to open in your firewall.
    },
)

GetFirewallAnswer = TypedDict(
    "GetFirewallAnswer",
    {
        "data": "GetFirewallAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetHealthHistoryAnswer = TypedDict(
    "GetHealthHistoryAnswer",
    {
        "data": "HealthHistory",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetIncidentAnswer = TypedDict(
    "GetIncidentAnswer",
    {
        "data": "IncidentStory",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetJudgeCalibrationAnswer = TypedDict(
    "GetJudgeCalibrationAnswer",
    {
        "data": "TestCalibration",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetKeyAnswer = TypedDict(
    "GetKeyAnswer",
    {
        "data": "Key",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetKeyForOrganizationAnswer = TypedDict(
    "GetKeyForOrganizationAnswer",
    {
        "data": "Key",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetKnowledgeAnswer = TypedDict(
    "GetKnowledgeAnswer",
    {
        "data": "KnowledgeBase",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetLoadTestAnswer = TypedDict(
    "GetLoadTestAnswer",
    {
        "data": "LoadTest",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetMaintenanceWindowAnswer = TypedDict(
    "GetMaintenanceWindowAnswer",
    {
        "data": "MaintenanceWindow",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetNumberAnswerData = TypedDict(
    "GetNumberAnswerData",
    {
        "inbound": "Union[AttachedDirection, None]",  # First inbound configuration; null: none.
        "outbound": "Union[AttachedDirection, None]",  # First outbound configuration; null: none.
        "configurations": "List[AttachedDirection]",  # All configurations of the number.
        "trunk_id": "Union[str, None]",  # Shared trunk that the number uses, which is changed instead; null: none
    },
)

GetNumberAnswer = TypedDict(
    "GetNumberAnswer",
    {
        "data": "GetNumberAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetOperatorPortAnswer = TypedDict(
    "GetOperatorPortAnswer",
    {
        "data": "OperatorPort",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetOrganizationAnswer = TypedDict(
    "GetOrganizationAnswer",
    {
        "data": "ManagedOrganization",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetOutboundSetupAnswerDataCredentials = TypedDict(
    "GetOutboundSetupAnswerDataCredentials",
    {
        "username": "str",  # The user name.
        "password": "str",  # The password; stored passwords read `[redacted]`.
    },
)

GetOutboundSetupAnswerData = TypedDict(
    "GetOutboundSetupAnswerData",
    {
        "sip_server": "str",  # SIP host name of the service.
        "port": "int",  # Port, 1–65535.
        "transport": "Literal[\"tls\"]",  # SIP transport: udp, tcp or tls.
        "instructions": "str",  # PBX setup instructions.
        "certificate_authority": "Union[CertificateAuthority, None]",  # CA that the PBX must trust; null: the certificate is from a well-known authority. Demarc extension
        "credentials": NotRequired["GetOutboundSetupAnswerDataCredentials"],  # Credentials for the PBX.
    },
)

GetOutboundSetupAnswer = TypedDict(
    "GetOutboundSetupAnswer",
    {
        "data": "GetOutboundSetupAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetPathwayAnswer = TypedDict(
    "GetPathwayAnswer",
    {
        "data": "Pathway",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetPathwayCoverageAnswer = TypedDict(
    "GetPathwayCoverageAnswer",
    {
        "data": "PathwayCoverage",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetPathwayVersionAnswer = TypedDict(
    "GetPathwayVersionAnswer",
    {
        "data": "PathwayVersion",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetPersonaAnswer = TypedDict(
    "GetPersonaAnswer",
    {
        "data": "Persona",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetPersonaVersionAnswer = TypedDict(
    "GetPersonaVersionAnswer",
    {
        "data": "PersonaVersion",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetPortAnswer = TypedDict(
    "GetPortAnswer",
    {
        "data": "PortRequestDetail",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetSessionAnswer = TypedDict(
    "GetSessionAnswer",
    {
        "data": "Session",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetSimulationSetAnswer = TypedDict(
    "GetSimulationSetAnswer",
    {
        "data": "SimulationSet",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetSummaryAnswer = TypedDict(
    "GetSummaryAnswer",
    {
        "data": "NocSummary",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestAnalyticsAnswer = TypedDict(
    "GetTestAnalyticsAnswer",
    {
        "data": "TestAnalytics",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestBatchAnswer = TypedDict(
    "GetTestBatchAnswer",
    {
        "data": "TestBatch",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestBudgetAnswer = TypedDict(
    "GetTestBudgetAnswer",
    {
        "data": "TestTokenBudget",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestCallAnswer = TypedDict(
    "GetTestCallAnswer",
    {
        "data": "TestCall",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestLabelsAnswer = TypedDict(
    "GetTestLabelsAnswer",
    {
        "data": "TestReview",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestMonitorAnswer = TypedDict(
    "GetTestMonitorAnswer",
    {
        "data": "TestMonitor",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestPricesAnswer = TypedDict(
    "GetTestPricesAnswer",
    {
        "data": "TestPrices",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestRunAnswer = TypedDict(
    "GetTestRunAnswer",
    {
        "data": "TestRun",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestScenarioAnswer = TypedDict(
    "GetTestScenarioAnswer",
    {
        "data": "TestScenario",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTestScheduleAnswer = TypedDict(
    "GetTestScheduleAnswer",
    {
        "data": "TestSchedule",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTornadoStatusAnswer = TypedDict(
    "GetTornadoStatusAnswer",
    {
        "data": "TornadoProgress",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTrunkAnswer = TypedDict(
    "GetTrunkAnswer",
    {
        "data": "Trunk",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetTrunkStatusAnswerDataUptimePercent = TypedDict(
    "GetTrunkStatusAnswerDataUptimePercent",
    {
        "24h": "Union[float, None]",  # Of the last 24 hours.
        "7d": "Union[float, None]",  # Of the last seven days.
        "30d": "Union[float, None]",  # Of the last 30 days.
    },
)

GetTrunkStatusAnswerDataAverageResponseTimeMs = TypedDict(
    "GetTrunkStatusAnswerDataAverageResponseTimeMs",
    {
        "24h": "Union[float, None]",  # Of the last 24 hours.
        "7d": "Union[float, None]",  # Of the last seven days.
        "30d": "Union[float, None]",  # Of the last 30 days.
    },
)

GetTrunkStatusAnswerDataEndpointsItemUptimePercent = TypedDict(
    "GetTrunkStatusAnswerDataEndpointsItemUptimePercent",
    {
        "24h": "Union[float, None]",  # Of the last 24 hours.
        "7d": "Union[float, None]",  # Of the last seven days.
        "30d": "Union[float, None]",  # Of the last 30 days.
    },
)

GetTrunkStatusAnswerDataEndpointsItemAverageResponseTimeMs = TypedDict(
    "GetTrunkStatusAnswerDataEndpointsItemAverageResponseTimeMs",
    {
        "24h": "Union[float, None]",  # Of the last 24 hours.
        "7d": "Union[float, None]",  # Of the last seven days.
        "30d": "Union[float, None]",  # Of the last 30 days.
    },
)

GetTrunkStatusAnswerDataEndpointsItemTargetsItem = TypedDict(
    "GetTrunkStatusAnswerDataEndpointsItemTargetsItem",
    {
        "address": "str",  # Address and port.
        "status": "Literal[\"healthy\", \"unreachable\"]",  # Its state.
        "reason": "Union[Literal[\"timeout\", \"refused\", \"dns\", \"certificate\", \"mutual_tls_required\", \"tls\", \"service_unavailable\", \"network\", \"no_transport\"], None]",  # Reason, a stable code; null: none.
        "detail": "Union[str, None]",  # Further details; null: none.
        "cause": "Union[str, None]",  # The likely cause
        "advice": "Union[str, None]",  # Recommended action
        "sip_code": "Union[int, None]",  # SIP status of the final response; null: none.
        "response_time_ms": "Union[float, None]",  # Response time in milliseconds; null: no response.
        "retry_at": "Union[str, None]",  # Earliest time of the next probe, ISO 8601 in UTC; null: no restriction.
    },
)

GetTrunkStatusAnswerDataEndpointsItem = TypedDict(
    "GetTrunkStatusAnswerDataEndpointsItem",
    {
        "endpoint": "str",  # The server, as `host:port;transport=…`; null: none.
        "checked_since": "Union[str, None]",  # Since when the server is checked, to the hour; null: not checked
        "status": "Literal[\"healthy\", \"unreachable\", \"unchecked\"]",  # Its state.
        "reason": "Union[Literal[\"timeout\", \"refused\", \"dns\", \"certificate\", \"mutual_tls_required\", \"tls\", \"service_unavailable\", \"network\", \"no_transport\"], None]",  # Reason, a stable code; null: none.
        "detail": "Union[str, None]",  # Further details; null: none.
        "cause": "Union[str, None]",  # The likely cause
        "advice": "Union[str, None]",  # Recommended action
        "response_time_ms": "Union[float, None]",  # Response time in milliseconds; null: no response.
        "checked_at": "Union[str, None]",  # Time of the last check, ISO 8601 in UTC; null: never.
        "uptime_percent": "GetTrunkStatusAnswerDataEndpointsItemUptimePercent",  # Share of probes that found it reachable, in percent; null: no probes.
        "average_response_time_ms": "GetTrunkStatusAnswerDataEndpointsItemAverageResponseTimeMs",  # Mean response time of probes in milliseconds; null: no response.
        "sip_code": "Union[int, None]",  # SIP status of the final response; null: none.
        "evidence": "Union[Literal[\"probe\", \"call\"], None]",  # Source of the state: a `probe`, or a `call` that the server took.
        "targets": "List[GetTrunkStatusAnswerDataEndpointsItemTargetsItem]",  # Addresses of the server, each with its state.
    },
)

GetTrunkStatusAnswerData = TypedDict(
    "GetTrunkStatusAnswerData",
    {
        "status": "Literal[\"healthy\", \"unreachable\", \"unchecked\"]",  # Its state.
        "reason": "Union[Literal[\"timeout\", \"refused\", \"dns\", \"certificate\", \"mutual_tls_required\", \"tls\", \"service_unavailable\", \"network\", \"no_transport\"], None]",  # Reason, a stable code; null: none.
        "detail": "Union[str, None]",  # Further details; null: none.
        "cause": "Union[str, None]",  # The likely cause
        "advice": "Union[str, None]",  # Recommended action
        "response_time_ms": "Union[float, None]",  # Response time in milliseconds; null: no response.
        "checked_at": "Union[str, None]",  # Time of the last check, ISO 8601 in UTC; null: never.
        "uptime_percent": "GetTrunkStatusAnswerDataUptimePercent",  # Share of probes that found it reachable, in percent; null: no probes.
        "average_response_time_ms": "GetTrunkStatusAnswerDataAverageResponseTimeMs",  # Mean response time of probes in milliseconds; null: no response.
        "probe": "Union[Literal[\"completed\", \"unanswered\"], None]",  # `completed`: all probes finished; `unanswered`: some did not; null: none was requested.
        "failover": "Union[FailoverState, None]",  # Null: at most one server, or Redis is down
        "registration": "Union[Registration, None]",  # Of the first inbound configuration with auth_mode register; null: none
        "registrations": "List[Registration]",  # Registrations with your PBX.
        "endpoints": "List[GetTrunkStatusAnswerDataEndpointsItem]",  # Servers; of `agents`, the agents.
    },
)

GetTrunkStatusAnswer = TypedDict(
    "GetTrunkStatusAnswer",
    {
        "data": "GetTrunkStatusAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetUsageAnswer = TypedDict(
    "GetUsageAnswer",
    {
        "data": "Usage",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetUsageBreakdownAnswerDataGroupsItemInbound = TypedDict(
    "GetUsageBreakdownAnswerDataGroupsItemInbound",
    {
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
    },
)

GetUsageBreakdownAnswerDataGroupsItemOutbound = TypedDict(
    "GetUsageBreakdownAnswerDataGroupsItemOutbound",
    {
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
    },
)

GetUsageBreakdownAnswerDataGroupsItem = TypedDict(
    "GetUsageBreakdownAnswerDataGroupsItem",
    {
        "phone_number": "Union[str, None]",  # The number; null: none, or grouped by agent.
        "agent": "Union[str, None]",  # SIP URI or URL of the agent, without parameters; null: none, unknown, or grouped by number.
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
        "inbound": "GetUsageBreakdownAnswerDataGroupsItemInbound",  # Calls to your numbers.
        "outbound": "GetUsageBreakdownAnswerDataGroupsItemOutbound",  # Calls from your numbers.
    },
)

GetUsageBreakdownAnswerData = TypedDict(
    "GetUsageBreakdownAnswerData",
    {
        "from": "str",  # First day, in UTC.
        "to": "str",  # Last day, in UTC.
        "groups": "List[GetUsageBreakdownAnswerDataGroupsItem]",  # Numbers or agents.
    },
)

GetUsageBreakdownAnswer = TypedDict(
    "GetUsageBreakdownAnswer",
    {
        "data": "GetUsageBreakdownAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetUsageBreakdownForOrganizationAnswerDataGroupsItemInbound = TypedDict(
    "GetUsageBreakdownForOrganizationAnswerDataGroupsItemInbound",
    {
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
    },
)

GetUsageBreakdownForOrganizationAnswerDataGroupsItemOutbound = TypedDict(
    "GetUsageBreakdownForOrganizationAnswerDataGroupsItemOutbound",
    {
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
    },
)

GetUsageBreakdownForOrganizationAnswerDataGroupsItem = TypedDict(
    "GetUsageBreakdownForOrganizationAnswerDataGroupsItem",
    {
        "phone_number": "Union[str, None]",  # The number; null: none, or grouped by agent.
        "agent": "Union[str, None]",  # SIP URI or URL of the agent, without parameters; null: none, unknown, or grouped by number.
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
        "inbound": "GetUsageBreakdownForOrganizationAnswerDataGroupsItemInbound",  # Calls to your numbers.
        "outbound": "GetUsageBreakdownForOrganizationAnswerDataGroupsItemOutbound",  # Calls from your numbers.
    },
)

GetUsageBreakdownForOrganizationAnswerData = TypedDict(
    "GetUsageBreakdownForOrganizationAnswerData",
    {
        "from": "str",  # First day, in UTC.
        "to": "str",  # Last day, in UTC.
        "groups": "List[GetUsageBreakdownForOrganizationAnswerDataGroupsItem]",  # Numbers or agents.
    },
)

GetUsageBreakdownForOrganizationAnswer = TypedDict(
    "GetUsageBreakdownForOrganizationAnswer",
    {
        "data": "GetUsageBreakdownForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetUsageForOrganizationAnswer = TypedDict(
    "GetUsageForOrganizationAnswer",
    {
        "data": "Usage",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetWebhookAnswer = TypedDict(
    "GetWebhookAnswer",
    {
        "data": "WebhookEndpoint",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

GetWebhookSecretAnswerData = TypedDict(
    "GetWebhookSecretAnswerData",
    {
        "exists": "bool",  # True: one exists.
        "created_at": "Union[str, None]",  # Creation time, ISO 8601 in UTC.
    },
)

GetWebhookSecretAnswer = TypedDict(
    "GetWebhookSecretAnswer",
    {
        "data": "GetWebhookSecretAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

HealthHistoryEndpointsItemBucketsItem = TypedDict(
    "HealthHistoryEndpointsItemBucketsItem",
    {
        "at": "str",  # When, ISO 8601 in UTC.
        "checks": "int",  # Probes within the bucket.
        "uptime_percent": "Union[float, None]",  # Share of probes that found it reachable, in percent; null: no probes.
        "response_time_ms": "Union[float, None]",  # Mean of the answered probes
    },
)

HealthHistoryEndpointsItem = TypedDict(
    "HealthHistoryEndpointsItem",
    {
        "endpoint": "str",  # The server, as `host:port;transport=…`; null: none.
        "checked_since": "Union[str, None]",  # Since when the server is checked, to the hour; null: not checked
        "uptime_percent": "Union[float, None]",  # Share of probes that found it reachable, in percent; null: no probes.
        "buckets": "List[HealthHistoryEndpointsItemBucketsItem]",  # Statistics over time, oldest first, without gaps.
    },
)

HealthHistory = TypedDict(
    "HealthHistory",
    {
        "window": "Literal[\"24h\", \"7d\", \"30d\"]",  # Time range.
        "bucket_seconds": "int",  # Seconds that one bucket covers.
        "endpoints": "List[HealthHistoryEndpointsItem]",  # Servers; of `agents`, the agents.
    },
)

HoldCallAnswer = TypedDict(
    "HoldCallAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

InboundChangesRegisterAuth = TypedDict(
    "InboundChangesRegisterAuth",
    {
        "username": "str",  # The user name.
        "password": "str",  # The password; stored passwords read `[redacted]`.
    },
)

InboundChanges = TypedDict(
    "InboundChanges",
    {
        "type": "Literal[\"inbound\"]",  # Direction.
        "id": NotRequired["str"],  # Which configuration, when the number has several of the direction
        "auth_mode": NotRequired["Literal[\"ip\", \"register\"]"],  # How callers are recognized: `ip` by source address, `register` by registration.
        "register_auth": NotRequired["InboundChangesRegisterAuth"],  # Credentials that your PBX and Demarc share
        "allowed_ips": NotRequired["List[str]"],  # Addresses and CIDRs that may call, IPv4 or IPv6. Demarc extension
        "agent": NotRequired["Union[Union[str, WebSocketAgent], None]"],  # The agent's leg.
        "registrar": NotRequired["Union[str, None]"],  # Registrar; null: none.
        "sip_endpoint": NotRequired["Union[str, None]"],  # SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`.
        "options": NotRequired["Union[DirectionOptionChanges, None]"],  # Other connection settings.
        "headers": NotRequired["Union[InboundHeaders, None]"],  # Mappings of SIP headers and variables.
    },
)

InboundDirectionRegisterAuth = TypedDict(
    "InboundDirectionRegisterAuth",
    {
        "username": "str",  # The user name.
        "password": "str",  # The password; stored passwords read `[redacted]`.
    },
)

InboundDirection = TypedDict(
    "InboundDirection",
    {
        "type": "Literal[\"inbound\"]",  # Direction.
        "auth_mode": NotRequired["Literal[\"ip\", \"register\"]"],  # How callers are recognized: `ip` by source address, `register` by registration.
        "register_auth": NotRequired["InboundDirectionRegisterAuth"],  # Credentials that your PBX and Demarc share
        "allowed_ips": NotRequired["List[str]"],  # Addresses and CIDRs that may call, IPv4 or IPv6. Demarc extension
        "agent": NotRequired["Union[str, WebSocketAgent]"],  # Agent that calls are sent to: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the service’s agent.
        "registrar": NotRequired["str"],  # PBX to register with; requires auth_mode register. Default: the number’s first outbound server.
        "sip_endpoint": NotRequired["str"],  # Older name of `registrar` with auth_mode register, else of `agent`.
        "options": NotRequired["DirectionOptions"],  # Other connection settings.
        "headers": NotRequired["InboundHeaders"],  # Mappings of SIP headers and variables.
    },
)

InboundHeadersHeadersItem1 = TypedDict(
    "InboundHeadersHeadersItem1",
    {
        "type": "Literal[\"custom\"]",  # `custom`: one header. `uui`: User-to-User (RFC 7433).
        "key": "str",  # Inbound: SIP header name. Outbound: variable name.
        "value": "str",  # Inbound: variable name. Outbound: SIP header name. With `passthrough`: the constant.
        "passthrough": NotRequired["bool"],  # True: the value is constant.
    },
)

InboundHeadersHeadersItem2 = TypedDict(
    "InboundHeadersHeadersItem2",
    {
        "type": "Literal[\"uui\"]",  # `custom`: one header. `uui`: User-to-User (RFC 7433).
        "target": "str",  # Variable that holds the User-to-User content.
        "purpose": NotRequired["str"],  # The `purpose` parameter of User-to-User (RFC 7433).
        "encoding": NotRequired["Literal[\"hex\", \"ascii\"]"],  # Encoding of User-to-User: `hex` or `ascii`.
        "content": NotRequired["str"],  # The `content` parameter of User-to-User (RFC 7433).
    },
)

InboundHeaders = TypedDict(
    "InboundHeaders",
    {
        "direction": "Literal[\"inbound\"]",  # Same as that of the configuration.
        "headers": "List[Union[InboundHeadersHeadersItem1, InboundHeadersHeadersItem2]]",  # The mappings, at most 15.
    },
)

IncidentOrganization = TypedDict(
    "IncidentOrganization",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
    },
)

IncidentFirstCall = TypedDict(
    "IncidentFirstCall",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "started_at": "str",  # When it started, ISO 8601 in UTC; null: not yet.
    },
)

IncidentReasonsItem = TypedDict(
    "IncidentReasonsItem",
    {
        "kind": "Literal[\"component\", \"trunk\", \"registration\", \"calls\", \"alert\"]",  # Kind.
        "text": "str",  # The reason in words
        "cause": "Union[str, None]",  # The cause in plain words.
        "advice": "Union[str, None]",  # Recommended action.
        "phone_number": "Union[str, None]",  # E.164 with +, such as +14155550100.
        "end_reason": "Union[Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"], None]",  # Of `calls`: how most of them ended
        "sip_status": "Union[int, None]",  # SIP status; null: no response.
        "first_seen_at": "str",  # When the verdict was first red for it
        "last_seen_at": "str",  # When it last was
    },
)

Incident = TypedDict(
    "Incident",
    {
        "incident_id": "str",  # Id of an incident.
        "organization": "Union[IncidentOrganization, None]",  # Null: of the service, for all organizations
        "state": "Literal[\"open\", \"recovered\"]",  # Its state.
        "title": "str",  # The first reason in words
        "opened_at": "str",  # When the verdict turned red
        "recovered_at": "Union[str, None]",  # Since when the verdict was no longer red, for at least a minute; null: not yet
        "first_call": "Union[IncidentFirstCall, None]",  # The first call that failed for the first reason; null: none did, or it is not known
        "reasons": "List[IncidentReasonsItem]",  # Why the verdict was red, the first one first
        "acknowledged_at": "Union[str, None]",  # When it was acknowledged; null: not
        "acknowledged_by": "Union[str, None]",  # Name of the member or key that acknowledged it; null: not acknowledged
        "note": "Union[str, None]",  # Note for colleagues
    },
)

IncidentStoryOrganization = TypedDict(
    "IncidentStoryOrganization",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
    },
)

IncidentStoryFirstCall = TypedDict(
    "IncidentStoryFirstCall",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "started_at": "str",  # When it started, ISO 8601 in UTC; null: not yet.
    },
)

IncidentStoryReasonsItem = TypedDict(
    "IncidentStoryReasonsItem",
    {
        "kind": "Literal[\"component\", \"trunk\", \"registration\", \"calls\", \"alert\"]",  # Kind.
        "text": "str",  # The reason in words
        "cause": "Union[str, None]",  # The cause in plain words.
        "advice": "Union[str, None]",  # Recommended action.
        "phone_number": "Union[str, None]",  # E.164 with +, such as +14155550100.
        "end_reason": "Union[Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"], None]",  # Of `calls`: how most of them ended
        "sip_status": "Union[int, None]",  # SIP status; null: no response.
        "first_seen_at": "str",  # When the verdict was first red for it
        "last_seen_at": "str",  # When it last was
    },
)

IncidentStoryChangesItem = TypedDict(
    "IncidentStoryChangesItem",
    {
        "at": "str",  # When, ISO 8601 in UTC.
        "by": "str",  # Name of the member or key
        "summary": "str",  # In one line.
        "subject": "str",  # What was changed: ids and names; may be empty
        "fields": "str",  # Names of the fields, without their values
    },
)

IncidentStoryAlertsItem = TypedDict(
    "IncidentStoryAlertsItem",
    {
        "alert_id": "str",  # Id of an alert.
        "title": "str",  # Title of the alert.
        "fired_at": "str",  # When the alert fired, ISO 8601 in UTC.
        "notices": "List[Delivery]",  # Notices sent, with their deliveries.
    },
)

IncidentStory = TypedDict(
    "IncidentStory",
    {
        "incident_id": "str",  # Id of an incident.
        "organization": "Union[IncidentStoryOrganization, None]",  # Null: of the service, for all organizations
        "state": "Literal[\"open\", \"recovered\"]",  # Its state.
        "title": "str",  # The first reason in words
        "opened_at": "str",  # When the verdict turned red
        "recovered_at": "Union[str, None]",  # Since when the verdict was no longer red, for at least a minute; null: not yet
        "first_call": "Union[IncidentStoryFirstCall, None]",  # The first call that failed for the first reason; null: none did, or it is not known
        "reasons": "List[IncidentStoryReasonsItem]",  # Why the verdict was red, the first one first
        "acknowledged_at": "Union[str, None]",  # When it was acknowledged; null: not
        "acknowledged_by": "Union[str, None]",  # Name of the member or key that acknowledged it; null: not acknowledged
        "note": "Union[str, None]",  # Note for colleagues
        "changes": "Union[List[IncidentStoryChangesItem], None]",  # The audit log of the day before the first failed call, newest first, at most 20; empty for incidents of the service; null without the scope members:read
        "alerts": "Union[List[IncidentStoryAlertsItem], None]",  # Alerts that fired during the incident, with who was notified; at most 20; null without the scope alerts:read
    },
)

InitiatePortAnswerData = TypedDict(
    "InitiatePortAnswerData",
    {
        "port_request_id": "str",  # Id of the port request.
        "status": "PortStatus",  # Its state.
        "signature_url": "Union[str, None]",  # Where the letter is signed; null: it is signed already.
        "phone_numbers": "List[str]",  # Its numbers, E.164 with +.
    },
)

InitiatePortAnswer = TypedDict(
    "InitiatePortAnswer",
    {
        "data": "InitiatePortAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

Invitation = TypedDict(
    "Invitation",
    {
        "invitation_id": "str",  # Id of an invitation.
        "email": "str",  # Address of the invited person
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
        "invited_by": "str",  # Name of the member or key that invites
        "created_at": "str",  # When it was created
        "expires_at": "str",  # The link is valid until then
    },
)

InviteMemberAnswerData = TypedDict(
    "InviteMemberAnswerData",
    {
        "invitation_id": "str",  # Id of an invitation.
        "email": "str",  # Address of the invited person
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
        "invited_by": "str",  # Name of the member or key that invites
        "created_at": "str",  # When it was created
        "expires_at": "str",  # The link is valid until then
        "link": "str",  # The link, returned only this once
        "mailed": "bool",  # True: the mail server accepted the mail
        "mail_error": "Union[str, None]",  # Why the invitation was not mailed; null: it was
    },
)

InviteMemberAnswer = TypedDict(
    "InviteMemberAnswer",
    {
        "data": "InviteMemberAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

InviteMemberForOrganizationAnswerData = TypedDict(
    "InviteMemberForOrganizationAnswerData",
    {
        "invitation_id": "str",  # Id of an invitation.
        "email": "str",  # Address of the invited person
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
        "invited_by": "str",  # Name of the member or key that invites
        "created_at": "str",  # When it was created
        "expires_at": "str",  # The link is valid until then
        "link": "str",  # The link, returned only this once
        "mailed": "bool",  # True: the mail server accepted the mail
        "mail_error": "Union[str, None]",  # Why the invitation was not mailed; null: it was
    },
)

InviteMemberForOrganizationAnswer = TypedDict(
    "InviteMemberForOrganizationAnswer",
    {
        "data": "InviteMemberForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

JudgeTestRunAnswer = TypedDict(
    "JudgeTestRunAnswer",
    {
        "data": "TestJudgement",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

Key = TypedDict(
    "Key",
    {
        "id": "str",  # Its id.
        "name": "str",  # Purpose of the key.
        "prefix": "str",  # Its first characters, to identify it.
        "scopes": "Union[List[Literal[\"calls:listen\", \"trunks:read\", \"trunks:write\", \"porting:read\", \"porting:write\", \"personas:read\", \"personas:write\", \"pathways:read\", \"pathways:write\", \"calls:read\", \"calls:write\", \"knowledge:read\", \"knowledge:write\", \"contacts:read\", \"contacts:write\", \"agent-testing:read\", \"agent-testing:write\", \"alerts:read\", \"alerts:write\", \"webhooks:read\", \"webhooks:write\", \"noc:read\", \"noc:write\", \"usage:read\", \"usage:write\", \"keys:read\", \"keys:write\", \"members:read\", \"members:write\", \"organizations:read\", \"organizations:write\"]], None]",  # Scopes of the key; null: all rights of its organization.
        "operator": "bool",  # Sees the fleet and the totals of all organizations.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "expires_at": "Union[str, None]",  # Expiry time; null: does not expire.
        "last_used_at": "Union[str, None]",  # Time of the last request with the key, to the minute; null: never used.
        "revoked_at": "Union[str, None]",  # When the key was revoked; null: not revoked.
    },
)

KnowledgeBase = TypedDict(
    "KnowledgeBase",
    {
        "id": "str",  # Id of the knowledge base, a UUID.
        "name": "str",  # Its name.
        "description": NotRequired["str"],  # Present if provided.
        "status": "Literal[\"PROCESSING\", \"COMPLETED\", \"FAILED\", \"DELETED\"]",  # PROCESSING: it is being learned. COMPLETED: it can be searched. FAILED: error_message says what to do. DELETED: its text is deleted.
        "type": "Literal[\"TEXT\"]",  # TEXT.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "error_message": NotRequired["str"],  # Why learning failed, and what to do; only with FAILED.
        "progress": NotRequired["float"],  # Share that is learned, 0–1; only with PROCESSING.
        "text_size": "int",  # Octets of the text in UTF-8.
        "language": NotRequired["str"],  # Detected language, ISO 639-1; und: not detected. Present once it is split.
        "passages": NotRequired["int"],  # Passages that the text was split into. Present once it is split.
        "embedding_model": NotRequired["str"],  # Model of its vectors; absent: it is searched by words alone.
    },
)

KnowledgePassageMetadata = TypedDict(
    "KnowledgePassageMetadata",
    {
        "knowledge_base_id": "str",  # Id of its knowledge base.
        "name": "str",  # Name of its knowledge base.
        "heading": "str",  # Headings above it, separated by ›; empty: none.
        "position": "int",  # Position in the text, from 0.
        "score": "float",  # Fused rank, 0–1; 1: first in every index. Comparable within one answer only.
        "word_rank": "Union[int, None]",  # Rank by words, from 1; null: not found by words.
        "vector_rank": "Union[int, None]",  # Rank in the semantic search (1 = best); null: not found by it, or there are no vectors.
    },
)

KnowledgePassage = TypedDict(
    "KnowledgePassage",
    {
        "id": "str",  # Id of the passage: its knowledge base and its position.
        "content": "str",  # The passage.
        "metadata": "KnowledgePassageMetadata",  # Where it comes from, and how it was found.
    },
)

LearnKnowledgeAnswer = TypedDict(
    "LearnKnowledgeAnswer",
    {
        "data": "KnowledgeBase",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ListAgentCredentialsAnswerDataAgentCredentialsItem = TypedDict(
    "ListAgentCredentialsAnswerDataAgentCredentialsItem",
    {
        "credential_id": "str",  # Id of the credentials of an agent; its digest user name.
        "name": "str",  # Its name.
        "username": "str",  # The digest user name.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

ListAgentCredentialsAnswerData = TypedDict(
    "ListAgentCredentialsAnswerData",
    {
        "agent_credentials": "List[ListAgentCredentialsAnswerDataAgentCredentialsItem]",  # Credentials of agents that place calls by SIP.
    },
)

ListAgentCredentialsAnswer = TypedDict(
    "ListAgentCredentialsAnswer",
    {
        "data": "ListAgentCredentialsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListAgentStreamSecretsAnswerDataSigningSecretsItem = TypedDict(
    "ListAgentStreamSecretsAnswerDataSigningSecretsItem",
    {
        "secret_id": "str",  # Id of the signing secret
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

ListAgentStreamSecretsAnswerData = TypedDict(
    "ListAgentStreamSecretsAnswerData",
    {
        "signing_secrets": "List[ListAgentStreamSecretsAnswerDataSigningSecretsItem]",  # The current secret first
    },
)

ListAgentStreamSecretsAnswer = TypedDict(
    "ListAgentStreamSecretsAnswer",
    {
        "data": "ListAgentStreamSecretsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ListAgentsAnswerData = TypedDict(
    "ListAgentsAnswerData",
    {
        "agents": "List[WebAgent]",  # The agents.
    },
)

ListAgentsAnswer = TypedDict(
    "ListAgentsAnswer",
    {
        "data": "ListAgentsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListAlertsAnswerData = TypedDict(
    "ListAlertsAnswerData",
    {
        "alerts": "List[Alert]",  # The alerts.
        "has_more": "bool",  # Whether more entries follow.
        "active_count": "int",  # Number of active alerts.
    },
)

ListAlertsAnswer = TypedDict(
    "ListAlertsAnswer",
    {
        "data": "ListAlertsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListAuditEventsAnswerData = TypedDict(
    "ListAuditEventsAnswerData",
    {
        "events": "List[AuditEvent]",  # The events, newest first.
    },
)

ListAuditEventsAnswer = TypedDict(
    "ListAuditEventsAnswer",
    {
        "data": "ListAuditEventsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListAuditEventsForOrganizationAnswerData = TypedDict(
    "ListAuditEventsForOrganizationAnswerData",
    {
        "events": "List[AuditEvent]",  # The events, newest first.
    },
)

ListAuditEventsForOrganizationAnswer = TypedDict(
    "ListAuditEventsForOrganizationAnswer",
    {
        "data": "ListAuditEventsForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListBatchesAnswerData = TypedDict(
    "ListBatchesAnswerData",
    {
        "batches": "List[CallBatch]",  # The batches
        "has_more": "bool",  # Whether more entries follow.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListBatchesAnswer = TypedDict(
    "ListBatchesAnswer",
    {
        "data": "ListBatchesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListCallRecordsAnswerDataTotal = TypedDict(
    "ListCallRecordsAnswerDataTotal",
    {
        "calls": "int",  # Matching calls, at most 10000.
        "is_complete": "bool",  # False: there are more.
    },
)

ListCallRecordsAnswerData = TypedDict(
    "ListCallRecordsAnswerData",
    {
        "calls": "List[Call]",  # The calls.
        "organizations": "Dict[str, str]",  # Names of the organizations of these calls, by id; empty without scope=fleet
        "has_more": "bool",  # Whether more entries follow.
        "total": "Union[ListCallRecordsAnswerDataTotal, None]",  # Null without `include_total`.
    },
)

ListCallRecordsAnswer = TypedDict(
    "ListCallRecordsAnswer",
    {
        "data": "ListCallRecordsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListCallSharesAnswerData = TypedDict(
    "ListCallSharesAnswerData",
    {
        "shares": "List[CallShare]",  # The links
    },
)

ListCallSharesAnswer = TypedDict(
    "ListCallSharesAnswer",
    {
        "data": "ListCallSharesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListCallsAnswer = TypedDict(
    "ListCallsAnswer",
    {
        "calls": "List[OrderedCall]",  # The calls of this page.
        "count": "int",  # How many.
        "total_count": "int",  # Total number of matches.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
        "errors": "None",  # Null: the request succeeded.
    },
)

ListContactCallsAnswerData = TypedDict(
    "ListContactCallsAnswerData",
    {
        "calls": "List[Call]",  # The calls.
    },
)

ListContactCallsAnswer = TypedDict(
    "ListContactCallsAnswer",
    {
        "data": "ListContactCallsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListContactDeletionsAnswerDataDeletionsItem = TypedDict(
    "ListContactDeletionsAnswerDataDeletionsItem",
    {
        "deletion_id": "str",  # Names the deletion in the audit log.
        "deleted_by": "str",  # Id of the API key or member that did it.
        "deleted_at": "str",  # ISO 8601 in UTC
        "removed": "ContactRemoval",  # What was removed.
    },
)

ListContactDeletionsAnswerData = TypedDict(
    "ListContactDeletionsAnswerData",
    {
        "deletions": "List[ListContactDeletionsAnswerDataDeletionsItem]",  # The deletions.
    },
)

ListContactDeletionsAnswer = TypedDict(
    "ListContactDeletionsAnswer",
    {
        "data": "ListContactDeletionsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListContactMergesAnswerData = TypedDict(
    "ListContactMergesAnswerData",
    {
        "merges": "List[ContactMerge]",  # The merges.
    },
)

ListContactMergesAnswer = TypedDict(
    "ListContactMergesAnswer",
    {
        "data": "ListContactMergesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ListContactsAnswerData = TypedDict(
    "ListContactsAnswerData",
    {
        "contacts": "List[ContactSummary]",  # The contacts.
    },
)

ListContactsAnswer = TypedDict(
    "ListContactsAnswer",
    {
        "data": "ListContactsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListDeliveriesAnswerData = TypedDict(
    "ListDeliveriesAnswerData",
    {
        "deliveries": "List[Delivery]",  # The deliveries, newest first.
        "has_more": "bool",  # Whether more entries follow.
    },
)

ListDeliveriesAnswer = TypedDict(
    "ListDeliveriesAnswer",
    {
        "data": "ListDeliveriesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListIncidentsAnswerData = TypedDict(
    "ListIncidentsAnswerData",
    {
        "incidents": "List[Incident]",  # The incidents, newest first
    },
)

ListIncidentsAnswer = TypedDict(
    "ListIncidentsAnswer",
    {
        "data": "ListIncidentsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListInvitationsAnswerData = TypedDict(
    "ListInvitationsAnswerData",
    {
        "invitations": "List[Invitation]",  # The invitations.
    },
)

ListInvitationsAnswer = TypedDict(
    "ListInvitationsAnswer",
    {
        "data": "ListInvitationsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListInvitationsForOrganizationAnswerData = TypedDict(
    "ListInvitationsForOrganizationAnswerData",
    {
        "invitations": "List[Invitation]",  # The invitations.
    },
)

ListInvitationsForOrganizationAnswer = TypedDict(
    "ListInvitationsForOrganizationAnswer",
    {
        "data": "ListInvitationsForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListKeysAnswerData = TypedDict(
    "ListKeysAnswerData",
    {
        "keys": "List[Key]",  # The keys.
    },
)

ListKeysAnswer = TypedDict(
    "ListKeysAnswer",
    {
        "data": "ListKeysAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListKeysForOrganizationAnswerData = TypedDict(
    "ListKeysForOrganizationAnswerData",
    {
        "keys": "List[Key]",  # The keys.
    },
)

ListKeysForOrganizationAnswer = TypedDict(
    "ListKeysForOrganizationAnswer",
    {
        "data": "ListKeysForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListKnowledgeAnswerData = TypedDict(
    "ListKnowledgeAnswerData",
    {
        "kbs": "List[KnowledgeBase]",  # The knowledge bases.
        "total": "int",  # Number of knowledge bases of the organization.
    },
)

ListKnowledgeAnswer = TypedDict(
    "ListKnowledgeAnswer",
    {
        "data": "ListKnowledgeAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListLiveCallsAnswer = TypedDict(
    "ListLiveCallsAnswer",
    {
        "data": "LiveCalls",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ListLoadTestsAnswerData = TypedDict(
    "ListLoadTestsAnswerData",
    {
        "load_tests": "List[ListedLoadTest]",  # The load tests.
    },
)

ListLoadTestsAnswer = TypedDict(
    "ListLoadTestsAnswer",
    {
        "data": "ListLoadTestsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListMaintenanceWindowsAnswerData = TypedDict(
    "ListMaintenanceWindowsAnswerData",
    {
        "windows": "List[MaintenanceWindow]",  # The windows, newest first.
    },
)

ListMaintenanceWindowsAnswer = TypedDict(
    "ListMaintenanceWindowsAnswer",
    {
        "data": "ListMaintenanceWindowsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListMembersAnswerData = TypedDict(
    "ListMembersAnswerData",
    {
        "members": "List[Member]",  # The members.
    },
)

ListMembersAnswer = TypedDict(
    "ListMembersAnswer",
    {
        "data": "ListMembersAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListMembersForOrganizationAnswerData = TypedDict(
    "ListMembersForOrganizationAnswerData",
    {
        "members": "List[Member]",  # The members.
    },
)

ListMembersForOrganizationAnswer = TypedDict(
    "ListMembersForOrganizationAnswer",
    {
        "data": "ListMembersForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListNumbersAnswerDataNumbersItem = TypedDict(
    "ListNumbersAnswerDataNumbersItem",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "directions": "List[Literal[\"inbound\", \"outbound\"]]",  # Directions of the number.
        "sip_endpoint": "Union[str, None]",  # SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`.
        "health_status": "Literal[\"healthy\", \"unreachable\", \"unchecked\"]",  # State of the trunk.
    },
)

ListNumbersAnswerData = TypedDict(
    "ListNumbersAnswerData",
    {
        "numbers": "List[ListNumbersAnswerDataNumbersItem]",  # The numbers.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListNumbersAnswer = TypedDict(
    "ListNumbersAnswer",
    {
        "data": "ListNumbersAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListNumbersOfTrunkAnswerData = TypedDict(
    "ListNumbersOfTrunkAnswerData",
    {
        "phone_numbers": "List[str]",  # Numbers, E.164 with +.
    },
)

ListNumbersOfTrunkAnswer = TypedDict(
    "ListNumbersOfTrunkAnswer",
    {
        "data": "ListNumbersOfTrunkAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListOperatorPortsAnswerData = TypedDict(
    "ListOperatorPortsAnswerData",
    {
        "port_requests": "List[QueuedPort]",  # The requests.
    },
)

ListOperatorPortsAnswer = TypedDict(
    "ListOperatorPortsAnswer",
    {
        "data": "ListOperatorPortsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListOrganizationsAnswerData = TypedDict(
    "ListOrganizationsAnswerData",
    {
        "organizations": "List[ManagedOrganization]",  # The organizations.
    },
)

ListOrganizationsAnswer = TypedDict(
    "ListOrganizationsAnswer",
    {
        "data": "ListOrganizationsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListPathwayVersionsAnswerData = TypedDict(
    "ListPathwayVersionsAnswerData",
    {
        "versions": "List[PathwayVersionSummary]",  # The versions.
    },
)

ListPathwayVersionsAnswer = TypedDict(
    "ListPathwayVersionsAnswer",
    {
        "data": "ListPathwayVersionsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListPathwaysAnswerData = TypedDict(
    "ListPathwaysAnswerData",
    {
        "pathways": "List[Pathway]",  # The pathways.
    },
)

ListPathwaysAnswer = TypedDict(
    "ListPathwaysAnswer",
    {
        "data": "ListPathwaysAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListPersonaVersionsAnswerData = TypedDict(
    "ListPersonaVersionsAnswerData",
    {
        "versions": "List[PersonaVersion]",  # The versions.
    },
)

ListPersonaVersionsAnswer = TypedDict(
    "ListPersonaVersionsAnswer",
    {
        "data": "ListPersonaVersionsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListPersonasAnswerData = TypedDict(
    "ListPersonasAnswerData",
    {
        "personas": "List[Persona]",  # The personas.
    },
)

ListPersonasAnswer = TypedDict(
    "ListPersonasAnswer",
    {
        "data": "ListPersonasAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListPortsAnswerData = TypedDict(
    "ListPortsAnswerData",
    {
        "port_requests": "List[PortRequest]",  # The requests.
    },
)

ListPortsAnswer = TypedDict(
    "ListPortsAnswer",
    {
        "data": "ListPortsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListSightingsAnswerData = TypedDict(
    "ListSightingsAnswerData",
    {
        "sightings": "List[Sighting]",  # What arrived, newest first.
    },
)

ListSightingsAnswer = TypedDict(
    "ListSightingsAnswer",
    {
        "data": "ListSightingsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ListSimulationSetsAnswerData = TypedDict(
    "ListSimulationSetsAnswerData",
    {
        "simulation_sets": "List[ListedSimulationSet]",  # The sets.
    },
)

ListSimulationSetsAnswer = TypedDict(
    "ListSimulationSetsAnswer",
    {
        "data": "ListSimulationSetsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTestBatchesAnswerData = TypedDict(
    "ListTestBatchesAnswerData",
    {
        "batches": "List[ListedTestBatch]",  # The batches.
    },
)

ListTestBatchesAnswer = TypedDict(
    "ListTestBatchesAnswer",
    {
        "data": "ListTestBatchesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTestMonitorsAnswerData = TypedDict(
    "ListTestMonitorsAnswerData",
    {
        "monitors": "List[TestMonitor]",  # The monitors.
    },
)

ListTestMonitorsAnswer = TypedDict(
    "ListTestMonitorsAnswer",
    {
        "data": "ListTestMonitorsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTestRunsAnswerData = TypedDict(
    "ListTestRunsAnswerData",
    {
        "runs": "List[TestRunSummary]",  # The runs.
        "total_count": "int",  # Total number of matches.
    },
)

ListTestRunsAnswer = TypedDict(
    "ListTestRunsAnswer",
    {
        "data": "ListTestRunsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTestScenariosAnswerData = TypedDict(
    "ListTestScenariosAnswerData",
    {
        "scenarios": "List[ListedTestScenario]",  # The scenarios.
    },
)

ListTestScenariosAnswer = TypedDict(
    "ListTestScenariosAnswer",
    {
        "data": "ListTestScenariosAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTestSchedulesAnswerData = TypedDict(
    "ListTestSchedulesAnswerData",
    {
        "schedules": "List[TestSchedule]",  # The schedules.
    },
)

ListTestSchedulesAnswer = TypedDict(
    "ListTestSchedulesAnswer",
    {
        "data": "ListTestSchedulesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTestTemplatesAnswerData = TypedDict(
    "ListTestTemplatesAnswerData",
    {
        "templates": "List[TestTemplate]",  # The templates.
    },
)

ListTestTemplatesAnswer = TypedDict(
    "ListTestTemplatesAnswer",
    {
        "data": "ListTestTemplatesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ListTornadoSessionsAnswerData = TypedDict(
    "ListTornadoSessionsAnswerData",
    {
        "sessions": "List[ListedTornadoSession]",  # The sessions.
    },
)

ListTornadoSessionsAnswer = TypedDict(
    "ListTornadoSessionsAnswer",
    {
        "data": "ListTornadoSessionsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTrunkHealthAnswerDataCounts = TypedDict(
    "ListTrunkHealthAnswerDataCounts",
    {
        "total": "int",  # Total number.
        "healthy": "int",  # Number of reachable servers.
        "unreachable": "int",  # Number of unreachable servers.
        "unchecked": "int",  # Number of servers that are not probed.
        "failing": "int",  # Half of their calls or more fail
        "degraded": "int",  # A fifth of their calls or more fail, or a server is unreachable
        "unregistered": "int",  # A registration failed or is missing
    },
)

ListTrunkHealthAnswerData = TypedDict(
    "ListTrunkHealthAnswerData",
    {
        "trunks": "List[TrunkSummary]",  # Worst first
        "counts": "ListTrunkHealthAnswerDataCounts",  # Calls and records of the edge.
    },
)

ListTrunkHealthAnswer = TypedDict(
    "ListTrunkHealthAnswer",
    {
        "data": "ListTrunkHealthAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListTrunksAnswerData = TypedDict(
    "ListTrunksAnswerData",
    {
        "trunks": "List[Trunk]",  # The trunks
    },
)

ListTrunksAnswer = TypedDict(
    "ListTrunksAnswer",
    {
        "data": "ListTrunksAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListWebhooksAnswerData = TypedDict(
    "ListWebhooksAnswerData",
    {
        "webhooks": "List[WebhookEndpoint]",  # The endpoints, newest first.
    },
)

ListWebhooksAnswer = TypedDict(
    "ListWebhooksAnswer",
    {
        "data": "ListWebhooksAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "has_more": "bool",  # True: there are more entries after this page.
        "next": "Union[str, None]",  # Pass as `after` to get the next page; null on the last page.
    },
)

ListedLoadTest = TypedDict(
    "ListedLoadTest",
    {
        "id": "str",  # Id of the load test, a UUID.
        "status": "Literal[\"RUNNING\", \"COMPLETED\", \"CANCELLED\", \"ERROR\"]",  # COMPLETED: all steps ran, or it stopped where the agent broke. ERROR: error_message says why.
        "scenario_ids": "List[str]",  # Scenarios that the callers take in turn.
        "channel": "Union[Literal[\"text\", \"voice\"], None]",  # text or voice; null: that of each scenario.
        "concurrency": "List[int]",  # Callers at once in each step.
        "completed_steps": "int",  # Steps that ended.
        "breaks_at": "Union[int, None]",  # Callers at once of the first step at which the agent breaks; null: not reached so far.
        "break_reason": "Union[Literal[\"success_rate\", \"latency\"], None]",  # Why it breaks; null: not reached.
        "holds_at": "Union[int, None]",  # Callers at once of the last step before it, which the agent held without refusals by limits; null: none.
        "error_message": "Union[str, None]",  # Why it ended in ERROR; null: it did not.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

ListedSimulationSetScenariosItem = TypedDict(
    "ListedSimulationSetScenariosItem",
    {
        "id": "str",  # Id of the scenario.
        "name": "str",  # Its name.
    },
)

ListedSimulationSet = TypedDict(
    "ListedSimulationSet",
    {
        "id": "str",  # Id of the set, a UUID.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # State of the set.
        "simulations_per_scenario": "int",  # Runs of each scenario.
        "total_scenarios": "int",  # Number of scenarios.
        "total_runs": "int",  # Number of runs.
        "completed_runs": "int",  # Runs that ended.
        "schedule_id": "Union[str, None]",  # Id of the schedule that started it, which may have been deleted since; null: none did.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
        "passed_runs": "int",  # Runs that passed.
        "trigger_source": "Literal[\"api\", \"dashboard\", \"ci\", \"schedule\"]",  # What started it.
        "scenarios": "List[ListedSimulationSetScenariosItem]",  # Its scenarios, by name.
    },
)

ListedTestBatchScenariosItem = TypedDict(
    "ListedTestBatchScenariosItem",
    {
        "id": "str",  # Id of the scenario.
        "name": "str",  # Its name.
    },
)

ListedTestBatch = TypedDict(
    "ListedTestBatch",
    {
        "id": "str",  # Id of the batch, a UUID.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # PASSED: all runs passed. ERROR: a run ended in ERROR. FAILED: a run failed. CANCELLED: a run was cancelled and none failed.
        "total_scenarios": "int",  # Number of runs.
        "passed_scenarios": "int",  # Runs that passed.
        "failed_scenarios": "int",  # Runs that ended otherwise.
        "trigger_source": "Literal[\"api\", \"dashboard\", \"ci\", \"gate\", \"simulation\", \"tornado\"]",  # What started it.
        "publish_on_pass": "bool",  # Whether the version becomes live when the batch passes.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
        "scenarios": "List[ListedTestBatchScenariosItem]",  # Its scenarios, by name.
    },
)

ListedTestScenarioMostRecentRun = TypedDict(
    "ListedTestScenarioMostRecentRun",
    {
        "id": "str",  # Id of the run.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # State of the run.
        "score": "Union[float, None]",  # Overall score, 0–1; null: none.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

ListedTestScenario = TypedDict(
    "ListedTestScenario",
    {
        "id": "str",  # Id of the scenario, a UUID.
        "org_id": "str",  # Id of your organization.
        "name": "str",  # Its name.
        "pathway_id": "Union[str, None]",  # Pathway under test; null: another target.
        "persona_id": "Union[str, None]",  # Persona under test; null: another target.
        "agent": "Union[TestAgent, None]",  # Agent at its own address; null: another target.
        "description": "Union[str, None]",  # Free text; null: none.
        "category": "Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]",  # Kind of caller. Default CUSTOM.
        "scenario_type": "Literal[\"AGENT\", \"REPLAY\", \"HISTORICAL\"]",  # AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT.
        "channel": "Literal[\"text\", \"voice\"]",  # How it is run unless the run says otherwise: text or voice (a real call). Default text.
        "tester_persona_prompt": "str",  # How the simulated caller behaves and what it wants; required with AGENT.
        "tester_persona_name": "Union[str, None]",  # Name of the simulated caller; null: none.
        "first_speaker": "Union[Literal[\"agent\", \"caller\"], None]",  # Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL.
        "max_turns": "int",  # Most turns of the caller. Default 20, range 1–50.
        "request_data": "Dict[str, Any]",  # Variables that the conversation begins with, as in `request_data` of a call.
        "start_node_id": "Union[str, None]",  # Node that the conversation begins at; null: the start node of the pathway.
        "service_tone_enabled": "bool",  # Whether runs get a tone score. Default false.
        "is_required_for_promotion": "bool",  # Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false.
        "promotion_runs": "int",  # How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50.
        "required_pass_rate": "float",  # Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95.
        "enabled": "bool",  # False: gates and tornado skip it. Default true.
        "input_messages": "List[TestChatLine]",  # Recorded conversation for REPLAY and HISTORICAL, at most 200 lines.
        "advanced_instructions": "Union[str, None]",  # Further instructions for the simulated caller; null: none.
        "webhook_mocks": "List[TestWebhookMock]",  # Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used.
        "voice": "Union[TestVoiceSettings, None]",  # How it is run as a call; null: the defaults.
        "metadata": "Dict[str, Any]",  # Your data, returned unchanged.
        "assertions": "List[TestAssertion]",  # What must hold after the conversation.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "most_recent_run": "Union[ListedTestScenarioMostRecentRun, None]",  # Latest run; null: never run.
    },
)

ListedTornadoSession = TypedDict(
    "ListedTornadoSession",
    {
        "session_id": "str",  # Id of the session, a UUID.
        "status": "Literal[\"RUNNING\", \"COMPLETED_ALL_PASSED\", \"COMPLETED_PARTIAL\", \"TIMEOUT\", \"STUCK\", \"CANCELLED\", \"ERROR\"]",  # State of the session.
        "pathway_id": "str",  # Pathway that it improves.
        "persona_id": "Union[str, None]",  # Persona of the session; null: none.
        "current_iteration": "int",  # Iteration in progress or the last one, from 1.
        "max_iterations": "int",  # Most iterations.
        "runs_per_scenario": "int",  # Runs of each scenario in each iteration.
        "required_pass_rate": "float",  # What the lower end of the interval of a scenario’s pass rate must reach.
        "total_scenarios": "int",  # Number of scenarios.
        "passed_scenarios": "int",  # Scenarios that passed in the last iteration.
        "failed_scenarios": "int",  # Scenarios that did not.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "forked_version": "Union[int, None]",  # Version with the fixes; null: none yet.
        "error_message": "Union[str, None]",  # Why it ended in ERROR; null: it did not.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

LiveCallTrunk = TypedDict(
    "LiveCallTrunk",
    {
        "address": "str",  # Remote address of the trunk's leg, `address:port`; empty: not known yet.
        "protocol": "str",  # SIP transport.
        "sip_call_id": "str",  # Call-ID header of the trunk's leg; null: there was none.
    },
)

LiveCallMedia = TypedDict(
    "LiveCallMedia",
    {
        "codec": "Union[str, None]",  # Codec on the trunk's side; null: not negotiated yet.
        "srtp_suite": "Union[str, None]",  # SRTP suite on the trunk's side; null: plain RTP.
    },
)

LiveCall = TypedDict(
    "LiveCall",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "from": "str",  # The caller.
        "to": "str",  # The callee.
        "state": "Literal[\"setup\", \"ringing\", \"answered\"]",  # Its state.
        "started_at": "str",  # When it started, ISO 8601 in UTC; null: not yet.
        "ringing_at": "Union[str, None]",  # When it first rang, ISO 8601 in UTC; null: it did not.
        "answered_at": "Union[str, None]",  # When the call was answered, ISO 8601 in UTC; null: not answered.
        "trunk": "LiveCallTrunk",  # The trunk's leg.
        "media": "Union[LiveCallMedia, None]",  # Codecs, encryption and RTP statistics; null: no media was negotiated.
        "organization_id": "Union[str, None]",  # Id of the organization; null: the number belongs to none.
        "phone_number": "Union[str, None]",  # E.164 with +, such as +14155550100.
        "from_header": "str",  # The From header of the INVITE.
        "to_header": "str",  # The To header of the INVITE.
        "edge_id": "Union[str, None]",  # Operator keys only
    },
)

LiveCallDetailAdoptionsItem = TypedDict(
    "LiveCallDetailAdoptionsItem",
    {
        "at": "str",  # ISO 8601 in UTC
        "edge_id": "str",  # Id of the edge process that has or had the call.
    },
)

LiveCallDetailMediaMovesItem = TypedDict(
    "LiveCallDetailMediaMovesItem",
    {
        "at": "str",  # ISO 8601 in UTC
        "from": "Union[str, None]",  # Lost media server; null: unknown
        "to": "str",  # Media server that has the audio since then; the same as `from`: it was restarted
        "milliseconds": "int",  # From the finding of the loss to the move
    },
)

LiveCallDetailOpenTransfer = TypedDict(
    "LiveCallDetailOpenTransfer",
    {
        "mode": "Literal[\"refer\", \"bridge\", \"attended\", \"replaced\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "requested_by": "Literal[\"trunk\", \"agent\", \"api\"]",  # Side that requested it.
        "target": "str",  # Recipient.
        "requested_at": "str",  # When it was requested, ISO 8601 in UTC.
    },
)

LiveCallDetailListenersItem = TypedDict(
    "LiveCallDetailListenersItem",
    {
        "name": "str",  # Name of the person or API key
        "since": "str",  # ISO 8601 in UTC
    },
)

LiveCallDetailBot = TypedDict(
    "LiveCallDetailBot",
    {
        "url": "str",  # URL of the bot
        "connected": "bool",  # False: the connection is being made, or made again
        "reconnects": "int",  # How often the connection was lost and made again
        "latency_ms": "Union[float, None]",  # Milliseconds of the round trip of the last ping; null: not measured yet
        "queued_ms": "float",  # Milliseconds of the bot’s audio that wait to be played
    },
)

LiveCallDetail = TypedDict(
    "LiveCallDetail",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "sip_call_id": "str",  # Call-ID header of the trunk's leg
        "phone_number": "Union[str, None]",  # E.164 with +, such as +14155550100.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "from": "str",  # The caller.
        "to": "str",  # The callee.
        "status": "Union[str, None]",  # Its state.
        "sip_code": "Union[int, None]",  # SIP status of the final response; null: none.
        "outcome": "Union[Literal[\"completed\", \"cancelled\", \"refused\", \"failed\"], None]",  # How it ended: `completed` (answered), `cancelled`, `refused` (by Demarc) or `failed`.
        "end_reason": "Union[Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"], None]",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
        "ended_by": "Union[Literal[\"caller\", \"callee\", \"agent\", \"target\", \"edge\", \"api\"], None]",  # Side that ended it.
        "audio_problem": "Union[Literal[\"one_way\", \"none\", \"lost\"], None]",  # Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known.
        "cause": "Union[str, None]",  # The cause in plain words.
        "advice": "Union[str, None]",  # Recommended action.
        "duration_seconds": "float",  # From answer to end; 0 if not answered
        "started_at": "str",  # ISO 8601 in UTC
        "answered_at": "Union[str, None]",  # When the call was answered, ISO 8601 in UTC; null: not answered.
        "ended_at": "Union[str, None]",  # When the call ended, ISO 8601 in UTC; null: it is active.
        "source_ip": "str",  # Address that the call came from, or went to.
        "party_name": "Union[str, None]",  # Display name of the other party; null: none was sent
        "mos": "Union[float, None]",  # The lower mean opinion score of both sides, 1.0 to 5.0; null: not reported
        "organization_id": "Union[str, None]",  # Null: no organization has the number
        "continued_as": "Union[str, None]",  # The call rang when its edge was lost, and another edge began it again as this call, with the same `sip_call_id`; statistics count that one alone. null: it was not
        "test_run_id": "Union[str, None]",  # Test run that placed the call; null: none. Tests count neither as usage nor in statistics.
        "state": "Literal[\"setup\", \"ringing\", \"answered\", \"ending\"]",  # `ending`: over, but the record is not stored yet
        "edge_id": "str",  # Id of the edge process that has or had the call.
        "ringing_at": "Union[str, None]",  # When it first rang, ISO 8601 in UTC; null: it did not.
        "source_port": "int",  # Port at that address.
        "source_protocol": "str",  # SIP transport: udp, tcp or tls.
        "from_header": "str",  # The From header of the INVITE.
        "to_header": "str",  # The To header of the INVITE.
        "detail": "Union[str, None]",  # Further details, such as the rule that refused the call
        "agent_sip_call_id": "Union[str, None]",  # Call-ID header of the agent's leg; null: there was none.
        "media": "Union[CallMedia, None]",  # Codecs, encryption and RTP statistics; null: no media was negotiated.
        "transfers": "List[CallTransfer]",  # Each requested transfer with its outcome
        "adoptions": "List[LiveCallDetailAdoptionsItem]",  # Edges that held the call before `edge_id`, and when another one took it over from each; messages of about that moment may be missing in `trace`
        "continues": "Union[str, None]",  # Id of the call of a lost edge that this one continues, see its `continued_as`; null: none
        "media_moves": "List[LiveCallDetailMediaMovesItem]",  # When the audio moved to another media server because its own was lost
        "attempts": "List[CallAttempt]",  # Outbound calls: servers tried, in order
        "agent_metadata": "Dict[str, str]",  # Values that the agent set during the call
        "trace": "List[TraceMessage]",  # Every SIP message of the call, in order.
        "trace_truncated": "bool",  # True: messages are missing from the trace.
        "trace_unavailable": "bool",  # True: the trace is in the object store, which does not respond. Repeat the request later.
        "at": "str",  # Time of this data
        "open_transfer": "Union[LiveCallDetailOpenTransfer, None]",  # The transfer in progress; finished ones are in `transfers`
        "consultation": "Union[Literal[\"calling\", \"connecting\", \"consulting\", \"joining\", \"returning\"], None]",  # Stage of the warm transfer in progress: `calling` the target, `connecting` it to the agent, `consulting`, `joining` caller and target, or `returning` the caller to the agent; null: there is none
        "on_hold": "bool",  # True: on hold through the API.
        "listeners": "List[LiveCallDetailListenersItem]",  # Who listens to the call now
        "bot": "Union[LiveCallDetailBot, None]",  # Connection to an agent by WebSocket; null: the agent is another one
    },
)

LiveCalls = TypedDict(
    "LiveCalls",
    {
        "calls": "List[LiveCall]",  # Newest first, at most 1,000
        "unlisted": "List[CallGroup]",  # Counts of the calls beyond those in `calls`, by organization, number and edge
        "total": "int",  # Active calls, with those in `unlisted`
        "truncated": "bool",  # True: there are calls in `unlisted`
        "at": "str",  # When, ISO 8601 in UTC.
    },
)

LoadTestTokenBudget = TypedDict(
    "LoadTestTokenBudget",
    {
        "limit": "int",  # Tokens that its runs may take together.
        "used": "int",  # Tokens that its runs have taken.
    },
)

LoadTestCostBudget = TypedDict(
    "LoadTestCostBudget",
    {
        "limit": "float",  # What its runs may cost together.
        "used": "float",  # What its runs have cost.
        "currency": "str",  # Currency code of ISO 4217.
    },
)

LoadTest = TypedDict(
    "LoadTest",
    {
        "id": "str",  # Id of the load test, a UUID.
        "status": "Literal[\"RUNNING\", \"COMPLETED\", \"CANCELLED\", \"ERROR\"]",  # COMPLETED: all steps ran, or it stopped where the agent broke. ERROR: error_message says why.
        "scenario_ids": "List[str]",  # Scenarios that the callers take in turn.
        "channel": "Union[Literal[\"text\", \"voice\"], None]",  # text or voice; null: that of each scenario.
        "concurrency": "List[int]",  # Callers at once in each step.
        "completed_steps": "int",  # Steps that ended.
        "breaks_at": "Union[int, None]",  # Callers at once of the first step at which the agent breaks; null: not reached so far.
        "break_reason": "Union[Literal[\"success_rate\", \"latency\"], None]",  # Why it breaks; null: not reached.
        "holds_at": "Union[int, None]",  # Callers at once of the last step before it, which the agent held without refusals by limits; null: none.
        "error_message": "Union[str, None]",  # Why it ended in ERROR; null: it did not.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
        "version_number": "Union[int, None]",  # Version as ordered; null: the default.
        "seconds_per_step": "Union[int, None]",  # As ordered; null: by callers.
        "required_success_rate": "float",  # As ordered.
        "maximum_latency_ms": "Union[int, None]",  # As ordered; null: none.
        "stop_below": "Union[float, None]",  # As ordered; null: it stops at the break.
        "token_budget": "Union[LoadTestTokenBudget, None]",  # Token budget of its runs together; null: none.
        "cost_budget": "Union[LoadTestCostBudget, None]",  # Budget in money of its runs together; null: none.
        "usage": "TestUsageSum",  # Tokens and cost of the runs that have ended.
        "steps": "List[LoadTestStep]",  # Each step, in the order of the plan.
    },
)

LoadTestStepSuccessRateInterval = TypedDict(
    "LoadTestStepSuccessRateInterval",
    {
        "lower": "float",  # Lower bound.
        "upper": "float",  # Upper bound.
    },
)

LoadTestStepAnswerMs = TypedDict(
    "LoadTestStepAnswerMs",
    {
        "count": "int",  # How many were measured.
        "p50": "Union[int, None]",  # Median, in milliseconds; null: none was measured.
        "p95": "Union[int, None]",  # 95th percentile, in milliseconds; null: none was measured.
        "p99": "Union[int, None]",  # 99th percentile, in milliseconds; null: none was measured.
    },
)

LoadTestStepLatencyMs = TypedDict(
    "LoadTestStepLatencyMs",
    {
        "count": "int",  # How many were measured.
        "p50": "Union[int, None]",  # Median, in milliseconds; null: none was measured.
        "p95": "Union[int, None]",  # 95th percentile, in milliseconds; null: none was measured.
        "p99": "Union[int, None]",  # 99th percentile, in milliseconds; null: none was measured.
    },
)

LoadTestStepReasonsItem = TypedDict(
    "LoadTestStepReasonsItem",
    {
        "reason": "str",  # Failed assertion, or error.
        "kind": "Literal[\"assertion\", \"agent\", \"limit\", \"test\"]",  # A failed assertion, an error of the agent, a refusal by a limit of Demarc, or an error of the test itself.
        "sip_status": "Union[int, None]",  # Final SIP response to a call that was refused; null: none.
        "callers": "int",  # Callers that it happened to.
    },
)

LoadTestStep = TypedDict(
    "LoadTestStep",
    {
        "concurrency": "int",  # Callers at once.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"COMPLETED\", \"STOPPED\", \"SKIPPED\"]",  # STOPPED: the load test ended during the step. SKIPPED: it ended before. The figures of a RUNNING step are those so far.
        "planned_callers": "int",  # Callers in all; with seconds_per_step, the most that may begin.
        "callers": "int",  # Callers that ended, without cancelled ones.
        "peak_callers": "int",  # Most callers that were in a conversation at once.
        "passed": "int",  # Runs that passed.
        "failed": "int",  # Runs that failed.
        "agent_errors": "int",  # Callers whom the agent did not answer, refused, or failed. They count as not passed.
        "limit_refusals": "int",  # Callers whom a limit of Demarc refused before the agent was asked. They do not count, and a step with any is not held.
        "test_errors": "int",  # Callers who failed for other reasons, such as their own model, the judge or the token budget. They say nothing about the agent and do not count.
        "success_rate": "Union[float, None]",  # passed ÷ (passed + failed + agent_errors), 0–1; null: no callers.
        "success_rate_interval": "Union[LoadTestStepSuccessRateInterval, None]",  # Wilson interval of the success rate at 95 %; null: no callers.
        "answer_ms": "LoadTestStepAnswerMs",  # From the INVITE to the answer of the call; by text there is none.
        "latency_ms": "LoadTestStepLatencyMs",  # From a line of the caller to the answer of the agent, over all turns.
        "reasons": "List[LoadTestStepReasonsItem]",  # Why callers did not pass, most frequent first, at most ten.
        "is_stand_in": "bool",  # True: the stand-in that answers by rules took part, so that the result says nothing.
        "breaks": "Union[Literal[\"success_rate\", \"latency\"], None]",  # success_rate: the upper end of the interval is below required_success_rate. latency: the 95th percentile exceeds maximum_latency_ms. Null: neither, or not completed.
        "attempts": "int",  # Number of times that it was begun; more than 1 after a process was killed.
        "started_at": "Union[str, None]",  # When it began; null: not yet.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

LookUpInvitationAnswerData = TypedDict(
    "LookUpInvitationAnswerData",
    {
        "organization": "str",  # Name of the organization
        "email": "str",  # Address of the invited person
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
        "invited_by": "str",  # Name of the member or key that invites
        "expires_at": "str",  # The link is valid until then
        "has_account": "bool",  # True: accept with the password of the account
    },
)

LookUpInvitationAnswer = TypedDict(
    "LookUpInvitationAnswer",
    {
        "data": "LookUpInvitationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

MaintenanceWindowSchedule1 = TypedDict(
    "MaintenanceWindowSchedule1",
    {
        "type": "Literal[\"once\"]",  # One time
        "starts_at": "str",  # Start
        "ends_at": "str",  # End
    },
)

MaintenanceWindowSchedule2 = TypedDict(
    "MaintenanceWindowSchedule2",
    {
        "type": "Literal[\"weekly\"]",  # Every week
        "weekdays": "List[Literal[\"monday\", \"tuesday\", \"wednesday\", \"thursday\", \"friday\", \"saturday\", \"sunday\"]]",  # Days on which it starts
        "start_time": "str",  # HH:MM in `time_zone`
        "duration_minutes": "int",  # Elapsed minutes
    },
)

MaintenanceWindow = TypedDict(
    "MaintenanceWindow",
    {
        "window_id": "str",  # Id of a maintenance window.
        "name": "str",  # What is done
        "phone_number": "Union[str, None]",  # Only this number; null: not limited
        "trunk_id": "Union[str, None]",  # Only this shared trunk; null: not limited
        "kinds": "List[Literal[\"unreachable\", \"failure_rate\", \"response_time\"]]",  # Kinds of alerts that are not sent
        "time_zone": "str",  # IANA time zone of the schedule
        "schedule": "Union[MaintenanceWindowSchedule1, MaintenanceWindowSchedule2]",  # When the window is open
        "enabled": "bool",  # False: the window is ignored
        "is_open": "bool",  # Whether it is open now
        "starts_at": "Union[str, None]",  # Start of the present or next time; null: it is over
        "ends_at": "Union[str, None]",  # End of the present or next time; null: it is over
        "created_at": "str",  # Creation time
        "created_by": "str",  # Name of the member or key that created it
        "updated_at": "str",  # Last change
        "updated_by": "str",  # Name of the member or key that changed it last
    },
)

ManagedOrganizationLimits = TypedDict(
    "ManagedOrganizationLimits",
    {
        "concurrent_calls": "Union[int, None]",  # Concurrent calls on all edges together; null: `DEMARC_ORGANIZATION_MAX_CALLS`.
        "calls_per_second": "Union[int, None]",  # New calls per second; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`.
        "call_retention_days": "Union[int, None]",  # Days that call records are kept; null: `DEMARC_CALL_RETENTION_DAYS`.
        "minutes_per_month": "Union[int, None]",  # Minutes of answered calls a calendar month (UTC); above it calls continue. Null: none.
    },
)

ManagedOrganization = TypedDict(
    "ManagedOrganization",
    {
        "organization_id": "str",  # Id of the organization; null: the number belongs to none.
        "name": "str",  # Name of the organization.
        "sip_enabled": "bool",  # Has the SIP entitlement.
        "region": "Union[str, None]",  # Key of `DEMARC_REGIONS`; null: the first region.
        "limits": "ManagedOrganizationLimits",  # Limits of this organization, which replace those of the service.
        "numbers": "int",  # Phone numbers.
        "members": "int",  # People.
        "owners": "int",  # Of these, owners.
        "keys": "int",  # API keys that are neither revoked nor expired.
        "created_at": "str",  # When it was created.
    },
)

MediaSample = TypedDict(
    "MediaSample",
    {
        "at": "str",  # End of the interval
        "is_sampled": "bool",  # False: an RTCP report of the other end
        "packets_per_second": "Union[float, None]",  # RTP packets received from the side; null: unknown
        "loss_percent": "Union[float, None]",  # Packets lost, in percent; null: unknown
        "jitter_milliseconds": "Union[float, None]",  # Mean jitter in milliseconds.
        "round_trip_milliseconds": "Union[float, None]",  # Between rtpengine and the side; null: not reported
        "mos": "Union[float, None]",  # By the E-model (ITU-T G.107), 1.0 to 4.5; null: unknown
        "quality_source": "Union[Literal[\"rtcp\", \"sequence\", \"estimate\"], None]",  # Of loss and MOS. `rtcp`: reports of the other end. `sequence`: sequence numbers that rtpengine missed; MOS from loss alone. `estimate`: packets against time; MOS from that loss alone. null: neither is known
    },
)

Member = TypedDict(
    "Member",
    {
        "member_id": "str",  # Id of a member.
        "name": "str",  # Name of the person
        "email": "str",  # Email address of the person
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
        "operator": "bool",  # Sees the fleet and the totals of all organizations
        "created_at": "str",  # When the person joined
        "signed_in_at": "Union[str, None]",  # Last sign-in to this organization; null: never
    },
)

MergeContactsAnswer = TypedDict(
    "MergeContactsAnswer",
    {
        "data": "Contact",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

MergedContactMemoriesItem = TypedDict(
    "MergedContactMemoriesItem",
    {
        "id": "str",  # Its id.
        "contact_id": "str",  # Id of the contact, a UUID.
        "persona_id": "str",  # The persona that remembers; empty: an agent without one.
        "agent_number": "Union[str, None]",  # The number whose agent remembers, E.164 with +; null: all numbers.
        "summary": "str",  # The conversations so far; empty: none.
        "facts": "Dict[str, Union[str, float, bool]]",  # What is known, by name.
        "open_items": "List[ContactOpenItem]",  # What is left to do.
        "entities": "List[ContactEntity]",  # What the contact talks about, such as orders.
    },
)

MergedContact = TypedDict(
    "MergedContact",
    {
        "id": "str",  # Id of the contact, a UUID.
        "org_id": "str",  # Id of your organization.
        "name": "str",  # Name of the contact; empty: unknown.
        "metadata": "Dict[str, Any]",  # Your own data.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "identifiers": "List[ContactIdentifier]",  # What the contact is recognized by.
        "memories": "List[MergedContactMemoriesItem]",  # What agents remember of the contact.
    },
)

MovePortAnswer = TypedDict(
    "MovePortAnswer",
    {
        "data": "OperatorPort",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

NocSummaryParts = TypedDict(
    "NocSummaryParts",
    {
        "edges": "Literal[\"up\", \"degraded\", \"down\", \"unknown\"]",  # The edges.
        "media": "Literal[\"up\", \"degraded\", \"down\", \"unknown\"]",  # Codecs, encryption and RTP statistics; null: no media was negotiated.
        "redis": "Literal[\"up\", \"degraded\", \"down\", \"unknown\"]",  # Redis.
        "database": "Literal[\"up\", \"degraded\", \"down\", \"unknown\"]",  # PostgreSQL.
    },
)

NocSummaryTrunkCounts = TypedDict(
    "NocSummaryTrunkCounts",
    {
        "total": "int",  # Total number.
        "healthy": "int",  # Number of reachable servers.
        "unreachable": "int",  # Number of unreachable servers.
        "unchecked": "int",  # Number of servers that are not probed.
        "failing": "int",  # Half of their calls or more fail
        "degraded": "int",  # A fifth of their calls or more fail, or a server is unreachable
        "unregistered": "int",  # A registration failed or is missing
    },
)

NocSummaryFiguresCalls = TypedDict(
    "NocSummaryFiguresCalls",
    {
        "state": "Literal[\"current\", \"late\", \"unknown\"]",  # late: PostgreSQL is slow or down, these are the last ones. unknown: there are none yet, so that 0 or null says nothing.
        "as_of": "Union[str, None]",  # Of late ones
    },
)

NocSummaryFiguresTrunks = TypedDict(
    "NocSummaryFiguresTrunks",
    {
        "state": "Literal[\"current\", \"late\", \"unknown\"]",  # late: PostgreSQL is slow or down, these are the last ones. unknown: there are none yet, so that 0 or null says nothing.
        "as_of": "Union[str, None]",  # Of late ones
    },
)

NocSummaryFigures = TypedDict(
    "NocSummaryFigures",
    {
        "calls": "NocSummaryFiguresCalls",  # Of `calls.windows`
        "trunks": "NocSummaryFiguresTrunks",  # Of `trunks` and `trunk_counts`
    },
)

NocSummaryAlerts = TypedDict(
    "NocSummaryAlerts",
    {
        "active": "int",  # Answered calls that have not ended; null: unknown.
        "unnoticed": "int",  # Active alerts of which no notice was delivered two minutes after they fired, or for which there is no recipient
    },
)

NocSummaryRegistrations = TypedDict(
    "NocSummaryRegistrations",
    {
        "total": "int",  # Total number.
        "registered": "int",  # Number of registered ones.
        "failed": "int",  # How many failed.
    },
)

NocSummary = TypedDict(
    "NocSummary",
    {
        "at": "str",  # When, ISO 8601 in UTC.
        "parts": "NocSummaryParts",  # State of each component.
        "trunk_counts": "NocSummaryTrunkCounts",  # Trunks by state.
        "trunks": "List[TrunkSummary]",  # Worst first, at most 200
        "figures": "NocSummaryFigures",  # How current the windows of calls, and the trunks with their counts, are
        "alerts": "Union[NocSummaryAlerts, None]",  # Null while the database is down
        "calls": "CallFigures",  # The calls.
        "registrations": "Union[NocSummaryRegistrations, None]",  # Null: none
        "fleet": "Union[Fleet, None]",  # Operator keys only
    },
)

OperatorPortSignature = TypedDict(
    "OperatorPortSignature",
    {
        "email": "str",  # Where the link was sent.
        "expires_at": "str",  # When the link expires, ISO 8601 in UTC.
        "signed_at": "Union[str, None]",  # When it was signed; null: it was not.
        "signer_name": "Union[str, None]",  # Name under the signature; null: none.
    },
)

OperatorPortLosingCarrier = TypedDict(
    "OperatorPortLosingCarrier",
    {
        "customer_type": "Literal[\"business\", \"personal\"]",  # Kind of account.
        "business_name": "Union[str, None]",  # Name of the business; null: none.
        "first_name": "Union[str, None]",  # First name of the authorized representative.
        "last_name": "Union[str, None]",  # Last name of the authorized representative.
        "account_number": "Union[str, None]",  # Account number; null: none was given.
        "pin": "Union[str, None]",  # Port-out PIN; null: none was given.
        "address": "Dict[str, str]",  # Service address in the records of the losing carrier.
    },
)

OperatorPort = TypedDict(
    "OperatorPort",
    {
        "id": "str",  # Id of the request.
        "status": "PortStatus",  # Its state.
        "phone_numbers": "List[PortNumber]",  # Its numbers, each with its own state; some may be ported before others.
        "authorized_rep_email": "str",  # Who signs the Letter of Authorization.
        "notification_emails": "List[str]",  # Addresses notified of each change of state.
        "target_port_date": "str",  # Requested day, in the carrier’s time zone.
        "carrier": "Literal[\"manual\", \"twilio\"]",  # Who carries the request out: the API of a carrier, or an operator by hand (manual).
        "carrier_reference": "Union[str, None]",  # The carrier’s id of the request; null: the carrier has not confirmed it.
        "carrier_problem": "Union[str, None]",  # Why the carrier could not be contacted, or what it is waiting for; null: none.
        "created_at": "str",  # When it was requested, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "timeline": "List[PortMove]",  # Every move, oldest first.
        "documents": "List[PortDocument]",  # Its documents, while they are kept.
        "signature": "OperatorPortSignature",  # Signature of the Letter of Authorization.
        "organization_id": "str",  # Organization that asks for the port.
        "organization": "str",  # Its name.
        "losing_carrier": "OperatorPortLosingCarrier",  # What the losing carrier compares. Each access is logged.
        "allowed_moves": "List[Literal[\"sign\", \"progress\", \"complete\", \"fail\", \"cancel\"]]",  # Moves that an operator can make now, for at least one number.
    },
)

OrderedCallSip = TypedDict(
    "OrderedCallSip",
    {
        "code": "Union[int, None]",  # SIP status; null: none.
        "reason": "Union[str, None]",  # Reason, a stable code; null: none.
        "side": "str",  # Side that ended it: callee, agent, edge, api
        "end_reason": "str",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
    },
)

OrderedCall = TypedDict(
    "OrderedCall",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "to": "str",  # The callee.
        "from": "str",  # The caller.
        "inbound": "Literal[False]",  # True: the call came to the number; false: it left from it.
        "batch_id": "Union[str, None]",  # Id of its batch; null: none
        "scheduled_at": "Union[str, None]",  # Earliest time to dial; null: at once
        "created_at": "str",  # ISO 8601 in UTC
        "state": "Literal[\"queued\", \"dialing\", \"ringing\", \"in_progress\", \"ending\", \"completed\", \"busy\", \"no_answer\", \"cancelled\", \"failed\", \"unknown\"]",  # `queued`, `dialing` (the agent or the trunk is being called), `ringing`, `in_progress` (answered), `ending` (over, record not stored yet); then how it ended: `completed` (answered), `busy`, `no_answer`, `cancelled`, `failed`, or `unknown` (its edge died, or live state is unavailable while `completed` is false).
        "started_at": "Union[str, None]",  # When it started, ISO 8601 in UTC; null: not yet.
        "answered_at": "Union[str, None]",  # When the call was answered, ISO 8601 in UTC; null: not answered.
        "ended_at": "Union[str, None]",  # When the call ended, ISO 8601 in UTC; null: it is active.
        "duration_seconds": "Union[float, None]",  # Seconds from the answer to the end; null until the call has ended.
        "max_duration_seconds": "int",  # Seconds from the answer after which the call is ended.
        "on_hold": "bool",  # True: on hold through the API.
        "end_at": "Union[str, None]",  # The same as `ended_at`.
        "completed": "bool",  # True: the call has ended, with any outcome
        "status": "Union[Literal[\"completed\", \"failed\", \"busy\", \"no-answer\", \"canceled\", \"unknown\"], None]",  # Null until the call has ended; `state` shows its progress.
        "queue_status": "Literal[\"new\", \"queued\", \"allocated\", \"started\", \"complete\", \"queue_error\", \"call_error\", \"complete_error\"]",  # Progress of the order.
        "answered_by": "Union[Literal[\"unknown\", \"no-answer\"], None]",  # Who answered: `unknown` (Demarc does not detect answering machines) or `no-answer`; null: not known yet.
        "call_ended_by": "Union[Literal[\"ASSISTANT\", \"USER\"], None]",  # ASSISTANT: the agent hung up; USER: the callee; null: neither, or the call is active.
        "call_length": "Union[float, None]",  # The same as `duration_seconds`, in minutes.
        "corrected_duration": "Union[str, None]",  # The same as `duration_seconds`, whole seconds as text.
        "max_duration": "float",  # The same as `max_duration_seconds`, in minutes.
        "error_message": "Union[str, None]",  # Error; null: none.
        "audio_problem": "Union[Literal[\"one_way\", \"none\", \"lost\"], None]",  # Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known.
        "cause": "Union[str, None]",  # Why the call ended; null while it is active
        "advice": "Union[str, None]",  # Recommended action
        "sip": "Union[OrderedCallSip, None]",  # Final response to the trunk's INVITE; null while the call is active
        "request_data": "Union[Dict[str, Any], None]",  # Data for the agent, and variables for the header mappings.
        "metadata": "Union[Dict[str, Any], None]",  # Your data, returned unchanged.
    },
)

OrderedCallDetailSip = TypedDict(
    "OrderedCallDetailSip",
    {
        "code": "Union[int, None]",  # SIP status; null: none.
        "reason": "Union[str, None]",  # Reason, a stable code; null: none.
        "side": "str",  # Side that ended it: callee, agent, edge, api
        "end_reason": "str",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
    },
)

OrderedCallDetail = TypedDict(
    "OrderedCallDetail",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "to": "str",  # The callee.
        "from": "str",  # The caller.
        "inbound": "Literal[False]",  # True: the call came to the number; false: it left from it.
        "batch_id": "Union[str, None]",  # Id of its batch; null: none
        "scheduled_at": "Union[str, None]",  # Earliest time to dial; null: at once
        "created_at": "str",  # ISO 8601 in UTC
        "state": "Literal[\"queued\", \"dialing\", \"ringing\", \"in_progress\", \"ending\", \"completed\", \"busy\", \"no_answer\", \"cancelled\", \"failed\", \"unknown\"]",  # `queued`, `dialing` (the agent or the trunk is being called), `ringing`, `in_progress` (answered), `ending` (over, record not stored yet); then how it ended: `completed` (answered), `busy`, `no_answer`, `cancelled`, `failed`, or `unknown` (its edge died, or live state is unavailable while `completed` is false).
        "started_at": "Union[str, None]",  # When it started, ISO 8601 in UTC; null: not yet.
        "answered_at": "Union[str, None]",  # When the call was answered, ISO 8601 in UTC; null: not answered.
        "ended_at": "Union[str, None]",  # When the call ended, ISO 8601 in UTC; null: it is active.
        "duration_seconds": "Union[float, None]",  # Seconds from the answer to the end; null until the call has ended.
        "max_duration_seconds": "int",  # Seconds from the answer after which the call is ended.
        "on_hold": "bool",  # True: on hold through the API.
        "end_at": "Union[str, None]",  # The same as `ended_at`.
        "completed": "bool",  # True: the call has ended, with any outcome
        "status": "Union[Literal[\"completed\", \"failed\", \"busy\", \"no-answer\", \"canceled\", \"unknown\"], None]",  # Null until the call has ended; `state` shows its progress.
        "queue_status": "Literal[\"new\", \"queued\", \"allocated\", \"started\", \"complete\", \"queue_error\", \"call_error\", \"complete_error\"]",  # Progress of the order.
        "answered_by": "Union[Literal[\"unknown\", \"no-answer\"], None]",  # Who answered: `unknown` (Demarc does not detect answering machines) or `no-answer`; null: not known yet.
        "call_ended_by": "Union[Literal[\"ASSISTANT\", \"USER\"], None]",  # ASSISTANT: the agent hung up; USER: the callee; null: neither, or the call is active.
        "call_length": "Union[float, None]",  # The same as `duration_seconds`, in minutes.
        "corrected_duration": "Union[str, None]",  # The same as `duration_seconds`, whole seconds as text.
        "max_duration": "float",  # The same as `max_duration_seconds`, in minutes.
        "error_message": "Union[str, None]",  # Error; null: none.
        "audio_problem": "Union[Literal[\"one_way\", \"none\", \"lost\"], None]",  # Answered calls: `one_way` (one side was never heard), `none` (neither side was), `lost` (the audio of a side, or all media, ended before the call or was never set up); null: no problem known.
        "cause": "Union[str, None]",  # Why the call ended; null while it is active
        "advice": "Union[str, None]",  # Recommended action
        "sip": "Union[OrderedCallDetailSip, None]",  # Final response to the trunk's INVITE; null while the call is active
        "request_data": "Union[Dict[str, Any], None]",  # Data for the agent, and variables for the header mappings.
        "metadata": "Union[Dict[str, Any], None]",  # Your data, returned unchanged.
        "task": "str",  # Instructions for the agent.
        "tools": "Union[List[str], None]",  # Ids of knowledge bases and tools of the order
        "persona_id": "Union[str, None]",  # Id of the persona of the order
        "pathway_id": "Union[str, None]",  # Id of the pathway of the order; null: that of the persona, if it has one
        "pathway_version": "Union[int, None]",  # Version of the pathway that the order names; null: the one that is live
        "voice": "Union[str, None]",  # Voice that the order names; null: that of the persona, if it has one
        "ringing_at": "Union[str, None]",  # When it first rang, ISO 8601 in UTC; null: it did not.
        "attempts": "List[CallAttempt]",  # Servers tried, in order; the last one has no status while the attempt runs.
        "transferred_to": "Union[str, None]",  # Target of the successful transfer
        "transferred_at": "Union[str, None]",  # When the transfer was completed, ISO 8601 in UTC.
        "transfer": "Union[CallTransfer, None]",  # The last transfer, with its outcome
    },
)

OutboundChanges = TypedDict(
    "OutboundChanges",
    {
        "type": "Literal[\"outbound\"]",  # Direction.
        "id": NotRequired["str"],  # Which configuration, when the number has several of the direction
        "sip_endpoint": NotRequired["str"],  # SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`.
        "agent": NotRequired["Union[Union[str, WebSocketAgent], None]"],  # The agent's leg.
        "options": NotRequired["Union[DirectionOptionChanges, None]"],  # Other connection settings.
        "headers": NotRequired["Union[OutboundHeaders, None]"],  # Mappings of SIP headers and variables.
    },
)

OutboundDirection = TypedDict(
    "OutboundDirection",
    {
        "type": "Literal[\"outbound\"]",  # Direction.
        "sip_endpoint": "str",  # SIP URI or host, such as `sip:pbx.example.com:5061;transport=tls`.
        "agent": NotRequired["Union[str, WebSocketAgent]"],  # Agent of calls that the number places: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the inbound direction, else the service’s agent.
        "options": NotRequired["DirectionOptions"],  # Other connection settings.
        "headers": NotRequired["OutboundHeaders"],  # Mappings of SIP headers and variables.
    },
)

OutboundHeadersHeadersItem1 = TypedDict(
    "OutboundHeadersHeadersItem1",
    {
        "type": "Literal[\"custom\"]",  # `custom`: one header. `uui`: User-to-User (RFC 7433).
        "key": "str",  # Inbound: SIP header name. Outbound: variable name.
        "value": "str",  # Inbound: variable name. Outbound: SIP header name. With `passthrough`: the constant.
        "passthrough": NotRequired["bool"],  # True: the value is constant.
    },
)

OutboundHeadersHeadersItem2 = TypedDict(
    "OutboundHeadersHeadersItem2",
    {
        "type": "Literal[\"uui\"]",  # `custom`: one header. `uui`: User-to-User (RFC 7433).
        "target": "str",  # Variable that holds the User-to-User content.
        "purpose": NotRequired["str"],  # The `purpose` parameter of User-to-User (RFC 7433).
        "encoding": NotRequired["Literal[\"hex\", \"ascii\"]"],  # Encoding of User-to-User: `hex` or `ascii`.
        "content": NotRequired["str"],  # The `content` parameter of User-to-User (RFC 7433).
    },
)

OutboundHeaders = TypedDict(
    "OutboundHeaders",
    {
        "direction": "Literal[\"outbound\"]",  # Same as that of the configuration.
        "headers": "List[Union[OutboundHeadersHeadersItem1, OutboundHeadersHeadersItem2]]",  # The mappings, at most 15.
    },
)

ParseCertificatesAnswerData = TypedDict(
    "ParseCertificatesAnswerData",
    {
        "valid": "bool",  # Whether `tls_ca` takes the text
        "reason": "Union[str, None]",  # Why it is not valid; null: it is
        "certificates": "List[TrustedCertificate]",  # The certificates in order; empty if the text is not valid
    },
)

ParseCertificatesAnswer = TypedDict(
    "ParseCertificatesAnswer",
    {
        "data": "ParseCertificatesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ParseDestinationAnswerDataParsed = TypedDict(
    "ParseDestinationAnswerDataParsed",
    {
        "host": "str",  # Host name or address.
        "port": NotRequired["int"],  # Port, 1–65535.
        "user": NotRequired["str"],  # User part of the URI.
        "transport": NotRequired["Literal[\"udp\", \"tcp\", \"tls\"]"],  # SIP transport: udp, tcp or tls.
        "is_private_ip": "bool",  # True: a private or loopback address.
        "normalized": "str",  # The destination as a SIP URI.
    },
)

ParseDestinationAnswerData = TypedDict(
    "ParseDestinationAnswerData",
    {
        "valid": "bool",  # True: a valid destination.
        "parsed": "Union[ParseDestinationAnswerDataParsed, None]",  # The parsed destination; null: invalid.
        "reason": "Union[str, None]",  # Reason, a stable code; null: none.
    },
)

ParseDestinationAnswer = TypedDict(
    "ParseDestinationAnswer",
    {
        "data": "ParseDestinationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

PathwayNumbersItem = TypedDict(
    "PathwayNumbersItem",
    {
        "phone_number": "str",  # The number, E.164 with +.
        "version_number": "Union[int, None]",  # The version that its calls follow; null: the live one.
    },
)

Pathway = TypedDict(
    "Pathway",
    {
        "id": "str",  # Id of the pathway, a UUID.
        "name": "str",  # Its name.
        "description": "Union[str, None]",  # Free text; null: not set.
        "numbers": "List[PathwayNumbersItem]",  # Numbers whose inbound calls follow the pathway.
        "current_production_version": "Union[PathwayVersionSummary, None]",  # The live version; null: none.
        "current_draft_version": "Union[PathwayVersionSummary, None]",  # What the next promotion makes live; null: nothing.
        "promotion": "Union[Promotion, None]",  # The latest promotion that required tests; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

PathwayChange = TypedDict(
    "PathwayChange",
    {
        "kind": "Literal[\"added\", \"removed\", \"changed\"]",  # What happened to it.
        "element": "Literal[\"node\", \"edge\", \"settings\", \"start_node_id\"]",  # The part of the document.
        "id": "Union[str, None]",  # Id of the node or edge; null: neither.
        "name": "Union[str, None]",  # Name of the node or label of the edge; null: neither.
        "field": "Union[str, None]",  # The field that differs; null: the whole node or edge.
        "affects": "Literal[\"conversation\", \"layout\"]",  # `layout`: the node was only moved in the graph, and conversations stay the same.
        "before": "Any",  # Its earlier value; null: it had none.
        "after": "Any",  # Its later value; null: it has none.
    },
)

PathwayCoverageNodes = TypedDict(
    "PathwayCoverageNodes",
    {
        "total": "int",  # Number of nodes in the document.
        "covered": "int",  # Those that a run visited.
        "percent": "float",  # Share of those, 0–100; 100 if there are none.
    },
)

PathwayCoverageEdges = TypedDict(
    "PathwayCoverageEdges",
    {
        "total": "int",  # Number of edges in the document.
        "covered": "int",  # Those that a run visited.
        "percent": "float",  # Share of those, 0–100; 100 if there are none.
    },
)

PathwayCoverageMissingNodesItem = TypedDict(
    "PathwayCoverageMissingNodesItem",
    {
        "id": "str",  # Id of the node.
        "name": "str",  # Name of the node.
    },
)

PathwayCoverageMissingEdgesItem = TypedDict(
    "PathwayCoverageMissingEdgesItem",
    {
        "id": "str",  # Id of the edge.
        "source": "str",  # Node that it leaves.
        "target": "str",  # Node that it leads to.
        "label": "str",  # When it is taken.
        "is_reachable": "bool",  # False: no path leads there from the start node.
    },
)

PathwayCoverage = TypedDict(
    "PathwayCoverage",
    {
        "pathway_id": "str",  # Id of a pathway.
        "version_number": "int",  # Version whose runs are counted.
        "runs": "int",  # Runs by text of this version that passed or failed, at most the latest 10,000.
        "nodes": "PathwayCoverageNodes",  # Coverage of nodes.
        "edges": "PathwayCoverageEdges",  # Coverage of edges.
        "missing_nodes": "List[PathwayCoverageMissingNodesItem]",  # Nodes that no run visited.
        "missing_edges": "List[PathwayCoverageMissingEdgesItem]",  # Edges that no run took. Edges between the same two nodes are covered together.
        "suggested_scenarios": "List[SuggestedTestScenario]",  # Scenarios that together take all missing edges that can be reached, at most 50; `POST /v1/agent-testing/scenarios` takes each.
    },
)

PathwayDocumentSettingsVariablesItem = TypedDict(
    "PathwayDocumentSettingsVariablesItem",
    {
        "name": "str",  # Name of the variable.
        "type": "Literal[\"string\", \"number\", \"boolean\"]",  # Type of its value. Default `string`.
        "description": NotRequired["str"],  # Meaning of the variable.
        "value": NotRequired["Union[str, float, bool]"],  # Its value if `request_data` has none.
    },
)

PathwayDocumentSettings = TypedDict(
    "PathwayDocumentSettings",
    {
        "global_prompt": "Union[str, None]",  # Instructions for every node; null: none.
        "variables": "List[PathwayDocumentSettingsVariablesItem]",  # Variables that a conversation begins with, from `request_data`.
    },
)

PathwayDocument = TypedDict(
    "PathwayDocument",
    {
        "start_node_id": "str",  # Id of the node that a conversation begins at.
        "nodes": "List[PathwayNode]",  # The nodes, 1–500.
        "edges": "List[PathwayEdge]",  # The edges, at most 2000, in the order in which they are tried.
        "settings": "PathwayDocumentSettings",  # Settings that apply to all nodes.
    },
)

PathwayDocumentInputSettingsVariablesItem = TypedDict(
    "PathwayDocumentInputSettingsVariablesItem",
    {
        "name": "str",  # Name of the variable.
        "type": NotRequired["Literal[\"string\", \"number\", \"boolean\"]"],  # Type of its value. Default `string`.
        "description": NotRequired["str"],  # Meaning of the variable.
        "value": NotRequired["Union[str, float, bool]"],  # Its value if `request_data` has none.
    },
)

PathwayDocumentInputSettings = TypedDict(
    "PathwayDocumentInputSettings",
    {
        "global_prompt": NotRequired["Union[str, None]"],  # Instructions for every node; null: none.
        "variables": NotRequired["List[PathwayDocumentInputSettingsVariablesItem]"],  # Variables that a conversation begins with, from `request_data`.
    },
)

PathwayDocumentInput = TypedDict(
    "PathwayDocumentInput",
    {
        "start_node_id": "str",  # Id of the node that a conversation begins at.
        "nodes": "List[PathwayNodeInput]",  # The nodes, 1–500.
        "edges": NotRequired["List[PathwayEdgeInput]"],  # The edges, at most 2000, in the order in which they are tried.
        "settings": NotRequired["PathwayDocumentInputSettings"],  # Settings that apply to all nodes.
    },
)

PathwayEdgeWhenItem = TypedDict(
    "PathwayEdgeWhenItem",
    {
        "variable": "str",  # Name of the variable.
        "operator": "Literal[\"equals\", \"not_equals\", \"contains\", \"greater_than\", \"less_than\", \"is_set\", \"is_not_set\"]",  # How it is compared. Text is compared without case.
        "value": NotRequired["Union[str, float, bool]"],  # Operand; omit for is_set and is_not_set.
    },
)

PathwayEdge = TypedDict(
    "PathwayEdge",
    {
        "id": "str",  # Id of the edge, unique in the document.
        "source": "str",  # Id of the node that it leaves.
        "target": "str",  # Id of the node that it leads to.
        "label": "str",  # When to take it, in a few words.
        "condition": NotRequired["str"],  # When to take it, in detail, for the model.
        "when": NotRequired["List[PathwayEdgeWhenItem]"],  # Comparisons of variables which must all hold; the model is not asked.
    },
)

PathwayEdgeInputWhenItem = TypedDict(
    "PathwayEdgeInputWhenItem",
    {
        "variable": "str",  # Name of the variable.
        "operator": "Literal[\"equals\", \"not_equals\", \"contains\", \"greater_than\", \"less_than\", \"is_set\", \"is_not_set\"]",  # How it is compared. Text is compared without case.
        "value": NotRequired["Union[str, float, bool]"],  # Operand; omit for is_set and is_not_set.
    },
)

PathwayEdgeInput = TypedDict(
    "PathwayEdgeInput",
    {
        "id": "str",  # Id of the edge, unique in the document.
        "source": "str",  # Id of the node that it leaves.
        "target": "str",  # Id of the node that it leads to.
        "label": "str",  # When to take it, in a few words.
        "condition": NotRequired["str"],  # When to take it, in detail, for the model.
        "when": NotRequired["List[PathwayEdgeInputWhenItem]"],  # Comparisons of variables which must all hold; the model is not asked.
    },
)

PathwayNode1Position = TypedDict(
    "PathwayNode1Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNode1ExtractItem = TypedDict(
    "PathwayNode1ExtractItem",
    {
        "name": "str",  # Name of the variable.
        "type": "Literal[\"string\", \"number\", \"boolean\"]",  # Type of its value. Default `string`.
        "description": "str",  # What the model looks for in the conversation.
    },
)

PathwayNode1 = TypedDict(
    "PathwayNode1",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNode1Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"default\"]",  # Says something and listens.
        "prompt": NotRequired["str"],  # Instructions from which the model makes what the agent says; `{{name}}` is a variable.
        "text": NotRequired["str"],  # What the agent says, word for word, in place of a prompt.
        "condition": NotRequired["str"],  # What must be true before the conversation leaves the node. Omitted: one answer is enough.
        "extract": "List[PathwayNode1ExtractItem]",  # Variables that the model reads from the conversation.
        "kb_ids": "List[str]",  # Knowledge bases that the agent may search at this node, UUIDs; at most 50.
    },
)

PathwayNode2Position = TypedDict(
    "PathwayNode2Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNode2WebhookResponseVariablesItem = TypedDict(
    "PathwayNode2WebhookResponseVariablesItem",
    {
        "name": "str",  # Name of the variable.
        "path": "str",  # Where its value is in the JSON response: names and positions with dots.
    },
)

PathwayNode2Webhook = TypedDict(
    "PathwayNode2Webhook",
    {
        "url": "str",  # HTTP or HTTPS address; `{{name}}` is a variable, escaped.
        "method": "Literal[\"GET\", \"POST\", \"PUT\", \"PATCH\"]",  # HTTP method. Default `POST`.
        "body": NotRequired["Dict[str, Any]"],  # JSON body, not with GET; `{{name}}` within its strings is a variable.
        "timeout_ms": "int",  # Milliseconds until the call is given up. Default 5000, range 100–30000.
        "response_variables": "List[PathwayNode2WebhookResponseVariablesItem]",  # Variables that the response sets; values of more than 10000 characters of JSON set none. `webhook_status` is always set: the HTTP status, 0 without a response.
    },
)

PathwayNode2 = TypedDict(
    "PathwayNode2",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNode2Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"webhook\"]",  # Calls a webhook and continues at once.
        "webhook": "PathwayNode2Webhook",  # The request.
    },
)

PathwayNode3Position = TypedDict(
    "PathwayNode3Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNode3 = TypedDict(
    "PathwayNode3",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNode3Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"transfer\"]",  # Transfers the call.
        "prompt": NotRequired["str"],  # Instructions from which the model makes what the agent says; `{{name}}` is a variable.
        "text": NotRequired["str"],  # What the agent says, word for word, in place of a prompt.
        "transfer_to": "str",  # E.164 number or SIP URI; `{{name}}` is a variable.
    },
)

PathwayNode4Position = TypedDict(
    "PathwayNode4Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNode4 = TypedDict(
    "PathwayNode4",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNode4Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"end\"]",  # Ends the call.
        "prompt": NotRequired["str"],  # Instructions from which the model makes what the agent says; `{{name}}` is a variable.
        "text": NotRequired["str"],  # What the agent says, word for word, in place of a prompt.
    },
)

PathwayNode = Union["Union[PathwayNode1, PathwayNode2, PathwayNode3, PathwayNode4]"]

PathwayNodeInput1Position = TypedDict(
    "PathwayNodeInput1Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNodeInput1ExtractItem = TypedDict(
    "PathwayNodeInput1ExtractItem",
    {
        "name": "str",  # Name of the variable.
        "type": NotRequired["Literal[\"string\", \"number\", \"boolean\"]"],  # Type of its value. Default `string`.
        "description": "str",  # What the model looks for in the conversation.
    },
)

PathwayNodeInput1 = TypedDict(
    "PathwayNodeInput1",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNodeInput1Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"default\"]",  # Says something and listens.
        "prompt": NotRequired["str"],  # Instructions from which the model makes what the agent says; `{{name}}` is a variable.
        "text": NotRequired["str"],  # What the agent says, word for word, in place of a prompt.
        "condition": NotRequired["str"],  # What must be true before the conversation leaves the node. Omitted: one answer is enough.
        "extract": NotRequired["List[PathwayNodeInput1ExtractItem]"],  # Variables that the model reads from the conversation.
        "kb_ids": NotRequired["List[str]"],  # Knowledge bases that the agent may search at this node, UUIDs; at most 50.
    },
)

PathwayNodeInput2Position = TypedDict(
    "PathwayNodeInput2Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNodeInput2WebhookResponseVariablesItem = TypedDict(
    "PathwayNodeInput2WebhookResponseVariablesItem",
    {
        "name": "str",  # Name of the variable.
        "path": "str",  # Where its value is in the JSON response: names and positions with dots.
    },
)

PathwayNodeInput2Webhook = TypedDict(
    "PathwayNodeInput2Webhook",
    {
        "url": "str",  # HTTP or HTTPS address; `{{name}}` is a variable, escaped.
        "method": NotRequired["Literal[\"GET\", \"POST\", \"PUT\", \"PATCH\"]"],  # HTTP method. Default `POST`.
        "body": NotRequired["Dict[str, Any]"],  # JSON body, not with GET; `{{name}}` within its strings is a variable.
        "timeout_ms": NotRequired["int"],  # Milliseconds until the call is given up. Default 5000, range 100–30000.
        "response_variables": NotRequired["List[PathwayNodeInput2WebhookResponseVariablesItem]"],  # Variables that the response sets; values of more than 10000 characters of JSON set none. `webhook_status` is always set: the HTTP status, 0 without a response.
    },
)

PathwayNodeInput2 = TypedDict(
    "PathwayNodeInput2",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNodeInput2Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"webhook\"]",  # Calls a webhook and continues at once.
        "webhook": "PathwayNodeInput2Webhook",  # The request.
    },
)

PathwayNodeInput3Position = TypedDict(
    "PathwayNodeInput3Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNodeInput3 = TypedDict(
    "PathwayNodeInput3",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNodeInput3Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"transfer\"]",  # Transfers the call.
        "prompt": NotRequired["str"],  # Instructions from which the model makes what the agent says; `{{name}}` is a variable.
        "text": NotRequired["str"],  # What the agent says, word for word, in place of a prompt.
        "transfer_to": "str",  # E.164 number or SIP URI; `{{name}}` is a variable.
    },
)

PathwayNodeInput4Position = TypedDict(
    "PathwayNodeInput4Position",
    {
        "x": "int",  # Pixels to the right, −100000 to 100000.
        "y": "int",  # Pixels down, −100000 to 100000.
    },
)

PathwayNodeInput4 = TypedDict(
    "PathwayNodeInput4",
    {
        "id": "str",  # Id of the node, unique in the document.
        "name": "str",  # Name of the node.
        "position": NotRequired["PathwayNodeInput4Position"],  # Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.
        "type": "Literal[\"end\"]",  # Ends the call.
        "prompt": NotRequired["str"],  # Instructions from which the model makes what the agent says; `{{name}}` is a variable.
        "text": NotRequired["str"],  # What the agent says, word for word, in place of a prompt.
    },
)

PathwayNodeInput = Union["Union[PathwayNodeInput1, PathwayNodeInput2, PathwayNodeInput3, PathwayNodeInput4]"]

PathwayVersionWarningsItem = TypedDict(
    "PathwayVersionWarningsItem",
    {
        "node_id": "str",  # Id of the node.
        "message": "str",  # What is probably a mistake, in plain words.
    },
)

PathwayVersion = TypedDict(
    "PathwayVersion",
    {
        "id": "str",  # Id of the version.
        "pathway_id": "str",  # Id of a pathway.
        "version_type": "Literal[\"draft\", \"production\", \"archived\", \"fork\"]",  # draft: takes changes; production: live; archived: was live; fork: a copy that takes changes beside the draft.
        "version_number": "int",  # Counts the versions of the pathway from 1.
        "forked_from": "Union[int, None]",  # Number of the version that it was copied from; null: it is no fork.
        "note": "Union[str, None]",  # Why it was copied; null: not set.
        "revision": "int",  # Counts the changes of the version from 1.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "promoted_at": "Union[str, None]",  # When it became live; null: it never was.
        "promoted_by": "Union[str, None]",  # Id of the API key or member that promoted it; null: it never was live.
        "document": "PathwayDocument",  # What a conversation follows.
        "warnings": "List[PathwayVersionWarningsItem]",  # Nodes that cannot be reached or left, and variables that not every path sets.
    },
)

PathwayVersionSummary = TypedDict(
    "PathwayVersionSummary",
    {
        "id": "str",  # Id of the version.
        "pathway_id": "str",  # Id of a pathway.
        "version_type": "Literal[\"draft\", \"production\", \"archived\", \"fork\"]",  # draft: takes changes; production: live; archived: was live; fork: a copy that takes changes beside the draft.
        "version_number": "int",  # Counts the versions of the pathway from 1.
        "forked_from": "Union[int, None]",  # Number of the version that it was copied from; null: it is no fork.
        "note": "Union[str, None]",  # Why it was copied; null: not set.
        "revision": "int",  # Counts the changes of the version from 1.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "promoted_at": "Union[str, None]",  # When it became live; null: it never was.
        "promoted_by": "Union[str, None]",  # Id of the API key or member that promoted it; null: it never was live.
    },
)

Persona = TypedDict(
    "Persona",
    {
        "id": "str",  # Id of the persona, a UUID.
        "name": "str",  # Its name.
        "role": "Union[str, None]",  # Its role, free text; null: not set.
        "description": "Union[str, None]",  # Free text; null: not set.
        "tags": "List[str]",  # Your labels.
        "metadata": "Union[Dict[str, Any], None]",  # Your data, returned unchanged; null: not set.
        "inbound_numbers": "List[str]",  # Numbers whose inbound calls it answers, E.164 with +.
        "current_production_version_id": "Union[str, None]",  # Id of the live version; null: it was never promoted.
        "current_draft_version_id": "Union[str, None]",  # Id of the draft; null: nothing changed since the last promotion.
        "current_production_version": "Union[PersonaVersion, None]",  # The version that calls get; null: none.
        "current_draft_version": "Union[PersonaVersion, None]",  # What the next promotion makes live; null: nothing.
        "promotion": "Union[Promotion, None]",  # The latest promotion that required tests; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

PersonaTestSuitePrompts = TypedDict(
    "PersonaTestSuitePrompts",
    {
        "total": "int",  # Statements in the prompts.
        "covered": "int",  # Those that the present scenarios of the persona quote in their description.
        "percent": "float",  # Share of those, 0–100; 100 if there are none.
    },
)

PersonaTestSuiteKnowledge = TypedDict(
    "PersonaTestSuiteKnowledge",
    {
        "total": "int",  # Passages of the knowledge bases with a statement: all of them up to 500, of more passages every n-th.
        "covered": "int",  # Those that the present scenarios of the persona quote in their description.
        "percent": "float",  # Share of those, 0–100; 100 if there are none.
    },
)

PersonaTestSuite = TypedDict(
    "PersonaTestSuite",
    {
        "persona_id": "str",  # Id of a persona.
        "version_number": "int",  # Version whose texts were read.
        "generated_by": "Union[str, None]",  # Model that wrote the scenarios; null: rules, because no model or the stand-in is configured.
        "prompts": "PersonaTestSuitePrompts",  # Coverage of prompts.
        "knowledge": "PersonaTestSuiteKnowledge",  # Coverage of knowledge.
        "scenarios": "List[GeneratedTestScenario]",  # Scenarios that test what is not covered.
    },
)

PersonaVersion = TypedDict(
    "PersonaVersion",
    {
        "id": "str",  # Id of the version.
        "persona_id": "str",  # Id of a persona.
        "version_type": "Literal[\"draft\", \"production\", \"archived\"]",  # draft: takes changes; production: live; archived: was live.
        "version_number": "int",  # Counts the versions of the persona from 1.
        "orchestration_prompt": "Union[str, None]",  # What the agent does in a call; null: not set.
        "personality_prompt": "Union[str, None]",  # How the agent speaks; null: not set.
        "kb_ids": "List[str]",  # Knowledge bases that the agent of a call may search, UUIDs.
        "agent": "Union[Union[str, WebSocketAgentView], None]",  # Agent of its calls: a SIP URI, a wss:// URL, or a WebSocket server with its settings; null: the agent of the number.
        "pathway_id": "Union[str, None]",  # Pathway that its calls follow; null: none. A number’s own pathway takes precedence.
        "pathway_version": "Union[int, None]",  # Number of the pathway’s version; null: the one that is live when a call begins.
        "voice": "Union[str, None]",  # Voice that the agent speaks with, passed on to it unchecked; null: not set.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "promoted_at": "Union[str, None]",  # When it became live; null: it never was.
        "promoted_by": "Union[str, None]",  # Id of the API key or member that promoted it; null: it never was live.
    },
)

PlayToCallAnswer = TypedDict(
    "PlayToCallAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
        "duration_seconds": "float",  # Length of the audio
    },
)

PortCheck = TypedDict(
    "PortCheck",
    {
        "phone_number": "str",  # The number in E.164 with +, or the text as sent if it is not a phone number.
        "portable": "bool",  # Whether it can be ported.
        "number_type": "Literal[\"mobile\", \"landline\", \"toll-free\", \"voip\", \"unknown\"]",  # Kind of number; unknown: North American plans do not tell mobile numbers from landlines.
        "pin_required": "bool",  # Whether the losing carrier requires a PIN.
        "reason": "Union[str, None]",  # Why it is not portable; null: it is.
        "source": "Literal[\"carrier\", \"numbering_plan\"]",  # Source of the result. numbering_plan: no carrier was asked, so the port may still be refused.
    },
)

PortDocument = TypedDict(
    "PortDocument",
    {
        "document_sid": "str",  # Id of the document.
        "kind": "Literal[\"proof\", \"letter\", \"signed_letter\"]",  # proof: uploaded; letter: Letter of Authorization; signed_letter: with signature.
        "media_type": "Literal[\"application/pdf\", \"image/jpeg\", \"image/png\", \"image/gif\", \"image/webp\"]",  # Its type, detected from its content.
        "size": "int",  # Octets.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

PortMove = TypedDict(
    "PortMove",
    {
        "at": "str",  # When it moved, ISO 8601 in UTC.
        "number": "Union[str, None]",  # Number that moved; null: the request as a whole.
        "from": "Union[PortStatus, None]",  # State before; null: it began.
        "to": "PortStatus",  # State after.
        "by": "Literal[\"customer\", \"signer\", \"carrier\", \"operator\", \"service\"]",  # Who moved it.
        "reason": "str",  # Why.
    },
)

PortNumber = TypedDict(
    "PortNumber",
    {
        "number": "str",  # The number, E.164 with +.
        "status": "PortStatus",  # Its state.
        "number_type": "Literal[\"mobile\", \"landline\", \"toll-free\", \"voip\", \"unknown\"]",  # Kind of number; unknown: the carrier did not say.
        "reason": "Union[str, None]",  # Why it failed or was canceled; null: neither.
        "active": "bool",  # True: it is now an inbound number of the organization.
    },
)

PortRequest = TypedDict(
    "PortRequest",
    {
        "id": "str",  # Id of the request.
        "status": "PortStatus",  # Its state.
        "phone_numbers": "List[PortNumber]",  # Its numbers, each with its own state; some may be ported before others.
        "authorized_rep_email": "str",  # Who signs the Letter of Authorization.
        "notification_emails": "List[str]",  # Addresses notified of each change of state.
        "target_port_date": "str",  # Requested day, in the carrier’s time zone.
        "carrier": "Literal[\"manual\", \"twilio\"]",  # Who carries the request out: the API of a carrier, or an operator by hand (manual).
        "carrier_reference": "Union[str, None]",  # The carrier’s id of the request; null: the carrier has not confirmed it.
        "carrier_problem": "Union[str, None]",  # Why the carrier could not be contacted, or what it is waiting for; null: none.
        "created_at": "str",  # When it was requested, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

PortRequestDetailSignature = TypedDict(
    "PortRequestDetailSignature",
    {
        "email": "str",  # Where the link was sent.
        "expires_at": "str",  # When the link expires, ISO 8601 in UTC.
        "signed_at": "Union[str, None]",  # When it was signed; null: it was not.
        "signer_name": "Union[str, None]",  # Name under the signature; null: none.
    },
)

PortRequestDetail = TypedDict(
    "PortRequestDetail",
    {
        "id": "str",  # Id of the request.
        "status": "PortStatus",  # Its state.
        "phone_numbers": "List[PortNumber]",  # Its numbers, each with its own state; some may be ported before others.
        "authorized_rep_email": "str",  # Who signs the Letter of Authorization.
        "notification_emails": "List[str]",  # Addresses notified of each change of state.
        "target_port_date": "str",  # Requested day, in the carrier’s time zone.
        "carrier": "Literal[\"manual\", \"twilio\"]",  # Who carries the request out: the API of a carrier, or an operator by hand (manual).
        "carrier_reference": "Union[str, None]",  # The carrier’s id of the request; null: the carrier has not confirmed it.
        "carrier_problem": "Union[str, None]",  # Why the carrier could not be contacted, or what it is waiting for; null: none.
        "created_at": "str",  # When it was requested, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "timeline": "List[PortMove]",  # Every move, oldest first.
        "documents": "List[PortDocument]",  # Its documents, while they are kept.
        "signature": "PortRequestDetailSignature",  # Signature of the Letter of Authorization.
    },
)

PortStatus = Union["Literal[\"waiting_for_signature\", \"submitted\", \"in_progress\", \"completed\", \"failed\", \"canceled\"]"]

PortStatusInput = Union["Literal[\"waiting_for_signature\", \"submitted\", \"in_progress\", \"completed\", \"failed\", \"canceled\"]"]

PromotePathwayAnswer = TypedDict(
    "PromotePathwayAnswer",
    {
        "data": "ChangedPathway",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

PromotePersonaAnswer = TypedDict(
    "PromotePersonaAnswer",
    {
        "data": "ChangedPersona",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

Promotion = TypedDict(
    "Promotion",
    {
        "id": "str",  # Id of the promotion.
        "status": "Literal[\"RUNNING\", \"PROMOTED\", \"REFUSED\"]",  # RUNNING: the required scenarios run; PROMOTED: all passed often enough and the version became live; REFUSED: it did not.
        "version_number": "int",  # Version that is to become live.
        "batch_id": "str",  # Batch of the required scenarios.
        "reasons": "List[str]",  # Why it was refused; empty: it was not.
        "is_stand_in": "bool",  # True: the stand-in that answers by rules took part in the tests, because no language model is configured.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

ProveNumbersAnswerData = TypedDict(
    "ProveNumbersAnswerData",
    {
        "proven": "List[str]",  # The confirmed numbers.
    },
)

ProveNumbersAnswer = TypedDict(
    "ProveNumbersAnswer",
    {
        "data": "ProveNumbersAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

QualitySample = TypedDict(
    "QualitySample",
    {
        "at": "int",  # Unix time in seconds
        "mos": NotRequired["float"],  # Estimated mean opinion score, 1 to 5.
        "jitter_milliseconds": NotRequired["float"],  # Mean jitter in milliseconds.
        "loss_percent": NotRequired["float"],  # Packets lost since the report before, in percent
    },
)

QueuedPort = TypedDict(
    "QueuedPort",
    {
        "id": "str",  # Id of the request.
        "status": "PortStatus",  # Its state.
        "phone_numbers": "List[PortNumber]",  # Its numbers, each with its own state; some may be ported before others.
        "authorized_rep_email": "str",  # Who signs the Letter of Authorization.
        "notification_emails": "List[str]",  # Addresses notified of each change of state.
        "target_port_date": "str",  # Requested day, in the carrier’s time zone.
        "carrier": "Literal[\"manual\", \"twilio\"]",  # Who carries the request out: the API of a carrier, or an operator by hand (manual).
        "carrier_reference": "Union[str, None]",  # The carrier’s id of the request; null: the carrier has not confirmed it.
        "carrier_problem": "Union[str, None]",  # Why the carrier could not be contacted, or what it is waiting for; null: none.
        "created_at": "str",  # When it was requested, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "organization_id": "str",  # Organization that asks for the port.
        "organization": "str",  # Its name.
    },
)

ReadSharedCallAnswer = TypedDict(
    "ReadSharedCallAnswer",
    {
        "data": "SharedCall",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

Registration = TypedDict(
    "Registration",
    {
        "state": "Literal[\"registering\", \"registered\", \"failed\", \"unregistered\", \"unknown\"]",  # unknown: the edges cannot be queried now
        "registrar": "Union[str, None]",  # Registrar; null: none.
        "username": "str",  # The user name.
        "since": "Union[str, None]",  # Since when, ISO 8601 in UTC.
        "expires_at": "Union[str, None]",  # When the binding expires unless refreshed
        "attempted_at": "Union[str, None]",  # Time of the last attempt, ISO 8601 in UTC.
        "next_attempt_at": "Union[str, None]",  # Time of the next attempt, ISO 8601 in UTC; null: none.
        "sip_code": "Union[int, None]",  # Final response to the last REGISTER; null: none
        "last_error": "Union[str, None]",  # Last error; null: none.
        "edge": "Union[str, None]",  # Id of the edge process.
    },
)

RemoveAgentStreamSecretAnswerDataWarningsItem = TypedDict(
    "RemoveAgentStreamSecretAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

RemoveAgentStreamSecretAnswerData = TypedDict(
    "RemoveAgentStreamSecretAnswerData",
    {
        "secret_id": "str",  # Id of the signing secret
        "deleted": "Literal[True]",  # True: deleted.
        "warnings": "List[RemoveAgentStreamSecretAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

RemoveAgentStreamSecretAnswer = TypedDict(
    "RemoveAgentStreamSecretAnswer",
    {
        "data": "RemoveAgentStreamSecretAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RemoveMemberAnswerData = TypedDict(
    "RemoveMemberAnswerData",
    {
        "member_id": "str",  # Id of a member.
        "removed": "Literal[True]",  # What was removed.
    },
)

RemoveMemberAnswer = TypedDict(
    "RemoveMemberAnswer",
    {
        "data": "RemoveMemberAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RemoveMemberForOrganizationAnswerData = TypedDict(
    "RemoveMemberForOrganizationAnswerData",
    {
        "member_id": "str",  # Id of a member.
        "removed": "Literal[True]",  # What was removed.
    },
)

RemoveMemberForOrganizationAnswer = TypedDict(
    "RemoveMemberForOrganizationAnswer",
    {
        "data": "RemoveMemberForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ReplacePathwayDocumentAnswer = TypedDict(
    "ReplacePathwayDocumentAnswer",
    {
        "data": "PathwayVersion",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ReplayDeliveryAnswer = TypedDict(
    "ReplayDeliveryAnswer",
    {
        "data": "DeliveryDetail",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ReplayFailedDeliveriesAnswerData = TypedDict(
    "ReplayFailedDeliveriesAnswerData",
    {
        "replayed": "int",  # Number of deliveries that are sent again
        "is_complete": "bool",  # False: there may be more; repeat the request once these are sent
    },
)

ReplayFailedDeliveriesAnswer = TypedDict(
    "ReplayFailedDeliveriesAnswer",
    {
        "data": "ReplayFailedDeliveriesAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RequestPasswordResetAnswerData = TypedDict(
    "RequestPasswordResetAnswerData",
    {
        "sends_mail": "bool",  # False: this service is not configured to send mail; ask an owner for a link
    },
)

RequestPasswordResetAnswer = TypedDict(
    "RequestPasswordResetAnswer",
    {
        "data": "RequestPasswordResetAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ResendPortSignatureAnswerData = TypedDict(
    "ResendPortSignatureAnswerData",
    {
        "signature_url": "str",  # Where the letter is signed.
    },
)

ResendPortSignatureAnswer = TypedDict(
    "ResendPortSignatureAnswer",
    {
        "data": "ResendPortSignatureAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ResolveContactAnswerData = TypedDict(
    "ResolveContactAnswerData",
    {
        "contact": "Contact",  # The contact.
        "created": "bool",  # False: it existed.
    },
)

ResolveContactAnswer = TypedDict(
    "ResolveContactAnswer",
    {
        "data": "ResolveContactAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ResumeCallAnswer = TypedDict(
    "ResumeCallAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

RevokeAgentCredentialAnswerDataWarningsItem = TypedDict(
    "RevokeAgentCredentialAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

RevokeAgentCredentialAnswerData = TypedDict(
    "RevokeAgentCredentialAnswerData",
    {
        "credential_id": "str",  # Id of the credentials of an agent; its digest user name.
        "deleted": "Literal[True]",  # True: deleted.
        "warnings": "List[RevokeAgentCredentialAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

RevokeAgentCredentialAnswer = TypedDict(
    "RevokeAgentCredentialAnswer",
    {
        "data": "RevokeAgentCredentialAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RevokeCallShareAnswerData = TypedDict(
    "RevokeCallShareAnswerData",
    {
        "revoked": "Literal[True]",  # The link is revoked
    },
)

RevokeCallShareAnswer = TypedDict(
    "RevokeCallShareAnswer",
    {
        "data": "RevokeCallShareAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RevokeKeyAnswer = TypedDict(
    "RevokeKeyAnswer",
    {
        "data": "Key",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RevokeKeyForOrganizationAnswer = TypedDict(
    "RevokeKeyForOrganizationAnswer",
    {
        "data": "Key",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RotateWebhookSecretAnswerData = TypedDict(
    "RotateWebhookSecretAnswerData",
    {
        "webhook_id": "str",  # Id of a webhook endpoint.
        "secret": "str",  # Signing secret, returned only this once
        "previous_secret_until": "str",  # The previous secret is valid until then
    },
)

RotateWebhookSecretAnswer = TypedDict(
    "RotateWebhookSecretAnswer",
    {
        "data": "RotateWebhookSecretAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RtpSide = TypedDict(
    "RtpSide",
    {
        "packets_received": "int",  # RTP packets received.
        "packets_sent": "int",  # RTP packets sent.
        "octets_received": "int",  # RTP octets received.
        "octets_sent": "int",  # RTP octets sent.
        "errors": "int",  # RTP packets with errors.
        "packets_lost": NotRequired["int"],  # RTP packets lost.
        "jitter_milliseconds": NotRequired["float"],  # Mean jitter in milliseconds.
        "round_trip_milliseconds": NotRequired["float"],  # Mean round trip in milliseconds.
        "mos": NotRequired["float"],  # Estimated mean opinion score, 1 to 5.
        "quality_source": NotRequired["Literal[\"rtcp\", \"sequence\", \"estimate\"]"],  # Of loss and MOS. `rtcp`: reports of the other end. `sequence`: sequence numbers that rtpengine missed; MOS from loss alone. `estimate`: packets against time; MOS from that loss alone. Absent: neither is known, or the edge was older and the source RTCP
        "progression": NotRequired["List[QualitySample]"],  # Reports of the other end over time, oldest first, about ten, evenly spread over the call
    },
)

RunTestBatchAnswerDataRunsItem = TypedDict(
    "RunTestBatchAnswerDataRunsItem",
    {
        "run_id": "str",  # Id of the run.
        "scenario_id": "str",  # Id of a test scenario.
    },
)

RunTestBatchAnswerData = TypedDict(
    "RunTestBatchAnswerData",
    {
        "batch_id": "str",  # Id of the batch.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # State of the batch.
        "runs": "List[RunTestBatchAnswerDataRunsItem]",  # Its runs.
    },
)

RunTestBatchAnswer = TypedDict(
    "RunTestBatchAnswer",
    {
        "data": "RunTestBatchAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

RunTestScenarioAnswerData = TypedDict(
    "RunTestScenarioAnswerData",
    {
        "run_id": "str",  # Id of the run.
        "status": "Literal[\"PENDING\", \"RUNNING\"]",  # RUNNING: it has begun. PENDING: it waits for a free slot.
    },
)

RunTestScenarioAnswer = TypedDict(
    "RunTestScenarioAnswer",
    {
        "data": "RunTestScenarioAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ScenarioStatisticsPassRateInterval = TypedDict(
    "ScenarioStatisticsPassRateInterval",
    {
        "lower": "float",  # Lower bound.
        "upper": "float",  # Upper bound.
    },
)

ScenarioStatisticsScores = TypedDict(
    "ScenarioStatisticsScores",
    {
        "mean": "Union[float, None]",  # Mean; null: no scores.
        "median": "Union[float, None]",  # Median; null: no scores.
        "stddev": "Union[float, None]",  # Standard deviation of the sample; null: fewer than two.
        "min": "Union[float, None]",  # Lowest; null: no scores.
        "max": "Union[float, None]",  # Highest; null: no scores.
    },
)

ScenarioStatistics = TypedDict(
    "ScenarioStatistics",
    {
        "scenario_id": "str",  # Id of a test scenario.
        "scenario_name": "str",  # Name of the scenario.
        "total_runs": "int",  # Runs that ended.
        "passed": "int",  # Runs that passed.
        "failed": "int",  # Runs that failed.
        "errors": "int",  # Runs that could not be completed or judged.
        "pass_rate": "Union[float, None]",  # Share that passed, 0–1; null: no runs.
        "pass_rate_interval": "Union[ScenarioStatisticsPassRateInterval, None]",  # Wilson interval of the pass rate at 95 %; null: no runs.
        "is_flaky": "bool",  # Whether some runs passed and some did not.
        "scores": "ScenarioStatisticsScores",  # Distribution of the overall scores.
        "worst_run_id": "Union[str, None]",  # Run with the lowest score; null: none.
        "common_failure_modes": "List[str]",  # Most frequent reasons for failures, at most five.
        "confidence": "Literal[\"low\", \"medium\", \"high\"]",  # From the width of pass_rate_interval.
    },
)

SearchKnowledgeAnswerData = TypedDict(
    "SearchKnowledgeAnswerData",
    {
        "results": "List[KnowledgePassage]",  # The passages, best first.
        "note": "Union[str, None]",  # What the answer lacks and why; null: nothing.
    },
)

SearchKnowledgeAnswer = TypedDict(
    "SearchKnowledgeAnswer",
    {
        "data": "SearchKnowledgeAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

SendDigitsAnswer = TypedDict(
    "SendDigitsAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

ServiceToneScoreExamplesItem = TypedDict(
    "ServiceToneScoreExamplesItem",
    {
        "turn": "int",  # Position of the line in chat_history, from 0.
        "category": "str",  # Dimension that it is an example of.
        "text": "str",  # What was said.
        "sentiment": "Literal[\"positive\", \"negative\"]",  # Good example (positive) or bad example (negative) of the dimension.
    },
)

ServiceToneScore = TypedDict(
    "ServiceToneScore",
    {
        "naturalness": "float",  # How natural the agent sounds, 0–1.
        "conciseness": "float",  # How concise its answers are, 0–1.
        "empathy": "float",  # How well it responds to feelings, 0–1.
        "flow_preservation": "float",  # How well it keeps the conversation flowing, 0–1.
        "back_channeling": "float",  # How well it signals that it listens, 0–1.
        "topic_transitions": "float",  # How smoothly it changes the topic, 0–1.
        "overall_tone_score": "float",  # Overall tone, 0–1.
        "issues": "List[str]",  # What sounded unnatural.
        "examples": "List[ServiceToneScoreExamplesItem]",  # Lines that are examples of a dimension.
    },
)

SessionOrganization = TypedDict(
    "SessionOrganization",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
        "sip_enabled": "bool",  # Whether the organization has the SIP entitlement.
        "region": "Union[str, None]",  # Region of the service.
    },
)

SessionKey = TypedDict(
    "SessionKey",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
        "prefix": "str",  # Its first characters
    },
)

SessionMember = TypedDict(
    "SessionMember",
    {
        "id": "str",  # Its id.
        "name": "str",  # Name of the person
        "email": "str",  # Email address of the person
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # Role in this organization
    },
)

SessionOrganizationsItem = TypedDict(
    "SessionOrganizationsItem",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
    },
)

Session = TypedDict(
    "Session",
    {
        "organization": "SessionOrganization",  # The organization.
        "key": "Union[SessionKey, None]",  # The API key; null: a member signed in with a password
        "member": "Union[SessionMember, None]",  # The person who signed in with a password; null: an API key
        "organizations": "List[SessionOrganizationsItem]",  # Organizations that the person belongs to; of an API key, its own
        "scopes": "Union[List[Literal[\"calls:listen\", \"trunks:read\", \"trunks:write\", \"porting:read\", \"porting:write\", \"personas:read\", \"personas:write\", \"pathways:read\", \"pathways:write\", \"calls:read\", \"calls:write\", \"knowledge:read\", \"knowledge:write\", \"contacts:read\", \"contacts:write\", \"agent-testing:read\", \"agent-testing:write\", \"alerts:read\", \"alerts:write\", \"webhooks:read\", \"webhooks:write\", \"noc:read\", \"noc:write\", \"usage:read\", \"usage:write\", \"keys:read\", \"keys:write\", \"members:read\", \"members:write\", \"organizations:read\", \"organizations:write\"]], None]",  # What the key or role allows; null: everything that the organization may do
        "operator": "bool",  # Sees the fleet and the totals of all organizations
        "via": "Literal[\"cookie\", \"key\"]",  # Authentication method of the request.
        "expires_at": "Union[str, None]",  # Null with a key
        "idle_expires_at": "Union[str, None]",  # When the session ends if idle
    },
)

SetComparisonScenariosItem = TypedDict(
    "SetComparisonScenariosItem",
    {
        "scenario_id": "str",  # Id of a test scenario.
        "scenario_name": "str",  # Name of the scenario.
        "set": "ComparedSide",  # Runs of the set.
        "other": "ComparedSide",  # Runs of the other set.
        "p_value": "Union[float, None]",  # Chance of such a difference if both pass alike: Fisher’s exact test, two-sided, corrected by Holm for the number of scenarios; null: a side has no runs.
        "verdict": "Literal[\"better\", \"worse\", \"not_shown\", \"no_runs\"]",  # Whether the set passes more often than the other one: better, worse; not_shown: the difference may be chance; no_runs: one side has none that ended.
    },
)

SetComparison = TypedDict(
    "SetComparison",
    {
        "set": "ComparedSet",  # The set.
        "other": "ComparedSet",  # The one that it is compared with.
        "scenarios": "List[SetComparisonScenariosItem]",  # Scenarios that both sets have.
        "only_set": "List[str]",  # Scenarios that the other set lacks.
        "only_other": "List[str]",  # Scenarios that only the other set has.
        "verdict": "Literal[\"better\", \"worse\", \"not_shown\", \"no_runs\"]",  # Over all common scenarios: better, if at least one is better and none worse; worse, if one is worse; else not_shown, or no_runs.
    },
)

SetPasswordAnswerData = TypedDict(
    "SetPasswordAnswerData",
    {
        "email": "str",  # Address of the account
    },
)

SetPasswordAnswer = TypedDict(
    "SetPasswordAnswer",
    {
        "data": "SetPasswordAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

SetTestBudgetAnswer = TypedDict(
    "SetTestBudgetAnswer",
    {
        "data": "TestTokenBudget",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

SetTestLabelsAnswer = TypedDict(
    "SetTestLabelsAnswer",
    {
        "data": "TestReview",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

SetTestPricesAnswer = TypedDict(
    "SetTestPricesAnswer",
    {
        "data": "TestPrices",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

ShareCallAnswerData = TypedDict(
    "ShareCallAnswerData",
    {
        "share_id": "str",  # Id of a link to a call.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "created_by": "str",  # Name of the member or key
        "expires_at": "str",  # When it expires, ISO 8601 in UTC; null: it does not.
        "url": "str",  # The link, returned only this once
        "ticket": "str",  # Text for a ticket, with Call-IDs, times and the link
    },
)

ShareCallAnswer = TypedDict(
    "ShareCallAnswer",
    {
        "data": "ShareCallAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

SharedCallTraceItem = TypedDict(
    "SharedCallTraceItem",
    {
        "at": "str",  # When it was sent or received, ISO 8601 in UTC.
        "leg": "Literal[\"trunk\", \"agent\", \"unknown\"]",  # Which side of the call the message belongs to.
        "direction": "Literal[\"received\", \"sent\"]",  # `in`: received by Demarc; `out`: sent by Demarc.
        "protocol": "Literal[\"udp\", \"tcp\", \"tls\"]",  # SIP transport.
        "source": "str",  # Where the message came from, `address:port`.
        "destination": "str",  # Where the message went, `address:port`.
        "summary": "str",  # In one line.
        "message": "str",  # The message as sent on the wire, secrets redacted.
    },
)

SharedCall = TypedDict(
    "SharedCall",
    {
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "from": "str",  # The last digits of the caller’s number
        "to": "str",  # The last digits of the callee’s number
        "sip_call_ids": "List[str]",  # Call-ID headers of the trunk’s leg
        "status": "Union[str, None]",  # Final status
        "end_reason": "Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"]",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
        "cause": "str",  # The cause in plain words.
        "started_at": "str",  # When it started, ISO 8601 in UTC; null: not yet.
        "answered_at": "Union[str, None]",  # When the call was answered, ISO 8601 in UTC; null: not answered.
        "ended_at": "str",  # When the call ended, ISO 8601 in UTC; null: it is active.
        "expires_at": "str",  # The link is valid until then
        "trace": "List[SharedCallTraceItem]",  # SIP messages of the trunk’s leg without bodies; numbers and names are masked
        "trace_truncated": "bool",  # True: messages are missing from the trace.
        "pcap": "str",  # The same messages for Wireshark or sngrep, base64
    },
)

SightingTlsCertificate = TypedDict(
    "SightingTlsCertificate",
    {
        "subject": "str",  # Id of the call or alert.
        "issuer": "str",  # Distinguished name of the issuer.
        "not_after": "str",  # When it expires.
        "sha256": "str",  # Fingerprint, hexadecimal with colons.
    },
)

SightingTls = TypedDict(
    "SightingTls",
    {
        "version": "str",  # Version of the software.
        "cipher": "str",  # Name of the cipher suite.
        "certificate": "Union[SightingTlsCertificate, None]",  # Certificate of the peer; null: it presented none.
    },
)

Sighting = TypedDict(
    "Sighting",
    {
        "at": "str",  # When, ISO 8601 in UTC.
        "kind": "Literal[\"request\", \"handshake\"]",  # `handshake`: a TLS handshake that failed, so that no request came.
        "source_address": "str",  # Address that it came from.
        "source_port": "Union[int, None]",  # Null: not known.
        "protocol": "str",  # `tls`, `tcp` or `udp`.
        "tls": "Union[SightingTls, None]",  # The TLS session; null: none, or the engine does not report it.
        "method": "Union[str, None]",  # SIP method; null: no request came.
        "user_agent": "Union[str, None]",  # Product name from its User-Agent or Server header; null: not sent.
        "called": "Union[str, None]",  # User part of the Request-URI.
        "phone_number": "Union[str, None]",  # Your number that it names; null: none.
        "call_id": "Union[str, None]",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "status": "Union[int, None]",  # SIP status that Demarc answered; null: an admitted INVITE, or a failed handshake.
        "end_reason": "Union[Literal[\"caller_hung_up\", \"agent_hung_up\", \"callee_hung_up\", \"caller_cancelled\", \"stopped\", \"target_hung_up\", \"transferred\", \"test_completed\", \"refused_draining\", \"refused_too_many_hops\", \"refused_loop\", \"refused_unknown_number\", \"refused_source\", \"refused_credentials\", \"refused_guessing\", \"refused_limit\", \"refused_unavailable\", \"refused_media\", \"refused_bad_request\", \"agent_refused\", \"agent_unreachable\", \"agent_no_answer\", \"agent_lost\", \"trunk_refused\", \"trunk_unreachable\", \"trunk_no_answer\", \"media_failed\", \"media_timeout\", \"one_way_audio\", \"dead_air\", \"ack_timeout\", \"session_expired\", \"max_duration\", \"drained\", \"engine_lost\", \"edge_lost\", \"order_not_taken\", \"order_expired\", \"internal_error\"], None]",  # Why it ended, a stable code; `GET /v1/noc/explanations` explains each.
        "cause": "str",  # The cause in plain words.
        "advice": "str",  # Empty: nothing to do.
        "detail": "Union[str, None]",  # Further details; null: none.
    },
)

SignInAnswer = TypedDict(
    "SignInAnswer",
    {
        "data": "Session",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

SimulationSetTokenBudget = TypedDict(
    "SimulationSetTokenBudget",
    {
        "limit": "int",  # Tokens that its runs may take together.
        "used": "int",  # Tokens that its runs have taken.
    },
)

SimulationSetCostBudget = TypedDict(
    "SimulationSetCostBudget",
    {
        "limit": "float",  # What its runs may cost together.
        "used": "float",  # What its runs have cost.
        "currency": "str",  # Currency code of ISO 4217.
    },
)

SimulationSetStatisticsOverall = TypedDict(
    "SimulationSetStatisticsOverall",
    {
        "avg_pass_rate": "Union[float, None]",  # Mean of the pass rates, 0–1; null: no runs.
        "flaky_count": "int",  # Flaky scenarios.
        "reliable_count": "int",  # Scenarios whose runs all passed.
        "total_runs": "int",  # Runs that ended.
    },
)

SimulationSetStatistics = TypedDict(
    "SimulationSetStatistics",
    {
        "per_scenario": "Dict[str, ScenarioStatistics]",  # By id of the scenario.
        "overall": "SimulationSetStatisticsOverall",  # Over all scenarios.
    },
)

SimulationSet = TypedDict(
    "SimulationSet",
    {
        "id": "str",  # Id of the set, a UUID.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # State of the set.
        "simulations_per_scenario": "int",  # Runs of each scenario.
        "total_scenarios": "int",  # Number of scenarios.
        "total_runs": "int",  # Number of runs.
        "completed_runs": "int",  # Runs that ended.
        "schedule_id": "Union[str, None]",  # Id of the schedule that started it, which may have been deleted since; null: none did.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
        "token_budget": "Union[SimulationSetTokenBudget, None]",  # Token budget of its runs together; null: none.
        "cost_budget": "Union[SimulationSetCostBudget, None]",  # Budget in money of its runs together; null: none.
        "usage": "TestUsageSum",  # Tokens and cost of the runs that have ended.
        "matrix": "Union[TestMatrixResult, None]",  # What was varied, and the result of each variation; null: nothing was.
        "statistics": "SimulationSetStatistics",  # Statistics of the runs that ended.
    },
)

StartDiscoveryAnswer = TypedDict(
    "StartDiscoveryAnswer",
    {
        "data": "Discovery",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

StartLoadTestAnswerData = TypedDict(
    "StartLoadTestAnswerData",
    {
        "load_test_id": "str",  # Id of the load test.
        "status": "Literal[\"RUNNING\", \"COMPLETED\", \"CANCELLED\", \"ERROR\"]",  # State of the load test.
        "concurrency": "List[int]",  # Callers at once in each step.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

StartLoadTestAnswer = TypedDict(
    "StartLoadTestAnswer",
    {
        "data": "StartLoadTestAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

StartSimulationSetAnswerData = TypedDict(
    "StartSimulationSetAnswerData",
    {
        "simulation_set_id": "str",  # Id of the set.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # State of the set.
        "simulations_per_scenario": "int",  # Runs of each scenario.
        "total_scenarios": "int",  # Number of scenarios.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

StartSimulationSetAnswer = TypedDict(
    "StartSimulationSetAnswer",
    {
        "data": "StartSimulationSetAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

StartTestCallAnswerData = TypedDict(
    "StartTestCallAnswerData",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "message": "str",  # Result in plain words.
    },
)

StartTestCallAnswer = TypedDict(
    "StartTestCallAnswer",
    {
        "data": "StartTestCallAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

StartTornadoAnswerData = TypedDict(
    "StartTornadoAnswerData",
    {
        "session_id": "str",  # Id of the session, a UUID.
        "status": "Literal[\"RUNNING\", \"COMPLETED_ALL_PASSED\", \"COMPLETED_PARTIAL\", \"TIMEOUT\", \"STUCK\", \"CANCELLED\", \"ERROR\"]",  # State of the session.
        "pathway_id": "str",  # Pathway that it improves.
        "max_iterations": "int",  # Most iterations.
        "runs_per_scenario": "int",  # Runs of each scenario in each iteration.
        "required_pass_rate": "float",  # What the lower end of the interval of a scenario’s pass rate must reach.
        "timeout_ms": "int",  # Milliseconds until the session ends in TIMEOUT.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

StartTornadoAnswer = TypedDict(
    "StartTornadoAnswer",
    {
        "data": "StartTornadoAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

StartWarmTransferAnswer = TypedDict(
    "StartWarmTransferAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

StopBatchAnswer = TypedDict(
    "StopBatchAnswer",
    {
        "data": "CallBatch",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

StopCallAnswer = TypedDict(
    "StopCallAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

SuggestedTestScenarioAssertionsItemConfig = TypedDict(
    "SuggestedTestScenarioAssertionsItemConfig",
    {
        "reference_path": "List[str]",  # Nodes in their order.
        "mode": "Literal[\"subsequence\"]",  # Other nodes may come between them.
    },
)

SuggestedTestScenarioAssertionsItem = TypedDict(
    "SuggestedTestScenarioAssertionsItem",
    {
        "type": "Literal[\"TRAVERSAL_MATCH\"]",  # Direction.
        "name": "str",  # Its name in results.
        "config": "SuggestedTestScenarioAssertionsItemConfig",  # What is checked.
    },
)

SuggestedTestScenario = TypedDict(
    "SuggestedTestScenario",
    {
        "name": "str",  # Name of the scenario.
        "pathway_id": "str",  # Id of a pathway.
        "tester_persona_prompt": "str",  # How the caller leads the agent there.
        "max_turns": "int",  # Most turns of the caller.
        "assertions": "List[SuggestedTestScenarioAssertionsItem]",  # That the path was taken.
    },
)

SuiteEvidence = TypedDict(
    "SuiteEvidence",
    {
        "assertion": "int",  # Position of the assertion in the scenario, from 0.
        "source": "Literal[\"orchestration_prompt\", \"personality_prompt\", \"knowledge\", \"transcript\", \"call_record\", \"agent_report\"]",  # Where the quote is from: a prompt of the persona, its knowledge, what was said in the call, its record, or what its agent reported of itself.
        "quote": "str",  # What the assertion is based on, word for word.
        "kb_id": "Union[str, None]",  # Knowledge base of the quote; null: another source.
        "kb_name": "Union[str, None]",  # Name of the knowledge base; null: another source.
        "call_id": "Union[str, None]",  # Call of the quote; null: another source.
    },
)

SuiteScenario = TypedDict(
    "SuiteScenario",
    {
        "name": "str",  # Its name.
        "description": "str",  # What it tests.
        "pathway_id": "Union[str, None]",  # Pathway under test; null: not chosen.
        "persona_id": "Union[str, None]",  # Persona under test; null: not chosen.
        "category": "Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]",  # Kind of caller.
        "scenario_type": "Literal[\"AGENT\", \"REPLAY\", \"HISTORICAL\"]",  # Where the caller's words come from.
        "channel": "Literal[\"text\", \"voice\"]",  # How it is run unless the run says otherwise.
        "tester_persona_prompt": "str",  # How the simulated caller behaves and what it wants; empty with REPLAY.
        "tester_persona_name": "Union[str, None]",  # Name of the simulated caller; null: none.
        "max_turns": "int",  # Most turns of the caller.
        "request_data": "Dict[str, Any]",  # Variables that the conversation begins with.
        "input_messages": "List[TestChatLine]",  # What is said with REPLAY.
        "assertions": "List[UnsavedTestAssertion]",  # What must hold after the conversation.
    },
)

SwitchOrganizationAnswer = TypedDict(
    "SwitchOrganizationAnswer",
    {
        "data": "Session",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

TestAgent = TypedDict(
    "TestAgent",
    {
        "url": "Union[str, None]",  # Base URL for runs by text; null: none.
        "model": "str",  # Name that requests send as `model`.
        "has_api_key": "bool",  # Whether an API key is stored.
        "sip_uri": "Union[str, None]",  # SIP URI for runs by voice; null: none.
    },
)

TestAgreementKappaInterval = TypedDict(
    "TestAgreementKappaInterval",
    {
        "lower": "float",  # Lower end.
        "upper": "float",  # Upper end.
    },
)

TestAgreement = TypedDict(
    "TestAgreement",
    {
        "compared": "int",  # Runs with a label and a verdict.
        "errors": "int",  # Runs with a label that could not be judged; not compared.
        "both_passed": "int",  # Both say that it passes.
        "both_failed": "int",  # Both say that it fails.
        "only_judge_passed": "int",  # The judge is too lenient: the person says that it fails.
        "only_person_passed": "int",  # The judge is too strict: the person says that it passes.
        "agreement": "Union[float, None]",  # Share of equal verdicts, 0–1; null: none compared.
        "kappa": "Union[float, None]",  # Cohen’s kappa: agreement beyond chance, at most 1; 0 is chance. Null: none compared, or both gave the same one verdict throughout.
        "kappa_interval": "Union[TestAgreementKappaInterval, None]",  # Its 95 % interval; null: no kappa.
    },
)

TestAlertContactAnswerData = TypedDict(
    "TestAlertContactAnswerData",
    {
        "channel": "Literal[\"email\", \"sms\", \"webhook\"]",  # Channel of a notice.
        "target": "Union[str, None]",  # Recipient.
        "status": "Literal[\"delivered\", \"failed\", \"not_configured\"]",  # Its state.
        "detail": "str",  # Further details; null: none.
        "last_status": "Union[int, None]",  # HTTP or SMTP status of the last attempt; null: no response.
        "milliseconds": "int",  # Duration in milliseconds.
    },
)

TestAlertContactAnswer = TypedDict(
    "TestAlertContactAnswer",
    {
        "data": "TestAlertContactAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

TestAlertsAnswerDataChannelsItem = TypedDict(
    "TestAlertsAnswerDataChannelsItem",
    {
        "channel": "Literal[\"email\", \"sms\", \"webhook\"]",  # Channel of a notice.
        "target": "Union[str, None]",  # Recipient.
        "status": "Literal[\"delivered\", \"failed\", \"not_configured\"]",  # Its state.
        "detail": "str",  # Further details; null: none.
        "last_status": "Union[int, None]",  # HTTP or SMTP status of the last attempt; null: no response.
        "milliseconds": "int",  # Duration in milliseconds.
    },
)

TestAlertsAnswerData = TypedDict(
    "TestAlertsAnswerData",
    {
        "channels": "List[TestAlertsAnswerDataChannelsItem]",  # Channels of notices.
    },
)

TestAlertsAnswer = TypedDict(
    "TestAlertsAnswer",
    {
        "data": "TestAlertsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

TestAnalysis = TypedDict(
    "TestAnalysis",
    {
        "root_cause": "str",  # Why the run failed.
        "suggestions": "List[TestSuggestion]",  # Changes, the most promising first.
        "node_id_to_name": "Dict[str, str]",  # Names of the nodes of the pathway.
        "analyzed_by": "str",  # Model that analyzed the run.
        "is_stand_in": "bool",  # True: the stand-in that answers by rules wrote it, because no language model is configured.
    },
)

TestAnalyticsRunsItem = TypedDict(
    "TestAnalyticsRunsItem",
    {
        "id": "str",  # Id of the run.
        "scenario_id": "str",  # Id of a test scenario.
        "scenario_name": "str",  # Name of the scenario.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # How it ended.
        "score": "Union[float, None]",  # Overall score, 0–1; null: none.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

TestAnalytics = TypedDict(
    "TestAnalytics",
    {
        "total_runs": "int",  # Runs that ended within the days, without cancelled ones.
        "passed": "int",  # Runs that passed.
        "failed": "int",  # Runs that ended in FAILED or ERROR.
        "pass_rate": "Union[float, None]",  # Share of runs that passed, 0–1; null: no runs.
        "failure_rate": "Union[float, None]",  # Share that did not pass, 0–1; null: no runs.
        "avg_score": "Union[float, None]",  # Mean overall score, 0–1; null: no scores.
        "runs": "List[TestAnalyticsRunsItem]",  # The latest runs, newest first.
    },
)

TestArgument = TypedDict(
    "TestArgument",
    {
        "path": NotRequired["str"],  # Where the value is in the arguments: names and positions with dots. Default: all arguments.
        "operator": NotRequired["Literal[\"equals\", \"contains\", \"matches\", \"present\", \"absent\"]"],  # equals: the same JSON; contains: a text with this part, ignoring case, a list with this element, or an object with these fields; matches: text that matches the RE2 pattern; present, absent: whether there is a value. Default equals.
        "value": NotRequired["Any"],  # JSON to compare with; not with present and absent.
    },
)

TestAssertion = TypedDict(
    "TestAssertion",
    {
        "id": "str",  # Id of the assertion, a UUID.
        "type": "Literal[\"LLM_JUDGE\", \"SERVICE_TONE\", \"VARIABLE_EXTRACTED\", \"NODE_REACHED\", \"NODES_VISITED\", \"WEBHOOK_TRIGGERED\", \"REGEX_MATCH\", \"STRING_CHECK\", \"CUSTOM_LLM\", \"TRAVERSAL_MATCH\", \"VOICE_METRIC\", \"TOOL_CALLED\", \"TOOL_ORDER\", \"PHRASES\", \"LATENCY\", \"CALL_OUTCOME\"]",  # Type of the assertion.
        "name": "Union[str, None]",  # Its name in results; null: none.
        "config": "Dict[str, Any]",  # What is checked, by type.
        "is_required": "bool",  # Whether the run fails when the assertion fails.
        "weight": "float",  # Its weight in the overall score, 0–100.
        "order": "int",  # Its position in the scenario, from 0.
    },
)

TestAssertionResult = TypedDict(
    "TestAssertionResult",
    {
        "assertion_id": "str",  # Id of the assertion.
        "type": "Literal[\"LLM_JUDGE\", \"SERVICE_TONE\", \"VARIABLE_EXTRACTED\", \"NODE_REACHED\", \"NODES_VISITED\", \"WEBHOOK_TRIGGERED\", \"REGEX_MATCH\", \"STRING_CHECK\", \"CUSTOM_LLM\", \"TRAVERSAL_MATCH\", \"VOICE_METRIC\", \"TOOL_CALLED\", \"TOOL_ORDER\", \"PHRASES\", \"LATENCY\", \"CALL_OUTCOME\"]",  # Type of the assertion.
        "name": "Union[str, None]",  # Name of the assertion; null: none.
        "status": "Literal[\"PASSED\", \"FAILED\", \"ERROR\"]",  # ERROR: it could not be evaluated; reasoning says why.
        "passed": "bool",  # Whether status is PASSED.
        "is_required": "bool",  # Whether the run fails when the assertion fails.
        "weight": "float",  # Its weight in the overall score.
        "score": "Union[float, None]",  # Score, 0–1; null: not evaluated.
        "reasoning": "str",  # Why it passed or failed.
        "expected": "Union[str, None]",  # What was expected; null: see reasoning.
        "actual": "Union[str, None]",  # What was found; null: see reasoning.
        "turns": "Union[List[int], None]",  # Positions in chat_history of the lines that decide it; null: none in particular.
        "judged_by": "Union[str, None]",  # Model that judged it; null: evaluated without a model.
    },
)

TestBargeIn = TypedDict(
    "TestBargeIn",
    {
        "turn": "int",  # Reply that is interrupted: to this turn of the caller; 0: the greeting. Default 0.
        "after_ms": "int",  # Milliseconds from the first audio of the reply. Default 1000.
        "text": "str",  # What the caller says.
    },
)

TestBargeInInput = TypedDict(
    "TestBargeInInput",
    {
        "turn": NotRequired["int"],  # Reply that is interrupted: to this turn of the caller; 0: the greeting. Default 0.
        "after_ms": NotRequired["int"],  # Milliseconds from the first audio of the reply. Default 1000.
        "text": "str",  # What the caller says.
    },
)

TestBatchTokenBudget = TypedDict(
    "TestBatchTokenBudget",
    {
        "limit": "int",  # Tokens that its runs may take together.
        "used": "int",  # Tokens that its runs have taken.
    },
)

TestBatchCostBudget = TypedDict(
    "TestBatchCostBudget",
    {
        "limit": "float",  # What its runs may cost together.
        "used": "float",  # What its runs have cost.
        "currency": "str",  # Currency code of ISO 4217.
    },
)

TestBatch = TypedDict(
    "TestBatch",
    {
        "id": "str",  # Id of the batch, a UUID.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # PASSED: all runs passed. ERROR: a run ended in ERROR. FAILED: a run failed. CANCELLED: a run was cancelled and none failed.
        "total_scenarios": "int",  # Number of runs.
        "passed_scenarios": "int",  # Runs that passed.
        "failed_scenarios": "int",  # Runs that ended otherwise.
        "trigger_source": "Literal[\"api\", \"dashboard\", \"ci\", \"gate\", \"simulation\", \"tornado\"]",  # What started it.
        "publish_on_pass": "bool",  # Whether the version becomes live when the batch passes.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
        "token_budget": "Union[TestBatchTokenBudget, None]",  # Token budget of its runs together; null: none.
        "cost_budget": "Union[TestBatchCostBudget, None]",  # Budget in money of its runs together; null: none.
        "usage": "TestUsageSum",  # Tokens and cost of the runs that have ended.
        "runs": "List[TestRunSummary]",  # Its runs.
    },
)

TestCalibrationAssertionsItem = TypedDict(
    "TestCalibrationAssertionsItem",
    {
        "assertion_id": "str",  # Id of the assertion.
        "type": "Literal[\"LLM_JUDGE\", \"SERVICE_TONE\", \"VARIABLE_EXTRACTED\", \"NODE_REACHED\", \"NODES_VISITED\", \"WEBHOOK_TRIGGERED\", \"REGEX_MATCH\", \"STRING_CHECK\", \"CUSTOM_LLM\", \"TRAVERSAL_MATCH\", \"VOICE_METRIC\", \"TOOL_CALLED\", \"TOOL_ORDER\", \"PHRASES\", \"LATENCY\", \"CALL_OUTCOME\"]",  # Type of the assertion.
        "name": "Union[str, None]",  # Name of the assertion; null: none.
        "run": "TestAgreement",  # Labels and the verdicts of the runs.
        "judged_again": "TestAgreement",  # Labels and the verdicts of runs that were judged again.
    },
)

TestCalibration = TypedDict(
    "TestCalibration",
    {
        "assertions": "List[TestCalibrationAssertionsItem]",  # Assertions of the scenario that have labels.
        "labelled_run_ids": "List[str]",  # Runs with labels, the last labelled first; at most 500.
    },
)

TestCallTimelineItem = TypedDict(
    "TestCallTimelineItem",
    {
        "event": "Literal[\"queued\", \"initiated\", \"attempt_failed\", \"progress\", \"ringing\", \"answered\", \"announcement\", \"announcement_failed\", \"media\", \"completed\", \"failed\"]",  # What happened.
        "at": "str",  # When, ISO 8601 in UTC.
        "detail": "Union[str, None]",  # Further details; null: none.
    },
)

TestCall = TypedDict(
    "TestCall",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "status": "Literal[\"queued\", \"initiated\", \"ringing\", \"in-progress\", \"completed\", \"failed\", \"busy\", \"no-answer\"]",  # Its state.
        "result": "Literal[\"pending\", \"connected\", \"failed\", \"busy\", \"no_answer\"]",  # How it ended; `pending` until then.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "duration_seconds": "float",  # Seconds from the answer to the end; 0: not answered.
        "sip_code": "Union[int, None]",  # SIP status of the final response; null: none.
        "sip_reason": "Union[str, None]",  # Reason phrase of the SIP status.
        "cause": "Union[str, None]",  # The cause in plain words.
        "advice": "Union[str, None]",  # Recommended action.
        "sip_call_id": "Union[str, None]",  # Call-ID header of the trunk's leg; null: there was none.
        "timeline": "List[TestCallTimelineItem]",  # What happened, in order.
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "history_call_id": "str",  # For `/v1/sip/calls/{call_id}`, once the call has ended
    },
)

TestCallerStep = TypedDict(
    "TestCallerStep",
    {
        "turn": NotRequired["int"],  # Turn of the caller, from 1, that the step takes the place of. Or when_heard.
        "when_heard": NotRequired["str"],  # The step takes the place of the turn after these words of the agent, once; case and punctuation do not matter. Or turn.
        "digits": NotRequired["str"],  # Keys that are pressed (RFC 4733); w waits a second. Or silence_ms, hold_ms.
        "silence_ms": NotRequired["int"],  # Milliseconds that the caller says nothing. Or digits, hold_ms.
        "hold_ms": NotRequired["int"],  # Milliseconds that the caller holds the call. Or digits, silence_ms.
    },
)

TestCallerStepInput = TypedDict(
    "TestCallerStepInput",
    {
        "turn": NotRequired["int"],  # Turn of the caller, from 1, that the step takes the place of. Or when_heard.
        "when_heard": NotRequired["str"],  # The step takes the place of the turn after these words of the agent, once; case and punctuation do not matter. Or turn.
        "digits": NotRequired["str"],  # Keys that are pressed (RFC 4733); w waits a second. Or silence_ms, hold_ms.
        "silence_ms": NotRequired["int"],  # Milliseconds that the caller says nothing. Or digits, hold_ms.
        "hold_ms": NotRequired["int"],  # Milliseconds that the caller holds the call. Or digits, silence_ms.
    },
)

TestChatLine = TypedDict(
    "TestChatLine",
    {
        "role": "Literal[\"user\", \"assistant\"]",  # user: the caller; assistant: the agent.
        "content": "str",  # What was said.
    },
)

TestChatLineInput = TypedDict(
    "TestChatLineInput",
    {
        "role": "Literal[\"user\", \"assistant\"]",  # user: the caller; assistant: the agent.
        "content": "str",  # What was said.
    },
)

TestCost = TypedDict(
    "TestCost",
    {
        "amount": "float",  # Amount in the currency.
        "currency": "str",  # Currency code of ISO 4217.
    },
)

TestEnding = TypedDict(
    "TestEnding",
    {
        "ended_by": "Literal[\"agent\", \"caller\", \"test\"]",  # Who ended the conversation. test: neither side; turns, time or recorded lines ran out, or the agent fell silent.
        "transfer": "Literal[\"none\", \"transferred\", \"unknown\"]",  # Whether the agent transferred the caller; unknown: an agent at its own URL, or the record of the call is missing.
        "transferred_to": "Union[str, None]",  # Number or URI that the caller was transferred to; null: none.
    },
)

TestEstimateScenariosItem = TypedDict(
    "TestEstimateScenariosItem",
    {
        "scenario_id": "str",  # Id of a test scenario.
        "tokens_per_run": "Union[int, None]",  # Mean tokens of a run; null: none.
        "cost_per_run": "Union[TestCost, None]",  # Mean cost of a run; null: not known.
        "measured_runs": "int",  # Runs that this is the mean of: the latest, at most 20.
    },
)

TestEstimate = TypedDict(
    "TestEstimate",
    {
        "total_runs": "int",  # Number of runs.
        "tokens": "Union[int, None]",  # Tokens of all runs; null: a scenario has not been run by this channel.
        "cost": "Union[TestCost, None]",  # Cost of all runs; null: the cost of an earlier run is not known, or there is none.
        "cost_usd": "Union[float, None]",  # The cost in US dollars; null: not known, or in another currency.
        "scenarios": "List[TestEstimateScenariosItem]",  # Each scenario, in the order of the request.
    },
)

TestJudgement = TypedDict(
    "TestJudgement",
    {
        "status": "Literal[\"PASSED\", \"FAILED\", \"ERROR\"]",  # What the run would be now.
        "overall_score": "Union[float, None]",  # Weighted mean of the scores of the assertions, 0–1; null: none.
        "reasoning": "str",  # Result in plain words.
        "assertion_results": "List[TestAssertionResult]",  # Result of each assertion.
        "judge_model": "Union[str, None]",  # Model that judged; null: none.
        "is_stand_in": "bool",  # True: the stand-in that answers by rules judged. It says nothing.
        "usage": "TestModelUsage",  # Requests to models, their tokens and cost.
        "judged_at": "str",  # When, ISO 8601 in UTC.
    },
)

TestLabel = TypedDict(
    "TestLabel",
    {
        "assertion_id": "str",  # Id of the assertion.
        "passed": "bool",  # Whether it passes in the opinion of a person.
        "note": "Union[str, None]",  # Why; null: no note.
        "labelled_by": "str",  # Name of the person or key.
        "labelled_at": "str",  # When, ISO 8601 in UTC.
    },
)

TestLineConditionsNoise = TypedDict(
    "TestLineConditionsNoise",
    {
        "kind": "Literal[\"babble\", \"street\", \"office\"]",  # babble: people who talk; street: traffic; office: ventilation and keys.
        "level_dbov": "float",  # Mean level in dBov; speech has about -25. Default -40, range -60–-15.
    },
)

TestLineConditions = TypedDict(
    "TestLineConditions",
    {
        "gain_db": "float",  # Gain of the caller’s voice in decibels. Default 0, range -30–20.
        "noise": NotRequired["TestLineConditionsNoise"],  # Noise around the caller. Default: none.
        "loss_share": "float",  # Share of the caller's packets that are lost, 0–0.5. Default 0.
        "jitter_ms": "int",  # Longest delay of single packets of the caller in milliseconds. Default 0, range 0–200.
        "seed": "int",  # The same seed gives the same noise, losses and delays. Default 1.
    },
)

TestLineConditionsInputNoise = TypedDict(
    "TestLineConditionsInputNoise",
    {
        "kind": "Literal[\"babble\", \"street\", \"office\"]",  # babble: people who talk; street: traffic; office: ventilation and keys.
        "level_dbov": NotRequired["float"],  # Mean level in dBov; speech has about -25. Default -40, range -60–-15.
    },
)

TestLineConditionsInput = TypedDict(
    "TestLineConditionsInput",
    {
        "gain_db": NotRequired["float"],  # Gain of the caller’s voice in decibels. Default 0, range -30–20.
        "noise": NotRequired["TestLineConditionsInputNoise"],  # Noise around the caller. Default: none.
        "loss_share": NotRequired["float"],  # Share of the caller's packets that are lost, 0–0.5. Default 0.
        "jitter_ms": NotRequired["int"],  # Longest delay of single packets of the caller in milliseconds. Default 0, range 0–200.
        "seed": NotRequired["int"],  # The same seed gives the same noise, losses and delays. Default 1.
    },
)

TestMatrixResult = TypedDict(
    "TestMatrixResult",
    {
        "fields": "Dict[str, List[Any]]",  # Values by field, as ordered.
        "sample": "Union[int, None]",  # How many combinations were drawn; null: all are run.
        "seed": "int",  # Seed of the draw, and of noise, losses and delays.
        "variations": "List[TestVariationResult]",  # Result of each combination over all scenarios, lowest pass rate first.
        "by_value": "List[TestVariationResult]",  # Result of each value over all combinations, lowest pass rate first.
    },
)

TestModelPrice = TypedDict(
    "TestModelPrice",
    {
        "model": "str",  # Name of the model, as its endpoint is asked for it.
        "prompt_price": "float",  # Price of one million tokens sent to it.
        "completion_price": "float",  # Price of one million tokens received from it.
    },
)

TestModelPriceInput = TypedDict(
    "TestModelPriceInput",
    {
        "model": "str",  # Name of the model, as its endpoint is asked for it.
        "prompt_price": "float",  # Price of one million tokens sent to it.
        "completion_price": "float",  # Price of one million tokens received from it.
    },
)

TestModelUsage = TypedDict(
    "TestModelUsage",
    {
        "requests": "int",  # Requests to models.
        "prompt_tokens": "int",  # Tokens sent, as far as the endpoints count them.
        "completion_tokens": "int",  # Tokens received, as far as the endpoints count them.
        "cost": "Union[TestCost, None]",  # Cost of all requests; null: not ended, or the cost of a request is not known, because its model has no price or its endpoint does not count tokens.
        "cost_usd": "Union[float, None]",  # The cost in US dollars; null: not known, or in another currency.
    },
)

TestModels = TypedDict(
    "TestModels",
    {
        "agent": "Union[str, None]",  # Model that spoke for the agent; null: none.
        "tester": "Union[str, None]",  # Model that spoke for the caller; null: none.
        "judge": "Union[str, None]",  # Model that judged; null: none.
        "is_stand_in": "bool",  # True: the stand-in that answers by rules was used, because no language model is configured. Its results say nothing about the agent.
    },
)

TestMonitorRecent = TypedDict(
    "TestMonitorRecent",
    {
        "passed": "int",  # Calls that passed.
        "failed": "int",  # Calls that failed.
        "pass_rate": "Union[float, None]",  # Share that passed, 0–1; null: no calls.
    },
)

TestMonitorEarlier = TypedDict(
    "TestMonitorEarlier",
    {
        "passed": "int",  # Calls that passed.
        "failed": "int",  # Calls that failed.
        "pass_rate": "Union[float, None]",  # Share that passed, 0–1; null: no calls.
    },
)

TestMonitor = TypedDict(
    "TestMonitor",
    {
        "id": "str",  # Id of the monitor, a UUID.
        "name": "str",  # Name in the dashboard and in alerts, 1–100 characters.
        "scenario_id": "str",  # Scenario whose assertions judge the calls.
        "number": "Union[str, None]",  # Number whose calls are judged; null: of a persona.
        "persona_id": "Union[str, None]",  # Persona whose calls are judged; null: of a number.
        "share": "float",  # Share of the answered calls that is judged, above 0, at most 1. Default 0.1.
        "required_pass_rate": "float",  # It fails when the upper end of the 95 % interval of the latest calls is below this rate, above 0, at most 1. Default 0.8.
        "notify_contacts": "bool",  # Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.
        "enabled": "bool",  # False: it is paused. Default true.
        "recent": "TestMonitorRecent",  # The latest 50 calls that were judged. Those that could not be judged do not count.
        "earlier": "TestMonitorEarlier",  # The 200 calls before them.
        "drift": "Literal[\"better\", \"worse\", \"not_shown\"]",  # Whether the latest calls pass more or less often than those before, by Fisher’s exact test at 0.1 %.
        "unheard_calls": "int",  # Sampled calls that could not be judged, because their agent stored no messages of them.
        "usage_this_month": "TestUsageSum",  # Tokens and cost of judging calls since the first of the month, UTC.
        "state": "Union[Literal[\"passing\", \"failing\"], None]",  # `failing`: below the required rate, or worse than before. Null: no call has been judged.
        "state_since": "Union[str, None]",  # Since when; null: no state.
        "problem": "Union[str, None]",  # Why it is failing, or why calls are not judged; null: neither.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

TestPricesServiceModelsItem = TypedDict(
    "TestPricesServiceModelsItem",
    {
        "model": "str",  # Name of the model.
        "use": "Literal[\"conversation\", \"judge\"]",  # What tests ask it for.
        "prompt_price": "Union[float, None]",  # Price of one million tokens sent to it; null: not known.
        "completion_price": "Union[float, None]",  # Price of one million tokens received from it; null: not known.
    },
)

TestPrices = TypedDict(
    "TestPrices",
    {
        "currency": "str",  # Currency of ISO 4217 of these prices and of all budgets in money. The service’s prices count where it is theirs.
        "models": "List[TestModelPrice]",  # Prices by model, at most 100: those of the service, and of agents at their own URL.
        "service_models": "List[TestPricesServiceModelsItem]",  # Models of the service with their prices per million tokens in the currency, yours before the service’s; null: not known.
    },
)

TestReview = TypedDict(
    "TestReview",
    {
        "labels": "List[TestLabel]",  # What people say of the assertions.
        "judgement": "Union[TestJudgement, None]",  # Result of the last time that the run was judged again; null: never.
    },
)

TestRunScenario = TypedDict(
    "TestRunScenario",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
    },
)

TestRunRecording = TypedDict(
    "TestRunRecording",
    {
        "duration_ms": "int",  # Milliseconds from the answer to its end; at most ten minutes.
        "octets": "int",  # Size of the file.
    },
)

TestRunMetadata = TypedDict(
    "TestRunMetadata",
    {
        "node_id_to_name": "Dict[str, str]",  # Names of the nodes of the pathway.
        "turn_details": "List[TestTurnDetail]",  # Details of each line.
    },
)

TestRun = TypedDict(
    "TestRun",
    {
        "id": "str",  # Id of the run, a UUID.
        "scenario_id": "str",  # Id of a test scenario.
        "scenario": "TestRunScenario",  # The scenario that it ran.
        "pathway_id": "Union[str, None]",  # Pathway under test; null: another target.
        "persona_id": "Union[str, None]",  # Persona under test; null: another target.
        "version_number": "Union[int, None]",  # Version of the pathway or persona; null: an agent at its own address.
        "batch_id": "Union[str, None]",  # Batch that it belongs to; null: none.
        "simulation_set_id": "Union[str, None]",  # Simulation set that it belongs to; null: none.
        "tornado_session_id": "Union[str, None]",  # Tornado session that it belongs to; null: none.
        "call_id": "Union[str, None]",  # Real call that it judges, in place of a conversation with a simulated caller; null: none.
        "monitor_id": "Union[str, None]",  # Monitor that started it; null: none.
        "load_test_id": "Union[str, None]",  # Load test whose caller it is; null: none.
        "answer_ms": "Union[int, None]",  # Milliseconds until the agent answered the call; null: by text, or not answered.
        "sip_status": "Union[int, None]",  # Final SIP response to a call that the agent did not answer; null: none.
        "variation": "Union[Dict[str, Any], None]",  # Values of the scenario that its simulation set replaced, by field; null: none.
        "channel": "Literal[\"text\", \"voice\"]",  # text, or voice: a real call.
        "origin": "Literal[\"api\", \"dashboard\", \"ci\", \"gate\", \"simulation\", \"tornado\"]",  # What started it.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # PASSED: every required assertion passed. FAILED: one did not. ERROR: the run could not be completed or judged; error_message says why.
        "turn_count": "int",  # Turns of the caller.
        "duration_ms": "Union[int, None]",  # Duration in milliseconds; null: not ended.
        "overall_score": "Union[float, None]",  # Weighted mean of the scores of the assertions, 0–1; null: none.
        "tone_score": "Union[float, None]",  # Overall tone score, 0–1; null: not scored.
        "nodes_visited": "List[str]",  # Nodes in the order of the visits.
        "current_node_id": "Union[str, None]",  # Node at which the conversation is or ended; null: no pathway.
        "models": "TestModels",  # Models that took part.
        "error_message": "Union[str, None]",  # Why it ended in ERROR; null: it did not.
        "usage": "TestModelUsage",  # Requests to models, their tokens and cost; zero until it has ended.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "started_at": "Union[str, None]",  # When it began; null: not yet.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
        "chat_history": "List[TestChatLine]",  # The conversation so far.
        "variables_extracted": "Dict[str, Any]",  # Variables that the pathway extracted.
        "webhooks": "List[TestWebhookCall]",  # Webhooks that the pathway called, and tools that the agent asked for or reported.
        "service_tone_score": "Union[ServiceToneScore, None]",  # Tone of the agent; null: not scored.
        "assertion_results": "List[TestAssertionResult]",  # Result of each assertion.
        "reasoning": "Union[str, None]",  # Result in plain words; null: not ended.
        "end_reason": "Union[Literal[\"agent_ended\", \"caller_ended\", \"max_turns\", \"replay_ended\", \"recorded\"], None]",  # How the conversation ended; null: it did not.
        "ending": "Union[TestEnding, None]",  # Who ended it, and transfers; null: not ended, recorded, or run by an earlier release.
        "token_budget": "Union[int, None]",  # Tokens that the models of the service may take for it; null: no separate limit.
        "cost_budget": "Union[TestCost, None]",  # What the models of the service may cost for it; null: no separate limit.
        "voice": "Union[TestVoiceMeasurements, None]",  # What was measured in the call; null: a run by text.
        "recording": "Union[TestRunRecording, None]",  # Recording of the call, at `/v1/agent-testing/runs/{id}/recording`; null: a run by text, not recorded, or deleted.
        "attempts": "int",  # Number of times that the run was begun; more than 1 after a process was killed.
        "metadata": "TestRunMetadata",  # Names of nodes and details of turns.
    },
)

TestRunSummaryScenario = TypedDict(
    "TestRunSummaryScenario",
    {
        "id": "str",  # Its id.
        "name": "str",  # Its name.
    },
)

TestRunSummary = TypedDict(
    "TestRunSummary",
    {
        "id": "str",  # Id of the run, a UUID.
        "scenario_id": "str",  # Id of a test scenario.
        "scenario": "TestRunSummaryScenario",  # The scenario that it ran.
        "pathway_id": "Union[str, None]",  # Pathway under test; null: another target.
        "persona_id": "Union[str, None]",  # Persona under test; null: another target.
        "version_number": "Union[int, None]",  # Version of the pathway or persona; null: an agent at its own address.
        "batch_id": "Union[str, None]",  # Batch that it belongs to; null: none.
        "simulation_set_id": "Union[str, None]",  # Simulation set that it belongs to; null: none.
        "tornado_session_id": "Union[str, None]",  # Tornado session that it belongs to; null: none.
        "call_id": "Union[str, None]",  # Real call that it judges, in place of a conversation with a simulated caller; null: none.
        "monitor_id": "Union[str, None]",  # Monitor that started it; null: none.
        "load_test_id": "Union[str, None]",  # Load test whose caller it is; null: none.
        "answer_ms": "Union[int, None]",  # Milliseconds until the agent answered the call; null: by text, or not answered.
        "sip_status": "Union[int, None]",  # Final SIP response to a call that the agent did not answer; null: none.
        "variation": "Union[Dict[str, Any], None]",  # Values of the scenario that its simulation set replaced, by field; null: none.
        "channel": "Literal[\"text\", \"voice\"]",  # text, or voice: a real call.
        "origin": "Literal[\"api\", \"dashboard\", \"ci\", \"gate\", \"simulation\", \"tornado\"]",  # What started it.
        "status": "Literal[\"PENDING\", \"RUNNING\", \"PASSED\", \"FAILED\", \"ERROR\", \"CANCELLED\"]",  # PASSED: every required assertion passed. FAILED: one did not. ERROR: the run could not be completed or judged; error_message says why.
        "turn_count": "int",  # Turns of the caller.
        "duration_ms": "Union[int, None]",  # Duration in milliseconds; null: not ended.
        "overall_score": "Union[float, None]",  # Weighted mean of the scores of the assertions, 0–1; null: none.
        "tone_score": "Union[float, None]",  # Overall tone score, 0–1; null: not scored.
        "nodes_visited": "List[str]",  # Nodes in the order of the visits.
        "current_node_id": "Union[str, None]",  # Node at which the conversation is or ended; null: no pathway.
        "models": "TestModels",  # Models that took part.
        "error_message": "Union[str, None]",  # Why it ended in ERROR; null: it did not.
        "usage": "TestModelUsage",  # Requests to models, their tokens and cost; zero until it has ended.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "started_at": "Union[str, None]",  # When it began; null: not yet.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

TestScenario = TypedDict(
    "TestScenario",
    {
        "id": "str",  # Id of the scenario, a UUID.
        "org_id": "str",  # Id of your organization.
        "name": "str",  # Its name.
        "pathway_id": "Union[str, None]",  # Pathway under test; null: another target.
        "persona_id": "Union[str, None]",  # Persona under test; null: another target.
        "agent": "Union[TestAgent, None]",  # Agent at its own address; null: another target.
        "description": "Union[str, None]",  # Free text; null: none.
        "category": "Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]",  # Kind of caller. Default CUSTOM.
        "scenario_type": "Literal[\"AGENT\", \"REPLAY\", \"HISTORICAL\"]",  # AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT.
        "channel": "Literal[\"text\", \"voice\"]",  # How it is run unless the run says otherwise: text or voice (a real call). Default text.
        "tester_persona_prompt": "str",  # How the simulated caller behaves and what it wants; required with AGENT.
        "tester_persona_name": "Union[str, None]",  # Name of the simulated caller; null: none.
        "first_speaker": "Union[Literal[\"agent\", \"caller\"], None]",  # Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL.
        "max_turns": "int",  # Most turns of the caller. Default 20, range 1–50.
        "request_data": "Dict[str, Any]",  # Variables that the conversation begins with, as in `request_data` of a call.
        "start_node_id": "Union[str, None]",  # Node that the conversation begins at; null: the start node of the pathway.
        "service_tone_enabled": "bool",  # Whether runs get a tone score. Default false.
        "is_required_for_promotion": "bool",  # Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false.
        "promotion_runs": "int",  # How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50.
        "required_pass_rate": "float",  # Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95.
        "enabled": "bool",  # False: gates and tornado skip it. Default true.
        "input_messages": "List[TestChatLine]",  # Recorded conversation for REPLAY and HISTORICAL, at most 200 lines.
        "advanced_instructions": "Union[str, None]",  # Further instructions for the simulated caller; null: none.
        "webhook_mocks": "List[TestWebhookMock]",  # Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used.
        "voice": "Union[TestVoiceSettings, None]",  # How it is run as a call; null: the defaults.
        "metadata": "Dict[str, Any]",  # Your data, returned unchanged.
        "assertions": "List[TestAssertion]",  # What must hold after the conversation.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

TestScenarioDraft = TypedDict(
    "TestScenarioDraft",
    {
        "name": "str",  # Its name.
        "description": "str",  # What it tests.
        "category": "Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]",  # Kind of caller.
        "tester_persona_prompt": "str",  # How the simulated caller behaves and what it wants.
        "tester_persona_name": "str",  # Name of the simulated caller.
        "pathway_id": "Union[str, None]",  # Pathway under test; null: not chosen.
        "persona_id": "Union[str, None]",  # Persona under test; null: not chosen.
        "start_node_id": "Union[str, None]",  # Node to begin at; null: the start node.
        "request_data": "Dict[str, Any]",  # Request data of the call, without phone numbers, webhook URLs and keys.
        "input_messages": "List[TestChatLine]",  # The conversation of the call, for REPLAY.
        "assertions": "List[UnsavedTestAssertion]",  # What must hold after the conversation.
        "generated_by": "str",  # Model that wrote it.
    },
)

TestScheduleMatrix = TypedDict(
    "TestScheduleMatrix",
    {
        "fields": "Dict[str, List[Any]]",  # Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default.
        "sample": NotRequired["int"],  # Runs only so many combinations, drawn by seed. Default: all.
        "seed": "int",  # The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1.
    },
)

TestScheduleRecurrence1 = TypedDict(
    "TestScheduleRecurrence1",
    {
        "type": "Literal[\"interval\"]",  # At regular intervals
        "minutes": "int",  # Minutes between two starts. Range 15–10080.
    },
)

TestScheduleRecurrence2 = TypedDict(
    "TestScheduleRecurrence2",
    {
        "type": "Literal[\"daily\"]",  # Once a day
        "time": "str",  # HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts.
        "time_zone": "str",  # IANA time zone of `time`.
    },
)

TestScheduleBudget = TypedDict(
    "TestScheduleBudget",
    {
        "period": "Literal[\"day\", \"week\", \"month\"]",  # Period in UTC, a week from Monday. Default month.
        "tokens": "Union[int, None]",  # Tokens that its runs of a period may take; null (default): no limit.
        "cost": "Union[float, None]",  # What its runs of a period may cost, in the currency of your organization; null (default): no limit.
    },
)

TestScheduleUsage = TypedDict(
    "TestScheduleUsage",
    {
        "period": "Literal[\"day\", \"week\", \"month\"]",  # That of the budget; without one, the month.
        "tokens": "int",  # Tokens that models took, as far as the endpoints count them.
        "cost": "Union[TestCost, None]",  # Cost of these tokens; null: the cost of a run is not known, because a model has no price or its endpoint does not count tokens.
        "period_ends_at": "str",  # When the next period begins.
    },
)

TestSchedule = TypedDict(
    "TestSchedule",
    {
        "id": "str",  # Id of the schedule, a UUID.
        "name": "str",  # Name in the dashboard and in alerts, 1–100 characters.
        "scenario_ids": "List[str]",  # Scenarios that it runs.
        "simulations_per_scenario": "int",  # Runs of each scenario.
        "version": "Literal[\"live\", \"draft\"]",  # Version of the pathways or personas that runs test: `live`, or `draft`: the draft if there is one, else the live version. Default live.
        "channel": "Union[Literal[\"text\", \"voice\"], None]",  # text or voice; null: that of each scenario. Default null.
        "matrix": "Union[TestScheduleMatrix, None]",  # Fields of the scenarios that are varied; null: they run as they are. Default null.
        "recurrence": "Union[TestScheduleRecurrence1, TestScheduleRecurrence2]",  # When its runs are started.
        "required_pass_rate": "float",  # Share of the runs of each scenario that must pass, above 0, at most 1; runs that could not be judged do not count. Default 0.8.
        "notify_contacts": "bool",  # Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.
        "budget": "Union[TestScheduleBudget, None]",  # What all its runs of a period may take. Once it is used up, no runs are started until the period ends, and the schedule is `failing`; runs in progress end in ERROR. Null (default): none.
        "enabled": "bool",  # False: it is paused. Default true.
        "usage": "TestScheduleUsage",  # What its runs have taken in the present period.
        "next_run_at": "Union[str, None]",  # When its next runs are started; null: it is paused.
        "last_run_at": "Union[str, None]",  # When its last runs were started; null: not yet.
        "last_simulation_set_id": "Union[str, None]",  # Id of the simulation set that was started last; null: none.
        "state": "Union[Literal[\"passing\", \"failing\"], None]",  # `failing`: a scenario passed less often than required, or could not be run or judged. Null: no runs have ended.
        "state_since": "Union[str, None]",  # Since when; null: no state.
        "problem": "Union[str, None]",  # Why it is failing, by scenario; null: it is not failing.
        "lowest_pass_rate": "Union[float, None]",  # Share of runs that passed of the scenario that passed least often in its last runs; null: none was judged.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

TestSuggestion = TypedDict(
    "TestSuggestion",
    {
        "type": "Literal[\"prompt_change\", \"node_config\", \"flow_change\", \"tone_improvement\"]",  # Kind of change.
        "target_node_id": "Union[str, None]",  # Node to change; null: the agent as a whole.
        "target_node_name": "Union[str, None]",  # Name of the node; null: none.
        "description": "str",  # What to change, and why.
        "suggested_change": "str",  # New text or setting.
        "confidence": "float",  # How sure the model is, 0–1.
    },
)

TestTemplate = TypedDict(
    "TestTemplate",
    {
        "id": "str",  # Id of the template.
        "name": "str",  # Its name.
        "description": "str",  # What it tests.
        "category": "Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]",  # Kind of caller.
        "tester_persona_prompt": "str",  # How the simulated caller behaves and what it wants.
        "tester_persona_name": "str",  # Name of the simulated caller.
        "max_turns": "int",  # Most turns of the caller.
        "service_tone_enabled": "bool",  # Whether runs get a tone score.
        "assertions": "List[UnsavedTestAssertion]",  # What must hold after the conversation.
    },
)

TestTokenBudget = TypedDict(
    "TestTokenBudget",
    {
        "tokens_per_day": "Union[int, None]",  # Tokens per day in UTC; null: no limit of your own.
        "tokens_per_month": "Union[int, None]",  # Tokens per month in UTC; null: no limit of your own.
        "tokens_per_run": "Union[int, None]",  # Tokens that one run may take; null (default): no limit.
        "tokens_per_set": "Union[int, None]",  # Tokens that the runs of a batch or simulation set together may take; null (default): no limit.
        "tokens_per_gate": "Union[int, None]",  # Tokens that the runs of a promotion together may take; null (default): no limit.
        "cost_per_day": "Union[float, None]",  # What all tests of a day (UTC) may cost, in `currency`; null (default): no limit.
        "cost_per_month": "Union[float, None]",  # What all tests of a month (UTC) may cost, in `currency`; null (default): no limit.
        "cost_per_run": "Union[float, None]",  # What one run may cost, in `currency`; null (default): no limit.
        "cost_per_set": "Union[float, None]",  # What the runs of a batch or simulation set together may cost, in `currency`; null (default): no limit.
        "cost_per_gate": "Union[float, None]",  # What the runs of a promotion together may cost, in `currency`; null (default): no limit.
        "currency": "str",  # Currency of all amounts.
        "limit_per_day": "Union[int, None]",  # Limit per day: the lower of yours and the service's; null: none.
        "limit_per_month": "Union[int, None]",  # Limit per month: the lower of yours and the service's; null: none.
        "used_today": "int",  # Tokens used since 0:00 UTC.
        "used_this_month": "int",  # Tokens used since the first of the month, UTC.
        "cost_today": "float",  # Cost since 0:00 UTC of the requests to models that have a price in the currency.
        "cost_this_month": "float",  # The same since the first of the month, UTC.
        "day_ends_at": "str",  # When the next day begins.
        "month_ends_at": "str",  # When the next month begins.
        "is_used_up": "bool",  # True: a limit is reached, and no run is started.
    },
)

TestTurnDetail = TypedDict(
    "TestTurnDetail",
    {
        "turn": "int",  # Position of the line in chat_history, from 0.
        "node_id": "Union[str, None]",  # Node that spoke; null: the caller, or no pathway.
        "latency_ms": "Union[int, None]",  # Milliseconds until the answer; null: not measured.
        "extracted": "List[str]",  # Names of the variables extracted before this line was spoken.
    },
)

TestUsageSum = TypedDict(
    "TestUsageSum",
    {
        "tokens": "int",  # Tokens that models took, as far as the endpoints count them.
        "cost": "Union[TestCost, None]",  # Cost of these tokens; null: the cost of a run is not known, because a model has no price or its endpoint does not count tokens.
    },
)

TestVariationResultPassRateInterval = TypedDict(
    "TestVariationResultPassRateInterval",
    {
        "lower": "float",  # Lower bound.
        "upper": "float",  # Upper bound.
    },
)

TestVariationResult = TypedDict(
    "TestVariationResult",
    {
        "values": "Dict[str, Any]",  # Values by field.
        "passed": "int",  # Runs that passed.
        "failed": "int",  # Runs that failed.
        "errors": "int",  # Runs that could not be completed or judged.
        "pass_rate": "Union[float, None]",  # Share that passed, 0–1; null: no runs.
        "pass_rate_interval": "Union[TestVariationResultPassRateInterval, None]",  # Wilson interval of the pass rate at 95 %; null: no runs.
    },
)

TestVoiceMeasurements = TypedDict(
    "TestVoiceMeasurements",
    {
        "call_id": "Union[str, None]",  # Id of the call; null: its record is not stored yet.
        "sip_call_id": "str",  # Call-ID header of the caller's leg.
        "speech": "Literal[\"espeak-ng\", \"flite\", \"service\", \"tones\"]",  # What spoke for the caller.
        "transcription": "Literal[\"service\", \"tones\"]",  # What transcribed the agent; tones: the tone code alone, not speech.
        "codec": "Union[str, None]",  # Codec of the caller's leg.
        "duration_ms": "float",  # Milliseconds from the answer to the end.
        "first_audio_ms": "Union[float, None]",  # Milliseconds from the answer to the first audio of the agent; null: none.
        "mean_latency_ms": "Union[float, None]",  # Mean of the latencies of all turns in milliseconds; null: none.
        "p50_latency_ms": "Union[float, None]",  # Median of the latencies in milliseconds; null: none.
        "p95_latency_ms": "Union[float, None]",  # 95th percentile of the latencies in milliseconds; null: none.
        "maximum_latency_ms": "Union[float, None]",  # Highest latency in milliseconds; null: none.
        "unanswered_turns": "int",  # Turns of the caller after which the agent said nothing.
        "interruptions": "int",  # How often the agent began while the caller spoke.
        "barge_in_stop_ms": "Union[float, None]",  # Longest time until the agent was silent after the caller interrupted it; null: not interrupted, or it did not stop.
        "longest_silence_ms": "Union[float, None]",  # Longest time that the call waited for the agent to speak; the time that the caller needs to reply does not count.
        "silence_share": "float",  # Share of the call that waited for the agent, 0–1.
        "talk_over_ms": "Union[float, None]",  # Milliseconds in which both spoke; null: not measured.
        "talk_over_share": "float",  # Share of the call in which both spoke, 0–1.
        "agent_talk_share": "Union[float, None]",  # The agent's share of all speech, 0–1; null: neither side spoke.
        "agent_words_per_minute": "Union[float, None]",  # Words of the agent for each minute of its speech; null: its speech was not transcribed.
        "agent_loudness_dbov": "Union[float, None]",  # Mean level of the agent's speech in dBov, 0 being the loudest possible; null: it said nothing.
        "caller_loudness_dbov": "Union[float, None]",  # The same of the caller, as the agent got it from Demarc; null: it said nothing.
        "packets_lost": "int",  # Lost packets of the agent's audio.
        "jitter_ms": "float",  # Highest interarrival jitter of the agent's audio in milliseconds.
        "turns": "List[TestVoiceTurn]",  # Who spoke when, in the order of time.
    },
)

TestVoiceSettings = TypedDict(
    "TestVoiceSettings",
    {
        "destination": NotRequired["str"],  # E.164 number or SIP URI that is called. Default: the SIP URI of agent, or the first inbound number of the persona or pathway.
        "language": "str",  # Language of the simulated caller, BCP 47. Default en-US.
        "speaker": NotRequired["str"],  # Voice of the simulated caller. Without a speech service also a variant of the language with espeak-ng, such as +f3, or a voice of flite, such as flite-slt (English). Default: that of the speech service for the language.
        "speed": NotRequired["float"],  # How fast the caller speaks: 1 is the usual speed of the voice, 160 words a minute with espeak-ng. Default 1, range 0.5–2.
        "caller_number": NotRequired["str"],  # Number that the agent sees as caller, E.164. Default: an anonymous caller.
        "end_of_turn_ms": "int",  # Silence in milliseconds that ends the agent's turn. Default 700, range 200–5000.
        "reply_timeout_ms": "int",  # Milliseconds that the caller waits for the greeting, and for each reply, before it speaks. Default 10000.
        "max_duration_seconds": "int",  # Longest duration of the call. Default 300, range 5–1800.
        "conditions": NotRequired["TestLineConditions"],  # How the caller sounds, and its line. Default: as the speech service speaks.
        "steps": NotRequired["List[TestCallerStep]"],  # What the caller does in single turns in place of speaking: keys, silence, hold. Also in runs by text, where the agent reads it. At most 50. Default: none.
        "barge_in": NotRequired["TestBargeIn"],  # Interrupts the agent once. Default: never.
    },
)

TestVoiceSettingsInput = TypedDict(
    "TestVoiceSettingsInput",
    {
        "destination": NotRequired["str"],  # E.164 number or SIP URI that is called. Default: the SIP URI of agent, or the first inbound number of the persona or pathway.
        "language": NotRequired["str"],  # Language of the simulated caller, BCP 47. Default en-US.
        "speaker": NotRequired["str"],  # Voice of the simulated caller. Without a speech service also a variant of the language with espeak-ng, such as +f3, or a voice of flite, such as flite-slt (English). Default: that of the speech service for the language.
        "speed": NotRequired["float"],  # How fast the caller speaks: 1 is the usual speed of the voice, 160 words a minute with espeak-ng. Default 1, range 0.5–2.
        "caller_number": NotRequired["str"],  # Number that the agent sees as caller, E.164. Default: an anonymous caller.
        "end_of_turn_ms": NotRequired["int"],  # Silence in milliseconds that ends the agent's turn. Default 700, range 200–5000.
        "reply_timeout_ms": NotRequired["int"],  # Milliseconds that the caller waits for the greeting, and for each reply, before it speaks. Default 10000.
        "max_duration_seconds": NotRequired["int"],  # Longest duration of the call. Default 300, range 5–1800.
        "conditions": NotRequired["TestLineConditionsInput"],  # How the caller sounds, and its line. Default: as the speech service speaks.
        "steps": NotRequired["List[TestCallerStepInput]"],  # What the caller does in single turns in place of speaking: keys, silence, hold. Also in runs by text, where the agent reads it. At most 50. Default: none.
        "barge_in": NotRequired["TestBargeInInput"],  # Interrupts the agent once. Default: never.
    },
)

TestVoiceTurn = TypedDict(
    "TestVoiceTurn",
    {
        "speaker": "Literal[\"caller\", \"agent\"]",  # Who spoke.
        "from_ms": "float",  # Milliseconds from the answer to its beginning.
        "to_ms": "float",  # Milliseconds from the answer to its end.
        "text": "Union[str, None]",  # What was said; null: not understood.
        "is_barge_in": "bool",  # The caller interrupted the agent on purpose.
    },
)

TestWebhookAnswerData = TypedDict(
    "TestWebhookAnswerData",
    {
        "event_id": "str",  # Id of an event, the same for every endpoint and every attempt.
    },
)

TestWebhookAnswer = TypedDict(
    "TestWebhookAnswer",
    {
        "data": "TestWebhookAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

TestWebhookCall = TypedDict(
    "TestWebhookCall",
    {
        "node_id": "str",  # Node that called it, or name of the tool that an agent asked for or reported.
        "url": "str",  # URL without its query; empty: a tool of an agent.
        "arguments": "Union[Dict[str, Any], None]",  # What it was called with: the JSON body; with GET, the parameters of the query that hold variables. Secrets are `[masked]`. Null: not kept, because they have more than 10,000 characters, or those of the run more than 200,000.
        "status": "Union[int, None]",  # HTTP status; null: no answer, or not known.
        "is_mocked": "bool",  # Whether the scenario answered in its place.
        "error": "Union[str, None]",  # Why there was no answer; null: there was one, or it is not known.
        "duration_ms": "int",  # Milliseconds until the answer.
        "turn": "Union[int, None]",  # Position of the next line in chat_history, from 0; null: not reported by an agent that was called.
    },
)

TestWebhookMock = TypedDict(
    "TestWebhookMock",
    {
        "node_id": "str",  # Node whose webhook is replaced, or name of the tool that the agent asks for.
        "from_call": NotRequired["int"],  # Answers this call of the node or tool and later ones. Default 1: from the first.
        "from_turn": NotRequired["int"],  # Answers from this turn of the caller on. Default 0: from the beginning.
        "status": "int",  # HTTP status. Default 200.
        "body": NotRequired["Any"],  # JSON of the answer. Default none.
    },
)

TestWebhookMockInput = TypedDict(
    "TestWebhookMockInput",
    {
        "node_id": "str",  # Node whose webhook is replaced, or name of the tool that the agent asks for.
        "from_call": NotRequired["int"],  # Answers this call of the node or tool and later ones. Default 1: from the first.
        "from_turn": NotRequired["int"],  # Answers from this turn of the caller on. Default 0: from the beginning.
        "status": NotRequired["int"],  # HTTP status. Default 200.
        "body": NotRequired["Any"],  # JSON of the answer. Default none.
    },
)

TornadoIterationFixPlanFixesItem = TypedDict(
    "TornadoIterationFixPlanFixesItem",
    {
        "id": "str",  # Id of the fix.
        "target_node": "Union[str, None]",  # Node that it changes; null: the pathway.
        "description": "str",  # What it changes, and why.
        "type": "Literal[\"prompt_edit\", \"config_change\", \"flow_change\"]",  # Kind of change.
        "path": "str",  # Field of the document that it changes.
        "before": "Any",  # Value before the change.
        "after": "Any",  # Value after the change.
        "is_applied": "bool",  # Whether the fork has it: it was applied, and not undone.
        "problem": "Union[str, None]",  # Why it could not be applied; null: it could.
    },
)

TornadoIterationFixPlan = TypedDict(
    "TornadoIterationFixPlan",
    {
        "fixes": "List[TornadoIterationFixPlanFixesItem]",  # The changes.
        "priority_order": "List[str]",  # Ids of the fixes, the most important first.
    },
)

TornadoIteration = TypedDict(
    "TornadoIteration",
    {
        "iteration": "int",  # Counts the iterations from 1.
        "batch_id": "str",  # Id of the batch that the call belongs to; null: none.
        "version_number": "int",  # Version of the pathway that it ran.
        "started_at": "str",  # When it began.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
        "passed_ids": "List[str]",  # Scenarios that passed.
        "failed_ids": "List[str]",  # Scenarios that did not pass.
        "newly_unfixable_ids": "List[str]",  # Scenarios given up in this iteration.
        "fix_plan": "Union[TornadoIterationFixPlan, None]",  # Changes that the next iteration runs with; null: none.
        "analyzer_prompt_excerpt": "Union[str, None]",  # Beginning of the prompt of the analyzer; null: it was not asked.
    },
)

TornadoProgress = TypedDict(
    "TornadoProgress",
    {
        "session_id": "str",  # Id of the session, a UUID.
        "status": "Literal[\"RUNNING\", \"COMPLETED_ALL_PASSED\", \"COMPLETED_PARTIAL\", \"TIMEOUT\", \"STUCK\", \"CANCELLED\", \"ERROR\"]",  # State of the session.
        "pathway_id": "str",  # Pathway that it improves.
        "persona_id": "Union[str, None]",  # Persona of the session; null: none.
        "current_iteration": "int",  # Iteration in progress or the last one, from 1.
        "max_iterations": "int",  # Most iterations.
        "runs_per_scenario": "int",  # Runs of each scenario in each iteration.
        "required_pass_rate": "float",  # What the lower end of the interval of a scenario’s pass rate must reach.
        "total_scenarios": "int",  # Number of scenarios.
        "passed_scenarios": "int",  # Scenarios that passed in the last iteration.
        "failed_scenarios": "int",  # Scenarios that did not.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "unfixable_count": "int",  # Number of scenarios given up.
        "unfixable_ids": "List[str]",  # Scenarios that fail by the same cause after several fixes.
        "iterations": "List[TornadoIteration]",  # The iterations, oldest first.
        "elapsed_ms": "int",  # Milliseconds since the start.
        "timeout_ms": "int",  # Milliseconds until the session ends in TIMEOUT.
        "forked_version": "Union[int, None]",  # Version with the fixes; null: none yet.
        "error_message": "Union[str, None]",  # Why it ended in ERROR; null: it did not.
        "completed_at": "Union[str, None]",  # When it ended, ISO 8601 in UTC; null: it has not.
    },
)

TornadoSession = TypedDict(
    "TornadoSession",
    {
        "session_id": "str",  # Id of the session, a UUID.
        "status": "Literal[\"RUNNING\", \"COMPLETED_ALL_PASSED\", \"COMPLETED_PARTIAL\", \"TIMEOUT\", \"STUCK\", \"CANCELLED\", \"ERROR\"]",  # State of the session.
        "pathway_id": "str",  # Pathway that it improves.
        "persona_id": "Union[str, None]",  # Persona of the session; null: none.
        "current_iteration": "int",  # Iteration in progress or the last one, from 1.
        "max_iterations": "int",  # Most iterations.
        "runs_per_scenario": "int",  # Runs of each scenario in each iteration.
        "required_pass_rate": "float",  # What the lower end of the interval of a scenario’s pass rate must reach.
        "total_scenarios": "int",  # Number of scenarios.
        "passed_scenarios": "int",  # Scenarios that passed in the last iteration.
        "failed_scenarios": "int",  # Scenarios that did not.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
    },
)

TraceMessage = TypedDict(
    "TraceMessage",
    {
        "at": "str",  # When it was sent or received, ISO 8601 in UTC.
        "leg": "Literal[\"trunk\", \"agent\", \"unknown\"]",  # Which side of the call the message belongs to.
        "direction": "Literal[\"received\", \"sent\"]",  # `in`: received by Demarc; `out`: sent by Demarc.
        "protocol": "Literal[\"udp\", \"tcp\", \"tls\"]",  # SIP transport.
        "source": "str",  # Where the message came from, `address:port`.
        "destination": "str",  # Where the message went, `address:port`.
        "summary": "str",  # In one line.
        "message": "str",  # The message as sent on the wire, secrets redacted.
    },
)

TransferCallAnswer = TypedDict(
    "TransferCallAnswer",
    {
        "status": "Literal[\"success\"]",  # Its state.
        "message": "str",  # Result in plain words.
    },
)

TransferConfig = TypedDict(
    "TransferConfig",
    {
        "mode": "Literal[\"refer\", \"bridge\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "fallback": "bool",  # True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false.
        "allowed_targets": NotRequired["List[str]"],  # Allowed transfer targets: prefixes of E.164 numbers, and hosts.
    },
)

TrunkInbound = TypedDict(
    "TrunkInbound",
    {
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
    },
)

TrunkOutbound = TypedDict(
    "TrunkOutbound",
    {
        "failover_config": "Union[FailoverConfig, None]",  # Backup servers of the outbound direction; null: none.
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
    },
)

Trunk = TypedDict(
    "Trunk",
    {
        "trunk_id": "str",  # Id of the trunk
        "name": "str",  # Free text
        "directions": "List[Dict[str, Any]]",  # As configured, with [redacted] for each password
        "inbound": "TrunkInbound",  # Codecs, alerts, limits and transfers of calls to the numbers
        "outbound": "TrunkOutbound",  # Failover, codecs, alerts, limits and transfers of calls from the numbers
        "number_count": "int",  # Numbers that use the trunk
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

TrunkCallsHourItem = TypedDict(
    "TrunkCallsHourItem",
    {
        "calls": "int",  # The calls.
        "failed": "int",  # How many failed.
    },
)

TrunkCalls = TypedDict(
    "TrunkCalls",
    {
        "state": "Literal[\"failing\", \"degraded\", \"working\", \"quiet\"]",  # Of the last five minutes, or of the hour if there were fewer than five calls. failing: half or more fail; degraded: a fifth; quiet: fewer than five calls
        "window": "Literal[\"5m\", \"1h\"]",  # What decided the state
        "calls": "int",  # The calls.
        "failed": "int",  # How many failed.
        "worst": "Union[FailureCount, None]",  # The most frequent cause of failure within the window; null: none
        "hour": "List[TrunkCallsHourItem]",  # Five-minute intervals, oldest first
    },
)

TrunkLimits = TypedDict(
    "TrunkLimits",
    {
        "concurrent_calls": NotRequired["float"],  # Maximum concurrent calls of the number, both directions together.
        "calls_per_second": NotRequired["float"],  # Maximum new calls per second.
        "max_duration_seconds": NotRequired["float"],  # Seconds from the answer after which the call is ended.
    },
)

TrunkSummaryServers = TypedDict(
    "TrunkSummaryServers",
    {
        "total": "int",  # Total number.
        "unreachable": "int",  # Number of unreachable servers.
    },
)

TrunkSummary = TypedDict(
    "TrunkSummary",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "directions": "List[Literal[\"inbound\", \"outbound\"]]",  # Directions of the number.
        "status": "Literal[\"healthy\", \"unreachable\", \"unchecked\"]",  # Its state.
        "endpoint": "Union[str, None]",  # The server, as `host:port;transport=…`; null: none.
        "reason": "Union[Literal[\"timeout\", \"refused\", \"dns\", \"certificate\", \"mutual_tls_required\", \"tls\", \"service_unavailable\", \"network\", \"no_transport\"], None]",  # Reason, a stable code; null: none.
        "detail": "Union[str, None]",  # Further details; null: none.
        "cause": "Union[str, None]",  # The cause in plain words.
        "advice": "Union[str, None]",  # Recommended action.
        "response_time_ms": "Union[float, None]",  # Response time in milliseconds; null: no response.
        "checked_at": "Union[str, None]",  # Time of the last check, ISO 8601 in UTC; null: never.
        "servers": "TrunkSummaryServers",  # State of the number’s trunk; a healthy trunk with an unreachable first server uses a backup
        "registration": "Union[Literal[\"registering\", \"registered\", \"failed\", \"unregistered\", \"unknown\"], None]",  # The worst state of its registrations; null: none; unknown while Redis is down
        "calls": "TrunkCalls",  # The calls.
    },
)

TrustedCertificate = TypedDict(
    "TrustedCertificate",
    {
        "subject": "str",  # Distinguished name of the holder
        "issuer": "str",  # Distinguished name of the authority that signed it
        "valid_from": "str",  # Start of its validity, ISO 8601 in UTC
        "valid_to": "str",  # Expiry, ISO 8601 in UTC
        "fingerprint_sha256": "str",  # SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it
        "is_ca": "bool",  # Whether it may sign other certificates
    },
)

UndoTornadoFixAnswer = TypedDict(
    "UndoTornadoFixAnswer",
    {
        "data": "TornadoProgress",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UnsavedTestAssertion = TypedDict(
    "UnsavedTestAssertion",
    {
        "type": "Literal[\"LLM_JUDGE\", \"SERVICE_TONE\", \"VARIABLE_EXTRACTED\", \"NODE_REACHED\", \"NODES_VISITED\", \"WEBHOOK_TRIGGERED\", \"REGEX_MATCH\", \"STRING_CHECK\", \"CUSTOM_LLM\", \"TRAVERSAL_MATCH\", \"VOICE_METRIC\", \"TOOL_CALLED\", \"TOOL_ORDER\", \"PHRASES\", \"LATENCY\", \"CALL_OUTCOME\"]",  # Type of the assertion.
        "name": "Union[str, None]",  # Its name in results; null: none.
        "config": "Dict[str, Any]",  # What is checked, by type.
        "is_required": "bool",  # Whether the run fails when the assertion fails.
        "weight": "float",  # Its weight in the overall score, 0–100.
        "order": "int",  # Its position in the scenario, from 0.
    },
)

UpdateAgentAnswer = TypedDict(
    "UpdateAgentAnswer",
    {
        "data": "WebAgent",  # The answer.
        "errors": "None",  # Null: the request succeeded.
        "agent": "WebAgent",  # The agent's leg.
    },
)

UpdateAlertAnswer = TypedDict(
    "UpdateAlertAnswer",
    {
        "data": "Alert",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateAlertContactsAnswerDataAvailable = TypedDict(
    "UpdateAlertContactsAnswerDataAvailable",
    {
        "email": "bool",  # True: by email.
        "sms": "bool",  # True: by SMS.
    },
)

UpdateAlertContactsAnswerData = TypedDict(
    "UpdateAlertContactsAnswerData",
    {
        "emails": "List[str]",  # Email addresses.
        "phone_numbers": "List[str]",  # Numbers, E.164 with +.
        "available": "UpdateAlertContactsAnswerDataAvailable",  # False if the channel is not configured
    },
)

UpdateAlertContactsAnswer = TypedDict(
    "UpdateAlertContactsAnswer",
    {
        "data": "UpdateAlertContactsAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateContactAnswer = TypedDict(
    "UpdateContactAnswer",
    {
        "data": "Contact",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateContactMemoryAnswer = TypedDict(
    "UpdateContactMemoryAnswer",
    {
        "data": "ContactMemory",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateDirectionAnswerDataWarningsItem = TypedDict(
    "UpdateDirectionAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

UpdateDirectionAnswerData = TypedDict(
    "UpdateDirectionAnswerData",
    {
        "configuration": "Configuration",  # The configuration after the change.
        "register_password_for_pbx": "Union[str, None]",  # Password to set in the PBX, returned only once; null: unchanged.
        "warnings": "List[UpdateDirectionAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

UpdateDirectionAnswer = TypedDict(
    "UpdateDirectionAnswer",
    {
        "data": "UpdateDirectionAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateIncidentAnswer = TypedDict(
    "UpdateIncidentAnswer",
    {
        "data": "IncidentStory",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateKnowledgeAnswer = TypedDict(
    "UpdateKnowledgeAnswer",
    {
        "data": "KnowledgeBase",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateMaintenanceWindowAnswer = TypedDict(
    "UpdateMaintenanceWindowAnswer",
    {
        "data": "MaintenanceWindow",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateMemberAnswer = TypedDict(
    "UpdateMemberAnswer",
    {
        "data": "Member",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateMemberForOrganizationAnswer = TypedDict(
    "UpdateMemberForOrganizationAnswer",
    {
        "data": "Member",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateNumbersAnswerDataFailedItem = TypedDict(
    "UpdateNumbersAnswerDataFailedItem",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "error": "ErrorCode",  # Code of the failure; see docs/errors.md.
        "message": "str",  # Why the number was not configured.
    },
)

UpdateNumbersAnswerDataWarningsItem = TypedDict(
    "UpdateNumbersAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

UpdateNumbersAnswerData = TypedDict(
    "UpdateNumbersAnswerData",
    {
        "updated": "List[str]",  # The changed numbers.
        "failed": "List[UpdateNumbersAnswerDataFailedItem]",  # The numbers that were not changed, each with the reason.
        "warnings": "List[UpdateNumbersAnswerDataWarningsItem]",  # Warnings about what was configured.
        "register_password_for_pbx": "Union[str, None]",  # Password to set in the PBX, returned only once; null: unchanged.
    },
)

UpdateNumbersAnswer = TypedDict(
    "UpdateNumbersAnswer",
    {
        "data": "UpdateNumbersAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateOrganizationAnswerDataLimits = TypedDict(
    "UpdateOrganizationAnswerDataLimits",
    {
        "concurrent_calls": "Union[int, None]",  # Concurrent calls on all edges together; null: `DEMARC_ORGANIZATION_MAX_CALLS`.
        "calls_per_second": "Union[int, None]",  # New calls per second; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`.
        "call_retention_days": "Union[int, None]",  # Days that call records are kept; null: `DEMARC_CALL_RETENTION_DAYS`.
        "minutes_per_month": "Union[int, None]",  # Minutes of answered calls a calendar month (UTC); above it calls continue. Null: none.
    },
)

UpdateOrganizationAnswerDataWarningsItem = TypedDict(
    "UpdateOrganizationAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

UpdateOrganizationAnswerData = TypedDict(
    "UpdateOrganizationAnswerData",
    {
        "organization_id": "str",  # Id of the organization; null: the number belongs to none.
        "name": "str",  # Name of the organization.
        "sip_enabled": "bool",  # Has the SIP entitlement.
        "region": "Union[str, None]",  # Key of `DEMARC_REGIONS`; null: the first region.
        "limits": "UpdateOrganizationAnswerDataLimits",  # Limits of this organization, which replace those of the service.
        "numbers": "int",  # Phone numbers.
        "members": "int",  # People.
        "owners": "int",  # Of these, owners.
        "keys": "int",  # API keys that are neither revoked nor expired.
        "created_at": "str",  # When it was created.
        "warnings": "List[UpdateOrganizationAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

UpdateOrganizationAnswer = TypedDict(
    "UpdateOrganizationAnswer",
    {
        "data": "UpdateOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdatePathwayAnswer = TypedDict(
    "UpdatePathwayAnswer",
    {
        "data": "Pathway",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdatePersonaAnswer = TypedDict(
    "UpdatePersonaAnswer",
    {
        "data": "Persona",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateTestMonitorAnswer = TypedDict(
    "UpdateTestMonitorAnswer",
    {
        "data": "TestMonitor",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateTestScenarioAnswer = TypedDict(
    "UpdateTestScenarioAnswer",
    {
        "data": "ChangedTestScenario",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateTestScheduleAnswer = TypedDict(
    "UpdateTestScheduleAnswer",
    {
        "data": "TestSchedule",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateTrunkAnswerDataInbound = TypedDict(
    "UpdateTrunkAnswerDataInbound",
    {
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
    },
)

UpdateTrunkAnswerDataOutbound = TypedDict(
    "UpdateTrunkAnswerDataOutbound",
    {
        "failover_config": "Union[FailoverConfig, None]",  # Backup servers of the outbound direction; null: none.
        "codec_config": "Union[CodecConfig, None]",  # Codecs of the direction; null: the default ones.
        "alert_config": "Union[AlertConfig, None]",  # Thresholds and channels of alerts; null: not configured.
        "limits": "Union[TrunkLimits, None]",  # Call limits; null: the defaults.
        "transfer_config": "Union[TransferConfig, None]",  # How calls are transferred; null: the defaults.
    },
)

UpdateTrunkAnswerDataWarningsItem = TypedDict(
    "UpdateTrunkAnswerDataWarningsItem",
    {
        "phone_number": "Union[str, None]",  # E.164 with +; null: the warning is about all numbers of the request
        "warning": "str",  # A code of docs/errors.md
        "message": "str",  # The warning in plain words.
    },
)

UpdateTrunkAnswerData = TypedDict(
    "UpdateTrunkAnswerData",
    {
        "trunk_id": "str",  # Id of the trunk
        "name": "str",  # Free text
        "directions": "List[Dict[str, Any]]",  # As configured, with [redacted] for each password
        "inbound": "UpdateTrunkAnswerDataInbound",  # Codecs, alerts, limits and transfers of calls to the numbers
        "outbound": "UpdateTrunkAnswerDataOutbound",  # Failover, codecs, alerts, limits and transfers of calls from the numbers
        "number_count": "int",  # Numbers that use the trunk
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
        "register_password_for_pbx": "Union[str, None]",  # Password to set in your PBX; returned only once, when the registration is new or changed
        "warnings": "List[UpdateTrunkAnswerDataWarningsItem]",  # Warnings about what was configured.
    },
)

UpdateTrunkAnswer = TypedDict(
    "UpdateTrunkAnswer",
    {
        "data": "UpdateTrunkAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UpdateWebhookAnswer = TypedDict(
    "UpdateWebhookAnswer",
    {
        "data": "WebhookEndpoint",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UploadPortDocumentAnswerData = TypedDict(
    "UploadPortDocumentAnswerData",
    {
        "document_sid": "str",  # Id of the document.
        "media_type": "Literal[\"application/pdf\", \"image/jpeg\", \"image/png\", \"image/gif\", \"image/webp\"]",  # Its type, detected from its content.
        "size": "int",  # Octets.
    },
)

UploadPortDocumentAnswer = TypedDict(
    "UploadPortDocumentAnswer",
    {
        "data": "UploadPortDocumentAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

UsageTotal = TypedDict(
    "UsageTotal",
    {
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
    },
)

UsageDaysItemInbound = TypedDict(
    "UsageDaysItemInbound",
    {
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
    },
)

UsageDaysItemOutbound = TypedDict(
    "UsageDaysItemOutbound",
    {
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
    },
)

UsageDaysItem = TypedDict(
    "UsageDaysItem",
    {
        "date": "str",  # The day, in UTC.
        "calls": "int",  # Calls that started on the day, answered or not.
        "answered_calls": "int",  # Calls that were answered.
        "minutes": "float",  # Minutes from answer to end, of the answered calls.
        "inbound": "UsageDaysItemInbound",  # Calls to your numbers.
        "outbound": "UsageDaysItemOutbound",  # Calls from your numbers.
        "peak_concurrent_calls": "Union[int, None]",  # Peak concurrent calls of the day, ringing included; null before the call history begins.
    },
)

UsageLimitsItem = TypedDict(
    "UsageLimitsItem",
    {
        "kind": "Literal[\"concurrent_calls\", \"minutes_per_month\"]",  # `concurrent_calls`: peak of today; `minutes_per_month`: answered calls of this month.
        "period": "str",  # The present day or month, in UTC.
        "measured": "float",  # What is used.
        "limit": "int",  # What may be used.
        "percent": "int",  # Share of the limit that is used.
        "notified_at": "Union[str, None]",  # When alert contacts were notified that 80 % is reached; null: not in this period.
    },
)

UsageNumberLimitsItem = TypedDict(
    "UsageNumberLimitsItem",
    {
        "phone_number": "Union[str, None]",  # The number; null: the limit is that of a shared trunk.
        "trunk_id": "Union[str, None]",  # The trunk that numbers share; null: the limit is that of a number.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "measured": "int",  # Highest number of active calls seen today.
        "limit": "int",  # `concurrent_calls` in the limits of the direction.
        "percent": "int",  # Share of the limit that was used.
        "notified_at": "Union[str, None]",  # When alert contacts were notified; null: not yet, at most once in 15 minutes.
    },
)

Usage = TypedDict(
    "Usage",
    {
        "from": "str",  # First day, in UTC.
        "to": "str",  # Last day, in UTC.
        "total": "UsageTotal",  # All days together.
        "days": "List[UsageDaysItem]",  # Each day, oldest first.
        "limits": "List[UsageLimitsItem]",  # Limits of the organization, whatever the days of the request.
        "number_limits": "List[UsageNumberLimitsItem]",  # Numbers whose active calls reached 80 % of their limit today (UTC), the fullest first, at most 100; compared every 15 seconds.
    },
)

WebAgent = TypedDict(
    "WebAgent",
    {
        "agent_id": "str",  # Id of the agent, a UUID.
        "tools": "List[str]",  # Ids of knowledge bases and tools, as they were sent.
        "kb_ids": "List[str]",  # The knowledge bases among them, UUIDs.
        "metadata": "Union[Dict[str, Any], None]",  # Your data, returned unchanged; null: not set.
        "created_at": "str",  # Creation time, ISO 8601 in UTC.
        "updated_at": "str",  # Time of the last change, ISO 8601 in UTC.
    },
)

WebSocketAgent = TypedDict(
    "WebSocketAgent",
    {
        "type": "Literal[\"websocket\"]",  # Direction.
        "url": "str",  # wss:// URL without a query
        "format": NotRequired["Literal[\"media-streams\", \"pcm\"]"],  # media-streams: the message shapes of Twilio Media Streams. pcm: JSON and linear samples. Default: media-streams
        "sample_rate": NotRequired["Union[Literal[8000], Literal[16000], Literal[24000]]"],  # Hertz, of pcm. Default: 16000
        "preamble": NotRequired["Literal[\"demarc\", \"listen\"]"],  # Of pcm. listen: the messages of jambonz listen. Default: demarc
        "parameters": NotRequired["Dict[str, str]"],  # Passed to the bot in its first message. Default: none
        "headers": NotRequired["Dict[str, str]"],  # Headers of the handshake, such as Authorization. Stored encrypted; responses show [redacted]. Default: none
        "answer_on": NotRequired["Literal[\"start\", \"first_audio\"]"],  # When the call is answered. Default: start, once the bot is connected
        "comfort_tone": NotRequired["bool"],  # Whether callers hear a soft tone until the first audio. Default: false
        "fallback": NotRequired["str"],  # SIP agent that takes calls when the bot cannot be reached. Default: the call fails
    },
)

WebSocketAgentView = TypedDict(
    "WebSocketAgentView",
    {
        "type": "Literal[\"websocket\"]",  # Kind of agent
        "url": "str",  # wss:// URL
        "format": "Literal[\"media-streams\", \"pcm\"]",  # Messages: media-streams or pcm
        "sample_rate": NotRequired["int"],  # Hertz; of pcm
        "preamble": NotRequired["Literal[\"demarc\", \"listen\"]"],  # listen: the messages of jambonz listen; of pcm
        "parameters": "Dict[str, str]",  # Passed to the bot in its first message
        "headers": "Dict[str, Literal[\"[redacted]\"]]",  # Headers of the handshake, without their values
        "answer_on": "Literal[\"start\", \"first_audio\"]",  # When calls are answered
        "comfort_tone": "bool",  # True: callers hear a soft tone until the first audio
        "fallback": "Union[str, None]",  # SIP agent that takes calls when the bot cannot be reached; null: none
    },
)

WebhookEndpoint = TypedDict(
    "WebhookEndpoint",
    {
        "webhook_id": "str",  # Id of a webhook endpoint.
        "url": "str",  # URL that receives the events
        "description": "str",  # Free text
        "events": "List[Literal[\"*\", \"call.*\", \"trunk.*\", \"registration.*\", \"alert.*\", \"port.*\", \"usage.*\", \"persona.*\", \"pathway.*\", \"agent_test.*\", \"webhook.*\", \"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\"]]",  # Events to send: types, areas (call.*), or * for all
        "enabled": "bool",  # False: disabled; events that occur meanwhile are not kept
        "disabled_reason": "Union[Literal[\"request\", \"failing\"], None]",  # request: disabled through the API; failing: no delivery succeeded for days
        "disabled_at": "Union[str, None]",  # When it was disabled
        "failing_since": "Union[str, None]",  # First failed attempt since the last successful delivery
        "silent_since": "Union[str, None]",  # Time since which attempts have had no response within the time limit; null: the endpoint responds
        "paused_until": "Union[str, None]",  # Set while the endpoint is paused because it does not respond: time of the next attempt; other deliveries wait. null: not paused
        "pending_deliveries": "int",  # Deliveries that wait for the endpoint
        "dropped_deliveries": "int",  # Deliveries that failed because too many were waiting (DEMARC_DELIVERY_PENDING)
        "previous_secret_until": "Union[str, None]",  # Until then deliveries are also signed with the previous secret
        "created_at": "str",  # Creation time
        "updated_at": "str",  # Last change
    },
)

WebhookEvent = TypedDict(
    "WebhookEvent",
    {
        "event_id": "str",  # The same for every endpoint and attempt: use it to detect duplicates
        "event": "Literal[\"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\", \"webhook.test\"]",  # What happened
        "occurred_at": "str",  # When it happened
        "sequence": "int",  # Order among events of the same call, alert, server or registration; gaps have no meaning
        "data": "Dict[str, Any]",  # The subject of the event; its shape depends on the type
    },
)

WindowFiguresJudged = TypedDict(
    "WindowFiguresJudged",
    {
        "calls": "int",  # The calls.
        "failed": "int",  # How many failed.
        "caller_errors": "int",  # Calls that only their senders can correct; not in `calls`
        "worst": "Union[FailureCount, None]",  # The most frequent cause of the calls in `failed`; null: none
    },
)

WindowFiguresDayBefore = TypedDict(
    "WindowFiguresDayBefore",
    {
        "attempts": "int",  # Servers tried, in order.
        "answered": "int",  # Answered calls.
        "answer_rate_percent": "Union[float, None]",  # Share of attempts that were answered, in percent; null: no attempts.
        "failed": "int",  # How many failed.
        "average_post_dial_delay_ms": "Union[float, None]",  # Mean milliseconds from INVITE to the first ringing; null: none rang.
    },
)

WindowFigures = TypedDict(
    "WindowFigures",
    {
        "attempts": "int",  # Servers tried, in order.
        "answered": "int",  # Answered calls.
        "answer_rate_percent": "Union[float, None]",  # Share of attempts that were answered, in percent; null: no attempts.
        "average_setup_ms": "Union[float, None]",  # INVITE to 200, of answered calls
        "average_post_dial_delay_ms": "Union[float, None]",  # INVITE to the first ringing
        "failed": "int",  # Failed or refused, without those in `bad_audio`
        "bad_audio": "int",  # Answered calls with bad audio: the audio of a side was missing or stopped
        "judged": "WindowFiguresJudged",  # What the verdict judges: all calls but those that were the mistake of their caller, and how many of them concern the customer, the service or the fleet
        "failures": "List[FailureCount]",  # Most frequent first
        "day_before": "WindowFiguresDayBefore",  # The same window one day earlier, for comparison
    },
)

WithdrawInvitationAnswerData = TypedDict(
    "WithdrawInvitationAnswerData",
    {
        "invitation_id": "str",  # Id of an invitation.
        "withdrawn": "Literal[True]",  # True: withdrawn
    },
)

WithdrawInvitationAnswer = TypedDict(
    "WithdrawInvitationAnswer",
    {
        "data": "WithdrawInvitationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

WithdrawInvitationForOrganizationAnswerData = TypedDict(
    "WithdrawInvitationForOrganizationAnswerData",
    {
        "invitation_id": "str",  # Id of an invitation.
        "withdrawn": "Literal[True]",  # True: withdrawn
    },
)

WithdrawInvitationForOrganizationAnswer = TypedDict(
    "WithdrawInvitationForOrganizationAnswer",
    {
        "data": "WithdrawInvitationForOrganizationAnswerData",  # The answer.
        "errors": "None",  # Null: the request succeeded.
    },
)

AcceptInvitationBody = TypedDict(
    "AcceptInvitationBody",
    {
        "token": "str",  # The part of the link after #
        "name": NotRequired["str"],  # Name that colleagues see, 1–100 characters.
        "password": "str",  # A new password of 12–256 characters, or the password of the existing account
    },
)

AddAgentMetadataBody = TypedDict(
    "AddAgentMetadataBody",
    {
        "values": "Dict[str, str]",  # Names of up to 64 letters, digits, _ . - with texts of up to 500 characters.
    },
)

AnalyzeTestRunBody = Union["Union[Dict[str, Any], None]"]

AttachNumbersBody = TypedDict(
    "AttachNumbersBody",
    {
        "phone_number": NotRequired["str"],  # E.164 with +, such as +14155550100.
        "phone_numbers": NotRequired["List[str]"],  # Numbers, E.164 with +.
        "directions": NotRequired["List[Union[InboundDirection, OutboundDirection]]"],  # Directions of the number.
        "trunk_id": NotRequired["str"],  # Shared trunk for the numbers, instead of directions
        "service": "Literal[\"sip\"]",  # Always `sip`.
    },
)

AttachNumbersToTrunkBody = TypedDict(
    "AttachNumbersToTrunkBody",
    {
        "phone_numbers": "List[str]",  # Numbers, E.164 with +.
    },
)

AttachPathwayNumbersBody = TypedDict(
    "AttachPathwayNumbersBody",
    {
        "inbound_numbers": "List[str]",  # Your numbers, E.164; at most 100.
        "version_number": NotRequired["int"],  # Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins
    },
)

AttachPersonaNumbersBody = TypedDict(
    "AttachPersonaNumbersBody",
    {
        "inbound_numbers": "List[str]",  # Your numbers, E.164; at most 100.
    },
)

CancelLoadTestBody = Union["Union[Dict[str, Any], None]"]

CancelSimulationSetBody = Union["Union[Dict[str, Any], None]"]

CancelTestBatchBody = Union["Union[Dict[str, Any], None]"]

CancelTestRunBody = Union["Union[Dict[str, Any], None]"]

CancelTornadoBody = Union["Union[Dict[str, Any], None]"]

ChangePasswordBody = TypedDict(
    "ChangePasswordBody",
    {
        "current_password": "str",  # The present password
        "password": "str",  # The password, 12–256 characters.
    },
)

ChatWithKnowledgeBodyMessagesItem = TypedDict(
    "ChatWithKnowledgeBodyMessagesItem",
    {
        "role": "Literal[\"user\", \"assistant\"]",  # Who said it.
        "content": "str",  # What was said.
    },
)

ChatWithKnowledgeBody = TypedDict(
    "ChatWithKnowledgeBody",
    {
        "knowledge_base_id": "str",  # Knowledge base to answer from.
        "messages": "List[ChatWithKnowledgeBodyMessagesItem]",  # The conversation; its last message is the user’s question.
    },
)

CloneTestTemplateBodyAgent = TypedDict(
    "CloneTestTemplateBodyAgent",
    {
        "url": NotRequired["str"],  # Base URL of an OpenAI-compatible interface, to which `/chat/completions` is added; for runs by text.
        "model": NotRequired["str"],  # Name that requests send as `model`. Default agent.
        "api_key": NotRequired["str"],  # Sent as bearer token; never returned. Omit it to keep the stored one.
        "sip_uri": NotRequired["str"],  # SIP URI that is called; for runs by voice.
    },
)

CloneTestTemplateBody = TypedDict(
    "CloneTestTemplateBody",
    {
        "pathway_id": NotRequired["Union[str, None]"],  # Pathway under test.
        "persona_id": NotRequired["Union[str, None]"],  # Persona under test.
        "agent": NotRequired["Union[CloneTestTemplateBodyAgent, None]"],  # Agent under test at its own address.
        "name": NotRequired["str"],  # Default: the template's name.
        "description": NotRequired["str"],  # Free text.
        "tester_persona_prompt": NotRequired["str"],  # How the simulated caller behaves. Default: the template's.
        "max_turns": NotRequired["int"],  # Most turns of the caller, 1–50. Default: the template's.
        "request_data": NotRequired["Dict[str, Any]"],  # Variables that the conversation begins with.
        "start_node_id": NotRequired["str"],  # Node that the conversation begins at. Default: the start node.
        "service_tone_enabled": NotRequired["bool"],  # Whether runs get a tone score.
        "is_required_for_promotion": NotRequired["bool"],  # Whether it must pass before a version is promoted. Default false.
    },
)

ConfigureDirectionBodyLimits = TypedDict(
    "ConfigureDirectionBodyLimits",
    {
        "concurrent_calls": NotRequired["int"],  # Maximum concurrent calls of the number, both directions together.
        "calls_per_second": NotRequired["float"],  # Maximum new calls per second.
        "max_duration_seconds": NotRequired["int"],  # Seconds from the answer after which the call is ended.
    },
)

ConfigureDirectionBodyTransferConfig = TypedDict(
    "ConfigureDirectionBodyTransferConfig",
    {
        "mode": "Literal[\"refer\", \"bridge\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "fallback": NotRequired["bool"],  # True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false.
        "allowed_targets": NotRequired["List[str]"],  # Allowed transfer targets: prefixes of E.164 numbers, and hosts.
    },
)

ConfigureDirectionBody = TypedDict(
    "ConfigureDirectionBody",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
        "failover_config": NotRequired["Union[FailoverSettings, None]"],  # Backup servers of the outbound direction; null: none.
        "codec_config": NotRequired["Union[CodecSettings, None]"],  # Codecs of the direction; null: the default ones.
        "alert_config": NotRequired["Union[AlertSettings, None]"],  # Thresholds and channels of alerts; null: not configured.
        "limits": NotRequired["Union[ConfigureDirectionBodyLimits, None]"],  # Demarc extension
        "transfer_config": NotRequired["Union[ConfigureDirectionBodyTransferConfig, None]"],  # Demarc extension
    },
)

CreateAgentBody = TypedDict(
    "CreateAgentBody",
    {
        "tools": NotRequired["List[str]"],  # Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100.
        "metadata": NotRequired["Union[Dict[str, Any], None]"],  # Your data, returned unchanged; null clears it. At most 16384 octets of JSON.
    },
)

CreateAgentCredentialBody = TypedDict(
    "CreateAgentCredentialBody",
    {
        "name": NotRequired["str"],  # Its name.
    },
)

CreateBatchBodyCallsItem = TypedDict(
    "CreateBatchBodyCallsItem",
    {
        "phone_number": "str",  # The called number, E.164
        "request_data": NotRequired["Dict[str, Any]"],  # Data for the agent, and variables for the trunk’s header mappings
        "metadata": NotRequired["Dict[str, Any]"],  # Your data, returned unchanged
        "task": NotRequired["str"],  # Instructions for the agent, which reads them with the call
        "tools": NotRequired["List[str]"],  # Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. Knowledge bases add to those of the persona; ids of tools are passed to the agent unchecked
        "persona_id": NotRequired["str"],  # Id of the agent’s persona, which must have a live version. The call gets the version that is live when an edge takes it
        "pathway_id": NotRequired["str"],  # Pathway that the calls follow, which needs a live version unless `pathway_version` names one. Default: that of the persona
        "pathway_version": NotRequired["int"],  # Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins
        "voice": NotRequired["str"],  # Voice that the agent speaks with, passed on to it unchecked. Default: that of the persona
        "agent": NotRequired["Union[str, WebSocketAgent]"],  # Agent of the call: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the number
    },
)

CreateBatchBody = TypedDict(
    "CreateBatchBody",
    {
        "from": "str",  # One of your numbers, with an outbound direction
        "name": NotRequired["str"],  # Free text, at most 200 characters
        "scheduled_at": NotRequired["str"],  # Earliest time to dial, at most 30 days ahead
        "until": NotRequired["str"],  # Calls not dialled by then are given up. Default 24 hours after the start, at most 7 days after it
        "task": NotRequired["str"],  # Instructions for the agent, which reads them with the call
        "tools": NotRequired["List[str]"],  # Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. Knowledge bases add to those of the persona; ids of tools are passed to the agent unchecked
        "persona_id": NotRequired["str"],  # Id of the agent’s persona, which must have a live version. The call gets the version that is live when an edge takes it
        "pathway_id": NotRequired["str"],  # Pathway that the calls follow, which needs a live version unless `pathway_version` names one. Default: that of the persona
        "pathway_version": NotRequired["int"],  # Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins
        "voice": NotRequired["str"],  # Voice that the agent speaks with, passed on to it unchecked. Default: that of the persona
        "agent": NotRequired["Union[str, WebSocketAgent]"],  # Agent of the call: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the number
        "max_duration": NotRequired["float"],  # Maximum duration in minutes from the answer
        "precall_dtmf_sequence": NotRequired["str"],  # DTMF sent to the callee before it hears the agent: 0-9, *, #; w waits half a second
        "webhook": NotRequired["str"],  # URL that receives the result when the call has ended
        "calls": "List[CreateBatchBodyCallsItem]",  # The calls in dialling order, 1 to 1000
    },
)

CreateCallBody = TypedDict(
    "CreateCallBody",
    {
        "phone_number": "str",  # The called number, E.164
        "request_data": NotRequired["Dict[str, Any]"],  # Data for the agent, and variables for the trunk’s header mappings
        "metadata": NotRequired["Dict[str, Any]"],  # Your data, returned unchanged
        "from": "str",  # One of your numbers, with an outbound direction
        "task": "str",  # Instructions for the agent, which reads them with the call
        "tools": NotRequired["List[str]"],  # Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100. Knowledge bases add to those of the persona; ids of tools are passed to the agent unchecked
        "persona_id": NotRequired["str"],  # Id of the agent’s persona, which must have a live version. The call gets the version that is live when an edge takes it
        "pathway_id": NotRequired["str"],  # Pathway that the calls follow, which needs a live version unless `pathway_version` names one. Default: that of the persona
        "pathway_version": NotRequired["int"],  # Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins
        "voice": NotRequired["str"],  # Voice that the agent speaks with, passed on to it unchecked. Default: that of the persona
        "agent": NotRequired["Union[str, WebSocketAgent]"],  # Agent of the call: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the number
        "max_duration": NotRequired["float"],  # Maximum duration in minutes from the answer
        "precall_dtmf_sequence": NotRequired["str"],  # DTMF sent to the callee before it hears the agent: 0-9, *, #; w waits half a second
        "webhook": NotRequired["str"],  # URL that receives the result when the call has ended
        "scheduled_at": NotRequired["str"],  # Earliest time to dial, at most 30 days ahead
    },
)

CreateKeyBody = TypedDict(
    "CreateKeyBody",
    {
        "name": "str",  # Purpose of the key, 1–64 characters.
        "scopes": NotRequired["List[Literal[\"calls:listen\", \"trunks:read\", \"trunks:write\", \"porting:read\", \"porting:write\", \"personas:read\", \"personas:write\", \"pathways:read\", \"pathways:write\", \"calls:read\", \"calls:write\", \"knowledge:read\", \"knowledge:write\", \"contacts:read\", \"contacts:write\", \"agent-testing:read\", \"agent-testing:write\", \"alerts:read\", \"alerts:write\", \"webhooks:read\", \"webhooks:write\", \"noc:read\", \"noc:write\", \"usage:read\", \"usage:write\", \"keys:read\", \"keys:write\", \"members:read\", \"members:write\", \"organizations:read\", \"organizations:write\"]]"],  # Scopes of the key: an area with `read` or `write`, which includes `read`. Default: the scopes of the requesting key.
        "expires_at": NotRequired["str"],  # When the key expires. Default: when the requesting key expires.
    },
)

CreateKeyForOrganizationBody = TypedDict(
    "CreateKeyForOrganizationBody",
    {
        "name": "str",  # Purpose of the key, 1–64 characters.
        "scopes": NotRequired["List[Literal[\"calls:listen\", \"trunks:read\", \"trunks:write\", \"porting:read\", \"porting:write\", \"personas:read\", \"personas:write\", \"pathways:read\", \"pathways:write\", \"calls:read\", \"calls:write\", \"knowledge:read\", \"knowledge:write\", \"contacts:read\", \"contacts:write\", \"agent-testing:read\", \"agent-testing:write\", \"alerts:read\", \"alerts:write\", \"webhooks:read\", \"webhooks:write\", \"noc:read\", \"noc:write\", \"usage:read\", \"usage:write\", \"keys:read\", \"keys:write\", \"members:read\", \"members:write\", \"organizations:read\", \"organizations:write\"]]"],  # Scopes of the key: an area with `read` or `write`, which includes `read`. Default: the scopes of the requesting key.
        "expires_at": NotRequired["str"],  # When the key expires. Default: when the requesting key expires.
    },
)

CreateMaintenanceWindowBodySchedule1 = TypedDict(
    "CreateMaintenanceWindowBodySchedule1",
    {
        "type": "Literal[\"once\"]",  # One time
        "starts_at": "str",  # ISO 8601; without offset in `time_zone`
        "ends_at": "str",  # ISO 8601; without offset in `time_zone`. At most 30 days later
    },
)

CreateMaintenanceWindowBodySchedule2 = TypedDict(
    "CreateMaintenanceWindowBodySchedule2",
    {
        "type": "Literal[\"weekly\"]",  # Every week
        "weekdays": "List[Literal[\"monday\", \"tuesday\", \"wednesday\", \"thursday\", \"friday\", \"saturday\", \"sunday\"]]",  # Days on which it starts
        "start_time": "str",  # HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts
        "duration_minutes": "int",  # Elapsed minutes. Range 1–1440
    },
)

CreateMaintenanceWindowBody = TypedDict(
    "CreateMaintenanceWindowBody",
    {
        "name": "str",  # Name of the planned work, 1–100 characters
        "phone_number": NotRequired["Union[str, None]"],  # Only this number; null: not limited to a number
        "trunk_id": NotRequired["Union[str, None]"],  # Only numbers of this shared trunk; null: not limited to a trunk
        "kinds": NotRequired["List[Literal[\"unreachable\", \"failure_rate\", \"response_time\"]]"],  # Kinds of alerts that are not sent. Default all
        "time_zone": "str",  # IANA time zone of the schedule
        "schedule": "Union[CreateMaintenanceWindowBodySchedule1, CreateMaintenanceWindowBodySchedule2]",  # When the window is open
        "enabled": NotRequired["bool"],  # False: the window is ignored. Default true
    },
)

CreateOrganizationBodyLimits = TypedDict(
    "CreateOrganizationBodyLimits",
    {
        "concurrent_calls": NotRequired["Union[int, None]"],  # Concurrent calls on all edges together, 1–100,000; null: `DEMARC_ORGANIZATION_MAX_CALLS`.
        "calls_per_second": NotRequired["Union[int, None]"],  # New calls per second, 1–10,000; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`.
        "call_retention_days": NotRequired["Union[int, None]"],  # Days that call records are kept, 1–36500, no longer than `DEMARC_CALL_RETENTION_DAYS`; null: as long. A lower value deletes older records within the hour.
        "minutes_per_month": NotRequired["Union[int, None]"],  # Minutes of answered calls a calendar month (UTC). Calls above it are not refused; alert contacts are notified at 80 %. Null: none.
    },
)

CreateOrganizationBody = TypedDict(
    "CreateOrganizationBody",
    {
        "name": "Dict[str, Any]",  # Name, unique, 1–64 characters; it must not begin with `org_`.
        "sip_enabled": NotRequired["bool"],  # With the SIP entitlement. Default true.
        "region": NotRequired["str"],  # Key of `DEMARC_REGIONS`. Default: the first region.
        "limits": NotRequired["CreateOrganizationBodyLimits"],  # Limits in place of those of the service.
    },
)

CreatePathwayBody = TypedDict(
    "CreatePathwayBody",
    {
        "name": "str",  # Its name, at most 200 characters.
        "description": NotRequired["Union[str, None]"],  # Free text; null clears it.
        "document": "PathwayDocumentInput",  # What a conversation follows.
    },
)

CreatePersonaBody = TypedDict(
    "CreatePersonaBody",
    {
        "name": "str",  # Its name, at most 200 characters.
        "role": NotRequired["Union[str, None]"],  # Its role, free text; null clears it.
        "description": NotRequired["Union[str, None]"],  # Free text; null clears it.
        "tags": NotRequired["List[str]"],  # Your labels, at most 50.
        "metadata": NotRequired["Union[Dict[str, Any], None]"],  # Your data, returned unchanged; null clears it. At most 16384 octets of JSON.
        "kb_ids": NotRequired["List[str]"],  # Knowledge bases that the agent of a call may search, at most 50. UUIDs; `KB-…` ids of an earlier system are stored as the UUIDs that they resolve to.
        "orchestration_prompt": NotRequired["Union[str, None]"],  # What the agent does in a call; null clears it.
        "personality_prompt": NotRequired["Union[str, None]"],  # How the agent speaks; null clears it.
        "agent": NotRequired["Union[Union[str, WebSocketAgent], None]"],  # Agent of its calls, in place of the agent of the number: a SIP URI, a wss:// URL, or an object for a WebSocket server, whose omitted headers keep their values; null clears it.
        "pathway_id": NotRequired["Union[str, None]"],  # Pathway that the calls of the persona follow, which needs a live version unless `pathway_version` names one; null clears it. A number’s own pathway takes precedence.
        "pathway_version": NotRequired["Union[int, None]"],  # Number of the pathway’s version, also of a draft or fork, which no gate has tested; null: the version that is live when a call begins.
        "voice": NotRequired["Union[str, None]"],  # Voice that the agent speaks with, passed on to it unchecked as `X-Demarc-Voice`; null clears it.
    },
)

CreateSessionBody = TypedDict(
    "CreateSessionBody",
    {
        "api_key": "str",  # The API key.
    },
)

CreateTestMonitorBody = TypedDict(
    "CreateTestMonitorBody",
    {
        "name": "str",  # Name in the dashboard and in alerts, 1–100 characters.
        "scenario_id": "str",  # Scenario whose assertions judge the calls; how its caller behaves does not matter.
        "number": NotRequired["Union[str, None]"],  # Number of yours whose calls are judged, E.164; null: those of persona_id.
        "persona_id": NotRequired["Union[str, None]"],  # Persona whose numbers’ calls are judged; null: those of number.
        "share": NotRequired["float"],  # Share of the answered calls that is judged, above 0, at most 1. Default 0.1.
        "required_pass_rate": NotRequired["float"],  # It fails when the upper end of the 95 % interval of the latest calls is below this rate, above 0, at most 1. Default 0.8.
        "notify_contacts": NotRequired["bool"],  # Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.
        "enabled": NotRequired["bool"],  # False: it is paused. Default true.
    },
)

CreateTestScenarioBodyAgent = TypedDict(
    "CreateTestScenarioBodyAgent",
    {
        "url": NotRequired["str"],  # Base URL of an OpenAI-compatible interface, to which `/chat/completions` is added; for runs by text.
        "model": NotRequired["str"],  # Name that requests send as `model`. Default agent.
        "api_key": NotRequired["str"],  # Sent as bearer token; never returned. Omit it to keep the stored one.
        "sip_uri": NotRequired["str"],  # SIP URI that is called; for runs by voice.
    },
)

CreateTestScenarioBodyAssertionsItem1ConfigExamplesItem = TypedDict(
    "CreateTestScenarioBodyAssertionsItem1ConfigExamplesItem",
    {
        "conversation": "str",  # What was said, or the part that decides.
        "verdict": "str",  # The right verdict on it.
        "reasoning": NotRequired["str"],  # Why. Default: none.
    },
)

CreateTestScenarioBodyAssertionsItem1Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem1Config",
    {
        "prompt": "str",  # What the judge is asked about the conversation.
        "rubric": NotRequired["str"],  # When each verdict is to be given. Default: as the question says.
        "examples": NotRequired["List[CreateTestScenarioBodyAssertionsItem1ConfigExamplesItem]"],  # Conversations with the right verdict, at most 10. Default: none.
        "output_type": NotRequired["Literal[\"boolean\", \"score\", \"categorical\"]"],  # boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean.
        "pass_on_true": NotRequired["bool"],  # With boolean: whether true passes. Default true.
        "threshold": NotRequired["float"],  # With score: the lowest that passes. Default 0.7.
        "categories": NotRequired["List[str]"],  # With categorical: the possible answers, 2–20.
        "passing_categories": NotRequired["List[str]"],  # With categorical: the answers that pass; some of categories.
    },
)

CreateTestScenarioBodyAssertionsItem1 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem1",
    {
        "type": "Literal[\"LLM_JUDGE\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem1Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem2Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem2Config",
    {
        "threshold": NotRequired["float"],  # Lowest overall tone score that passes. Default 0.7.
    },
)

CreateTestScenarioBodyAssertionsItem2 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem2",
    {
        "type": "Literal[\"SERVICE_TONE\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem2Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem3Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem3Config",
    {
        "variable_name": "str",  # Variable that must have been extracted.
        "expected_value": NotRequired["Union[str, float, bool]"],  # Value that it must have; absent: any but an empty one.
        "match": NotRequired["Literal[\"exact\", \"case_insensitive\", \"contains\", \"regex\"]"],  # How the value is compared as text; contains ignores case; regex: expected_value is an RE2 pattern. Default case_insensitive.
    },
)

CreateTestScenarioBodyAssertionsItem3 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem3",
    {
        "type": "Literal[\"VARIABLE_EXTRACTED\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem3Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem4Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem4Config",
    {
        "node_id": "str",  # Node that the conversation must visit.
    },
)

CreateTestScenarioBodyAssertionsItem4 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem4",
    {
        "type": "Literal[\"NODE_REACHED\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem4Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem5Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem5Config",
    {
        "node_ids": "List[str]",  # Nodes of the pathway, at most 200.
        "mode": NotRequired["Literal[\"all\", \"any\"]"],  # Whether all of them must be visited, or any one. Default all.
    },
)

CreateTestScenarioBodyAssertionsItem5 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem5",
    {
        "type": "Literal[\"NODES_VISITED\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem5Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem6Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem6Config",
    {
        "url": NotRequired["str"],  # Only webhooks whose URL contains this text. Absent: any.
        "node_id": NotRequired["str"],  # Only webhooks of this node. Absent: any.
        "min_count": NotRequired["int"],  # Fewest calls of the webhook. Default 1.
        "must_succeed": NotRequired["bool"],  # True: only calls that got a 2xx answer count. Default false.
    },
)

CreateTestScenarioBodyAssertionsItem6 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem6",
    {
        "type": "Literal[\"WEBHOOK_TRIGGERED\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem6Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem7Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem7Config",
    {
        "pattern": "str",  # Regular expression in RE2 syntax: no look-around, no back-references; at most 10,000 instructions, which repetition counts multiply.
        "flags": NotRequired["str"],  # i: ignore case; m: ^ and $ match at lines; s: the dot matches line ends. Default none.
        "target": NotRequired["Literal[\"transcript\", \"agent\", \"caller\", \"variable\"]"],  # Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript.
        "variable_name": NotRequired["str"],  # Required when target is variable.
        "must_match": NotRequired["bool"],  # False: passes when nothing matches. Default true.
    },
)

CreateTestScenarioBodyAssertionsItem7 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem7",
    {
        "type": "Literal[\"REGEX_MATCH\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem7Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem8Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem8Config",
    {
        "value": "str",  # Text to compare with.
        "operator": NotRequired["Literal[\"equals\", \"contains\", \"not_contains\"]"],  # How the text is compared. Default contains.
        "case_sensitive": NotRequired["bool"],  # Whether upper and lower case differ. Default false.
        "target": NotRequired["Literal[\"transcript\", \"agent\", \"caller\", \"variable\"]"],  # Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript.
        "variable_name": NotRequired["str"],  # Required when target is variable.
    },
)

CreateTestScenarioBodyAssertionsItem8 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem8",
    {
        "type": "Literal[\"STRING_CHECK\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem8Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem9Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem9Config",
    {
        "system_prompt": "str",  # System prompt of the evaluating model.
        "model": NotRequired["str"],  # Model at the judge endpoint. Default: the configured judge.
        "temperature": NotRequired["float"],  # Temperature of the model, 0–2. Default 0.
        "output_type": NotRequired["Literal[\"boolean\", \"score\", \"categorical\"]"],  # boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean.
        "pass_on_true": NotRequired["bool"],  # With boolean: whether true passes. Default true.
        "threshold": NotRequired["float"],  # With score: the lowest that passes. Default 0.7.
        "categories": NotRequired["List[str]"],  # With categorical: the possible answers, 2–20.
        "passing_categories": NotRequired["List[str]"],  # With categorical: the answers that pass; some of categories.
    },
)

CreateTestScenarioBodyAssertionsItem9 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem9",
    {
        "type": "Literal[\"CUSTOM_LLM\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem9Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem10Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem10Config",
    {
        "reference_path": "List[str]",  # Nodes in the expected order, at most 500.
        "mode": NotRequired["Literal[\"exact\", \"subsequence\"]"],  # exact: other nodes between them lower the score; subsequence: they do not. Default exact.
        "threshold": NotRequired["float"],  # Lowest score that passes, from the longest common subsequence (LCS) of both paths: exact 2·LCS ÷ (lengths together), subsequence LCS ÷ length of the reference. Default 1.
    },
)

CreateTestScenarioBodyAssertionsItem10 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem10",
    {
        "type": "Literal[\"TRAVERSAL_MATCH\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem10Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem11Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem11Config",
    {
        "metric": "Literal[\"first_audio_ms\", \"mean_latency_ms\", \"p50_latency_ms\", \"p95_latency_ms\", \"maximum_latency_ms\", \"unanswered_turns\", \"interruptions\", \"barge_in_stop_ms\", \"longest_silence_ms\", \"silence_share\", \"talk_over_ms\", \"talk_over_share\", \"agent_talk_share\", \"agent_words_per_minute\", \"agent_loudness_dbov\", \"packets_lost\", \"jitter_ms\"]",  # What was measured in the call.
        "minimum": NotRequired["float"],  # Lowest value that passes.
        "maximum": NotRequired["float"],  # Highest value that passes.
    },
)

CreateTestScenarioBodyAssertionsItem11 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem11",
    {
        "type": "Literal[\"VOICE_METRIC\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem11Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem12Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem12Config",
    {
        "node_id": NotRequired["str"],  # Only calls of this webhook node, or of the tool of this name that an agent asks for or reports. Absent: any.
        "url": NotRequired["str"],  # Only calls whose URL contains this text. Absent: any.
        "arguments": NotRequired["List[TestArgument]"],  # What must hold for the arguments of a call so that it counts, at most 50. Default: nothing.
        "from_turn": NotRequired["int"],  # Only calls after this turn of the caller; 0: also before its first. Default 0.
        "to_turn": NotRequired["int"],  # Only calls until the answer to this turn of the caller. Default: to the end.
        "must_succeed": NotRequired["bool"],  # True: only calls that got a 2xx answer count. Default false.
        "min_count": NotRequired["int"],  # Fewest calls that count. Default 1.
        "max_count": NotRequired["int"],  # Most calls that count; 0 with min_count 0: none may. Default: no limit.
    },
)

CreateTestScenarioBodyAssertionsItem12 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem12",
    {
        "type": "Literal[\"TOOL_CALLED\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem12Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem13Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem13Config",
    {
        "node_ids": "List[str]",  # Webhook nodes, or names of tools that an agent asks for or reports, in the order of their calls, at most 100.
        "mode": NotRequired["Literal[\"subsequence\", \"exact\"]"],  # subsequence: other calls may come between them; exact: these calls and no others. Default subsequence.
    },
)

CreateTestScenarioBodyAssertionsItem13 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem13",
    {
        "type": "Literal[\"TOOL_ORDER\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem13Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem14Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem14Config",
    {
        "required": NotRequired["List[str]"],  # Phrases that must be said, at most 50. Case, punctuation and spaces do not matter.
        "forbidden": NotRequired["List[str]"],  # Phrases that must not be said, at most 50.
        "target": NotRequired["Literal[\"agent\", \"caller\", \"transcript\"]"],  # Whose lines are read; transcript: both. Default agent.
    },
)

CreateTestScenarioBodyAssertionsItem14 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem14",
    {
        "type": "Literal[\"PHRASES\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem14Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem15Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem15Config",
    {
        "percentile": NotRequired["float"],  # Percentile of the latencies, 1–100; 100: the highest. Default 95.
        "maximum_ms": "int",  # Highest value of it that passes, in milliseconds.
    },
)

CreateTestScenarioBodyAssertionsItem15 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem15",
    {
        "type": "Literal[\"LATENCY\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem15Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBodyAssertionsItem16Config = TypedDict(
    "CreateTestScenarioBodyAssertionsItem16Config",
    {
        "ended_by": NotRequired["Literal[\"any\", \"agent\", \"caller\", \"test\"]"],  # Who must end the conversation, as in `ending` of a run. Default any.
        "transfer": NotRequired["Literal[\"any\", \"required\", \"none\"]"],  # Whether the agent must transfer the caller, or must not. Default any.
        "transfer_to": NotRequired["str"],  # Number or SIP URI that the caller must be transferred to. Default: any.
    },
)

CreateTestScenarioBodyAssertionsItem16 = TypedDict(
    "CreateTestScenarioBodyAssertionsItem16",
    {
        "type": "Literal[\"CALL_OUTCOME\"]",  # Type of the assertion.
        "config": "CreateTestScenarioBodyAssertionsItem16Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

CreateTestScenarioBody = TypedDict(
    "CreateTestScenarioBody",
    {
        "name": "str",  # Its name, at most 200 characters, unique among the scenarios of its target.
        "pathway_id": NotRequired["Union[str, None]"],  # Pathway under test.
        "persona_id": NotRequired["Union[str, None]"],  # Persona under test.
        "agent": NotRequired["Union[CreateTestScenarioBodyAgent, None]"],  # Agent under test at its own address.
        "description": NotRequired["Union[str, None]"],  # Free text; null: none.
        "category": NotRequired["Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]"],  # Kind of caller. Default CUSTOM.
        "scenario_type": NotRequired["Literal[\"AGENT\", \"REPLAY\", \"HISTORICAL\"]"],  # AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT.
        "channel": NotRequired["Literal[\"text\", \"voice\"]"],  # How it is run unless the run says otherwise: text or voice (a real call). Default text.
        "tester_persona_prompt": NotRequired["str"],  # How the simulated caller behaves and what it wants; required with AGENT.
        "tester_persona_name": NotRequired["Union[str, None]"],  # Name of the simulated caller; null: none.
        "first_speaker": NotRequired["Union[Literal[\"agent\", \"caller\"], None]"],  # Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL.
        "max_turns": NotRequired["int"],  # Most turns of the caller. Default 20, range 1–50.
        "request_data": NotRequired["Dict[str, Any]"],  # Variables that the conversation begins with, as in `request_data` of a call.
        "start_node_id": NotRequired["Union[str, None]"],  # Node that the conversation begins at; null: the start node of the pathway.
        "service_tone_enabled": NotRequired["bool"],  # Whether runs get a tone score. Default false.
        "is_required_for_promotion": NotRequired["bool"],  # Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false.
        "promotion_runs": NotRequired["int"],  # How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50.
        "required_pass_rate": NotRequired["float"],  # Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95.
        "enabled": NotRequired["bool"],  # False: gates and tornado skip it. Default true.
        "input_messages": NotRequired["List[TestChatLineInput]"],  # Recorded conversation for REPLAY and HISTORICAL, at most 200 lines.
        "advanced_instructions": NotRequired["Union[str, None]"],  # Further instructions for the simulated caller; null: none.
        "webhook_mocks": NotRequired["List[TestWebhookMockInput]"],  # Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used.
        "voice": NotRequired["Union[TestVoiceSettingsInput, None]"],  # How it is run as a call; null: the defaults.
        "metadata": NotRequired["Dict[str, Any]"],  # Your data, returned unchanged.
        "assertions": NotRequired["List[Union[CreateTestScenarioBodyAssertionsItem1, CreateTestScenarioBodyAssertionsItem2, CreateTestScenarioBodyAssertionsItem3, CreateTestScenarioBodyAssertionsItem4, CreateTestScenarioBodyAssertionsItem5, CreateTestScenarioBodyAssertionsItem6, CreateTestScenarioBodyAssertionsItem7, CreateTestScenarioBodyAssertionsItem8, CreateTestScenarioBodyAssertionsItem9, CreateTestScenarioBodyAssertionsItem10, CreateTestScenarioBodyAssertionsItem11, CreateTestScenarioBodyAssertionsItem12, CreateTestScenarioBodyAssertionsItem13, CreateTestScenarioBodyAssertionsItem14, CreateTestScenarioBodyAssertionsItem15, CreateTestScenarioBodyAssertionsItem16]]"],  # What must hold after the conversation, at most 50.
    },
)

CreateTestScenarioFromRunBody = Union["Union[Dict[str, Any], None]"]

CreateTestScheduleBodyMatrix = TypedDict(
    "CreateTestScheduleBodyMatrix",
    {
        "fields": "Dict[str, List[Any]]",  # Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default.
        "sample": NotRequired["int"],  # Runs only so many combinations, drawn by seed. Default: all.
        "seed": NotRequired["int"],  # The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1.
    },
)

CreateTestScheduleBodyRecurrence1 = TypedDict(
    "CreateTestScheduleBodyRecurrence1",
    {
        "type": "Literal[\"interval\"]",  # At regular intervals
        "minutes": "int",  # Minutes between two starts. Range 15–10080.
    },
)

CreateTestScheduleBodyRecurrence2 = TypedDict(
    "CreateTestScheduleBodyRecurrence2",
    {
        "type": "Literal[\"daily\"]",  # Once a day
        "time": "str",  # HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts.
        "time_zone": "str",  # IANA time zone of `time`.
    },
)

CreateTestScheduleBodyBudget = TypedDict(
    "CreateTestScheduleBodyBudget",
    {
        "period": NotRequired["Literal[\"day\", \"week\", \"month\"]"],  # Period in UTC, a week from Monday. Default month.
        "tokens": NotRequired["Union[int, None]"],  # Tokens that its runs of a period may take; null (default): no limit.
        "cost": NotRequired["Union[float, None]"],  # What its runs of a period may cost, in the currency of your organization; null (default): no limit.
    },
)

CreateTestScheduleBody = TypedDict(
    "CreateTestScheduleBody",
    {
        "name": "str",  # Name in the dashboard and in alerts, 1–100 characters.
        "scenario_ids": "List[str]",  # Scenarios to run, at most 50.
        "simulations_per_scenario": NotRequired["int"],  # Runs of each scenario, with a matrix of each of its combinations, 1–100. Default 5.
        "version": NotRequired["Literal[\"live\", \"draft\"]"],  # Version of the pathways or personas that runs test: `live`, or `draft`: the draft if there is one, else the live version. Default live.
        "channel": NotRequired["Union[Literal[\"text\", \"voice\"], None]"],  # text or voice; null: that of each scenario. Default null.
        "matrix": NotRequired["Union[CreateTestScheduleBodyMatrix, None]"],  # Fields of the scenarios that are varied; null: they run as they are. Default null.
        "recurrence": "Union[CreateTestScheduleBodyRecurrence1, CreateTestScheduleBodyRecurrence2]",  # When its runs are started.
        "required_pass_rate": NotRequired["float"],  # Share of the runs of each scenario that must pass, above 0, at most 1; runs that could not be judged do not count. Default 0.8.
        "notify_contacts": NotRequired["bool"],  # Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.
        "budget": NotRequired["Union[CreateTestScheduleBodyBudget, None]"],  # What all its runs of a period may take. Once it is used up, no runs are started until the period ends, and the schedule is `failing`; runs in progress end in ERROR. Null (default): none.
        "enabled": NotRequired["bool"],  # False: it is paused. Default true.
    },
)

CreateTrunkBodyInboundLimits = TypedDict(
    "CreateTrunkBodyInboundLimits",
    {
        "concurrent_calls": NotRequired["int"],  # Maximum concurrent calls of the number, both directions together.
        "calls_per_second": NotRequired["float"],  # Maximum new calls per second.
        "max_duration_seconds": NotRequired["int"],  # Seconds from the answer after which the call is ended.
    },
)

CreateTrunkBodyInboundTransferConfig = TypedDict(
    "CreateTrunkBodyInboundTransferConfig",
    {
        "mode": "Literal[\"refer\", \"bridge\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "fallback": NotRequired["bool"],  # True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false.
        "allowed_targets": NotRequired["List[str]"],  # Allowed transfer targets: prefixes of E.164 numbers, and hosts.
    },
)

CreateTrunkBodyInbound = TypedDict(
    "CreateTrunkBodyInbound",
    {
        "codec_config": NotRequired["Union[CodecSettings, None]"],  # Codecs of the direction; null: the default ones.
        "alert_config": NotRequired["Union[AlertSettings, None]"],  # Thresholds and channels of alerts; null: not configured.
        "limits": NotRequired["Union[CreateTrunkBodyInboundLimits, None]"],  # Demarc extension
        "transfer_config": NotRequired["Union[CreateTrunkBodyInboundTransferConfig, None]"],  # Demarc extension
    },
)

CreateTrunkBodyOutboundLimits = TypedDict(
    "CreateTrunkBodyOutboundLimits",
    {
        "concurrent_calls": NotRequired["int"],  # Maximum concurrent calls of the number, both directions together.
        "calls_per_second": NotRequired["float"],  # Maximum new calls per second.
        "max_duration_seconds": NotRequired["int"],  # Seconds from the answer after which the call is ended.
    },
)

CreateTrunkBodyOutboundTransferConfig = TypedDict(
    "CreateTrunkBodyOutboundTransferConfig",
    {
        "mode": "Literal[\"refer\", \"bridge\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "fallback": NotRequired["bool"],  # True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false.
        "allowed_targets": NotRequired["List[str]"],  # Allowed transfer targets: prefixes of E.164 numbers, and hosts.
    },
)

CreateTrunkBodyOutbound = TypedDict(
    "CreateTrunkBodyOutbound",
    {
        "failover_config": NotRequired["Union[FailoverSettings, None]"],  # Backup servers of the outbound direction; null: none.
        "codec_config": NotRequired["Union[CodecSettings, None]"],  # Codecs of the direction; null: the default ones.
        "alert_config": NotRequired["Union[AlertSettings, None]"],  # Thresholds and channels of alerts; null: not configured.
        "limits": NotRequired["Union[CreateTrunkBodyOutboundLimits, None]"],  # Demarc extension
        "transfer_config": NotRequired["Union[CreateTrunkBodyOutboundTransferConfig, None]"],  # Demarc extension
    },
)

CreateTrunkBody = TypedDict(
    "CreateTrunkBody",
    {
        "name": NotRequired["str"],  # Free text, at most 200 characters
        "directions": "List[Union[InboundDirection, OutboundDirection]]",  # As in POST /v1/sip/attach. In a PATCH the list replaces the current one; a password sent as [redacted] keeps its value
        "inbound": NotRequired["CreateTrunkBodyInbound"],  # Codecs, alerts, limits and transfers of calls to the numbers; null clears a section
        "outbound": NotRequired["CreateTrunkBodyOutbound"],  # Failover, codecs, alerts, limits and transfers of calls from the numbers; null clears a section
    },
)

CreateWebhookBody = TypedDict(
    "CreateWebhookBody",
    {
        "url": "str",  # URL that receives the events
        "description": NotRequired["str"],  # Free text, at most 200 characters
        "events": NotRequired["List[Literal[\"*\", \"call.*\", \"trunk.*\", \"registration.*\", \"alert.*\", \"port.*\", \"usage.*\", \"persona.*\", \"pathway.*\", \"agent_test.*\", \"webhook.*\", \"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\"]]"],  # Events to send: types, areas (call.*), or * for all. Default *
        "enabled": NotRequired["bool"],  # False: disabled. Default true
    },
)

DetachNumberBodyDirectionsItem = TypedDict(
    "DetachNumberBodyDirectionsItem",
    {
        "type": "Literal[\"inbound\", \"outbound\"]",  # Direction.
        "id": NotRequired["str"],  # Remove only this configuration of the direction
    },
)

DetachNumberBody = TypedDict(
    "DetachNumberBody",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "directions": "List[DetachNumberBodyDirectionsItem]",  # Directions of the number.
        "service": NotRequired["Literal[\"sip\"]"],  # Always `sip`.
    },
)

DetachNumbersBodyDirectionsItem = TypedDict(
    "DetachNumbersBodyDirectionsItem",
    {
        "type": "Literal[\"inbound\", \"outbound\"]",  # Direction.
        "id": NotRequired["str"],  # Remove only this configuration of the direction
    },
)

DetachNumbersBody = TypedDict(
    "DetachNumbersBody",
    {
        "directions": "List[DetachNumbersBodyDirectionsItem]",  # Directions of the number.
        "service": NotRequired["Literal[\"sip\"]"],  # Always `sip`.
        "phone_numbers": "List[str]",  # Your numbers, E.164 with +. At most 100.
    },
)

DetachPathwayNumbersBody = TypedDict(
    "DetachPathwayNumbersBody",
    {
        "inbound_numbers": "List[str]",  # Your numbers, E.164; at most 100.
    },
)

DetachPersonaNumbersBody = TypedDict(
    "DetachPersonaNumbersBody",
    {
        "inbound_numbers": "List[str]",  # Your numbers, E.164; at most 100.
    },
)

EstimateTestTokensBody = TypedDict(
    "EstimateTestTokensBody",
    {
        "scenario_ids": "List[str]",  # Scenarios, at most 100.
        "runs_per_scenario": NotRequired["int"],  # Runs of each scenario, 1–1,000. Default 1.
        "channel": NotRequired["Literal[\"text\", \"voice\"]"],  # text or voice. Default: that of each scenario.
    },
)

FailBackBody = TypedDict(
    "FailBackBody",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
    },
)

FindContactBody = TypedDict(
    "FindContactBody",
    {
        "phone_number": NotRequired["str"],  # E.164 with +, such as +14155550100.
        "email": NotRequired["str"],  # Email address; case is ignored.
        "external_id": NotRequired["str"],  # Id of the contact in your own system.
    },
)

ForkPathwayVersionBody = TypedDict(
    "ForkPathwayVersionBody",
    {
        "note": NotRequired["str"],  # Why you copy it.
    },
)

ForkPathwayVersionBody = Union["Union[ForkPathwayVersionBody, None]"]

GenerateTestScenarioBody = TypedDict(
    "GenerateTestScenarioBody",
    {
        "call_id": "str",  # Id of a call; the agent gets it as `X-Demarc-Call-ID`.
        "pathway_id": NotRequired["Union[str, None]"],  # Pathway under test.
        "persona_id": NotRequired["Union[str, None]"],  # Persona under test.
        "transcript": NotRequired["List[TestChatLineInput]"],  # What was said in the call. Default: the messages that the agent of the call stored in the memory of the contact.
    },
)

GenerateTestScenariosFromCallsBody = TypedDict(
    "GenerateTestScenariosFromCallsBody",
    {
        "number": NotRequired["str"],  # Number of yours whose answered calls are read, newest first. Default: the numbers of persona_id.
        "call_ids": NotRequired["List[str]"],  # Calls that are read in place of those of a number, at most 50.
        "pathway_id": NotRequired["Union[str, None]"],  # Pathway that the scenarios test. Default: not chosen.
        "persona_id": NotRequired["Union[str, None]"],  # Persona that the scenarios test. Default: not chosen.
        "days": NotRequired["int"],  # Days back from now in which the calls ended. Default 7, range 1–90.
        "maximum_scenarios": NotRequired["int"],  # Most scenarios of the suite. Default 10, range 1–50.
    },
)

GenerateTestScenariosFromPersonaBody = TypedDict(
    "GenerateTestScenariosFromPersonaBody",
    {
        "persona_id": "str",  # Persona whose prompts and knowledge are tested.
        "version_number": NotRequired["int"],  # Version of the pathway or persona. Default: the draft if there is one, else the live version.
        "maximum_scenarios": NotRequired["int"],  # Most scenarios of the suite. Default 10, range 1–50.
    },
)

GetCallAnswer = OrderedCallDetail

HoldCallBody = TypedDict(
    "HoldCallBody",
    {
        "music": NotRequired["bool"],  # False plays silence instead of music. Default true.
    },
)

InitiatePortBodyLosingCarrierInformationAddress = TypedDict(
    "InitiatePortBodyLosingCarrierInformationAddress",
    {
        "street": "str",  # Street and house number.
        "street2": NotRequired["str"],  # Floor, suite or apartment.
        "city": "str",  # City.
        "state": "str",  # State or province, written as the losing carrier writes it.
        "zip": "str",  # Postal code.
        "country": "Dict[str, Any]",  # ISO 3166-1 alpha-2 code of the country.
    },
)

InitiatePortBodyLosingCarrierInformation = TypedDict(
    "InitiatePortBodyLosingCarrierInformation",
    {
        "customer_type": "Literal[\"business\", \"personal\"]",  # Kind of account at the losing carrier.
        "business_name": NotRequired["str"],  # Name of the business on the bill. Required for customer_type business.
        "first_name": "str",  # First name of the authorized representative.
        "last_name": "str",  # Last name of the authorized representative.
        "account_number": NotRequired["str"],  # Account number at the losing carrier. Required if a PIN is required.
        "authorized_representative_email": "str",  # Where the Letter of Authorization is sent for signature.
        "notification_emails": NotRequired["List[str]"],  # Addresses notified of each change of state. At most 10.
        "address": "InitiatePortBodyLosingCarrierInformationAddress",  # Service address in the records of the losing carrier.
    },
)

InitiatePortBody = TypedDict(
    "InitiatePortBody",
    {
        "phone_numbers": "List[str]",  # Numbers to port, E.164 with +. 1–100.
        "pin": NotRequired["str"],  # Port-out PIN of the losing carrier, if it requires one. Never returned.
        "losing_carrier_information": "InitiatePortBodyLosingCarrierInformation",  # The account at the losing carrier; it must match the carrier’s records.
        "target_port_date": NotRequired["str"],  # When the numbers move: at least 7 days ahead, counted in the carrier’s time zone. Default: the earliest day.
        "documents": "List[str]",  # document_sid of bills or invoices with account name and service address. 1–10.
    },
)

InviteMemberBody = TypedDict(
    "InviteMemberBody",
    {
        "email": "str",  # Email address.
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
    },
)

InviteMemberForOrganizationBody = TypedDict(
    "InviteMemberForOrganizationBody",
    {
        "email": "str",  # Email address.
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
    },
)

JudgeTestRunBody = Union["Union[Dict[str, Any], None]"]

LearnKnowledgeBody = TypedDict(
    "LearnKnowledgeBody",
    {
        "type": NotRequired["Literal[\"text\"]"],  # Must be text.
        "name": "str",  # Its name.
        "description": NotRequired["str"],  # What the text is about.
        "text": "str",  # The text, at most 1 MB (1,048,576 octets in UTF-8); Markdown headings are understood.
    },
)

LookUpInvitationBody = TypedDict(
    "LookUpInvitationBody",
    {
        "token": "str",  # The part of the link after #
    },
)

MergeContactsBody = TypedDict(
    "MergeContactsBody",
    {
        "primary_contact_id": "str",  # The contact that stays.
        "duplicate_contact_id": "str",  # The contact that goes into it.
    },
)

MovePortBody = TypedDict(
    "MovePortBody",
    {
        "move": "Literal[\"sign\", \"progress\", \"complete\", \"fail\", \"cancel\"]",  # sign: signed on paper; progress: the losing carrier works on it; complete: ported; fail: refused; cancel.
        "reason": "str",  # Why; customers read it.
        "phone_numbers": NotRequired["List[str]"],  # Numbers that move. Default: all of the request.
    },
)

ParseCertificatesBody = TypedDict(
    "ParseCertificatesBody",
    {
        "pem": "str",  # One or more certificates in PEM
    },
)

ParseDestinationBody = TypedDict(
    "ParseDestinationBody",
    {
        "input": "str",  # A destination in any supported notation.
    },
)

PlayToCallBody = TypedDict(
    "PlayToCallBody",
    {
        "url": "str",  # WAV (16-bit linear or G.711, 8 to 192 kHz) or μ-law (`audio/basic`), at most 4 MiB, received within 5 s. `http://` and private addresses require `DEMARC_STREAM_ALLOW_PRIVATE`.
    },
)

PromotePathwayBody = TypedDict(
    "PromotePathwayBody",
    {
        "version_number": NotRequired["int"],  # Number of the version. Default: the draft.
    },
)

PromotePathwayBody = Union["Union[PromotePathwayBody, None]"]

PromotePersonaBody = Union["Union[Dict[str, Any], None]"]

ProveNumbersBody = TypedDict(
    "ProveNumbersBody",
    {
        "organization_id": "str",  # Organization that owns the numbers.
        "phone_numbers": "List[str]",  # Numbers, E.164 with +. At most 100.
    },
)

ReadSharedCallBody = TypedDict(
    "ReadSharedCallBody",
    {
        "token": "str",  # The part of the link after #
    },
)

ReplacePathwayDocumentBody = TypedDict(
    "ReplacePathwayDocumentBody",
    {
        "document": "PathwayDocumentInput",  # What a conversation follows.
        "revision": NotRequired["int"],  # The revision that you changed; if it is no longer the present one, the request is refused. Default: not checked.
    },
)

ReplayFailedDeliveriesBody = TypedDict(
    "ReplayFailedDeliveriesBody",
    {
        "created_after": "str",  # Only deliveries created at or after this time
        "created_before": NotRequired["str"],  # Only deliveries created before this time. Default: now
        "event": NotRequired["Literal[\"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\", \"webhook.test\", \"alert.test\", \"call.lost\", \"port.signature_request\", \"port.signed_copy\", \"agent_test.run_completed\", \"agent_test.batch_completed\", \"agent_test.simulation_set_completed\", \"agent_test.load_test_completed\"]"],  # Only with this event type
    },
)

RequestPasswordResetBody = TypedDict(
    "RequestPasswordResetBody",
    {
        "email": "str",  # Email address.
    },
)

ResolveContactBody = TypedDict(
    "ResolveContactBody",
    {
        "phone_number": NotRequired["str"],  # E.164 with +, such as +14155550100.
        "email": NotRequired["str"],  # Email address; case is ignored.
        "external_id": NotRequired["str"],  # Id of the contact in your own system.
        "name": NotRequired["str"],  # Its name.
        "persona_id": NotRequired["str"],  # Creates the memory of this persona.
        "agent_number": NotRequired["str"],  # Creates the memory of the agent of this number, E.164 with +.
        "metadata": NotRequired["Dict[str, Any]"],  # Your own data; merged into what is there, null removes a field. At most 16384 octets of JSON.
    },
)

RunTestBatchBody = TypedDict(
    "RunTestBatchBody",
    {
        "scenario_ids": "List[str]",  # Scenarios to run, at most 100.
        "version_number": NotRequired["int"],  # Version of the pathway or persona. Default: the draft if there is one, else the live version.
        "channel": NotRequired["Literal[\"text\", \"voice\"]"],  # text or voice. Default: that of each scenario.
        "request_data_override": NotRequired["Dict[str, Any]"],  # Replaces single fields of request_data of each scenario.
        "webhook_url": NotRequired["str"],  # Gets the batch when all runs have ended, signed.
        "token_budget": NotRequired["int"],  # Tokens that its runs together may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts.
        "cost_budget": NotRequired["float"],  # What its runs together may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts.
        "trigger_source": NotRequired["Literal[\"api\", \"dashboard\", \"ci\"]"],  # What starts it: api, dashboard or ci. Default api.
    },
)

RunTestScenarioBody = TypedDict(
    "RunTestScenarioBody",
    {
        "version_number": NotRequired["int"],  # Version of the pathway or persona. Default: the draft if there is one, else the live version.
        "channel": NotRequired["Literal[\"text\", \"voice\"]"],  # text or voice. Default: that of the scenario.
        "call_id": NotRequired["str"],  # Ended call of yours to judge with the assertions of the scenario, in place of a conversation. Its agent must have stored messages of it in the memory of a contact.
        "request_data_override": NotRequired["Dict[str, Any]"],  # Replaces single fields of request_data of the scenario.
        "webhook_url": NotRequired["str"],  # Gets the run when it has ended, signed.
        "token_budget": NotRequired["int"],  # Tokens that the run may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts.
        "cost_budget": NotRequired["float"],  # What the run may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts.
        "trigger_source": NotRequired["Literal[\"api\", \"dashboard\", \"ci\"]"],  # What starts it: api, dashboard or ci. Default api.
    },
)

SearchKnowledgeBody = TypedDict(
    "SearchKnowledgeBody",
    {
        "query": "str",  # The question, in plain words.
        "knowledge_base_ids": NotRequired["List[str]"],  # Knowledge bases to search. Default: all of the organization; with a call token, all of the call.
        "limit": NotRequired["int"],  # Maximum passages. Default 5, range 1–50.
    },
)

SendDigitsBody = TypedDict(
    "SendDigitsBody",
    {
        "digits": "str",  # 0-9, *, #; w waits half a second. 1 to 64 characters.
    },
)

SetPasswordBody = TypedDict(
    "SetPasswordBody",
    {
        "token": "str",  # The part of the link after #
        "password": "str",  # The password, 12–256 characters.
    },
)

SetTestBudgetBody = TypedDict(
    "SetTestBudgetBody",
    {
        "tokens_per_day": "Union[int, None]",  # Tokens per day in UTC; null: no limit of your own.
        "tokens_per_month": "Union[int, None]",  # Tokens per month in UTC; null: no limit of your own.
        "tokens_per_run": NotRequired["Union[int, None]"],  # Tokens that one run may take; null (default): no limit.
        "tokens_per_set": NotRequired["Union[int, None]"],  # Tokens that the runs of a batch or simulation set together may take; null (default): no limit.
        "tokens_per_gate": NotRequired["Union[int, None]"],  # Tokens that the runs of a promotion together may take; null (default): no limit.
        "cost_per_day": NotRequired["Union[float, None]"],  # What all tests of a day (UTC) may cost, in `currency`; null (default): no limit.
        "cost_per_month": NotRequired["Union[float, None]"],  # What all tests of a month (UTC) may cost, in `currency`; null (default): no limit.
        "cost_per_run": NotRequired["Union[float, None]"],  # What one run may cost, in `currency`; null (default): no limit.
        "cost_per_set": NotRequired["Union[float, None]"],  # What the runs of a batch or simulation set together may cost, in `currency`; null (default): no limit.
        "cost_per_gate": NotRequired["Union[float, None]"],  # What the runs of a promotion together may cost, in `currency`; null (default): no limit.
    },
)

SetTestLabelsBodyLabelsItem = TypedDict(
    "SetTestLabelsBodyLabelsItem",
    {
        "assertion_id": "str",  # Id of the assertion.
        "passed": "Union[bool, None]",  # Whether it passes in your opinion; null removes the label.
        "note": NotRequired["Union[str, None]"],  # Why; null: no note.
    },
)

SetTestLabelsBody = TypedDict(
    "SetTestLabelsBody",
    {
        "labels": "List[SetTestLabelsBodyLabelsItem]",  # Labels to set, 1–50. Others stay.
    },
)

SetTestPricesBody = TypedDict(
    "SetTestPricesBody",
    {
        "currency": "str",  # Currency of ISO 4217 of these prices and of all budgets in money. The service’s prices count where it is theirs.
        "models": "List[TestModelPriceInput]",  # Prices by model, at most 100: those of the service, and of agents at their own URL.
    },
)

ShareCallBody = TypedDict(
    "ShareCallBody",
    {
        "expires_in_hours": NotRequired["int"],  # Hours until the link expires. Default 168, range 1–720.
    },
)

SignInBody = TypedDict(
    "SignInBody",
    {
        "email": "str",  # Email address.
        "password": "str",  # The password; stored passwords read `[redacted]`.
    },
)

StartDiscoveryBody = TypedDict(
    "StartDiscoveryBody",
    {
        "host": "str",  # Host name, address or SIP URI
        "port": NotRequired["int"],  # Port, 1–65535.
        "transport": NotRequired["Literal[\"udp\", \"tcp\", \"tls\"]"],  # SIP transport: udp, tcp or tls.
        "tls_ca": NotRequired["str"],  # PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls
    },
)

StartLoadTestBody = TypedDict(
    "StartLoadTestBody",
    {
        "scenario_ids": "List[str]",  # Scenarios that the callers take in turn, at most 50.
        "concurrency": NotRequired["List[int]"],  # Callers at once in each step, ascending, at most 20 steps of 1–500. Omit it with maximum_concurrency.
        "maximum_concurrency": NotRequired["int"],  # Callers at once in the last step, in place of concurrency.
        "concurrency_step": NotRequired["int"],  # With maximum_concurrency: how many callers each step adds. Default: a fifth of maximum_concurrency.
        "callers_per_step": NotRequired["int"],  # Callers of each step in all, 1–500: as soon as one ends, the next one begins. Default: twice its concurrency, at least 20.
        "seconds_per_step": NotRequired["int"],  # Seconds in which callers of a step begin, 5–600, in place of callers_per_step; at most 500 callers.
        "version_number": NotRequired["int"],  # Version of the pathway or persona. Default: the draft if there is one, else the live version.
        "channel": NotRequired["Literal[\"text\", \"voice\"]"],  # text or voice. Default: that of each scenario.
        "required_success_rate": NotRequired["float"],  # The agent breaks at the first step whose success rate is lower with 95 % certainty: the upper end of its Wilson interval is below this. 0.05–1. Default 0.9.
        "maximum_latency_ms": NotRequired["int"],  # The agent also breaks at the first step in which the 95th percentile of its latencies is higher. Default: latencies break nothing.
        "stop_below": NotRequired["float"],  # The load test stops after a step with a lower success rate, 0–1; 0 runs all steps. Default: it stops after the step at which the agent breaks.
        "webhook_url": NotRequired["str"],  # Gets the load test when it has ended, signed.
        "token_budget": NotRequired["int"],  # Tokens that its callers together may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts.
        "cost_budget": NotRequired["float"],  # What its callers together may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts.
    },
)

StartSimulationSetBodyMatrix = TypedDict(
    "StartSimulationSetBodyMatrix",
    {
        "fields": "Dict[str, List[Any]]",  # Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default.
        "sample": NotRequired["int"],  # Runs only so many combinations, drawn by seed. Default: all.
        "seed": NotRequired["int"],  # The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1.
    },
)

StartSimulationSetBody = TypedDict(
    "StartSimulationSetBody",
    {
        "scenario_ids": "List[str]",  # Scenarios to run, at most 50.
        "simulations_per_scenario": "int",  # Runs of each scenario, with a matrix of each of its combinations, 1–100.
        "pathway_id": NotRequired["str"],  # Pathway of all scenarios.
        "persona_id": NotRequired["str"],  # Persona of all scenarios.
        "version_number": NotRequired["int"],  # Version of the pathway or persona. Default: the draft if there is one, else the live version.
        "channel": NotRequired["Literal[\"text\", \"voice\"]"],  # text or voice. Default: that of each scenario.
        "matrix": NotRequired["StartSimulationSetBodyMatrix"],  # Fields of the scenarios that are varied. Default: they run as they are.
        "webhook_url": NotRequired["str"],  # Gets the set when all runs have ended, signed.
        "token_budget": NotRequired["int"],  # Tokens that its runs together may take. Default: the limit of your organization (`PUT /v1/agent-testing/budget`); the lower one counts.
        "cost_budget": NotRequired["float"],  # What its runs together may cost, in the currency of your organization (`GET /v1/agent-testing/prices`). Each model needs a price in it. Default: the limit of your organization; the lower one counts.
        "trigger_source": NotRequired["Literal[\"api\", \"dashboard\", \"ci\"]"],  # What starts it: api, dashboard or ci. Default api.
    },
)

StartTestCallBody = TypedDict(
    "StartTestCallBody",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
    },
)

StartTornadoBody = TypedDict(
    "StartTornadoBody",
    {
        "pathway_id": "str",  # Pathway to improve.
        "persona_id": NotRequired["str"],  # Not accepted: scenarios of a persona do not depend on a pathway, so that no fix changes them.
        "scenario_ids": NotRequired["List[str]"],  # Scenarios that must pass, at most 50. Default: all enabled ones.
        "version_number": NotRequired["int"],  # Version of the pathway or persona. Default: the draft if there is one, else the live version.
        "max_iterations": NotRequired["int"],  # Most iterations. Default 5, range 1–20.
        "runs_per_scenario": NotRequired["int"],  # Runs of each scenario in each iteration. Default 5, range 1–20.
        "required_pass_rate": NotRequired["float"],  # A scenario passes when the lower end of the 95 % interval of its pass rate reaches it: with 5 runs and 0.5 all must pass. Default 0.5, range 0–0.8.
        "timeout_ms": NotRequired["int"],  # Milliseconds until the session ends in TIMEOUT. Default 900,000, range 1,000–7,200,000.
    },
)

StartWarmTransferBody = TypedDict(
    "StartWarmTransferBody",
    {
        "target": "str",  # An E.164 number with +, or a SIP URI
    },
)

StopBatchBody = TypedDict(
    "StopBatchBody",
    {
        "end_calls": NotRequired["bool"],  # Also end active calls. Default false
    },
)

SwitchOrganizationBody = TypedDict(
    "SwitchOrganizationBody",
    {
        "organization_id": "str",  # One of `organizations`
    },
)

TestAlertContactBody = TypedDict(
    "TestAlertContactBody",
    {
        "email": NotRequired["str"],  # True: by email.
        "phone_number": NotRequired["str"],  # E.164 with +, such as +14155550100.
    },
)

TestAlertsBody = TypedDict(
    "TestAlertsBody",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "direction": "Literal[\"inbound\", \"outbound\"]",  # `inbound`: to the number; `outbound`: from the number.
    },
)

TransferCallBody = TypedDict(
    "TransferCallBody",
    {
        "target": "str",  # An E.164 number with +, or a SIP URI
        "mode": NotRequired["Literal[\"refer\", \"bridge\"]"],  # Overrides the number's setting
    },
)

UndoTornadoFixBody = Union["Union[Dict[str, Any], None]"]

UpdateAgentBody = TypedDict(
    "UpdateAgentBody",
    {
        "tools": NotRequired["List[str]"],  # Ids of knowledge bases (UUIDs) and of tools, in any order; at most 100.
        "metadata": NotRequired["Union[Dict[str, Any], None]"],  # Your data, returned unchanged; null clears it. At most 16384 octets of JSON.
    },
)

UpdateAlertBody = TypedDict(
    "UpdateAlertBody",
    {
        "acknowledged": NotRequired["bool"],  # True: you handle it; your name, or the key’s, and the time are stored. False: withdraws that.
        "note": NotRequired["Union[str, None]"],  # A note for colleagues, at most 1,000 characters; null clears it.
        "mute_minutes": NotRequired["Union[int, None]"],  # No notices about this alert, its recovery, or new alerts of the same kind for so long. Range 1–10080; null ends it.
    },
)

UpdateAlertContactsBody = TypedDict(
    "UpdateAlertContactsBody",
    {
        "emails": NotRequired["List[str]"],  # Email addresses.
        "phone_numbers": NotRequired["List[str]"],  # Numbers, E.164 with +.
    },
)

UpdateContactBody = TypedDict(
    "UpdateContactBody",
    {
        "name": NotRequired["str"],  # Its name.
        "email": NotRequired["Union[str, None]"],  # True: by email.
        "external_id": NotRequired["Union[str, None]"],  # Id of the contact in your own system.
        "metadata": NotRequired["Dict[str, Any]"],  # Your own data; merged into what is there, null removes a field. At most 16384 octets of JSON.
    },
)

UpdateContactMemoryBody = ContactMemoryChanges

UpdateDirectionBody = TypedDict(
    "UpdateDirectionBody",
    {
        "phone_number": "str",  # E.164 with +, such as +14155550100.
        "updates": "Union[InboundChanges, OutboundChanges]",  # Fields to change. Omitted fields keep their value; null clears a field.
    },
)

UpdateIncidentBody = TypedDict(
    "UpdateIncidentBody",
    {
        "acknowledged": NotRequired["bool"],  # True: you handle it; your name, or the key’s, and the time are stored. False: withdraws that.
        "note": NotRequired["Union[str, None]"],  # A note for colleagues, at most 1,000 characters; null clears it.
    },
)

UpdateKnowledgeBody = TypedDict(
    "UpdateKnowledgeBody",
    {
        "name": NotRequired["str"],  # Its name.
        "description": NotRequired["Union[str, None]"],  # What the text is about; null clears it.
    },
)

UpdateMaintenanceWindowBodySchedule1 = TypedDict(
    "UpdateMaintenanceWindowBodySchedule1",
    {
        "type": "Literal[\"once\"]",  # One time
        "starts_at": "str",  # ISO 8601; without offset in `time_zone`
        "ends_at": "str",  # ISO 8601; without offset in `time_zone`. At most 30 days later
    },
)

UpdateMaintenanceWindowBodySchedule2 = TypedDict(
    "UpdateMaintenanceWindowBodySchedule2",
    {
        "type": "Literal[\"weekly\"]",  # Every week
        "weekdays": "List[Literal[\"monday\", \"tuesday\", \"wednesday\", \"thursday\", \"friday\", \"saturday\", \"sunday\"]]",  # Days on which it starts
        "start_time": "str",  # HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts
        "duration_minutes": "int",  # Elapsed minutes. Range 1–1440
    },
)

UpdateMaintenanceWindowBody = TypedDict(
    "UpdateMaintenanceWindowBody",
    {
        "name": NotRequired["str"],  # Name of the planned work, 1–100 characters
        "phone_number": NotRequired["Union[str, None]"],  # Only this number; null: not limited to a number
        "trunk_id": NotRequired["Union[str, None]"],  # Only numbers of this shared trunk; null: not limited to a trunk
        "kinds": NotRequired["List[Literal[\"unreachable\", \"failure_rate\", \"response_time\"]]"],  # Kinds of alerts that are not sent. Default all
        "time_zone": NotRequired["str"],  # IANA time zone of the schedule
        "schedule": NotRequired["Union[UpdateMaintenanceWindowBodySchedule1, UpdateMaintenanceWindowBodySchedule2]"],  # When the window is open
        "enabled": NotRequired["bool"],  # False: the window is ignored. Default true
    },
)

UpdateMemberBody = TypedDict(
    "UpdateMemberBody",
    {
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
    },
)

UpdateMemberForOrganizationBody = TypedDict(
    "UpdateMemberForOrganizationBody",
    {
        "role": "Literal[\"owner\", \"operator\", \"viewer\"]",  # `owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.
    },
)

UpdateNumbersBody = TypedDict(
    "UpdateNumbersBody",
    {
        "updates": "Union[InboundChanges, OutboundChanges]",  # Fields to change. Omitted fields keep their value; null clears a field.
        "phone_numbers": "List[str]",  # Your numbers, E.164 with +. At most 100.
    },
)

UpdateOrganizationBodyLimits = TypedDict(
    "UpdateOrganizationBodyLimits",
    {
        "concurrent_calls": NotRequired["Union[int, None]"],  # Concurrent calls on all edges together, 1–100,000; null: `DEMARC_ORGANIZATION_MAX_CALLS`.
        "calls_per_second": NotRequired["Union[int, None]"],  # New calls per second, 1–10,000; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`.
        "call_retention_days": NotRequired["Union[int, None]"],  # Days that call records are kept, 1–36500, no longer than `DEMARC_CALL_RETENTION_DAYS`; null: as long. A lower value deletes older records within the hour.
        "minutes_per_month": NotRequired["Union[int, None]"],  # Minutes of answered calls a calendar month (UTC). Calls above it are not refused; alert contacts are notified at 80 %. Null: none.
    },
)

UpdateOrganizationBody = TypedDict(
    "UpdateOrganizationBody",
    {
        "sip_enabled": NotRequired["bool"],  # With the SIP entitlement.
        "limits": NotRequired["UpdateOrganizationBodyLimits"],  # Limits in place of those of the service.
    },
)

UpdatePathwayBody = TypedDict(
    "UpdatePathwayBody",
    {
        "name": NotRequired["str"],  # Its name, at most 200 characters.
        "description": NotRequired["Union[str, None]"],  # Free text; null clears it.
        "document": NotRequired["PathwayDocumentInput"],  # What a conversation follows.
        "revision": NotRequired["int"],  # The revision that you changed; if it is no longer the present one, the request is refused. Default: not checked.
    },
)

UpdatePersonaBody = TypedDict(
    "UpdatePersonaBody",
    {
        "name": NotRequired["str"],  # Its name, at most 200 characters.
        "role": NotRequired["Union[str, None]"],  # Its role, free text; null clears it.
        "description": NotRequired["Union[str, None]"],  # Free text; null clears it.
        "tags": NotRequired["List[str]"],  # Your labels, at most 50.
        "metadata": NotRequired["Union[Dict[str, Any], None]"],  # Your data, returned unchanged; null clears it. At most 16384 octets of JSON.
        "kb_ids": NotRequired["List[str]"],  # Knowledge bases that the agent of a call may search, at most 50. UUIDs; `KB-…` ids of an earlier system are stored as the UUIDs that they resolve to.
        "orchestration_prompt": NotRequired["Union[str, None]"],  # What the agent does in a call; null clears it.
        "personality_prompt": NotRequired["Union[str, None]"],  # How the agent speaks; null clears it.
        "agent": NotRequired["Union[Union[str, WebSocketAgent], None]"],  # Agent of its calls, in place of the agent of the number: a SIP URI, a wss:// URL, or an object for a WebSocket server, whose omitted headers keep their values; null clears it.
        "pathway_id": NotRequired["Union[str, None]"],  # Pathway that the calls of the persona follow, which needs a live version unless `pathway_version` names one; null clears it. A number’s own pathway takes precedence.
        "pathway_version": NotRequired["Union[int, None]"],  # Number of the pathway’s version, also of a draft or fork, which no gate has tested; null: the version that is live when a call begins.
        "voice": NotRequired["Union[str, None]"],  # Voice that the agent speaks with, passed on to it unchecked as `X-Demarc-Voice`; null clears it.
    },
)

UpdateTestMonitorBody = TypedDict(
    "UpdateTestMonitorBody",
    {
        "name": NotRequired["str"],  # Name in the dashboard and in alerts, 1–100 characters.
        "share": NotRequired["float"],  # Share of the answered calls that is judged, above 0, at most 1. Default 0.1.
        "required_pass_rate": NotRequired["float"],  # It fails when the upper end of the 95 % interval of the latest calls is below this rate, above 0, at most 1. Default 0.8.
        "notify_contacts": NotRequired["bool"],  # Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.
        "enabled": NotRequired["bool"],  # False: it is paused. Default true.
    },
)

UpdateTestScenarioBodyAgent = TypedDict(
    "UpdateTestScenarioBodyAgent",
    {
        "url": NotRequired["str"],  # Base URL of an OpenAI-compatible interface, to which `/chat/completions` is added; for runs by text.
        "model": NotRequired["str"],  # Name that requests send as `model`. Default agent.
        "api_key": NotRequired["str"],  # Sent as bearer token; never returned. Omit it to keep the stored one.
        "sip_uri": NotRequired["str"],  # SIP URI that is called; for runs by voice.
    },
)

UpdateTestScenarioBodyAssertionsItem1ConfigExamplesItem = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem1ConfigExamplesItem",
    {
        "conversation": "str",  # What was said, or the part that decides.
        "verdict": "str",  # The right verdict on it.
        "reasoning": NotRequired["str"],  # Why. Default: none.
    },
)

UpdateTestScenarioBodyAssertionsItem1Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem1Config",
    {
        "prompt": "str",  # What the judge is asked about the conversation.
        "rubric": NotRequired["str"],  # When each verdict is to be given. Default: as the question says.
        "examples": NotRequired["List[UpdateTestScenarioBodyAssertionsItem1ConfigExamplesItem]"],  # Conversations with the right verdict, at most 10. Default: none.
        "output_type": NotRequired["Literal[\"boolean\", \"score\", \"categorical\"]"],  # boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean.
        "pass_on_true": NotRequired["bool"],  # With boolean: whether true passes. Default true.
        "threshold": NotRequired["float"],  # With score: the lowest that passes. Default 0.7.
        "categories": NotRequired["List[str]"],  # With categorical: the possible answers, 2–20.
        "passing_categories": NotRequired["List[str]"],  # With categorical: the answers that pass; some of categories.
    },
)

UpdateTestScenarioBodyAssertionsItem1 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem1",
    {
        "type": "Literal[\"LLM_JUDGE\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem1Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem2Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem2Config",
    {
        "threshold": NotRequired["float"],  # Lowest overall tone score that passes. Default 0.7.
    },
)

UpdateTestScenarioBodyAssertionsItem2 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem2",
    {
        "type": "Literal[\"SERVICE_TONE\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem2Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem3Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem3Config",
    {
        "variable_name": "str",  # Variable that must have been extracted.
        "expected_value": NotRequired["Union[str, float, bool]"],  # Value that it must have; absent: any but an empty one.
        "match": NotRequired["Literal[\"exact\", \"case_insensitive\", \"contains\", \"regex\"]"],  # How the value is compared as text; contains ignores case; regex: expected_value is an RE2 pattern. Default case_insensitive.
    },
)

UpdateTestScenarioBodyAssertionsItem3 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem3",
    {
        "type": "Literal[\"VARIABLE_EXTRACTED\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem3Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem4Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem4Config",
    {
        "node_id": "str",  # Node that the conversation must visit.
    },
)

UpdateTestScenarioBodyAssertionsItem4 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem4",
    {
        "type": "Literal[\"NODE_REACHED\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem4Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem5Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem5Config",
    {
        "node_ids": "List[str]",  # Nodes of the pathway, at most 200.
        "mode": NotRequired["Literal[\"all\", \"any\"]"],  # Whether all of them must be visited, or any one. Default all.
    },
)

UpdateTestScenarioBodyAssertionsItem5 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem5",
    {
        "type": "Literal[\"NODES_VISITED\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem5Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem6Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem6Config",
    {
        "url": NotRequired["str"],  # Only webhooks whose URL contains this text. Absent: any.
        "node_id": NotRequired["str"],  # Only webhooks of this node. Absent: any.
        "min_count": NotRequired["int"],  # Fewest calls of the webhook. Default 1.
        "must_succeed": NotRequired["bool"],  # True: only calls that got a 2xx answer count. Default false.
    },
)

UpdateTestScenarioBodyAssertionsItem6 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem6",
    {
        "type": "Literal[\"WEBHOOK_TRIGGERED\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem6Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem7Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem7Config",
    {
        "pattern": "str",  # Regular expression in RE2 syntax: no look-around, no back-references; at most 10,000 instructions, which repetition counts multiply.
        "flags": NotRequired["str"],  # i: ignore case; m: ^ and $ match at lines; s: the dot matches line ends. Default none.
        "target": NotRequired["Literal[\"transcript\", \"agent\", \"caller\", \"variable\"]"],  # Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript.
        "variable_name": NotRequired["str"],  # Required when target is variable.
        "must_match": NotRequired["bool"],  # False: passes when nothing matches. Default true.
    },
)

UpdateTestScenarioBodyAssertionsItem7 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem7",
    {
        "type": "Literal[\"REGEX_MATCH\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem7Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem8Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem8Config",
    {
        "value": "str",  # Text to compare with.
        "operator": NotRequired["Literal[\"equals\", \"contains\", \"not_contains\"]"],  # How the text is compared. Default contains.
        "case_sensitive": NotRequired["bool"],  # Whether upper and lower case differ. Default false.
        "target": NotRequired["Literal[\"transcript\", \"agent\", \"caller\", \"variable\"]"],  # Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript.
        "variable_name": NotRequired["str"],  # Required when target is variable.
    },
)

UpdateTestScenarioBodyAssertionsItem8 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem8",
    {
        "type": "Literal[\"STRING_CHECK\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem8Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem9Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem9Config",
    {
        "system_prompt": "str",  # System prompt of the evaluating model.
        "model": NotRequired["str"],  # Model at the judge endpoint. Default: the configured judge.
        "temperature": NotRequired["float"],  # Temperature of the model, 0–2. Default 0.
        "output_type": NotRequired["Literal[\"boolean\", \"score\", \"categorical\"]"],  # boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean.
        "pass_on_true": NotRequired["bool"],  # With boolean: whether true passes. Default true.
        "threshold": NotRequired["float"],  # With score: the lowest that passes. Default 0.7.
        "categories": NotRequired["List[str]"],  # With categorical: the possible answers, 2–20.
        "passing_categories": NotRequired["List[str]"],  # With categorical: the answers that pass; some of categories.
    },
)

UpdateTestScenarioBodyAssertionsItem9 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem9",
    {
        "type": "Literal[\"CUSTOM_LLM\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem9Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem10Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem10Config",
    {
        "reference_path": "List[str]",  # Nodes in the expected order, at most 500.
        "mode": NotRequired["Literal[\"exact\", \"subsequence\"]"],  # exact: other nodes between them lower the score; subsequence: they do not. Default exact.
        "threshold": NotRequired["float"],  # Lowest score that passes, from the longest common subsequence (LCS) of both paths: exact 2·LCS ÷ (lengths together), subsequence LCS ÷ length of the reference. Default 1.
    },
)

UpdateTestScenarioBodyAssertionsItem10 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem10",
    {
        "type": "Literal[\"TRAVERSAL_MATCH\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem10Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem11Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem11Config",
    {
        "metric": "Literal[\"first_audio_ms\", \"mean_latency_ms\", \"p50_latency_ms\", \"p95_latency_ms\", \"maximum_latency_ms\", \"unanswered_turns\", \"interruptions\", \"barge_in_stop_ms\", \"longest_silence_ms\", \"silence_share\", \"talk_over_ms\", \"talk_over_share\", \"agent_talk_share\", \"agent_words_per_minute\", \"agent_loudness_dbov\", \"packets_lost\", \"jitter_ms\"]",  # What was measured in the call.
        "minimum": NotRequired["float"],  # Lowest value that passes.
        "maximum": NotRequired["float"],  # Highest value that passes.
    },
)

UpdateTestScenarioBodyAssertionsItem11 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem11",
    {
        "type": "Literal[\"VOICE_METRIC\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem11Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem12Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem12Config",
    {
        "node_id": NotRequired["str"],  # Only calls of this webhook node, or of the tool of this name that an agent asks for or reports. Absent: any.
        "url": NotRequired["str"],  # Only calls whose URL contains this text. Absent: any.
        "arguments": NotRequired["List[TestArgument]"],  # What must hold for the arguments of a call so that it counts, at most 50. Default: nothing.
        "from_turn": NotRequired["int"],  # Only calls after this turn of the caller; 0: also before its first. Default 0.
        "to_turn": NotRequired["int"],  # Only calls until the answer to this turn of the caller. Default: to the end.
        "must_succeed": NotRequired["bool"],  # True: only calls that got a 2xx answer count. Default false.
        "min_count": NotRequired["int"],  # Fewest calls that count. Default 1.
        "max_count": NotRequired["int"],  # Most calls that count; 0 with min_count 0: none may. Default: no limit.
    },
)

UpdateTestScenarioBodyAssertionsItem12 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem12",
    {
        "type": "Literal[\"TOOL_CALLED\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem12Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem13Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem13Config",
    {
        "node_ids": "List[str]",  # Webhook nodes, or names of tools that an agent asks for or reports, in the order of their calls, at most 100.
        "mode": NotRequired["Literal[\"subsequence\", \"exact\"]"],  # subsequence: other calls may come between them; exact: these calls and no others. Default subsequence.
    },
)

UpdateTestScenarioBodyAssertionsItem13 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem13",
    {
        "type": "Literal[\"TOOL_ORDER\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem13Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem14Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem14Config",
    {
        "required": NotRequired["List[str]"],  # Phrases that must be said, at most 50. Case, punctuation and spaces do not matter.
        "forbidden": NotRequired["List[str]"],  # Phrases that must not be said, at most 50.
        "target": NotRequired["Literal[\"agent\", \"caller\", \"transcript\"]"],  # Whose lines are read; transcript: both. Default agent.
    },
)

UpdateTestScenarioBodyAssertionsItem14 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem14",
    {
        "type": "Literal[\"PHRASES\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem14Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem15Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem15Config",
    {
        "percentile": NotRequired["float"],  # Percentile of the latencies, 1–100; 100: the highest. Default 95.
        "maximum_ms": "int",  # Highest value of it that passes, in milliseconds.
    },
)

UpdateTestScenarioBodyAssertionsItem15 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem15",
    {
        "type": "Literal[\"LATENCY\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem15Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBodyAssertionsItem16Config = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem16Config",
    {
        "ended_by": NotRequired["Literal[\"any\", \"agent\", \"caller\", \"test\"]"],  # Who must end the conversation, as in `ending` of a run. Default any.
        "transfer": NotRequired["Literal[\"any\", \"required\", \"none\"]"],  # Whether the agent must transfer the caller, or must not. Default any.
        "transfer_to": NotRequired["str"],  # Number or SIP URI that the caller must be transferred to. Default: any.
    },
)

UpdateTestScenarioBodyAssertionsItem16 = TypedDict(
    "UpdateTestScenarioBodyAssertionsItem16",
    {
        "type": "Literal[\"CALL_OUTCOME\"]",  # Type of the assertion.
        "config": "UpdateTestScenarioBodyAssertionsItem16Config",  # What is checked, by type.
        "name": NotRequired["Union[str, None]"],  # Its name in results; null: none.
        "is_required": NotRequired["bool"],  # Whether the run fails when the assertion fails. Default true.
        "weight": NotRequired["float"],  # Its weight in the overall score, 0–100. Default 1.
        "id": NotRequired["str"],  # Id of the assertion, to keep it in a changed list. Default: a new one.
        "order": NotRequired["int"],  # Its position among the others. Default: that in the list.
    },
)

UpdateTestScenarioBody = TypedDict(
    "UpdateTestScenarioBody",
    {
        "name": NotRequired["str"],  # Its name, at most 200 characters, unique among the scenarios of its target.
        "agent": NotRequired["UpdateTestScenarioBodyAgent"],  # Agent under test; only for scenarios that have one.
        "description": NotRequired["Union[str, None]"],  # Free text; null: none.
        "category": NotRequired["Literal[\"CUSTOM\", \"VOICEMAIL\", \"VOICEMAIL_SCREENER\", \"ANGRY_CALLER\", \"BELLIGERENT_CALLER\", \"CONFUSED_CALLER\", \"CALL_SCREENER\", \"HAPPY_PATH\", \"EDGE_CASE\", \"RED_TEAM\"]"],  # Kind of caller. Default CUSTOM.
        "scenario_type": NotRequired["Literal[\"AGENT\", \"REPLAY\", \"HISTORICAL\"]"],  # AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT.
        "channel": NotRequired["Literal[\"text\", \"voice\"]"],  # How it is run unless the run says otherwise: text or voice (a real call). Default text.
        "tester_persona_prompt": NotRequired["str"],  # How the simulated caller behaves and what it wants; required with AGENT.
        "tester_persona_name": NotRequired["Union[str, None]"],  # Name of the simulated caller; null: none.
        "first_speaker": NotRequired["Union[Literal[\"agent\", \"caller\"], None]"],  # Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL.
        "max_turns": NotRequired["int"],  # Most turns of the caller. Default 20, range 1–50.
        "request_data": NotRequired["Dict[str, Any]"],  # Variables that the conversation begins with, as in `request_data` of a call.
        "start_node_id": NotRequired["Union[str, None]"],  # Node that the conversation begins at; null: the start node of the pathway.
        "service_tone_enabled": NotRequired["bool"],  # Whether runs get a tone score. Default false.
        "is_required_for_promotion": NotRequired["bool"],  # Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false.
        "promotion_runs": NotRequired["int"],  # How often a promotion runs it at first; it runs more while that decides. Default 5, range 1–50.
        "required_pass_rate": NotRequired["float"],  # Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default 0.65, range 0.05–0.95.
        "enabled": NotRequired["bool"],  # False: gates and tornado skip it. Default true.
        "input_messages": NotRequired["List[TestChatLineInput]"],  # Recorded conversation for REPLAY and HISTORICAL, at most 200 lines.
        "advanced_instructions": NotRequired["Union[str, None]"],  # Further instructions for the simulated caller; null: none.
        "webhook_mocks": NotRequired["List[TestWebhookMockInput]"],  # Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used.
        "voice": NotRequired["Union[TestVoiceSettingsInput, None]"],  # How it is run as a call; null: the defaults.
        "metadata": NotRequired["Dict[str, Any]"],  # Your data, returned unchanged.
        "assertions": NotRequired["List[Union[UpdateTestScenarioBodyAssertionsItem1, UpdateTestScenarioBodyAssertionsItem2, UpdateTestScenarioBodyAssertionsItem3, UpdateTestScenarioBodyAssertionsItem4, UpdateTestScenarioBodyAssertionsItem5, UpdateTestScenarioBodyAssertionsItem6, UpdateTestScenarioBodyAssertionsItem7, UpdateTestScenarioBodyAssertionsItem8, UpdateTestScenarioBodyAssertionsItem9, UpdateTestScenarioBodyAssertionsItem10, UpdateTestScenarioBodyAssertionsItem11, UpdateTestScenarioBodyAssertionsItem12, UpdateTestScenarioBodyAssertionsItem13, UpdateTestScenarioBodyAssertionsItem14, UpdateTestScenarioBodyAssertionsItem15, UpdateTestScenarioBodyAssertionsItem16]]"],  # What must hold after the conversation, at most 50.
    },
)

UpdateTestScheduleBodyMatrix = TypedDict(
    "UpdateTestScheduleBodyMatrix",
    {
        "fields": "Dict[str, List[Any]]",  # Values by field, at most 8 fields with 20 values each; every combination is run. Fields: advanced_instructions, first_speaker, max_turns, request_data, start_node_id, tester_persona_name, tester_persona_prompt, voice, and fields within them; null within voice: its default.
        "sample": NotRequired["int"],  # Runs only so many combinations, drawn by seed. Default: all.
        "seed": NotRequired["int"],  # The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1.
    },
)

UpdateTestScheduleBodyRecurrence1 = TypedDict(
    "UpdateTestScheduleBodyRecurrence1",
    {
        "type": "Literal[\"interval\"]",  # At regular intervals
        "minutes": "int",  # Minutes between two starts. Range 15–10080.
    },
)

UpdateTestScheduleBodyRecurrence2 = TypedDict(
    "UpdateTestScheduleBodyRecurrence2",
    {
        "type": "Literal[\"daily\"]",  # Once a day
        "time": "str",  # HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts.
        "time_zone": "str",  # IANA time zone of `time`.
    },
)

UpdateTestScheduleBodyBudget = TypedDict(
    "UpdateTestScheduleBodyBudget",
    {
        "period": NotRequired["Literal[\"day\", \"week\", \"month\"]"],  # Period in UTC, a week from Monday. Default month.
        "tokens": NotRequired["Union[int, None]"],  # Tokens that its runs of a period may take; null (default): no limit.
        "cost": NotRequired["Union[float, None]"],  # What its runs of a period may cost, in the currency of your organization; null (default): no limit.
    },
)

UpdateTestScheduleBody = TypedDict(
    "UpdateTestScheduleBody",
    {
        "name": NotRequired["str"],  # Name in the dashboard and in alerts, 1–100 characters.
        "scenario_ids": NotRequired["List[str]"],  # Scenarios to run, at most 50.
        "simulations_per_scenario": NotRequired["int"],  # Runs of each scenario, with a matrix of each of its combinations, 1–100.
        "version": NotRequired["Literal[\"live\", \"draft\"]"],  # Version of the pathways or personas that runs test: `live`, or `draft`: the draft if there is one, else the live version. Default live.
        "channel": NotRequired["Union[Literal[\"text\", \"voice\"], None]"],  # text or voice; null: that of each scenario. Default null.
        "matrix": NotRequired["Union[UpdateTestScheduleBodyMatrix, None]"],  # Fields of the scenarios that are varied; null: they run as they are. Default null.
        "recurrence": NotRequired["Union[UpdateTestScheduleBodyRecurrence1, UpdateTestScheduleBodyRecurrence2]"],  # When its runs are started.
        "required_pass_rate": NotRequired["float"],  # Share of the runs of each scenario that must pass, above 0, at most 1; runs that could not be judged do not count. Default 0.8.
        "notify_contacts": NotRequired["bool"],  # Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.
        "budget": NotRequired["Union[UpdateTestScheduleBodyBudget, None]"],  # What all its runs of a period may take. Once it is used up, no runs are started until the period ends, and the schedule is `failing`; runs in progress end in ERROR. Null (default): none.
        "enabled": NotRequired["bool"],  # False: it is paused. Default true.
    },
)

UpdateTrunkBodyInboundLimits = TypedDict(
    "UpdateTrunkBodyInboundLimits",
    {
        "concurrent_calls": NotRequired["int"],  # Maximum concurrent calls of the number, both directions together.
        "calls_per_second": NotRequired["float"],  # Maximum new calls per second.
        "max_duration_seconds": NotRequired["int"],  # Seconds from the answer after which the call is ended.
    },
)

UpdateTrunkBodyInboundTransferConfig = TypedDict(
    "UpdateTrunkBodyInboundTransferConfig",
    {
        "mode": "Literal[\"refer\", \"bridge\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "fallback": NotRequired["bool"],  # True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false.
        "allowed_targets": NotRequired["List[str]"],  # Allowed transfer targets: prefixes of E.164 numbers, and hosts.
    },
)

UpdateTrunkBodyInbound = TypedDict(
    "UpdateTrunkBodyInbound",
    {
        "codec_config": NotRequired["Union[CodecSettings, None]"],  # Codecs of the direction; null: the default ones.
        "alert_config": NotRequired["Union[AlertSettings, None]"],  # Thresholds and channels of alerts; null: not configured.
        "limits": NotRequired["Union[UpdateTrunkBodyInboundLimits, None]"],  # Demarc extension
        "transfer_config": NotRequired["Union[UpdateTrunkBodyInboundTransferConfig, None]"],  # Demarc extension
    },
)

UpdateTrunkBodyOutboundLimits = TypedDict(
    "UpdateTrunkBodyOutboundLimits",
    {
        "concurrent_calls": NotRequired["int"],  # Maximum concurrent calls of the number, both directions together.
        "calls_per_second": NotRequired["float"],  # Maximum new calls per second.
        "max_duration_seconds": NotRequired["int"],  # Seconds from the answer after which the call is ended.
    },
)

UpdateTrunkBodyOutboundTransferConfig = TypedDict(
    "UpdateTrunkBodyOutboundTransferConfig",
    {
        "mode": "Literal[\"refer\", \"bridge\"]",  # `refer`: the trunk transfers the call; `bridge`: the edge calls the target and connects it.
        "fallback": NotRequired["bool"],  # True: the edge bridges a transfer that the trunk refuses, in its response to the REFER or by NOTIFY, unless the target was busy, declined or did not answer. Default false.
        "allowed_targets": NotRequired["List[str]"],  # Allowed transfer targets: prefixes of E.164 numbers, and hosts.
    },
)

UpdateTrunkBodyOutbound = TypedDict(
    "UpdateTrunkBodyOutbound",
    {
        "failover_config": NotRequired["Union[FailoverSettings, None]"],  # Backup servers of the outbound direction; null: none.
        "codec_config": NotRequired["Union[CodecSettings, None]"],  # Codecs of the direction; null: the default ones.
        "alert_config": NotRequired["Union[AlertSettings, None]"],  # Thresholds and channels of alerts; null: not configured.
        "limits": NotRequired["Union[UpdateTrunkBodyOutboundLimits, None]"],  # Demarc extension
        "transfer_config": NotRequired["Union[UpdateTrunkBodyOutboundTransferConfig, None]"],  # Demarc extension
    },
)

UpdateTrunkBody = TypedDict(
    "UpdateTrunkBody",
    {
        "name": NotRequired["str"],  # Free text, at most 200 characters
        "directions": NotRequired["List[Union[InboundDirection, OutboundDirection]]"],  # As in POST /v1/sip/attach. In a PATCH the list replaces the current one; a password sent as [redacted] keeps its value
        "inbound": NotRequired["UpdateTrunkBodyInbound"],  # Codecs, alerts, limits and transfers of calls to the numbers; null clears a section
        "outbound": NotRequired["UpdateTrunkBodyOutbound"],  # Failover, codecs, alerts, limits and transfers of calls from the numbers; null clears a section
    },
)

UpdateWebhookBody = TypedDict(
    "UpdateWebhookBody",
    {
        "url": NotRequired["str"],  # URL that receives the events
        "description": NotRequired["str"],  # Free text, at most 200 characters
        "events": NotRequired["List[Literal[\"*\", \"call.*\", \"trunk.*\", \"registration.*\", \"alert.*\", \"port.*\", \"usage.*\", \"persona.*\", \"pathway.*\", \"agent_test.*\", \"webhook.*\", \"call.initiated\", \"call.ringing\", \"call.answered\", \"call.completed\", \"call.failed\", \"trunk.unreachable\", \"trunk.recovered\", \"registration.registered\", \"registration.failed\", \"alert.fired\", \"alert.recovered\", \"port.waiting_for_signature\", \"port.submitted\", \"port.in_progress\", \"port.completed\", \"port.failed\", \"port.canceled\", \"usage.near_limit\", \"persona.promoted\", \"pathway.promoted\", \"agent_test.schedule_failed\", \"agent_test.schedule_recovered\", \"agent_test.monitor_failed\", \"agent_test.monitor_recovered\", \"webhook.paused\", \"webhook.resumed\", \"webhook.deliveries_dropped\"]]"],  # Events to send: types, areas (call.*), or * for all. Default *
        "enabled": NotRequired["bool"],  # True also enables an endpoint that was disabled because of failures
    },
)

UploadPortDocumentBody = TypedDict(
    "UploadPortDocumentBody",
    {
        "file": "FileContent",  # The document.
    },
)


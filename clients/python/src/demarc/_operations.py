# Generated from the description of the API: npm run client:python. Do not edit.
from typing import Any, Dict, List, Literal, Optional, Union

import httpx

from . import _types as t
from ._requests import AsyncRequests, Requests


class Operations(Requests):
    """The API, a method for each operation. Methods raise `DemarcError`."""

    def accept_invitation(
        self,
        body: t.AcceptInvitationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AcceptInvitationAnswer:
        """Accept an invitation. Uses up the link, creates the account or adds the organization to an existing one (whose password is then required), and signs in."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/invitations/accept",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def add_agent_metadata(
        self,
        call_id: str,
        body: t.AddAgentMetadataBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AddAgentMetadataAnswer:
        """Add values to the record of an active call. Works for any active call. The values become part of `agent_metadata` of the call’s record and of `call.completed`, as if the agent had set them; a value replaces an earlier one of the same name. At most 50 names, 8,000 octets together."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/agent-metadata",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def analyze_test_run(
        self,
        id: str,
        body: Optional[t.AnalyzeTestRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AnalyzeTestRunAnswer:
        """Analyze a failed test run. Asks the judging model why the run failed and what to change. The answer is stored: a second request returns the same."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/analyze",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def attach_numbers(
        self,
        body: t.AttachNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachNumbersAnswer:
        """Attach numbers. Gives numbers their SIP configurations. A configuration for the same server (outbound) or the same callers (inbound) is replaced, any other is added, at most 10 per number. Repeating a request changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/attach",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def attach_numbers_to_trunk(
        self,
        trunk_id: str,
        body: t.AttachNumbersToTrunkBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachNumbersToTrunkAnswer:
        """Attach numbers to a shared trunk. Replaces a number’s own configurations or its former trunk in one step. Remove numbers with POST /v1/sip/detach."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/trunks/{trunk_id}/numbers",
            values={"trunk_id": trunk_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def attach_pathway_numbers(
        self,
        id: str,
        body: t.AttachPathwayNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachPathwayNumbersAnswer:
        """Let calls to numbers follow a pathway. All of them or none. The numbers must have an inbound direction; a number of another pathway moves to this one. The agent of the next call gets the version; before the first promotion, none, unless you name one."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/inbound/attach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def attach_persona_numbers(
        self,
        id: str,
        body: t.AttachPersonaNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachPersonaNumbersAnswer:
        """Let a persona answer numbers. All of them or none. The numbers must have an inbound direction; a number of another persona moves to this one. The next call to them gets the live version; before the first promotion, none."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas/{id}/inbound/attach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def cancel_load_test(
        self,
        id: str,
        body: Optional[t.CancelLoadTestBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelLoadTestAnswer:
        """Cancel a load test. No more callers begin, and those in a conversation stop within a second. The figures of what has ended stay."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/load-tests/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def cancel_port(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelPortAnswer:
        """Cancel a port request. Allowed in any state before completed. Numbers that were ported already stay ported. Canceling again changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/port/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def cancel_simulation_set(
        self,
        id: str,
        body: Optional[t.CancelSimulationSetBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelSimulationSetAnswer:
        """Cancel a simulation set. Cancels those of its runs that have not ended; the statistics keep those that have."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/simulation-sets/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def cancel_test_batch(
        self,
        id: str,
        body: Optional[t.CancelTestBatchBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelTestBatchAnswer:
        """Cancel a test batch. Cancels those of its runs that have not ended."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/batches/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def cancel_test_run(
        self,
        id: str,
        body: Optional[t.CancelTestRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelTestRunAnswer:
        """Cancel a test run. Pending or running; a conversation in progress stops within a second. What was said so far stays."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def cancel_tornado(
        self,
        id: str,
        body: Optional[t.CancelTornadoBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelTornadoAnswer:
        """Cancel a tornado session. Its runs are cancelled too; the fork stays. A session that has ended stays as it is."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/tornado/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def cancel_warm_transfer(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelWarmTransferAnswer:
        """Cancel a warm transfer. Hangs up on the target, or stops calling it, and connects the caller or callee with the agent again. 409 if no warm transfer is in progress."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/warm-transfer/cancel",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def change_password(
        self,
        body: t.ChangePasswordBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ChangePasswordAnswer:
        """Change your password. Ends all other sessions of the person. This session gets a new cookie."""
        return self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/session/password",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def chat_with_knowledge(
        self,
        body: t.ChatWithKnowledgeBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ChatWithKnowledgeAnswer:
        """Answer a question from a knowledge base. Finds passages for the last message and lets the language model answer from them alone. Without a language model, or when it fails, `response` is null and `note` says why."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/knowledge/chat",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def check_number(
        self,
        *,
        phone_number: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.CheckNumberAnswer:
        """Check whether a number can be attached. Changes nothing. While the service requires proof of ownership, an unconfirmed number is `proof_required`, whether or not another organization has it."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/numbers/check",
            values={},
            query={"phone_number": phone_number},
            timeout_seconds=timeout_seconds,
        )

    def check_portability(
        self,
        *,
        phone_numbers__: List[str],
        timeout_seconds: Optional[float] = None,
    ) -> t.CheckPortabilityAnswer:
        """Check whether numbers can be ported. Asks the carrier about each number; without a carrier’s API, the numbering plan, as `source` says."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/port/check",
            values={},
            query={"phone_numbers[]": phone_numbers__},
            timeout_seconds=timeout_seconds,
        )

    def clone_test_template(
        self,
        id: str,
        body: Optional[t.CloneTestTemplateBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CloneTestTemplateAnswer:
        """Clone a scenario template. Creates a scenario from the template, for one pathway, persona or agent. You can change the scenario afterwards."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/templates/{id}/clone",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def compare_pathway_versions(
        self,
        id: str,
        version_number: str,
        *,
        from_: int,
        timeout_seconds: Optional[float] = None,
    ) -> t.ComparePathwayVersionsAnswer:
        """Compare two versions of a pathway. The changes that lead from the version in `from` to this one, by node, edge and field."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}/versions/{version_number}/diff",
            values={"id": id, "version_number": version_number},
            query={"from": from_},
            timeout_seconds=timeout_seconds,
        )

    def compare_simulation_sets(
        self,
        id: str,
        *,
        other: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.CompareSimulationSetsAnswer:
        """Compare two simulation sets. Says of each scenario that both sets have whether the set passes more often than the other one, and how sure that is: run the same scenarios with two versions or models."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/simulation-sets/{id}/comparison",
            values={"id": id},
            query={"other": other},
            timeout_seconds=timeout_seconds,
        )

    def complete_warm_transfer(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CompleteWarmTransferAnswer:
        """Complete a warm transfer. Connects the caller or callee with the target, and ends the agent’s leg. Returns when they are connected. 409 while the target has not answered, and after a transfer that failed, with the reason. 502 if one of them refuses; the caller then returns to the agent."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/warm-transfer/complete",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def configure_direction(
        self,
        body: t.ConfigureDirectionBody,
        *,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ConfigureDirectionAnswer:
        """Change failover, codecs, alerts, limits or transfers of a direction. Applies to all configurations of the direction. Sections you include replace the current value; null removes a section."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/config",
            values={},
            query={},
            body=body,
            if_match=if_match,
            timeout_seconds=timeout_seconds,
        )

    def create_agent(
        self,
        body: Optional[t.CreateAgentBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateAgentAnswer:
        """Create a web agent. Stores a list of knowledge bases and tools under an id, for programs that keep it here. Demarc does not run web agents: no call, search or token uses the list, and GET returns it. Agents of calls get theirs from personas, pathways and orders. At most 1000 per organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agents",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_agent_credential(
        self,
        body: Optional[t.CreateAgentCredentialBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateAgentCredentialAnswer:
        """Create credentials for an agent. Digest credentials for agents that place calls by INVITE: each INVITE is challenged and needs credentials of the organization that owns the number in From. The password is returned only once. At most 20 per organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/agent-credentials",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_agent_stream_secret(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateAgentStreamSecretAnswer:
        """Create or rotate the signing secret of WebSocket agents. Handshakes with WebSocket agents are signed with the new secret, and with the one before it until that is removed or the secret is rotated again. The secret is returned only once."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-streams/signing-secrets",
            values={},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_batch(
        self,
        body: t.CreateBatchBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateBatchAnswer:
        """Order a batch of calls. At most 1000 calls from one of your numbers, stored together or not at all. They are dialled in order, as fast as the number’s limits allow, each at most once. Fields of a call override those of the batch."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/batch",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_call(
        self,
        body: t.CreateCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateCallAnswer:
        """Place a call. Calls a phone number from one of your numbers. Returns once the order is stored. One edge dials it, at most once, when the number’s limits allow; it is given up if no edge takes it within a minute, or if it waits too long in the queue. Only after `CALLS_UNAVAILABLE` the order may have been stored anyway: retry with the same `Idempotency-Key`."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_key(
        self,
        body: t.CreateKeyBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateKeyAnswer:
        """Create an API key. The key itself is returned only this once. It cannot have more rights or a later expiry than the requesting key. Operator keys are created only on the command line."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/keys",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_key_for_organization(
        self,
        organization_id: str,
        body: t.CreateKeyForOrganizationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateKeyForOrganizationAnswer:
        """Create an API key. For operators only. The key itself is returned only this once. It cannot have more rights or a later expiry than the requesting key. Operator keys are created only on the command line."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations/{organization_id}/keys",
            values={"organization_id": organization_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_maintenance_window(
        self,
        body: t.CreateMaintenanceWindowBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateMaintenanceWindowAnswer:
        """Create a maintenance window. While it is open, alerts of its kinds are recorded but not sent. An alert that persists after it is sent then. For one number, the numbers of one shared trunk, or all numbers."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/maintenance-windows",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_organization(
        self,
        body: t.CreateOrganizationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateOrganizationAnswer:
        """Create an organization. For operators only. Then invite its first owner, or create a key for it. The name cannot be changed later."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_pathway(
        self,
        body: t.CreatePathwayBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreatePathwayAnswer:
        """Create a pathway. Stores it with a draft, which takes effect once it is promoted (POST /v1/pathways/{id}/versions/promote). At most 1000 per organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_persona(
        self,
        body: t.CreatePersonaBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreatePersonaAnswer:
        """Create a persona. Stores it with a draft, which takes effect once it is promoted (POST /v1/personas/{id}/versions/promote). At most 1000 per organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_reset_link(
        self,
        member_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateResetLinkAnswer:
        """Create a password reset link for a member. For a member who forgot the password; pass the link on. It works once, for 2 hours, and is returned only this once. Refused if the person belongs to another organization too, or sees the fleet."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/members/{member_id}/reset-link",
            values={"member_id": member_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_reset_link_for_organization(
        self,
        organization_id: str,
        member_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateResetLinkForOrganizationAnswer:
        """Create a password reset link for a member. For operators only. For a member who forgot the password; pass the link on. It works once, for 2 hours, and is returned only this once. Refused if the person belongs to another organization too, or sees the fleet."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations/{organization_id}/members/{member_id}/reset-link",
            values={"organization_id": organization_id, "member_id": member_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_session(
        self,
        body: t.CreateSessionBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateSessionAnswer:
        """Log in with an API key. Sets a session cookie for the dashboard, HttpOnly and SameSite=Strict. Changes with the cookie must come from the dashboard’s own pages."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/session",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_test_monitor(
        self,
        body: t.CreateTestMonitorBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestMonitorAnswer:
        """Create a test monitor. Judges a share of the answered calls of a number or persona with the assertions of a scenario, a minute after their end, and alerts when they pass less often than required, or than before. Calls whose agent stored no messages in the memory of a contact are not judged. At most 50 per organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/monitors",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_test_scenario(
        self,
        body: t.CreateTestScenarioBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestScenarioAnswer:
        """Create a test scenario. A test case for a pathway, a persona or an agent at its own address: how the simulated caller behaves, and what must hold afterwards. It stays across versions. At most 5,000 per organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_test_scenario_from_run(
        self,
        id: str,
        body: Optional[t.CreateTestScenarioFromRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestScenarioFromRunAnswer:
        """Make a scenario of a judged call. Stores a scenario whose caller says what the caller of the real call said, to the same agent and with the same assertions. Phone numbers, URLs and keys are removed."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/scenario",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_test_schedule(
        self,
        body: t.CreateTestScheduleBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestScheduleAnswer:
        """Create a test schedule. Runs scenarios again and again, each time as a simulation set, and alerts when one of them passes less often than required. At most 50 per organization. A time at which the runs before have not ended is skipped."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/schedules",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_trunk(
        self,
        body: t.CreateTrunkBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTrunkAnswer:
        """Create a shared trunk. Its limits apply to all its numbers together. Attach numbers to it afterwards."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/trunks",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_webhook(
        self,
        body: t.CreateWebhookBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateWebhookAnswer:
        """Register a webhook endpoint. At most 20 per organization. The signing secret is returned only this once."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def create_webhook_secret(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateWebhookSecretAnswer:
        """Create or rotate the signing secret. Signs the webhooks of orders and alerts; endpoints have their own secrets. The new secret is returned only this once. For 24 hours X-Demarc-Signature also has a v1 value for the previous secret."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/secret",
            values={},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def delete_agent(
        self,
        agent_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteAgentAnswer:
        """Delete a web agent. Its knowledge bases stay."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agents/{agent_id}",
            values={"agent_id": agent_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_contact(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteContactAnswer:
        """Delete a contact and its data. For a request for erasure under privacy law; it cannot be undone. Deletes the contact with memories and merges, replaces it in call records and orders by `removed`, and deletes SIP traces, texts and webhooks of its calls. Times, outcomes and media figures stay, as do the totals. Upcoming calls to it are cancelled; active ones continue, and their records will not name it. A later call creates a new contact."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/contacts/{contact_id}",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_knowledge(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteKnowledgeAnswer:
        """Delete a knowledge base. Deletes its text and its index for good; searches no longer find it. The record stays, with status DELETED. Deleting again changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/knowledge/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_maintenance_window(
        self,
        window_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteMaintenanceWindowAnswer:
        """Delete a maintenance window. Alerts that it held back and that persist are sent within seconds."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/maintenance-windows/{window_id}",
            values={"window_id": window_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_pathway(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeletePathwayAnswer:
        """Delete a pathway. Detach its numbers, and remove it from personas, first. Results of its tests stay, and calls that are ordered already keep its last live version."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/pathways/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_pathway_fork(
        self,
        id: str,
        version_number: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeletePathwayForkAnswer:
        """Delete a fork. Only forks can be deleted; other versions are deleted with their pathway."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/pathways/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_persona(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeletePersonaAnswer:
        """Delete a persona. Detach its numbers first. Calls that are ordered already keep its last live version."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/personas/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_session(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteSessionAnswer:
        """Log out. Ends the cookie’s session and clears the cookie. Does nothing without a session."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/session",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_test_monitor(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTestMonitorAnswer:
        """Delete a test monitor. The runs of the calls that it judged stay."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-testing/monitors/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_test_scenario(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTestScenarioAnswer:
        """Delete a test scenario. Runs are kept."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-testing/scenarios/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_test_schedule(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTestScheduleAnswer:
        """Delete a test schedule. Runs in progress continue; the simulation sets that it started stay."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-testing/schedules/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_trunk(
        self,
        trunk_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTrunkAnswer:
        """Delete a shared trunk. Refused (409) while numbers use it."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/trunks/{trunk_id}",
            values={"trunk_id": trunk_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def delete_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteWebhookAnswer:
        """Delete a webhook endpoint. Pending deliveries are dropped; finished ones stay in the list."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/webhooks/{webhook_id}",
            values={"webhook_id": webhook_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def detach_number(
        self,
        body: t.DetachNumberBody,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachNumberAnswer:
        """Remove directions of a number. Removing the last configuration frees the number. Directions without a configuration are skipped."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/detach",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout_seconds=timeout_seconds,
        )

    def detach_numbers(
        self,
        body: t.DetachNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachNumbersAnswer:
        """Remove directions of many numbers. Like `/v1/sip/detach`, for up to 100 numbers. Removing its last configuration frees a number."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/numbers/detach",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def detach_pathway_numbers(
        self,
        id: str,
        body: t.DetachPathwayNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachPathwayNumbersAnswer:
        """Detach numbers from a pathway. The next call to them follows the pathway of their persona, or none. Numbers that do not follow the pathway are ignored."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/inbound/detach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def detach_persona_numbers(
        self,
        id: str,
        body: t.DetachPersonaNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachPersonaNumbersAnswer:
        """Detach numbers from a persona. The next call to them has no persona. Numbers that the persona does not have are ignored."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas/{id}/inbound/detach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def estimate_test_tokens(
        self,
        body: t.EstimateTestTokensBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.EstimateTestTokensAnswer:
        """Estimate the tokens and the cost of agent tests. Tokens and cost of runs before they are started, by the latest runs of the same scenarios. Starts nothing."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/budget/estimate",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def export_call_records(
        self,
        *,
        q: Optional[str] = None,
        header: Optional[str] = None,
        scope: Optional[Literal["organization", "fleet"]] = None,
        organization_id: Optional[str] = None,
        phone_number: Optional[str] = None,
        direction: Optional[Literal["inbound", "outbound"]] = None,
        outcome: Optional[Literal["completed", "cancelled", "refused", "failed"]] = None,
        problem: Optional[Literal["any", "audio"]] = None,
        sip_code: Optional[int] = None,
        started_after: Optional[str] = None,
        started_before: Optional[str] = None,
        ended_after: Optional[str] = None,
        ended_before: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        end_reason: Optional[Literal["caller_hung_up", "agent_hung_up", "callee_hung_up", "caller_cancelled", "stopped", "target_hung_up", "transferred", "test_completed", "refused_draining", "refused_too_many_hops", "refused_loop", "refused_unknown_number", "refused_source", "refused_credentials", "refused_guessing", "refused_limit", "refused_unavailable", "refused_media", "refused_bad_request", "agent_refused", "agent_unreachable", "agent_no_answer", "agent_lost", "trunk_refused", "trunk_unreachable", "trunk_no_answer", "media_failed", "media_timeout", "one_way_audio", "dead_air", "ack_timeout", "session_expired", "max_duration", "drained", "engine_lost", "edge_lost", "order_not_taken", "order_expired", "internal_error"]] = None,
        sip_call_id: Optional[str] = None,
        source_ip: Optional[str] = None,
        metadata: Optional[Dict[str, str]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Export calls as CSV. All matching calls, newest first, one per line after a header line. Filters are those of `GET /v1/sip/calls`. The file is streamed and can have any length; calls that end during the export are not included."""
        return self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls.csv",
            values={},
            query={"q": q, "header": header, "scope": scope, "organization_id": organization_id, "phone_number": phone_number, "direction": direction, "outcome": outcome, "problem": problem, "sip_code": sip_code, "started_after": started_after, "started_before": started_before, "ended_after": ended_after, "ended_before": ended_before, "from": from_, "to": to, "end_reason": end_reason, "sip_call_id": sip_call_id, "source_ip": source_ip, "metadata": metadata},
            timeout_seconds=timeout_seconds,
        )

    def export_contact(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ExportContactAnswer:
        """Export all data of a contact. One JSON document for a request for information under privacy law: the contact, its memories and merges, orders, and calls with their SIP traces. It can have any length; active calls are not included."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}/export",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def fail_back(
        self,
        body: t.FailBackBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.FailBackAnswer:
        """Fail back to a number’s preferred server. For `failback: manual`, or to skip the probes of `auto`. Active calls stay on their server. Repeating the request changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/failback",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def find_contact(
        self,
        body: Optional[t.FindContactBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.FindContactAnswer:
        """Find a contact by an identifier. With several identifiers, the contact of the first one that any contact has, in the order phone_number, email, external_id. `data` is null if there is none."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/contacts/find",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def fork_pathway_version(
        self,
        id: str,
        version_number: str,
        body: Optional[t.ForkPathwayVersionBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ForkPathwayVersionAnswer:
        """Fork a version. Copies it to a new version that takes changes beside the draft and can be promoted. At most 200 forks per pathway."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/versions/{version_number}/fork",
            values={"id": id, "version_number": version_number},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def generate_password(
        self,
        *,
        length: Optional[int] = None,
        strength: Optional[Literal["standard", "long"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GeneratePasswordAnswer:
        """Generate a password for register_auth. The password is random and not stored."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/generate-password",
            values={},
            query={"length": length, "strength": strength},
            timeout_seconds=timeout_seconds,
        )

    def generate_test_scenario(
        self,
        body: t.GenerateTestScenarioBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GenerateTestScenarioAnswer:
        """Generate a test scenario from a call. Drafts a scenario from what was said in a call, without storing it. Phone numbers, URLs and keys are removed from its request data and conversation."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/generate-from-call",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def generate_test_scenarios_from_calls(
        self,
        body: Optional[t.GenerateTestScenariosFromCallsBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GenerateTestScenariosFromCallsAnswer:
        """Generate test scenarios from calls. Drafts a scenario for each of the latest answered calls of a number, without storing it: the caller says what that of the call said, and assertions say what the agent did. Whether that was right is yours to confirm. Phone numbers, URLs and keys are removed. No model is asked. Calls of which the target has a scenario, and calls like another one, are left out."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/generate-from-calls",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def generate_test_scenarios_from_persona(
        self,
        body: t.GenerateTestScenariosFromPersonaBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GenerateTestScenariosFromPersonaAnswer:
        """Generate test scenarios from a persona. Drafts scenarios for what the prompts of the persona promise and its knowledge bases hold, without storing them. Each assertion has the sentence that it is based on. Sentences that the description of a scenario of the persona quotes are left out, so that a second request continues where the first one ended. The judging model writes them; without one, rules do."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/generate-from-persona",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def get_active_tornado(
        self,
        *,
        pathway_id: Optional[str] = None,
        persona_id: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetActiveTornadoAnswer:
        """Get the active tornado session. The session that runs for the pathway; 404 if none does."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/tornado/active",
            values={},
            query={"pathway_id": pathway_id, "persona_id": persona_id},
            timeout_seconds=timeout_seconds,
        )

    def get_agent(
        self,
        agent_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetAgentAnswer:
        """Get a web agent. With its knowledge bases and tools."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agents/{agent_id}",
            values={"agent_id": agent_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_alert(
        self,
        alert_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetAlertAnswer:
        """Get an alert with its deliveries. `notices` lists each delivery."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/alerts/{alert_id}",
            values={"alert_id": alert_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_alert_contacts(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetAlertContactsAnswer:
        """Get the alert contacts. Used by every trunk whose `alert_config` enables email or SMS."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/alerts/contacts",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_batch(
        self,
        batch_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetBatchAnswer:
        """Get a batch with its progress. `GET /v1/calls?batch_id=…` lists its calls."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/batches/{batch_id}",
            values={"batch_id": batch_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_call(
        self,
        call_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetCallAnswer:
        """Get a call placed through the API. The order and its result. The agent reads its task and `request_data` here, with the `X-Demarc-Call-ID` and `X-Demarc-Token` of its INVITE."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/calls/{call_id}",
            values={"call_id": call_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_call_record(
        self,
        call_id: str,
        *,
        format: Optional[Literal["json", "text", "pcap"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetCallRecordAnswer:
        """Get a call with its SIP trace. RTP statistics and every SIP message, also for active calls. `format=text` draws the ladder, `format=pcap` is a file for Wireshark or sngrep. While `state` is not `ended`, the data is what the call’s edge currently knows."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls/{call_id}",
            values={"call_id": call_id},
            query={"format": format},
            timeout_seconds=timeout_seconds,
        )

    def get_call_series(
        self,
        *,
        window: Optional[Literal["1h", "24h", "7d", "30d"]] = None,
        scope: Optional[Literal["organization", "fleet"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetCallSeriesAnswer:
        """Get call statistics over time. Calls, answer rate and failures by the minute in which calls ended, in buckets of a minute (1h), 15 minutes (24h), two hours (7d) or six hours (30d), oldest first, without gaps."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/calls/series",
            values={},
            query={"window": window, "scope": scope},
            timeout_seconds=timeout_seconds,
        )

    def get_contact(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetContactAnswer:
        """Get a contact with its memories. Identifiers, and what each persona remembers. The agent of a call reads its contact with the call’s token."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_delivery(
        self,
        delivery_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetDeliveryAnswer:
        """Get a delivery with its body and attempts. Each attempt with what was sent and answered: heads and the first 2 KB of the response, kept for 7 days."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/deliveries/{delivery_id}",
            values={"delivery_id": delivery_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_discovery(
        self,
        *,
        discovery_id: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetDiscoveryAnswer:
        """Get the progress and result of a discovery. Results are kept for ten minutes."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/discover/status",
            values={},
            query={"discovery_id": discovery_id},
            timeout_seconds=timeout_seconds,
        )

    def get_enhanced_test_analytics(
        self,
        pathway_id: str,
        *,
        days: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetEnhancedTestAnalyticsAnswer:
        """Get enhanced analytics of tests. Adds health, reliability, the trend, failures by node, and the flow from scenarios over nodes to outcomes."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/analytics/{pathwayId}/enhanced",
            values={"pathwayId": pathway_id},
            query={"days": days},
            timeout_seconds=timeout_seconds,
        )

    def get_explanations(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetExplanationsAnswer:
        """List the explanations of end reasons and SIP statuses. The source of `cause` and `advice` in other responses."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/explanations",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_firewall(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetFirewallAnswer:
        """Get Demarc’s addresses and ports for your firewall. For your organization's region; `regions` has all regions."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/firewall-ips",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_health_history(
        self,
        *,
        phone_number: str,
        window: Optional[Literal["24h", "7d", "30d"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetHealthHistoryAnswer:
        """Get the health history of a number’s servers. Uptime and response times in buckets of an hour (24h), six hours (7d) or a day (30d), oldest first, without gaps; the last bucket is incomplete."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/health/history",
            values={},
            query={"phone_number": phone_number, "window": window},
            timeout_seconds=timeout_seconds,
        )

    def get_incident(
        self,
        incident_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetIncidentAnswer:
        """Get an incident with its story. The first call, the reasons with cause and advice, what the audit log has of the day before, who was notified, who acknowledged it, and when it recovered."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/incidents/{incident_id}",
            values={"incident_id": incident_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_judge_calibration(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetJudgeCalibrationAnswer:
        """Compare the judge with labels. How far the verdicts on the assertions of a scenario agree with what people say: as the runs were judged, and as they were judged again."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/scenarios/{id}/calibration",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_key(
        self,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetKeyAnswer:
        """Get an API key. The key itself is not returned."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/keys/{key_id}",
            values={"key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_key_for_organization(
        self,
        organization_id: str,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetKeyForOrganizationAnswer:
        """Get an API key. For operators only. The key itself is not returned."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/keys/{key_id}",
            values={"organization_id": organization_id, "key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_knowledge(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetKnowledgeAnswer:
        """Get a knowledge base. Also shows how far learning is. A deleted one is shown with status DELETED."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/knowledge/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_load_test(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetLoadTestAnswer:
        """Get a load test. With the figures of each step; those of the present one are those so far. `GET /v1/agent-testing/runs?load_test_id=` has the conversations of the callers."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/load-tests/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_maintenance_window(
        self,
        window_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetMaintenanceWindowAnswer:
        """Get a maintenance window. With its present or next time."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/maintenance-windows/{window_id}",
            values={"window_id": window_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_number(
        self,
        *,
        phone_number: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetNumberAnswer:
        """Get a number’s configurations. Passwords read `[redacted]`. Send the `ETag` as `If-Match` with a change to get 412 if the number has changed since."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip",
            values={},
            query={"phone_number": phone_number},
            timeout_seconds=timeout_seconds,
        )

    def get_operator_port(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetOperatorPortAnswer:
        """One port request with what the losing carrier compares. For operators: includes account number and PIN, which no other response contains."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/ports/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_operator_port_document(
        self,
        id: str,
        document_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """A document of a port request. For operators. The file itself, with its media type."""
        return self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/ports/{id}/documents/{document_id}",
            values={"id": id, "document_id": document_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_organization(
        self,
        organization_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetOrganizationAnswer:
        """Get an organization. For operators only."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}",
            values={"organization_id": organization_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_outbound_setup(
        self,
        *,
        phone_number: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetOutboundSetupAnswer:
        """Get the settings for your PBX. What a PBX needs to send calls. With `phone_number`, `credentials` has the number’s credentials."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/outbound-setup",
            values={},
            query={"phone_number": phone_number},
            timeout_seconds=timeout_seconds,
        )

    def get_pathway(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPathwayAnswer:
        """Get a pathway. With its draft and its live version; their documents are at GET /v1/pathways/{id}/versions/{version_number}."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_pathway_coverage(
        self,
        pathway_id: str,
        *,
        version_number: Optional[int] = None,
        batch_id: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPathwayCoverageAnswer:
        """Get the coverage of a pathway. Nodes and edges of a version that tests by text visited, those that they did not, and scenarios that would."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/coverage/{pathwayId}",
            values={"pathwayId": pathway_id},
            query={"version_number": version_number, "batch_id": batch_id},
            timeout_seconds=timeout_seconds,
        )

    def get_pathway_version(
        self,
        id: str,
        version_number: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPathwayVersionAnswer:
        """Get a version of a pathway. With its document, and warnings about probable mistakes. The agent of a call reads the version in its X-Demarc-Pathway-ID and X-Demarc-Pathway-Version with the token of the call."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_persona(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPersonaAnswer:
        """Get a persona. With its numbers, its draft and its live version."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_persona_version(
        self,
        id: str,
        version_number: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPersonaVersionAnswer:
        """Get a version of a persona. Prompts and knowledge as calls got them. The agent of a call reads the version in its X-Demarc-Persona-ID and X-Demarc-Persona-Version with the token of the call."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_port(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPortAnswer:
        """Get a port request with its history. Every state change with time, actor and reason. Account number and PIN are not returned."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/port/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_session(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetSessionAnswer:
        """Get the current session. Organization, key and expiry of the request’s API key or session cookie."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/session",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_simulation_set(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetSimulationSetAnswer:
        """Get a simulation set. With the statistics of the runs that have ended."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/simulation-sets/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_summary(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetSummaryAnswer:
        """Get the overview. Health of trunks and components, calls, and failures by cause of your organization. Operator keys also get `fleet`. If a component is down, unknown values are null."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/summary",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_analytics(
        self,
        pathway_id: str,
        *,
        days: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestAnalyticsAnswer:
        """Get analytics of tests. Pass rate and mean score of the runs that ended within the days in UTC, and the latest runs."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/analytics/{pathwayId}",
            values={"pathwayId": pathway_id},
            query={"days": days},
            timeout_seconds=timeout_seconds,
        )

    def get_test_batch(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestBatchAnswer:
        """Get a test batch. With its runs, without their conversations."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/batches/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_budget(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestBudgetAnswer:
        """Get the budget of agent tests. What the models of agent tests have taken for the organization, in tokens and money, and how much they may take."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/budget",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_call(
        self,
        *,
        call_id: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestCallAnswer:
        """Get the result of a test call. Kept for an hour. The SIP messages are in `/v1/sip/calls/{history_call_id}` once the call has ended."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/test-call/status",
            values={},
            query={"call_id": call_id},
            timeout_seconds=timeout_seconds,
        )

    def get_test_labels(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestLabelsAnswer:
        """Get the labels of a test run. What people say of its assertions, and the result of judging it again."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs/{id}/labels",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_monitor(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestMonitorAnswer:
        """Get a test monitor. With what its latest calls show. `GET /v1/agent-testing/runs?monitor_id=` has the calls that it judged."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/monitors/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_prices(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestPricesAnswer:
        """Get the prices of the models of agent tests. Those that the organization set, and those that count for the models of the service."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/prices",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_recording(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Get the recording of a test run by voice. A WAVE file: G.711 μ-law at 8000 Hz, the caller on the left channel, the agent on the right. One range of octets can be requested (`Range`, RFC 9110)."""
        return self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs/{id}/recording",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_run(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestRunAnswer:
        """Get a test run. With its conversation so far and, when it has ended, the result of each assertion."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_scenario(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestScenarioAnswer:
        """Get a test scenario. With its assertions."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/scenarios/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_test_schedule(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestScheduleAnswer:
        """Get a test schedule. With its state and next time. `GET /v1/agent-testing/simulation-sets?schedule_id=` has what it ran."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/schedules/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_tornado_status(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTornadoStatusAnswer:
        """Get the progress of a tornado session. With each iteration, its fixes, and the scenarios that were given up."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/tornado/{id}/status",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_trunk(
        self,
        trunk_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTrunkAnswer:
        """Get a shared trunk. Passwords are not returned."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/trunks/{trunk_id}",
            values={"trunk_id": trunk_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_trunk_status(
        self,
        *,
        phone_number: str,
        probe: Optional[Literal["now"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTrunkStatusAnswer:
        """Get the health of a number’s trunk. Demarc probes the servers of the number’s outbound direction with OPTIONS; any response except 503 counts as reachable. healthy: at least one is reachable. unchecked: not probed; inbound-only trunks have no server to probe. Uptime and response times at the top level are those of the first server. `probe=now` probes at once and waits for the results; `probe` says whether all arrived. It also registers at once. With `auth_mode: register`, `registration` shows the registration."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/status",
            values={},
            query={"phone_number": phone_number, "probe": probe},
            timeout_seconds=timeout_seconds,
        )

    def get_usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageAnswer:
        """Calls, minutes and peak concurrency by day. Of your organization, up to 92 days. A call counts once it has ended, on the day on which it started (UTC)."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/usage",
            values={},
            query={"from": from_, "to": to},
            timeout_seconds=timeout_seconds,
        )

    def get_usage_breakdown(
        self,
        *,
        by: Literal["number", "agent"],
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageBreakdownAnswer:
        """Calls and minutes by number or agent. Of your organization, up to 92 days; those with the most minutes first. For one day, set `from` and `to` to it. Calls from before the upgrade to this version are not included."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/usage/breakdown",
            values={},
            query={"by": by, "from": from_, "to": to, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    def get_usage_breakdown_for_organization(
        self,
        organization_id: str,
        *,
        by: Literal["number", "agent"],
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageBreakdownForOrganizationAnswer:
        """Calls and minutes by number or agent. For operators only. Of the organization, up to 92 days; those with the most minutes first. For one day, set `from` and `to` to it. Calls from before the upgrade to this version are not included."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/usage/breakdown",
            values={"organization_id": organization_id},
            query={"by": by, "from": from_, "to": to, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    def get_usage_for_organization(
        self,
        organization_id: str,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageForOrganizationAnswer:
        """Calls, minutes and peak concurrency by day. For operators only. Of the organization, up to 92 days. A call counts once it has ended, on the day on which it started (UTC)."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/usage",
            values={"organization_id": organization_id},
            query={"from": from_, "to": to},
            timeout_seconds=timeout_seconds,
        )

    def get_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetWebhookAnswer:
        """Get a webhook endpoint. Includes whether it is enabled and since when deliveries have failed."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks/{webhook_id}",
            values={"webhook_id": webhook_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def get_webhook_secret(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetWebhookSecretAnswer:
        """Get the state of the signing secret. The secret itself is returned only when it is created."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks/secret",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def hold_call(
        self,
        call_id: str,
        body: Optional[t.HoldCallBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.HoldCallAnswer:
        """Put a call on hold. Works for any answered call: until `resume`, the caller or callee hears music and the agent silence. No re-INVITE is sent."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/hold",
            values={"call_id": call_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def initiate_port(
        self,
        body: t.InitiatePortBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.InitiatePortAnswer:
        """Port numbers to this service. Sends the Letter of Authorization to the authorized representative for electronic signature. Once it is signed, the request goes to the carrier. A port takes 7 to 14 business days; keep the service at the losing carrier active until then."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/port/initiate",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def invite_member(
        self,
        body: t.InviteMemberBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.InviteMemberAnswer:
        """Invite a person. Returns a link that works once, for 72 hours; it is returned only this once. If the service sends mail, it is also mailed. A new invitation of the same address replaces the earlier one. A key can invite only to roles with no more rights than its own. Limits per day: 10 emails to an address, 200 from an organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/invitations",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def invite_member_for_organization(
        self,
        organization_id: str,
        body: t.InviteMemberForOrganizationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.InviteMemberForOrganizationAnswer:
        """Invite a person. For operators only. Returns a link that works once, for 72 hours; it is returned only this once. If the service sends mail, it is also mailed. A new invitation of the same address replaces the earlier one. A key can invite only to roles with no more rights than its own. Limits per day: 10 emails to an address, 200 from an organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations/{organization_id}/invitations",
            values={"organization_id": organization_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def judge_test_run(
        self,
        id: str,
        body: Optional[t.JudgeTestRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.JudgeTestRunAnswer:
        """Judge a test run again. Evaluates the present assertions of the scenario on the stored conversation, without a new one. The run keeps its result, which gates and statistics count; the last judgement is stored beside it."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/judge",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def learn_knowledge(
        self,
        body: t.LearnKnowledgeBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.LearnKnowledgeAnswer:
        """Create a knowledge base from a text. Returns immediately with the record in state PROCESSING; poll `GET /v1/knowledge/{id}` until it is COMPLETED or FAILED. The text is split at headings, paragraphs and sentences, and indexed by the words of its language; with an embeddings endpoint also by meaning."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/knowledge/learn",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def list_agent_credentials(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAgentCredentialsAnswer:
        """List agent credentials. Oldest first, without passwords."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/agent-credentials",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_agent_stream_secrets(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAgentStreamSecretsAnswer:
        """List the signing secrets of WebSocket agents. The current one first, without their values; at most 2."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-streams/signing-secrets",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def list_agents(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAgentsAnswer:
        """List web agents. Newest first."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agents",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_alerts(
        self,
        *,
        phone_number: Optional[str] = None,
        direction: Optional[Literal["inbound", "outbound"]] = None,
        state: Optional[Literal["active", "recovered", "closed"]] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAlertsAnswer:
        """List alerts. All trunks of the organization; active alerts first, then newest first."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/alerts",
            values={},
            query={"phone_number": phone_number, "direction": direction, "state": state, "limit": limit, "after": after, "before": before},
            timeout_seconds=timeout_seconds,
        )

    def list_audit_events(
        self,
        *,
        actor_id: Optional[str] = None,
        action: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAuditEventsAnswer:
        """List changes and who made them. Newest first: every change through the API and the dashboard, and sign-ins of members. Requires `members:write`, which owners have. Calls, contacts, knowledge and agent tests are recorded only when a person does them. Kept for 400 days."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/audit",
            values={},
            query={"actor_id": actor_id, "action": action, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_audit_events_for_organization(
        self,
        organization_id: str,
        *,
        actor_id: Optional[str] = None,
        action: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAuditEventsForOrganizationAnswer:
        """List changes and who made them. For operators only. Newest first: every change through the API and the dashboard, and sign-ins of members. Requires `members:write`, which owners have. Calls, contacts, knowledge and agent tests are recorded only when a person does them. Kept for 400 days."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/audit",
            values={"organization_id": organization_id},
            query={"actor_id": actor_id, "action": action, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_batches(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListBatchesAnswer:
        """List batches. Newest first, each with its progress."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/batches",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_call_records(
        self,
        *,
        q: Optional[str] = None,
        header: Optional[str] = None,
        scope: Optional[Literal["organization", "fleet"]] = None,
        organization_id: Optional[str] = None,
        phone_number: Optional[str] = None,
        direction: Optional[Literal["inbound", "outbound"]] = None,
        outcome: Optional[Literal["completed", "cancelled", "refused", "failed"]] = None,
        problem: Optional[Literal["any", "audio"]] = None,
        sip_code: Optional[int] = None,
        started_after: Optional[str] = None,
        started_before: Optional[str] = None,
        ended_after: Optional[str] = None,
        ended_before: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        end_reason: Optional[Literal["caller_hung_up", "agent_hung_up", "callee_hung_up", "caller_cancelled", "stopped", "target_hung_up", "transferred", "test_completed", "refused_draining", "refused_too_many_hops", "refused_loop", "refused_unknown_number", "refused_source", "refused_credentials", "refused_guessing", "refused_limit", "refused_unavailable", "refused_media", "refused_bad_request", "agent_refused", "agent_unreachable", "agent_no_answer", "agent_lost", "trunk_refused", "trunk_unreachable", "trunk_no_answer", "media_failed", "media_timeout", "one_way_audio", "dead_air", "ack_timeout", "session_expired", "max_duration", "drained", "engine_lost", "edge_lost", "order_not_taken", "order_expired", "internal_error"]] = None,
        sip_call_id: Optional[str] = None,
        source_ip: Optional[str] = None,
        metadata: Optional[Dict[str, str]] = None,
        include_total: Optional[bool] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListCallRecordsAnswer:
        """List calls in the history. All calls of the organization, newest first: inbound, and placed through the API or by an agent."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls",
            values={},
            query={"q": q, "header": header, "scope": scope, "organization_id": organization_id, "phone_number": phone_number, "direction": direction, "outcome": outcome, "problem": problem, "sip_code": sip_code, "started_after": started_after, "started_before": started_before, "ended_after": ended_after, "ended_before": ended_before, "from": from_, "to": to, "end_reason": end_reason, "sip_call_id": sip_call_id, "source_ip": source_ip, "metadata": metadata, "include_total": include_total, "limit": limit, "after": after, "before": before},
            timeout_seconds=timeout_seconds,
        )

    def list_call_shares(
        self,
        call_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListCallSharesAnswer:
        """List the links of a call. Links that have not expired, newest first, without the token."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls/{call_id}/shares",
            values={"call_id": call_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def list_calls(
        self,
        *,
        state: Optional[Literal["active", "queued", "dialing", "ringing", "in_progress", "ending", "completed", "busy", "no_answer", "cancelled", "failed", "unknown"]] = None,
        end_reason: Optional[Literal["caller_hung_up", "agent_hung_up", "callee_hung_up", "caller_cancelled", "stopped", "target_hung_up", "transferred", "test_completed", "refused_draining", "refused_too_many_hops", "refused_loop", "refused_unknown_number", "refused_source", "refused_credentials", "refused_guessing", "refused_limit", "refused_unavailable", "refused_media", "refused_bad_request", "agent_refused", "agent_unreachable", "agent_no_answer", "agent_lost", "trunk_refused", "trunk_unreachable", "trunk_no_answer", "media_failed", "media_timeout", "one_way_audio", "dead_air", "ack_timeout", "session_expired", "max_duration", "drained", "engine_lost", "edge_lost", "order_not_taken", "order_expired", "internal_error"]] = None,
        metadata: Optional[Dict[str, str]] = None,
        after: Optional[str] = None,
        from_number: Optional[str] = None,
        to_number: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        batch_id: Optional[str] = None,
        ascending: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListCallsAnswer:
        """List calls placed through the API. Newest first. `/v1/sip/calls` also has inbound calls, with traces. The list is in `calls`, beside `count` and `total_count`."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/calls",
            values={},
            query={"state": state, "end_reason": end_reason, "metadata": metadata, "after": after, "from_number": from_number, "to_number": to_number, "start_date": start_date, "end_date": end_date, "batch_id": batch_id, "ascending": ascending, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    def list_contact_calls(
        self,
        contact_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactCallsAnswer:
        """List the calls with a contact. Ended calls from and to its numbers, newest first."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}/calls",
            values={"contact_id": contact_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_contact_deletions(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactDeletionsAnswer:
        """List deletions of contacts. The audit log: who deleted when, and how much, but not whom. Newest first."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/deletions",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_contact_merges(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactMergesAnswer:
        """List the merges of a contact. Who merged which contact into it, when, and how that contact was. Newest first."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}/merges",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def list_contacts(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        search: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactsAnswer:
        """List and search contacts. Newest first, without their memories."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts",
            values={},
            query={"limit": limit, "after": after, "search": search},
            timeout_seconds=timeout_seconds,
        )

    def list_deliveries(
        self,
        *,
        subject: Optional[str] = None,
        webhook_id: Optional[str] = None,
        event_id: Optional[str] = None,
        event: Optional[Literal["call.initiated", "call.ringing", "call.answered", "call.completed", "call.failed", "trunk.unreachable", "trunk.recovered", "registration.registered", "registration.failed", "alert.fired", "alert.recovered", "port.waiting_for_signature", "port.submitted", "port.in_progress", "port.completed", "port.failed", "port.canceled", "usage.near_limit", "persona.promoted", "pathway.promoted", "agent_test.schedule_failed", "agent_test.schedule_recovered", "agent_test.monitor_failed", "agent_test.monitor_recovered", "webhook.paused", "webhook.resumed", "webhook.deliveries_dropped", "webhook.test", "alert.test", "call.lost", "port.signature_request", "port.signed_copy", "agent_test.run_completed", "agent_test.batch_completed", "agent_test.simulation_set_completed", "agent_test.load_test_completed"]] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        channel: Optional[Literal["email", "sms", "webhook"]] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListDeliveriesAnswer:
        """List deliveries. Webhooks, emails and SMS, sent and pending, newest first."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks/deliveries",
            values={},
            query={"subject": subject, "webhook_id": webhook_id, "event_id": event_id, "event": event, "status": status, "channel": channel, "created_after": created_after, "created_before": created_before, "limit": limit, "after": after, "before": before},
            timeout_seconds=timeout_seconds,
        )

    def list_incidents(
        self,
        *,
        scope: Optional[Literal["organization", "fleet"]] = None,
        state: Optional[Literal["open", "recovered"]] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListIncidentsAnswer:
        """List incidents, newest first. An incident begins when the verdict of the overview turns red, within about ten seconds, and ends when it has not been red for a minute. Organizations see their own, and those of components such as Redis. Kept for 400 days."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/incidents",
            values={},
            query={"scope": scope, "state": state, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_invitations(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListInvitationsAnswer:
        """List open invitations. Newest first, without links."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/invitations",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_invitations_for_organization(
        self,
        organization_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListInvitationsForOrganizationAnswer:
        """List open invitations. For operators only. Newest first, without links."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/invitations",
            values={"organization_id": organization_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_keys(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListKeysAnswer:
        """List API keys. Newest first, including revoked and expired keys."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/keys",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_keys_for_organization(
        self,
        organization_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListKeysForOrganizationAnswer:
        """List API keys. For operators only. Newest first, including revoked and expired keys."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/keys",
            values={"organization_id": organization_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_knowledge(
        self,
        *,
        limit: Optional[int] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListKnowledgeAnswer:
        """List knowledge bases. Newest first, without deleted ones."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/knowledge",
            values={},
            query={"limit": limit, "page": page, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_live_calls(
        self,
        *,
        scope: Optional[Literal["organization", "fleet"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListLiveCallsAnswer:
        """List active calls. At most 1,000, newest first, at most half a second old. `scope=fleet` requires an operator key."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/calls/live",
            values={},
            query={"scope": scope},
            timeout_seconds=timeout_seconds,
        )

    def list_load_tests(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[Literal["t.RUNNING", "t.COMPLETED", "t.CANCELLED", "t.ERROR"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListLoadTestsAnswer:
        """List load tests. Newest first, with where the agent breaks, without the figures of the steps."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/load-tests",
            values={},
            query={"limit": limit, "after": after, "status": status},
            timeout_seconds=timeout_seconds,
        )

    def list_maintenance_windows(
        self,
        *,
        open: Optional[bool] = None,
        phone_number: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListMaintenanceWindowsAnswer:
        """List maintenance windows. Newest first, including those that are over."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/maintenance-windows",
            values={},
            query={"open": open, "phone_number": phone_number, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_members(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListMembersAnswer:
        """List members. In the order in which they joined."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/members",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_members_for_organization(
        self,
        organization_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListMembersForOrganizationAnswer:
        """List members. For operators only. In the order in which they joined."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/members",
            values={"organization_id": organization_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_numbers(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListNumbersAnswer:
        """List attached numbers. In numerical order."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/numbers",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_numbers_of_trunk(
        self,
        trunk_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListNumbersOfTrunkAnswer:
        """List the numbers of a shared trunk. E.164 with +."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/trunks/{trunk_id}/numbers",
            values={"trunk_id": trunk_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_operator_ports(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[t.PortStatusInput] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListOperatorPortsAnswer:
        """Port requests of all organizations. For operators. Newest first."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/ports",
            values={},
            query={"limit": limit, "after": after, "status": status},
            timeout_seconds=timeout_seconds,
        )

    def list_organizations(
        self,
        *,
        q: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListOrganizationsAnswer:
        """List organizations. For operators only. By name."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations",
            values={},
            query={"q": q, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_pathway_versions(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPathwayVersionsAnswer:
        """List the versions of a pathway. Newest first, without documents: the draft, the live version, forks, and all that were live before."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}/versions",
            values={"id": id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_pathways(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPathwaysAnswer:
        """List pathways. Newest first, each with its draft and its live version, without documents."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_persona_versions(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPersonaVersionsAnswer:
        """List the versions of a persona. Newest first: the draft, the live version, and all that were live before."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas/{id}/versions",
            values={"id": id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_personas(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPersonasAnswer:
        """List personas. Newest first, each with its draft and its live version."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_ports(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[t.PortStatusInput] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPortsAnswer:
        """List port requests. Newest first, each with its numbers and their states."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/port",
            values={},
            query={"limit": limit, "after": after, "status": status},
            timeout_seconds=timeout_seconds,
        )

    def list_sightings(
        self,
        *,
        phone_number: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListSightingsAnswer:
        """Get what arrived from your PBX. The latest requests and failed TLS handshakes of your PBXs, and what Demarc answered, newest first; also those that were refused before a call began. You see what names one of your numbers, and what comes from an address that only your organization has configured. Sampled and kept for minutes to hours; the event `sighting` of `/v1/noc/events` brings new ones."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/sightings",
            values={},
            query={"phone_number": phone_number, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    def list_simulation_sets(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[Literal["t.PENDING", "t.RUNNING", "t.PASSED", "t.FAILED", "t.ERROR", "t.CANCELLED"]] = None,
        schedule_id: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListSimulationSetsAnswer:
        """List simulation sets. Newest first, with the number of runs that ended and passed, without statistics."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/simulation-sets",
            values={},
            query={"limit": limit, "after": after, "status": status, "schedule_id": schedule_id},
            timeout_seconds=timeout_seconds,
        )

    def list_test_batches(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[Literal["t.PENDING", "t.RUNNING", "t.PASSED", "t.FAILED", "t.ERROR", "t.CANCELLED"]] = None,
        trigger_source: Optional[Literal["api", "dashboard", "ci", "gate", "simulation", "tornado"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestBatchesAnswer:
        """List test batches. Newest first, with the number of runs that passed and failed, without the runs."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/batches",
            values={},
            query={"limit": limit, "after": after, "status": status, "trigger_source": trigger_source},
            timeout_seconds=timeout_seconds,
        )

    def list_test_monitors(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestMonitorsAnswer:
        """List test monitors. Newest first, with what their latest calls show."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/monitors",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_test_runs(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        scenario_id: Optional[str] = None,
        pathway_id: Optional[str] = None,
        persona_id: Optional[str] = None,
        batch_id: Optional[str] = None,
        simulation_set_id: Optional[str] = None,
        tornado_session_id: Optional[str] = None,
        monitor_id: Optional[str] = None,
        load_test_id: Optional[str] = None,
        call_id: Optional[str] = None,
        status: Optional[Literal["t.PENDING", "t.RUNNING", "t.PASSED", "t.FAILED", "t.ERROR", "t.CANCELLED"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestRunsAnswer:
        """List test runs. Newest first, without their conversations."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs",
            values={},
            query={"limit": limit, "offset": offset, "after": after, "scenario_id": scenario_id, "pathway_id": pathway_id, "persona_id": persona_id, "batch_id": batch_id, "simulation_set_id": simulation_set_id, "tornado_session_id": tornado_session_id, "monitor_id": monitor_id, "load_test_id": load_test_id, "call_id": call_id, "status": status},
            timeout_seconds=timeout_seconds,
        )

    def list_test_scenarios(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        pathway_id: Optional[str] = None,
        persona_id: Optional[str] = None,
        category: Optional[Literal["t.CUSTOM", "t.VOICEMAIL", "t.VOICEMAIL_SCREENER", "t.ANGRY_CALLER", "t.BELLIGERENT_CALLER", "t.CONFUSED_CALLER", "t.CALL_SCREENER", "t.HAPPY_PATH", "t.EDGE_CASE", "t.RED_TEAM"]] = None,
        enabled: Optional[bool] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestScenariosAnswer:
        """List test scenarios. Newest first, each with its latest run."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/scenarios",
            values={},
            query={"limit": limit, "after": after, "pathway_id": pathway_id, "persona_id": persona_id, "category": category, "enabled": enabled},
            timeout_seconds=timeout_seconds,
        )

    def list_test_schedules(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestSchedulesAnswer:
        """List test schedules. Newest first, with their state and next time."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/schedules",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_test_templates(
        self,
        *,
        category: Optional[Literal["t.CUSTOM", "t.VOICEMAIL", "t.VOICEMAIL_SCREENER", "t.ANGRY_CALLER", "t.BELLIGERENT_CALLER", "t.CONFUSED_CALLER", "t.CALL_SCREENER", "t.HAPPY_PATH", "t.EDGE_CASE", "t.RED_TEAM"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestTemplatesAnswer:
        """List scenario templates. The built-in templates; those of the category RED_TEAM attack the agent. Clone one to get a scenario that you can run."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/templates",
            values={},
            query={"category": category},
            timeout_seconds=timeout_seconds,
        )

    def list_tornado_sessions(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        pathway_id: Optional[str] = None,
        status: Optional[Literal["t.RUNNING", "t.COMPLETED_ALL_PASSED", "t.COMPLETED_PARTIAL", "t.TIMEOUT", "t.STUCK", "t.CANCELLED", "t.ERROR"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTornadoSessionsAnswer:
        """List tornado sessions. Newest first, without their iterations."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/tornado",
            values={},
            query={"limit": limit, "after": after, "pathway_id": pathway_id, "status": status},
            timeout_seconds=timeout_seconds,
        )

    def list_trunk_health(
        self,
        *,
        state: Optional[Literal["unreachable", "failing", "degraded", "unregistered"]] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTrunkHealthAnswer:
        """List trunks, worst first. Reachability, registration and recent calls of the organization’s numbers, of 2,000 at most. Unreachable trunks come first, then those whose calls fail, then lost registrations."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/trunks",
            values={},
            query={"state": state, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_trunks(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTrunksAnswer:
        """List shared trunks. Newest first. Numbers with their own configurations are only in GET /v1/sip/numbers."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/trunks",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def list_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListWebhooksAnswer:
        """List webhook endpoints. Newest first, without secrets."""
        return self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    def listen_to_call(
        self,
        call_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Listen to an active call. Works for any answered call. The response is a WAVE file that continues until the call ends: G.711 μ-law at 8000 Hz, the caller or callee on the left channel, the agent on the right. It is also complete when the right is withdrawn, and after 60 minutes; it breaks off when the edge of the call ends. Neither side notices anything, and nothing is stored. The audit log has the beginning and the end with its duration; `listeners` of the active call shows who listens. Up to three listeners a call. Requires the scope `calls:listen`, which `calls:write` does not include."""
        return self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/calls/{call_id}/audio",
            values={"call_id": call_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def look_up_invitation(
        self,
        body: t.LookUpInvitationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.LookUpInvitationAnswer:
        """Show what an invitation link invites to. Does not use up the link."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/invitations/look-up",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def merge_contacts(
        self,
        body: t.MergeContactsBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.MergeContactsAnswer:
        """Merge two contacts. The primary contact gets the other one’s identifiers, memories and messages; where both have a value, the primary’s stays. The other id leads to the primary from then on, and the other contact, as it was, is kept in the history (`GET /v1/contacts/{contact_id}/merges`). Merging two that were merged already changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/contacts/merge",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def move_port(
        self,
        id: str,
        body: t.MovePortBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.MovePortAnswer:
        """Move a port request, or some of its numbers. For operators, to record what happened at the carrier. Numbers for which the move is not possible keep their state; when it is possible for none, the answer is 409."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/ports/{id}/moves",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def parse_certificates(
        self,
        body: t.ParseCertificatesBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ParseCertificatesAnswer:
        """Parse certificates for `tls_ca`. A text that `tls_ca` would refuse returns `valid: false` with the reason."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/parse-certificates",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def parse_destination(
        self,
        body: t.ParseDestinationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ParseDestinationAnswer:
        """Parse a destination. Accepts host names, addresses, SIP URIs and shorthands such as `tls://203.0.113.5`. Invalid destinations return `valid: false` with the reason."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/parse-destination",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def play_to_call(
        self,
        call_id: str,
        body: t.PlayToCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.PlayToCallAnswer:
        """Play a file to the caller or callee. Works for an answered call whose agent is a WebSocket server. The media-stream process fetches the file and plays it in place of what the agent has queued; the agent gets its pending marks back. Returns when the file has begun."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/play",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def promote_pathway(
        self,
        id: str,
        body: Optional[t.PromotePathwayBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.PromotePathwayAnswer:
        """Make a version of a pathway live. The draft, a fork, or an archived version again. With required scenarios the answer is 202: they run first, and the version becomes live when all have passed (`promotion`). Of two promotions of a version at the same time one is refused."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/versions/promote",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def promote_persona(
        self,
        id: str,
        body: Optional[t.PromotePersonaBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.PromotePersonaAnswer:
        """Make the draft of a persona live. The next call gets it; calls that are active keep theirs. With required scenarios the answer is 202: they run first, and the draft becomes live when all have passed (`promotion`). Of two promotions at the same time one is refused."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas/{id}/versions/promote",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def prove_numbers(
        self,
        body: t.ProveNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ProveNumbersAnswer:
        """Confirm ownership of numbers. Operator key required. If the service requires proof (`DEMARC_NUMBER_PROOF`), organizations can attach only numbers confirmed for them. Numbers that are already attached stay attached."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/numbers/prove",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def read_shared_call(
        self,
        body: t.ReadSharedCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReadSharedCallAnswer:
        """Read the call of a link. What the page of the link shows. The token is in the body, so that no log has it. Needs no key."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/shared-calls/read",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def remove_agent_stream_secret(
        self,
        secret_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RemoveAgentStreamSecretAnswer:
        """Remove a signing secret of WebSocket agents. Handshakes are no longer signed with it. Without any secret they are not signed."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-streams/signing-secrets/{secret_id}",
            values={"secret_id": secret_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def remove_member(
        self,
        member_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RemoveMemberAnswer:
        """Remove a member. The member’s sessions in this organization end at once. API keys that the member created stay: revoke them separately."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/members/{member_id}",
            values={"member_id": member_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def remove_member_for_organization(
        self,
        organization_id: str,
        member_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RemoveMemberForOrganizationAnswer:
        """Remove a member. For operators only. The member’s sessions in this organization end at once. API keys that the member created stay: revoke them separately."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/operator/organizations/{organization_id}/members/{member_id}",
            values={"organization_id": organization_id, "member_id": member_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def replace_pathway_document(
        self,
        id: str,
        version_number: str,
        body: t.ReplacePathwayDocumentBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReplacePathwayDocumentAnswer:
        """Replace the document of a draft or fork. Other versions take no changes: fork them, or change the draft."""
        return self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/pathways/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def replay_delivery(
        self,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReplayDeliveryAnswer:
        """Replay a webhook. Sends a delivered or failed webhook again with the same body, event_id and X-Webhook-Id, and a new signature; attempts restart at zero. A pending delivery is refused (409)."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/deliveries/{delivery_id}/replay",
            values={"delivery_id": delivery_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def replay_failed_deliveries(
        self,
        webhook_id: str,
        body: t.ReplayFailedDeliveriesBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReplayFailedDeliveriesAnswer:
        """Replay all failed deliveries of an endpoint. Sends the failed webhooks that were created in a time range again, oldest first, at most 50 a second, each with its body, event_id and X-Webhook-Id and a new signature. At most 10000 per request."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/{webhook_id}/replay",
            values={"webhook_id": webhook_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def request_password_reset(
        self,
        body: t.RequestPasswordResetBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RequestPasswordResetAnswer:
        """Request a password reset link by mail. The response is the same whether or not the address has an account. The link works once, for 2 hours."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/password/reset",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def resend_port_signature(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ResendPortSignatureAnswer:
        """Send the Letter of Authorization again. Mails a new link to the authorized representative. The earlier link stops working."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/port/{id}/signature",
            values={"id": id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def resolve_contact(
        self,
        body: Optional[t.ResolveContactBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ResolveContactAnswer:
        """Find or create a contact. A contact that exists gets the identifiers that it lacks, and the name if it has none; metadata is merged. Calls create the contacts of their callers and callees themselves. With persona_id or agent_number, the memory of that persona or number is created too."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/contacts/resolve",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def resume_call(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ResumeCallAnswer:
        """Resume a call on hold. Reconnects the audio of both sides. 409 if the call is not on hold."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/resume",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def revoke_agent_credential(
        self,
        credential_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeAgentCredentialAnswer:
        """Revoke agent credentials. Edges refuse them from the response on, unless `warnings` has CHANGE_NOT_CONFIRMED. Active calls continue."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/agent-credentials/{credential_id}",
            values={"credential_id": credential_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def revoke_call_share(
        self,
        call_id: str,
        share_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeCallShareAnswer:
        """Revoke the link of a call. The link is invalid at once."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/calls/{call_id}/shares/{share_id}",
            values={"call_id": call_id, "share_id": share_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def revoke_key(
        self,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeKeyAnswer:
        """Revoke an API key. The key is refused from the next request on, and its sessions end. Revoking it again changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/keys/{key_id}",
            values={"key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def revoke_key_for_organization(
        self,
        organization_id: str,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeKeyForOrganizationAnswer:
        """Revoke an API key. For operators only. The key is refused from the next request on, and its sessions end. Revoking it again changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/operator/organizations/{organization_id}/keys/{key_id}",
            values={"organization_id": organization_id, "key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RotateWebhookSecretAnswer:
        """Rotate an endpoint’s signing secret. The new secret is returned only this once. For 24 hours X-Demarc-Signature also has a v1 value for the previous secret."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/{webhook_id}/rotate-secret",
            values={"webhook_id": webhook_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def run_test_batch(
        self,
        body: t.RunTestBatchBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RunTestBatchAnswer:
        """Run several test scenarios. Runs each scenario once, all or none of them are started. Poll `GET /v1/agent-testing/batches/{id}` until it has ended, or send `webhook_url`."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/batch-run",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def run_test_scenario(
        self,
        id: str,
        body: Optional[t.RunTestScenarioBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RunTestScenarioAnswer:
        """Run a test scenario. Returns immediately; poll `GET /v1/agent-testing/runs/{id}` until it has ended, or send `webhook_url`. The run keeps the scenario as it is now."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/{id}/run",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def search_knowledge(
        self,
        body: t.SearchKnowledgeBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SearchKnowledgeAnswer:
        """Find passages that answer a question. Ranks by words and, with an embeddings endpoint, by meaning, and fuses both. The agent of a call may search with the call’s token (`X-Demarc-Token`): then only the knowledge bases of that call."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/knowledge/search",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def send_digits(
        self,
        call_id: str,
        body: t.SendDigitsBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SendDigitsAnswer:
        """Send DTMF digits to the caller or callee. Works for any answered call, inbound or placed through the API: as telephone events (RFC 4733), by INFO if the trunk does not support them, or as tones. Returns when the first digit is sent; the others follow at five per second."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/dtmf",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def set_password(
        self,
        body: t.SetPasswordBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetPasswordAnswer:
        """Set a new password with a reset link. Uses up the link and ends all sessions of the person. Sign in afterwards."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/password/set",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def set_test_budget(
        self,
        body: t.SetTestBudgetBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetTestBudgetAnswer:
        """Set the budget of agent tests. Once a limit per day or month is reached, nothing that asks a model is started, and runs in progress end in ERROR, with `TOKEN_BUDGET_USED` or `COST_BUDGET_USED` as the reason. So do those whose own limit, or that of the runs started with them, is reached. Limits in money need a price of each model in the currency of the organization (`PUT /v1/agent-testing/prices`)."""
        return self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/budget",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def set_test_labels(
        self,
        id: str,
        body: t.SetTestLabelsBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetTestLabelsAnswer:
        """Label the assertions of a test run. Says whether assertions pass in your opinion, so that the judge can be compared with people. The result of the run stays."""
        return self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/runs/{id}/labels",
            values={"id": id},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def set_test_prices(
        self,
        body: t.SetTestPricesBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetTestPricesAnswer:
        """Set the prices of the models of agent tests. Replaces all prices of the organization; they count for requests from then on. They go before the prices of the service, and give agents at their own URL a price. The currency cannot change while a budget in money is set."""
        return self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/prices",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def share_call(
        self,
        call_id: str,
        body: Optional[t.ShareCallBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ShareCallAnswer:
        """Share a call with a carrier. Creates a link that anyone can open until it expires or is revoked. It shows the SIP messages of the trunk’s leg without bodies, with numbers and names masked, and has them as pcap. `ticket` is the text for a ticket. Only of an ended call."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/calls/{call_id}/shares",
            values={"call_id": call_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def sign_in(
        self,
        body: t.SignInBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SignInAnswer:
        """Sign in with email and password. Sets the session cookie, as `POST /v1/session` does for an API key. The session belongs to the organization that the person used last; `PATCH /v1/session` switches."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sign-in",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def start_discovery(
        self,
        body: t.StartDiscoveryBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartDiscoveryAnswer:
        """Start a discovery. Finds out how to reach a PBX: looks up A, AAAA and SRV records, then sends OPTIONS to ports 5060, 5061 and 5080 over TLS, TCP and UDP; `port` and `transport` narrow the search. Poll the status for progress. One discovery at a time (409); results are kept for ten minutes."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/discover",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def start_load_test(
        self,
        body: t.StartLoadTestBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartLoadTestAnswer:
        """Start a load test. Many simulated callers converse with the agent at once, in steps with more and more of them, until it breaks. Each is judged by the assertions of its scenario. An organization runs one load test at a time; by voice it takes at most half of the concurrent calls of the organization and of the number. Poll `GET /v1/agent-testing/load-tests/{id}` until it has ended, or send `webhook_url`."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/load-tests",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def start_simulation_set(
        self,
        body: t.StartSimulationSetBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartSimulationSetAnswer:
        """Run scenarios many times. Repeated runs show how often a scenario passes and whether it is flaky. Poll `GET /v1/agent-testing/simulation-sets/{id}` until it has ended, or send `webhook_url`."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/simulation-sets",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def start_test_call(
        self,
        body: t.StartTestCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartTestCallAnswer:
        """Place a test call. Calls the number through its own outbound servers, with the same order, credentials and media as any call from it. The callee hears a chime for seven seconds, then the call ends. Poll the status for the timeline. At most 10 per 15 minutes (429 with Retry-After)."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/test-call",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def start_tornado(
        self,
        body: t.StartTornadoBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartTornadoAnswer:
        """Start tornado mode. Runs the scenarios, analyzes the failures, applies fixes to a fork of the version, and repeats this until all pass or the limit is reached. The fork becomes live only when you promote it."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/tornado/start",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def start_warm_transfer(
        self,
        call_id: str,
        body: t.StartWarmTransferBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartWarmTransferAnswer:
        """Start a warm transfer. Puts the caller or callee on hold with music and calls the target, which then talks to the agent of the call. Works for any answered call, under the same rules for targets and limits as a bridged transfer. Returns once the target is being called; `consultation` of the active call has the stage. If the target does not answer, the caller returns to the agent, and `transfer` of the call has the reason."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/warm-transfer",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def stop_batch(
        self,
        batch_id: str,
        body: Optional[t.StopBatchBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StopBatchAnswer:
        """Stop a batch. No further call is dialled; waiting calls end as cancelled within seconds. Active calls continue unless end_calls is true."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/batches/{batch_id}/stop",
            values={"batch_id": batch_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def stop_call(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StopCallAnswer:
        """Stop a call. Ends an answered call, cancels a ringing one, removes a queued one. Repeating the request changes nothing."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/stop",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def stream_events(
        self,
        *,
        scope: Optional[Literal["organization", "fleet"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Stream live events. Server-sent events: snapshot (everything; first, and after missed events), summary (changed parts of the overview), call, trunk, alert, test_call, registration, sighting (what arrived from your PBX), beat (every four seconds), end. Last-Event-ID resumes the stream if the missed events are still available."""
        return self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/events",
            values={},
            query={"scope": scope},
            timeout_seconds=timeout_seconds,
        )

    def switch_organization(
        self,
        body: t.SwitchOrganizationBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SwitchOrganizationAnswer:
        """Switch to another organization. For people who belong to several organizations. The session gets a new cookie; the previous one ends."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/session",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def test_alert_contact(
        self,
        body: Optional[t.TestAlertContactBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TestAlertContactAnswer:
        """Send a test notice to one alert contact. Set either `email` or `phone_number`, to one of the alert contacts. Returns when the mail server or SMS provider has responded, at most 20 seconds. At most 10 tests per 15 minutes for an organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/alerts/contacts/test",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def test_alerts(
        self,
        body: t.TestAlertsBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TestAlertsAnswer:
        """Send a test notice to all channels of a direction. Returns when all recipients have responded, at most 20 seconds. At most 10 per 15 minutes for an organization."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/alerts/test",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def test_webhook(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TestWebhookAnswer:
        """Test a webhook endpoint. Sends the event webhook.test, regardless of the endpoint’s filter. The list of deliveries has the result under the event_id."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/{webhook_id}/test",
            values={"webhook_id": webhook_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def transfer_call(
        self,
        call_id: str,
        body: t.TransferCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TransferCallAnswer:
        """Transfer an active call. Same as a REFER from the agent. Works for any call, inbound or placed through the API, with the agent’s `X-Demarc-Call-ID`. Returns once the transfer has begun; the call’s record has the outcome."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/transfer",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def undo_tornado_fix(
        self,
        id: str,
        fix_id: str,
        body: Optional[t.UndoTornadoFixBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UndoTornadoFixAnswer:
        """Undo a fix of a tornado session. Restores the value before the fix in the fork, unless the field was changed since."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/tornado/{id}/fixes/{fix_id}/undo",
            values={"id": id, "fix_id": fix_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def update_agent(
        self,
        agent_id: str,
        body: Optional[t.UpdateAgentBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateAgentAnswer:
        """Change a web agent. `tools` replaces the whole list. Omitted fields keep their value."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agents/{agent_id}",
            values={"agent_id": agent_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def update_alert(
        self,
        alert_id: str,
        body: Optional[t.UpdateAlertBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateAlertAnswer:
        """Acknowledge or mute an alert. Says who handles the alert, and mutes its notices. Omitted fields keep their value."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/alerts/{alert_id}",
            values={"alert_id": alert_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_alert_contacts(
        self,
        body: Optional[t.UpdateAlertContactsBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateAlertContactsAnswer:
        """Change the alert contacts. Applies to every trunk whose `alert_config` enables email or SMS. A list you include replaces the current one; omitted lists are unchanged."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/alerts/contacts",
            values={},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_contact(
        self,
        contact_id: str,
        body: Optional[t.UpdateContactBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateContactAnswer:
        """Change a contact. Omitted fields keep their value. `email` and `external_id` replace the primary one; null removes it."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/contacts/{contact_id}",
            values={"contact_id": contact_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_contact_memory(
        self,
        contact_id: str,
        body: Optional[t.UpdateContactMemoryBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateContactMemoryAnswer:
        """Add to the memory of a contact. What an agent needs to know in the next conversation: summary, facts, messages, open items, entities. Omitted fields keep their value, and lists add to what is there. Give messages a `timestamp`, or send an Idempotency-Key: then a repeated request adds none twice. The agent of a call writes with the call’s token, during the call and shortly after it; then the memory is that of the call’s persona. The last 50 messages are returned; 100 are kept."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/contacts/{contact_id}/memory",
            values={"contact_id": contact_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_direction(
        self,
        body: t.UpdateDirectionBody,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateDirectionAnswer:
        """Change a direction of a number. Omitted fields keep their value; null clears a field. If the number has several configurations of the direction, pass `id`."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/update",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout_seconds=timeout_seconds,
        )

    def update_incident(
        self,
        incident_id: str,
        body: Optional[t.UpdateIncidentBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateIncidentAnswer:
        """Acknowledge an incident. Says who handles it. Omitted fields keep their value. Incidents of the service are handled by operators."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/noc/incidents/{incident_id}",
            values={"incident_id": incident_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_knowledge(
        self,
        id: str,
        body: Optional[t.UpdateKnowledgeBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateKnowledgeAnswer:
        """Rename or describe a knowledge base. Omitted fields keep their value; null clears the description. The text cannot be changed: learn a new one and delete this one."""
        return self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/knowledge/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_maintenance_window(
        self,
        window_id: str,
        body: Optional[t.UpdateMaintenanceWindowBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateMaintenanceWindowAnswer:
        """Change a maintenance window. Omitted fields keep their value. Applies to alerts within seconds."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/maintenance-windows/{window_id}",
            values={"window_id": window_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_member(
        self,
        member_id: str,
        body: t.UpdateMemberBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateMemberAnswer:
        """Change the role of a member. Applies to the member’s next request. A key can give and take only roles with no more rights than its own. The last owner stays owner."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/members/{member_id}",
            values={"member_id": member_id},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def update_member_for_organization(
        self,
        organization_id: str,
        member_id: str,
        body: t.UpdateMemberForOrganizationBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateMemberForOrganizationAnswer:
        """Change the role of a member. For operators only. Applies to the member’s next request. A key can give and take only roles with no more rights than its own. The last owner stays owner."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/operator/organizations/{organization_id}/members/{member_id}",
            values={"organization_id": organization_id, "member_id": member_id},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    def update_numbers(
        self,
        body: t.UpdateNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateNumbersAnswer:
        """Change a direction of many numbers. Like `/v1/sip/update`, for up to 100 numbers. Each succeeds or fails on its own; `failed` lists the failures."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/numbers/update",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def update_organization(
        self,
        organization_id: str,
        body: Optional[t.UpdateOrganizationBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateOrganizationAnswer:
        """Change the entitlement and limits of an organization. For operators only. Omitted fields keep their value; null in `limits` restores the value of the service. Active calls continue. Without the SIP entitlement the API and the dashboard refuse the organization; its numbers stay attached and take calls."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/operator/organizations/{organization_id}",
            values={"organization_id": organization_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_pathway(
        self,
        id: str,
        body: Optional[t.UpdatePathwayBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdatePathwayAnswer:
        """Change a pathway. The document replaces that of the draft, which is created if missing, and takes effect with the next promotion. Name and description change at once. Omitted fields keep their value."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/pathways/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_persona(
        self,
        id: str,
        body: Optional[t.UpdatePersonaBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdatePersonaAnswer:
        """Change a persona. kb_ids, prompts and agent change the draft, which is made from the live version if there is none: calls get them after the next promotion. Name, role, description, tags and metadata change at once. Omitted fields keep their value."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/personas/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_test_monitor(
        self,
        id: str,
        body: Optional[t.UpdateTestMonitorBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTestMonitorAnswer:
        """Change or pause a test monitor. Omitted fields keep their value. `enabled` false pauses it; calls that end meanwhile are not judged. Scenario, number and persona stay, so that results are comparable."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/agent-testing/monitors/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_test_scenario(
        self,
        id: str,
        body: Optional[t.UpdateTestScenarioBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTestScenarioAnswer:
        """Change a test scenario. Omitted fields keep their value; `assertions` replaces all of them. Runs that were started before keep the scenario as it was."""
        return self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/scenarios/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_test_schedule(
        self,
        id: str,
        body: Optional[t.UpdateTestScheduleBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTestScheduleAnswer:
        """Change or pause a test schedule. Omitted fields keep their value. `enabled` false pauses it; runs in progress continue. A change of `recurrence` or `enabled` sets the next time again."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/agent-testing/schedules/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_trunk(
        self,
        trunk_id: str,
        body: Optional[t.UpdateTrunkBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTrunkAnswer:
        """Change a shared trunk and all its numbers. Omitted fields keep their value. All numbers of the trunk change together, from the next call on; active calls continue."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/trunks/{trunk_id}",
            values={"trunk_id": trunk_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def update_webhook(
        self,
        webhook_id: str,
        body: Optional[t.UpdateWebhookBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateWebhookAnswer:
        """Change, enable or disable a webhook endpoint. Omitted fields keep their value. Pending deliveries go to the new URL."""
        return self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/webhooks/{webhook_id}",
            values={"webhook_id": webhook_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    def upload_port_document(
        self,
        body: t.UploadPortDocumentBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UploadPortDocumentAnswer:
        """Upload a bill or an invoice. A utility bill or an invoice of the losing carrier, not older than 30 days, with account name and service address. PDF, JPEG, PNG, GIF or WebP, at most 10 MB, recognized by its content. It is stored encrypted. An `Idempotency-Key` has no effect: each upload is a document, and unused ones are deleted after 30 days."""
        return self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/port/document",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    def withdraw_invitation(
        self,
        invitation_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.WithdrawInvitationAnswer:
        """Withdraw an invitation. Its link no longer works."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/invitations/{invitation_id}",
            values={"invitation_id": invitation_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    def withdraw_invitation_for_organization(
        self,
        organization_id: str,
        invitation_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.WithdrawInvitationForOrganizationAnswer:
        """Withdraw an invitation. For operators only. Its link no longer works."""
        return self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/operator/organizations/{organization_id}/invitations/{invitation_id}",
            values={"organization_id": organization_id, "invitation_id": invitation_id},
            query={},
            timeout_seconds=timeout_seconds,
        )


class AsyncOperations(AsyncRequests):
    """The API, a method for each operation. Methods raise `DemarcError`."""

    async def accept_invitation(
        self,
        body: t.AcceptInvitationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AcceptInvitationAnswer:
        """Accept an invitation. Uses up the link, creates the account or adds the organization to an existing one (whose password is then required), and signs in."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/invitations/accept",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def add_agent_metadata(
        self,
        call_id: str,
        body: t.AddAgentMetadataBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AddAgentMetadataAnswer:
        """Add values to the record of an active call. Works for any active call. The values become part of `agent_metadata` of the call’s record and of `call.completed`, as if the agent had set them; a value replaces an earlier one of the same name. At most 50 names, 8,000 octets together."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/agent-metadata",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def analyze_test_run(
        self,
        id: str,
        body: Optional[t.AnalyzeTestRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AnalyzeTestRunAnswer:
        """Analyze a failed test run. Asks the judging model why the run failed and what to change. The answer is stored: a second request returns the same."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/analyze",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def attach_numbers(
        self,
        body: t.AttachNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachNumbersAnswer:
        """Attach numbers. Gives numbers their SIP configurations. A configuration for the same server (outbound) or the same callers (inbound) is replaced, any other is added, at most 10 per number. Repeating a request changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/attach",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def attach_numbers_to_trunk(
        self,
        trunk_id: str,
        body: t.AttachNumbersToTrunkBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachNumbersToTrunkAnswer:
        """Attach numbers to a shared trunk. Replaces a number’s own configurations or its former trunk in one step. Remove numbers with POST /v1/sip/detach."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/trunks/{trunk_id}/numbers",
            values={"trunk_id": trunk_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def attach_pathway_numbers(
        self,
        id: str,
        body: t.AttachPathwayNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachPathwayNumbersAnswer:
        """Let calls to numbers follow a pathway. All of them or none. The numbers must have an inbound direction; a number of another pathway moves to this one. The agent of the next call gets the version; before the first promotion, none, unless you name one."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/inbound/attach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def attach_persona_numbers(
        self,
        id: str,
        body: t.AttachPersonaNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.AttachPersonaNumbersAnswer:
        """Let a persona answer numbers. All of them or none. The numbers must have an inbound direction; a number of another persona moves to this one. The next call to them gets the live version; before the first promotion, none."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas/{id}/inbound/attach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def cancel_load_test(
        self,
        id: str,
        body: Optional[t.CancelLoadTestBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelLoadTestAnswer:
        """Cancel a load test. No more callers begin, and those in a conversation stop within a second. The figures of what has ended stay."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/load-tests/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def cancel_port(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelPortAnswer:
        """Cancel a port request. Allowed in any state before completed. Numbers that were ported already stay ported. Canceling again changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/port/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def cancel_simulation_set(
        self,
        id: str,
        body: Optional[t.CancelSimulationSetBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelSimulationSetAnswer:
        """Cancel a simulation set. Cancels those of its runs that have not ended; the statistics keep those that have."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/simulation-sets/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def cancel_test_batch(
        self,
        id: str,
        body: Optional[t.CancelTestBatchBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelTestBatchAnswer:
        """Cancel a test batch. Cancels those of its runs that have not ended."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/batches/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def cancel_test_run(
        self,
        id: str,
        body: Optional[t.CancelTestRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelTestRunAnswer:
        """Cancel a test run. Pending or running; a conversation in progress stops within a second. What was said so far stays."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def cancel_tornado(
        self,
        id: str,
        body: Optional[t.CancelTornadoBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelTornadoAnswer:
        """Cancel a tornado session. Its runs are cancelled too; the fork stays. A session that has ended stays as it is."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/tornado/{id}/cancel",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def cancel_warm_transfer(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CancelWarmTransferAnswer:
        """Cancel a warm transfer. Hangs up on the target, or stops calling it, and connects the caller or callee with the agent again. 409 if no warm transfer is in progress."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/warm-transfer/cancel",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def change_password(
        self,
        body: t.ChangePasswordBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ChangePasswordAnswer:
        """Change your password. Ends all other sessions of the person. This session gets a new cookie."""
        return await self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/session/password",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def chat_with_knowledge(
        self,
        body: t.ChatWithKnowledgeBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ChatWithKnowledgeAnswer:
        """Answer a question from a knowledge base. Finds passages for the last message and lets the language model answer from them alone. Without a language model, or when it fails, `response` is null and `note` says why."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/knowledge/chat",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def check_number(
        self,
        *,
        phone_number: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.CheckNumberAnswer:
        """Check whether a number can be attached. Changes nothing. While the service requires proof of ownership, an unconfirmed number is `proof_required`, whether or not another organization has it."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/numbers/check",
            values={},
            query={"phone_number": phone_number},
            timeout_seconds=timeout_seconds,
        )

    async def check_portability(
        self,
        *,
        phone_numbers__: List[str],
        timeout_seconds: Optional[float] = None,
    ) -> t.CheckPortabilityAnswer:
        """Check whether numbers can be ported. Asks the carrier about each number; without a carrier’s API, the numbering plan, as `source` says."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/port/check",
            values={},
            query={"phone_numbers[]": phone_numbers__},
            timeout_seconds=timeout_seconds,
        )

    async def clone_test_template(
        self,
        id: str,
        body: Optional[t.CloneTestTemplateBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CloneTestTemplateAnswer:
        """Clone a scenario template. Creates a scenario from the template, for one pathway, persona or agent. You can change the scenario afterwards."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/templates/{id}/clone",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def compare_pathway_versions(
        self,
        id: str,
        version_number: str,
        *,
        from_: int,
        timeout_seconds: Optional[float] = None,
    ) -> t.ComparePathwayVersionsAnswer:
        """Compare two versions of a pathway. The changes that lead from the version in `from` to this one, by node, edge and field."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}/versions/{version_number}/diff",
            values={"id": id, "version_number": version_number},
            query={"from": from_},
            timeout_seconds=timeout_seconds,
        )

    async def compare_simulation_sets(
        self,
        id: str,
        *,
        other: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.CompareSimulationSetsAnswer:
        """Compare two simulation sets. Says of each scenario that both sets have whether the set passes more often than the other one, and how sure that is: run the same scenarios with two versions or models."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/simulation-sets/{id}/comparison",
            values={"id": id},
            query={"other": other},
            timeout_seconds=timeout_seconds,
        )

    async def complete_warm_transfer(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CompleteWarmTransferAnswer:
        """Complete a warm transfer. Connects the caller or callee with the target, and ends the agent’s leg. Returns when they are connected. 409 while the target has not answered, and after a transfer that failed, with the reason. 502 if one of them refuses; the caller then returns to the agent."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/warm-transfer/complete",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def configure_direction(
        self,
        body: t.ConfigureDirectionBody,
        *,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ConfigureDirectionAnswer:
        """Change failover, codecs, alerts, limits or transfers of a direction. Applies to all configurations of the direction. Sections you include replace the current value; null removes a section."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/config",
            values={},
            query={},
            body=body,
            if_match=if_match,
            timeout_seconds=timeout_seconds,
        )

    async def create_agent(
        self,
        body: Optional[t.CreateAgentBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateAgentAnswer:
        """Create a web agent. Stores a list of knowledge bases and tools under an id, for programs that keep it here. Demarc does not run web agents: no call, search or token uses the list, and GET returns it. Agents of calls get theirs from personas, pathways and orders. At most 1000 per organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agents",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_agent_credential(
        self,
        body: Optional[t.CreateAgentCredentialBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateAgentCredentialAnswer:
        """Create credentials for an agent. Digest credentials for agents that place calls by INVITE: each INVITE is challenged and needs credentials of the organization that owns the number in From. The password is returned only once. At most 20 per organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/agent-credentials",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_agent_stream_secret(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateAgentStreamSecretAnswer:
        """Create or rotate the signing secret of WebSocket agents. Handshakes with WebSocket agents are signed with the new secret, and with the one before it until that is removed or the secret is rotated again. The secret is returned only once."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-streams/signing-secrets",
            values={},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_batch(
        self,
        body: t.CreateBatchBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateBatchAnswer:
        """Order a batch of calls. At most 1000 calls from one of your numbers, stored together or not at all. They are dialled in order, as fast as the number’s limits allow, each at most once. Fields of a call override those of the batch."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/batch",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_call(
        self,
        body: t.CreateCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateCallAnswer:
        """Place a call. Calls a phone number from one of your numbers. Returns once the order is stored. One edge dials it, at most once, when the number’s limits allow; it is given up if no edge takes it within a minute, or if it waits too long in the queue. Only after `CALLS_UNAVAILABLE` the order may have been stored anyway: retry with the same `Idempotency-Key`."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_key(
        self,
        body: t.CreateKeyBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateKeyAnswer:
        """Create an API key. The key itself is returned only this once. It cannot have more rights or a later expiry than the requesting key. Operator keys are created only on the command line."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/keys",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_key_for_organization(
        self,
        organization_id: str,
        body: t.CreateKeyForOrganizationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateKeyForOrganizationAnswer:
        """Create an API key. For operators only. The key itself is returned only this once. It cannot have more rights or a later expiry than the requesting key. Operator keys are created only on the command line."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations/{organization_id}/keys",
            values={"organization_id": organization_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_maintenance_window(
        self,
        body: t.CreateMaintenanceWindowBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateMaintenanceWindowAnswer:
        """Create a maintenance window. While it is open, alerts of its kinds are recorded but not sent. An alert that persists after it is sent then. For one number, the numbers of one shared trunk, or all numbers."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/maintenance-windows",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_organization(
        self,
        body: t.CreateOrganizationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateOrganizationAnswer:
        """Create an organization. For operators only. Then invite its first owner, or create a key for it. The name cannot be changed later."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_pathway(
        self,
        body: t.CreatePathwayBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreatePathwayAnswer:
        """Create a pathway. Stores it with a draft, which takes effect once it is promoted (POST /v1/pathways/{id}/versions/promote). At most 1000 per organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_persona(
        self,
        body: t.CreatePersonaBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreatePersonaAnswer:
        """Create a persona. Stores it with a draft, which takes effect once it is promoted (POST /v1/personas/{id}/versions/promote). At most 1000 per organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_reset_link(
        self,
        member_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateResetLinkAnswer:
        """Create a password reset link for a member. For a member who forgot the password; pass the link on. It works once, for 2 hours, and is returned only this once. Refused if the person belongs to another organization too, or sees the fleet."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/members/{member_id}/reset-link",
            values={"member_id": member_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_reset_link_for_organization(
        self,
        organization_id: str,
        member_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateResetLinkForOrganizationAnswer:
        """Create a password reset link for a member. For operators only. For a member who forgot the password; pass the link on. It works once, for 2 hours, and is returned only this once. Refused if the person belongs to another organization too, or sees the fleet."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations/{organization_id}/members/{member_id}/reset-link",
            values={"organization_id": organization_id, "member_id": member_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_session(
        self,
        body: t.CreateSessionBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateSessionAnswer:
        """Log in with an API key. Sets a session cookie for the dashboard, HttpOnly and SameSite=Strict. Changes with the cookie must come from the dashboard’s own pages."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/session",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_test_monitor(
        self,
        body: t.CreateTestMonitorBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestMonitorAnswer:
        """Create a test monitor. Judges a share of the answered calls of a number or persona with the assertions of a scenario, a minute after their end, and alerts when they pass less often than required, or than before. Calls whose agent stored no messages in the memory of a contact are not judged. At most 50 per organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/monitors",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_test_scenario(
        self,
        body: t.CreateTestScenarioBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestScenarioAnswer:
        """Create a test scenario. A test case for a pathway, a persona or an agent at its own address: how the simulated caller behaves, and what must hold afterwards. It stays across versions. At most 5,000 per organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_test_scenario_from_run(
        self,
        id: str,
        body: Optional[t.CreateTestScenarioFromRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestScenarioFromRunAnswer:
        """Make a scenario of a judged call. Stores a scenario whose caller says what the caller of the real call said, to the same agent and with the same assertions. Phone numbers, URLs and keys are removed."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/scenario",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_test_schedule(
        self,
        body: t.CreateTestScheduleBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTestScheduleAnswer:
        """Create a test schedule. Runs scenarios again and again, each time as a simulation set, and alerts when one of them passes less often than required. At most 50 per organization. A time at which the runs before have not ended is skipped."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/schedules",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_trunk(
        self,
        body: t.CreateTrunkBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateTrunkAnswer:
        """Create a shared trunk. Its limits apply to all its numbers together. Attach numbers to it afterwards."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/trunks",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_webhook(
        self,
        body: t.CreateWebhookBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateWebhookAnswer:
        """Register a webhook endpoint. At most 20 per organization. The signing secret is returned only this once."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def create_webhook_secret(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.CreateWebhookSecretAnswer:
        """Create or rotate the signing secret. Signs the webhooks of orders and alerts; endpoints have their own secrets. The new secret is returned only this once. For 24 hours X-Demarc-Signature also has a v1 value for the previous secret."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/secret",
            values={},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def delete_agent(
        self,
        agent_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteAgentAnswer:
        """Delete a web agent. Its knowledge bases stay."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agents/{agent_id}",
            values={"agent_id": agent_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_contact(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteContactAnswer:
        """Delete a contact and its data. For a request for erasure under privacy law; it cannot be undone. Deletes the contact with memories and merges, replaces it in call records and orders by `removed`, and deletes SIP traces, texts and webhooks of its calls. Times, outcomes and media figures stay, as do the totals. Upcoming calls to it are cancelled; active ones continue, and their records will not name it. A later call creates a new contact."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/contacts/{contact_id}",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_knowledge(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteKnowledgeAnswer:
        """Delete a knowledge base. Deletes its text and its index for good; searches no longer find it. The record stays, with status DELETED. Deleting again changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/knowledge/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_maintenance_window(
        self,
        window_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteMaintenanceWindowAnswer:
        """Delete a maintenance window. Alerts that it held back and that persist are sent within seconds."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/maintenance-windows/{window_id}",
            values={"window_id": window_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_pathway(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeletePathwayAnswer:
        """Delete a pathway. Detach its numbers, and remove it from personas, first. Results of its tests stay, and calls that are ordered already keep its last live version."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/pathways/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_pathway_fork(
        self,
        id: str,
        version_number: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeletePathwayForkAnswer:
        """Delete a fork. Only forks can be deleted; other versions are deleted with their pathway."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/pathways/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_persona(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeletePersonaAnswer:
        """Delete a persona. Detach its numbers first. Calls that are ordered already keep its last live version."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/personas/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_session(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteSessionAnswer:
        """Log out. Ends the cookie’s session and clears the cookie. Does nothing without a session."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/session",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_test_monitor(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTestMonitorAnswer:
        """Delete a test monitor. The runs of the calls that it judged stay."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-testing/monitors/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_test_scenario(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTestScenarioAnswer:
        """Delete a test scenario. Runs are kept."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-testing/scenarios/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_test_schedule(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTestScheduleAnswer:
        """Delete a test schedule. Runs in progress continue; the simulation sets that it started stay."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-testing/schedules/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_trunk(
        self,
        trunk_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteTrunkAnswer:
        """Delete a shared trunk. Refused (409) while numbers use it."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/trunks/{trunk_id}",
            values={"trunk_id": trunk_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def delete_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.DeleteWebhookAnswer:
        """Delete a webhook endpoint. Pending deliveries are dropped; finished ones stay in the list."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/webhooks/{webhook_id}",
            values={"webhook_id": webhook_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def detach_number(
        self,
        body: t.DetachNumberBody,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachNumberAnswer:
        """Remove directions of a number. Removing the last configuration frees the number. Directions without a configuration are skipped."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/detach",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout_seconds=timeout_seconds,
        )

    async def detach_numbers(
        self,
        body: t.DetachNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachNumbersAnswer:
        """Remove directions of many numbers. Like `/v1/sip/detach`, for up to 100 numbers. Removing its last configuration frees a number."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/numbers/detach",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def detach_pathway_numbers(
        self,
        id: str,
        body: t.DetachPathwayNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachPathwayNumbersAnswer:
        """Detach numbers from a pathway. The next call to them follows the pathway of their persona, or none. Numbers that do not follow the pathway are ignored."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/inbound/detach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def detach_persona_numbers(
        self,
        id: str,
        body: t.DetachPersonaNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.DetachPersonaNumbersAnswer:
        """Detach numbers from a persona. The next call to them has no persona. Numbers that the persona does not have are ignored."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas/{id}/inbound/detach",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def estimate_test_tokens(
        self,
        body: t.EstimateTestTokensBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.EstimateTestTokensAnswer:
        """Estimate the tokens and the cost of agent tests. Tokens and cost of runs before they are started, by the latest runs of the same scenarios. Starts nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/budget/estimate",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def export_call_records(
        self,
        *,
        q: Optional[str] = None,
        header: Optional[str] = None,
        scope: Optional[Literal["organization", "fleet"]] = None,
        organization_id: Optional[str] = None,
        phone_number: Optional[str] = None,
        direction: Optional[Literal["inbound", "outbound"]] = None,
        outcome: Optional[Literal["completed", "cancelled", "refused", "failed"]] = None,
        problem: Optional[Literal["any", "audio"]] = None,
        sip_code: Optional[int] = None,
        started_after: Optional[str] = None,
        started_before: Optional[str] = None,
        ended_after: Optional[str] = None,
        ended_before: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        end_reason: Optional[Literal["caller_hung_up", "agent_hung_up", "callee_hung_up", "caller_cancelled", "stopped", "target_hung_up", "transferred", "test_completed", "refused_draining", "refused_too_many_hops", "refused_loop", "refused_unknown_number", "refused_source", "refused_credentials", "refused_guessing", "refused_limit", "refused_unavailable", "refused_media", "refused_bad_request", "agent_refused", "agent_unreachable", "agent_no_answer", "agent_lost", "trunk_refused", "trunk_unreachable", "trunk_no_answer", "media_failed", "media_timeout", "one_way_audio", "dead_air", "ack_timeout", "session_expired", "max_duration", "drained", "engine_lost", "edge_lost", "order_not_taken", "order_expired", "internal_error"]] = None,
        sip_call_id: Optional[str] = None,
        source_ip: Optional[str] = None,
        metadata: Optional[Dict[str, str]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Export calls as CSV. All matching calls, newest first, one per line after a header line. Filters are those of `GET /v1/sip/calls`. The file is streamed and can have any length; calls that end during the export are not included."""
        return await self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls.csv",
            values={},
            query={"q": q, "header": header, "scope": scope, "organization_id": organization_id, "phone_number": phone_number, "direction": direction, "outcome": outcome, "problem": problem, "sip_code": sip_code, "started_after": started_after, "started_before": started_before, "ended_after": ended_after, "ended_before": ended_before, "from": from_, "to": to, "end_reason": end_reason, "sip_call_id": sip_call_id, "source_ip": source_ip, "metadata": metadata},
            timeout_seconds=timeout_seconds,
        )

    async def export_contact(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ExportContactAnswer:
        """Export all data of a contact. One JSON document for a request for information under privacy law: the contact, its memories and merges, orders, and calls with their SIP traces. It can have any length; active calls are not included."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}/export",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def fail_back(
        self,
        body: t.FailBackBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.FailBackAnswer:
        """Fail back to a number’s preferred server. For `failback: manual`, or to skip the probes of `auto`. Active calls stay on their server. Repeating the request changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/failback",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def find_contact(
        self,
        body: Optional[t.FindContactBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.FindContactAnswer:
        """Find a contact by an identifier. With several identifiers, the contact of the first one that any contact has, in the order phone_number, email, external_id. `data` is null if there is none."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/contacts/find",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def fork_pathway_version(
        self,
        id: str,
        version_number: str,
        body: Optional[t.ForkPathwayVersionBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ForkPathwayVersionAnswer:
        """Fork a version. Copies it to a new version that takes changes beside the draft and can be promoted. At most 200 forks per pathway."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/versions/{version_number}/fork",
            values={"id": id, "version_number": version_number},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def generate_password(
        self,
        *,
        length: Optional[int] = None,
        strength: Optional[Literal["standard", "long"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GeneratePasswordAnswer:
        """Generate a password for register_auth. The password is random and not stored."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/generate-password",
            values={},
            query={"length": length, "strength": strength},
            timeout_seconds=timeout_seconds,
        )

    async def generate_test_scenario(
        self,
        body: t.GenerateTestScenarioBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GenerateTestScenarioAnswer:
        """Generate a test scenario from a call. Drafts a scenario from what was said in a call, without storing it. Phone numbers, URLs and keys are removed from its request data and conversation."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/generate-from-call",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def generate_test_scenarios_from_calls(
        self,
        body: Optional[t.GenerateTestScenariosFromCallsBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GenerateTestScenariosFromCallsAnswer:
        """Generate test scenarios from calls. Drafts a scenario for each of the latest answered calls of a number, without storing it: the caller says what that of the call said, and assertions say what the agent did. Whether that was right is yours to confirm. Phone numbers, URLs and keys are removed. No model is asked. Calls of which the target has a scenario, and calls like another one, are left out."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/generate-from-calls",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def generate_test_scenarios_from_persona(
        self,
        body: t.GenerateTestScenariosFromPersonaBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GenerateTestScenariosFromPersonaAnswer:
        """Generate test scenarios from a persona. Drafts scenarios for what the prompts of the persona promise and its knowledge bases hold, without storing them. Each assertion has the sentence that it is based on. Sentences that the description of a scenario of the persona quotes are left out, so that a second request continues where the first one ended. The judging model writes them; without one, rules do."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/generate-from-persona",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def get_active_tornado(
        self,
        *,
        pathway_id: Optional[str] = None,
        persona_id: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetActiveTornadoAnswer:
        """Get the active tornado session. The session that runs for the pathway; 404 if none does."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/tornado/active",
            values={},
            query={"pathway_id": pathway_id, "persona_id": persona_id},
            timeout_seconds=timeout_seconds,
        )

    async def get_agent(
        self,
        agent_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetAgentAnswer:
        """Get a web agent. With its knowledge bases and tools."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agents/{agent_id}",
            values={"agent_id": agent_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_alert(
        self,
        alert_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetAlertAnswer:
        """Get an alert with its deliveries. `notices` lists each delivery."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/alerts/{alert_id}",
            values={"alert_id": alert_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_alert_contacts(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetAlertContactsAnswer:
        """Get the alert contacts. Used by every trunk whose `alert_config` enables email or SMS."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/alerts/contacts",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_batch(
        self,
        batch_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetBatchAnswer:
        """Get a batch with its progress. `GET /v1/calls?batch_id=…` lists its calls."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/batches/{batch_id}",
            values={"batch_id": batch_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_call(
        self,
        call_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetCallAnswer:
        """Get a call placed through the API. The order and its result. The agent reads its task and `request_data` here, with the `X-Demarc-Call-ID` and `X-Demarc-Token` of its INVITE."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/calls/{call_id}",
            values={"call_id": call_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_call_record(
        self,
        call_id: str,
        *,
        format: Optional[Literal["json", "text", "pcap"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetCallRecordAnswer:
        """Get a call with its SIP trace. RTP statistics and every SIP message, also for active calls. `format=text` draws the ladder, `format=pcap` is a file for Wireshark or sngrep. While `state` is not `ended`, the data is what the call’s edge currently knows."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls/{call_id}",
            values={"call_id": call_id},
            query={"format": format},
            timeout_seconds=timeout_seconds,
        )

    async def get_call_series(
        self,
        *,
        window: Optional[Literal["1h", "24h", "7d", "30d"]] = None,
        scope: Optional[Literal["organization", "fleet"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetCallSeriesAnswer:
        """Get call statistics over time. Calls, answer rate and failures by the minute in which calls ended, in buckets of a minute (1h), 15 minutes (24h), two hours (7d) or six hours (30d), oldest first, without gaps."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/calls/series",
            values={},
            query={"window": window, "scope": scope},
            timeout_seconds=timeout_seconds,
        )

    async def get_contact(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetContactAnswer:
        """Get a contact with its memories. Identifiers, and what each persona remembers. The agent of a call reads its contact with the call’s token."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_delivery(
        self,
        delivery_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetDeliveryAnswer:
        """Get a delivery with its body and attempts. Each attempt with what was sent and answered: heads and the first 2 KB of the response, kept for 7 days."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/deliveries/{delivery_id}",
            values={"delivery_id": delivery_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_discovery(
        self,
        *,
        discovery_id: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetDiscoveryAnswer:
        """Get the progress and result of a discovery. Results are kept for ten minutes."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/discover/status",
            values={},
            query={"discovery_id": discovery_id},
            timeout_seconds=timeout_seconds,
        )

    async def get_enhanced_test_analytics(
        self,
        pathway_id: str,
        *,
        days: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetEnhancedTestAnalyticsAnswer:
        """Get enhanced analytics of tests. Adds health, reliability, the trend, failures by node, and the flow from scenarios over nodes to outcomes."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/analytics/{pathwayId}/enhanced",
            values={"pathwayId": pathway_id},
            query={"days": days},
            timeout_seconds=timeout_seconds,
        )

    async def get_explanations(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetExplanationsAnswer:
        """List the explanations of end reasons and SIP statuses. The source of `cause` and `advice` in other responses."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/explanations",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_firewall(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetFirewallAnswer:
        """Get Demarc’s addresses and ports for your firewall. For your organization's region; `regions` has all regions."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/firewall-ips",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_health_history(
        self,
        *,
        phone_number: str,
        window: Optional[Literal["24h", "7d", "30d"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetHealthHistoryAnswer:
        """Get the health history of a number’s servers. Uptime and response times in buckets of an hour (24h), six hours (7d) or a day (30d), oldest first, without gaps; the last bucket is incomplete."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/health/history",
            values={},
            query={"phone_number": phone_number, "window": window},
            timeout_seconds=timeout_seconds,
        )

    async def get_incident(
        self,
        incident_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetIncidentAnswer:
        """Get an incident with its story. The first call, the reasons with cause and advice, what the audit log has of the day before, who was notified, who acknowledged it, and when it recovered."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/incidents/{incident_id}",
            values={"incident_id": incident_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_judge_calibration(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetJudgeCalibrationAnswer:
        """Compare the judge with labels. How far the verdicts on the assertions of a scenario agree with what people say: as the runs were judged, and as they were judged again."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/scenarios/{id}/calibration",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_key(
        self,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetKeyAnswer:
        """Get an API key. The key itself is not returned."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/keys/{key_id}",
            values={"key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_key_for_organization(
        self,
        organization_id: str,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetKeyForOrganizationAnswer:
        """Get an API key. For operators only. The key itself is not returned."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/keys/{key_id}",
            values={"organization_id": organization_id, "key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_knowledge(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetKnowledgeAnswer:
        """Get a knowledge base. Also shows how far learning is. A deleted one is shown with status DELETED."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/knowledge/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_load_test(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetLoadTestAnswer:
        """Get a load test. With the figures of each step; those of the present one are those so far. `GET /v1/agent-testing/runs?load_test_id=` has the conversations of the callers."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/load-tests/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_maintenance_window(
        self,
        window_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetMaintenanceWindowAnswer:
        """Get a maintenance window. With its present or next time."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/maintenance-windows/{window_id}",
            values={"window_id": window_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_number(
        self,
        *,
        phone_number: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetNumberAnswer:
        """Get a number’s configurations. Passwords read `[redacted]`. Send the `ETag` as `If-Match` with a change to get 412 if the number has changed since."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip",
            values={},
            query={"phone_number": phone_number},
            timeout_seconds=timeout_seconds,
        )

    async def get_operator_port(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetOperatorPortAnswer:
        """One port request with what the losing carrier compares. For operators: includes account number and PIN, which no other response contains."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/ports/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_operator_port_document(
        self,
        id: str,
        document_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """A document of a port request. For operators. The file itself, with its media type."""
        return await self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/ports/{id}/documents/{document_id}",
            values={"id": id, "document_id": document_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_organization(
        self,
        organization_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetOrganizationAnswer:
        """Get an organization. For operators only."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}",
            values={"organization_id": organization_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_outbound_setup(
        self,
        *,
        phone_number: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetOutboundSetupAnswer:
        """Get the settings for your PBX. What a PBX needs to send calls. With `phone_number`, `credentials` has the number’s credentials."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/outbound-setup",
            values={},
            query={"phone_number": phone_number},
            timeout_seconds=timeout_seconds,
        )

    async def get_pathway(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPathwayAnswer:
        """Get a pathway. With its draft and its live version; their documents are at GET /v1/pathways/{id}/versions/{version_number}."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_pathway_coverage(
        self,
        pathway_id: str,
        *,
        version_number: Optional[int] = None,
        batch_id: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPathwayCoverageAnswer:
        """Get the coverage of a pathway. Nodes and edges of a version that tests by text visited, those that they did not, and scenarios that would."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/coverage/{pathwayId}",
            values={"pathwayId": pathway_id},
            query={"version_number": version_number, "batch_id": batch_id},
            timeout_seconds=timeout_seconds,
        )

    async def get_pathway_version(
        self,
        id: str,
        version_number: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPathwayVersionAnswer:
        """Get a version of a pathway. With its document, and warnings about probable mistakes. The agent of a call reads the version in its X-Demarc-Pathway-ID and X-Demarc-Pathway-Version with the token of the call."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_persona(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPersonaAnswer:
        """Get a persona. With its numbers, its draft and its live version."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_persona_version(
        self,
        id: str,
        version_number: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPersonaVersionAnswer:
        """Get a version of a persona. Prompts and knowledge as calls got them. The agent of a call reads the version in its X-Demarc-Persona-ID and X-Demarc-Persona-Version with the token of the call."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_port(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetPortAnswer:
        """Get a port request with its history. Every state change with time, actor and reason. Account number and PIN are not returned."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/port/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_session(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetSessionAnswer:
        """Get the current session. Organization, key and expiry of the request’s API key or session cookie."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/session",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_simulation_set(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetSimulationSetAnswer:
        """Get a simulation set. With the statistics of the runs that have ended."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/simulation-sets/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_summary(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetSummaryAnswer:
        """Get the overview. Health of trunks and components, calls, and failures by cause of your organization. Operator keys also get `fleet`. If a component is down, unknown values are null."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/summary",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_analytics(
        self,
        pathway_id: str,
        *,
        days: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestAnalyticsAnswer:
        """Get analytics of tests. Pass rate and mean score of the runs that ended within the days in UTC, and the latest runs."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/analytics/{pathwayId}",
            values={"pathwayId": pathway_id},
            query={"days": days},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_batch(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestBatchAnswer:
        """Get a test batch. With its runs, without their conversations."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/batches/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_budget(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestBudgetAnswer:
        """Get the budget of agent tests. What the models of agent tests have taken for the organization, in tokens and money, and how much they may take."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/budget",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_call(
        self,
        *,
        call_id: str,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestCallAnswer:
        """Get the result of a test call. Kept for an hour. The SIP messages are in `/v1/sip/calls/{history_call_id}` once the call has ended."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/test-call/status",
            values={},
            query={"call_id": call_id},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_labels(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestLabelsAnswer:
        """Get the labels of a test run. What people say of its assertions, and the result of judging it again."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs/{id}/labels",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_monitor(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestMonitorAnswer:
        """Get a test monitor. With what its latest calls show. `GET /v1/agent-testing/runs?monitor_id=` has the calls that it judged."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/monitors/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_prices(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestPricesAnswer:
        """Get the prices of the models of agent tests. Those that the organization set, and those that count for the models of the service."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/prices",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_recording(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Get the recording of a test run by voice. A WAVE file: G.711 μ-law at 8000 Hz, the caller on the left channel, the agent on the right. One range of octets can be requested (`Range`, RFC 9110)."""
        return await self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs/{id}/recording",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_run(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestRunAnswer:
        """Get a test run. With its conversation so far and, when it has ended, the result of each assertion."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_scenario(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestScenarioAnswer:
        """Get a test scenario. With its assertions."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/scenarios/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_test_schedule(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTestScheduleAnswer:
        """Get a test schedule. With its state and next time. `GET /v1/agent-testing/simulation-sets?schedule_id=` has what it ran."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/schedules/{id}",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_tornado_status(
        self,
        id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTornadoStatusAnswer:
        """Get the progress of a tornado session. With each iteration, its fixes, and the scenarios that were given up."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/tornado/{id}/status",
            values={"id": id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_trunk(
        self,
        trunk_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTrunkAnswer:
        """Get a shared trunk. Passwords are not returned."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/trunks/{trunk_id}",
            values={"trunk_id": trunk_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_trunk_status(
        self,
        *,
        phone_number: str,
        probe: Optional[Literal["now"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetTrunkStatusAnswer:
        """Get the health of a number’s trunk. Demarc probes the servers of the number’s outbound direction with OPTIONS; any response except 503 counts as reachable. healthy: at least one is reachable. unchecked: not probed; inbound-only trunks have no server to probe. Uptime and response times at the top level are those of the first server. `probe=now` probes at once and waits for the results; `probe` says whether all arrived. It also registers at once. With `auth_mode: register`, `registration` shows the registration."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/status",
            values={},
            query={"phone_number": phone_number, "probe": probe},
            timeout_seconds=timeout_seconds,
        )

    async def get_usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageAnswer:
        """Calls, minutes and peak concurrency by day. Of your organization, up to 92 days. A call counts once it has ended, on the day on which it started (UTC)."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/usage",
            values={},
            query={"from": from_, "to": to},
            timeout_seconds=timeout_seconds,
        )

    async def get_usage_breakdown(
        self,
        *,
        by: Literal["number", "agent"],
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageBreakdownAnswer:
        """Calls and minutes by number or agent. Of your organization, up to 92 days; those with the most minutes first. For one day, set `from` and `to` to it. Calls from before the upgrade to this version are not included."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/usage/breakdown",
            values={},
            query={"by": by, "from": from_, "to": to, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    async def get_usage_breakdown_for_organization(
        self,
        organization_id: str,
        *,
        by: Literal["number", "agent"],
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageBreakdownForOrganizationAnswer:
        """Calls and minutes by number or agent. For operators only. Of the organization, up to 92 days; those with the most minutes first. For one day, set `from` and `to` to it. Calls from before the upgrade to this version are not included."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/usage/breakdown",
            values={"organization_id": organization_id},
            query={"by": by, "from": from_, "to": to, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    async def get_usage_for_organization(
        self,
        organization_id: str,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetUsageForOrganizationAnswer:
        """Calls, minutes and peak concurrency by day. For operators only. Of the organization, up to 92 days. A call counts once it has ended, on the day on which it started (UTC)."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/usage",
            values={"organization_id": organization_id},
            query={"from": from_, "to": to},
            timeout_seconds=timeout_seconds,
        )

    async def get_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetWebhookAnswer:
        """Get a webhook endpoint. Includes whether it is enabled and since when deliveries have failed."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks/{webhook_id}",
            values={"webhook_id": webhook_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def get_webhook_secret(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.GetWebhookSecretAnswer:
        """Get the state of the signing secret. The secret itself is returned only when it is created."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks/secret",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def hold_call(
        self,
        call_id: str,
        body: Optional[t.HoldCallBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.HoldCallAnswer:
        """Put a call on hold. Works for any answered call: until `resume`, the caller or callee hears music and the agent silence. No re-INVITE is sent."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/hold",
            values={"call_id": call_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def initiate_port(
        self,
        body: t.InitiatePortBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.InitiatePortAnswer:
        """Port numbers to this service. Sends the Letter of Authorization to the authorized representative for electronic signature. Once it is signed, the request goes to the carrier. A port takes 7 to 14 business days; keep the service at the losing carrier active until then."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/port/initiate",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def invite_member(
        self,
        body: t.InviteMemberBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.InviteMemberAnswer:
        """Invite a person. Returns a link that works once, for 72 hours; it is returned only this once. If the service sends mail, it is also mailed. A new invitation of the same address replaces the earlier one. A key can invite only to roles with no more rights than its own. Limits per day: 10 emails to an address, 200 from an organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/invitations",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def invite_member_for_organization(
        self,
        organization_id: str,
        body: t.InviteMemberForOrganizationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.InviteMemberForOrganizationAnswer:
        """Invite a person. For operators only. Returns a link that works once, for 72 hours; it is returned only this once. If the service sends mail, it is also mailed. A new invitation of the same address replaces the earlier one. A key can invite only to roles with no more rights than its own. Limits per day: 10 emails to an address, 200 from an organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/organizations/{organization_id}/invitations",
            values={"organization_id": organization_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def judge_test_run(
        self,
        id: str,
        body: Optional[t.JudgeTestRunBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.JudgeTestRunAnswer:
        """Judge a test run again. Evaluates the present assertions of the scenario on the stored conversation, without a new one. The run keeps its result, which gates and statistics count; the last judgement is stored beside it."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/runs/{id}/judge",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def learn_knowledge(
        self,
        body: t.LearnKnowledgeBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.LearnKnowledgeAnswer:
        """Create a knowledge base from a text. Returns immediately with the record in state PROCESSING; poll `GET /v1/knowledge/{id}` until it is COMPLETED or FAILED. The text is split at headings, paragraphs and sentences, and indexed by the words of its language; with an embeddings endpoint also by meaning."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/knowledge/learn",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def list_agent_credentials(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAgentCredentialsAnswer:
        """List agent credentials. Oldest first, without passwords."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/agent-credentials",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_agent_stream_secrets(
        self,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAgentStreamSecretsAnswer:
        """List the signing secrets of WebSocket agents. The current one first, without their values; at most 2."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-streams/signing-secrets",
            values={},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def list_agents(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAgentsAnswer:
        """List web agents. Newest first."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agents",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_alerts(
        self,
        *,
        phone_number: Optional[str] = None,
        direction: Optional[Literal["inbound", "outbound"]] = None,
        state: Optional[Literal["active", "recovered", "closed"]] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAlertsAnswer:
        """List alerts. All trunks of the organization; active alerts first, then newest first."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/alerts",
            values={},
            query={"phone_number": phone_number, "direction": direction, "state": state, "limit": limit, "after": after, "before": before},
            timeout_seconds=timeout_seconds,
        )

    async def list_audit_events(
        self,
        *,
        actor_id: Optional[str] = None,
        action: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAuditEventsAnswer:
        """List changes and who made them. Newest first: every change through the API and the dashboard, and sign-ins of members. Requires `members:write`, which owners have. Calls, contacts, knowledge and agent tests are recorded only when a person does them. Kept for 400 days."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/audit",
            values={},
            query={"actor_id": actor_id, "action": action, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_audit_events_for_organization(
        self,
        organization_id: str,
        *,
        actor_id: Optional[str] = None,
        action: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListAuditEventsForOrganizationAnswer:
        """List changes and who made them. For operators only. Newest first: every change through the API and the dashboard, and sign-ins of members. Requires `members:write`, which owners have. Calls, contacts, knowledge and agent tests are recorded only when a person does them. Kept for 400 days."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/audit",
            values={"organization_id": organization_id},
            query={"actor_id": actor_id, "action": action, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_batches(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListBatchesAnswer:
        """List batches. Newest first, each with its progress."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/batches",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_call_records(
        self,
        *,
        q: Optional[str] = None,
        header: Optional[str] = None,
        scope: Optional[Literal["organization", "fleet"]] = None,
        organization_id: Optional[str] = None,
        phone_number: Optional[str] = None,
        direction: Optional[Literal["inbound", "outbound"]] = None,
        outcome: Optional[Literal["completed", "cancelled", "refused", "failed"]] = None,
        problem: Optional[Literal["any", "audio"]] = None,
        sip_code: Optional[int] = None,
        started_after: Optional[str] = None,
        started_before: Optional[str] = None,
        ended_after: Optional[str] = None,
        ended_before: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        end_reason: Optional[Literal["caller_hung_up", "agent_hung_up", "callee_hung_up", "caller_cancelled", "stopped", "target_hung_up", "transferred", "test_completed", "refused_draining", "refused_too_many_hops", "refused_loop", "refused_unknown_number", "refused_source", "refused_credentials", "refused_guessing", "refused_limit", "refused_unavailable", "refused_media", "refused_bad_request", "agent_refused", "agent_unreachable", "agent_no_answer", "agent_lost", "trunk_refused", "trunk_unreachable", "trunk_no_answer", "media_failed", "media_timeout", "one_way_audio", "dead_air", "ack_timeout", "session_expired", "max_duration", "drained", "engine_lost", "edge_lost", "order_not_taken", "order_expired", "internal_error"]] = None,
        sip_call_id: Optional[str] = None,
        source_ip: Optional[str] = None,
        metadata: Optional[Dict[str, str]] = None,
        include_total: Optional[bool] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListCallRecordsAnswer:
        """List calls in the history. All calls of the organization, newest first: inbound, and placed through the API or by an agent."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls",
            values={},
            query={"q": q, "header": header, "scope": scope, "organization_id": organization_id, "phone_number": phone_number, "direction": direction, "outcome": outcome, "problem": problem, "sip_code": sip_code, "started_after": started_after, "started_before": started_before, "ended_after": ended_after, "ended_before": ended_before, "from": from_, "to": to, "end_reason": end_reason, "sip_call_id": sip_call_id, "source_ip": source_ip, "metadata": metadata, "include_total": include_total, "limit": limit, "after": after, "before": before},
            timeout_seconds=timeout_seconds,
        )

    async def list_call_shares(
        self,
        call_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListCallSharesAnswer:
        """List the links of a call. Links that have not expired, newest first, without the token."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/calls/{call_id}/shares",
            values={"call_id": call_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def list_calls(
        self,
        *,
        state: Optional[Literal["active", "queued", "dialing", "ringing", "in_progress", "ending", "completed", "busy", "no_answer", "cancelled", "failed", "unknown"]] = None,
        end_reason: Optional[Literal["caller_hung_up", "agent_hung_up", "callee_hung_up", "caller_cancelled", "stopped", "target_hung_up", "transferred", "test_completed", "refused_draining", "refused_too_many_hops", "refused_loop", "refused_unknown_number", "refused_source", "refused_credentials", "refused_guessing", "refused_limit", "refused_unavailable", "refused_media", "refused_bad_request", "agent_refused", "agent_unreachable", "agent_no_answer", "agent_lost", "trunk_refused", "trunk_unreachable", "trunk_no_answer", "media_failed", "media_timeout", "one_way_audio", "dead_air", "ack_timeout", "session_expired", "max_duration", "drained", "engine_lost", "edge_lost", "order_not_taken", "order_expired", "internal_error"]] = None,
        metadata: Optional[Dict[str, str]] = None,
        after: Optional[str] = None,
        from_number: Optional[str] = None,
        to_number: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        batch_id: Optional[str] = None,
        ascending: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListCallsAnswer:
        """List calls placed through the API. Newest first. `/v1/sip/calls` also has inbound calls, with traces. The list is in `calls`, beside `count` and `total_count`."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/calls",
            values={},
            query={"state": state, "end_reason": end_reason, "metadata": metadata, "after": after, "from_number": from_number, "to_number": to_number, "start_date": start_date, "end_date": end_date, "batch_id": batch_id, "ascending": ascending, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    async def list_contact_calls(
        self,
        contact_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactCallsAnswer:
        """List the calls with a contact. Ended calls from and to its numbers, newest first."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}/calls",
            values={"contact_id": contact_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_contact_deletions(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactDeletionsAnswer:
        """List deletions of contacts. The audit log: who deleted when, and how much, but not whom. Newest first."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/deletions",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_contact_merges(
        self,
        contact_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactMergesAnswer:
        """List the merges of a contact. Who merged which contact into it, when, and how that contact was. Newest first."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts/{contact_id}/merges",
            values={"contact_id": contact_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def list_contacts(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        search: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListContactsAnswer:
        """List and search contacts. Newest first, without their memories."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/contacts",
            values={},
            query={"limit": limit, "after": after, "search": search},
            timeout_seconds=timeout_seconds,
        )

    async def list_deliveries(
        self,
        *,
        subject: Optional[str] = None,
        webhook_id: Optional[str] = None,
        event_id: Optional[str] = None,
        event: Optional[Literal["call.initiated", "call.ringing", "call.answered", "call.completed", "call.failed", "trunk.unreachable", "trunk.recovered", "registration.registered", "registration.failed", "alert.fired", "alert.recovered", "port.waiting_for_signature", "port.submitted", "port.in_progress", "port.completed", "port.failed", "port.canceled", "usage.near_limit", "persona.promoted", "pathway.promoted", "agent_test.schedule_failed", "agent_test.schedule_recovered", "agent_test.monitor_failed", "agent_test.monitor_recovered", "webhook.paused", "webhook.resumed", "webhook.deliveries_dropped", "webhook.test", "alert.test", "call.lost", "port.signature_request", "port.signed_copy", "agent_test.run_completed", "agent_test.batch_completed", "agent_test.simulation_set_completed", "agent_test.load_test_completed"]] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        channel: Optional[Literal["email", "sms", "webhook"]] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListDeliveriesAnswer:
        """List deliveries. Webhooks, emails and SMS, sent and pending, newest first."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks/deliveries",
            values={},
            query={"subject": subject, "webhook_id": webhook_id, "event_id": event_id, "event": event, "status": status, "channel": channel, "created_after": created_after, "created_before": created_before, "limit": limit, "after": after, "before": before},
            timeout_seconds=timeout_seconds,
        )

    async def list_incidents(
        self,
        *,
        scope: Optional[Literal["organization", "fleet"]] = None,
        state: Optional[Literal["open", "recovered"]] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListIncidentsAnswer:
        """List incidents, newest first. An incident begins when the verdict of the overview turns red, within about ten seconds, and ends when it has not been red for a minute. Organizations see their own, and those of components such as Redis. Kept for 400 days."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/incidents",
            values={},
            query={"scope": scope, "state": state, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_invitations(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListInvitationsAnswer:
        """List open invitations. Newest first, without links."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/invitations",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_invitations_for_organization(
        self,
        organization_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListInvitationsForOrganizationAnswer:
        """List open invitations. For operators only. Newest first, without links."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/invitations",
            values={"organization_id": organization_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_keys(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListKeysAnswer:
        """List API keys. Newest first, including revoked and expired keys."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/keys",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_keys_for_organization(
        self,
        organization_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListKeysForOrganizationAnswer:
        """List API keys. For operators only. Newest first, including revoked and expired keys."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/keys",
            values={"organization_id": organization_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_knowledge(
        self,
        *,
        limit: Optional[int] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListKnowledgeAnswer:
        """List knowledge bases. Newest first, without deleted ones."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/knowledge",
            values={},
            query={"limit": limit, "page": page, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_live_calls(
        self,
        *,
        scope: Optional[Literal["organization", "fleet"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListLiveCallsAnswer:
        """List active calls. At most 1,000, newest first, at most half a second old. `scope=fleet` requires an operator key."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/calls/live",
            values={},
            query={"scope": scope},
            timeout_seconds=timeout_seconds,
        )

    async def list_load_tests(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[Literal["t.RUNNING", "t.COMPLETED", "t.CANCELLED", "t.ERROR"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListLoadTestsAnswer:
        """List load tests. Newest first, with where the agent breaks, without the figures of the steps."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/load-tests",
            values={},
            query={"limit": limit, "after": after, "status": status},
            timeout_seconds=timeout_seconds,
        )

    async def list_maintenance_windows(
        self,
        *,
        open: Optional[bool] = None,
        phone_number: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListMaintenanceWindowsAnswer:
        """List maintenance windows. Newest first, including those that are over."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/maintenance-windows",
            values={},
            query={"open": open, "phone_number": phone_number, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_members(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListMembersAnswer:
        """List members. In the order in which they joined."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/members",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_members_for_organization(
        self,
        organization_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListMembersForOrganizationAnswer:
        """List members. For operators only. In the order in which they joined."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations/{organization_id}/members",
            values={"organization_id": organization_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_numbers(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListNumbersAnswer:
        """List attached numbers. In numerical order."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/numbers",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_numbers_of_trunk(
        self,
        trunk_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListNumbersOfTrunkAnswer:
        """List the numbers of a shared trunk. E.164 with +."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/trunks/{trunk_id}/numbers",
            values={"trunk_id": trunk_id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_operator_ports(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[t.PortStatusInput] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListOperatorPortsAnswer:
        """Port requests of all organizations. For operators. Newest first."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/ports",
            values={},
            query={"limit": limit, "after": after, "status": status},
            timeout_seconds=timeout_seconds,
        )

    async def list_organizations(
        self,
        *,
        q: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListOrganizationsAnswer:
        """List organizations. For operators only. By name."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/operator/organizations",
            values={},
            query={"q": q, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_pathway_versions(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPathwayVersionsAnswer:
        """List the versions of a pathway. Newest first, without documents: the draft, the live version, forks, and all that were live before."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways/{id}/versions",
            values={"id": id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_pathways(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPathwaysAnswer:
        """List pathways. Newest first, each with its draft and its live version, without documents."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/pathways",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_persona_versions(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPersonaVersionsAnswer:
        """List the versions of a persona. Newest first: the draft, the live version, and all that were live before."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas/{id}/versions",
            values={"id": id},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_personas(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPersonasAnswer:
        """List personas. Newest first, each with its draft and its live version."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/personas",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_ports(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[t.PortStatusInput] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListPortsAnswer:
        """List port requests. Newest first, each with its numbers and their states."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/port",
            values={},
            query={"limit": limit, "after": after, "status": status},
            timeout_seconds=timeout_seconds,
        )

    async def list_sightings(
        self,
        *,
        phone_number: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListSightingsAnswer:
        """Get what arrived from your PBX. The latest requests and failed TLS handshakes of your PBXs, and what Demarc answered, newest first; also those that were refused before a call began. You see what names one of your numbers, and what comes from an address that only your organization has configured. Sampled and kept for minutes to hours; the event `sighting` of `/v1/noc/events` brings new ones."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/sip/sightings",
            values={},
            query={"phone_number": phone_number, "limit": limit},
            timeout_seconds=timeout_seconds,
        )

    async def list_simulation_sets(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[Literal["t.PENDING", "t.RUNNING", "t.PASSED", "t.FAILED", "t.ERROR", "t.CANCELLED"]] = None,
        schedule_id: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListSimulationSetsAnswer:
        """List simulation sets. Newest first, with the number of runs that ended and passed, without statistics."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/simulation-sets",
            values={},
            query={"limit": limit, "after": after, "status": status, "schedule_id": schedule_id},
            timeout_seconds=timeout_seconds,
        )

    async def list_test_batches(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[Literal["t.PENDING", "t.RUNNING", "t.PASSED", "t.FAILED", "t.ERROR", "t.CANCELLED"]] = None,
        trigger_source: Optional[Literal["api", "dashboard", "ci", "gate", "simulation", "tornado"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestBatchesAnswer:
        """List test batches. Newest first, with the number of runs that passed and failed, without the runs."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/batches",
            values={},
            query={"limit": limit, "after": after, "status": status, "trigger_source": trigger_source},
            timeout_seconds=timeout_seconds,
        )

    async def list_test_monitors(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestMonitorsAnswer:
        """List test monitors. Newest first, with what their latest calls show."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/monitors",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_test_runs(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        scenario_id: Optional[str] = None,
        pathway_id: Optional[str] = None,
        persona_id: Optional[str] = None,
        batch_id: Optional[str] = None,
        simulation_set_id: Optional[str] = None,
        tornado_session_id: Optional[str] = None,
        monitor_id: Optional[str] = None,
        load_test_id: Optional[str] = None,
        call_id: Optional[str] = None,
        status: Optional[Literal["t.PENDING", "t.RUNNING", "t.PASSED", "t.FAILED", "t.ERROR", "t.CANCELLED"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestRunsAnswer:
        """List test runs. Newest first, without their conversations."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/runs",
            values={},
            query={"limit": limit, "offset": offset, "after": after, "scenario_id": scenario_id, "pathway_id": pathway_id, "persona_id": persona_id, "batch_id": batch_id, "simulation_set_id": simulation_set_id, "tornado_session_id": tornado_session_id, "monitor_id": monitor_id, "load_test_id": load_test_id, "call_id": call_id, "status": status},
            timeout_seconds=timeout_seconds,
        )

    async def list_test_scenarios(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        pathway_id: Optional[str] = None,
        persona_id: Optional[str] = None,
        category: Optional[Literal["t.CUSTOM", "t.VOICEMAIL", "t.VOICEMAIL_SCREENER", "t.ANGRY_CALLER", "t.BELLIGERENT_CALLER", "t.CONFUSED_CALLER", "t.CALL_SCREENER", "t.HAPPY_PATH", "t.EDGE_CASE", "t.RED_TEAM"]] = None,
        enabled: Optional[bool] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestScenariosAnswer:
        """List test scenarios. Newest first, each with its latest run."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/scenarios",
            values={},
            query={"limit": limit, "after": after, "pathway_id": pathway_id, "persona_id": persona_id, "category": category, "enabled": enabled},
            timeout_seconds=timeout_seconds,
        )

    async def list_test_schedules(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestSchedulesAnswer:
        """List test schedules. Newest first, with their state and next time."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/schedules",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_test_templates(
        self,
        *,
        category: Optional[Literal["t.CUSTOM", "t.VOICEMAIL", "t.VOICEMAIL_SCREENER", "t.ANGRY_CALLER", "t.BELLIGERENT_CALLER", "t.CONFUSED_CALLER", "t.CALL_SCREENER", "t.HAPPY_PATH", "t.EDGE_CASE", "t.RED_TEAM"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTestTemplatesAnswer:
        """List scenario templates. The built-in templates; those of the category RED_TEAM attack the agent. Clone one to get a scenario that you can run."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/templates",
            values={},
            query={"category": category},
            timeout_seconds=timeout_seconds,
        )

    async def list_tornado_sessions(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        pathway_id: Optional[str] = None,
        status: Optional[Literal["t.RUNNING", "t.COMPLETED_ALL_PASSED", "t.COMPLETED_PARTIAL", "t.TIMEOUT", "t.STUCK", "t.CANCELLED", "t.ERROR"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTornadoSessionsAnswer:
        """List tornado sessions. Newest first, without their iterations."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/agent-testing/tornado",
            values={},
            query={"limit": limit, "after": after, "pathway_id": pathway_id, "status": status},
            timeout_seconds=timeout_seconds,
        )

    async def list_trunk_health(
        self,
        *,
        state: Optional[Literal["unreachable", "failing", "degraded", "unregistered"]] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTrunkHealthAnswer:
        """List trunks, worst first. Reachability, registration and recent calls of the organization’s numbers, of 2,000 at most. Unreachable trunks come first, then those whose calls fail, then lost registrations."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/trunks",
            values={},
            query={"state": state, "limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_trunks(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListTrunksAnswer:
        """List shared trunks. Newest first. Numbers with their own configurations are only in GET /v1/sip/numbers."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/trunks",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def list_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ListWebhooksAnswer:
        """List webhook endpoints. Newest first, without secrets."""
        return await self._json(  # type: ignore[no-any-return]
            "GET",
            "/v1/webhooks",
            values={},
            query={"limit": limit, "after": after},
            timeout_seconds=timeout_seconds,
        )

    async def listen_to_call(
        self,
        call_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Listen to an active call. Works for any answered call. The response is a WAVE file that continues until the call ends: G.711 μ-law at 8000 Hz, the caller or callee on the left channel, the agent on the right. It is also complete when the right is withdrawn, and after 60 minutes; it breaks off when the edge of the call ends. Neither side notices anything, and nothing is stored. The audit log has the beginning and the end with its duration; `listeners` of the active call shows who listens. Up to three listeners a call. Requires the scope `calls:listen`, which `calls:write` does not include."""
        return await self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/calls/{call_id}/audio",
            values={"call_id": call_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def look_up_invitation(
        self,
        body: t.LookUpInvitationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.LookUpInvitationAnswer:
        """Show what an invitation link invites to. Does not use up the link."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/invitations/look-up",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def merge_contacts(
        self,
        body: t.MergeContactsBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.MergeContactsAnswer:
        """Merge two contacts. The primary contact gets the other one’s identifiers, memories and messages; where both have a value, the primary’s stays. The other id leads to the primary from then on, and the other contact, as it was, is kept in the history (`GET /v1/contacts/{contact_id}/merges`). Merging two that were merged already changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/contacts/merge",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def move_port(
        self,
        id: str,
        body: t.MovePortBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.MovePortAnswer:
        """Move a port request, or some of its numbers. For operators, to record what happened at the carrier. Numbers for which the move is not possible keep their state; when it is possible for none, the answer is 409."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/operator/ports/{id}/moves",
            values={"id": id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def parse_certificates(
        self,
        body: t.ParseCertificatesBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ParseCertificatesAnswer:
        """Parse certificates for `tls_ca`. A text that `tls_ca` would refuse returns `valid: false` with the reason."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/parse-certificates",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def parse_destination(
        self,
        body: t.ParseDestinationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ParseDestinationAnswer:
        """Parse a destination. Accepts host names, addresses, SIP URIs and shorthands such as `tls://203.0.113.5`. Invalid destinations return `valid: false` with the reason."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/parse-destination",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def play_to_call(
        self,
        call_id: str,
        body: t.PlayToCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.PlayToCallAnswer:
        """Play a file to the caller or callee. Works for an answered call whose agent is a WebSocket server. The media-stream process fetches the file and plays it in place of what the agent has queued; the agent gets its pending marks back. Returns when the file has begun."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/play",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def promote_pathway(
        self,
        id: str,
        body: Optional[t.PromotePathwayBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.PromotePathwayAnswer:
        """Make a version of a pathway live. The draft, a fork, or an archived version again. With required scenarios the answer is 202: they run first, and the version becomes live when all have passed (`promotion`). Of two promotions of a version at the same time one is refused."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/pathways/{id}/versions/promote",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def promote_persona(
        self,
        id: str,
        body: Optional[t.PromotePersonaBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.PromotePersonaAnswer:
        """Make the draft of a persona live. The next call gets it; calls that are active keep theirs. With required scenarios the answer is 202: they run first, and the draft becomes live when all have passed (`promotion`). Of two promotions at the same time one is refused."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/personas/{id}/versions/promote",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def prove_numbers(
        self,
        body: t.ProveNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ProveNumbersAnswer:
        """Confirm ownership of numbers. Operator key required. If the service requires proof (`DEMARC_NUMBER_PROOF`), organizations can attach only numbers confirmed for them. Numbers that are already attached stay attached."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/numbers/prove",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def read_shared_call(
        self,
        body: t.ReadSharedCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReadSharedCallAnswer:
        """Read the call of a link. What the page of the link shows. The token is in the body, so that no log has it. Needs no key."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/shared-calls/read",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def remove_agent_stream_secret(
        self,
        secret_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RemoveAgentStreamSecretAnswer:
        """Remove a signing secret of WebSocket agents. Handshakes are no longer signed with it. Without any secret they are not signed."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/agent-streams/signing-secrets/{secret_id}",
            values={"secret_id": secret_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def remove_member(
        self,
        member_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RemoveMemberAnswer:
        """Remove a member. The member’s sessions in this organization end at once. API keys that the member created stay: revoke them separately."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/members/{member_id}",
            values={"member_id": member_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def remove_member_for_organization(
        self,
        organization_id: str,
        member_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RemoveMemberForOrganizationAnswer:
        """Remove a member. For operators only. The member’s sessions in this organization end at once. API keys that the member created stay: revoke them separately."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/operator/organizations/{organization_id}/members/{member_id}",
            values={"organization_id": organization_id, "member_id": member_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def replace_pathway_document(
        self,
        id: str,
        version_number: str,
        body: t.ReplacePathwayDocumentBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReplacePathwayDocumentAnswer:
        """Replace the document of a draft or fork. Other versions take no changes: fork them, or change the draft."""
        return await self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/pathways/{id}/versions/{version_number}",
            values={"id": id, "version_number": version_number},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def replay_delivery(
        self,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReplayDeliveryAnswer:
        """Replay a webhook. Sends a delivered or failed webhook again with the same body, event_id and X-Webhook-Id, and a new signature; attempts restart at zero. A pending delivery is refused (409)."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/deliveries/{delivery_id}/replay",
            values={"delivery_id": delivery_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def replay_failed_deliveries(
        self,
        webhook_id: str,
        body: t.ReplayFailedDeliveriesBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ReplayFailedDeliveriesAnswer:
        """Replay all failed deliveries of an endpoint. Sends the failed webhooks that were created in a time range again, oldest first, at most 50 a second, each with its body, event_id and X-Webhook-Id and a new signature. At most 10000 per request."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/{webhook_id}/replay",
            values={"webhook_id": webhook_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def request_password_reset(
        self,
        body: t.RequestPasswordResetBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RequestPasswordResetAnswer:
        """Request a password reset link by mail. The response is the same whether or not the address has an account. The link works once, for 2 hours."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/password/reset",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def resend_port_signature(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ResendPortSignatureAnswer:
        """Send the Letter of Authorization again. Mails a new link to the authorized representative. The earlier link stops working."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/port/{id}/signature",
            values={"id": id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def resolve_contact(
        self,
        body: Optional[t.ResolveContactBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ResolveContactAnswer:
        """Find or create a contact. A contact that exists gets the identifiers that it lacks, and the name if it has none; metadata is merged. Calls create the contacts of their callers and callees themselves. With persona_id or agent_number, the memory of that persona or number is created too."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/contacts/resolve",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def resume_call(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ResumeCallAnswer:
        """Resume a call on hold. Reconnects the audio of both sides. 409 if the call is not on hold."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/resume",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def revoke_agent_credential(
        self,
        credential_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeAgentCredentialAnswer:
        """Revoke agent credentials. Edges refuse them from the response on, unless `warnings` has CHANGE_NOT_CONFIRMED. Active calls continue."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/agent-credentials/{credential_id}",
            values={"credential_id": credential_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def revoke_call_share(
        self,
        call_id: str,
        share_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeCallShareAnswer:
        """Revoke the link of a call. The link is invalid at once."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/sip/calls/{call_id}/shares/{share_id}",
            values={"call_id": call_id, "share_id": share_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def revoke_key(
        self,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeKeyAnswer:
        """Revoke an API key. The key is refused from the next request on, and its sessions end. Revoking it again changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/keys/{key_id}",
            values={"key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def revoke_key_for_organization(
        self,
        organization_id: str,
        key_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.RevokeKeyForOrganizationAnswer:
        """Revoke an API key. For operators only. The key is refused from the next request on, and its sessions end. Revoking it again changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/operator/organizations/{organization_id}/keys/{key_id}",
            values={"organization_id": organization_id, "key_id": key_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RotateWebhookSecretAnswer:
        """Rotate an endpoint’s signing secret. The new secret is returned only this once. For 24 hours X-Demarc-Signature also has a v1 value for the previous secret."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/{webhook_id}/rotate-secret",
            values={"webhook_id": webhook_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def run_test_batch(
        self,
        body: t.RunTestBatchBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RunTestBatchAnswer:
        """Run several test scenarios. Runs each scenario once, all or none of them are started. Poll `GET /v1/agent-testing/batches/{id}` until it has ended, or send `webhook_url`."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/batch-run",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def run_test_scenario(
        self,
        id: str,
        body: Optional[t.RunTestScenarioBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.RunTestScenarioAnswer:
        """Run a test scenario. Returns immediately; poll `GET /v1/agent-testing/runs/{id}` until it has ended, or send `webhook_url`. The run keeps the scenario as it is now."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/scenarios/{id}/run",
            values={"id": id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def search_knowledge(
        self,
        body: t.SearchKnowledgeBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SearchKnowledgeAnswer:
        """Find passages that answer a question. Ranks by words and, with an embeddings endpoint, by meaning, and fuses both. The agent of a call may search with the call’s token (`X-Demarc-Token`): then only the knowledge bases of that call."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/knowledge/search",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def send_digits(
        self,
        call_id: str,
        body: t.SendDigitsBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SendDigitsAnswer:
        """Send DTMF digits to the caller or callee. Works for any answered call, inbound or placed through the API: as telephone events (RFC 4733), by INFO if the trunk does not support them, or as tones. Returns when the first digit is sent; the others follow at five per second."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/dtmf",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def set_password(
        self,
        body: t.SetPasswordBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetPasswordAnswer:
        """Set a new password with a reset link. Uses up the link and ends all sessions of the person. Sign in afterwards."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/password/set",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def set_test_budget(
        self,
        body: t.SetTestBudgetBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetTestBudgetAnswer:
        """Set the budget of agent tests. Once a limit per day or month is reached, nothing that asks a model is started, and runs in progress end in ERROR, with `TOKEN_BUDGET_USED` or `COST_BUDGET_USED` as the reason. So do those whose own limit, or that of the runs started with them, is reached. Limits in money need a price of each model in the currency of the organization (`PUT /v1/agent-testing/prices`)."""
        return await self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/budget",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def set_test_labels(
        self,
        id: str,
        body: t.SetTestLabelsBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetTestLabelsAnswer:
        """Label the assertions of a test run. Says whether assertions pass in your opinion, so that the judge can be compared with people. The result of the run stays."""
        return await self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/runs/{id}/labels",
            values={"id": id},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def set_test_prices(
        self,
        body: t.SetTestPricesBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SetTestPricesAnswer:
        """Set the prices of the models of agent tests. Replaces all prices of the organization; they count for requests from then on. They go before the prices of the service, and give agents at their own URL a price. The currency cannot change while a budget in money is set."""
        return await self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/prices",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def share_call(
        self,
        call_id: str,
        body: Optional[t.ShareCallBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.ShareCallAnswer:
        """Share a call with a carrier. Creates a link that anyone can open until it expires or is revoked. It shows the SIP messages of the trunk’s leg without bodies, with numbers and names masked, and has them as pcap. `ticket` is the text for a ticket. Only of an ended call."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/calls/{call_id}/shares",
            values={"call_id": call_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def sign_in(
        self,
        body: t.SignInBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.SignInAnswer:
        """Sign in with email and password. Sets the session cookie, as `POST /v1/session` does for an API key. The session belongs to the organization that the person used last; `PATCH /v1/session` switches."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sign-in",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def start_discovery(
        self,
        body: t.StartDiscoveryBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartDiscoveryAnswer:
        """Start a discovery. Finds out how to reach a PBX: looks up A, AAAA and SRV records, then sends OPTIONS to ports 5060, 5061 and 5080 over TLS, TCP and UDP; `port` and `transport` narrow the search. Poll the status for progress. One discovery at a time (409); results are kept for ten minutes."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/discover",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def start_load_test(
        self,
        body: t.StartLoadTestBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartLoadTestAnswer:
        """Start a load test. Many simulated callers converse with the agent at once, in steps with more and more of them, until it breaks. Each is judged by the assertions of its scenario. An organization runs one load test at a time; by voice it takes at most half of the concurrent calls of the organization and of the number. Poll `GET /v1/agent-testing/load-tests/{id}` until it has ended, or send `webhook_url`."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/load-tests",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def start_simulation_set(
        self,
        body: t.StartSimulationSetBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartSimulationSetAnswer:
        """Run scenarios many times. Repeated runs show how often a scenario passes and whether it is flaky. Poll `GET /v1/agent-testing/simulation-sets/{id}` until it has ended, or send `webhook_url`."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/simulation-sets",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def start_test_call(
        self,
        body: t.StartTestCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartTestCallAnswer:
        """Place a test call. Calls the number through its own outbound servers, with the same order, credentials and media as any call from it. The callee hears a chime for seven seconds, then the call ends. Poll the status for the timeline. At most 10 per 15 minutes (429 with Retry-After)."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/test-call",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def start_tornado(
        self,
        body: t.StartTornadoBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartTornadoAnswer:
        """Start tornado mode. Runs the scenarios, analyzes the failures, applies fixes to a fork of the version, and repeats this until all pass or the limit is reached. The fork becomes live only when you promote it."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/tornado/start",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def start_warm_transfer(
        self,
        call_id: str,
        body: t.StartWarmTransferBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StartWarmTransferAnswer:
        """Start a warm transfer. Puts the caller or callee on hold with music and calls the target, which then talks to the agent of the call. Works for any answered call, under the same rules for targets and limits as a bridged transfer. Returns once the target is being called; `consultation` of the active call has the stage. If the target does not answer, the caller returns to the agent, and `transfer` of the call has the reason."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/warm-transfer",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def stop_batch(
        self,
        batch_id: str,
        body: Optional[t.StopBatchBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StopBatchAnswer:
        """Stop a batch. No further call is dialled; waiting calls end as cancelled within seconds. Active calls continue unless end_calls is true."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/batches/{batch_id}/stop",
            values={"batch_id": batch_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def stop_call(
        self,
        call_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.StopCallAnswer:
        """Stop a call. Ends an answered call, cancels a ringing one, removes a queued one. Repeating the request changes nothing."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/stop",
            values={"call_id": call_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def stream_events(
        self,
        *,
        scope: Optional[Literal["organization", "fleet"]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        """Stream live events. Server-sent events: snapshot (everything; first, and after missed events), summary (changed parts of the overview), call, trunk, alert, test_call, registration, sighting (what arrived from your PBX), beat (every four seconds), end. Last-Event-ID resumes the stream if the missed events are still available."""
        return await self._raw(  # type: ignore[no-any-return]
            "GET",
            "/v1/noc/events",
            values={},
            query={"scope": scope},
            timeout_seconds=timeout_seconds,
        )

    async def switch_organization(
        self,
        body: t.SwitchOrganizationBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.SwitchOrganizationAnswer:
        """Switch to another organization. For people who belong to several organizations. The session gets a new cookie; the previous one ends."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/session",
            values={},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def test_alert_contact(
        self,
        body: Optional[t.TestAlertContactBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TestAlertContactAnswer:
        """Send a test notice to one alert contact. Set either `email` or `phone_number`, to one of the alert contacts. Returns when the mail server or SMS provider has responded, at most 20 seconds. At most 10 tests per 15 minutes for an organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/alerts/contacts/test",
            values={},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def test_alerts(
        self,
        body: t.TestAlertsBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TestAlertsAnswer:
        """Send a test notice to all channels of a direction. Returns when all recipients have responded, at most 20 seconds. At most 10 per 15 minutes for an organization."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/alerts/test",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def test_webhook(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TestWebhookAnswer:
        """Test a webhook endpoint. Sends the event webhook.test, regardless of the endpoint’s filter. The list of deliveries has the result under the event_id."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/webhooks/{webhook_id}/test",
            values={"webhook_id": webhook_id},
            query={},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def transfer_call(
        self,
        call_id: str,
        body: t.TransferCallBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.TransferCallAnswer:
        """Transfer an active call. Same as a REFER from the agent. Works for any call, inbound or placed through the API, with the agent’s `X-Demarc-Call-ID`. Returns once the transfer has begun; the call’s record has the outcome."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/calls/{call_id}/transfer",
            values={"call_id": call_id},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def undo_tornado_fix(
        self,
        id: str,
        fix_id: str,
        body: Optional[t.UndoTornadoFixBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UndoTornadoFixAnswer:
        """Undo a fix of a tornado session. Restores the value before the fix in the fork, unless the field was changed since."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agent-testing/tornado/{id}/fixes/{fix_id}/undo",
            values={"id": id, "fix_id": fix_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def update_agent(
        self,
        agent_id: str,
        body: Optional[t.UpdateAgentBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateAgentAnswer:
        """Change a web agent. `tools` replaces the whole list. Omitted fields keep their value."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/agents/{agent_id}",
            values={"agent_id": agent_id},
            query={},
            body=body or {},
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def update_alert(
        self,
        alert_id: str,
        body: Optional[t.UpdateAlertBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateAlertAnswer:
        """Acknowledge or mute an alert. Says who handles the alert, and mutes its notices. Omitted fields keep their value."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/alerts/{alert_id}",
            values={"alert_id": alert_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_alert_contacts(
        self,
        body: Optional[t.UpdateAlertContactsBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateAlertContactsAnswer:
        """Change the alert contacts. Applies to every trunk whose `alert_config` enables email or SMS. A list you include replaces the current one; omitted lists are unchanged."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/alerts/contacts",
            values={},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_contact(
        self,
        contact_id: str,
        body: Optional[t.UpdateContactBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateContactAnswer:
        """Change a contact. Omitted fields keep their value. `email` and `external_id` replace the primary one; null removes it."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/contacts/{contact_id}",
            values={"contact_id": contact_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_contact_memory(
        self,
        contact_id: str,
        body: Optional[t.UpdateContactMemoryBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateContactMemoryAnswer:
        """Add to the memory of a contact. What an agent needs to know in the next conversation: summary, facts, messages, open items, entities. Omitted fields keep their value, and lists add to what is there. Give messages a `timestamp`, or send an Idempotency-Key: then a repeated request adds none twice. The agent of a call writes with the call’s token, during the call and shortly after it; then the memory is that of the call’s persona. The last 50 messages are returned; 100 are kept."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/contacts/{contact_id}/memory",
            values={"contact_id": contact_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_direction(
        self,
        body: t.UpdateDirectionBody,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateDirectionAnswer:
        """Change a direction of a number. Omitted fields keep their value; null clears a field. If the number has several configurations of the direction, pass `id`."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/update",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout_seconds=timeout_seconds,
        )

    async def update_incident(
        self,
        incident_id: str,
        body: Optional[t.UpdateIncidentBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateIncidentAnswer:
        """Acknowledge an incident. Says who handles it. Omitted fields keep their value. Incidents of the service are handled by operators."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/noc/incidents/{incident_id}",
            values={"incident_id": incident_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_knowledge(
        self,
        id: str,
        body: Optional[t.UpdateKnowledgeBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateKnowledgeAnswer:
        """Rename or describe a knowledge base. Omitted fields keep their value; null clears the description. The text cannot be changed: learn a new one and delete this one."""
        return await self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/knowledge/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_maintenance_window(
        self,
        window_id: str,
        body: Optional[t.UpdateMaintenanceWindowBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateMaintenanceWindowAnswer:
        """Change a maintenance window. Omitted fields keep their value. Applies to alerts within seconds."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/sip/maintenance-windows/{window_id}",
            values={"window_id": window_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_member(
        self,
        member_id: str,
        body: t.UpdateMemberBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateMemberAnswer:
        """Change the role of a member. Applies to the member’s next request. A key can give and take only roles with no more rights than its own. The last owner stays owner."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/members/{member_id}",
            values={"member_id": member_id},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def update_member_for_organization(
        self,
        organization_id: str,
        member_id: str,
        body: t.UpdateMemberForOrganizationBody,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateMemberForOrganizationAnswer:
        """Change the role of a member. For operators only. Applies to the member’s next request. A key can give and take only roles with no more rights than its own. The last owner stays owner."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/operator/organizations/{organization_id}/members/{member_id}",
            values={"organization_id": organization_id, "member_id": member_id},
            query={},
            body=body,
            timeout_seconds=timeout_seconds,
        )

    async def update_numbers(
        self,
        body: t.UpdateNumbersBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateNumbersAnswer:
        """Change a direction of many numbers. Like `/v1/sip/update`, for up to 100 numbers. Each succeeds or fails on its own; `failed` lists the failures."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/numbers/update",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def update_organization(
        self,
        organization_id: str,
        body: Optional[t.UpdateOrganizationBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateOrganizationAnswer:
        """Change the entitlement and limits of an organization. For operators only. Omitted fields keep their value; null in `limits` restores the value of the service. Active calls continue. Without the SIP entitlement the API and the dashboard refuse the organization; its numbers stay attached and take calls."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/operator/organizations/{organization_id}",
            values={"organization_id": organization_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_pathway(
        self,
        id: str,
        body: Optional[t.UpdatePathwayBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdatePathwayAnswer:
        """Change a pathway. The document replaces that of the draft, which is created if missing, and takes effect with the next promotion. Name and description change at once. Omitted fields keep their value."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/pathways/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_persona(
        self,
        id: str,
        body: Optional[t.UpdatePersonaBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdatePersonaAnswer:
        """Change a persona. kb_ids, prompts and agent change the draft, which is made from the live version if there is none: calls get them after the next promotion. Name, role, description, tags and metadata change at once. Omitted fields keep their value."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/personas/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_test_monitor(
        self,
        id: str,
        body: Optional[t.UpdateTestMonitorBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTestMonitorAnswer:
        """Change or pause a test monitor. Omitted fields keep their value. `enabled` false pauses it; calls that end meanwhile are not judged. Scenario, number and persona stay, so that results are comparable."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/agent-testing/monitors/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_test_scenario(
        self,
        id: str,
        body: Optional[t.UpdateTestScenarioBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTestScenarioAnswer:
        """Change a test scenario. Omitted fields keep their value; `assertions` replaces all of them. Runs that were started before keep the scenario as it was."""
        return await self._json(  # type: ignore[no-any-return]
            "PUT",
            "/v1/agent-testing/scenarios/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_test_schedule(
        self,
        id: str,
        body: Optional[t.UpdateTestScheduleBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTestScheduleAnswer:
        """Change or pause a test schedule. Omitted fields keep their value. `enabled` false pauses it; runs in progress continue. A change of `recurrence` or `enabled` sets the next time again."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/agent-testing/schedules/{id}",
            values={"id": id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_trunk(
        self,
        trunk_id: str,
        body: Optional[t.UpdateTrunkBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateTrunkAnswer:
        """Change a shared trunk and all its numbers. Omitted fields keep their value. All numbers of the trunk change together, from the next call on; active calls continue."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/trunks/{trunk_id}",
            values={"trunk_id": trunk_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def update_webhook(
        self,
        webhook_id: str,
        body: Optional[t.UpdateWebhookBody] = None,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.UpdateWebhookAnswer:
        """Change, enable or disable a webhook endpoint. Omitted fields keep their value. Pending deliveries go to the new URL."""
        return await self._json(  # type: ignore[no-any-return]
            "PATCH",
            "/v1/webhooks/{webhook_id}",
            values={"webhook_id": webhook_id},
            query={},
            body=body or {},
            timeout_seconds=timeout_seconds,
        )

    async def upload_port_document(
        self,
        body: t.UploadPortDocumentBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> t.UploadPortDocumentAnswer:
        """Upload a bill or an invoice. A utility bill or an invoice of the losing carrier, not older than 30 days, with account name and service address. PDF, JPEG, PNG, GIF or WebP, at most 10 MB, recognized by its content. It is stored encrypted. An `Idempotency-Key` has no effect: each upload is a document, and unused ones are deleted after 30 days."""
        return await self._json(  # type: ignore[no-any-return]
            "POST",
            "/v1/sip/port/document",
            values={},
            query={},
            body=body,
            idempotency_key=idempotency_key,
            timeout_seconds=timeout_seconds,
        )

    async def withdraw_invitation(
        self,
        invitation_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.WithdrawInvitationAnswer:
        """Withdraw an invitation. Its link no longer works."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/invitations/{invitation_id}",
            values={"invitation_id": invitation_id},
            query={},
            timeout_seconds=timeout_seconds,
        )

    async def withdraw_invitation_for_organization(
        self,
        organization_id: str,
        invitation_id: str,
        *,
        timeout_seconds: Optional[float] = None,
    ) -> t.WithdrawInvitationForOrganizationAnswer:
        """Withdraw an invitation. For operators only. Its link no longer works."""
        return await self._json(  # type: ignore[no-any-return]
            "DELETE",
            "/v1/operator/organizations/{organization_id}/invitations/{invitation_id}",
            values={"organization_id": organization_id, "invitation_id": invitation_id},
            query={},
            timeout_seconds=timeout_seconds,
        )



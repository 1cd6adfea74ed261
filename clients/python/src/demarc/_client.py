# Generated from the description of the API: npm run client:python. Do not edit.
from typing import Any, AsyncIterator, Iterator, Optional

from ._events import LiveEvent, async_live_events, live_events
from ._operations import AsyncOperations, Operations


class Demarc(Operations):
    """The API by resource (`demarc.calls.create`); each operation is also a method (`create_call`)."""

    class _Calls:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_call
            self.list = api.list_calls
            self.get = api.get_call
            self.stop = api.stop_call
            self.transfer = api.transfer_call
            self.start_warm_transfer = api.start_warm_transfer
            self.complete_warm_transfer = api.complete_warm_transfer
            self.cancel_warm_transfer = api.cancel_warm_transfer
            self.listen = api.listen_to_call
            self.send_digits = api.send_digits
            self.hold = api.hold_call
            self.resume = api.resume_call
            self.play = api.play_to_call
            self.add_agent_metadata = api.add_agent_metadata

    class _Batches:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_batch
            self.list = api.list_batches
            self.get = api.get_batch
            self.stop = api.stop_batch

    class _CallRecords:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_call_records
            self.get = api.get_call_record
            self.export = api.export_call_records
            self.share = api.share_call
            self.list_shares = api.list_call_shares
            self.revoke_share = api.revoke_call_share

    class _Numbers:
        def __init__(self, api: Operations) -> None:
            self.attach = api.attach_numbers
            self.detach = api.detach_number
            self.detach_many = api.detach_numbers
            self.list = api.list_numbers
            self.get = api.get_number
            self.update = api.update_direction
            self.update_many = api.update_numbers
            self.configure = api.configure_direction
            self.check = api.check_number
            self.prove = api.prove_numbers

    class _Trunks:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_trunk
            self.list = api.list_trunks
            self.get = api.get_trunk
            self.update = api.update_trunk
            self.delete = api.delete_trunk
            self.list_numbers = api.list_numbers_of_trunk
            self.attach_numbers = api.attach_numbers_to_trunk

    class _Setup:
        def __init__(self, api: Operations) -> None:
            self.parse_destination = api.parse_destination
            self.parse_certificates = api.parse_certificates
            self.generate_password = api.generate_password
            self.get_firewall = api.get_firewall
            self.get_outbound = api.get_outbound_setup
            self.list_sightings = api.list_sightings

    class _Health:
        def __init__(self, api: Operations) -> None:
            self.get_status = api.get_trunk_status
            self.get_history = api.get_health_history
            self.fail_back = api.fail_back

    class _Discovery:
        def __init__(self, api: Operations) -> None:
            self.start = api.start_discovery
            self.get = api.get_discovery

    class _TestCalls:
        def __init__(self, api: Operations) -> None:
            self.start = api.start_test_call
            self.get = api.get_test_call

    class _AgentCredentials:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_agent_credential
            self.list = api.list_agent_credentials
            self.revoke = api.revoke_agent_credential

    class _AgentStreamSecrets:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_agent_stream_secrets
            self.create = api.create_agent_stream_secret
            self.remove = api.remove_agent_stream_secret

    class _Ports:
        def __init__(self, api: Operations) -> None:
            self.check = api.check_portability
            self.upload_document = api.upload_port_document
            self.initiate = api.initiate_port
            self.list = api.list_ports
            self.get = api.get_port
            self.cancel = api.cancel_port
            self.resend_signature = api.resend_port_signature

    class _OperatorPorts:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_operator_ports
            self.get = api.get_operator_port
            self.get_document = api.get_operator_port_document
            self.move = api.move_port

    class _Personas:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_persona
            self.list = api.list_personas
            self.get = api.get_persona
            self.update = api.update_persona
            self.delete = api.delete_persona
            self.attach_numbers = api.attach_persona_numbers
            self.detach_numbers = api.detach_persona_numbers
            self.list_versions = api.list_persona_versions
            self.get_version = api.get_persona_version
            self.promote = api.promote_persona

    class _Pathways:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_pathway
            self.list = api.list_pathways
            self.get = api.get_pathway
            self.update = api.update_pathway
            self.delete = api.delete_pathway
            self.list_versions = api.list_pathway_versions
            self.get_version = api.get_pathway_version
            self.replace_document = api.replace_pathway_document
            self.delete_fork = api.delete_pathway_fork
            self.compare_versions = api.compare_pathway_versions
            self.fork = api.fork_pathway_version
            self.promote = api.promote_pathway
            self.attach_numbers = api.attach_pathway_numbers
            self.detach_numbers = api.detach_pathway_numbers

    class _Contacts:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_contacts
            self.get = api.get_contact
            self.update = api.update_contact
            self.delete = api.delete_contact
            self.find = api.find_contact
            self.resolve = api.resolve_contact
            self.merge = api.merge_contacts
            self.update_memory = api.update_contact_memory
            self.list_calls = api.list_contact_calls
            self.list_merges = api.list_contact_merges
            self.list_deletions = api.list_contact_deletions
            self.export = api.export_contact

    class _Knowledge:
        def __init__(self, api: Operations) -> None:
            self.learn = api.learn_knowledge
            self.list = api.list_knowledge
            self.get = api.get_knowledge
            self.update = api.update_knowledge
            self.delete = api.delete_knowledge
            self.search = api.search_knowledge
            self.chat = api.chat_with_knowledge

    class _Agents:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_agent
            self.list = api.list_agents
            self.get = api.get_agent
            self.update = api.update_agent
            self.delete = api.delete_agent

    class _TestScenarios:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_test_scenario
            self.list = api.list_test_scenarios
            self.get = api.get_test_scenario
            self.update = api.update_test_scenario
            self.delete = api.delete_test_scenario
            self.run = api.run_test_scenario
            self.generate = api.generate_test_scenario
            self.generate_from_persona = api.generate_test_scenarios_from_persona
            self.generate_from_calls = api.generate_test_scenarios_from_calls
            self.create_from_run = api.create_test_scenario_from_run
            self.calibration = api.get_judge_calibration

    class _TestTemplates:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_test_templates
            self.clone = api.clone_test_template

    class _TestRuns:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_test_runs
            self.get = api.get_test_run
            self.recording = api.get_test_recording
            self.cancel = api.cancel_test_run
            self.analyze = api.analyze_test_run
            self.labels = api.get_test_labels
            self.label = api.set_test_labels
            self.judge = api.judge_test_run

    class _TestBatches:
        def __init__(self, api: Operations) -> None:
            self.run = api.run_test_batch
            self.list = api.list_test_batches
            self.get = api.get_test_batch
            self.cancel = api.cancel_test_batch

    class _TestBudget:
        def __init__(self, api: Operations) -> None:
            self.get = api.get_test_budget
            self.set = api.set_test_budget
            self.estimate = api.estimate_test_tokens

    class _TestPrices:
        def __init__(self, api: Operations) -> None:
            self.get = api.get_test_prices
            self.set = api.set_test_prices

    class _TestAnalytics:
        def __init__(self, api: Operations) -> None:
            self.get = api.get_test_analytics
            self.get_enhanced = api.get_enhanced_test_analytics

    class _PathwayCoverage:
        def __init__(self, api: Operations) -> None:
            self.get = api.get_pathway_coverage

    class _SimulationSets:
        def __init__(self, api: Operations) -> None:
            self.start = api.start_simulation_set
            self.list = api.list_simulation_sets
            self.get = api.get_simulation_set
            self.compare = api.compare_simulation_sets
            self.cancel = api.cancel_simulation_set

    class _TestSchedules:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_test_schedule
            self.list = api.list_test_schedules
            self.get = api.get_test_schedule
            self.update = api.update_test_schedule
            self.delete = api.delete_test_schedule

    class _TestMonitors:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_test_monitor
            self.list = api.list_test_monitors
            self.get = api.get_test_monitor
            self.update = api.update_test_monitor
            self.delete = api.delete_test_monitor

    class _LoadTests:
        def __init__(self, api: Operations) -> None:
            self.start = api.start_load_test
            self.list = api.list_load_tests
            self.get = api.get_load_test
            self.cancel = api.cancel_load_test

    class _Tornado:
        def __init__(self, api: Operations) -> None:
            self.start = api.start_tornado
            self.list = api.list_tornado_sessions
            self.get_active = api.get_active_tornado
            self.get_status = api.get_tornado_status
            self.cancel = api.cancel_tornado
            self.undo_fix = api.undo_tornado_fix

    class _Webhooks:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_webhook
            self.list = api.list_webhooks
            self.get = api.get_webhook
            self.update = api.update_webhook
            self.delete = api.delete_webhook
            self.rotate_secret = api.rotate_webhook_secret
            self.test = api.test_webhook
            self.replay_failed = api.replay_failed_deliveries
            self.get_secret = api.get_webhook_secret
            self.create_secret = api.create_webhook_secret

    class _Deliveries:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_deliveries
            self.get = api.get_delivery
            self.replay = api.replay_delivery

    class _Alerts:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_alerts
            self.get = api.get_alert
            self.update = api.update_alert
            self.test = api.test_alerts
            self.get_contacts = api.get_alert_contacts
            self.update_contacts = api.update_alert_contacts
            self.test_contact = api.test_alert_contact

    class _MaintenanceWindows:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_maintenance_window
            self.list = api.list_maintenance_windows
            self.get = api.get_maintenance_window
            self.update = api.update_maintenance_window
            self.delete = api.delete_maintenance_window

    class _Noc:
        def __init__(self, api: Operations) -> None:
            self.get_summary = api.get_summary
            self.list_trunk_health = api.list_trunk_health
            self.list_live_calls = api.list_live_calls
            self.get_call_series = api.get_call_series
            self.list_incidents = api.list_incidents
            self.get_incident = api.get_incident
            self.update_incident = api.update_incident
            self.get_explanations = api.get_explanations
            self.stream_events = api.stream_events

    class _Keys:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_key
            self.list = api.list_keys
            self.get = api.get_key
            self.revoke = api.revoke_key

    class _Members:
        def __init__(self, api: Operations) -> None:
            self.list = api.list_members
            self.update = api.update_member
            self.remove = api.remove_member
            self.invite = api.invite_member
            self.list_invitations = api.list_invitations
            self.withdraw_invitation = api.withdraw_invitation
            self.create_reset_link = api.create_reset_link
            self.list_audit_events = api.list_audit_events

    class _Usage:
        def __init__(self, api: Operations) -> None:
            self.get = api.get_usage
            self.breakdown = api.get_usage_breakdown

    class _Organizations:
        def __init__(self, api: Operations) -> None:
            self.create = api.create_organization
            self.list = api.list_organizations
            self.get = api.get_organization
            self.update = api.update_organization
            self.usage = api.get_usage_for_organization
            self.usage_breakdown = api.get_usage_breakdown_for_organization
            self.create_key = api.create_key_for_organization
            self.list_keys = api.list_keys_for_organization
            self.get_key = api.get_key_for_organization
            self.revoke_key = api.revoke_key_for_organization
            self.list_members = api.list_members_for_organization
            self.update_member = api.update_member_for_organization
            self.remove_member = api.remove_member_for_organization
            self.invite_member = api.invite_member_for_organization
            self.list_invitations = api.list_invitations_for_organization
            self.withdraw_invitation = api.withdraw_invitation_for_organization
            self.create_reset_link = api.create_reset_link_for_organization
            self.list_audit_events = api.list_audit_events_for_organization

    def __init__(self, base_url: Optional[str] = None, api_key: Optional[str] = None, **settings: Any) -> None:
        super().__init__(base_url, api_key, **settings)
        self.calls = self._Calls(self)
        self.batches = self._Batches(self)
        self.call_records = self._CallRecords(self)
        self.numbers = self._Numbers(self)
        self.trunks = self._Trunks(self)
        self.setup = self._Setup(self)
        self.health = self._Health(self)
        self.discovery = self._Discovery(self)
        self.test_calls = self._TestCalls(self)
        self.agent_credentials = self._AgentCredentials(self)
        self.agent_stream_secrets = self._AgentStreamSecrets(self)
        self.ports = self._Ports(self)
        self.operator_ports = self._OperatorPorts(self)
        self.personas = self._Personas(self)
        self.pathways = self._Pathways(self)
        self.contacts = self._Contacts(self)
        self.knowledge = self._Knowledge(self)
        self.agents = self._Agents(self)
        self.test_scenarios = self._TestScenarios(self)
        self.test_templates = self._TestTemplates(self)
        self.test_runs = self._TestRuns(self)
        self.test_batches = self._TestBatches(self)
        self.test_budget = self._TestBudget(self)
        self.test_prices = self._TestPrices(self)
        self.test_analytics = self._TestAnalytics(self)
        self.pathway_coverage = self._PathwayCoverage(self)
        self.simulation_sets = self._SimulationSets(self)
        self.test_schedules = self._TestSchedules(self)
        self.test_monitors = self._TestMonitors(self)
        self.load_tests = self._LoadTests(self)
        self.tornado = self._Tornado(self)
        self.webhooks = self._Webhooks(self)
        self.deliveries = self._Deliveries(self)
        self.alerts = self._Alerts(self)
        self.maintenance_windows = self._MaintenanceWindows(self)
        self.noc = self._Noc(self)
        self.keys = self._Keys(self)
        self.members = self._Members(self)
        self.usage = self._Usage(self)
        self.organizations = self._Organizations(self)

    def events(self, *, last_event_id: Optional[str] = None, **query: Any) -> Iterator[LiveEvent]:
        """Live events; continues after interruptions. `query`: as for `stream_events`."""
        return live_events(self, query, last_event_id)


class AsyncDemarc(AsyncOperations):
    """The API by resource (`demarc.calls.create`); each operation is also a method (`create_call`)."""

    class _Calls:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_call
            self.list = api.list_calls
            self.get = api.get_call
            self.stop = api.stop_call
            self.transfer = api.transfer_call
            self.start_warm_transfer = api.start_warm_transfer
            self.complete_warm_transfer = api.complete_warm_transfer
            self.cancel_warm_transfer = api.cancel_warm_transfer
            self.listen = api.listen_to_call
            self.send_digits = api.send_digits
            self.hold = api.hold_call
            self.resume = api.resume_call
            self.play = api.play_to_call
            self.add_agent_metadata = api.add_agent_metadata

    class _Batches:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_batch
            self.list = api.list_batches
            self.get = api.get_batch
            self.stop = api.stop_batch

    class _CallRecords:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_call_records
            self.get = api.get_call_record
            self.export = api.export_call_records
            self.share = api.share_call
            self.list_shares = api.list_call_shares
            self.revoke_share = api.revoke_call_share

    class _Numbers:
        def __init__(self, api: AsyncOperations) -> None:
            self.attach = api.attach_numbers
            self.detach = api.detach_number
            self.detach_many = api.detach_numbers
            self.list = api.list_numbers
            self.get = api.get_number
            self.update = api.update_direction
            self.update_many = api.update_numbers
            self.configure = api.configure_direction
            self.check = api.check_number
            self.prove = api.prove_numbers

    class _Trunks:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_trunk
            self.list = api.list_trunks
            self.get = api.get_trunk
            self.update = api.update_trunk
            self.delete = api.delete_trunk
            self.list_numbers = api.list_numbers_of_trunk
            self.attach_numbers = api.attach_numbers_to_trunk

    class _Setup:
        def __init__(self, api: AsyncOperations) -> None:
            self.parse_destination = api.parse_destination
            self.parse_certificates = api.parse_certificates
            self.generate_password = api.generate_password
            self.get_firewall = api.get_firewall
            self.get_outbound = api.get_outbound_setup
            self.list_sightings = api.list_sightings

    class _Health:
        def __init__(self, api: AsyncOperations) -> None:
            self.get_status = api.get_trunk_status
            self.get_history = api.get_health_history
            self.fail_back = api.fail_back

    class _Discovery:
        def __init__(self, api: AsyncOperations) -> None:
            self.start = api.start_discovery
            self.get = api.get_discovery

    class _TestCalls:
        def __init__(self, api: AsyncOperations) -> None:
            self.start = api.start_test_call
            self.get = api.get_test_call

    class _AgentCredentials:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_agent_credential
            self.list = api.list_agent_credentials
            self.revoke = api.revoke_agent_credential

    class _AgentStreamSecrets:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_agent_stream_secrets
            self.create = api.create_agent_stream_secret
            self.remove = api.remove_agent_stream_secret

    class _Ports:
        def __init__(self, api: AsyncOperations) -> None:
            self.check = api.check_portability
            self.upload_document = api.upload_port_document
            self.initiate = api.initiate_port
            self.list = api.list_ports
            self.get = api.get_port
            self.cancel = api.cancel_port
            self.resend_signature = api.resend_port_signature

    class _OperatorPorts:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_operator_ports
            self.get = api.get_operator_port
            self.get_document = api.get_operator_port_document
            self.move = api.move_port

    class _Personas:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_persona
            self.list = api.list_personas
            self.get = api.get_persona
            self.update = api.update_persona
            self.delete = api.delete_persona
            self.attach_numbers = api.attach_persona_numbers
            self.detach_numbers = api.detach_persona_numbers
            self.list_versions = api.list_persona_versions
            self.get_version = api.get_persona_version
            self.promote = api.promote_persona

    class _Pathways:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_pathway
            self.list = api.list_pathways
            self.get = api.get_pathway
            self.update = api.update_pathway
            self.delete = api.delete_pathway
            self.list_versions = api.list_pathway_versions
            self.get_version = api.get_pathway_version
            self.replace_document = api.replace_pathway_document
            self.delete_fork = api.delete_pathway_fork
            self.compare_versions = api.compare_pathway_versions
            self.fork = api.fork_pathway_version
            self.promote = api.promote_pathway
            self.attach_numbers = api.attach_pathway_numbers
            self.detach_numbers = api.detach_pathway_numbers

    class _Contacts:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_contacts
            self.get = api.get_contact
            self.update = api.update_contact
            self.delete = api.delete_contact
            self.find = api.find_contact
            self.resolve = api.resolve_contact
            self.merge = api.merge_contacts
            self.update_memory = api.update_contact_memory
            self.list_calls = api.list_contact_calls
            self.list_merges = api.list_contact_merges
            self.list_deletions = api.list_contact_deletions
            self.export = api.export_contact

    class _Knowledge:
        def __init__(self, api: AsyncOperations) -> None:
            self.learn = api.learn_knowledge
            self.list = api.list_knowledge
            self.get = api.get_knowledge
            self.update = api.update_knowledge
            self.delete = api.delete_knowledge
            self.search = api.search_knowledge
            self.chat = api.chat_with_knowledge

    class _Agents:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_agent
            self.list = api.list_agents
            self.get = api.get_agent
            self.update = api.update_agent
            self.delete = api.delete_agent

    class _TestScenarios:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_test_scenario
            self.list = api.list_test_scenarios
            self.get = api.get_test_scenario
            self.update = api.update_test_scenario
            self.delete = api.delete_test_scenario
            self.run = api.run_test_scenario
            self.generate = api.generate_test_scenario
            self.generate_from_persona = api.generate_test_scenarios_from_persona
            self.generate_from_calls = api.generate_test_scenarios_from_calls
            self.create_from_run = api.create_test_scenario_from_run
            self.calibration = api.get_judge_calibration

    class _TestTemplates:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_test_templates
            self.clone = api.clone_test_template

    class _TestRuns:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_test_runs
            self.get = api.get_test_run
            self.recording = api.get_test_recording
            self.cancel = api.cancel_test_run
            self.analyze = api.analyze_test_run
            self.labels = api.get_test_labels
            self.label = api.set_test_labels
            self.judge = api.judge_test_run

    class _TestBatches:
        def __init__(self, api: AsyncOperations) -> None:
            self.run = api.run_test_batch
            self.list = api.list_test_batches
            self.get = api.get_test_batch
            self.cancel = api.cancel_test_batch

    class _TestBudget:
        def __init__(self, api: AsyncOperations) -> None:
            self.get = api.get_test_budget
            self.set = api.set_test_budget
            self.estimate = api.estimate_test_tokens

    class _TestPrices:
        def __init__(self, api: AsyncOperations) -> None:
            self.get = api.get_test_prices
            self.set = api.set_test_prices

    class _TestAnalytics:
        def __init__(self, api: AsyncOperations) -> None:
            self.get = api.get_test_analytics
            self.get_enhanced = api.get_enhanced_test_analytics

    class _PathwayCoverage:
        def __init__(self, api: AsyncOperations) -> None:
            self.get = api.get_pathway_coverage

    class _SimulationSets:
        def __init__(self, api: AsyncOperations) -> None:
            self.start = api.start_simulation_set
            self.list = api.list_simulation_sets
            self.get = api.get_simulation_set
            self.compare = api.compare_simulation_sets
            self.cancel = api.cancel_simulation_set

    class _TestSchedules:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_test_schedule
            self.list = api.list_test_schedules
            self.get = api.get_test_schedule
            self.update = api.update_test_schedule
            self.delete = api.delete_test_schedule

    class _TestMonitors:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_test_monitor
            self.list = api.list_test_monitors
            self.get = api.get_test_monitor
            self.update = api.update_test_monitor
            self.delete = api.delete_test_monitor

    class _LoadTests:
        def __init__(self, api: AsyncOperations) -> None:
            self.start = api.start_load_test
            self.list = api.list_load_tests
            self.get = api.get_load_test
            self.cancel = api.cancel_load_test

    class _Tornado:
        def __init__(self, api: AsyncOperations) -> None:
            self.start = api.start_tornado
            self.list = api.list_tornado_sessions
            self.get_active = api.get_active_tornado
            self.get_status = api.get_tornado_status
            self.cancel = api.cancel_tornado
            self.undo_fix = api.undo_tornado_fix

    class _Webhooks:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_webhook
            self.list = api.list_webhooks
            self.get = api.get_webhook
            self.update = api.update_webhook
            self.delete = api.delete_webhook
            self.rotate_secret = api.rotate_webhook_secret
            self.test = api.test_webhook
            self.replay_failed = api.replay_failed_deliveries
            self.get_secret = api.get_webhook_secret
            self.create_secret = api.create_webhook_secret

    class _Deliveries:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_deliveries
            self.get = api.get_delivery
            self.replay = api.replay_delivery

    class _Alerts:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_alerts
            self.get = api.get_alert
            self.update = api.update_alert
            self.test = api.test_alerts
            self.get_contacts = api.get_alert_contacts
            self.update_contacts = api.update_alert_contacts
            self.test_contact = api.test_alert_contact

    class _MaintenanceWindows:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_maintenance_window
            self.list = api.list_maintenance_windows
            self.get = api.get_maintenance_window
            self.update = api.update_maintenance_window
            self.delete = api.delete_maintenance_window

    class _Noc:
        def __init__(self, api: AsyncOperations) -> None:
            self.get_summary = api.get_summary
            self.list_trunk_health = api.list_trunk_health
            self.list_live_calls = api.list_live_calls
            self.get_call_series = api.get_call_series
            self.list_incidents = api.list_incidents
            self.get_incident = api.get_incident
            self.update_incident = api.update_incident
            self.get_explanations = api.get_explanations
            self.stream_events = api.stream_events

    class _Keys:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_key
            self.list = api.list_keys
            self.get = api.get_key
            self.revoke = api.revoke_key

    class _Members:
        def __init__(self, api: AsyncOperations) -> None:
            self.list = api.list_members
            self.update = api.update_member
            self.remove = api.remove_member
            self.invite = api.invite_member
            self.list_invitations = api.list_invitations
            self.withdraw_invitation = api.withdraw_invitation
            self.create_reset_link = api.create_reset_link
            self.list_audit_events = api.list_audit_events

    class _Usage:
        def __init__(self, api: AsyncOperations) -> None:
            self.get = api.get_usage
            self.breakdown = api.get_usage_breakdown

    class _Organizations:
        def __init__(self, api: AsyncOperations) -> None:
            self.create = api.create_organization
            self.list = api.list_organizations
            self.get = api.get_organization
            self.update = api.update_organization
            self.usage = api.get_usage_for_organization
            self.usage_breakdown = api.get_usage_breakdown_for_organization
            self.create_key = api.create_key_for_organization
            self.list_keys = api.list_keys_for_organization
            self.get_key = api.get_key_for_organization
            self.revoke_key = api.revoke_key_for_organization
            self.list_members = api.list_members_for_organization
            self.update_member = api.update_member_for_organization
            self.remove_member = api.remove_member_for_organization
            self.invite_member = api.invite_member_for_organization
            self.list_invitations = api.list_invitations_for_organization
            self.withdraw_invitation = api.withdraw_invitation_for_organization
            self.create_reset_link = api.create_reset_link_for_organization
            self.list_audit_events = api.list_audit_events_for_organization

    def __init__(self, base_url: Optional[str] = None, api_key: Optional[str] = None, **settings: Any) -> None:
        super().__init__(base_url, api_key, **settings)
        self.calls = self._Calls(self)
        self.batches = self._Batches(self)
        self.call_records = self._CallRecords(self)
        self.numbers = self._Numbers(self)
        self.trunks = self._Trunks(self)
        self.setup = self._Setup(self)
        self.health = self._Health(self)
        self.discovery = self._Discovery(self)
        self.test_calls = self._TestCalls(self)
        self.agent_credentials = self._AgentCredentials(self)
        self.agent_stream_secrets = self._AgentStreamSecrets(self)
        self.ports = self._Ports(self)
        self.operator_ports = self._OperatorPorts(self)
        self.personas = self._Personas(self)
        self.pathways = self._Pathways(self)
        self.contacts = self._Contacts(self)
        self.knowledge = self._Knowledge(self)
        self.agents = self._Agents(self)
        self.test_scenarios = self._TestScenarios(self)
        self.test_templates = self._TestTemplates(self)
        self.test_runs = self._TestRuns(self)
        self.test_batches = self._TestBatches(self)
        self.test_budget = self._TestBudget(self)
        self.test_prices = self._TestPrices(self)
        self.test_analytics = self._TestAnalytics(self)
        self.pathway_coverage = self._PathwayCoverage(self)
        self.simulation_sets = self._SimulationSets(self)
        self.test_schedules = self._TestSchedules(self)
        self.test_monitors = self._TestMonitors(self)
        self.load_tests = self._LoadTests(self)
        self.tornado = self._Tornado(self)
        self.webhooks = self._Webhooks(self)
        self.deliveries = self._Deliveries(self)
        self.alerts = self._Alerts(self)
        self.maintenance_windows = self._MaintenanceWindows(self)
        self.noc = self._Noc(self)
        self.keys = self._Keys(self)
        self.members = self._Members(self)
        self.usage = self._Usage(self)
        self.organizations = self._Organizations(self)

    def events(self, *, last_event_id: Optional[str] = None, **query: Any) -> AsyncIterator[LiveEvent]:
        """Live events; continues after interruptions. `query`: as for `stream_events`."""
        return async_live_events(self, query, last_event_id)



/** A table whose rows of one organization move with it. */
export interface MovedTable {
  readonly name: string;
  /** Which rows: a condition on them, where `$1` is the organization. */
  readonly of: string;
}

const own = (name: string): MovedTable => ({ name, of: 'organization_id = $1' });
const ofNumbers = (name: string): MovedTable => ({
  name,
  of: 'number in (select number from numbers where organization_id = $1)',
});

/**
 * What an organization needs in another cell to take and place calls, each table behind those that it refers to. History stays where it was made, and so do knowledge
 * bases, contacts, agent tests, ports and people.
 */
export const movedTables: readonly MovedTable[] = [
  { name: 'organizations', of: 'id = $1' },
  // A key of an operator opens the cell, not the organization.
  { name: 'api_keys', of: 'organization_id = $1 and not is_operator' },
  own('agent_credentials'),
  own('stream_secrets'),
  own('webhook_secrets'),
  own('webhook_endpoints'),
  own('alert_contacts'),
  own('trunks'),
  own('maintenance_windows'),
  own('pathways'),
  own('pathway_versions'),
  own('personas'),
  own('persona_versions'),
  own('pathway_followers'),
  own('number_proofs'),
  own('numbers'),
  ofNumbers('configurations'),
  ofNumbers('direction_settings'),
];

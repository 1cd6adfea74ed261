import { describe, expect, it } from 'vitest';
import type { NamedIncident } from '../../../../../src/control/noc/incidents/incident-storage.js';
import { incidentSchema, incidentView } from '../../../../../src/control/noc/incidents/incident-view.js';
import type { StoredReason } from '../../../../../src/control/noc/incidents/tables.js';

const reason = (kind: StoredReason['kind'], text: string): StoredReason => ({
  key: `${kind} 1`,
  kind,
  text,
  cause: null,
  advice: null,
  phone_number: null,
  end_reason: null,
  sip_status: null,
  first_seen_at: '2026-11-20T12:00:00.000Z',
  last_seen_at: '2026-11-20T12:01:00.000Z',
});
const incident = (fields: Partial<NamedIncident> = {}): NamedIncident => ({
  id: 'inc_1',
  organization_id: 'org_1',
  organization_name: 'Acme',
  title: '9 of 10 calls of the organization failed in the last hour',
  opened_at: new Date('2026-11-20T12:00:00Z'),
  first_failure_at: new Date('2026-11-20T11:58:00Z'),
  first_call_id: 'call_1',
  reasons: [reason('calls', '9 of 10 calls failed'), reason('component', 'Redis: down')],
  changes: [],
  clear_since: null,
  recovered_at: null,
  acknowledged_at: null,
  acknowledged_by: null,
  note: null,
  ...fields,
});

describe('an incident in a response', () => {
  it('has its reasons, without the keys that tell them apart', () => {
    const view = incidentView(incident(), false);
    expect(view).toMatchObject({
      incident_id: 'inc_1',
      organization: { id: 'org_1', name: 'Acme' },
      state: 'open',
      title: '9 of 10 calls of the organization failed in the last hour',
      opened_at: '2026-11-20T12:00:00.000Z',
      recovered_at: null,
      first_call: { call_id: 'call_1', started_at: '2026-11-20T11:58:00.000Z' },
      acknowledged_at: null,
    });
    expect(view.reasons.map(({ kind }) => kind)).toEqual(['calls', 'component']);
    expect(incidentSchema.strict().parse(view)).toEqual(view);
    expect(view.reasons.some((each) => 'key' in each)).toBe(false);
  });

  it('has recovered when the verdict was no longer red for a minute', () => {
    expect(incidentView(incident({ recovered_at: new Date('2026-11-20T12:05:00Z') }), false)).toMatchObject({
      state: 'recovered',
      recovered_at: '2026-11-20T12:05:00.000Z',
    });
  });

  it('has no first call where none is known', () => {
    expect(incidentView(incident({ first_call_id: null }), false).first_call).toBeNull();
    expect(incidentView(incident({ first_failure_at: null }), false).first_call).toBeNull();
  });

  it('says who handles it', () => {
    const handled = incident({
      acknowledged_at: new Date('2026-11-20T12:02:00Z'),
      acknowledged_by: 'Ada',
      note: 'Ticket 7.',
    });
    expect(incidentView(handled, false)).toMatchObject({
      acknowledged_at: '2026-11-20T12:02:00.000Z',
      acknowledged_by: 'Ada',
      note: 'Ticket 7.',
    });
  });

  it('of the service shows an organization the components alone', () => {
    const shared = incident({ organization_id: null, organization_name: null });
    expect(incidentView(shared, false)).toMatchObject({
      organization: null,
      title: 'Redis: down',
      reasons: [{ kind: 'component', text: 'Redis: down' }],
    });
    expect(incidentView(shared, true).reasons).toHaveLength(2);
    expect(incidentView(shared, true).title).toBe(shared.title);
    expect(incidentView({ ...shared, reasons: [] }, false)).toMatchObject({ title: '', reasons: [] });
  });
});

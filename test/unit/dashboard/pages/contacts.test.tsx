import { expect, it } from 'vitest';
import { written } from '../../../../src/dashboard/api/request.js';
import { requestOf } from '../../../../src/dashboard/pages/contacts/add-contact.js';
import { DeletionList } from '../../../../src/dashboard/pages/contacts/deletions-panel.js';
import { rendered } from '../rendered.js';

it('a contact is found or added by what is filled in', () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ phone_number: ' +14155550100 ', email: '', name: 'Jane' }))
    form.set(name, value);
  expect(written(requestOf(form))).toMatchObject({
    method: 'POST',
    path: '/v1/contacts/resolve',
    body: JSON.stringify({ phone_number: '+14155550100', name: 'Jane' }),
  });
});

it('deletions of contacts say who deleted how much', () => {
  const removed = { identifiers: 1, memories: 1, calls: 3, orders: 0, trace_messages: 20, active_calls: 0 };
  const deletion = { deletion_id: 'd1', deleted_by: 'key_1', deleted_at: '2026-11-20T10:00:00Z', removed };
  const [, row] = rendered(<DeletionList deletions={[deletion]} />).all('tr');
  expect(row).toContain('key_1');
  expect(row).toContain('1 memory, 3 call records, 20 SIP messages');
  expect(rendered(<DeletionList deletions={[]} />).html).toBe('');
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallBatch, OrderedCall } from '../../../../../src/dashboard/api/batches.js';
import { ApiFailure } from '../../../../../src/dashboard/api/client.js';
import { written } from '../../../../../src/dashboard/api/request.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import { BatchPanel, CallsOfBatch } from '../../../../../src/dashboard/pages/batches/batch-page.js';
import { BatchTable } from '../../../../../src/dashboard/pages/batches/batches-page.js';
import {
  batchProblem,
  batchRequest,
  NewBatchPanel,
} from '../../../../../src/dashboard/pages/batches/new-batch-panel.js';
import { canStop, isUnderWay, sharesOf } from '../../../../../src/dashboard/pages/batches/progress.js';
import { rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

const nothing = (): void => undefined;
const batch = (fields: Partial<CallBatch> = {}): CallBatch => ({
  batch_id: 'bat_1',
  name: 'Friday reminders',
  from: '+14155550100',
  status: 'running',
  total: 10,
  progress: { waiting: 4, active: 1, completed: 3, failed: 2, cancelled: 0 },
  created_at: '2026-11-20T10:00:00Z',
  scheduled_at: null,
  until: '2026-11-21T10:00:00Z',
  stopped_at: null,
  ...fields,
});

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
});

describe('the progress of a batch', () => {
  it('is drawn from the ended to the waiting calls, without empty parts', () => {
    expect(sharesOf(batch().progress).map(({ name, from, width }) => [name, from, width])).toEqual([
      ['completed', 0, 300],
      ['failed', 300, 200],
      ['active', 500, 100],
      ['waiting', 600, 400],
    ]);
    expect(sharesOf({ waiting: 0, active: 0, completed: 0, failed: 0, cancelled: 0 })).toEqual([]);
  });

  it.each([
    ['scheduled', true, true],
    ['running', true, true],
    ['stopping', true, false],
    ['stopped', false, false],
    ['completed', false, false],
  ] as const)('of one that is %s', (status, underWay, stoppable) => {
    expect([isUnderWay({ status }), canStop({ status })]).toEqual([underWay, stoppable]);
  });

  it('is said in words in the list, which leads to the batch', () => {
    const { text, elements } = rendered(<BatchTable batches={[batch(), batch({ name: '' })]} />);
    expect(text).toContain('10 calls: 3 answered, 2 failed, 1 active, 4 waiting');
    expect(elements('a').map(({ href, children }) => [href, children])).toEqual([
      ['/calls/batches/bat_1', 'Friday reminders'],
      ['/calls/batches/bat_1', 'bat_1'],
    ]);
  });
});

describe('a batch', () => {
  it('can be stopped by those who may order calls, while calls wait', () => {
    const button = (fields: Partial<CallBatch> = {}) =>
      rendered(<BatchPanel batch={batch(fields)} onChanged={nothing} />).elements('button')[0];
    expect(button()?.disabled).toBe(false);
    expect(button({ status: 'completed' })).toBeUndefined();
    signInAs({ scopes: ['calls:read'] });
    expect(button()?.disabled).toBe(true);
  });

  it('lists its calls; those that began have a page', () => {
    const call = (fields: Partial<OrderedCall>): OrderedCall =>
      ({
        call_id: 'c1',
        to: '+14155550101',
        state: 'queued',
        started_at: null,
        answered_at: null,
        duration_seconds: null,
        error_message: null,
        ...fields,
      }) as OrderedCall;
    const calls = [call({}), call({ call_id: 'c2', state: 'busy', started_at: '2026-11-20T10:00:00Z' })];
    const { elements, text } = rendered(<CallsOfBatch calls={calls} />);
    expect(elements('a').map(({ href }) => href)).toEqual(['/calls/c2']);
    expect(text.toLowerCase()).toContain('busy');
  });
});

describe('a new batch', () => {
  const fields = (values: Record<string, string>): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(values)) data.set(name, value);
    return data;
  };

  it('calls the numbers of a list in its order, and leaves what is empty to the API', () => {
    const { method, path, body } = written(
      batchRequest(
        fields({
          from: '+1 (415) 555-0100',
          name: ' Friday ',
          task: 'Remind them.',
          scheduled_at: '',
          numbers: '+1 415 555 0198\r\n\n+14155550199; +14155550197,',
        }),
      ),
    );
    expect([method, path]).toEqual(['POST', '/v1/calls/batch']);
    expect(JSON.parse(body!)).toEqual({
      from: '+14155550100',
      name: 'Friday',
      task: 'Remind them.',
      calls: ['+14155550198', '+14155550199', '+14155550197'].map((phone_number) => ({ phone_number })),
    });
  });

  it('starts at the moment of the clock that was entered', () => {
    const { body } = written(batchRequest(fields({ scheduled_at: '2026-11-27T09:00', numbers: '+1' })));
    expect(JSON.parse(body!).scheduled_at).toBe(new Date('2026-11-27T09:00').toISOString());
  });

  it('names the place of a number that the API refused', () => {
    const failure = (path: string) =>
      new ApiFailure('Refused', {
        status: 400,
        code: 'VALIDATION_ERROR',
        faults: [{ error: 'VALIDATION_ERROR', message: 'Must be an E.164 number', path }],
      });
    expect(batchProblem(failure('calls.2.phone_number'))).toBe(
      'Number 3 of the list: Must be an E.164 number',
    );
    expect(batchProblem(failure('from'))).toBe('Refused');
  });

  it('is for those who may order calls', () => {
    const button = () =>
      rendered(<NewBatchPanel />)
        .elements('button')
        .find(({ type }) => type === 'submit');
    expect(button()?.disabled).toBe(false);
    signInAs({ scopes: ['calls:read'] });
    expect(button()?.disabled).toBe(true);
  });
});

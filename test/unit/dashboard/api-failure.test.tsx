import { describe, expect, it } from 'vitest';
import { DemarcError } from '../../../clients/typescript/src/index.js';
import { ApiFailure, ask } from '../../../src/dashboard/api/client.js';
import { RequestNote } from '../../../src/dashboard/parts/notice.js';
import { rendered } from './rendered.js';

const failureOf = async (
  facts: Partial<ConstructorParameters<typeof DemarcError>[1]>,
): Promise<ApiFailure> => {
  const refused = new DemarcError('Queue full', {
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    ...facts,
  } as never);
  const failure = await ask(Promise.reject<{ data: never }>(refused)).catch((reason: unknown) => reason);
  if (!(failure instanceof ApiFailure)) throw new Error('no failure of the API');
  return failure;
};

describe('a failure of the API', () => {
  it.each([400, 404, 409, 429, 500])('names the request that was answered %i', async (status) => {
    const failure = await failureOf({ status, requestId: 'req-1' });
    expect(failure.message).toBe('Queue full (request req-1)');
    expect([failure.text, failure.requestId]).toEqual(['Queue full', 'req-1']);
  });

  it('names the request beside the faults of fields, as it does without', async () => {
    const faults = [{ message: 'phone_number is required.' }, { message: 'agent is too long.' }];
    const failure = await failureOf({ status: 400, requestId: 'req-1', faults } as never);
    expect(failure.refusal).toBe('phone_number is required. agent is too long. (request req-1)');
    expect((await failureOf({ requestId: 'req-1' })).refusal).toBe('Queue full (request req-1)');
    expect(rendered(<RequestNote failure={failure} />).text).toBe('Request req-1');
    expect(rendered(<RequestNote failure={{ faults: [], requestId: 'req-1' }} />).text).toBe('');
    expect(rendered(<RequestNote failure={{ faults: [], requestId: 'req-1' }} isNamed={false} />).text).toBe(
      'Request req-1',
    );
  });

  it('names no request that has no answer', async () => {
    const failure = await failureOf({ status: 0, code: 'NO_ANSWER', requestId: undefined });
    expect(failure.message).toBe('Demarc does not respond. Check your network connection.');
  });
});

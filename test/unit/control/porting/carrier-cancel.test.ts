import { describe, expect, it } from 'vitest';
import { cancelAtCarrier } from '../../../../src/control/porting/carrier-cancel.js';
import {
  CarrierRefusal,
  CarrierUnavailable,
  type Submission,
} from '../../../../src/control/porting/carriers/carrier.js';

const begun = new Date('2026-11-20T12:00:00Z');
const submission = { requestId: 'port_1' } as Submission;

/** Cancels at a carrier that finds that reference; `asked` is what it was asked. */
async function cancel(
  request: Parameters<typeof cancelAtCarrier>[1],
  { found, failure }: { found?: string; failure?: Error } = {},
) {
  const asked: string[] = [];
  const carrier = {
    find: async ({ requestId }: Submission) => {
      asked.push(`find ${requestId}`);
      return found;
    },
    cancel: async (reference: string) => {
      asked.push(`cancel ${reference}`);
      if (failure !== undefined) throw failure;
    },
  };
  const outcome = await cancelAtCarrier(carrier, request, {
    submission: async () => submission,
    signal: () => new AbortController().signal,
  });
  return { ...outcome, asked };
}
const known = { carrier_reference: 'KW1', submission_begun_at: begun };
const lost = { carrier_reference: null, submission_begun_at: begun };

describe('a cancel at the carrier', () => {
  it('names the reference that is known', async () =>
    expect(await cancel(known, { found: 'KW2' })).toEqual({
      reference: 'KW1',
      problem: null,
      asked: ['cancel KW1'],
    }));

  it('looks for the request whose answer was lost', async () => {
    expect(await cancel(lost, { found: 'KW2' })).toEqual({
      reference: 'KW2',
      problem: null,
      asked: ['find port_1', 'cancel KW2'],
    });
    expect(await cancel(lost)).toEqual({ reference: null, problem: null, asked: ['find port_1'] });
  });

  it('asks for nothing when the request never left', async () =>
    expect(await cancel({ carrier_reference: null, submission_begun_at: null })).toEqual({
      reference: null,
      problem: null,
      asked: [],
    }));

  it('says why the carrier did not cancel it', async () =>
    expect(await cancel(known, { failure: new CarrierRefusal('Already ported.') })).toMatchObject({
      reference: 'KW1',
      problem: 'The carrier did not cancel it: Already ported.',
    }));

  it('is tried again when the carrier does not answer', async () => {
    const failure = new CarrierUnavailable('Twilio did not answer.');
    await expect(cancel(known, { failure })).rejects.toBe(failure);
  });
});

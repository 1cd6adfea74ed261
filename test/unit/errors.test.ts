import { describe, expect, it } from 'vitest';
import { DemarcError } from '../../src/errors.js';

describe('the detail of an error', () => {
  it('is for the caller if its code shows it', () => {
    const error = new DemarcError('RUN_QUEUE_FULL', '3 have not ended');
    expect(error.definition.showsDetail).toBe(true);
    expect(error.message).toBe('Queue full: too many test runs are waiting: 3 have not ended');
  });

  it('is called an operator’s detail otherwise, or does not compile', () => {
    const cause = new Error('EACCES');
    const error = new DemarcError('DOCUMENTS_UNAVAILABLE', { operatorDetail: '/srv', cause });
    expect('showsDetail' in error.definition).toBe(false);
    expect(error).toMatchObject({ detail: '/srv', cause });
    // @ts-expect-error: the caller would not get it, so it must have the other name
    expect(new DemarcError('DOCUMENTS_UNAVAILABLE', '/srv').code).toBe('DOCUMENTS_UNAVAILABLE');
    // @ts-expect-error: the same by name
    expect(new DemarcError('DOCUMENTS_UNAVAILABLE', { detail: '/srv' }).detail).toBe('/srv');
  });
});

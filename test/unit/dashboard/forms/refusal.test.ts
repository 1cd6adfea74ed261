import { describe, expect, it } from 'vitest';
import { ApiFailure } from '../../../../src/dashboard/api/client.js';
import { edited } from '../../../../src/dashboard/forms/edits.js';
import { type Refusal, refusalAt, refusalElsewhere } from '../../../../src/dashboard/forms/refusal.js';

const draft = {
  name: 'PBX',
  options: { port: 99_999, host: 'pbx' },
  servers: [{ host: 'a' }, { host: 'b' }],
};

const refused = (...faults: [message: string, path?: string][]): Refusal => ({
  failure: new ApiFailure('The request is invalid.', {
    status: 400,
    code: 'BAD_REQUEST',
    faults: faults.map(([message, path]) => ({ error: 'BAD_REQUEST', message, path })),
  }),
  draft,
  fieldOf: (path) => (path.startsWith('updates.') ? path.slice('updates.'.length) : undefined),
});

describe('what the API refused', () => {
  it('stands at the field of the form, under its own name', () => {
    const refusal = refused(['Port 99999 is above 65535.', 'updates.options.port']);
    expect(refusalAt(refusal, draft, 'options.port')).toBe('Port 99999 is above 65535.');
    expect(refusalAt(refusal, draft, 'options.host')).toBeUndefined();
    expect(refusalAt(refusal, draft, 'updates.options.port')).toBeUndefined();
  });

  it('stands at the field that contains what was refused', () => {
    const refusal = refused(
      ['No host.', 'updates.servers.0.host'],
      ['Too many servers.', 'updates.servers'],
      ['No such port.', 'updates.serversPort'],
    );
    expect(refusalAt(refusal, draft, 'servers')).toBe('No host.; Too many servers.');
    expect(refusalAt(refusal, draft, 'servers.0')).toBe('No host.');
    expect(refusalAt(refusal, draft, 'servers.1')).toBeUndefined();
  });

  it('is over as soon as the field is changed, and only there', () => {
    const refusal = refused(['Bad port.', 'updates.options.port'], ['Bad name.', 'updates.name']);
    const corrected = { ...draft, options: { ...draft.options, port: 5_061 } };
    expect(refusalAt(refusal, corrected, 'options.port')).toBeUndefined();
    expect(refusalAt(refusal, corrected, 'name')).toBe('Bad name.');
  });

  it('is listed apart where the form has not shown its field', () => {
    const refusal = refused(
      ['Bad port.', 'updates.options.port'],
      ['Bad host.', 'updates.options.host'],
      ['No such number.', 'phone_number'],
      ['Something else.'],
    );
    expect(refusalElsewhere(refusal, new Set(['options.port']))).toEqual([
      'options.host: Bad host.',
      'No such number.',
      'Something else.',
    ]);
    expect(refusalElsewhere(refusal, new Set(['options']))).toEqual(['No such number.', 'Something else.']);
    expect(refusalElsewhere(refusal, new Set(['options.po']))).toHaveLength(4);
  });

  it('is the failure itself where the API names no fault', () => {
    expect(refusalElsewhere(refused(), new Set(['name']))).toEqual(['The request is invalid.']);
  });
});

describe('an edit', () => {
  it('replaces the edits within it, and no others', () => {
    const edits = { 'options.port': 1, 'options.host': 'x', optionsOther: 2, name: 'n' };
    expect(edited(edits, 'options', { port: 2 })).toEqual({
      options: { port: 2 },
      optionsOther: 2,
      name: 'n',
    });
  });

  it('within another stands beside it', () => {
    expect(edited({ options: { port: 1 } }, 'options.port', 2)).toEqual({
      options: { port: 1 },
      'options.port': 2,
    });
  });

  it('can be undefined: the field is emptied', () => {
    expect('name' in edited({ name: 'n' }, 'name', undefined)).toBe(true);
  });
});

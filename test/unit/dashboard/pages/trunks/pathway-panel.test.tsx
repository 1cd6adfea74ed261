import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { written } from '../../../../../src/dashboard/api/request.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import { PathwayFields, pathwayOf, voiceOf } from '../../../../../src/dashboard/forms/pathway-fields.js';
import { changeOf } from '../../../../../src/dashboard/pages/trunks/pathway-panel.js';
import { rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
});

const none = { id: null, version: null };
const fields = (values: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};

describe('the pathway of a number', () => {
  it('is attached, replaced by another version, and detached', () => {
    const sent = [
      changeOf('+1415', none, { id: 'p', version: null }),
      changeOf('+1415', { id: 'p', version: null }, { id: 'p', version: 2 }),
      changeOf('+1415', { id: 'p', version: 2 }, none),
    ].map((request) => {
      const { method, path, body } = written(request!);
      return [`${method} ${path}`, JSON.parse(body!)];
    });
    expect(sent).toEqual([
      ['POST /v1/pathways/p/inbound/attach', { inbound_numbers: ['+1415'] }],
      ['POST /v1/pathways/p/inbound/attach', { inbound_numbers: ['+1415'], version_number: 2 }],
      ['POST /v1/pathways/p/inbound/detach', { inbound_numbers: ['+1415'] }],
    ]);
    expect(changeOf('+1415', none, none)).toBeUndefined();
  });

  it('is read from the fields: a version without a pathway is none', () => {
    expect(pathwayOf(fields({ pathway: 'p', pathway_version: '2' }))).toEqual({ id: 'p', version: 2 });
    expect(pathwayOf(fields({ pathway: 'p', pathway_version: '' }))).toEqual({ id: 'p', version: null });
    expect(pathwayOf(fields({ pathway: '', pathway_version: '2' }))).toEqual(none);
    expect([voiceOf(fields({ voice: ' alto ' })), voiceOf(fields({}))]).toEqual(['alto', null]);
  });

  it('stays chosen while the list of pathways is loaded', () => {
    const shown = rendered(<PathwayFields chosen={{ id: 'p', version: 2 }} none="None" />);
    expect(shown.all('option')).toEqual(['None', 'p']);
    expect(shown.html).toMatch(/<option selected value="p">|<option value="p" selected/);
  });
});

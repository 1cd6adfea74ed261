import { expect, it } from 'vitest';
import type { PersonaVersion } from '../../../../../src/dashboard/api/personas.js';
import { VersionList } from '../../../../../src/dashboard/pages/personas/versions-panel.js';
import { rendered } from '../../rendered.js';

const version = (fields: Partial<PersonaVersion>): PersonaVersion =>
  ({
    id: `v${fields.version_number}`,
    version_type: 'archived',
    orchestration_prompt: 'Sell flowers.',
    personality_prompt: null,
    kb_ids: ['kb1', 'kb2'],
    agent: null,
    pathway_id: null,
    pathway_version: null,
    voice: null,
    promoted_at: '2026-11-20T10:00:00Z',
    ...fields,
  }) as PersonaVersion;

it('earlier versions of a persona show what calls got, without the draft and the live one', () => {
  const versions = [
    version({ version_number: 3, version_type: 'draft' }),
    version({ version_number: 2, version_type: 'production' }),
    version({ version_number: 1 }),
  ];
  const shown = rendered(<VersionList versions={versions} names={new Map([['kb1', 'Opening hours']])} />);
  expect(shown.all('summary')).toEqual([expect.stringMatching(/^Version 1 ?, live from /)]);
  expect(shown.text).toContain('Opening hours, kb2');
  expect(shown.text).toContain('Sell flowers.');
  expect(rendered(<VersionList versions={versions.slice(0, 2)} names={new Map()} />).text).toContain(
    'None yet',
  );
});

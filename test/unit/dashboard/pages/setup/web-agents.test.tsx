import { afterEach, beforeEach, expect, it } from 'vitest';
import { session } from '../../../../../src/dashboard/api/session.js';
import { AgentList, toolsIn } from '../../../../../src/dashboard/pages/setup/web-agents-page.js';
import { rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
});

const nothing = (): void => undefined;

it('web agents are listed with their ids, to change and delete', () => {
  const agent = {
    agent_id: 'a1',
    tools: ['t1', 't2'],
    kb_ids: [],
    metadata: null,
    created_at: '2026-11-20T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
  };
  const shown = rendered(<AgentList agents={[agent]} onChanged={nothing} />);
  expect(shown.text).toContain('2 ids');
  expect(shown.elements('textarea')[0]!.defaultValue).toBe('t1\nt2');
  expect(shown.all('button')).toContain('Delete a1');
  expect(rendered(<AgentList agents={[]} onChanged={nothing} />).text).toContain('No web agents');
});

it('the ids of a web agent are separated by lines, blanks or commas', () => {
  const form = new FormData();
  form.set('tools', ' a\nb, c  d\n');
  expect(toolsIn(form)).toEqual(['a', 'b', 'c', 'd']);
});

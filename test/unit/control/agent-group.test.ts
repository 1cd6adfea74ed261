import { describe, expect, it } from 'vitest';
import { directionSchema } from '../../../src/control/trunks/direction-schema.js';

const agents = { strategy: 'ring_all', endpoints: ['sip:one.example.com', 'sip:two.example.com'] };
const problemsOf = (direction: unknown): string[] =>
  directionSchema
    .safeParse(direction)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('agents that ring together', () => {
  it('are taken for calls to the number', () => {
    expect(problemsOf({ type: 'inbound', options: { agents } })).toEqual([]);
  });

  it('are refused for calls from it', () => {
    expect(
      problemsOf({ type: 'outbound', sip_endpoint: 'sip:pbx.example.com', options: { agents } }),
    ).toEqual([expect.stringContaining('options.agents: Agents answer calls to the number')]);
  });

  it('are at least two that calls can be sent to', () => {
    const problems = (endpoints: string[]): string[] =>
      problemsOf({ type: 'inbound', options: { agents: { ...agents, endpoints } } });
    expect(problems(['sip:one.example.com'])).toHaveLength(1);
    expect(problems(['sip:one.example.com', 'no agent at all'])).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { askEdges } from '../../../../src/control/fleet/ask-edges.js';
import { type KnownEdge, withoutPredecessors } from '../../../../src/control/fleet/fleet-reader.js';

const edge = (edge_id: string, owner: string, isAlive: boolean): KnownEdge =>
  ({ owner, isAlive, ageMilliseconds: 0, heartbeat: { edge_id } }) as unknown as KnownEdge;
const owners = (edges: KnownEdge[]): string[] => withoutPredecessors(edges).map(({ owner }) => owner);

describe('the edges of a fleet', () => {
  it('are those that are alive, and the last process of each that is not', () => {
    expect(
      owners([edge('a', 'a2', true), edge('b', 'b2', false), edge('a', 'a1', false), edge('b', 'b1', false)]),
    ).toEqual(['a2', 'b2']);
  });

  it('are all processes that are alive, also two of one name', () =>
    expect(owners([edge('a', 'a2', true), edge('a', 'a1', true)])).toEqual(['a2', 'a1']));

  it('may be none', () => expect(owners([])).toEqual([]));
});

describe('a question to all edges', () => {
  const call = { call_id: 'call_1', organization: 'org_1' };
  /** Edges that get the question, those whose replies come, and those that Redis knows. */
  const ask = (fields: {
    asked: number;
    replies: string[];
    alive?: string[];
    lists?: string[];
  }): Promise<string | undefined> => {
    const waiting = [...fields.replies];
    const redis = {
      publish: async () => fields.asked,
      lpop: async () => (waiting.length === 0 ? null : waiting.splice(0)),
    };
    const fleet = {
      edges: async () => (fields.alive ?? []).map((owner) => edge(owner, owner, true)),
      listsCall: async (asked: readonly string[]) =>
        asked.some((owner) => (fields.lists ?? []).includes(owner)),
    };
    return askEdges<string>({ redis: redis as never, fleet } as never, {
      channel: 'c',
      message: 'm',
      replyKey: 'k',
      read: (json) => {
        const [owner, result] = json.split('=');
        return { owner, result };
      },
      call,
      waitMilliseconds: 60,
    });
  };
  const unavailable = expect.objectContaining({ code: 'LIVE_CALL_UNAVAILABLE' });

  it('is answered by the one that has the call', async () =>
    expect(await ask({ asked: 2, replies: ['a', 'b=found'], alive: ['a', 'b'] })).toBe('found'));

  it('has no answer when all say that they do not have it', async () =>
    expect(await ask({ asked: 2, replies: ['a', 'b'], alive: ['a', 'b'] })).toBeUndefined());

  it('fails when an edge that may have it does not reply', async () =>
    expect(ask({ asked: 2, replies: ['a'], alive: ['a', 'b'] })).rejects.toEqual(unavailable));

  it('fails when an edge that lost its connection lists it', async () => {
    const fields = { asked: 1, replies: ['a'], alive: ['a', 'b'] };
    await expect(ask({ ...fields, lists: ['b'] })).rejects.toEqual(unavailable);
    expect(await ask(fields)).toBeUndefined();
  });

  it('fails when the edge that had it is gone, and another one lists it now', async () => {
    const fields = { asked: 2, replies: ['a'], alive: ['a'] };
    await expect(ask({ ...fields, lists: ['a'] })).rejects.toEqual(unavailable);
    expect(await ask(fields)).toBeUndefined();
  });

  it('has no answer where there is no edge', async () =>
    expect(await ask({ asked: 0, replies: [] })).toBeUndefined());
});

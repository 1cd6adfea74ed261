import { describe, expect, it, vi } from 'vitest';
import { AgentRedirects } from '../../../../src/edge/call/agent-redirect.js';
import { maximumRedirects } from '../../../../src/edge/routing/redirect-contacts.js';

const first = 'sip:first@192.0.2.1';

/** The redirections of a call; the policy forbids agents whose URI contains `forbidden`. */
function redirecting({ isForeign = false, isOperators = true } = {}) {
  const agent = vi.fn(async (uri: string, _byOperator: boolean) =>
    uri.includes('forbidden')
      ? { ok: false, problem: `${uri} is forbidden` }
      : { ok: true, proxy: undefined, isOperators },
  );
  const distrust = vi.fn();
  const redirects = new AgentRedirects({
    media: { isForeign: () => isForeign, distrust },
    deps: { guardTarget: { agent } },
  } as never);
  return { redirects, agent, distrust };
}

const failure = (status: number, contact?: string, source = '192.0.2.1') => ({
  status,
  res: {
    source_address: source,
    source_port: 5_060,
    get: (name: string) => (name === 'Contact' ? contact : undefined),
  },
});

const uriOf = async (found: Promise<{ agentUri: string } | undefined>) => (await found)?.agentUri;

describe('an agent that redirects', () => {
  it('leads to its contacts, the preferred one first, and to the next when that one fails', async () => {
    const { redirects } = redirecting();
    const contact = '<sip:a@192.0.2.2>;q=0.5, <sip:b@192.0.2.3>';
    expect(await uriOf(redirects.next(failure(302, contact), first))).toBe('sip:b@192.0.2.3');
    expect(await uriOf(redirects.next(failure(503), 'sip:b@192.0.2.3'))).toBe('sip:a@192.0.2.2');
    expect(await uriOf(redirects.next(failure(503), 'sip:a@192.0.2.2'))).toBeUndefined();
  });

  it('leads on where no answer came at all', async () => {
    const { redirects } = redirecting();
    await redirects.next(failure(302, '<sip:a@192.0.2.2>, <sip:b@192.0.2.3>, <sip:c@192.0.2.4>'), first);
    expect(await uriOf(redirects.next(failure(486, undefined, ''), 'sip:a@192.0.2.2'))).toBe(
      'sip:b@192.0.2.3',
    );
    expect(await uriOf(redirects.next(new Error('not sent'), 'sip:b@192.0.2.3'))).toBe('sip:c@192.0.2.4');
  });

  it.each([486, 404, 603, 600])('leads no further once an agent has answered %d', async (status) => {
    const { redirects } = redirecting();
    await redirects.next(failure(302, '<sip:a@192.0.2.2>, <sip:b@192.0.2.3>'), first);
    expect(await redirects.next(failure(status), 'sip:a@192.0.2.2')).toBeUndefined();
  });

  it('leads to what a later redirection names before what is left of an earlier one', async () => {
    const { redirects } = redirecting();
    await redirects.next(failure(302, '<sip:a@192.0.2.2>, <sip:b@192.0.2.3>'), first);
    expect(await uriOf(redirects.next(failure(302, '<sip:c@192.0.2.4>'), 'sip:a@192.0.2.2'))).toBe(
      'sip:c@192.0.2.4',
    );
    expect(await uriOf(redirects.next(failure(500), 'sip:c@192.0.2.4'))).toBe('sip:b@192.0.2.3');
  });

  it('has its headers in the URI dropped', async () => {
    const { redirects } = redirecting();
    const contact = '<sip:a@192.0.2.2?X-Header=1>';
    expect(await uriOf(redirects.next(failure(302, contact), first))).toBe('sip:a@192.0.2.2');
  });

  it.each([
    [undefined, 'it names no address'],
    [`<${first}>`, `${first} was called before`],
    ['<tel:+14155550100>', 'tel:+14155550100 is not the URI of an agent'],
    ['<sip:forbidden@192.0.2.2>', 'sip:forbidden@192.0.2.2 is forbidden'],
  ])('is not followed to %s, and the reason is known', async (contact, problem) => {
    const { redirects } = redirecting();
    expect(await redirects.next(failure(302, contact), first)).toBeUndefined();
    expect(redirects.problem).toBe(problem);
  });

  it('is followed past a forbidden contact', async () => {
    const { redirects } = redirecting();
    const contact = '<sip:forbidden@192.0.2.2>, <sip:b@192.0.2.3>';
    expect(await uriOf(redirects.next(failure(302, contact), first))).toBe('sip:b@192.0.2.3');
  });

  it('is followed only so often', async () => {
    const { redirects } = redirecting();
    for (let count = 1; count <= maximumRedirects; count++)
      expect(
        await redirects.next(failure(302, `<sip:a${count}@192.0.2.2>`), `sip:from${count}@x`),
      ).toBeDefined();
    expect(await redirects.next(failure(302, '<sip:last@192.0.2.2>'), 'sip:from@x')).toBeUndefined();
    expect(redirects.problem).toBe(`more than ${maximumRedirects} redirections`);
  });
});

describe('the policy for the agents that a redirection names', () => {
  it('is the operator’s for the operator’s own agent alone', async () => {
    const own = redirecting();
    await own.redirects.next(failure(302, '<sip:a@192.0.2.2>'), first);
    expect(own.agent).toHaveBeenCalledWith('sip:a@192.0.2.2', true);
    expect(own.distrust).not.toHaveBeenCalled();
    const customers = redirecting({ isForeign: true });
    await customers.redirects.next(failure(302, '<sip:a@192.0.2.2>'), first);
    expect(customers.agent).toHaveBeenCalledWith('sip:a@192.0.2.2', false);
  });

  it('is the customer’s for the rest of the call once a bot by WebSocket was called', async () => {
    const { redirects, agent } = redirecting();
    await redirects.next(failure(302, '<sip:a@192.0.2.2>'), 'wss://bot.example.com');
    await redirects.next(failure(302, '<sip:b@192.0.2.3>'), 'sip:a@192.0.2.2');
    expect(agent.mock.calls.map(([, byOperator]) => byOperator)).toEqual([false, false]);
  });

  it('distrusts the media of an agent that is not the operator’s', async () => {
    const { redirects, distrust } = redirecting({ isOperators: false });
    await redirects.next(failure(302, '<sip:a@192.0.2.2>'), first);
    expect(distrust).toHaveBeenCalledExactlyOnceWith('agent');
  });
});

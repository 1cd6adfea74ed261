import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RegistrationState } from '../../../../src/contract/registration.js';
import { Registration } from '../../../../src/edge/registration/registration.js';
import type { KnownRegistration } from '../../../../src/edge/registration/registration-directory.js';
import { edgeNames } from '../../../../src/edge/routing/names.js';
import type { StandaloneRequest } from '../../../../src/edge/sip/engine-link.js';
import type { ReceivedResponse } from '../../../../src/edge/sip/messages.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';
import { ScriptedDns } from '../../../support/scripted-dns.js';

const token = '0123456789abcdef0123456789abcdef';
/** No answer at all; a request without one is given up after 1 s. */
type Answer = 'none' | readonly [status: number, headers?: Readonly<Record<string, string>>];

const configured: KnownRegistration = {
  id: 'r1',
  organization: 'acme',
  registrar: { host: 'pbx.example.com', transport: 'tls' },
  username: '700',
  credential: { password: 'right', token },
  newest: { number: '13125550100', inboundId: 'in' },
  isSingle: true,
};

/** A registration whose registrar answers as the test says, and reports where each Contact was sent from. */
function registrationAt(first: Answer, previous?: Partial<RegistrationState>, fields = {}) {
  const script = { answer: first };
  const sent: StandaloneRequest[] = [];
  const states: (RegistrationState & { isNews: boolean })[] = [];
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const registration = new Registration(
    {
      settings: { expiresSeconds: 300, timeoutMilliseconds: 1_000, maximumTargets: 4 } as never,
      edgeId: 'edge-1',
      exchange: {
        engine: {
          request: (_, request, done, atSent) => {
            sent.push(request);
            atSent?.({
              get: () => String(request.headers.Contact).replace('localhost', '198.51.100.7'),
            } as never);
            const { answer } = script;
            if (answer === 'none') return;
            const [status, headers = {}] = answer;
            const response = { status, reason: 'Reason', source_address: '9.9.9.9', source_port: 5_061 };
            done(undefined, {
              ...response,
              get: (name: string) => headers[name],
            } as unknown as ReceivedResponse);
          },
        },
        names: edgeNames({ dns: new ScriptedDns({ a: { '*': ['9.9.9.9'] } }) }).targets,
        egress: new EgressPolicy({ allowPrivate: false }),
      },
      publish: (state, isNews) => states.push({ ...state, isNews }),
      log: log as never,
    },
    { ...configured, ...fields },
    previous as RegistrationState | undefined,
  );
  const expiries = () => sent.map(({ headers }) => Number(headers.Expires));
  const last = () => states.at(-1)!;
  return { registration, script, sent, states, last, expiries, log };
}

/** Time passes; what is due then is done. */
const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-26T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

describe('a registration that the registrar accepts', () => {
  const accepted: Answer = [200, { Expires: '300' }];

  it('becomes registered, says until when and where from, and refreshes in time', async () => {
    const { registration, sent, last, states } = registrationAt(accepted);
    registration.start(50);
    expect(last()).toMatchObject({ state: 'registering', isNews: false });
    await pass(49);
    expect(sent).toHaveLength(0);
    await pass(2);
    expect(registration.isRegistered).toBe(true);
    expect(last()).toMatchObject({
      state: 'registered',
      isNews: true,
      sip_code: 200,
      last_error: null,
      address: '9.9.9.9',
    });
    expect(Date.parse(last().expires_at!) - Date.now()).toBeGreaterThan(290_000);
    const since = last().since;
    await pass(300_000);
    expect(sent.length).toBeGreaterThanOrEqual(2);
    // A refresh is no news, and the registration is up since its first success.
    expect(states.filter(({ isNews }) => isNews)).toHaveLength(1);
    expect(last()).toMatchObject({ state: 'registered', since });
  });

  it('registers again soon after its connection was lost, and not for that of an attempt', async () => {
    const { registration, sent, last } = registrationAt(accepted);
    registration.connectionLost('closed');
    expect(sent).toHaveLength(0);
    registration.start(0);
    await pass(10);
    registration.connectionLost('closed by peer');
    expect(last()).toMatchObject({
      state: 'registering',
      expires_at: null,
      last_error: 'The connection to the registrar was lost: closed by peer',
    });
    await pass(600);
    expect(sent).toHaveLength(2);
    expect(last()).toMatchObject({ state: 'registered', last_error: null });
  });

  it('registers at once on request, at most once a second', async () => {
    const { registration, sent } = registrationAt(accepted);
    registration.start(0);
    await pass(10);
    registration.registerNow();
    await pass(900);
    expect(sent).toHaveLength(1);
    await pass(200);
    expect(sent).toHaveLength(2);
    await pass(2_000);
    registration.registerNow();
    await pass(1);
    expect(sent).toHaveLength(3);
  });

  it('registers with a new password at once, and leaves an unchanged one alone', async () => {
    const { registration, sent } = registrationAt(accepted);
    registration.start(0);
    await pass(10);
    registration.update({ ...configured, newest: { number: '13125550101', inboundId: 'in' } });
    await pass(10);
    expect(sent).toHaveLength(1);
    registration.update({ ...configured, credential: { password: 'other', token } });
    await pass(10);
    registration.update({ ...configured, credential: { password: 'other', realm: 'pbx', token } });
    await pass(10);
    registration.update({
      ...configured,
      credential: { password: 'other', realm: 'pbx', token },
      registrar: { ...configured.registrar, tls_ca: 'PEM' },
    });
    await pass(10);
    expect(sent).toHaveLength(4);
  });

  it('sends nothing after its stop, and removes its binding when it is unregistered', async () => {
    const { registration, sent, expiries } = registrationAt(accepted);
    registration.start(0);
    await pass(10);
    await registration.stop();
    registration.registerNow();
    registration.connectionLost('closed');
    await pass(600_000);
    expect(sent).toHaveLength(1);
    // The binding has expired: there is nothing to remove.
    await registration.unregister();
    expect(expiries()).toEqual([300]);
    const { registration: bound, expiries: boundExpiries, log, script } = registrationAt(accepted);
    bound.start(0);
    await pass(10);
    await bound.stop();
    await bound.unregister();
    expect(boundExpiries()).toEqual([300, 0]);
    expect(log.warn).not.toHaveBeenCalled();
    script.answer = [500];
    await bound.unregister();
    expect(log.warn).toHaveBeenCalledOnce();
  });
});

describe('a registration that fails', () => {
  it('is failed and without a binding where the registrar refuses it, and waits for minutes', async () => {
    const { registration, script, sent, last } = registrationAt([200, { Expires: '300' }]);
    registration.start(0);
    await pass(10);
    script.answer = [403];
    await pass(280_000);
    expect(last()).toMatchObject({ state: 'failed', isNews: true, expires_at: null, sip_code: 403 });
    const { attempted_at: attemptedAt, next_attempt_at: nextAttemptAt } = last();
    expect(Date.parse(nextAttemptAt!) - Date.parse(attemptedAt!)).toBeGreaterThanOrEqual(60_000);
    const before = sent.length;
    await registration.unregister();
    expect(sent).toHaveLength(before);
  });

  it('stays registered while the registrar is silent and still has the binding', async () => {
    const { registration, script, last, states } = registrationAt([200, { Expires: '300' }]);
    registration.start(0);
    await pass(10);
    const { expires_at: expiresAt, since } = last();
    script.answer = 'none';
    registration.registerNow();
    await pass(2_100);
    expect(last()).toMatchObject({ state: 'registered', expires_at: expiresAt, sip_code: null, since });
    expect(last().last_error).toContain('No answer');
    await pass(310_000);
    const failed = states.findLast(({ state }) => state === 'failed');
    expect(failed).toMatchObject({ state: 'failed', expires_at: null });
    expect(failed!.since).not.toBe(since);
  });

  it('reports an outage once, its end, and another reason', async () => {
    const { registration, script, states } = registrationAt('none');
    const news = () => states.filter(({ isNews }) => isNews).map(({ state }) => state);
    registration.start(0);
    await pass(60_000);
    expect(states.filter(({ state }) => state === 'failed').length).toBeGreaterThan(3);
    expect(news()).toEqual(['failed']);
    script.answer = [503];
    await pass(10_000);
    expect(news()).toEqual(['failed', 'failed']);
    script.answer = [200, { Expires: '300' }];
    await pass(400_000);
    expect(news()).toEqual(['failed', 'failed', 'registered']);
  });

  it('retries a silent registrar within seconds, and one that answers 503 less and less often', async () => {
    const attemptsIn = async (answer: Answer): Promise<number> => {
      const { registration, sent } = registrationAt(answer);
      registration.start(0);
      await pass(600_000);
      const attempts = sent.length;
      void registration.stop();
      return attempts;
    };
    expect(await attemptsIn('none')).toBeGreaterThan(80);
    expect(await attemptsIn([503])).toBeLessThan(20);
  });

  it('sends nothing without a key for its password', async () => {
    const { registration, sent, last } = registrationAt([200], undefined, { credential: undefined });
    expect(registration.callId).toBeUndefined();
    registration.start(0);
    await pass(10);
    expect(sent).toHaveLength(0);
    expect(last()).toMatchObject({
      state: 'failed',
      last_error: expect.stringContaining('DEMARC_SECRET_KEY'),
    });
    await registration.unregister();
    expect(sent).toHaveLength(0);
  });
});

describe('the binding of the edge that held the registration before', () => {
  const contact = 'sip:old@192.0.2.9';
  const inAnHour = '2026-11-26T13:00:00Z';
  const contacts = (sent: readonly StandaloneRequest[]) => sent.map(({ headers }) => String(headers.Contact));

  it('is removed once ours is accepted', async () => {
    const previous = { contact, expires_at: inAnHour };
    const { registration, sent, expiries } = registrationAt([200, { Expires: '300' }], previous);
    registration.start(0);
    await pass(10);
    expect(expiries()).toEqual([300, 0]);
    expect(contacts(sent)[1]).toContain(contact);
  });

  it('is left alone where it has expired', async () => {
    const previous = { contact, expires_at: '2026-11-26T11:00:00Z' };
    const { registration, expiries } = registrationAt([200, { Expires: '300' }], previous);
    registration.start(0);
    await pass(10);
    expect(expiries()).toEqual([300]);
  });

  it('makes room, by its removal, at a registrar that allows one binding', async () => {
    const { registration, script, sent, expiries, last } = registrationAt([403], {
      contact,
      expires_at: inAnHour,
    });
    const push = sent.push.bind(sent);
    sent.push = (request) => {
      if (sent.length === 1) script.answer = [200, { Expires: '300' }];
      return push(request);
    };
    registration.start(0);
    await pass(10);
    expect(expiries()).toEqual([300, 0, 300]);
    expect(last()).toMatchObject({ state: 'registered' });
  });
});

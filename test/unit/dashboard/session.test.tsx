import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, demarc } from '../../../src/dashboard/api/client.js';
import { changePassword, farewell, session, signOut } from '../../../src/dashboard/api/session.js';
import { signInAs } from './visitor.js';

interface Asked {
  readonly name: string;
  answer(status: number, body: object): void;
}

let asked: Asked[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (url: string | URL, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(url, 'https://demarc.example');
    return new Promise<Response>((resolve) => {
      asked.push({
        name: `${method} ${pathname}`,
        answer: (status, body) => resolve(Response.json(body, { status })),
      });
    });
  });
  signInAs();
});
afterEach(() => {
  session.value = undefined;
  farewell.value = undefined;
  vi.unstubAllGlobals();
});

const names = (): string[] => asked.map(({ name }) => name);
const refusal = { data: null, errors: [{ error: 'UNAUTHORIZED', message: 'Sign in.' }] };
const refuse = (name: string): void => asked.find((each) => each.name === name)!.answer(401, refusal);
const welcome = (name: string, member: string): void =>
  asked
    .find((each) => each.name === name)!
    .answer(200, { data: { ...session.value, member: { name: member } }, errors: null });

describe('an answer 401', () => {
  it('ends the session once it is confirmed, and says why', async () => {
    const polls = [ask(demarc.getSummary()), ask(demarc.listAlerts())].map((poll) => poll.catch(() => {}));
    refuse('GET /v1/noc/summary');
    refuse('GET /v1/sip/alerts');
    await Promise.all(polls);
    await expect.poll(() => names().slice(2)).toEqual(['GET /v1/session']);
    expect(session.value).not.toBeNull();
    refuse('GET /v1/session');
    await expect.poll(() => session.value).toBeNull();
    expect(farewell.value).toBe('Your session has ended. Sign in again to continue.');
  });

  it('ends nothing where another tab of the browser has replaced the session', async () => {
    const poll = ask(demarc.getSummary()).catch(({ status }) => status);
    refuse('GET /v1/noc/summary');
    expect(await poll).toBe(401);
    await expect.poll(names).toContain('GET /v1/session');
    welcome('GET /v1/session', 'Ada');
    await expect.poll(() => session.value?.member?.name).toBe('Ada');
    expect(farewell.value).toBeUndefined();
  });

  it('ends nothing while the password is being changed, of which the session gets a new cookie', async () => {
    const changing = changePassword('old', 'new');
    const poll = ask(demarc.getSummary()).catch(() => {});
    refuse('GET /v1/noc/summary');
    await poll;
    expect(names()).toEqual(['PUT /v1/session/password', 'GET /v1/noc/summary']);
    welcome('PUT /v1/session/password', 'Ada');
    await changing;
    await expect.poll(names).toContain('GET /v1/session');
    welcome('GET /v1/session', 'Ada, again');
    await expect.poll(() => session.value?.member?.name).toBe('Ada, again');
  });

  it('of a password is no end of the session', async () => {
    const changing = changePassword('wrong', 'new').catch(({ status }) => status);
    refuse('PUT /v1/session/password');
    expect(await changing).toBe(401);
    expect(names()).toHaveLength(1);
    expect(session.value).not.toBeNull();
  });

  it('after a sign-out leaves the words of that', async () => {
    const poll = ask(demarc.getSummary()).catch(() => {});
    const leaving = signOut();
    asked[1]!.answer(200, { data: {}, errors: null });
    await leaving;
    refuse('GET /v1/noc/summary');
    await poll;
    await expect.poll(names).toContain('GET /v1/session');
    refuse('GET /v1/session');
    await expect.poll(() => asked.length).toBe(3);
    expect([session.value, farewell.value]).toEqual([null, 'You are signed out.']);
  });
});

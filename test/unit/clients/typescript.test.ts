import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { clientSource } from '../../../clients/typescript/generate.js';
import {
  type CreateTestScenarioBody,
  Demarc,
  DemarcError,
  entries,
} from '../../../clients/typescript/src/index.js';
import { readApiDocument } from '../../../src/control/api-document.js';

/** A fetch that gives these answers in turn, and notes what it was asked. */
function answering(...answers: (Response | Error)[]) {
  const asked: { url: string; init: RequestInit; key: string | null }[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    asked.push({ url: String(url), init, key: new Headers(init.headers).get('idempotency-key') });
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const demarc = new Demarc({
    baseUrl: 'https://demarc.example/',
    apiKey: 'sk',
    fetch: fetch as typeof globalThis.fetch,
  });
  return { demarc, asked };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const away = (): Response =>
  json(
    503,
    { data: null, errors: [{ error: 'SERVICE_UNAVAILABLE', message: 'Away' }] },
    { 'retry-after': '0' },
  );

describe('the TypeScript client', () => {
  it('matches the API description; otherwise run npm run client:typescript', async () => {
    const written = readFileSync('clients/typescript/src/generated.ts', 'utf8');
    expect(written === clientSource(await readApiDocument())).toBe(true);
  });

  it('has a list of objects of several kinds as one array of all kinds', () => {
    type Assertions = NonNullable<CreateTestScenarioBody['assertions']>;
    expectTypeOf<{ type: 'SERVICE_TONE'; config: object }>().toExtend<Assertions[number]>();
    expectTypeOf<{ type: 'SERVICE_TONE'; config: object }>().not.toExtend<Assertions>();
  });

  it('sends a POST again with the key of the first try, so that it is carried out once', async () => {
    const order = { status: 'success', message: '', call_id: 'one', batch_id: null };
    const { demarc, asked } = answering(new TypeError('fetch failed'), away(), json(200, order));
    const { call_id: id } = await demarc.createCall({ phone_number: '+1', from: '+2', task: 'Say hello.' });
    expect(id).toBe('one');
    expect(asked).toHaveLength(3);
    expect(asked[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  });

  it('does not send again what may have been carried out, or cannot succeed', async () => {
    const patch = answering(away());
    await expect(patch.demarc.updateAlertContacts({ emails: [] })).rejects.toMatchObject({ status: 503 });
    expect(patch.asked).toHaveLength(1);
    const refused = answering(
      json(400, { data: null, errors: [{ error: 'VALIDATION_ERROR', message: 'Required', path: 'task' }] }),
    );
    const failure = await refused.demarc
      .createCall({ phone_number: '+1', from: '+2', task: '' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DemarcError);
    expect(failure).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', message: 'task: Required' });
    expect((failure as DemarcError).at('task')).toBe('Required');
    expect(refused.asked).toHaveLength(1);
  });

  it('reads lists to their end, escapes paths, and writes nested parameters', async () => {
    const page = (ids: string[], next: string | null): Response =>
      json(200, {
        data: { calls: ids.map((call_id) => ({ call_id })), has_more: next !== null },
        ...{ errors: null, has_more: next !== null, next },
      });
    const { demarc, asked } = answering(page(['a', 'b'], 'b'), page(['c'], null), json(200, { data: {} }));
    const seen: string[] = [];
    const list = (after: string | undefined) =>
      demarc.listCallRecords({ metadata: { campaign: 'spring' }, limit: 2, after });
    for await (const call of entries(list)) seen.push(call.call_id);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(decodeURIComponent(asked[1]!.url)).toBe(
      'https://demarc.example/v1/sip/calls?metadata[campaign]=spring&limit=2&after=b',
    );
    await demarc.getCallRecord({ call_id: 'a/b c' });
    expect(asked[2]!.url).toBe('https://demarc.example/v1/sip/calls/a%2Fb%20c');
  });
});

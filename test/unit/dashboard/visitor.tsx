import type { VNode } from 'preact';
import { LocationProvider } from 'preact-iso';
import { type Session, session } from '../../../src/dashboard/api/session.js';

/** A session of a key with all scopes, unless other fields are given. */
export function signInAs(fields: Partial<Session> = {}): void {
  session.value = {
    scopes: null,
    operator: false,
    key: { id: 'k1', name: 'deploy', prefix: 'sk-demarc-abcd' },
    member: null,
    organization: { id: 'o1', name: 'Acme', sip_enabled: true },
    ...fields,
  } as unknown as Session;
}

interface Address {
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Called with where a component leads. */
  readonly route?: (url: string, replace?: boolean) => void;
}

/** The component as a page of that address shows it. */
export const at = ({ path = '/', query = {}, route = () => undefined }: Address, component: VNode): VNode => (
  <LocationProvider.ctx.Provider
    value={
      {
        url: `${path}?${new URLSearchParams(query)}`,
        path,
        pathParams: {},
        searchParams: query,
        query,
        route: route as never,
        back: () => undefined,
        forward: () => undefined,
        wasPush: false,
      } as never
    }
  >
    {component}
  </LocationProvider.ctx.Provider>
);

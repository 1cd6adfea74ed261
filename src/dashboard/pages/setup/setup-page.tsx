import type { ComponentChildren, JSX } from 'preact';
import { Page } from '../../frame/page.js';
import { Tabs } from '../../parts/tabs.js';

const places = [
  ['/setup', 'Firewall'],
  ['/setup/pbx', 'Your PBX'],
  ['/setup/discover', 'Discover a PBX'],
  ['/setup/bots', 'WebSocket bots'],
  ['/setup/agents', 'Agent credentials'],
  ['/setup/web-agents', 'Web agents'],
  ['/setup/keys', 'API keys'],
] as const;

/** Layout of the setup pages, which users need before their first call. */
export function SetupPage({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <Page title={title}>
      <Tabs label="Setup" places={places} />
      {children}
    </Page>
  );
}

import type { JSX } from 'preact';
import { Tabs } from '../../parts/tabs.js';

export function WebhookTabs(): JSX.Element {
  return (
    <Tabs
      label="Webhooks"
      places={[
        ['/webhooks', 'Endpoints'],
        ['/webhooks/deliveries', 'Deliveries'],
      ]}
    />
  );
}

import type { JSX } from 'preact';
import { Tabs } from '../../parts/tabs.js';

export function AlertTabs(): JSX.Element {
  return (
    <Tabs
      label="Alerts"
      places={[
        ['/alerts', 'Alerts and contacts'],
        ['/alerts/incidents', 'Incidents'],
        ['/alerts/maintenance', 'Maintenance'],
      ]}
    />
  );
}

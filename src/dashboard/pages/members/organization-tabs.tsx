import type { JSX } from 'preact';
import { Tabs } from '../../parts/tabs.js';

export function OrganizationTabs(): JSX.Element {
  return (
    <Tabs
      label="People of the organization"
      places={[
        ['/members', 'Members'],
        ['/members/audit', 'Audit log'],
        ['/members/account', 'Your account'],
      ]}
    />
  );
}
